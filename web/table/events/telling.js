// Shows frames in order: each event as one sentence and one movement, then the frame's view. Later steps wait.
import { sleep } from "../../api/client.js";
import { preferences } from "../../look/preferences.js";
import { sketch } from "./sketch.js";

// Events that say nothing a player needs: they follow from the ones around them, or are how the shuffle is made.
export const SILENT = new Set(["card_resolved", "decision_taken", "nonce_revealed", "reveal_started", "secret_revealed", "time_spent"]);
const AT_ONCE = new Set(["turn_started"]);
// How long a sentence stays: long enough to be read, and the end of a game longer than that.
const READ_MS = 250, LETTER_MS = 16, END_MS = 1200;
// The result of a round stays longer before the next one begins, also after catching up.
const RESULT = new Set(["round_ended", "token_awarded"]), RESULT_MS = 2500;
// A whole round of bots may wait at a large table; the more waits, the quicker each is shown.
const MOST_WAITING = 24;

export class Telling {
  #queue = [];
  #busy = false;
  #hurry = null;

  // `show` draws {game, sentence}; `line` takes an event for the log; `stage` moves cards.
  constructor({ show, line, stage }) {
    Object.assign(this, { show, line, stage });
  }

  async take(frame) {
    this.#queue.push(frame);
    if (this.#queue.length > MOST_WAITING) this.catchUp();
    if (this.#busy) return;
    this.#busy = true;
    // An error in showing a step's events never keeps its view from being shown.
    while (this.#queue.length) await this.#tell(this.#queue.shift()).catch(reportError);
    this.#busy = false;
    this.show({ told: true });
  }

  // Ends the present sentence and all that wait: the newest view is shown at once.
  catchUp() {
    this.hurried = true;
    this.#hurry?.abort();
    this.stage().catchUp();
  }

  get telling() {
    return this.#busy;
  }

  #pause({ type, text }) {
    return (type === "game_finished" ? END_MS : 0) + (READ_MS + LETTER_MS * (text?.length ?? 0)) / (1 + this.#queue.length / 3);
  }

  async #tell({ events, game }) {
    const spoken = events.filter(({ type }) => !SILENT.has(type));
    // Until its view comes, a game that begins still looks like a table that waits for players.
    const begins = events.some(({ type }) => type === "game_started");
    const held = events.some(({ type }) => type === "round_started") && events.findLast(({ type }) => RESULT.has(type));
    try {
      for (const event of events) {
        this.line(event, spoken.includes(event));
        if (!spoken.includes(event)) continue;
        this.show({ sentence: event.text });
        if (held && event.type === "round_ended") this.hurried = false;
        if (begins || this.hurried || !preferences.tell || document.hidden) continue;
        this.#hurry = new AbortController();
        const read = AT_ONCE.has(event.type) ? null : sleep(event === held ? RESULT_MS : this.#pause(event), this.#hurry.signal);
        await this.stage().play(event);
        this.show({ sketch: (view) => sketch(view, event) });
        await read;
      }
    } finally {
      this.show({ game });
      if (!this.#queue.length) this.hurried = false;
    }
  }
}
