/** Reads what a player is told of all their games, without an end; the events of one game are in `following`. */

import type { Notice, NoticePage } from "../document.js";
import { CursorGone } from "../errors.js";
import { Pauses } from "../sending/pauses.js";

/** Seconds after a wait that brought nothing, so that one that is cut short each time is no flood. */
const PAUSE = 1;

/** Asks for what comes after a cursor, and waits for it; without one for what is open now. */
export type Told = (after: number | undefined) => Promise<NoticePage>;

/**
 * Yields the notices after a cursor, or what is open now and then whatever comes; it ends quietly by its signal.
 *
 * @throws Refused, NoAnswer
 */
export async function* noticed(
  told: Told,
  after: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Notice, void, undefined> {
  let cursor = after;
  while (!signal?.aborted) {
    try {
      const page = await told(cursor);
      yield* page.events;
      if (cursor !== undefined && page.events.length === 0) await new Pauses(Infinity, signal).take(PAUSE);
      cursor = page.cursor;
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof CursorGone)) throw error;
      cursor = undefined;
    }
  }
}
