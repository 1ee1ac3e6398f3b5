// Frames of a game: {version, events, game}, one per step, without gap or repeat, until the game ends.
// They come from the stream of frames; the answer to an own action is the next one, and comes first. Where people play, their
// reactions come between them, for as long as the service tells of them.
import { call, line, now } from "./client.js";
import { follow } from "./stream.js";
import { language } from "../words/words.js";

// Whether there are people, or programs of theirs, who can tell each other anything.
export const among = ({ seats }) => seats.filter(({ player }) => player && player.kind !== "bot").length > 1;
// How long the service tells of reactions after the end of a game.
export const AFTER_THE_END_MS = 600_000;

export class Frames {
  version = 0;

  // `take` is given the frames, `react` the reactions, and `refuse` the problem that ends them; `signal` ends them without one.
  constructor(game, code, { take, react, refuse, signal }) {
    Object.assign(this, { path: `/games/${game}`, code, take, react, refuse, signal });
  }

  // The view says why one may not look; a stream could not.
  async start() {
    try {
      const { signal } = this;
      const game = await call("GET", this.path + (this.code ? `?join_code=${encodeURIComponent(this.code)}` : ""), undefined, { signal });
      this.version = game.version;
      this.over = game.finished_at !== null;
      this.reacting = among(game) || game.status === "open";
      this.take({ version: game.version, events: [], game });
      if (!this.over || (this.reacting && now() - new Date(game.finished_at) < AFTER_THE_END_MS)) this.#follow();
    } catch (problem) {
      this.refuse(problem);
    }
  }

  // What does not continue comes from the stream, or came from there already. A stream that has not brought what lies between by
  // now has missed it.
  add(frame) {
    const first = frame.events[0]?.version;
    if (first > this.version + 1) line.dispatchEvent(new Event("behind"));
    if (first !== this.version + 1) return;
    this.version = frame.version;
    this.over = frame.game.finished_at !== null;
    this.take(frame);
  }

  // The events up to a version; a long game has more of them than one answer.
  async history(version) {
    const asked = new URLSearchParams({ text: "true", limit: "1000", ...(this.code && { join_code: this.code }) });
    const events = [];
    for (let page; (events.at(-1)?.version ?? 0) < version && page?.length !== 0; events.push(...page)) {
      asked.set("after", events.at(-1)?.version ?? 0);
      ({ events: page } = await call("GET", `${this.path}/events?${asked}`, undefined, { signal: this.signal }));
    }
    return events.filter((event) => event.version <= version);
  }

  #follow() {
    const { signal } = this;
    const asked = () => ({ text: "true", after: this.version, lang: language, reactions: this.reacting, ...(this.code && { join_code: this.code }) });
    const instead = async (until) => {
      const { lang, reactions, ...more } = asked();
      (await call("GET", `${this.path}/frames?${new URLSearchParams({ wait: 1, ...more })}`, undefined, { signal: until })).frames.forEach((frame) => this.add(frame));
    };
    follow(this.path, "frames/stream", {
      asked, instead, signal,
      body: this.code ? { join_code: this.code } : undefined,
      types: ["message", "reaction"],
      take: (item) => (item.type === "reaction" ? this.react(item) : this.add(item)), over: () => this.over,
    }).catch(this.refuse);
  }
}
