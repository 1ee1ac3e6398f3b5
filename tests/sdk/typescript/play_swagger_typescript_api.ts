/** Plays through what swagger-typescript-api has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import * as api from "./generated/api";
import { run, unknown, type Player, type Refusal, type Seen, type Told } from "./playing";

class SwaggerPlayer implements Player<api.GameAction> {
  calls = 0;
  private readonly v1: api.Api<string>["v1"];

  private constructor(baseUrl: string, token: string) {
    const customFetch: typeof fetch = async (...call) => {
      this.calls += 1;
      return fetch(...call);
    };
    const securityWorker = () => ({ headers: { Authorization: `Bearer ${token}` } });
    this.v1 = new api.Api<string>({ baseUrl, customFetch, securityWorker, baseApiParams: { secure: true } }).v1;
  }

  static async register(baseUrl: string, name: string): Promise<SwaggerPlayer> {
    const { data } = await new api.Api({ baseUrl }).v1.registerPlayer({ name });
    return new SwaggerPlayer(baseUrl, data.token);
  }

  async create(edition: string, people: number): Promise<string> {
    const editions = await this.v1.listEditions();
    const known = editions.data.items.find(({ id }) => id === edition);
    assert(known, `there is no edition ${edition}`);
    const open: api.SeatSetup[] = Array.from({ length: people - 1 }, () => ({ kind: "open" }));
    const { data } = await this.v1.createGame({
      edition: known.id,
      seats: [{ kind: "creator" }, ...open, { kind: "bot", bot: "cautious" }],
    });
    return data.id;
  }

  async join(game: string): Promise<void> {
    await this.v1.takeSeat(game, {});
  }

  async look(game: string): Promise<Seen<api.GameAction>> {
    return seen((await this.v1.getGame(game)).data);
  }

  async *follow(game: string): AsyncGenerator<Seen<api.GameAction> | Told> {
    const view = await this.look(game);
    yield view;
    for (let after = view.version, finished = false; !finished; ) {
      const { data } = await this.v1.listEvents(game, { after, wait: 20 });
      yield* data.events.map(told);
      ({ version: after, finished } = data);
    }
  }

  async act(game: string, action: api.GameAction): Promise<void> {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const { data } = await this.v1.submitAction(game, action, {}, { headers });
    assert.equal(data.game.version, data.version);
  }

  async lookAgain(game: string): Promise<number> {
    const { headers } = await this.v1.getGame(game);
    const unchanged = this.v1.getGame(game, {}, { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
    return (await refused(unchanged)).status;
  }

  async refusedLook(game: string): Promise<Refusal> {
    return refusal(this.v1.getGame(game));
  }

  async refusedAct(game: string): Promise<Refusal> {
    return refusal(this.v1.submitAction(game, { type: "redraw_hand", redraw: true }));
  }

  async log(game: string): Promise<Told[]> {
    const log: Told[] = [];
    for (let after = 0, finished = false; !finished; ) {
      const { data } = await this.v1.listEvents(game, { after, limit: 50 });
      log.push(...data.events.map(told));
      ({ version: after, finished } = data);
    }
    return log;
  }
}

function seen(view: api.Game): Seen<api.GameAction> {
  return {
    version: view.version,
    seats: view.seats.length,
    seat: view.viewer?.seat ?? null,
    deciding: view.decision !== null,
    legal: view.legal_actions.map((legal) => legal.action),
    winners: view.winners ?? [],
  };
}

function told(event: api.GameEvent): Told {
  return { version: event.version, asks: asks(event) };
}

function asks(event: api.GameEvent): number | null {
  switch (event.type) {
    case "turn_started":
    case "decision_opened":
      return event.data.seat;
    case "game_created":
    case "seat_taken":
    case "seat_vacated":
    case "seat_offered":
    case "seat_declined":
    case "offer_withdrawn":
    case "game_started":
    case "round_started":
    case "card_drawn":
    case "card_played":
    case "card_resolved":
    case "card_revealed":
    case "seat_protected":
    case "seat_bound":
    case "seat_marked":
    case "hand_shown":
    case "hands_compared":
    case "hands_traded":
    case "hand_taken":
    case "card_received":
    case "hands_given":
    case "hand_discarded":
    case "cards_returned":
    case "knocked_out":
    case "decision_taken":
    case "hands_revealed":
    case "round_ended":
    case "token_awarded":
    case "time_spent":
    case "seat_timed_out":
    case "seat_taken_back":
    case "seat_left":
    case "game_finished":
    case "game_aborted":
    case "secret_revealed":
    case "reveal_started":
    case "nonce_revealed":
    case "other":
      return null;
    default:
      return unknown(event);
  }
}

/** What is refused is thrown, whole. */
async function refused<Problem>(call: Promise<api.HttpResponse<unknown, Problem>>) {
  return call.then(
    () => assert.fail("what should have been refused was not"),
    (answer: api.HttpResponse<never, Problem>) => answer,
  );
}

async function refusal(call: Promise<api.HttpResponse<unknown, api.Problem | void>>): Promise<Refusal> {
  const { error: problem } = await refused(call);
  assert(problem, "a refusal has a body");
  const { status, code, reason = null, legal_actions = [] } = problem;
  return { status, code, reason, alternatives: legal_actions.length };
}

void run(SwaggerPlayer.register);
