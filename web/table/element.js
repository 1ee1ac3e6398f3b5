// <billet-table game="ID">: a game to play or to watch. It holds what is shown and what is chosen; the parts draw it.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, changes, register } from "../api/account.js";
import { base, call, line } from "../api/client.js";
import { BOTS } from "../api/editions.js";
import { seated } from "../api/nonces.js";
import { follow } from "../api/stream.js";
import { Reader, tip } from "../cards/reader.js";
import { cards } from "../cards/sheet.js";
import { open } from "../look/dialog.js";
import { asksAnew } from "../look/keys.js";
import { keying } from "../look/naming.js";
import { Part } from "../look/part.js";
import { chime, hear, mark } from "../look/sound.js";
import { go, storage } from "../look/storage.js";
import { preferences } from "../look/preferences.js";
import { t } from "../words/words.js";
import { hinted } from "./aids/hint.js";
import { learn } from "./aids/known.js";
import { kept, stand } from "./choosing/choice.js";
import { resting } from "./breaks.js";
import { dialogs, resignable } from "./dialogs.js";
import { ending } from "./ending.js";
import { ownHand } from "./hand.js";
import { keys } from "./keys.js";
import { middle, standing } from "./middle.js";
import { Reactions, bubbles, reacting, readOut } from "./reactions.js";
import { nameOf, others } from "./seats.js";
import { sheets } from "./sheets.js";
import { side } from "./sidebar/side.js";
import { Stage } from "./events/stage.js";
import { RESULT } from "./events/telling.js";
import { Viewing } from "./viewing.js";
import { free, waiting } from "./waiting.js";

// What is no action of the game: who sits, and what follows by itself.
export const PASSING = new Set(["turn_started", "card_drawn", "decision_opened", "game_started", "round_started", "game_created",
  "seat_taken", "seat_vacated", "seat_cleared", "seat_offered", "seat_declined", "offer_withdrawn", "break_taken", "break_ended"]);

export class Table extends Part {
  static sheets = [cards, ...sheets, bubbles];
  game = null;
  lines = [];
  chosen = [];
  tab = null;
  reader = new Reader(this);
  reactions = new Reactions(this);
  viewing = null;
  #heard = null;
  #keys = (event) => { this.#keyed(true); keys(this, event); };
  #pointer = () => this.#keyed(false);
  // Another tab has made a note.
  #noted = () => this.update();
  // The reader has become a player, or another one, perhaps in another tab.
  #viewer = () => { if (this.viewing.token !== account.token && !this.sitting) this.again(); };
  #line = ({ detail }) => { this.lost = detail; this.update(); };

