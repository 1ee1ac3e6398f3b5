/**
 * What the playing programs have in common: how a table is played, told by what a client must be able to do.
 *
 * How a client does it is for the programs beside this one, which use nothing but what is generated; that what they
 * print is true, for the tests.
 */

import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";

/** A view, as far as playing needs it. */
export interface Seen<Action> {
  version: number;
  seats: number;
  seat: number | null;
  deciding: boolean;
  legal: Action[];
  winners: number[];
}

/** An event, as far as playing needs it: its number in the log, and the seat that it asks for an action. */
export interface Told {
  version: number;
  asks: number | null;
}

/** A problem as the client has read it; `alternatives` is how many legal actions it names. */
export interface Refusal {
  status: number;
  code: string;
  reason: string | null;
  alternatives: number;
}

/** An action as every client must have it: its type tells which members it has, and there is no other type. */
type Typed =
  | { type: "play_card"; targets?: number[] }
  | { type: "peek_hand"; seat?: number }
  | { type: "give_hands"; hands: { seat: number }[] }
  | { type: "keep_card" | "redraw_hand" };

/** A view as every client must have it. */
interface View<Action> {
  version: number;
  seats: unknown[];
  viewer?: { seat: number | null } | null;
  decision: object | null;
  legal_actions: { action: Action }[];
  winners: number[] | null;
}

/** An event as every client must have it: its type tells what it holds, and there is no other type. */
type TypedEvent = { version: number } & (
  | { type: "turn_started" | "decision_opened"; data: { seat: number } }
  | {
      type:
        | "game_created"
        | "seat_taken"
        | "seat_vacated"
        | "seat_cleared"
        | "seat_offered"
        | "seat_declined"
        | "offer_withdrawn"
        | "game_started"
        | "round_started"
        | "card_drawn"
        | "card_played"
        | "card_resolved"
        | "card_revealed"
        | "seat_protected"
        | "seat_bound"
        | "seat_marked"
        | "hand_shown"
        | "hands_compared"
        | "hands_traded"
        | "hand_taken"
        | "card_received"
        | "hands_given"
        | "hand_discarded"
        | "cards_returned"
        | "knocked_out"
        | "decision_taken"
        | "hands_revealed"
        | "round_ended"
        | "token_awarded"
        | "time_spent"
        | "seat_timed_out"
        | "seat_taken_back"
        | "break_taken"
        | "break_ended"
        | "seat_left"
        | "game_finished"
        | "game_aborted"
        | "secret_revealed"
        | "reveal_started"
        | "nonce_revealed"
        | "other";
    }
);

/** A problem as every client must have it. */
interface Problem {
  status: number;
  code: string;
  reason?: string | null;
  legal_actions?: unknown[];
}

/** A registered player at a client of their own. */
export interface Player<Action extends Typed> {
  /** How many answers have been read, refusals too; a stream is one. */
  readonly calls: number;
  /** Opens a table for so many people, this one first, and a bot of the service; returns the game's id. */
  create(edition: string, people: number): Promise<string>;
  join(game: string): Promise<void>;
  look(game: string): Promise<Seen<Action>>;
  /** Gives a view and then every event after it, until the game has ended. */
  follow(game: string): AsyncIterable<Seen<Action> | Told>;
  act(game: string, action: Action): Promise<void>;
  /** Looks twice, the second time for what is new; returns the status of that answer. */
  lookAgain(game: string): Promise<number>;
  /** Looks at a game that cannot be seen. */
  refusedLook(game: string): Promise<Refusal>;
  /** Wants to draw a new hand, which is never due when a card is to be played. */
  refusedAct(game: string): Promise<Refusal>;
  /** Reads the log from its beginning, page by page. */
  log(game: string): Promise<Told[]>;
}

interface Game {
  id: string;
  version: number;
  actions: number;
  refusals: number;
}

interface Taken {
  actions: number;
  refusals: number;
}

const NOWHERE = "no-such-game";
const NOTHING: Refusal = { status: 404, code: "not_found", reason: null, alternatives: 0 };

/** Plays the games that the command line asks for and prints one line of JSON about them. */
export async function run<Action extends Typed>(register: (url: string, name: string) => Promise<Player<Action>>): Promise<void> {
  const { url, edition, seats, games: count, seed } = wished();
  const begun = performance.now();
  const names = Array.from({ length: seats - 1 }, (_, seat) => `Player ${seat}`);
  const players = await Promise.all(names.map((name) => register(url, name)));
  const games: Game[] = [];
  while (games.length < count) games.push(await playGame(players, edition, `${seed} ${games.length}`));
  const calls = sum(players.map((player) => player.calls));
  const refusals = sum(games.map((game) => game.refusals));
  const seconds = Math.round(performance.now() - begun) / 1000;
  console.log(JSON.stringify({ games, calls, refusals, seconds }));
}

