// How often a player won, shared and lost: against whom, and against the reader.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { t } from "../words/words.js";
import { outcome, played } from "./outcome.js";
import { person } from "./person.js";

const AGAINST = ["people", "programs", "bots"], RESULTS = ["won", "shared", "lost"];
// So many of the games together are shown.
const MOST_SHOWN = 5;

export function record({ page: { record: found } }) {
  const rows = AGAINST.filter((kind) => found && RESULTS.some((result) => found[kind][result]));
  return html`<section class="box" aria-labelledby="record"><h2 id="record">${t("record")}</h2>
    ${!found ? html`<p class="quiet">${t("player.hidden")}</p>` : !rows.length ? html`<p class="quiet">${t("record.none")}</p>` : html`<table class="record"><thead><tr><td></td>${RESULTS.map((result) => html`<th scope="col">${t(`result.${result}`)}</th>`)}</tr></thead>
      <tbody>${rows.map((kind) => html`<tr><th scope="row">${t(`record.${kind}`)}</th>${RESULTS.map((result) => html`<td>${found[kind][result]}</td>`)}</tr>
        <tr class="shares" aria-hidden="true"><td colspan="4">${shares(found[kind])}</td></tr>`)}</tbody></table>`}</section>`;
}

const shares = (tally) => html`<span class="bar">${RESULTS.filter((result) => tally[result]).map((result) => html`<i class=${result} .style=${`flex-grow: ${tally[result]}`}></i>`)}</span>`;

// The latest public games that the reader and the player were in together.
export function between({ own, page, shared, editions }) {
  const reader = account.player;
  if (own || !shared?.length) return nothing;
  const won = (id) => shared.filter((game) => outcome(game, id) === "won").length, both = shared.filter((game) => outcome(game, reader.id) === "shared" && outcome(game, page.id) === "shared").length;
  return html`<section class="box" aria-labelledby="between"><h2 id="between">${t("between")}</h2>
    <ul class="versus">${[{ ...reader, kind: "human" }, page].map((one) => html`<li>${person(one)}<span><b>${won(one.id)}</b> <span class="quiet">${t("between.wins", { n: won(one.id) })}</span></span></li>`)}</ul>
    <p class="quiet">${t("between.games", { n: shared.length })}${both ? ` ${t("between.shared", { n: both })}` : nothing}</p>
    <ul class="games">${shared.slice(0, MOST_SHOWN).map((game) => played(game, reader.id, editions))}</ul></section>`;
}
