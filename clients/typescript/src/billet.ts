/** The client: one method for each thing one does. What goes over the wire is for `http`. */

import type { Acting, Addressing, Call, Doing, Listening, Look, Noticing, Registration, Replaying, Secret, Wanted } from "./calls.js";
import type {
  ActionResult,
  Block,
  Bot,
  CodeClaim,
  DeclineReason,
  Edition,
  EditionDetail,
  ForkSetup,
  Frame,
  FramePage,
  Game,
  GameAction,
  GameEvent,
  GameLog,
  GameRounds,
  GameSetup,
  GameSummary,
  LobbyChange,
  LogVerdict,
  Notice,
  Player,
  PlayerRecord,
  SeatClaim,
} from "./document.js";
import { hashed, nonce } from "./committing.js";
import { Conflict } from "./errors.js";
import { Kept, type View } from "./kept.js";
import { follow } from "./live/following.js";
import { lobbyChanges } from "./live/lobby.js";
import { noticed } from "./live/noticing.js";
import { type Item, WAIT } from "./live/polling.js";
import { type Options, type Settled, settled } from "./options.js";
import { type Choose, play } from "./playing.js";
import { type Answer, connect, type Http, told } from "./sending/http.js";

/** How many nonces are kept, of the games that were begun last. */
const MOST_NONCES = 1000;

/** What came of an action. */
export type Outcome = Omit<ActionResult, "game"> & { readonly game: View };

/**
 * A player at a service, or a watcher without a token.
 *
 * Calls are repeated until they are answered (`Options.patience`) and then fail with one of the `errors`: `Refused` and
 * what derives from it, or `NoAnswer`. A call that is ended by its signal fails with what the signal was given.
 */
export class Billet {
  /** Every operation of the document, by its path; for those without a method here. */
  readonly http: Http;
  readonly #options: Settled;
  readonly #views = new Kept();
  readonly #nonces = new Map<string, string>();
  #token: string | undefined;

