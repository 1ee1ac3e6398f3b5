/** Plays through openapi-fetch on the types that openapi-typescript has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/schema";
import { run, unknown, type Player, type Refusal, type Seen, type Told } from "./playing";

type Schemas = components["schemas"];
type GameAction = Schemas["GameAction"];

class FetchPlayer implements Player<GameAction> {
  calls = 0;

  private constructor(private readonly client: Client<paths>) {
    client.use({ onResponse: () => void (this.calls += 1) });
  }

  static async register(baseUrl: string, name: string): Promise<FetchPlayer> {
    const { data, error } = await createClient<paths>({ baseUrl }).POST("/v1/players", { body: { name } });
    assert(data, error?.detail);
    return new FetchPlayer(createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${data.token}` } }));
  }

  async create(edition: string, people: number): Promise<string> {
    const editions = await this.client.GET("/v1/editions");
    const known = editions.data?.items.find(({ id }) => id === edition);
    assert(known, `there is no edition ${edition}`);
    const open: Schemas["SeatSetup"][] = Array.from({ length: people - 1 }, () => ({ kind: "open" }));
    const { data, error } = await this.client.POST("/v1/games", {
      body: { edition: known.id, seats: [{ kind: "creator" }, ...open, { kind: "bot", bot: "cautious" }] },
    });
    assert(data, error?.detail);
    return data.id;
  }

  async join(game: string): Promise<void> {
    const { error } = await this.client.POST("/v1/games/{game_id}/seats", {
      params: { path: { game_id: game } },
      body: {},
    });
    assert(!error, error?.detail);
  }

  async look(game: string): Promise<Seen<GameAction>> {
    const { data, error } = await this.client.GET("/v1/games/{game_id}", { params: { path: { game_id: game } } });
    assert(data, error?.detail);
    return seen(data);
  }

  async *follow(game: string): AsyncGenerator<Seen<GameAction> | Told> {
    const view = await this.look(game);
    yield view;
    for (let after = view.version, finished = false; !finished; ) {
      const { data, error } = await this.client.GET("/v1/games/{game_id}/events", {
        params: { path: { game_id: game }, query: { after, wait: 20 } },
      });
      assert(data, error?.detail);
      yield* data.events.map(told);
      ({ version: after, finished } = data);
    }
  }

  async act(game: string, action: GameAction): Promise<void> {
    const { data, error } = await this.client.POST("/v1/games/{game_id}/actions", {
      params: { path: { game_id: game }, header: { "Idempotency-Key": crypto.randomUUID() } },
      body: action,
    });
    assert(data, error?.detail);
    assert.equal(data.game.version, data.version);
  }

  async lookAgain(game: string): Promise<number> {
    const path = { game_id: game };
    const { response } = await this.client.GET("/v1/games/{game_id}", { params: { path } });
    const header = { "If-None-Match": response.headers.get("ETag") ?? "" };
    return (await this.client.GET("/v1/games/{game_id}", { params: { path, header } })).response.status;
  }

  async refusedLook(game: string): Promise<Refusal> {
    const { error } = await this.client.GET("/v1/games/{game_id}", { params: { path: { game_id: game } } });
    return refusal(error);
  }

  async refusedAct(game: string): Promise<Refusal> {
    const { error } = await this.client.POST("/v1/games/{game_id}/actions", {
      params: { path: { game_id: game } },
      body: { type: "redraw_hand", redraw: true },
    });
    return refusal(error);
  }

  async log(game: string): Promise<Told[]> {
    const log: Told[] = [];
    for (let after = 0, finished = false; !finished; ) {
      const { data, error } = await this.client.GET("/v1/games/{game_id}/events", {
        params: { path: { game_id: game }, query: { after, limit: 50 } },
      });
      assert(data, error?.detail);
      log.push(...data.events.map(told));
      ({ version: after, finished } = data);
    }
    return log;
  }
}

function seen(view: Schemas["Game"]): Seen<GameAction> {
  return {
    version: view.version,
    seats: view.seats.length,
    seat: view.viewer?.seat ?? null,
    deciding: view.decision !== null,
    legal: view.legal_actions.map((legal) => legal.action),
    winners: view.winners ?? [],
  };
}

function told(event: Schemas["GameEvent"]): Told {
  return { version: event.version, asks: asks(event) };
}

function asks(event: Schemas["GameEvent"]): number | null {
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

function refusal(problem: Schemas["Problem"] | undefined): Refusal {
  assert(problem, "what should have been refused was not");
  const { status, code, reason = null, legal_actions = [] } = problem;
  return { status, code, reason, alternatives: legal_actions.length };
}

void run(FetchPlayer.register);
