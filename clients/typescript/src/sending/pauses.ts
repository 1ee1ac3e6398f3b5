/** How long to wait between two attempts, and when to give up. */

const FIRST = 100;
const LONGEST = 5_000;

/** The pauses of one call, or of one who follows a game: each longer than the last, until patience is over. */
export class Pauses {
  readonly #patience: number;
  readonly #signal: AbortSignal | undefined;
  #taken = 0;
  #until: number | undefined;

  constructor(patience: number, signal: AbortSignal | undefined) {
    this.#patience = patience;
    this.#signal = signal;
  }

  /**
   * Waits before another attempt, at least so many seconds. Returns false at once if that would take too long.
   *
   * @throws what the signal was aborted with
   */
  async take(seconds = 0): Promise<boolean> {
    const now = performance.now();
    this.#until ??= now + this.#patience;
    const step = Math.min(LONGEST, FIRST * 2 ** this.#taken++);
    // By chance, or those who were cut off together would come back together.
    const pause = 1000 * seconds + step * (0.5 + Math.random() / 2);
    if (now + pause > this.#until) return false;
    await sleep(pause, this.#signal);
    return true;
  }

  /** The service has answered: patience begins anew, pauses stay as long as they are. */
  answered(): void {
    this.#until = undefined;
  }

  /** Something came of it: the next pause is a short one again. */
  progressed(): void {
    this.#until = undefined;
    this.#taken = 0;
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}
