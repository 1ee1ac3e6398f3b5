/** Follows a game by asking for its events again and again, for where streams do not get through. */

import type { EventPage, GameEvent } from "./document.js";
import { Pauses } from "./pauses.js";

/** Seconds of one long-poll; unlike streams, of which a player has a few, any number of games may wait so. */
export const WAIT = 20;
/** Seconds after a wait that brought nothing, so that one that is cut short each time is no flood. */
const PAUSE = 1;

/** Asks for the events after a version, and waits for one. */
export type Page = (after: number) => Promise<EventPage>;

/**
 * Yields the events after a version until the game ends.
 *
 * @throws Refused, NoAnswer, and what the signal was aborted with
 */
export async function* polled(
  page: Page,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<GameEvent, void, undefined> {
  for (let version = after; ; ) {
    const { events, finished } = await page(version);
    for (const event of events) {
      signal?.throwIfAborted();
      version = event.version;
      yield event;
    }
    if (finished) return;
    if (events.length === 0) await new Pauses(Infinity, signal).take(PAUSE);
  }
}
