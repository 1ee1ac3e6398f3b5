/** Following the lobby over streams that break: every change once, in order. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Billet, NoAnswer, RateLimited } from "billet-client";

import { lost, problem, scripted, stream } from "./scripted.js";

function change(type: string, id: string, cursor?: number): string {
  return `${cursor === undefined ? "" : `id: ${cursor}\n`}data: ${JSON.stringify({ type, game: { id } })}\n\n`;
}

const reached = (cursor: number) => `id: ${cursor}\n\n`;

async function some(count: number, billet: Billet): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, game } of billet.lobbyChanges()) if (found.push(`${type} ${game.id}`) === count) break;
  return found;
}

// Beside each other: they wait more than they compute.
describe("following the lobby", { concurrency: true }, () => {
  test("goes on after the last change, wherever a stream breaks", async (t) => {
    const { url, asked } = await scripted(
      t,
      stream("break", change("opened", "a"), reached(7), change("changed", "a", 8)),
      lost,
      stream("end", reached(8), change("changed", "a", 9)),
      stream("nothing", reached(9), change("gone", "a", 10)),
    );
    const found = await some(4, new Billet({ url }));
    assert.deepEqual(found, ["opened a", "changed a", "changed a", "gone a"]);
    assert.deepEqual(
      asked.map(({ url }) => url.searchParams.get("after")),
      [null, "8", "8", "9"],
    );
  });

  test("begins anew if too much was missed, and games from before are gone", async (t) => {
    const { url } = await scripted(
      t,
      stream("end", change("opened", "a"), change("opened", "b"), change("gone", "b", 8)),
      stream("nothing", change("opened", "c"), change("opened", "d"), reached(2000)),
    );
    assert.deepEqual((await some(6, new Billet({ url }))).slice(3), ["gone a", "opened c", "opened d"]);
  });

  test("begins anew if too much was missed and the lobby is empty by then", async (t) => {
    const { url } = await scripted(
      t,
      stream("end", change("opened", "a"), change("changed", "a", 8)),
      stream("nothing", reached(2000), change("opened", "b", 2001)),
    );
    assert.deepEqual(await some(4, new Billet({ url })), ["opened a", "changed a", "gone a", "opened b"]);
  });

  test("begins anew if the stream breaks before the first change", async (t) => {
    const { url } = await scripted(
      t,
      stream("break", change("opened", "a"), reached(7)),
      stream("nothing", reached(8), change("opened", "b", 9)),
    );
    assert.deepEqual(await some(3, new Billet({ url })), ["opened a", "gone a", "opened b"]);
  });

  test("ends with the refusal or the silence that patience does not outlast", async (t) => {
    const full = await scripted(t, problem(429, "rate_limited", { retry_after: 60 }, { "Retry-After": "60" }));
    await assert.rejects(some(1, new Billet({ url: full.url, patience: 1000 })), RateLimited);
    const away = await scripted(t, lost);
    await assert.rejects(some(1, new Billet({ url: away.url, patience: 300 })), NoAnswer);
  });
});
