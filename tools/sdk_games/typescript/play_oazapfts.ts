/** Plays through what oazapfts has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import * as api from "./generated/api";
import { refusal, run, seen, told, type Player, type Refusal, type Seen, type Told } from "./playing";

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

void run(FunctionsPlayer.register);
