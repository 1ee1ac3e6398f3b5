/** The client against a real service, the way to which loses the first answer to whatever is done. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Billet,
  Forbidden,
  GameNotFinished,
  type GameSetup,
  InvalidRequest,
  JoinCodeWrong,
  NotCreator,
  NotFound,
  NotSeated,
  StaleVersion,
  Unauthenticated,
} from "billet-client";

const url = process.env["BASE"]!;
const BOT = { kind: "bot", bot: "random" } as const;
const TABLE: GameSetup = { edition: "classic", seats: [{ kind: "creator" }, BOT], starter: 0 };
const OPEN: GameSetup = { edition: "classic", seats: [{ kind: "creator" }, { kind: "open" }], starter: 0 };

/** Loses the first answer to each thing that is done. */
async function forgetful(request: Request): Promise<Response> {
  const name = `${request.method} ${request.url} ${request.headers.get("Idempotency-Key")}`;
  const response = await fetch(request);
  if (request.method === "GET" || lost.has(name)) return response;
  lost.add(name);
  await response.arrayBuffer();
  throw new TypeError("lost");
}

const lost = new Set<string>();
/** At least as long as a key must be that stands for a token. */
const SECRET = "a-key-that-nobody-guesses-";
/** A verdict takes its time on a busy machine: a process of low priority gives it. */
const timeout = 200_000;
const ann = await Billet.register({ url, name: "Ann", fetch: forgetful, commit: false, timeout });
const bob = await Billet.register({ url, name: "Bob", language: "de", fetch: forgetful, commit: false, timeout });

test("a table is opened once, and a seat taken, though the answer is lost", async () => {
  const game = await ann.create(OPEN);
  assert.equal((await bob.join(game.id)).viewer?.seat, 1);
  const mine = [];
  for await (const { id } of ann.myGames()) mine.push(id);
  assert.deepEqual(mine, [game.id]);
});

test("an action is made once, though the answer is lost and it is about a view that is gone then", async () => {
  const game = await ann.create(TABLE);
  const [first] = game.legal_actions;
  const { version, events } = await ann.act(game.id, first!.action, { ifMatch: game.etag, text: true });
  const played = events.filter(({ type }) => type === "card_played");
  assert.equal(played.length, 1);
  assert.match(played[0]!.text!, /^You play/);
  assert.equal(events[0]!.version, game.version + 1);
  assert.equal(version, events.at(-1)!.version);
  const tooLate = ann.act(game.id, first!.action, { ifMatch: game.etag });
  await assert.rejects(tooLate, (error) => error instanceof StaleVersion && error.version! >= version);
});

test("a key of one's own repeats a call later", async () => {
  const [first, second] = [await ann.create(TABLE, { key: "k-1" }), await ann.create(TABLE, { key: "k-1" })];
  assert.equal(first.id, second.id);
});

test("a player is registered once, and has the token, though the answer is lost", async () => {
  const key = SECRET + crypto.randomUUID();
  const [first, second] = [
    await Billet.register({ url, name: "Cleo", fetch: forgetful, key }),
    await Billet.register({ url, name: "Cleo", key }),
  ];
  assert.equal(first.token, second.token);
  assert.equal((await first.me()).id, (await second.me()).id);
  await assert.rejects(Billet.register({ url, name: "Cleo", key: "too-short" }), InvalidRequest);
});

test("a token is rotated once, though the answer is lost, and the new one is used from then on", async () => {
  const dora = await Billet.register({ url, name: "Dora", fetch: forgetful });
  const { id } = await dora.me();
  const [first, key] = [dora.token, SECRET + crypto.randomUUID()];
  const second = await dora.rotateToken({ key });
  assert.notEqual(second, first);
  assert.equal(dora.token, second);
  assert.equal((await dora.me()).id, id);
  assert.equal((await dora.create(OPEN)).viewer?.seat, 0);
  const before = new Billet({ url, token: first });
  await assert.rejects(before.me(), Unauthenticated);
  assert.equal(await before.rotateToken({ key }), second);
  assert.equal((await before.me()).id, id);
});

