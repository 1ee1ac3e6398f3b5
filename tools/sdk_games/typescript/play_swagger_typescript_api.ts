/** Plays through what swagger-typescript-api has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import * as api from "./generated/api";
import { refusal, run, seen, told, type Player, type Refusal, type Seen, type Told } from "./playing";

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
    return refusal((await refused(this.v1.getGame(game))).error);
  }

  async refusedAct(game: string): Promise<Refusal> {
    return refusal((await refused(this.v1.submitAction(game, { type: "redraw_hand", redraw: true }))).error);
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

/** What is refused is thrown, whole. */
async function refused<Problem>(call: Promise<api.HttpResponse<unknown, Problem>>) {
  return call.then(
    () => assert.fail("what should have been refused was not"),
    (answer: api.HttpResponse<never, Problem>) => answer,
  );
}

void run(SwaggerPlayer.register);
