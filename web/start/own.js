// The player's games: those that go on, which wait for them first; and what came of those that have ended.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { base } from "../api/client.js";
import { addressOf, lessonOf } from "../learn/progress.js";
import { played } from "../players/outcome.js";
import { t } from "../words/words.js";
import { sealed, short } from "./lobby.js";

export const MOST = 6;

export const running = (start) => box(start, "own", ({ status }) => status === "open" || status === "active", (game) => html`<li class=${game.your_turn ? "turn" : ""}>
  <span><b>${short(start, game)}</b> <small>${sealed(game)}</small><br><small class="status">${state(game)}</small></span>
  <a class="button" href=${way(game.id)} aria-label=${`${t("start.continue")}: ${short(start, game)}, ${state(game)}`}>${t("start.continue")}</a></li>`);

// A lesson goes on with its coach.
const way = (game) => (lessonOf(game) ? addressOf(lessonOf(game)) : new URL(`games/${game}`, base));

export const ended = (start) => box(start, "ended", ({ status }) => status === "finished", (game) => played(game, account.player?.id, start.editions), start.pages * MOST);

function box(start, id, wanted, row, most = MOST) {
  const all = start.own?.filter(wanted) ?? [], games = all.slice(0, most);
  if (!games.length) return nothing;
  const more = id === "ended" && (all.length > most || start.following);
  return html`<section class="box ${id}" aria-labelledby=${id}><h2 id=${id}>${t(`start.${id}`)}</h2><ul class=${id === "ended" ? "games" : nothing}>${games.map(row)}</ul>
    ${more ? html`<p><button @click=${() => start.earlier(all.length)}>${t("start.earlier")}</button></p>` : nothing}${start.trouble(id)}</section>`;
}

const state = ({ status, your_turn: mine }) => t(status === "open" ? "start.open_state" : mine ? "start.turn" : "start.waiting");