test("getting up, resigning and calling off are done once, though the answer is lost", async () => {
  const waiting = await ann.create({ ...OPEN, edition: "standard", seats: [...OPEN.seats, { kind: "open" }] });
  await bob.join(waiting.id);
  const { version, viewer } = await bob.leave(waiting.id, { key: "up" });
  assert.equal(viewer, null);
  assert.equal((await ann.view(waiting.id)).version, version);
  await bob.join(waiting.id);
  assert.equal((await bob.leave(waiting.id, { key: "up" })).version, version, "the first answer again");
  assert.equal((await bob.view(waiting.id)).viewer?.seat, 1);
  await bob.leave(waiting.id);
  assert.equal((await ann.abort(waiting.id)).status, "aborted");
  const begun = await ann.create(OPEN);
  await bob.join(begun.id, { nonce: "mine" });
  assert.deepEqual((await bob.leave(begun.id)).winners, [0]);
  await assert.rejects(bob.leave(waiting.id), (error) => error instanceof NotSeated);
});

test("events come by long-poll as by stream, and in frames", async () => {
  const { id } = await ann.create(TABLE);
  const polled: number[] = [];
  const all = (async () => {
    for await (const { version } of ann.events(id, { by: "poll", after: 1 })) polled.push(version);
  })();
  const drawn: number[] = [];
  const frames = (async () => {
    for await (const { version, events, game } of ann.frames(id, { after: 1 })) {
      assert.equal(game.version, version);
      drawn.push(...events.map((event) => event.version));
    }
  })();
  const { version } = await ann.play(id, (_, [first]) => first);
  await Promise.all([all, frames]);
  assert.deepEqual(drawn, polled);
  assert.deepEqual(polled, Array.from({ length: version - 1 }, (_, index) => index + 2));
});

test("a rematch is one game for all who ask", async () => {
  const game = await ann.create(OPEN);
  await bob.join(game.id);
  await assert.rejects(bob.rematch(game.id), GameNotFinished);
  await bob.leave(game.id);
  const [again, same] = await Promise.all([ann.rematch(game.id), bob.rematch(game.id)]);
  assert.equal(again.id, same.id);
  assert.equal((await ann.view(game.id)).next_game, again.id);
});

test("a fork goes on from where its player wants, once for each key", async () => {
  const game = await ann.create(TABLE);
  const before = (await ann.view(game.id)).version;
  await assert.rejects(ann.fork(game.id, { version: before }), GameNotFinished);
  const { version } = await ann.play(game.id, (_, [first]) => first);
  const fork = await ann.fork(game.id, { version: version - 1, bots: [{ seat: 1, bot: "random" }] }, { key: "on" });
  assert.equal(fork.forked_from?.game, game.id);
  const again = await ann.fork(game.id, { version: version - 1, bots: [{ seat: 1, bot: "random" }] }, { key: "on" });
  assert.equal(again.id, fork.id);
  assert.equal((await ann.play(fork.id, (_, [first]) => first)).status, "finished");
});

test("the log of an ended game is verified as it came, and not once it was changed", async () => {
  const game = await ann.create(OPEN);
  await bob.join(game.id);
  await assert.rejects(bob.log(game.id), GameNotFinished);
  await bob.leave(game.id);
  const log = await ann.log(game.id);
  assert.equal(log.game, game.id);
  assert.equal((await bob.verify(log)).valid, true);
  const { valid, divergence } = await bob.verify({ ...log, secret: "0".repeat(64) });
  assert.deepEqual([valid, divergence?.check, divergence?.version], [false, "commitment", 1]);
});

test("aids say what to do and what can be known", async () => {
  const game = await ann.create({ ...OPEN, starter: 0 });
  const { version } = await bob.join(game.id);
  const { action } = await ann.hint(game.id);
  assert.equal((await bob.view(game.id)).seats[0]?.hints, 1);
  await ann.act(game.id, action);
  const { seats } = await bob.deductions(game.id, { at: version });
  const { hand } = (await bob.view(game.id, { at: version })).seats[1]!;
  assert.deepEqual(seats[1]?.cards, [{ card: hand[0], probability: 1 }]);
});

