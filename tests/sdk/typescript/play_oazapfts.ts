/** Plays through what oazapfts has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import * as api from "./generated/api";
import { run, unknown, type Player, type Refusal, type Seen, type Told } from "./playing";

class FunctionsPlayer implements Player<api.GameAction> {
  calls = 0;
  private readonly mine;

  private constructor(baseUrl: string, token: string) {
    const counted: typeof fetch = async (...call) => {
      this.calls += 1;
      return fetch(...call);
    };
    this.mine = { baseUrl, fetch: counted, headers: { Authorization: `Bearer ${token}` } };
  }

  static async register(baseUrl: string, name: string): Promise<FunctionsPlayer> {
    const answer = await api.registerPlayer({ name }, {}, { baseUrl });
    assert(answer.status === 201);
    return new FunctionsPlayer(baseUrl, answer.data.token);
  }

  async create(edition: string, people: number): Promise<string> {
    const editions = await api.listEditions({}, this.mine);
    assert(editions.status === 200);
    const known = editions.data.items.find(({ id }) => id === edition);
    assert(known, `there is no edition ${edition}`);
    const open: api.SeatSetup[] = Array.from({ length: people - 1 }, () => ({ kind: "open" }));
    const seats: api.SeatSetup[] = [{ kind: "creator" }, ...open, { kind: "bot", bot: "cautious" }];
    const answer = await api.createGame({ edition: known.id, seats }, {}, this.mine);
    assert(answer.status === 201);
    return answer.data.id;
  }

  async join(game: string): Promise<void> {
    const answer = await api.takeSeat(game, {}, {}, this.mine);
    assert(answer.status === 201);
  }

  async look(game: string): Promise<Seen<api.GameAction>> {
    const answer = await api.getGame(game, {}, this.mine);
    assert(answer.status === 200);
    return seen(answer.data);
  }

  async *follow(game: string): AsyncGenerator<Seen<api.GameAction> | Told> {
    const view = await this.look(game);
    yield view;
    for (let after = view.version, finished = false; !finished; ) {
      const page = await this.page(game, { after, wait: 20 });
      yield* page.events.map(told);
      ({ version: after, finished } = page);
    }
  }

  private async page(game: string, asked: { after: number; wait?: number; limit?: number }): Promise<api.EventPage> {
    const answer = await api.listEvents(game, asked, this.mine);
    assert(answer.status === 200);
    return answer.data;
  }

  async act(game: string, action: api.GameAction): Promise<void> {
    const answer = await api.submitAction(game, action, { idempotencyKey: crypto.randomUUID() }, this.mine);
    assert(answer.status === 201);
    assert.equal(answer.data.game.version, answer.data.version);
  }

  async lookAgain(game: string): Promise<number> {
    const { headers } = await api.getGame(game, {}, this.mine);
    return (await api.getGame(game, { ifNoneMatch: headers.get("ETag") ?? "" }, this.mine)).status;
  }

  async refusedLook(game: string): Promise<Refusal> {
    const answer = await api.getGame(game, {}, this.mine);
    assert(answer.status === 404);
    return refusal(answer.data);
  }

  async refusedAct(game: string): Promise<Refusal> {
    const answer = await api.submitAction(game, { type: "redraw_hand", redraw: true }, {}, this.mine);
    assert(answer.status === 409);
    return refusal(answer.data);
  }

  async log(game: string): Promise<Told[]> {
    const log: Told[] = [];
    for (let after = 0, finished = false; !finished; ) {
      const page = await this.page(game, { after, limit: 50 });
      log.push(...page.events.map(told));
      ({ version: after, finished } = page);
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

function refusal(problem: api.Problem): Refusal {
  const { status, code, reason = null, legal_actions = [] } = problem;
  return { status, code, reason, alternatives: legal_actions.length };
}

void run(FunctionsPlayer.register);
