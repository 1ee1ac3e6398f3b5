// Shows frames in order: each event as one sentence and one movement, then the frame's view. Later steps wait.
import { sleep } from "../../api/client.js";
import { preferences } from "../../look/preferences.js";
import { sketch } from "./sketch.js";

// Events that say nothing a player needs: they follow from the ones around them, or are how the shuffle is made.
export const SILENT = new Set(["card_resolved", "decision_taken", "nonce_revealed", "reveal_started", "secret_revealed", "time_spent"]);
const AT_ONCE = new Set(["turn_started", ...SILENT]);
// How long a sentence stays: long enough to be read, and the end of a game longer than that.
const READ_MS = 250, LETTER_MS = 16, END_MS = 1200;
// The end of a round stays before the next one begins, also after catching up: until the reader goes on, or so long.
export const RESULT = new Set(["round_ended", "token_awarded"]);
const RESULT_MS = 6000, OUT_MS = 2000;
// Where nobody waits for a person, as all of them are out of the round, it is told so many times quicker, and nothing moves.
const BRISK = 20;
// A whole round of bots may wait at a large table; the more waits, the quicker each is shown.
const MOST_WAITING = 24;

export class Telling {
  #queue = [];
  #busy = false;
  #hurry = null;
  #skipping = false;

  // `show` draws {game, sentence}, and {held} while the end of a round stays; `line` takes an event for the log; `stage` moves
  // cards, and says whether the reader is out of the round, and everybody else with them.
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

  // Shows nothing more of this round but its end.
  skip() {
    this.#skipping = true;
    this.catchUp();
  }

  get telling() {
    return this.#busy;
  }

  #pause({ type, text }) {
    const quicker = (this.stage().alone ? BRISK : 1) * (1 + this.#queue.length / 3);
    return (type === "game_finished" ? END_MS : 0) + (READ_MS + LETTER_MS * (text?.length ?? 0)) / quicker;
  }

  async #tell({ events, game }) {
    // Until its view comes, a game that begins still looks like a table that waits for players.
    const begins = events.some(({ type }) => type === "game_started");
    const held = events.some(({ type }) => type === "round_started") && events.findLast(({ type }) => RESULT.has(type));
    try {
      for (const event of events) {
        this.line(event, !SILENT.has(event.type));
        if (!SILENT.has(event.type)) this.show({ sentence: event.text });
        if (RESULT.has(event.type) || event.type === "round_started") this.#skipping = false;
        if (held && event.type === "round_ended") this.hurried = false;
        if (begins || this.hurried || this.#skipping || !preferences.tell || document.hidden) continue;
        this.#hurry = new AbortController();
        const read = AT_ONCE.has(event.type) ? null : sleep(event === held ? (this.stage().out ? OUT_MS : RESULT_MS) : this.#pause(event), this.#hurry.signal);
        if (RESULT.has(event.type) || !this.stage().alone) await this.stage().play(event);
        this.show({ sketch: (view) => sketch(view, event), held: event === held });
        await read;
      }
    } finally {
      this.show({ game, held: false });
      if (!this.#queue.length) this.hurried = false;
    }
  }
}