  connectedCallback() {
    document.addEventListener("keydown", this.#keys);
    document.addEventListener("pointerdown", this.#pointer);
    this.toggleAttribute("keyed", storage.read("keyed") === true);
    line.addEventListener("change", this.#line);
    addEventListener("storage", this.#noted);
    changes.addEventListener("change", this.#viewer);
    this.again();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#keys);
    document.removeEventListener("pointerdown", this.#pointer);
    line.removeEventListener("change", this.#line);
    removeEventListener("storage", this.#noted);
    changes.removeEventListener("change", this.#viewer);
    this.viewing.end();
    mark(false);
  }

  // What is asked gets focus; the ring around it, which looks like a choice, is for those who use keys.
  #keyed(now) {
    if (now !== this.toggleAttribute("keyed", now) || now === storage.read("keyed")) return;
    storage.write("keyed", now);
  }

  // Looks anew, as whoever the reader is by now.
  again() {
    const before = this.viewing;
    before?.end();
    this.problem = null;
    // What another player saw is not for this one.
    if (before?.player && before.player !== account.player?.id) Object.assign(this, { game: null, lines: [], chosen: [], question: null });
    this.viewing = new Viewing({
      game: this.getAttribute("game"), code: this.getAttribute("code"), drawn: this.game?.version ?? 0,
      begin: (found) => { Object.assign(this, found); this.#asked(); },
      show: (what) => this.#show(what), line: (event, said) => this.#log(event, said), react: (said) => this.reactions.take(said), stage: () => this,
      refuse: (problem) => { this.problem = problem; this.update(); },
    });
    this.update();
  }

  #log(event, said) {
    hear(event);
    if (said && event.text && event.version > (this.lines.at(-1)?.version ?? 0)) this.lines = [...this.lines, event];
  }

  #show({ game, sentence, sketch, held, told }) {
    if (sentence) this.sentence = sentence;
    if (sketch) this.game = sketch(this.game);
    if (game) this.game = game;
    if (held !== undefined) this.fresh = this.held = held;
    if (told) this.#asked();
    this.update();
  }

  // A new question: what is chosen already stays as far as it still leads anywhere, and focus comes here once.
  #asked() {
    const legal = this.game.legal_actions;
    const question = legal.length ? this.game.version : null;
    if (question && question !== this.question) {
      this.fresh = true;
      chime();
    }
    if (question !== this.question) this.sure = false, this.why = null, asksAnew();
    this.question = question;
    this.chosen = kept(legal, this.chosen);
    mark(question !== null);
    if (this.own && this.game.status === "finished") this.#onRematch();
    if (this.game.status === "finished" && this.#open !== this.game.id) this.#reveal();
    this.update();
  }

  #open = null;

  // Whether an ended game is shown as one's seat saw it, as others are dealt its cards: until it was seen whole.
  get sealed() { return this.game.deal !== null && !this.game.whole; }

  // Of an ended game everybody may see every hand.
  async #reveal() {
    const { id } = this.game, code = this.getAttribute("code");
    this.#open = id;
    const whole = await call("GET", `/games/${id}?as=all${code ? `&join_code=${encodeURIComponent(code)}` : ""}`).catch(() => null);
    if (whole) this.game = { ...this.game, whole: true, seats: this.game.seats.map((seat, place) => ({ ...seat, hand: whole.seats[place].hand })) };
    this.update();
  }

  // The first to want a rematch invites the others, who get a notice, also if they come back later.
  #onRematch() {
    const { viewing } = this, { signal } = viewing;
    if (this.#heard === viewing) return;
    this.#heard = viewing;
    // One after the other: a withdrawal must not pass the invitation.
    let last = Promise.resolve();
    const take = (notice) => { last = last.then(() => this.#invited(notice, signal)).catch(() => {}); };
    const asked = (last) => (last ? { after: last } : {});
    follow("/players/me", "events/stream", { take, asked, types: ["invited", "invitation_withdrawn", "game_over"], signal }).catch(() => {});
  }

  async #invited({ type, game, player }, signal) {
    const before = type === "invited" ? (await call("GET", `/games/${game}`, undefined, { signal })).previous_game : null;
    if (signal.aborted) return;
    if (type === "invited") {
      if (before !== this.game.id) return;
      this.game = { ...this.game, next_game: game };
      if (this.wanting !== player.name) chime();
      this.wanting = player.name;
    } else if (game === this.game.next_game) this.wanting = null;
    mark(Boolean(this.wanting));
    this.update();
  }

  // The choice as it stands, or null while nothing is asked of the reader.
  get asked() {
    const { legal_actions: legal, status } = this.game;
    if (!legal.length || status !== "active" || this.telling) return null;
    const asked = stand(legal, this.chosen);
    return { ...asked, cards: [...new Set(legal.map(({ action }) => action.type === "play_card" && action.card))].filter(Boolean) };
  }

  // Whether the reader may ask what to do, and there is something to choose.
  get hintable() { return Boolean(this.asked && this.game.unseen && this.game.legal_actions.length > 1); }

  // What somebody has done last: the sentence that stays.
  get lastAction() { return this.lines.findLast(({ type }) => !PASSING.has(type))?.text ?? ""; }
  // How the round before has ended, until something is done in this one.
  get result() {
    const last = this.lines.findLast(({ type }) => !PASSING.has(type) && type !== "token_awarded");
    return last?.type === "round_ended" ? last.text : null;
  }
  // By whoever opened the table, unless they have invited the player since.
  get removed() {
    const { id } = account.player ?? {};
    return this.lines.findLast(({ type, data }) => data.player === id && ["seat_cleared", "seat_offered"].includes(type))?.type === "seat_cleared";
  }
  get telling() { return this.viewing.telling; }
  get own() { return this.game.seats[this.game.viewer?.seat] ?? null; }
  get creates() { return this.game.creator === undefined ? this.own?.seat === 0 : this.game.creator === account.player?.id; }
  // Names lead to players' pages where nothing is played any more; in a frame of another page they lead nowhere.
  get linking() { return Boolean(this.game.finished_at) && !account.abstains; }
  get home() { return base.pathname; }
  get invitation() {
    const { join_code: code, id } = this.game;
    return new URL(`games/${id}${code ? `#code=${code}` : ""}`, base);
  }
  get insaneToWin() { return this.book.tables.find(({ seats }) => seats === this.game.seats.length)?.insane_tokens_to_win; }

  // How many there are to make room for: a table of five is neither.
  get crowd() { const { length } = this.game.seats; return length < 5 ? "few" : length > 5 ? "full" : ""; }
  get tokensToWin() { return this.game.tokens_to_win ?? this.book.tables.find(({ seats }) => seats === this.game.seats.length).tokens_to_win; }
  card = (id) => this.book?.by.get(id);
  named = (value) => this.book.cards.filter((card) => card.value === value).map(({ name }) => name).join(", ");

  choose({ kind, value }) {
    this.chosen = [...this.chosen, [kind, value]];
    this.#moved();
  }

  take(id) {
    this.chosen = this.asked.cards.length > 1 ? [["card", id]] : [];
    this.#moved();
  }

  undo() {
    this.chosen = this.chosen.slice(0, -1);
    this.#moved();
  }

  #moved() {
    this.sure = false;
    this.why = null;
    this.fresh = true;
    const entry = this.asked?.entry;
    if (entry && !preferences.confirm && this.chosen.length) this.send(entry);
    this.update();
  }

  askAgain() {
    this.sure = true;
    this.fresh = true;
    this.update();
  }

  // An action that could not be sent at once is sent only in the turn that it was chosen for: the time of that may be up.
  #sent(action, query = "") {
    const { id, version } = this.game;
    const outdated = async () => (await call("GET", `/games/${id}`)).version !== version;
    return call("POST", `/games/${id}/actions${query}`, action, { outdated });
  }

  async send(entry) {
    if (this.sending) return;
    const { viewing } = this;
    this.sending = true;
    this.update();
    await this.#try(async () => {
      const answer = await this.#sent(entry.action, "?text=true");
      if (!answer) return;
      this.chosen = [];
      viewing.add(answer);
    });
    this.sending = false;
    this.update();
  }

  // What cannot be played says why, in the service's words: it refuses the play, which changes nothing.
  async #because(action) {
    try {
      await this.#sent(action);
    } catch ({ message, code }) {
      this.why = code === "illegal_action" ? message : null;
      this.update();
    }
  }

  whyCard(card) { this.#because({ type: "play_card", card, targets: [] }); }

  whySeat(seat) {
    if (this.asked?.kind !== "target" || this.asked.options.some(({ value }) => value === seat.seat)) return;
    const { value: card } = this.asked.taken.find(({ kind }) => kind === "card");
    const key = !seat.in_round ? "why.out" : seat.protected ? "why.protected" : "why.not_now";
    this.why = t(key, { name: nameOf(seat, this.game), card: this.card(card).name });
    this.update();
  }

  async #try(doing) {
    try {
      this.failed = null;
      await doing();
    } catch (problem) {
      this.failed = problem;
      this.update();
    }
  }

  #post = (path, body) => this.#try(async () => { await call("POST", `/games/${this.game.id}${path}`, body); });
  bot = BOTS.find((bot) => bot === preferences.setup?.bot) ?? "cautious";
  addBot = () => this.#post("/seats", { bot: this.bot });
  // Somebody may sit down meanwhile: each answer says which seats are left.
  addBots = () => this.#try(async () => { for (let { game } = this; free(game).length; ) game = await call("POST", `/games/${game.id}/seats`, { bot: this.bot }); });
  // Only whom the reader sees there: the seat may change hands meanwhile.
  withdraw = ({ seat, player, invited }) => this.#try(async () => {
    await call("DELETE", `/games/${this.game.id}/seats/${seat}?${player ? `player=${player.id}` : `invited=${invited.id}`}`);
  });
  abort = () => this.#try(async () => { await call("DELETE", `/games/${this.game.id}`); go(this.home); });
  rest = (days) => this.#post("/break", { days });
  leave = () => this.#try(async () => { await call("DELETE", `/games/${this.game.id}/seats/me`); if (this.game.status === "open") go(this.home); });
  // A touch of the page takes the seat back from the bot, unless its time is all spent.
  get replaced() { return Boolean(this.own?.away && !this.own.left && this.own.bank_ms !== 0 && this.game.status === "active"); }
  back = async () => {
    if (!this.replaced || this.returning) return;
    this.returning = true;
    await this.#post("/seats", {});
    this.returning = false;
  };

  rematch = () => this.#try(async () => this.go((await seated(`/games/${this.game.id}/rematch`)).id));

  sit = async () => {
    if (this.sitting) return;
    this.sitting = true;
    await this.#try(async () => {
      await register(account.guest ? this.name : null);
      const code = this.getAttribute("code");
      await seated(`/games/${this.game.id}/seats`, code ? { join_code: code } : {});
      this.again();
    });
    this.sitting = false;
    this.#viewer();
  };

  // By a code, or by a link that holds it.
  enter(said) {
    this.setAttribute("code", (/code=([\w-]+)/.exec(said)?.[1] ?? said.trim()).toUpperCase());
    this.again();
  }

  go(game) { go(new URL(`games/${game}`, base)); }

  look(tab) {
    this.sheet = tab !== null && !(this.sheet && tab === this.tab);
    this.tab = tab ?? this.tab;
    if (!this.sheet) this.#leave();
    else if (this.#opener?.checkVisibility()) this.#come();
    this.update();
  }

  // Notes are made with the keys, so that focus goes into them, also if they are open already.
  note() {
    this.sheet &&= Boolean(this.shadowRoot.activeElement?.closest(".panel"));
    this.look("notes");
    if (this.sheet) this.#come(), this.entering = true;
  }

  #before = null;

  // What opens as a sheet over the table takes focus, which would be behind it.
  #come() {
    const at = this.shadowRoot.activeElement;
    if (at?.closest(".side")) return;
    this.#before = at;
    this.entering = true;
  }

  // What is closed gives focus back to where it came from. That may be gone by now: what is asked instead has come meanwhile.
  // Otherwise, and after a tap that gave no focus, it goes to the button that opens the sheet.
  #leave() {
    const at = this.shadowRoot.activeElement, before = this.#before;
    this.#before = null;
    if (!at?.closest(".side") || !(before || this.#opener?.checkVisibility())) return;
    at.blur();
    this.#focusOn(before);
    if (this.shadowRoot.activeElement) return;
    this.fresh = Boolean(before && this.asked);
    if (!this.fresh) this.#focusOn(this.#opener);
  }

  // The button that opens the sheet on a phone; there is none on a wide screen.
  get #opener() { return this.find(".only-small"); }

  arrive() {
    if (this.entering) this.entering = false, (this.find(".mark[tabindex='0']") ?? this.find(".panel")).focus();
  }

  help() { open(this, "keys"); }
  resign() { open(this, "resign"); }
  toggleSound() { preferences.sound = !preferences.sound; this.update(); chime(); }
  catchUp() { this.stage?.catchUp(); }
  // A card that is played takes the place of the one on the felt.
  async play(event) {
    this.moving = event;
    this.update();
    const before = event.type === "card_played" && this.#lastPlayed();
    await this.stage?.play(before ? [event, { type: "card_laid", data: before }] : [event], this.book, this.game.edition);
    this.moving = null;
  }
  // Whether the reader waits for a round that goes on without them, and nobody else plays who is a person.
  get out() { return Boolean(this.own && this.game.round && !this.own.in_round && this.game.status === "active"); }
  get alone() { return this.out && this.game.seats.every(({ in_round: playing, player, away }) => !playing || away || player?.kind === "bot"); }
  // The card on the felt: the last one that was played in this round, unless one is on its way.
  get played() { return this.moving?.type === "card_played" ? null : this.#lastPlayed(); }

  #lastPlayed() {
    const last = this.lines.findLast((line) => line !== this.moving && ["card_played", "round_started"].includes(line.type) && !(line.version > this.version));
    return last?.type === "card_played" ? last.data : null;
  }

  // The end of a round while it is told: the hands that were shown for it, and how it ended as soon as that is said.
  get ended() {
    const last = this.lines.at(-1), of = (type) => this.lines.findLast((line) => line.type === type);
    if (!this.telling || !["hands_revealed", ...RESULT].includes(last?.type)) return null;
    const begun = of("round_started")?.version ?? 0, [shown, end] = ["hands_revealed", "round_ended"].map((type) => of(type)).map((line) => (line?.version > begun ? line : null));
    return { hands: shown?.data.hands ?? [], end };
  }

  template() {
    if (this.problem) return problem(this);
    if (!this.book || !this.game) return html`<main class="loading"><p role="status">${t(this.lost ? `line.${this.lost}` : "loading")}</p></main>`;
    const { status } = this.game;
    const over = status === "finished" || status === "aborted";
    return html`<div class="table ${this.crowd}" @click=${() => { if (this.telling) this.viewing.catchUp(); this.back(); }}>
      <div class="felt" role="main">
        <h1 class="unseen">${this.book.title}</h1>
        ${others(this)}
        ${status === "open" ? waiting(this) : over && !this.telling ? ending(this) : middle(this)}
        ${ownHand(this)}
        ${this.failed ? html`<p class="failed problem" role="alert">${this.failed.message}</p>${this.failed.code === "registration_closed" ? keying(account) : nothing}` : nothing}
        <div class="layer" aria-hidden="true"></div>${tip}
      </div>
      ${side(this)}
      <nav class="tools" aria-label=${t("tools")}>
        ${this.lost ? html`<p class="line-state" role="status">${t(`line.${this.lost}`)}</p>` : nothing}
        <button class="only-small" @click=${() => this.look("log")}>${t("tab.log")}</button>
        <button class="only-small" @click=${() => this.look("reference")}>${t("tab.reference")}</button>
        <button class="plain" @click=${() => this.toggleSound()} aria-pressed=${preferences.sound}>${t("sound")}</button>
        <button class="plain wide-only" @click=${() => this.help()}>${t("keys")}</button>
        ${resting(this)}${reacting(this)}
        ${resignable(this) ? html`<button class="plain" @click=${() => this.resign()}>${t("resign")}</button>` : nothing}
      </nav>
      <p class="unseen" aria-live="polite">${this.telling ? this.sentence : hinted(this) ?? standing(this)}</p>
      ${readOut(this)}${dialogs(this)}
    </div>`;
  }

  drawn() {
    this.reader.drawn();
    learn(this);
    const layer = this.find(".layer");
    if (layer && this.stage?.layer !== layer) this.stage = new Stage(this.shadowRoot, layer);
    // The log is read from its end, everything else from the beginning.
    const panel = this.find(".panel"), log = this.find(".log"), shown = [this.tab, this.sheet, log && this.lines.length].join(" ");
    if (panel && shown !== this.#shown) panel.scrollTop = log ? panel.scrollHeight : 0, this.#shown = shown;
    // Long texts scroll on a tablet, by keys too.
    const texts = this.find(".texts");
    if (texts) texts.tabIndex = texts.scrollHeight > texts.clientHeight ? 0 : -1;
    this.arrive();
    // What is offered cannot be focused while an earlier play is still being sent, which others may have answered already.
    if (this.fresh && (!this.telling || this.held) && !this.sending) this.#focus();
    this.#goOn();
  }

  #had = null;

  // The button to resign goes with the seat, and the way out of a running game with its end: focus goes to what follows.
  #goOn() {
    const at = this.shadowRoot.activeElement;
    if (!at && this.#had?.isConnected === false && this.game && (this.own?.left || this.game.finished_at)) this.find("[id=ending], .mine .button")?.focus();
    this.#had = this.shadowRoot.activeElement ?? this.#had;
  }

  #shown = "";

  // Focus goes to what is asked, unless the reader is busy elsewhere.
  #focus() {
    this.fresh = false;
    const at = this.shadowRoot.activeElement;
    if (at && at.closest(".side, .tools, dialog")) return;
    this.#focusOn(this.find(".asking [data-option], .hand [data-option], .showdown ~ [data-option]") ?? this.find("#asked"));
    for (const place of [".asking", ".next", ".of-hand ~ .held .hand, .held:has(.of-hand) .hand"]) this.find(place)?.scrollIntoView({ block: "nearest" });
  }

  // A card that gets focus by itself does not show its text.
  #focusOn(place) {
    this.reader.still = true;
    place?.focus({ preventScroll: true });
    this.reader.still = false;
  }
}

function problem(table) {
  const { problem: { status, message, code } } = table;
  return html`<main class="problem-page"><h1>${t(status === 404 ? "no_game" : status === 403 ? "not_invited" : "trouble")}</h1><p role="alert">${message}</p>
    ${code === "join_code_wrong" ? withCode(table) : html`<p class="row"><button @click=${() => table.again()}>${t("again")}</button></p>`}
    <p><a class="button plain" href=${table.home}>${t("home")}</a></p></main>`;
}

// A player who was sent an address without the code may have got it apart.
const withCode = (table) => html`<form class="row" @submit=${(event) => { event.preventDefault(); table.enter(event.target.elements.code.value); }}>
  <label class="grow">${t("start.code")}<input name="code" required autocomplete="off" autocapitalize="characters" spellcheck="false"></label><button class="main">${t("enter")}</button></form>`;

customElements.define("billet-table", Table);