  constructor(options: Options) {
    this.#options = settled(options);
    this.#token = options.token;
    this.http = connect(this.#options, () => this.#token);
  }

  /** The player's token. Keep it: it is shown once, and whoever has it plays in that name. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Registers a new player and returns its client, whose `token` one keeps. */
  static async register({ name, kind, registrationKey, key, signal, ...options }: Registration): Promise<Billet> {
    const { http } = new Billet({ ...options, token: undefined });
    const params = { header: { "Registration-Key": registrationKey, "Idempotency-Key": key } };
    const { token } = told(await http.POST("/v1/players", { params, body: { name, kind }, signal }));
    return new Billet({ ...options, token });
  }

  /** Who the token speaks for. */
  async me({ signal }: Call = {}): Promise<Player> {
    return told(await this.http.GET("/v1/players/me", { signal }));
  }

  /** Gives the player another name. Others see it a few seconds later, in ended games too. */
  async rename(name: string, { signal }: Call = {}): Promise<Player> {
    return told(await this.http.PATCH("/v1/players/me", { body: { name }, signal }));
  }

  /** Everything that the service keeps about the player: a document to store, without a token and without a card. */
  async myData({ signal }: Call = {}): Promise<PlayerRecord> {
    return told(await this.http.GET("/v1/players/me/data", { signal }));
  }

  /** Returns a new token, which this client uses from now on; the old one is good for nothing any more. */
  async rotateToken({ key, signal }: Secret = {}): Promise<string> {
    const params = { header: { "Idempotency-Key": key } };
    const { token } = told(await this.http.POST("/v1/players/me/token", { params, signal }));
    return (this.#token = token);
  }

  /**
   * What the player is told of all their games, as it comes: above all their turns.
   *
   * It begins with all that waits for the player now, or goes on after the `cursor` of a notice that was kept, as long
   * as the service has what came next. Whoever acts on each turn misses none, though one may be told of twice. It ends
   * by its signal alone.
   */
  notices({ after, signal }: Noticing = {}): AsyncGenerator<Notice, void, undefined> {
    const page = async (cursor: number | undefined) => {
      const query = cursor === undefined ? {} : { after: cursor, wait: WAIT };
      return told(await this.http.GET("/v1/players/me/events", { params: { query }, signal }));
    };
    return this.#revealingNoticed(noticed(page, after, signal), signal);
  }

  /**
   * Blocks a player and declines all their invitations. They cannot invite one any more, not to a rematch either, nor
   * sit down at tables that one opens, and no notice names them.
   */
  async block(player: string, { signal }: Call = {}): Promise<Block> {
    const params = { path: { player_id: player } };
    return told(await this.http.PUT("/v1/players/me/blocks/{player_id}", { params, signal }));
  }

  /** Unblocks a player; nothing changes for one who is not blocked. */
  async unblock(player: string, { signal }: Call = {}): Promise<void> {
    const params = { path: { player_id: player } };
    told(await this.http.DELETE("/v1/players/me/blocks/{player_id}", { params, signal }));
  }

  /** Whom one has blocked, the newest first. */
  blocked({ signal }: Call = {}): AsyncGenerator<Block, void, undefined> {
    return items(async (cursor) => {
      const params = { query: { cursor } };
      return told(await this.http.GET("/v1/players/me/blocks", { params, signal }));
    });
  }

  /** Declines all invitations, or those by one player; returns the ids of the games. */
  async declineAll(from?: string, reason?: DeclineReason, { signal }: Call = {}): Promise<readonly string[]> {
    const params = { query: { from, reason } };
    return told(await this.http.DELETE("/v1/players/me/invitations", { params, signal })).declined;
  }

  // --- what there is ---

  /** The editions in short. */
  async editions({ signal }: Call = {}): Promise<readonly Edition[]> {
    return told(await this.http.GET("/v1/editions", { signal })).items;
  }

  /** An edition with its cards, their names and texts. */
  async edition(edition: string, { signal }: Call = {}): Promise<EditionDetail> {
    const params = { path: { edition_id: edition } };
    return told(await this.http.GET("/v1/editions/{edition_id}", { params, signal }));
  }

  /** The bots of the service, the weakest first, with what each does and how well it plays. */
  async bots({ signal }: Call = {}): Promise<readonly Bot[]> {
    return told(await this.http.GET("/v1/bots", { signal })).items;
  }

  /** The public games, tables with open seats among them; further pages are fetched as they are needed. */
  lobby({ signal, ...wanted }: Wanted = {}): AsyncGenerator<GameSummary, void, undefined> {
    return items(async (cursor) => {
      const params = { query: { ...wanted, cursor } };
      return told(await this.http.GET("/v1/games", { params, signal }));
    });
  }

  /**
   * How the lobby changes: first every game in it as `opened`, then what happens, until its signal ends it.
   *
   * Keep the games by id: set them on `opened` and `changed`, delete them on `gone`. After a broken connection you get
   * what has changed meanwhile. If that is too much, all games from before are `gone`, and those in the lobby are
   * `opened` again.
   */
  lobbyChanges({ signal }: Call = {}): AsyncGenerator<LobbyChange, void, undefined> {
    const open = (cursor: number | undefined, line: AbortSignal) => {
      const params = { query: { after: cursor } };
      const once = { parseAs: "stream", fetch: this.#options.send } as const;
      return this.http.GET("/v1/lobby/stream", { params, signal: line, ...once });
    };
    return lobbyChanges({ open, signal, limits: this.#options });
  }

  /** One's own games, those that wait for one's action first. */
  myGames({ signal }: Call = {}): AsyncGenerator<GameSummary, void, undefined> {
    return items(async (cursor) => {
      const params = { query: { cursor } };
      return told(await this.http.GET("/v1/players/me/games", { params, signal }));
    });
  }

  // --- tables ---

  /** Opens a table; the game begins by itself when no seat is open. */
  async create(setup: GameSetup, { key, signal }: Doing = {}): Promise<View> {
    const params = { header: { "Idempotency-Key": key } };
    const own = setup.seats.some(({ kind }) => kind === "creator") ? this.#nonceFor(`table ${key}`, setup) : undefined;
    const body = own === undefined ? setup : { ...setup, nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/games", { params, body, signal }));
    if (own !== undefined) this.#keep(view.id, own);
    return this.#revealed(view, signal);
  }

  /** Takes an open seat, or fills one of one's own table with a bot. */
  async join(game: string, claim: SeatClaim = {}, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    const sits = claim.bot === undefined && claim.player === undefined;
    const own = sits ? this.#nonceFor(game, claim) : undefined;
    if (own !== undefined) this.#keep(game, own);
    const body = own === undefined ? claim : { ...claim, nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/games/{game_id}/seats", { params, body, signal }));
    return this.#revealed(view, signal);
  }

  /** Takes a seat by the join code alone: the one kept for the player, or the first that is open. */
  async joinByCode(code: string, claim: Omit<CodeClaim, "code"> = {}, { key, signal }: Doing = {}): Promise<View> {
    const params = { header: { "Idempotency-Key": key } };
    const own = this.#nonceFor(`code ${code}`, claim);
    const body = own === undefined ? { ...claim, code } : { code, nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/join", { params, body, signal }));
    if (own !== undefined && !this.#nonces.has(view.id)) this.#keep(view.id, own);
    return this.#revealed(view, signal);
  }

  /**
   * Keeps an open seat of one's own table for another player, a person or a program. They are told so in their notices,
   * and accept by `join` or `decline`; one is told of either.
   */
  invite(game: string, player: string, seat?: number, doing: Doing = {}): Promise<View> {
    return this.join(game, seat === undefined ? { player } : { player, seat }, doing);
  }

  /** Withdraws the invitation to a seat of one's own table, which is open to all again. */
  async withdraw(game: string, seat: number, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game, seat }, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.DELETE("/v1/games/{game_id}/seats/{seat}", { params, signal }));
  }

  /** Declines an invitation, for a reason if one likes, such as `later` or `edition`. */
  async decline(game: string, reason?: DeclineReason, { key, signal }: Doing = {}): Promise<View> {
    const query = reason === undefined ? {} : { reason };
    const params = { path: { game_id: game }, query, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.DELETE("/v1/games/{game_id}/seats/me", { params, signal }));
  }

  /** Gets up before the start, resigns afterwards. */
  async leave(game: string, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    const view = this.#seen(await this.http.DELETE("/v1/games/{game_id}/seats/me", { params, signal }));
    this.#nonces.delete(game);
    return view;
  }

  /** Calls a game of one's own off before its first action. */
  async abort(game: string, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.DELETE("/v1/games/{game_id}", { params, signal }));
  }

  /**
   * Opens the table of an ended game once more: one new game, whoever asks and however often. The first to ask sits down,
   * beside the service's own bots; the others are invited to their seats, and accept by asking too.
   */
  async rematch(game: string, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    const own = this.#nonceFor(`rematch ${game}`, {});
    const body = own === undefined ? undefined : { nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/games/{game_id}/rematch", { params, body, signal }));
    if (own !== undefined && !this.#nonces.has(view.id)) this.#keep(view.id, own);
    return this.#revealed(view, signal);
  }

  /** Opens a game that goes on from a version of one that has ended, as the `act_version` of a turn, with bots. */
  async fork(game: string, from: ForkSetup, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.POST("/v1/games/{game_id}/fork", { params, body: from, signal }));
  }

  // --- whole games ---

  /** Where the rounds and turns of a game begin; the `act_version` of a turn is for `view` with `at` and for `fork`. */
  async rounds(game: string, { signal, join_code }: Pick<Look, "signal" | "join_code"> = {}): Promise<GameRounds> {
    const params = { path: { game_id: game }, query: { join_code } };
    return told(await this.http.GET("/v1/games/{game_id}/rounds", { params, signal }));
  }

  /** The events of an ended game as a seat was told of them (`as: "0"`), or whole (`as: "all"`); `at` is their last. */
  async *replay(game: string, replaying: Replaying): AsyncGenerator<GameEvent, void, undefined> {
    const { after = 0, signal, ...query } = replaying;
    for (let from = after; ; ) {
      const params = { path: { game_id: game }, query: { ...query, after: from } };
      const { events, version, finished } = told(await this.http.GET("/v1/games/{game_id}/events", { params, signal }));
      yield* events;
      if (finished || version === (query.at ?? from)) return;
      from = version;
    }
  }

  /** The whole log of a game that has ended; an unlisted one that one has no seat at needs its code. */
  async log(game: string, { signal, join_code }: Pick<Look, "signal" | "join_code"> = {}): Promise<GameLog> {
    const params = { path: { game_id: game }, query: { join_code } };
    // It comes in lines, as a string, only to those who ask for that.
    return told(await this.http.GET("/v1/games/{game_id}/log", { params, signal })) as GameLog;
  }

  /** Whether a log is true, wherever it comes from, or else the first place where it is not. */
  async verify(log: GameLog, { signal }: Call = {}): Promise<LogVerdict> {
    return told(await this.http.POST("/v1/logs/verify", { body: { ...log }, signal }));
  }

  // --- games ---

  /** A game as the player may see it now; the same object as before while nothing has changed. */
  async view(game: string, { signal, ...look }: Look = {}): Promise<View> {
    const present = look.at === undefined && look.as === undefined;
    const known = present ? this.#views.get(game) : undefined;
    const params = { path: { game_id: game }, query: look, header: { "If-None-Match": known?.etag } };
    const answer = await this.http.GET("/v1/games/{game_id}", { params, signal });
    if (known !== undefined && answer.response.status === 304) return this.#revealed(known, signal);
    return present ? this.#revealed(this.#seen(answer), signal) : tagged(told(answer), answer.response);
  }

  /** Takes an action, best one of the view's `legal_actions`. */
  async act(game: string, action: GameAction, { ifMatch, text, key, signal }: Acting = {}): Promise<Outcome> {
    const header = { "If-Match": ifMatch, "Idempotency-Key": key };
    const params = { path: { game_id: game }, query: { text }, header };
    const answer = await this.http.POST("/v1/games/{game_id}/actions", { params, body: action, signal });
    const result = told(answer);
    return { ...result, game: this.#seen({ ...answer, data: result.game }) };
  }

  /** Plays one's seat to the end of the game and returns the last view; `choose` is asked whenever it must act. */
  async play(game: string, choose: Choose, call: Call = {}): Promise<View> {
    return play(this, game, choose, call);
  }

  /**
   * The events of a game as they happen, each once and in order, whatever becomes of the connection.
   *
   * It ends with the game, or quietly by its signal. `after` is the version of the last event or view that one has
   * dealt with.
   */
  events(game: string, listening: Listening = {}): AsyncGenerator<GameEvent, void, undefined> {
    const { after = 0, by = "stream", signal, ...query } = listening;
    const path = { game_id: game };
    const page = async (version: number) => {
      const params = { path, query: { ...query, after: version, wait: WAIT } };
      const { events, finished } = told(await this.http.GET("/v1/games/{game_id}/events", { params, signal }));
      return { items: events, finished };
    };
    const open = (version: number, line: AbortSignal) => {
      const params = { path, query: { ...query, after: version } };
      const once = { parseAs: "stream", fetch: this.#options.send } as const;
      return this.http.GET("/v1/games/{game_id}/events/stream", { params, signal: line, ...once });
    };
    return this.#revealing(game, follow({ open, page, by, after, signal, limits: this.#options }), signal);
  }

  /**
   * A frame for every step of a game as it happens: its `events`, and the `game` after it as one sees it.
   *
   * `act` returns a frame, too: the same one also arrives here. Draw the one that comes first, and skip a frame whose
   * version you have drawn already. All else is as with `events`.
   */
  frames(game: string, listening: Listening = {}): AsyncGenerator<Frame, void, undefined> {
    const { after = 0, by = "stream", signal, ...query } = listening;
    const path = { game_id: game };
    const page = async (version: number) => {
      const params = { path, query: { ...query, after: version, wait: WAIT } };
      // They come in lines, as a string, only to those who ask for that.
      const answer = told(await this.http.GET("/v1/games/{game_id}/frames", { params, signal }));
      const { frames, finished } = answer as FramePage;
      return { items: frames, finished };
    };
    const open = (version: number, line: AbortSignal) => {
      const params = { path, query: { ...query, after: version } };
      const once = { parseAs: "stream", fetch: this.#options.send } as const;
      return this.http.GET("/v1/games/{game_id}/frames/stream", { params, signal: line, ...once });
    };
    return this.#revealing(game, follow({ open, page, by, after, signal, limits: this.#options }), signal);
  }

  /**
   * An address for the `EventSource` of a browser, with a ticket in the place of the token: good for one connection
   * within a minute. To come back ask for another one, with `after`. Texts come in the language of the browser.
   */
  async streamUrl(game: string, { signal, of = "events", ...query }: Addressing = {}): Promise<string> {
    const ticket = this.token === undefined ? undefined : await this.#ticket(game, query.join_code, signal);
    const given = Object.entries({ ticket, ...query }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return `${this.#options.url}/v1/games/${encodeURIComponent(game)}/${of}/stream?${search}`;
  }

  async #ticket(game: string, join_code: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    const params = { path: { game_id: game } };
    return told(await this.http.POST("/v1/games/{game_id}/tickets", { params, body: { join_code }, signal })).ticket;
  }

  /** The nonce to commit to: the same for the same thing, so that a repeated call sends the same hash. */
  #nonceFor(what: string, given: { nonce?: string; nonce_hash?: string }): string | undefined {
    if (!this.#options.commit || given.nonce !== undefined || given.nonce_hash !== undefined) return undefined;
    const known = what === "table undefined" ? undefined : this.#nonces.get(what);
    const made = known ?? nonce();
    if (what !== "table undefined") this.#keep(what, made);
    return made;
  }

  #keep(what: string, own: string): void {
    this.#nonces.delete(what);
    this.#nonces.set(what, own);
    for (const oldest of this.#nonces.keys()) {
      if (this.#nonces.size <= MOST_NONCES) break;
      this.#nonces.delete(oldest);
    }
  }

  /** Reveals the player's nonce if the game waits for it, and returns the view after that. */
  async #revealed(view: View, signal: AbortSignal | undefined): Promise<View> {
    const own = this.#nonces.get(view.id);
    if (own === undefined) return view;
    if (view.status !== "open") this.#nonces.delete(view.id);
    const seat = view.viewer?.seat ?? -1;
    if (!view.reveal?.seats.includes(seat)) return view;
    const params = { path: { game_id: view.id } };
    try {
      return this.#seen(await this.http.POST("/v1/games/{game_id}/nonce", { params, body: { nonce: own }, signal }));
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      // The time was up a moment before, or the seat was taken with another nonce: the game starts without it.
      this.#nonces.delete(view.id);
      return this.view(view.id, { signal });
    }
  }

  async *#revealing<I extends Item>(game: string, items: AsyncGenerator<I, void, undefined>, signal: AbortSignal | undefined) {
    for await (const item of items) {
      const events: readonly GameEvent[] = "events" in item ? item.events : [item];
      const waits = events.some(({ type }) => type === "reveal_started");
      if (waits && this.#nonces.has(game)) await this.view(game, { signal });
      yield item;
    }
  }

  async *#revealingNoticed(notices: AsyncGenerator<Notice, void, undefined>, signal: AbortSignal | undefined) {
    for await (const notice of notices) {
      if (notice.type === "reveal_nonce" && this.#nonces.has(notice.game)) await this.view(notice.game, { signal });
      yield notice;
    }
  }

  #seen(answer: Answer<Game>): View {
    const view = tagged(told(answer), answer.response);
    this.#views.put(view);
    return view;
  }
}

function tagged(game: Game, response: Response): View {
  return { ...game, etag: response.headers.get("ETag") ?? "" };
}

/** Yields the items of a list page by page. */
async function* items<Item>(
  page: (cursor: string | undefined) => Promise<{ items: readonly Item[]; next_cursor: string | null }>,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, next_cursor } = await page(cursor);
    yield* items;
    cursor = next_cursor;
  }
}
