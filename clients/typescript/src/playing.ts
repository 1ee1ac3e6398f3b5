/** Plays a seat to the end of its game. */

import type { Billet } from "./billet.js";
import type { Call } from "./calls.js";
import type { LegalAction } from "./document.js";
import { GameOver, NotSeated, NotYourTurn, StaleVersion } from "./errors.js";
import type { View } from "./kept.js";
import { PAUSE, WAIT } from "./live/polling.js";
import { dataOf } from "./sending/http.js";
import { Pauses } from "./sending/pauses.js";

/** The legal actions of a seat that must act: at least one. */
export type Legal = readonly [LegalAction, ...LegalAction[]];

/** Chooses one of the legal actions. */
export type Choose = (view: View, legal: Legal) => LegalAction | Promise<LegalAction>;

/** The refusals of an action that came too late. */
const MOVED_ON = [StaleVersion, NotYourTurn, NotSeated, GameOver];

/**
 * Takes the action that `choose` returns whenever the seat must act, and returns the view of the ended game.
 *
 * @throws Refused, NoAnswer
 */
export async function play(billet: Billet, game: string, choose: Choose, call: Call): Promise<View> {
  let view = await billet.view(game, call);
  while (view.viewer === null || view.status === "open" || view.status === "active") {
    if (view.viewer === null) throw new TypeError(`The player has no seat at game ${game}`);
    if (isLegal(view.legal_actions)) {
      view = await move(billet, view, await choose(view, view.legal_actions), call);
    } else {
      await news(billet, view, call);
      view = await billet.view(game, call);
    }
  }
  return view;
}

function isLegal(actions: readonly LegalAction[]): actions is Legal {
  return actions.length > 0;
}

/** Takes an action, and returns the view after it, or the present one if a clock or another device was faster. */
async function move(billet: Billet, view: View, { action }: LegalAction, call: Call): Promise<View> {
  try {
    return (await billet.act(view.id, action, { ...call, ifMatch: view.etag })).game;
  } catch (error) {
    if (!MOVED_ON.some((kind) => error instanceof kind)) throw error;
    const present = await billet.view(view.id, call);
    if (present.version === view.version) throw error;
    return present;
  }
}

/** Waits until the seat must act, or for a while. */
async function news(billet: Billet, { id, version }: View, call: Call): Promise<void> {
  const params = { path: { game_id: id }, query: { after: version, wait: WAIT, until: "turn", limit: 1 } } as const;
  const { events } = dataOf(await billet.http.GET("/v1/games/{game_id}/events", { params, ...call }));
  if (events.length === 0) await new Pauses(Infinity, call.signal).take(PAUSE);
}
