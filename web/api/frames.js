// Frames of a game: {version, events, game}, one per step, without gap or repeat, until the game ends.
// The only module that knows how they come: today from the event stream and the view.
import { account } from "./account.js";
import { base, call, setLine, sleep } from "./client.js";
import { language } from "../words/words.js";

const TYPES = `game_created seat_taken seat_vacated seat_offered seat_declined offer_withdrawn reveal_started nonce_revealed
  game_started round_started turn_started card_drawn card_played card_resolved card_revealed seat_protected seat_bound
  seat_marked hand_shown hands_compared hands_traded hand_taken card_received hands_given hand_discarded cards_returned
  knocked_out decision_opened decision_taken hands_revealed round_ended token_awarded time_spent seat_timed_out
  seat_taken_back seat_left game_finished game_aborted secret_revealed`.split(/\s+/);

export class Frames {
  #stop = new AbortController();
  #source;
  #collected = [];
  #timer;
  version = 0;

  constructor(game, code, take) {
    this.path = `/games/${game}`;
    this.code = code;
    this.take = take;
  }

  async start() {
    const game = await this.#view();
    this.version = game.version;
    this.take({ version: game.version, events: [], game });
    if (!game.finished_at) this.#follow();
  }

  stop() {
    this.#stop.abort();
    this.#source?.close();
    clearTimeout(this.#timer);
  }

  // The answer of an own action is the next frame; the stream brings it again, and that is dropped.
  add(frame) {
    if (frame.version <= this.version) return;
    const events = frame.events.filter(({ version }) => version > this.version);
    this.version = frame.version;
    this.#collected = this.#collected.filter(({ version }) => version > frame.version);
    this.take({ ...frame, events });
  }

  async history() {
    const asked = new URLSearchParams({ text: "true", limit: "1000", ...(this.code && { join_code: this.code }) });
    return (await call("GET", `${this.path}/events?${asked}`)).events;
  }

  #view() {
    return call("GET", this.path + (this.code ? `?join_code=${this.code}` : ""), undefined, { signal: this.#stop.signal });
  }

  async #follow() {
    const asked = new URLSearchParams({ text: "true", after: this.version, lang: language });
    if (this.code) asked.set("join_code", this.code);
    asked.delete("lang");
    try {
      if (account.token) asked.set("ticket", (await call("POST", `${this.path}/tickets`, undefined, { signal: this.#stop.signal })).ticket);
    } catch { return; }
    if (this.#stop.signal.aborted) return;
    const source = this.#source = new EventSource(new URL(`v1${this.path}/events/stream?${asked}`, base));
    source.onopen = () => setLine(null);
    source.onerror = async () => {
      source.close();
      if (this.#stop.signal.aborted || this.over) return;
      setLine("lost");
      await sleep(1000, this.#stop.signal);
      if (!this.#stop.signal.aborted) this.#follow();
    };
    for (const type of TYPES) source.addEventListener(type, ({ data }) => this.#collect(JSON.parse(data)));
  }

  #collect(event) {
    if (event.version <= this.version) return;
    this.#collected.push(event);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const game = await this.#view().catch(() => null);
      if (!game || game.version <= this.version) return;
      const events = this.#collected.filter(({ version }) => version > this.version && version <= game.version);
      if (events.at(-1)?.version !== game.version) return; // the rest is on its way, and comes back here
      this.over = game.finished_at !== null;
      this.add({ version: game.version, events, game });
    }, 30);
  }
}
