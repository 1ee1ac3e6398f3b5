// Looks at something again and again while the page is looked at, until it says that nothing of it changes any more.
import { sleep } from "../api/client.js";

const PAUSE_MS = 3000;

export class Looking {
  #stopped = null;
  #seen = () => (document.hidden ? this.#stopped?.abort() : this.#go());

  // `look` returns whether it is to be looked at again.
  constructor(look) { this.look = look; }

  start() {
    document.addEventListener("visibilitychange", this.#seen);
    this.#go();
  }

  stop() {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#stopped?.abort();
  }

  async #go() {
    this.#stopped?.abort();
    const { signal } = this.#stopped = new AbortController();
    while (!signal.aborted && await this.look(signal)) await sleep(PAUSE_MS, signal);
  }
}
