/** Following a game over streams that break: every event once, in order, until the game ends. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Billet, type GameEvent, JoinCodeWrong, RateLimited, Unauthenticated, NoAnswer } from "billet-client";

import { json, problem, scripted, silent, type Step, stream } from "./scripted.js";

function event(version: number) {
  const data = { seat: 0 };
  return { version, type: "turn_started", at: "2026-01-02T10:00:00.000Z", data, text: `Zoë ${version}` };
}

function frame(version: number): string {
  return `id: ${version}\nevent: turn_started\ndata: ${JSON.stringify(event(version))}\n\n`;
}

/** Answers a long-poll. */
function page(finished: boolean, ...versions: number[]): Step {
  return json(200, { events: versions.map(event), version: versions.at(-1) ?? 0, finished });
}

const ended: Step = (response) => response.writeHead(204).end();

async function all(events: AsyncIterable<GameEvent>): Promise<number[]> {
  const versions: number[] = [];
  for await (const { version } of events) versions.push(version);
  return versions;
}

// Beside each other: they wait more than they compute.
describe("following a game", { concurrency: true }, () => {
  test("goes on after the last whole event, wherever a stream breaks, until the game has ended", async (t) => {
    const { url, asked } = await scripted(
      t,
      stream("break", frame(8), frame(9) + frame(10).slice(0, 30)),
      stream("break"),
      stream("end", frame(10), frame(11)),
      ended,
    );
    const found = await all(new Billet({ url, token: "secret" }).events("g1", { after: 7, text: true }));
    assert.deepEqual(found, [8, 9, 10, 11]);
    assert.deepEqual(
      asked.map(({ url }) => url.searchParams.get("after")),
      ["7", "9", "9", "11"],
    );
    for (const { url, headers } of asked) {
      assert.equal(headers.authorization, "Bearer secret");
      assert.equal(url.searchParams.get("text"), "true");
    }
  });

  test("begins with the first event if nothing is said, and passes a join code on", async (t) => {
    const { url, asked } = await scripted(t, stream("end", frame(1)), ended);
    assert.deepEqual(await all(new Billet({ url }).events("g1", { join_code: "K7QX2M" })), [1]);
    assert.equal(asked[0]!.url.search, "?join_code=K7QX2M&after=0");
  });

  test("reads a letter that comes in two pieces", async (t) => {
    const bytes = Buffer.from(frame(1));
    const middle = bytes.indexOf("ë") + 1;
    const { url } = await scripted(t, stream("end", bytes.subarray(0, middle), bytes.subarray(middle)), ended);
    for await (const { text } of new Billet({ url }).events("g1")) assert.equal(text, "Zoë 1");
  });

  test("leaves out what comes twice, and asks again for what is missing", async (t) => {
    const { url, asked } = await scripted(
      t,
      stream("nothing", frame(1), frame(1), frame(2), frame(4)),
      stream("end", frame(2), frame(3), frame(4)),
      ended,
    );
    assert.deepEqual(await all(new Billet({ url }).events("g1")), [1, 2, 3, 4]);
    assert.equal(asked.length, 3);
  });

  test("comes back after refusals that pass, when it is asked to", async (t) => {
    const limited = problem(429, "rate_limited", { limit: "streams", retry_after: 1 }, { "Retry-After": "1" });
    const { url, asked } = await scripted(t, limited, problem(503, "unavailable"), stream("end", frame(1)), ended);
    assert.deepEqual(await all(new Billet({ url }).events("g1")), [1]);
    assert.ok(asked[1]!.at - asked[0]!.at >= 1000);
  });

  test("takes a stream that is silent for broken, and one with comments not", async (t) => {
    const comments = Array.from({ length: 300 }, () => ":\n\n");
    const { url, asked } = await scripted(t, stream("nothing", frame(1), ...comments, frame(2)), ended);
    assert.deepEqual(await all(new Billet({ url, silence: 2000 }).events("g1")), [1, 2]);
    assert.equal(asked.length, 2);
    assert.ok(asked[1]!.at - asked[0]!.at >= 4500);
  });

  test("takes a stream that is silent for broken though memory is collected meanwhile", async (t) => {
    const { url } = await scripted(t, silent, (response, request) => {
      const first = !request.url?.includes("after=1");
      // A slow machine may find two streams too late in a row, and asks for events then.
      if (!request.url?.includes("/stream")) return page(true, ...(first ? [1] : []))(response, request);
      if (!first) return ended(response, request);
      stream("nothing", frame(1))(response, request);
      silent(response, request);
    });
    assert.deepEqual(await all(new Billet({ url, timeout: 300, silence: 300 }).events("g1")), [1]);
  });

  test("comes back where it was if the one who listens is slow and is cut off", async (t) => {
    const { url } = await scripted(
      t,
      stream("break", frame(1), frame(2), frame(3)),
      stream("end", frame(2), frame(3)),
      ended,
    );
    const found: number[] = [];
    for await (const { version } of new Billet({ url, silence: 2000 }).events("g1")) {
      found.push(version);
      if (version === 1) await new Promise((resolve) => setTimeout(resolve, 2500));
    }
    assert.deepEqual(found, [1, 2, 3]);
  });

  test("hangs up when the loop is left", async (t) => {
    let gone = false;
    const open: Step = (response, request) => {
      response.on("close", () => (gone = true));
      stream("nothing", frame(1))(response, request);
    };
    const { url } = await scripted(t, open);
    for await (const event of new Billet({ url }).events("g1")) if (event.version === 1) break;
    for (let tries = 0; !gone && tries < 6000; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(gone);
  });

  test("ends quietly with the signal: before, on a stream, and while it pauses", async (t) => {
    const { url } = await scripted(t, stream("nothing", frame(1)), problem(503, "unavailable"));
    const billet = new Billet({ url });
    assert.deepEqual(await all(billet.events("g1", { signal: AbortSignal.abort() })), []);
    const leaving = new AbortController();
    for await (const { version } of billet.events("g1", { signal: leaving.signal })) {
      assert.equal(version, 1);
      setTimeout(() => leaving.abort(), 10);
    }
    assert.ok(leaving.signal.aborted);
    assert.deepEqual(await all(billet.events("g1", { signal: AbortSignal.timeout(150) })), []);
  });

  test("fails with a refusal that stays", async (t) => {
    const { url, asked } = await scripted(t, stream("break", frame(1)), problem(401, "unauthenticated"));
    await assert.rejects(all(new Billet({ url }).events("g1")), Unauthenticated);
    assert.equal(asked.length, 2);
    const unlisted = await scripted(t, problem(403, "join_code_wrong"));
    await assert.rejects(all(new Billet({ url: unlisted.url }).events("g1")), JoinCodeWrong);
    assert.equal(unlisted.asked.length, 1);
  });

  test("fails when patience is over, which begins anew with each stream", async (t) => {
    const lost: Step = (response) => response.destroy();
    const { url } = await scripted(t, lost, stream("break", frame(1)), lost, stream("break", frame(2)), lost);
    const found: number[] = [];
    const listen = async () => {
      for await (const { version } of new Billet({ url, patience: 3000 }).events("g1")) found.push(version);
    };
    await assert.rejects(listen(), NoAnswer);
    assert.deepEqual(found, [1, 2]);
    const limited = await scripted(t, problem(429, "rate_limited", { retry_after: 60 }, { "Retry-After": "60" }));
    await assert.rejects(all(new Billet({ url: limited.url }).events("g1")), RateLimited);
  });

  const WITHHELD: Record<string, Step> = {
    "nothing comes": (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders(),
    "not even an answer comes": () => {},
    "it ends at once": (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end(),
  };

  for (const [name, step] of Object.entries(WITHHELD)) {
    test(`asks for events when of two streams in a row ${name}`, async (t) => {
      const steps = [stream("break", frame(1)), step, stream("break"), step, step] as const;
      const { url, asked } = await scripted(t, ...steps, page(false, 2, 3), page(false), page(true, 4));
      const billet = new Billet({ url, timeout: 1500, silence: 1500 });
      assert.deepEqual(await all(billet.events("g1", { text: true, join_code: "K7QX2M" })), [1, 2, 3, 4]);
      assert.deepEqual(
        asked.map(({ url }) => `${url.pathname.split("/").at(-1)} ${url.searchParams.get("after")}`),
        ["stream 0", "stream 1", "stream 1", "stream 1", "stream 1", "events 1", "events 3", "events 3"],
      );
      for (const { searchParams } of asked.map(({ url }) => url).slice(5)) {
        assert.deepEqual([searchParams.get("text"), searchParams.get("join_code")], ["true", "K7QX2M"]);
        assert.equal(searchParams.get("wait"), "20");
      }
      assert.ok(asked[7]!.at - asked[6]!.at >= 1000, "no flood of waits that are cut short");
    });
  }

  test("asks for events from the beginning if it is told so, and ends quietly with the signal", async (t) => {
    const away = problem(503, "unavailable");
    const { url, asked } = await scripted(t, page(false, 8, 9), away, page(false, 10), page(false));
    const leaving = new AbortController();
    const found: number[] = [];
    for await (const { version } of new Billet({ url }).events("g1", { by: "poll", after: 7, signal: leaving.signal })) {
      found.push(version);
      if (version === 10) setTimeout(() => leaving.abort(), 100);
    }
    assert.deepEqual(found, [8, 9, 10]);
    assert.deepEqual(new Set(asked.map(({ url }) => url.pathname)), new Set(["/v1/games/g1/events"]));
    const refusing = await scripted(t, problem(401, "unauthenticated"));
    await assert.rejects(all(new Billet({ url: refusing.url }).events("g1", { by: "poll" })), Unauthenticated);
  });
});
