// The games of a match, the latest first: who won how many tokens, and the way to watch each, or why there is none.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { base } from "../api/client.js";
import { t } from "../words/words.js";
import { entrant } from "./words.js";

export function games(part) {
  const { match, page, pages } = part;
  return html`<section class="box" aria-labelledby="games"><h2 id="games">${t("match.games")}</h2>
    ${match.deals === "fresh" || match.state === "ended" ? nothing : html`<p class="quiet">${t("match.sealed.about")}</p>`}
    ${page.items.length ? html`<ul class="played-games">${repeat(page.items, ({ number }) => number, (game) => row(match, game))}</ul>` : html`<p class="quiet">${t("match.games.none")}</p>`}
    ${pages.length > 1 || page.next_cursor ? html`<p class="row"><button ?disabled=${pages.length === 1} @click=${() => part.turn(null)}>${t("match.later")}</button><button ?disabled=${!page.next_cursor} @click=${() => part.turn(page.next_cursor)}>${t("match.earlier")}</button></p>` : nothing}
    <p class="row"><a class="button" href=${new URL(`v1/matches/${match.id}/table`, base)} download="${match.id}.csv">${t("match.table")}</a><a class="button" href=${new URL(`v1/matches/${match.id}`, base)}>${t("match.data")}</a></p></section>`;
}

function row(match, game) {
  const shared = match.deals !== "fresh";
  return html`<li><span class="number"><b>${game.number + 1}</b>${shared ? html` <small>${t("match.deal", { n: game.deal + 1 })}</small>` : nothing}</span>
    <span class="seats">${game.seats.map(({ player, bot, place, tokens }) => html`<span class=${place === 1 ? "first" : nothing}>${entrant({ ...player, bot })}${tokens === null ? nothing : html` <b title=${t("result.tokens")}>${tokens}</b>`}${place === 1 ? html`<span class="unseen"> ${t("result.won")}</span>` : nothing}</span>`)}</span>
    <span class="way">${way(game, shared)}</span></li>`;
}

function way({ game, number, status, secret }, shared) {
  const link = (folder, key) => html`<a class="button" href=${new URL(`${folder}/${game}`, base)} aria-label=${`${t(key)}: ${number + 1}`}>${t(key)}</a>`;
  if (status === "aborted") return html`<small>${t("match.called_off")}</small>`;
  if (shared && secret === null) return html`<small>${t(status === "active" ? "match.sealed.running" : "match.sealed")}</small>`;
  return status === "active" ? link("games", "start.watch") : link("replays", "replay.short");
}
