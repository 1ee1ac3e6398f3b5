/** Follows a game by long-poll, for networks where streams do not get through. */

import type { Frame, GameEvent } from "../document.js";
import { Pauses } from "../sending/pauses.js";

/** How long one long-poll waits, in seconds. */
export const WAIT = 20;
/** The pause in seconds after a wait without an item, so that waits that end at once cause no flood. */
export const PAUSE = 1;

/** An event or a frame. */
export type Item = GameEvent | Frame;

/** Fetches the items after a version, and waits for the first. */
export type Page<I extends Item> = (after: number) => Promise<{ readonly items: readonly I[]; readonly finished: boolean }>;

/** Returns the version of an event, or of the first event of a frame. */
export function firstOf(item: Item): number {
  return "events" in item ? (item.events[0]?.version ?? item.version) : item.version;
}

/**
 * Yields what follows a version until the game ends.
 *
 * @throws Refused, NoAnswer, or the signal's reason
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