test("an ended game is gone through as a seat saw it, round by round", async () => {
  const game = await ann.create(OPEN);
  await bob.join(game.id);
  await assert.rejects(ann.replay(game.id, { as: "1" }).next(), GameNotFinished);
  const { version } = await ann.view(game.id);
  const live = [];
  for await (const event of bob.events(game.id, { text: true })) if (live.push(event) === version) break;
  await bob.leave(game.id);
  const replayed = [];
  for await (const event of bob.replay(game.id, { as: "1", at: version, text: true })) replayed.push(event);
  assert.deepEqual(replayed, live);
  const all = [];
  for await (const event of ann.replay(game.id, { as: "all" })) all.push(event);
  assert.equal(all.at(-1)?.type, "secret_revealed");
  const drawn = [];
  for await (const { events } of ann.frames(game.id, { as: "all" })) drawn.push(...events);
  assert.deepEqual(drawn, all);
  const { rounds, finished } = await bob.rounds(game.id);
  assert.deepEqual([finished, rounds.length, rounds[0]?.turns.length], [true, 1, 1]);
  assert.equal(live[rounds[0]!.version - 1]?.type, "round_started");
  const [turn] = rounds[0]!.turns;
  assert.equal(turn?.act_version, version);
  const fork = await ann.fork(game.id, { version, seat: turn!.seat });
  assert.equal(fork.to_act, turn!.seat);
  const outcome = await ann.act(fork.id, fork.legal_actions[0]!.action);
  assert.equal(outcome.events[0]?.type, "card_played");
});

test("a view that has not changed is not sent again", async () => {
  const { id } = await ann.create(OPEN);
  const first = await ann.view(id);
  assert.equal(await ann.view(id), first);
  await bob.join(id);
  const second = await ann.view(id);
  assert.ok(second.version > first.version);
  assert.equal((await ann.view(id, { at: first.version })).version, first.version);
  assert.equal(await ann.view(id), second);
});

test("an unlisted game is seen with its code only", async () => {
  const { id, join_code } = await ann.create({ ...OPEN, visibility: "unlisted" });
  const watcher = new Billet({ url });
  await assert.rejects(watcher.view(id), JoinCodeWrong);
  assert.equal((await watcher.view(id, { join_code: join_code! })).viewer, null);
  for await (const { version } of watcher.events(id, { join_code: join_code! })) if (version === 1) break;
  await bob.join(id, { join_code: join_code! });
  await assert.rejects(bob.abort(id), NotCreator);
});

test("a join code alone is enough for a seat, and for a nonce that the deal depends on", async () => {
  const { id, join_code } = await ann.create({ ...OPEN, visibility: "unlisted" });
  const cleo = await Billet.register({ url, name: "Cleo", fetch: forgetful, timeout });
  await assert.rejects(cleo.joinByCode("NOSUCHCODE"), NotFound);
  const joined = await cleo.joinByCode(join_code!, {}, { key: "code" });
  assert.deepEqual([joined.id, joined.viewer?.seat, joined.status], [id, 1, "active"]);
  assert.equal((await cleo.joinByCode(join_code!, {}, { key: "code" })).id, id);
  for await (const { type, data } of ann.events(id)) {
    if (type !== "game_started") continue;
    assert.deepEqual([data.committed, data.unrevealed], [[1], []]);
    break;
  }
});

test("who leaves and comes back by the join code still contributes to the deal", async () => {
  const { id, join_code } = await ann.create({ ...OPEN, seats: [...OPEN.seats, { kind: "open" }], visibility: "unlisted" });
  const dora = await Billet.register({ url, name: "Dora", fetch: forgetful, timeout });
  await dora.join(id, { join_code: join_code! });
  await dora.leave(id);
  await dora.joinByCode(join_code!);
  await bob.join(id, { join_code: join_code! });
  assert.equal((await dora.view(id)).status, "active");
  for await (const { type, data } of ann.events(id)) {
    if (type !== "game_started") continue;
    assert.deepEqual([data.committed, data.unrevealed], [[1], []]);
    break;
  }
});

test("an address for EventSource is good once", async () => {
  const { id, version } = await ann.create(OPEN);
  const address = await ann.streamUrl(id, { after: version - 1, text: true });
  assert.ok(!address.includes(ann.token!));
  const response = await fetch(address);
  assert.equal(response.headers.get("Content-Type"), "text/event-stream");
  await response.body!.cancel();
  assert.equal((await fetch(address)).status, 401);
  const frames = await fetch(await ann.streamUrl(id, { of: "frames", after: version - 1, text: true, lang: "de" }));
  for await (const part of frames.body!.pipeThrough(new TextDecoderStream())) if (part.includes("auf Platz 1")) break;
  const watched = await fetch(await new Billet({ url }).streamUrl(id));
  assert.equal(watched.status, 200);
  await watched.body!.cancel();
});

