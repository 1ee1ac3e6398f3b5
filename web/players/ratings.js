// A player's ratings by pool: the figure, how certain it is, and how it came about, as a plot and as a table.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { plot } from "../look/plot.js";
import { t } from "../words/words.js";
import { dated, spanned } from "./outcome.js";
import { poolName } from "./pools.js";

// Of fewer there is nothing to see.
const LEAST_POINTS = 3;

export function ratings(part) {
  const { page, ratings: pools } = part;
  return html`<section class="box" aria-labelledby="ratings"><h2 id="ratings">${t("ratings")}</h2>
    ${!page.ratings ? html`<p class="quiet">${t("player.hidden")}</p>` : pools.length ? pools.toSorted((one, other) => other.games - one.games).map((one) => pool(one, part)) : html`<p class="quiet">${t("ratings.none")}</p>`}
    ${pools?.length ? meaning() : nothing}</section>`;
}

// What stands beside ratings wherever they are shown.
export const meaning = () => html`<details><summary>${t("ratings.means")}</summary><p class="quiet">${t("ratings.means.text")} <a rel="external" href=${new URL("docs/ratings", base)}>${t("ratings.about")}</a></p></details>`;

function pool({ pool: id, rating, deviation, games, provisional, rank, history }, { editions, page }) {
  return html`<article class="pool" aria-label=${poolName(id, editions)}><h3><a href=${new URL(`leaderboards/${encodeURIComponent(id)}`, base)}>${poolName(id, editions)}</a></h3>
    <p class="rating"><b>${rating}</b> <span class="quiet">± ${2 * deviation}</span>${provisional ? html` <span class="mark" title=${t("ratings.provisional.why")}>${t("ratings.provisional")}</span>` : nothing}
      <span class="quiet games-of">${t("ratings.games", { n: games })}</span>
      ${rank ? html`<a href=${new URL(`leaderboards/${encodeURIComponent(id)}?around=${page.id}`, base)}>${t("ratings.rank", { rank })}</a>` : nothing}</p>
    ${history.length >= LEAST_POINTS ? drawn(history) : nothing}</article>`;
}

function drawn(history) {
  const points = history.map(({ rating: value, deviation }) => ({ value, least: value - 2 * deviation, most: value + 2 * deviation }));
  // Of a program, each game was played by one.
  const versions = history.some(({ version }) => version);
  const first = history[0], last = history.at(-1), values = history.map(({ rating }) => rating);
  return html`<figure>${plot(points, spanned(first.ended_at, last.ended_at), { named: String })}
    <figcaption class="unseen">${t("ratings.plot", { first: first.rating, last: last.rating, n: history.length, least: Math.min(...values), most: Math.max(...values) })}</figcaption></figure>
    <details><summary>${t("ratings.table")}</summary><div class="scrolls" tabindex="0" role="group" aria-label=${t("ratings.table")}><table><thead><tr><th scope="col">${t("ratings.date")}</th><th scope="col">${t("ratings.rating")}</th><th scope="col">±</th>${versions ? html`<th scope="col">${t("ratings.version")}</th>` : nothing}</tr></thead>
      <tbody>${history.toReversed().map(({ game, ended_at: at, rating, deviation, version }) => html`<tr><td><a href=${new URL(`replays/${game}`, base)}>${dated(at)}</a></td><td>${rating}</td><td>${2 * deviation}</td>${versions ? html`<td>${version}</td>` : nothing}</tr>`)}</tbody></table></div></details>`;
}
