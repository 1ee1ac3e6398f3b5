/** Decides how long to wait between two attempts, and when to give up. */

const FIRST = 100;
const LONGEST = 5_000;

/** The pauses between the attempts of a call or of a feed: each longer than the last, until the patience is used up. */
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
   * Waits before another attempt, at least so many seconds. Returns false at once if that would exceed the patience.
   *
   * @throws the signal's reason
   */
  async take(seconds = 0): Promise<boolean> {
    const now = performance.now();
    this.#until ??= now + this.#patience;
    const step = Math.min(LONGEST, FIRST * 2 ** this.#taken++);
    // Random, so that clients that were cut off together do not return together.
    const pause = 1000 * seconds + step * (0.5 + Math.random() / 2);
    if (now + pause > this.#until) return false;
    await sleep(pause, this.#signal);
    return true;
  }

  /** Notes that the service has answered: the patience begins anew, pauses stay as long as they are. */
  answered(): void {
    this.#until = undefined;
  }

  /** Notes that the attempt brought something: the next pause is short again. */
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
