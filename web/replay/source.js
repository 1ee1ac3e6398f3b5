// A game to watch again: its steps, its rounds, the sentences, and the view after each step, as one viewer saw them.
// The only module that knows where they come from: today the events and the view at a version.
import { call } from "../api/client.js";

const AHEAD = 6;

export class Source {
  #views = new Map();

  constructor(game, as) {
    this.path = `/games/${game}`;
    this.asked = as === null ? "" : `&as=${as}`;
  }

  async open() {
    this.events = [];
    for (let after = 0, done = false; !done;) {
      const page = await call("GET", `${this.path}/events?text=true&limit=1000&after=${after}${this.asked}`);
      this.events.push(...page.events);
      after = page.events.at(-1)?.version ?? after;
      done = page.finished && after >= page.version;
      if (!page.finished && !page.events.length) done = true;
    }
    this.rounds = await this.#rounds();
    // Events of one action bear the same time; a step is shown as it was when it was over.
    this.steps = this.events.filter(({ at }, place) => at !== this.events[place + 1]?.at).map(({ version }) => version);
    const first = this.events.find(({ type }) => type === "round_started")?.version ?? 1;
    this.steps = this.steps.filter((version) => version >= first);
  }

  async #rounds() {
    const rounds = [];
    for (let cursor = ""; cursor !== null;) {
      const page = await call("GET", `${this.path}/rounds?limit=100${cursor && `&cursor=${cursor}`}`);
      rounds.push(...page.rounds);
      cursor = page.next_cursor;
    }
    return rounds;
  }

  // The view at a step; those that come next are fetched meanwhile.
  view(at) {
    for (let next = at + 1; next <= Math.min(at + AHEAD, this.steps.length - 1); next++) this.#fetch(next);
    return this.#fetch(at);
  }

  #fetch(at) {
    if (!this.#views.has(at)) {
      const asked = call("GET", `${this.path}?at=${this.steps[at]}${this.asked}`);
      asked.catch(() => this.#views.delete(at));
      this.#views.set(at, asked);
    }
    return this.#views.get(at);
  }

  // The events of a step.
  events_of(at) {
    return this.events.filter(({ version }) => version > (this.steps[at - 1] ?? 0) && version <= this.steps[at]);
  }

  // The step that an event belongs to.
  step_of(version) {
    const at = this.steps.findIndex((last) => last >= version);
    return at < 0 ? this.steps.length - 1 : at;
  }

  log() {
    return call("GET", `${this.path}/log`);
  }
}
