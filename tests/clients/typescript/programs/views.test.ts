/** Views that are kept, and playing on them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Billet, type Choose } from "billet-client";

import { json, problem, scripted, silent, type Step } from "./scripted.js";

const PLAY = { action: { type: "play_card", card: "guard", targets: [1], guess: "priest" }, text: "Play the Guard" };
const unchanged: Step = (response) => response.writeHead(304, { ETag: '"5"' }).end();

function view(version: number, more: Record<string, unknown> = {}) {
  return { id: "g1", status: "active", version, viewer: { seat: 0 }, legal_actions: [], ...more };
}

function seen(version: number, more: Record<string, unknown> = {}): Step {
  return json(200, view(version, more), { ETag: `"${version}"` });
}

function done(version: number, more: Record<string, unknown> = {}): Step {
  return json(201, { version, events: [], game: view(version, more) }, { ETag: `"${version}"` });
}

test("a view that has not changed is the same object", async (t) => {
  const { url, asked } = await scripted(t, seen(5), unchanged, seen(6));
  const billet = new Billet({ url });
  const first = await billet.view("g1");
  assert.equal(first.etag, '"5"');
  assert.equal(await billet.view("g1"), first);
  assert.equal((await billet.view("g1")).version, 6);
  assert.deepEqual(
    asked.map(({ headers }) => headers["if-none-match"]),
    [undefined, '"5"', '"5"'],
  );
});

test("a look back or as another is neither kept nor compared", async (t) => {
  const { url, asked } = await scripted(t, seen(5), seen(2), seen(5), unchanged);
  const billet = new Billet({ url });
  const now = await billet.view("g1");
  assert.equal((await billet.view("g1", { at: 2 })).version, 2);
  await billet.view("g1", { as: "all" });
  assert.equal(await billet.view("g1"), now);
  assert.deepEqual(
    asked.map(({ headers }) => headers["if-none-match"]),
    [undefined, undefined, undefined, '"5"'],
  );
});

test("the view after an action is kept, unless a newer one is known", async (t) => {
  const { url, asked } = await scripted(t, done(5), unchanged, done(3), unchanged);
  const billet = new Billet({ url });
  for (const version of [5, 3]) {
    const { game } = await billet.act("g1", PLAY.action as never);
    assert.equal(game.version, version);
    assert.equal((await billet.view("g1")).version, 5);
  }
  assert.deepEqual([asked[1]!, asked[3]!].map(({ headers }) => headers["if-none-match"]), ['"5"', '"5"']);
});

test("only so many views are kept", async (t) => {
  const { url, asked } = await scripted(t, (response, request) => {
    const id = request.url!.split("/").at(-1);
    json(200, view(5, { id }), { ETag: `"${id}"` })(response, request);
  });
  const billet = new Billet({ url });
  for (let number = 0; number <= 100; number++) await billet.view(`g${number}`);
  await billet.view("g0");
  await billet.view("g100");
  assert.deepEqual(asked.slice(-2).map(({ headers }) => headers["if-none-match"]), [undefined, '"g100"']);
});

test("an action says which view it is about, and what is asked of its events", async (t) => {
  const { url, asked } = await scripted(t, done(6));
  await new Billet({ url }).act("g1", PLAY.action as never, { ifMatch: '"5"', text: true });
  assert.equal(asked[0]!.headers["if-match"], '"5"');
  assert.equal(asked[0]!.url.search, "?text=true");
  assert.deepEqual(JSON.parse(asked[0]!.body), PLAY.action);
});

test("playing asks again if something was faster, and waits for the others", async (t) => {
  const mine = { legal_actions: [PLAY] };
  const page = json(200, { events: [], version: 8, finished: false });
  const { url, asked } = await scripted(
    t,
    seen(5, mine),
    problem(412, "stale_version", { version: 6 }),
    seen(6, mine),
    done(7),
    page,
    seen(8, { status: "finished" }),
  );
  const chosen: number[] = [];
  const last = await new Billet({ url }).play("g1", ({ version }, [first]) => {
    chosen.push(version);
    return first;
  });
  assert.equal(last.status, "finished");
  assert.deepEqual(chosen, [5, 6]);
  assert.deepEqual([asked[1]!, asked[3]!].map(({ headers }) => headers["if-match"]), ['"5"', '"6"']);
  assert.equal(asked[4]!.url.searchParams.get("after"), "7");
  assert.ok(asked[5]!.at - asked[4]!.at >= 1000, "no flood of waits that are cut short");
});

test("playing needs a seat", async (t) => {
  const { url } = await scripted(t, seen(5, { viewer: null }));
  await assert.rejects(new Billet({ url }).play("g1", (_, [first]) => first), /no seat/);
});

test("playing goes on to the end without a seat that was forfeited while it thought", async (t) => {
  const forfeited = problem(403, "not_seated");
  const { url } = await scripted(t, seen(5, { legal_actions: [PLAY] }), forfeited, seen(9, { status: "finished" }));
  assert.equal((await new Billet({ url }).play("g1", (_, [first]) => first)).version, 9);
});

test("playing ends with a refusal, and with the signal", async (t) => {
  const { url } = await scripted(t, seen(5, { legal_actions: [PLAY] }), problem(409, "illegal_action"));
  await assert.rejects(new Billet({ url }).play("g1", (_, [first]) => first), { code: "illegal_action" });
  const waiting = await scripted(t, seen(5), silent);
  const leaving = { signal: AbortSignal.timeout(200) };
  await assert.rejects(new Billet({ url: waiting.url }).play("g1", (_, [first]) => first, leaving), {
    name: "TimeoutError",
  });
  const thinking = await scripted(t, seen(5, { legal_actions: [PLAY] }), done(7, { status: "finished" }));
  const left = new AbortController();
  const choose: Choose = (_, [first]) => {
    left.abort();
    return first;
  };
  const playing = new Billet({ url: thinking.url }).play("g1", choose, { signal: left.signal });
  await assert.rejects(playing, { name: "AbortError" });
  assert.equal(thinking.asked.length, 1, "nothing is sent after the signal");
});
