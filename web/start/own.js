// The player's games, those that wait for them first; ended ones apart.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { t } from "../words/words.js";
import { people, short } from "./lobby.js";

export const running = (start) => box(start, "own", t("start.own"), ({ status }) => status === "open" || status === "active");
export const ended = (start) => box(start, "ended", t("start.ended"), ({ status }) => status === "finished");

function box(start, id, title, wanted) {
  const games = start.own?.filter(wanted).slice(0, 6);
  if (!games?.length) return nothing;
  return html`<section class="box ${id}" aria-labelledby=${id}><h2 id=${id}>${title}</h2><ul>${games.map((game) => html`<li class=${game.your_turn ? "turn" : ""}>
    <span><b>${short(start, game)}</b> <small>${people(game)}</small><br><small class="status">${state(game)}</small></span>
    <a class="button" href=${new URL(`games/${game.id}`, base)} aria-label=${`${way(game)}: ${short(start, game)}, ${state(game)}`}>${way(game)}</a></li>`)}</ul></section>`;
}

const way = ({ status }) => t(status === "finished" ? "start.look" : "start.continue");

const state = ({ status, your_turn: mine }) => t(status === "open" ? "start.open_state" : status === "finished" ? "start.finished" : mine ? "start.turn" : "start.waiting");
