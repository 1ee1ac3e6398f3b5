// <billet-replay game="ID" at="57" as="2">: an ended game, step by step, as anybody at the table saw it, or with everything.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, register } from "../api/account.js";
import { base, call } from "../api/client.js";
import { book, bound } from "../api/editions.js";
import { tip } from "../cards/reader.js";
import { cards } from "../cards/sheet.js";
import { open } from "../look/dialog.js";
import { download } from "../look/files.js";
import { keying } from "../look/naming.js";
import { go } from "../look/storage.js";
import { still } from "../look/preferences.js";
import { learn } from "../table/aids/known.js";
import { dialogs } from "../table/dialogs.js";
import { ownHand } from "../table/hand.js";
import { middle } from "../table/middle.js";
import { others } from "../table/seats.js";
import { sheets } from "../table/sheets.js";
import { side } from "../table/sidebar/side.js";
import { Stage } from "../table/events/stage.js";
import { PASSING, Table } from "../table/element.js";
import { SILENT } from "../table/events/telling.js";
import { t } from "../words/words.js";
import "../words/pages.js";
import { controls } from "./controls.js";
import { Film } from "./film.js";
import { proof, prove } from "./proof.js";
import { Review, reviewed, summary, toMark } from "./review.js";
import { sheet } from "./sheet.js";
import { Source } from "./source.js";

const PAUSE_MS = 1600;
// Events that a step's headline names beside its first one.
const ENDS = new Set(["round_ended", "game_finished"]);

class Replay extends Table {
  static sheets = [cards, ...sheets, sheet, reviewed];
  speed = 1;
  at = 0;
  #opening = null;
  // The step that was asked for last, and the movement towards it: what is shown comes after it.
  #wanted = 0;
  #moving = null;
  // What lay open beside the table.
  #shown = "";
  #keys = (event) => this.#key(event);

