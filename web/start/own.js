// One's own games, those that wait for oneself first.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { t } from "../words/words.js";
import { people, short } from "./lobby.js";

export function ownGames(start) {
  const games = start.own?.filter(({ status }) => status !== "aborted").slice(0, 6);
  if (!games?.length) return nothing;
  return html`<section class="box own" aria-labelledby="own"><h2 id="own">${t("start.own")}</h2><ul>${games.map((game) => html`<li class=${game.your_turn ? "turn" : ""}>
    <span><b>${short(start, game)}</b> <small>${people(game)}</small><br><small class="status">${state(game)}</small></span>
    <a class="button" href=${new URL(`games/${game.id}`, base)} aria-label=${`${way(game)}: ${short(start, game)}, ${state(game)}`}>${way(game)}</a></li>`)}</ul></section>`;
}

const way = ({ status }) => t(status === "finished" ? "start.look" : "start.continue");

const state = ({ status, your_turn: mine }) => t(status === "open" ? "start.open_state" : status === "finished" ? "start.finished" : mine ? "start.turn" : "start.waiting");
