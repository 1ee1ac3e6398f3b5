/** Plays through what @hey-api/openapi-ts has generated; follows games by server-sent events. */

import { strict as assert } from "node:assert";
import * as api from "./generated";
import { createClient, type Client } from "./generated/client";
import { refusal, run, seen, told, type Player, type Refusal, type Seen, type Told } from "./playing";

const MESSAGES = 40; // on one stream; then it is hung up, and the next one goes on where it was

class HeyPlayer implements Player<api.GameAction> {
  calls = 0;

  private constructor(private readonly client: Client) {
    client.interceptors.response.use((response) => {
      this.calls += 1;
      return response;
    });
  }

  static async register(baseUrl: string, name: string): Promise<HeyPlayer> {
    const client = createClient({ baseUrl });
    const { data, error } = await api.registerPlayer({ client, body: { name } });
    assert(data, error?.detail);
    return new HeyPlayer(createClient({ baseUrl, auth: data.token }));
  }

  async create(edition: string, people: number): Promise<string> {
    const editions = await api.listEditions({ client: this.client });
    const known = editions.data?.items.find(({ id }) => id === edition);
    assert(known, `there is no edition ${edition}`);
    const open: api.SeatSetup[] = Array.from({ length: people - 1 }, () => ({ kind: "open" }));
    const { data, error } = await api.createGame({
      client: this.client,
      body: { edition: known.id, seats: [{ kind: "creator" }, ...open, { kind: "bot", bot: "cautious" }] },
    });
    assert(data, error?.detail);
    return data.id;
  }

  async join(game: string): Promise<void> {
    const { error } = await api.takeSeat({ client: this.client, path: { game_id: game }, body: {} });
    assert(!error, error?.detail);
  }

  async look(game: string): Promise<Seen<api.GameAction>> {
    const { data, error } = await api.getGame({ client: this.client, path: { game_id: game } });
    assert(data, error?.detail);
    return seen(data);
  }

  async *follow(game: string): AsyncGenerator<Seen<api.GameAction> | Told> {
    let last: number | null = null;
    let finished = false;
    while (!finished) {
      for await (const message of this.stream(game, last)) {
        last = message.version;
        if ("type" in message) {
          finished = message.type === "secret_revealed";
          yield told(message);
        } else {
          yield seen(message);
        }
      }
    }
  }

  /** Reads some messages, the view first unless there is a last one to go on after, and hangs up. */
  private async *stream(game: string, last: number | null): AsyncGenerator<api.Game | api.GameEvent> {
    this.calls += 1;
    const hangUp = new AbortController();
    const { stream } = await api.streamEvents({
      client: this.client,
      path: { game_id: game },
      headers: last === null ? {} : { "Last-Event-ID": String(last) },
      signal: hangUp.signal,
      sseDefaultRetryDelay: 50,
      sseMaxRetryDelay: 1000,
    });
    let left = MESSAGES;
    for await (const message of stream) {
      if (!message) continue;
      yield message;
      left -= 1;
      if (left === 0) return hangUp.abort();
    }
  }

  async act(game: string, action: api.GameAction): Promise<void> {
    const { data, error } = await api.submitAction({
      client: this.client,
      path: { game_id: game },
      headers: { "Idempotency-Key": crypto.randomUUID() },
      body: action,
    });
    assert(data, error?.detail);
    assert.equal(data.game.version, data.version);
  }

  async lookAgain(game: string): Promise<number> {
    const call = { client: this.client, path: { game_id: game } };
    const { response } = await api.getGame(call);
    const headers = { "If-None-Match": response.headers.get("ETag") ?? "" };
    return (await api.getGame({ ...call, headers })).response.status;
  }

  async refusedLook(game: string): Promise<Refusal> {
    const { error } = await api.getGame({ client: this.client, path: { game_id: game } });
    return refusal(error);
  }

  async refusedAct(game: string): Promise<Refusal> {
    const { error } = await api.submitAction({
      client: this.client,
      path: { game_id: game },
      body: { type: "redraw_hand", redraw: true },
    });
    return refusal(error);
  }

  async log(game: string): Promise<Told[]> {
    const log: Told[] = [];
    for (let after = 0, finished = false; !finished; ) {
      const { data, error } = await api.listEvents({
        client: this.client,
        path: { game_id: game },
        query: { after, limit: 50 },
      });
      assert(data, error?.detail);
      log.push(...data.events.map(told));
      ({ version: after, finished } = data);
    }
    return log;
  }
}

void run(HeyPlayer.register);