test("names and texts come in the client's language", async () => {
  const { cards } = await bob.edition("classic");
  assert.ok(cards.some(({ name }) => name === "Wächterin"));
  assert.deepEqual((await ann.editions()).map(({ id }) => id).sort(), ["classic", "lovecraft", "premium", "standard"]);
  assert.deepEqual((await ann.bots()).map(({ id }) => id), ["random", "cautious", "expert"]);
  const [german, english] = [await bob.bots(), await ann.bots()];
  assert.ok(german.every(({ text }, place) => text !== english[place]!.text));
  assert.deepEqual([(await ann.me()).name, (await ann.me()).kind], ["Ann", "human"]);
  const error = await bob.create({ ...TABLE, starter: 5 }).catch((error: unknown) => error);
  assert.ok(error instanceof InvalidRequest);
  assert.deepEqual(error.errors.map(({ field }) => field), ["starter"]);
  await assert.rejects(new Billet({ url, token: "nobody" }).me(), Unauthenticated);
});

test("who is invited accepts or declines", async () => {
  const { id: player } = await bob.me();
  const { id } = await ann.create({ edition: "classic", seats: [{ kind: "creator" }, { kind: "invited", player }] });
  for await (const { type, game } of bob.notices()) if (type === "invited" && game === id) break;
  const declined = await bob.decline(id, "later");
  assert.equal(declined.seats[1]!.invited, null);
  assert.equal((await ann.invite(id, player, 1)).seats[1]!.invited?.name, "Bob");
  assert.equal((await ann.withdraw(id, 1)).seats[1]!.invited, null);
  await ann.invite(id, player);
  assert.equal((await bob.join(id)).status, "active");
});

test("who is blocked cannot invite, and all invitations are declined at once", async () => {
  const { id: player } = await bob.me();
  const { id: annsId } = await ann.me();
  const seats = [{ kind: "creator" as const }, { kind: "invited" as const, player }];
  const { id } = await ann.create({ edition: "classic", seats });
  const sure = new Billet({ url, token: bob.token });
  assert.deepEqual(await sure.declineAll(annsId, "later"), [id]);
  assert.equal((await bob.block(annsId)).player.name, "Ann");
  const refused = await ann.create({ edition: "classic", seats }).catch((error: unknown) => error);
  assert.ok(refused instanceof Forbidden && refused.code === "not_accepted");
  const blocked = [];
  for await (const one of bob.blocked()) blocked.push(one.player.id);
  assert.deepEqual(blocked, [annsId]);
  await bob.unblock(annsId);
  await bob.declineAll();
  assert.equal((await ann.create({ edition: "classic", seats })).seats[1]!.invited?.name, "Bob");
});

test("a player is renamed", async () => {
  const dora = await Billet.register({ url, name: "Dora", fetch: forgetful });
  assert.equal((await dora.rename("Dorothea")).name, "Dorothea");
  assert.equal((await dora.me()).name, "Dorothea");
});

test("a program describes itself, and accepts and declines matches", async () => {
  const emil = await Billet.register({ url, name: "Emil", kind: "bot", fetch: forgetful });
  const { id, program } = await emil.describe({ version: "2", accepts: { seats: [2] } });
  assert.equal(program?.version, "2");
  const table = { edition: "standard", seats: 2, games: 2, deals: "fresh", clock: { seconds: 60 } } as const;
  const body = { name: "A match", entrants: [{ player: id }, { bot: "random" as const }], ...table };
  const made = (await ann.http.POST("/v1/matches", { body })).data!;
  assert.equal(made.state, "invited");
  assert.equal((await emil.acceptMatch(made.id)).state, "running");
  assert.equal((await emil.declineMatch(made.id)).state, "ended");
});

test("the lobby is followed until the signal", async () => {
  await ann.create(OPEN);
  const end = new AbortController();
  let id: string | undefined;
  const types: string[] = [];
  for await (const { type, game } of bob.lobbyChanges({ signal: end.signal })) {
    if (id === undefined) await ann.abort((id = (await ann.create(OPEN)).id)); // the stream is open
    if (game.id === id) types.push(type);
    if (game.id === id && type === "gone") end.abort();
  }
  assert.deepEqual(types, ["opened", "gone"]);
});

test("the lobby has every game, page by page", async () => {
  const opened = new Set<string>();
  const sure = new Billet({ url, token: ann.token });
  for (let number = 0; number < 55; number++) opened.add((await sure.create(OPEN)).id);
  for await (const game of sure.lobby({ status: "open", edition: "classic" })) opened.delete(game.id);
  assert.equal(opened.size, 0);
});
