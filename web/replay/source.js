// A game to watch again: its steps, its rounds, the sentences, and the view after each step, as one viewer saw them.
// The only module that knows where they come from: the frames of an ended game.
import { call } from "../api/client.js";

export class Source {
  #frames = [];

  // A game that is not public needs its join code.
  constructor(game, as, code = null) {
    this.path = `/games/${game}`;
    this.code = code ? `&join_code=${encodeURIComponent(code)}` : "";
    this.asked = (as === null ? "" : `&as=${as}`) + this.code;
  }

  async open() {
    const [frames, rounds] = await Promise.all([this.#all(), this.#rounds()]);
    this.events = frames.flatMap(({ events }) => events);
    this.rounds = rounds;
    const first = Math.max(0, frames.findIndex(({ events }) => events.some(({ type }) => type === "round_started")));
    this.#frames = frames.slice(first);
    this.steps = this.#frames.map(({ version }) => version);
  }

  async #all() {
    const frames = [];
    for (let page = null; !page?.finished && page?.frames.length !== 0;) {
      page = await call("GET", `${this.path}/frames?text=true&after=${page?.version ?? 0}${this.asked}`);
      frames.push(...page.frames);
    }
    return frames;
  }

  async #rounds() {
    const rounds = [];
    for (let cursor = ""; cursor !== null;) {
      const page = await call("GET", `${this.path}/rounds?limit=100${cursor && `&cursor=${cursor}`}${this.code}`);
      rounds.push(...page.rounds);
      cursor = page.next_cursor;
    }
    return rounds;
  }

  // The view after a step.
  view(at) { return this.#frames[at].game; }

  // The events of a step; the first one shown has those before the first round, too.
  eventsOf(at) {
    return this.events.filter(({ version }) => version > (this.steps[at - 1] ?? 0) && version <= this.steps[at]);
  }

  // The step that an event belongs to.
  stepOf(version) {
    const at = this.steps.findIndex((last) => last >= version);
    return at < 0 ? this.steps.length - 1 : at;
  }

  log() {
    return call("GET", `${this.path}/log${this.code.replace("&", "?")}`);
  }
}
