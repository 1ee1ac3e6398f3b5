/** Reads a player's notices on all their games, without an end. For the events of one game see `following`. */

import type { Notice, NoticePage } from "../document.js";
import { CursorGone } from "../errors.js";
import { Pauses } from "../sending/pauses.js";
import { PAUSE } from "./polling.js";

/** Fetches the notices after a cursor, and waits for the first; without a cursor, what is open now. */
export type FetchPage = (after: number | undefined) => Promise<NoticePage>;

/**
 * Yields the notices after a cursor; without one, what is open now and then all that follow. Its signal ends it silently.
 *
 * @throws Refused, NoAnswer
 */
export async function* noticed(
  fetchPage: FetchPage,
  after: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Notice, void, undefined> {
  let cursor = after;
  while (!signal?.aborted) {
    try {
      const page = await fetchPage(cursor);
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