function wished() {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { url: text, edition: text, seats: text, games: text, seed: text } });
  const { url, edition, seats, games, seed } = values;
  assert(url && edition && seats && games && seed, "needed: --url --edition --seats --games --seed");
  return { url, edition, seats: Number(seats), games: Number(games), seed };
}

/** Plays one game: the first player opens the table and follows it while the others sit down. */
async function playGame<Action extends Typed>(players: Player<Action>[], edition: string, seed: string): Promise<Game> {
  const [creator, ...guests] = players;
  assert(creator, "a table needs somebody to open it");
  const id = await creator.create(edition, players.length);
  const seated = [sit(creator, id, seed)];
  for (const guest of guests) {
    await guest.join(id);
    seated.push(sit(guest, id, seed));
  }
  const taken = await Promise.all(seated);

  const log = await creator.log(id);
  log.forEach((told, before) => assert.equal(told.version, before + 1, "the log has a gap or a repeat"));
  const { version, winners } = await creator.look(id);
  assert.equal(version, log.length);
  assert(winners.length > 0, "the game has ended without a winner");
  assert.equal(await creator.lookAgain(id), 304);
  assert.deepEqual(await creator.refusedLook(NOWHERE), NOTHING);
  const [actions, refusals] = [sum(taken.map((part) => part.actions)), sum(taken.map((part) => part.refusals))];
  return { id, version, actions, refusals: refusals + 1 };
}

/** Follows a game and acts whenever this player must; returns how often it acted, and how often it was refused. */
async function sit<Action extends Typed>(player: Player<Action>, game: string, seed: string): Promise<Taken> {
  const taken = { actions: 0, refusals: 0 };
  let version = 0;
  let seat: number | null = null;
  for await (const news of player.follow(game)) {
    let seen: Seen<Action>;
    if ("legal" in news) {
      ({ version, seat } = seen = news);
    } else {
      version += 1;
      assert.equal(news.version, version, "an event is missing, or came twice");
      if (news.asks !== seat) continue;
      seen = await player.look(game);
    }
    if (seen.legal.length === 0) continue;
    if (taken.refusals === 0 && !seen.deciding) {
      const wrong = { status: 409, code: "illegal_action", reason: "wrong_action", alternatives: seen.legal.length };
      assert.deepEqual(await player.refusedAct(game), wrong);
      taken.refusals += 1;
    }
    const action = chosen(seen.legal, `${seed} ${seat} ${seen.version}`);
    assert(aims(action).every((target) => target < seen.seats), "an action aims beyond the table");
    await player.act(game, action);
    taken.actions += 1;
  }
  assert.equal((await player.look(game)).version, version, "the feed has ended before the game");
  return taken;
}

/** Returns of a view what playing needs. */
export function seen<Action>(view: View<Action>): Seen<Action> {
  return {
    version: view.version,
    seats: view.seats.length,
    seat: view.viewer?.seat ?? null,
    deciding: view.decision !== null,
    legal: view.legal_actions.map((legal) => legal.action),
    winners: view.winners ?? [],
  };
}

/** Returns of an event what playing needs. */
export function told(event: TypedEvent): Told {
  const asks = event.type === "turn_started" || event.type === "decision_opened" ? event.data.seat : null;
  return { version: event.version, asks };
}

/** Returns of a problem what the tests look at; without one nothing was refused. */
export function refusal(problem: Problem | void): Refusal {
  assert(problem, "what should have been refused was not");
  const { status, code, reason = null, legal_actions = [] } = problem;
  return { status, code, reason, alternatives: legal_actions.length };
}

/** Stands where the compiler knows that no variant is left. */
function unknown(variant: never): never {
  throw new Error(`not in the document: ${JSON.stringify(variant)}`);
}

/** Says at which seats an action aims. */
function aims(action: Typed): number[] {
  switch (action.type) {
    case "play_card":
      return action.targets ?? [];
    case "peek_hand":
      return action.seat === undefined ? [] : [action.seat];
    case "give_hands":
      return action.hands.map((gift) => gift.seat);
    case "keep_card":
    case "redraw_hand":
      return [];
    default:
      return unknown(action);
  }
}

/** Chooses at random, always the same by the same seed. */
function chosen<Action>(legal: Action[], seed: string): Action {
  const chance = createHash("sha256").update(seed).digest().readUInt32BE();
  const action = legal[chance % legal.length];
  assert(action !== undefined, "there is nothing to choose from");
  return action;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
