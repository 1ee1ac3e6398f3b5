/** Follows the lobby, without an end. For a player's notices see `noticing`. */

import type { EventSourceMessage } from "eventsource-parser";

import type { GameSummary, LobbyChange } from "../document.js";
import { Pauses } from "../sending/pauses.js";
import { BARREN, Broken, type Line, stream } from "./following.js";

/**
 * Yields the games of the lobby as `opened`, and then each change, until the signal aborts it.
 *
 * It reopens the stream whenever that breaks. If the service then lists the lobby anew, all games so far are `gone` first.
 *
 * @throws Refused, NoAnswer
 */
export async function* lobbyChanges(source: Line<number | undefined>): AsyncGenerator<LobbyChange, void, undefined> {
  const games = new Map<string, GameSummary>();
  const pauses = new Pauses(source.limits.patience, source.signal);
  let cursor: number | undefined;

  async function* read(coming: AsyncIterable<EventSourceMessage>): AsyncGenerator<LobbyChange, void, undefined> {
    let next = cursor === undefined ? undefined : cursor + 1;
    if (next === undefined) yield* gone(games);
    for await (const { id, data } of coming) {
      // A new list has no ids. Also if it is empty, the first message is not the next change.
      if (next !== undefined && Number(id) !== next) yield* gone(games);
      next = undefined;
      if (id !== undefined) cursor = Number(id);
      const change = JSON.parse(data) as LobbyChange;
      if (change.type === "gone") games.delete(change.game.id);
      else games.set(change.game.id, change.game);
      yield change;
    }
  }

  try {
    for (let barren = 0; ; ) {
      try {
        yield* stream(source, cursor, pauses, read);
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        barren = error.barren ? barren + 1 : 0;
        if (barren === BARREN || !(await pauses.take(error.seconds))) throw error.failure;
      }
    }
  } catch (error) {
    if (!source.signal?.aborted) throw error;
  }
}

function* gone(games: Map<string, GameSummary>): Generator<LobbyChange, void, undefined> {
  for (const [id, game] of games) {
    games.delete(id);
    yield { type: "gone", game };
  }
}
