// <billet-lesson lesson="first">: a table with a coach, who says a sentence at a time and answers wrong choices before they are sent.
import { html } from "../vendor/lit-html/lit-html.js";
import { Table } from "../table/element.js";
import { reached } from "../table/choosing/choice.js";
import { language } from "../words/words.js";
import "../words/pages.js";
import { begin } from "./begin.js";
import { coach, sheet } from "./coach.js";
import de from "./de.js";
import en from "./en.js";
import { LESSONS, fits } from "./lessons.js";
import { keep, progress } from "./progress.js";

const TEXTS = { de, en };

class Lesson extends Table {
  static sheets = [...Table.sheets, sheet];
  #ended = false;
  #beginning = false;
  #wrong = {};

  get lesson() { return this.getAttribute("lesson"); }
  titleOf(lesson) { return TEXTS[language][lesson].title; }
  get texts() { return TEXTS[language][this.lesson]; }
  get script() { return LESSONS[this.lesson].steps; }
  get won() { return Boolean(this.own && this.game.winners?.includes(this.own.seat)); }

  // The number of the question that is asked, "end" after the game, or null while the others play and the table tells it.
  get step() {
    const { game, own, telling } = this;
    if (telling || !own) return null;
    if (game.finished_at) return this.won ? "end" : -1;
    if (!game.legal_actions.length) return null;
    const hand = own.hand.toSorted().join();
    return this.script.findIndex(({ round, hand: asked }) => round === game.round.number && asked.join() === hand);
  }

  // The sentences of now, and how many of them were read before.
  get says() {
    const { step } = this;
    return step === "end" ? this.texts.end : this.texts.steps[step]?.says ?? [];
  }
  get read() {
    const { step, read } = progress(this.lesson);
    return step === this.step ? read : 0;
  }
  get talking() { return this.read < this.says.length - 1; }

  // While the coach talks nothing else is asked.
  get asked() { return this.talking ? null : super.asked; }

  // The coach's answer to the last choice, if it was a wrong one.
  get wrong() { return this.#wrong.version === this.game.version ? this.#wrong.text : null; }

  // Here the coach helps, and says what comes after the end.
  get hintable() { return false; }
  get coached() { return true; }

  next() {
    keep(this.lesson, { step: this.step, read: this.read + 1 });
    this.fresh = true;
    this.update();
  }

  take(id) { if (this.#leads("card", id)) super.take(id); }
  choose(option) { if (this.#leads(option.kind, option.value)) super.choose(option); }

  // Whether a choice still leads to what the step asks for; if not, the coach says why.
  #leads(kind, value) {
    const { right } = this.script[this.step] ?? {};
    const { legal_actions: legal } = this.game;
    const before = kind === "card" ? [] : this.chosen;
    const leads = !right || reached(legal, [...before, [kind, value]]).some(({ action }) => fits(right, action));
    this.#wrong = leads ? {} : { version: this.game.version, text: this.texts.steps[this.step].no[kind] };
    this.update();
    return leads;
  }

  again() {
    this.setAttribute("game", progress(this.lesson).game);
    super.again();
  }

  async restart() {
    if (this.#beginning) return;
    this.#beginning = true;
    try {
      await begin(this.lesson);
    } catch (problem) {
      this.failed = problem;
      this.update();
    }
    this.#beginning = false;
  }

  // A game of another player, or one that is gone, gives way to a new one.
  get #lost() { return this.problem ? [403, 404].includes(this.problem.status) : this.game && (!this.own || this.game.status === "aborted"); }

  template() {
    if (this.#lost) this.restart();
    return html`${this.book && this.game && !this.problem ? coach(this) : ""}${super.template()}`;
  }

  drawn() {
    if (this.game && this.step === "end" && !this.#ended) {
      this.#ended = this.fresh = true;
      keep(this.lesson, { done: true });
    }
    const coached = this.fresh && (this.talking || this.#ended) && this.find(".coach [data-option]");
    if (coached && !this.shadowRoot.activeElement?.closest(".side, .tools, dialog")) {
      this.fresh = false;
      coached.focus();
    }
    super.drawn();
  }
}

customElements.define("billet-lesson", Lesson);
