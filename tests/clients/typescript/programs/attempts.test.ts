/** What is asked again, how, and for how long. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Billet,
  type GameSetup,
  NoAnswer,
  NotFound,
  NotUnderstood,
  RateLimited,
  Refused,
  Unavailable,
} from "billet-client";

import { cut, json, lost, problem, scripted, silent, type Step } from "./scripted.js";

const SEATS: GameSetup["seats"] = [{ kind: "creator" }, { kind: "bot", bot: "random" }];
const SETUP: GameSetup = { edition: "classic", seats: SEATS, nonce: "mine" };
const made = json(201, { id: "g1", version: 4 }, { ETag: '"4"' });
const unavailable = problem(503, "unavailable");
const PASSING: Record<string, Step> = {
  "no answer": lost,
  "half an answer": cut,
  "an answer that is late": silent,
  "408": problem(408, "request_timeout"),
  "502 of a proxy": (response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>"),
  "503": unavailable,
  "504 without a body": (response) => response.writeHead(504).end(),
};

for (const [name, step] of Object.entries(PASSING)) {
  test(`asks again after ${name}, with the same key and body`, async (t) => {
    const { url, asked } = await scripted(t, step, step, made);
    const game = await new Billet({ url, token: "secret", timeout: step === silent ? 1000 : 60_000 }).create(SETUP);
    assert.equal(game.id, "g1");
    assert.ok(asked.length >= 3);
    const keys = asked.map(({ headers }) => headers["idempotency-key"]);
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
    assert.equal(new Set(keys).size, 1);
    for (const { body, headers } of asked) {
      assert.deepEqual(JSON.parse(body), SETUP);
      assert.equal(headers.authorization, "Bearer secret");
    }
  });
}

test("takes a new key for each thing to do, and keeps one that it is given", async (t) => {
  const { url, asked } = await scripted(t, made);
  const billet = new Billet({ url });
  await billet.create(SETUP);
  await billet.create(SETUP);
  await billet.http.POST("/v1/games", { body: SETUP, params: { header: { "Idempotency-Key": "mine" } } });
  const [first, second, third] = asked.map(({ headers }) => headers["idempotency-key"]);
  assert.notEqual(first, second);
  assert.equal(third, "mine");
});

test("a rematch commits to a nonce, the same when asked again, and reveals it", async (t) => {
  const waiting = { status: "open", version: 4, viewer: { seat: 0 }, reveal: { until: "2030-01-01T00:00:15Z", seats: [0] } };
  const open = json(201, { ...waiting, id: "g2", reveal: null });
  const { url, asked } = await scripted(t, open, open, json(201, { ...waiting, id: "g2" }), made);
  const billet = new Billet({ url });
  for (let attempt = 1; attempt <= 3; attempt++) await billet.rematch("g1");
  const [first, second, third, revealed] = asked.map(({ body }) => JSON.parse(body));
  assert.deepEqual([second, third], [first, first]);
  assert.equal(asked.at(-1)?.url.pathname, "/v1/games/g2/nonce");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(revealed.nonce));
  assert.equal(first.nonce_hash, Buffer.from(digest).toString("hex"));
  assert.equal(asked.length, 4);
});

test("waits as long as it is asked to", async (t) => {
  const limited = problem(429, "rate_limited", { limit: "creating", retry_after: 1 }, { "Retry-After": "1" });
  const { url, asked } = await scripted(t, limited, made);
  await new Billet({ url }).create(SETUP);
  assert.ok(asked[1]!.at - asked[0]!.at >= 1000);
});

test("fails at once if it is asked to wait longer than its patience", async (t) => {
  const limited = problem(429, "rate_limited", { limit: "creating", retry_after: 3600 }, { "Retry-After": "3600" });
  const { url, asked } = await scripted(t, limited);
  await assert.rejects(new Billet({ url }).create(SETUP), (error) => {
    assert.ok(error instanceof RateLimited);
    assert.deepEqual([error.limit, error.retryAfter], ["creating", 3600]);
    return true;
  });
  assert.equal(asked.length, 1);
});

for (const status of [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 500]) {
  test(`never repeats what is refused with ${status}`, async (t) => {
    const { url, asked } = await scripted(t, problem(status, "some_code"), made);
    const refused = (error: unknown) => error instanceof Refused && error.status === status && !error.maybeDone;
    await assert.rejects(new Billet({ url }).create(SETUP), status === 500 ? Refused : refused);
    assert.equal(asked.length, 1);
  });
}

test("gives up when patience is over, with the last answer", async (t) => {
  const dated = problem(503, "unavailable", {}, { "Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT" });
  const { url, asked } = await scripted(t, dated);
  await assert.rejects(new Billet({ url, patience: 700 }).create(SETUP), (error) => {
    assert.ok(error instanceof Unavailable);
    assert.equal(error.code, "unavailable");
    return true;
  });
  assert.ok(asked.length >= 2 && asked.length <= 6, `${asked.length} attempts`);
});

test("gives up when patience is over and nobody has answered", async (t) => {
  const { url } = await scripted(t, lost);
  await assert.rejects(new Billet({ url, patience: 300 }).me(), (error) => {
    assert.ok(error instanceof NoAnswer);
    assert.match(error.message, /127\.0\.0\.1/);
    assert.ok(error.cause instanceof Error);
    return true;
  });
});

test("pauses longer each time, and by chance", async (t) => {
  const { url, asked } = await scripted(t, lost, lost, lost, made);
  await new Billet({ url }).create(SETUP);
  const gaps = asked.slice(1).map(({ at }, index) => at - asked[index]!.at);
  assert.ok(gaps[0]! >= 50 && gaps[1]! >= 100 && gaps[2]! >= 200, `${gaps}`);
});

test("ends with the signal, while it waits for an answer and while it pauses", async (t) => {
  const later = problem(503, "unavailable", {}, { "Retry-After": "100000" });
  for (const step of [silent, later]) {
    const { url } = await scripted(t, step);
    const reason = new Error("enough");
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(reason), 200);
    const patient = new Billet({ url, timeout: Infinity, patience: Infinity });
    await assert.rejects(patient.create(SETUP, { signal: leaving.signal }), (error) => error === reason);
  }
});

test("lets a long-poll take the time it asks for", async (t) => {
  const page = json(200, { events: [], version: 4, finished: true });
  const late: Step = (response, request) => setTimeout(() => page(response, request), 400);
  const { url, asked } = await scripted(t, late);
  const params = { path: { game_id: "g1" }, query: { after: 4, wait: 20 } };
  const { data } = await new Billet({ url, timeout: 200 }).http.GET("/v1/games/{game_id}/events", { params });
  assert.equal(data?.version, 4);
  assert.equal(asked.length, 1);
});

test("tells an answer that is not the service's by its status", async (t) => {
  const page = (status: number): Step => (response) => {
    response.writeHead(status, { "Content-Type": "text/html" }).end("<h1>?</h1>");
  };
  const { url } = await scripted(t, page(404), page(200));
  await assert.rejects(new Billet({ url }).view("g1"), (error) => error instanceof NotFound && error.code === "");
  await assert.rejects(new Billet({ url }).view("g1"), NotUnderstood);
});

test("says whether it may have been done all the same", async (t) => {
  const refused = problem(403, "not_seated");
  const cases: [boolean, ...[Step, ...Step[]]][] = [
    [false, refused],
    [false, problem(429, "rate_limited"), refused],
    [true, unavailable, refused],
    [true, problem(500, "internal_error")],
    [true, lost],
  ];
  for (const [maybeDone, ...steps] of cases) {
    const { url } = await scripted(t, ...steps);
    await assert.rejects(new Billet({ url, patience: 200 }).create(SETUP), { maybeDone });
  }
});
