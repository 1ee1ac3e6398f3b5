/** The client: a method for each call of a player or a watcher. */

import type { Acting, Addressing, Call, Doing, Listening, Look, Noticing, Registration, Replaying, Secret, Wanted } from "./calls.js";
import type {
  ActionResult,
  Block,
  Bot,
  CodeClaim,
  DeclineReason,
  Deduction,
  Edition,
  EditionDetail,
  ForkSetup,
  Frame,
  FramePage,
  Game,
  GameAction,
  GameEvent,
  GameHint,
  GameLog,
  GameRounds,
  GameSetup,
  GameSummary,
  LobbyChange,
  LogVerdict,
  Match,
  Notice,
  OwnPlayer,
  PlayerRecord,
  ProgramSetup,
  SeatClaim,
} from "./document.js";
import { hashed, randomHex } from "./committing.js";
import { Conflict } from "./errors.js";
import { Latest, type View } from "./kept.js";
import { follow } from "./live/following.js";
import { lobbyChanges } from "./live/lobby.js";
import { noticed } from "./live/noticing.js";
import { type Item, WAIT } from "./live/polling.js";
import { type Options, type Settled, settled } from "./options.js";
import { type Choose, play } from "./playing.js";
import { type Answer, connect, dataOf, type Http } from "./sending/http.js";

/** How many views the client keeps. */
const MOST_VIEWS = 100;
/** How many nonces the client keeps: those of the latest games. */
const MOST_NONCES = 1000;
const NONCE_BYTES = 32;

/** The result of an action: its events, and the view after it. */
export type Outcome = Omit<ActionResult, "game"> & { readonly game: View };

/**
 * A Billet service, used by one player, or by a watcher without a token.
 *
 * A call without an answer is retried for `Options.patience`. It fails with an error of `errors`: `Refused` or a class
 * derived from it, `NoAnswer` or `NotUnderstood`. A call that its signal aborts fails with the signal's reason.
 */
export class Billet {
  /** Every operation of the OpenAPI document by its path, for calls without a method here. */
  readonly http: Http;
  readonly #options: Settled;
  readonly #views = new Latest<View>(MOST_VIEWS);
  readonly #nonces = new Latest<string>(MOST_NONCES);
  #token: string | undefined;

