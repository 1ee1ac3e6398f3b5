/** Plays through openapi-fetch on the types that openapi-typescript has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/schema";
import { refusal, run, seen, told, type Player, type Refusal, type Seen, type Told } from "./playing";

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

void run(FetchPlayer.register);