  connectedCallback() {
    document.addEventListener("keydown", this.#keys);
    this.as = this.getAttribute("as") ?? "all";
    this.update();
    this.#open();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#keys);
    clearTimeout(this.timer);
  }

  // Opens the game as `as` sees it, at the version `shown` by then; the last one asked for wins, however slowly the others come.
  async #open(shown = () => this.source ? this.source.steps[this.#wanted] : Number(this.getAttribute("at"))) {
    const source = this.#opening = this.film ? new Film(this.film, this.as) : new Source(this.getAttribute("game"), this.as, this.getAttribute("code"));
    try {
      await source.open();
      const found = this.book ?? (this.film ? bound(this.film.book) : await book(source.view(0).edition));
      if (source !== this.#opening) return;
      const version = shown();
      const lines = source.events.filter(({ type, text }) => text && !SILENT.has(type));
      Object.assign(this, { source, lines, book: found, as: source.as ?? this.as, problem: null });
      this.#show(version ? source.stepOf(version) : 0);
      this.#review();
      if (this.film && this.verified === undefined) this.#verify();
    } catch (problem) {
      if (source !== this.#opening) return;
      this.problem = problem;
      this.update();
    }
  }

  // A game of the service may have been reviewed; whoever comes by a link to the review has it made.
  #review() {
    if (this.film) this.review = null;
    else if (!this.review && this.getAttribute("review") !== null) (this.review = new Review(this)).begin();
    else if (!this.review) (this.review = new Review(this)).look();
  }

  get asked() { return null; }
  get telling() { return false; }
  get result() { return null; }
  get linking() { return !this.film && !account.abstains; }
  get version() { return this.source.steps[this.at]; }
  get lastAction() {
    const events = this.source.eventsOf(this.at).filter(({ type, text }) => text && !SILENT.has(type));
    const actions = events.filter(({ type }) => !PASSING.has(type));
    const told = actions.length ? actions : events.slice(-1);
    const end = told.slice(1).findLast(({ type }) => ENDS.has(type));
    return [told[0], end ?? told[1]].filter(Boolean).map(({ text }) => text).join(". ");
  }
  get address() {
    const moment = `at=${this.version}&as=${this.as}`;
    const code = this.getAttribute("code");
    return this.film ? new URL(`#${moment}`, location.href) : new URL(`replays/${this.game.id}?${moment}${code ? `#code=${code}` : ""}`, base);
  }
  get invitation() { return this.address; }
  again() { this.#open(); }

  // Shows a step, the next one after its movement; the last one asked for wins.
  async goTo(at) {
    const moving = this.#moving = {};
    this.#wanted = Math.max(0, Math.min(at, this.source.steps.length - 1));
    if (this.#wanted === this.at + 1 && this.stage && !still()) {
      this.update();
      for (const event of this.source.eventsOf(this.#wanted).filter(({ type }) => !SILENT.has(type))) {
        await this.stage.play([event], this.book, this.game.edition);
        if (moving !== this.#moving) return;
      }
    }
    this.#show(this.#wanted);
  }

  // Table, sentence, log, slider and address change together: none is ever ahead of another.
  #show(at) {
    this.#moving = null;
    this.at = this.#wanted = at;
    this.game = this.source.view(at);
    history.replaceState(history.state, "", this.address);
    this.dispatchEvent(new CustomEvent("billet-at", { detail: this.version }));
    this.update();
  }

  // Ends a movement, so that the next step begins where this one leads.
  #settle() {
    this.stage?.catchUp();
    if (this.#moving) this.#show(this.#wanted);
  }

  // Shows a step that the reader chose.
  to(at) {
    this.pause();
    this.#settle();
    this.goTo(at);
  }

  // A game from a file or a text takes the place of the one on show; what cannot be read says so, and changes nothing.
  async read(source) {
    this.pause();
    try {
      const { opened } = await this.opener();
      this.film = await opened(source);
      Object.assign(this, { book: null, game: null, proof: null, verified: undefined, as: "all" });
      await this.#open(() => 0);
    } catch (problem) {
      this.refuse(problem);
    }
  }

  refuse(problem) {
    this.failed = problem;
    this.update();
  }

  keep() { return this.#keep(async () => { const log = await this.source.log(); download(`${JSON.stringify(log)}\n`, `${log.game}.json`, "application/json"); }); }

  keepPage() { return this.#keep(async () => download(await (await this.opener()).page(this), `${this.game.id}.html`, "text/html")); }

  async #keep(downloading) {
    try {
      await downloading();
    } catch (problem) {
      this.refuse(problem);
    }
  }

  jump(version) { this.to(this.source.stepOf(version)); }

  step(by) { this.to(this.#wanted + by); }

  // To where the next or the last turn or round begins.
  turn(by, marks = this.source.rounds.flatMap(({ turns }) => turns.map(({ act_version: at, version }) => at ?? version))) {
    const steps = [...new Set(marks.map((version) => this.source.stepOf(version)))], at = this.#wanted;
    this.to(by > 0 ? steps.find((step) => step > at) ?? this.source.steps.length - 1 : steps.findLast((step) => step < at) ?? 0);
  }

  round(by) { this.turn(by, this.source.rounds.map(({ version }) => version)); }

  toggle() { this.playing ? this.pause() : this.#play(); }

  pause() {
    Object.assign(this, { playing: false, failed: null });
    clearTimeout(this.timer);
    this.update();
  }

  #play() {
    const run = this.playing = {};
    this.#settle();
    const next = async () => {
      if (this.playing !== run) return;
      await this.goTo(this.at >= this.source.steps.length - 1 ? 0 : this.at + 1);
      // The viewer may have paused and pressed play again meanwhile.
      if (this.playing !== run) return;
      if (this.at >= this.source.steps.length - 1) return this.pause();
      this.timer = setTimeout(next, PAUSE_MS / this.speed);
    };
    next();
    this.update();
  }

  see(as) {
    this.as = as;
    this.pause();
    this.#open();
  }

  async fork() {
    if (this.sending) return;
    this.sending = true;
    try {
      await register();
      const { version } = this;
      const { id, viewer, to_act: next } = this.game;
      const code = this.getAttribute("code");
      const game = await call("POST", `/games/${id}/fork`, { version, seat: viewer?.seat ?? next ?? 0, ...(code && { join_code: code }) }, { anew: true });
      go(new URL(`games/${game.id}`, base));
    } catch (problem) {
      this.refuse(problem);
    } finally {
      this.sending = false;
    }
  }

  async prove() {
    this.pause();
    const waiting = this.proof = { waiting: true };
    open(this, "proof");
    const found = await prove(this.source).catch((problem) => ({ problem }));
    // It may be closed by now, or about a game that is no longer on show.
    if (this.proof === waiting) this.proof = found;
    this.update();
  }

  // A replay in one file is verified as soon as it is open, and says so where the proof is. One that does not fit stops, and is looked
  // at by whoever wants to anyway.
  async #verify() {
    const { film } = this;
    const found = await prove(this.source).catch((problem) => ({ problem }));
    if (film !== this.film) return;
    const { valid, divergence } = found.verdict ?? {};
    this.verified = valid || (divergence === null ? null : false); // null: made by rules that are not known here
    if (this.verified === false) {
      this.pause();
      this.proof = { ...found, stops: true };
      open(this, "proof");
    }
    this.update();
  }

  #key(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !this.source || this.find("dialog[open]")) return;
    const at = event.composedPath()[0];
    if (at.matches?.("input:not([type=checkbox]), select, textarea, [role=tab]") || (event.key === " " && at.matches?.("button, a, input"))) return;
    const keys = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), "]": () => this.turn(1), "[": () => this.turn(-1), "}": () => this.round(1), "{": () => this.round(-1), ".": () => toMark(this, 1), ",": () => toMark(this, -1),
      Home: () => this.step(-Infinity), End: () => this.step(Infinity), " ": () => this.toggle(), r: () => this.look("reference"), l: () => this.look("log"), u: () => this.look("unseen"), "?": () => this.help(),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  }

  keyNames = ["step", "turn", "round", "mark", "ends", "space", "r", "l", "u"];

  template() {
    if (this.problem || !this.game) return super.template();
    return html`<div class="table replay ${this.crowd}">
      <div class="felt" role="main">
        <h1 class="unseen">${t("replay")}: ${this.book.title}</h1>
        ${others(this)}${middle(this)}${ownHand(this)}
        ${this.failed ? html`<p class="failed problem" role="alert">${this.failed.message}</p>${this.failed.code === "registration_closed" ? keying(account) : nothing}` : nothing}
        <div class="layer" aria-hidden="true"></div>${tip}
      </div>
      ${side(this)}
      ${controls(this)}
      <p class="unseen" aria-live="polite">${this.playing ? "" : this.lastAction}</p>
      ${dialogs(this)}${proof(this)}${summary(this)}
    </div>`;
  }

  drawn() {
    this.reader.drawn();
    learn(this);
    const layer = this.find(".layer");
    if (layer && this.stage?.layer !== layer) this.stage = new Stage(this.shadowRoot, layer);
    this.arrive();
    const panel = this.find(".panel"), shown = panel?.getAttribute("aria-labelledby");
    if (panel && shown !== this.#shown) panel.scrollTop = 0, this.#shown = shown;
    this.find(".log [aria-current]")?.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("billet-replay", Replay);