  constructor(options: Options) {
    this.#options = settled(options);
    this.#token = options.token;
    this.http = connect(this.#options, () => this.#token);
  }

  /** The player's token. Store it: it is shown only once. Anybody who has it can act as this player. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Registers a new player and returns a client that acts for them; store its `token`. */
  static async register({ name, kind, registrationKey, key, signal, ...options }: Registration): Promise<Billet> {
    const { http } = new Billet({ ...options, token: undefined });
    const params = { header: { "Registration-Key": registrationKey, "Idempotency-Key": key } };
    const { token } = dataOf(await http.POST("/v1/players", { params, body: { name, kind }, signal }));
    return new Billet({ ...options, token });
  }

  /** Returns the player of this client's token. */
  async me({ signal }: Call = {}): Promise<OwnPlayer> {
    return dataOf(await this.http.GET("/v1/players/me", { signal }));
  }

  /** Renames the player. Others see the new name a few seconds later, in ended games too. */
  async rename(name: string, { signal }: Call = {}): Promise<OwnPlayer> {
    return dataOf(await this.http.PATCH("/v1/players/me", { body: { name }, signal }));
  }

  /** Describes the program that this player is: its version, and the games it accepts. */
  async describe(program: ProgramSetup, { signal }: Call = {}): Promise<OwnPlayer> {
    return dataOf(await this.http.PATCH("/v1/players/me", { body: { program }, signal }));
  }

  /** Returns all data that the service stores about the player, without the token and without any card. */
  async myData({ signal }: Call = {}): Promise<PlayerRecord> {
    return dataOf(await this.http.GET("/v1/players/me/data", { signal }));
  }

  /** Replaces the player's token, uses the new one from now on, and returns it; the old one stops working. */
  async rotateToken({ key, signal }: Secret = {}): Promise<string> {
    const params = { header: { "Idempotency-Key": key } };
    const { token } = dataOf(await this.http.POST("/v1/players/me/token", { params, signal }));
    return (this.#token = token);
  }

  /**
   * Yields the player's notices on all their games as they come, such as `your_turn`, until the signal aborts it.
   *
   * It begins with everything that waits for the player now. To resume instead, give the `cursor` of a notice as
   * `after`; if the service no longer keeps what followed it, everything open comes again. So a program that acts on
   * each notice misses no turn, but may get the same turn twice.
   */
  notices({ after, signal }: Noticing = {}): AsyncGenerator<Notice, void, undefined> {
    const page = async (cursor: number | undefined) => {
      const query = cursor === undefined ? {} : { after: cursor, wait: WAIT };
      return dataOf(await this.http.GET("/v1/players/me/events", { params: { query }, signal }));
    };
    return this.#revealingNoticed(noticed(page, after, signal), signal);
  }

  /**
   * Blocks a player and declines all their invitations. They can no longer invite this player, not even to a rematch.
   * They cannot sit down at tables that this player opens, unless invited. Notices do not name them.
   */
  async block(player: string, { signal }: Call = {}): Promise<Block> {
    const params = { path: { player_id: player } };
    return dataOf(await this.http.PUT("/v1/players/me/blocks/{player_id}", { params, signal }));
  }

  /** Unblocks a player; does nothing if they are not blocked. */
  async unblock(player: string, { signal }: Call = {}): Promise<void> {
    const params = { path: { player_id: player } };
    dataOf(await this.http.DELETE("/v1/players/me/blocks/{player_id}", { params, signal }));
  }

  /** Yields the players whom this one has blocked, the newest first. */
  blocked({ signal }: Call = {}): AsyncGenerator<Block, void, undefined> {
    return items(async (cursor) => {
      const params = { query: { cursor } };
      return dataOf(await this.http.GET("/v1/players/me/blocks", { params, signal }));
    });
  }

  /** Declines all invitations, or those by one player; returns the ids of the games. */
  async declineAll(from?: string, reason?: DeclineReason, { signal }: Call = {}): Promise<readonly string[]> {
    const params = { query: { from, reason } };
    return dataOf(await this.http.DELETE("/v1/players/me/invitations", { params, signal })).declined;
  }

  // --- editions, bots and the lobby ---

  /** Returns all editions, in short. */
  async editions({ signal }: Call = {}): Promise<readonly Edition[]> {
    return dataOf(await this.http.GET("/v1/editions", { signal })).items;
  }

  /** Returns an edition with its cards and decks. */
  async edition(edition: string, { signal }: Call = {}): Promise<EditionDetail> {
    const params = { path: { edition_id: edition } };
    return dataOf(await this.http.GET("/v1/editions/{edition_id}", { params, signal }));
  }

  /** Returns the bots of the service, the weakest first, with what each does and how well it plays. */
  async bots({ signal }: Call = {}): Promise<readonly Bot[]> {
    return dataOf(await this.http.GET("/v1/bots", { signal })).items;
  }

  /** Yields the public games, joinable ones first; fetches each page when it is needed. */
  lobby({ signal, ...wanted }: Wanted = {}): AsyncGenerator<GameSummary, void, undefined> {
    return items(async (cursor) => {
      const params = { query: { ...wanted, cursor } };
      return dataOf(await this.http.GET("/v1/games", { params, signal }));
    });
  }

  /**
   * Yields every game in the lobby as `opened`, then each change of the lobby as it happens, until the signal aborts it.
   *
   * Keep the games by id: set them on `opened` and `changed`, delete them on `gone`. After a broken connection you get
   * what has changed meanwhile. If that is too much, you get `gone` for all games so far, and `opened` for those in the
   * lobby now.
   */
  lobbyChanges({ signal }: Call = {}): AsyncGenerator<LobbyChange, void, undefined> {
    const open = (cursor: number | undefined, line: AbortSignal) => {
      const params = { query: { after: cursor } };
      const once = { parseAs: "stream", fetch: this.#options.send } as const;
      return this.http.GET("/v1/lobby/stream", { params, signal: line, ...once });
    };
    return lobbyChanges({ open, signal, limits: this.#options });
  }

  /** Yields the player's games: those that wait for their action first, then by deadline, ended ones last. */
  myGames({ signal }: Call = {}): AsyncGenerator<GameSummary, void, undefined> {
    return items(async (cursor) => {
      const params = { query: { cursor } };
      return dataOf(await this.http.GET("/v1/players/me/games", { params, signal }));
    });
  }

  // --- tables ---

  /** Opens a table and returns the game, which starts by itself as soon as every seat is taken. */
  async create(setup: GameSetup, { key, signal }: Doing = {}): Promise<View> {
    const params = { header: { "Idempotency-Key": key } };
    const own = setup.seats.some(({ kind }) => kind === "creator") ? this.#nonceFor(`table ${key}`, setup) : undefined;
    const body = own === undefined ? setup : { ...setup, nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/games", { params, body, signal }));
    if (own !== undefined) this.#nonces.set(view.id, own);
    return this.#revealed(view, signal);
  }

  /**
   * Takes a seat, takes the player's own back from the bot that stands in, or fills one of the player's table with a bot.
   */
  async join(game: string, claim: SeatClaim = {}, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    const sits = claim.bot === undefined && claim.player === undefined;
    const own = sits ? this.#nonceFor(game, claim) : undefined;
    if (own !== undefined) this.#nonces.set(game, own);
    const body = own === undefined ? claim : { ...claim, nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/games/{game_id}/seats", { params, body, signal }));
    return this.#revealed(view, signal);
  }

  /** Takes a seat by the join code alone: the one reserved for the player, or the first open one. */
  async joinByCode(code: string, claim: Omit<CodeClaim, "code"> = {}, { key, signal }: Doing = {}): Promise<View> {
    const params = { header: { "Idempotency-Key": key } };
    const own = this.#nonceFor(`code ${code}`, claim);
    const body = own === undefined ? { ...claim, code } : { code, nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/join", { params, body, signal }));
    if (own !== undefined && !this.#nonces.has(view.id)) this.#nonces.set(view.id, own);
    return this.#revealed(view, signal);
  }

  /**
   * Invites another player, a person or a program, to an open seat of the player's own table. The seat is reserved for
   * them. They get a notice, and accept with `join` or refuse with `decline`. This player gets a notice of either.
   */
  invite(game: string, player: string, seat?: number, doing: Doing = {}): Promise<View> {
    return this.join(game, seat === undefined ? { player } : { player, seat }, doing);
  }

  /** Withdraws the invitation to a seat of the player's own table; if it was just accepted, as `remove` does. */
  withdraw(game: string, seat: number, doing: Doing = {}): Promise<View> {
    return this.remove(game, seat, doing);
  }

  /**
   * Removes whoever sits on a seat of the player's own table before the start; the seat is open to all again. A player
   * gets a notice, and cannot sit down at the table again unless invited.
   */
  async remove(game: string, seat: number, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game, seat }, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.DELETE("/v1/games/{game_id}/seats/{seat}", { params, signal }));
  }

  /** Accepts a match to which this program is invited; it begins once all programs have accepted. */
  async acceptMatch(match: string, { signal }: Call = {}): Promise<Match> {
    const params = { path: { match_id: match } };
    return dataOf(await this.http.POST("/v1/matches/{match_id}/acceptance", { params, signal }));
  }

  /** Declines a match to which this program is invited, or leaves one that it plays; the match ends. */
  async declineMatch(match: string, { signal }: Call = {}): Promise<Match> {
    const params = { path: { match_id: match } };
    return dataOf(await this.http.DELETE("/v1/matches/{match_id}/acceptance", { params, signal }));
  }

  /** Declines an invitation, optionally with a reason such as `later` or `edition`. */
  async decline(game: string, reason?: DeclineReason, { key, signal }: Doing = {}): Promise<View> {
    const query = reason === undefined ? {} : { reason };
    const params = { path: { game_id: game }, query, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.DELETE("/v1/games/{game_id}/seats/me", { params, signal }));
  }

  /** Leaves the table: before the start the seat becomes open again, afterwards the player resigns. */
  async leave(game: string, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    const view = this.#seen(await this.http.DELETE("/v1/games/{game_id}/seats/me", { params, signal }));
    this.#nonces.delete(game);
    return view;
  }

  /** Aborts a game that this player has opened, before its first action. */
  async abort(game: string, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.DELETE("/v1/games/{game_id}", { params, signal }));
  }

  /**
   * Returns the rematch of an ended game: one new game, however often and by whomever this is called. The first caller
   * opens the table and sits down, beside the service's own bots. The others are invited to their seats, and accept by
   * calling this too.
   */
  async rematch(game: string, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    const own = this.#nonceFor(`rematch ${game}`, {});
    const body = own === undefined ? undefined : { nonce_hash: await hashed(own) };
    const view = this.#seen(await this.http.POST("/v1/games/{game_id}/rematch", { params, body, signal }));
    if (own !== undefined && !this.#nonces.has(view.id)) this.#nonces.set(view.id, own);
    return this.#revealed(view, signal);
  }

  /** Opens a game that continues an ended one from a version, such as the `act_version` of a turn, with bots. */
  async fork(game: string, from: ForkSetup, { key, signal }: Doing = {}): Promise<View> {
    const params = { path: { game_id: game }, header: { "Idempotency-Key": key } };
    return this.#seen(await this.http.POST("/v1/games/{game_id}/fork", { params, body: from, signal }));
  }

  // --- aids ---

  /** Returns what the bot `expert` would do in this player's place, and why; each decision you ask about is counted. */
  async hint(game: string, { seat, signal }: Call & { seat?: number } = {}): Promise<GameHint> {
    const params = { path: { game_id: game }, query: { seat } };
    return dataOf(await this.http.GET("/v1/games/{game_id}/hint", { params, signal }));
  }

  /** Returns what can be known of a game's hidden cards from what `view` shows. */
  async deductions(game: string, { signal, ...query }: Look = {}): Promise<Deduction> {
    const params = { path: { game_id: game }, query };
    return dataOf(await this.http.GET("/v1/games/{game_id}/deductions", { params, signal }));
  }

  // --- whole games ---

  /** Returns where the rounds and turns of a game begin; use a turn's `act_version` as `at` of `view`, and with `fork`. */
  async rounds(game: string, { signal, join_code }: Pick<Look, "signal" | "join_code"> = {}): Promise<GameRounds> {
    const params = { path: { game_id: game }, query: { join_code } };
    return dataOf(await this.http.GET("/v1/games/{game_id}/rounds", { params, signal }));
  }

  /** Yields the events of an ended game as a seat saw them (`as: "0"`), or whole (`as: "all"`), up to the version `at`. */
  async *replay(game: string, replaying: Replaying): AsyncGenerator<GameEvent, void, undefined> {
    const { after = 0, signal, ...query } = replaying;
    for (let from = after; ; ) {
      const params = { path: { game_id: game }, query: { ...query, after: from } };
      const { events, version, finished } = dataOf(await this.http.GET("/v1/games/{game_id}/events", { params, signal }));
      yield* events;
      if (finished || version === (query.at ?? from)) return;
      from = version;
    }
  }

  /** Returns the whole log of an ended game. Without a seat, an unlisted game needs its `join_code`. */
  async log(game: string, { signal, join_code }: Pick<Look, "signal" | "join_code"> = {}): Promise<GameLog> {
    const params = { path: { game_id: game }, query: { join_code } };
    // Lines, which are a string, come only to those who accept them.
    return dataOf(await this.http.GET("/v1/games/{game_id}/log", { params, signal })) as GameLog;
  }

  /** Has the service verify a log from anywhere; the verdict names the first place where it is wrong, if any. */
  async verify(log: GameLog, { signal }: Call = {}): Promise<LogVerdict> {
    return dataOf(await this.http.POST("/v1/logs/verify", { body: { ...log }, signal }));
  }

  // --- at the table ---

  /** Returns a game as the player may see it; the present view is the same object until the game changes. */
  async view(game: string, { signal, ...look }: Look = {}): Promise<View> {
    const present = look.at === undefined && look.as === undefined;
    const known = present ? this.#views.get(game) : undefined;
    const params = { path: { game_id: game }, query: look, header: { "If-None-Match": known?.etag } };
    const answer = await this.http.GET("/v1/games/{game_id}", { params, signal });
    if (known !== undefined && answer.response.status === 304) return this.#revealed(known, signal);
    return present ? this.#revealed(this.#seen(answer), signal) : tagged(dataOf(answer), answer.response);
  }

  /** Takes an action, best one of the view's `legal_actions`, and returns its events and the new view. */
  async act(game: string, action: GameAction, { ifMatch, text, key, signal }: Acting = {}): Promise<Outcome> {
    const header = { "If-Match": ifMatch, "Idempotency-Key": key };
    const params = { path: { game_id: game }, query: { text }, header };
    const answer = await this.http.POST("/v1/games/{game_id}/actions", { params, body: action, signal });
    const result = dataOf(answer);
    return { ...result, game: this.#seen({ ...answer, data: result.game }) };
  }

  /** Plays the player's seat to the end of the game and returns the last view; calls `choose` whenever it must act. */
  async play(game: string, choose: Choose, call: Call = {}): Promise<View> {
    return play(this, game, choose, call);
  }

  /**
   * Yields the events of a game as they happen, each once and in order, through broken connections.
   *
   * It ends with the game, or silently when its signal aborts it. To resume, give the version of the last event or view
   * as `after`.
   */
  events(game: string, listening: Listening = {}): AsyncGenerator<GameEvent, void, undefined> {
    const { after = 0, by = "stream", signal, ...query } = listening;
    const path = { game_id: game };
    const page = async (version: number) => {
      const params = { path, query: { ...query, after: version, wait: WAIT } };
      const { events, finished } = dataOf(await this.http.GET("/v1/games/{game_id}/events", { params, signal }));
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
   * Yields a frame for every step of a game as it happens: its `events`, and the `game` after it as this player sees it.
   *
   * `act` returns a frame, too: the same one also arrives here. Draw the one that comes first, and skip a frame whose
   * version you have drawn already. With `as`, the frames of an ended game are its replay. Otherwise it works like `events`.
   */
  frames(game: string, listening: Listening = {}): AsyncGenerator<Frame, void, undefined> {
    const { after = 0, by = "stream", signal, ...query } = listening;
    const path = { game_id: game };
    const page = async (version: number) => {
      const params = { path, query: { ...query, after: version, wait: WAIT } };
      // Lines, which are a string, come only to those who accept them.
      const answer = dataOf(await this.http.GET("/v1/games/{game_id}/frames", { params, signal }));
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
   * Returns an address for the `EventSource` of a browser, with a ticket in place of the token. It works for one
   * connection, within a minute. To reconnect, get another one with `after`. Texts are in the language of the browser,
   * or those of `frames` in `lang`. While nothing happens, an event `alive` comes every 15 seconds: if none does, the
   * network has changed, and nothing else tells you.
   */
  async streamUrl(game: string, { signal, of = "events", ...query }: Addressing = {}): Promise<string> {
    const ticket = this.token === undefined ? undefined : await this.#ticket(game, query.join_code, signal);
    const given = Object.entries({ alive: true, ticket, ...query }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return `${this.#options.url}/v1/games/${encodeURIComponent(game)}/${of}/stream?${search}`;
  }

  async #ticket(game: string, join_code: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    const params = { path: { game_id: game } };
    return dataOf(await this.http.POST("/v1/games/{game_id}/tickets", { params, body: { join_code }, signal })).ticket;
  }

  /** Returns the nonce for a call; it is the same for the same `what`, so that a retry sends the same hash. */
  #nonceFor(what: string, given: { nonce?: string; nonce_hash?: string }): string | undefined {
    if (!this.#options.commit || given.nonce !== undefined || given.nonce_hash !== undefined) return undefined;
    const known = what === "table undefined" ? undefined : this.#nonces.get(what);
    const made = known ?? randomHex(NONCE_BYTES);
    if (what !== "table undefined") this.#nonces.set(what, made);
    return made;
  }

  /** Reveals the player's nonce if the game waits for it; returns the view after that. */
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
    const view = tagged(dataOf(answer), answer.response);
    const known = this.#views.get(view.id);
    // A repeated call gives its first answer again.
    if (known === undefined || known.version <= view.version) this.#views.set(view.id, view);
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
