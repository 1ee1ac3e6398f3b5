/** What a player is told of all their games: what is open, then whatever comes, over whatever breaks meanwhile. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Billet, Unauthenticated } from "billet-client";

import { json, problem, scripted, silent, type Step } from "./scripted.js";

/** Answers with notices of these games. */
function told(cursor: number, ...games: string[]): Step {
  return json(200, { events: games.map((game) => ({ cursor, type: "your_turn", game })), cursor });
}

async function some(count: number, billet: Billet, after?: number): Promise<string[]> {
  const games: string[] = [];
  for await (const { game } of billet.notices({ after })) if (games.push(game) === count) break;
  return games;
}

test("what is open comes first, then whatever comes", async (t) => {
  const { url, asked } = await scripted(t, told(7, "open"), told(7), told(8, "next"));
  assert.deepEqual(await some(2, new Billet({ url, token: "secret" })), ["open", "next"]);
  assert.deepEqual(
    asked.map(({ url }) => [url.searchParams.get("after"), url.searchParams.get("wait")]),
    [
      [null, null],
      ["7", "20"],
      ["7", "20"],
    ],
  );
});

test("who has missed too much begins anew", async (t) => {
  const { url, asked } = await scripted(t, problem(410, "cursor_gone"), told(9, "open"), told(10, "next"));
  assert.deepEqual(await some(2, new Billet({ url, token: "secret" }), 1), ["open", "next"]);
  assert.deepEqual(
    asked.map(({ url }) => url.searchParams.get("after")),
    ["1", null, "9"],
  );
});

test("what is refused otherwise is thrown", async (t) => {
  const { url } = await scripted(t, problem(401, "unauthenticated"));
  await assert.rejects(some(1, new Billet({ url, token: "secret" })), Unauthenticated);
});

test("it ends quietly by its signal", async (t) => {
  const { url } = await scripted(t, told(7, "open"), silent);
  const end = new AbortController();
  const games: string[] = [];
  for await (const { game } of new Billet({ url, token: "secret" }).notices({ signal: end.signal })) {
    games.push(game);
    setTimeout(() => end.abort(), 50);
  }
  assert.deepEqual(games, ["open"]);
});
