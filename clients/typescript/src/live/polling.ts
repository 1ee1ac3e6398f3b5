/** Follows a game by asking for its events or frames again and again, for where streams do not get through. */

import type { Frame, GameEvent } from "../document.js";
import { Pauses } from "../sending/pauses.js";

/** Seconds of one long-poll; unlike streams, of which a player has a few, any number of games may wait so. */
export const WAIT = 20;
/** Seconds after a wait that brought nothing, so that one that is cut short each time is no flood. */
const PAUSE = 1;

/** What is followed. */
export type Item = GameEvent | Frame;

/** Asks for what comes after a version, and waits for something. */
export type Page<I extends Item> = (after: number) => Promise<{ readonly items: readonly I[]; readonly finished: boolean }>;

/** The version of an event, or of the first event of a frame. */
export function firstOf(item: Item): number {
  return "events" in item ? (item.events[0]?.version ?? item.version) : item.version;
}

/**
 * Yields what comes after a version until the game ends.
 *
 * @throws Refused, NoAnswer, and what the signal was aborted with
 */
export async function* polled<I extends Item>(
  page: Page<I>,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<I, void, undefined> {
  for (let version = after; ; ) {
    const { items, finished } = await page(version);
    for (const item of items) {
      signal?.throwIfAborted();
      version = item.version;
      yield item;
    }
    if (finished) return;
    if (items.length === 0) await new Pauses(Infinity, signal).take(PAUSE);
  }
}
