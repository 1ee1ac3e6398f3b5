/** Plays through what openapi-generator's `typescript-fetch` has generated; follows games by long-poll. */

import { strict as assert } from "node:assert";
import * as api from "./generated";
import { run, seen, told, type Player, type Refusal, type Seen, type Told } from "./playing";

class FetchPlayer implements Player<api.GameAction> {
  calls = 0;
  private readonly editions: api.EditionsApi;
  private readonly games: api.GamesApi;
  private readonly play: api.PlayApi;

  private constructor(basePath: string, accessToken: string) {
    const counted: api.Middleware = { post: async () => void (this.calls += 1) };
    const configuration = new api.Configuration({ basePath, accessToken, middleware: [counted] });
    this.editions = new api.EditionsApi(configuration);
    this.games = new api.GamesApi(configuration);
    this.play = new api.PlayApi(configuration);
  }

  static async register(basePath: string, name: string): Promise<FetchPlayer> {
    const players = new api.PlayersApi(new api.Configuration({ basePath }));
    const { token } = await players.registerPlayer({ body: { name } });
    return new FetchPlayer(basePath, token);
  }

  async create(edition: string, people: number): Promise<string> {
    const editions = await this.editions.listEditions();
    const known = editions.items.find(({ id }) => id === edition);
    assert(known, `there is no edition ${edition}`);
    const open: api.SeatSetup[] = Array.from({ length: people - 1 }, () => ({ kind: "open" }));
    const view = await this.games.createGame({
      body: { edition: known.id, seats: [{ kind: "creator" }, ...open, { kind: "bot", bot: "cautious" }] },
    });
    return view.id;
  }

  async join(game: string): Promise<void> {
    await this.games.takeSeat({ gameId: game, body: {} });
  }

  async look(game: string): Promise<Seen<api.GameAction>> {
    const view = await this.games.getGame({ gameId: game });
    return seen({ ...view, legal_actions: view.legalActions });
  }

  async *follow(game: string): AsyncGenerator<Seen<api.GameAction> | Told> {
    const view = await this.look(game);
    yield view;
    for (let after = view.version, finished = false; !finished; ) {
      const page = await this.play.listEvents({ gameId: game, after, wait: 20 });
      yield* page.events.map(told);
      ({ version: after, finished } = page);
    }
  }

  async act(game: string, action: api.GameAction): Promise<void> {
    const result = await this.play.submitAction({ gameId: game, body: action, idempotencyKey: crypto.randomUUID() });
    assert.equal(result.game.version, result.version);
  }

  async lookAgain(game: string): Promise<number> {
    const { raw } = await this.games.getGameRaw({ gameId: game });
    const ifNoneMatch = raw.headers.get("ETag") ?? "";
    const unchanged = await this.games.getGameRaw({ gameId: game, ifNoneMatch }).catch((error: unknown) => error);
    assert(unchanged instanceof api.ResponseError);
    return unchanged.response.status;
  }

  async refusedLook(game: string): Promise<Refusal> {
    return refusal(this.games.getGame({ gameId: game }));
  }

  async refusedAct(game: string): Promise<Refusal> {
    return refusal(this.play.submitAction({ gameId: game, body: { type: "redraw_hand", redraw: true } }));
  }

  async log(game: string): Promise<Told[]> {
    const log: Told[] = [];
    for (let after = 0, finished = false; !finished; ) {
      const page = await this.play.listEvents({ gameId: game, after, limit: 50 });
      log.push(...page.events.map(told));
      ({ version: after, finished } = page);
    }
    return log;
  }
}

/** What is refused is thrown. */
async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const refused = await call.then(
    () => assert.fail("what should have been refused was not"),
    (error: unknown) => error,
  );
  assert(refused instanceof api.ResponseError);
  const problem = api.ProblemFromJSON(await refused.response.json());
  const { status, code, reason = null, legalActions = [] } = problem;
  return { status, code, reason, alternatives: legalActions.length };
}

void run(FetchPlayer.register);
