// The game is over: who has won, what decided it, and where to go from here.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { symbol } from "../cards/symbol.js";
import { share } from "../look/share.js";
import { language, t } from "../words/words.js";
import { standing } from "./middle.js";
import { heading, nameOf, seals } from "./seats.js";

// The token that a card paid to a winner, or what happened before the awards.
const decided = (table) => table.lines.findLast(({ type, data }) => type === "token_awarded"
  ? data.reason !== "round" && table.game.winners.includes(data.seat) : type !== "game_finished")?.text;

export function ending(table) {
  const { game, own } = table;
  if (game.status === "aborted") return html`<section class="ending"><h2>${t("end.aborted")}</h2>${ways(table)}</section>`;
  const won = own && game.winners.includes(own.seat);
  const names = new Intl.ListFormat(language).format(game.winners.map((seat) => nameOf(game.seats[seat], game)));
  const title = won ? (game.winners.length > 1 ? t("end.shared") : t("end.won")) : t("end.other", { names, n: game.winners.length });
  return html`<section class="ending ${won ? "won" : ""}" aria-labelledby="ending">
    <span class="great-seal">${symbol("seal")}</span><h2 id="ending" tabindex="-1">${title}</h2>
    <p class="quiet last">${decided(table)}</p>
    <ul class="quiet">${ranked(game).map((seat) => html`<li class="score"><span>${heading(table, seat)}</span> ${seals(table, seat)}</li>`)}</ul>
    ${table.wanting ? html`<p class="standing own">${standing(table)}</p>` : nothing}${ways(table)}${table.sharing ? share(replayOf(table)) : nothing}</section>`;
}

const ranked = ({ seats, winners }) => seats.toSorted((one, other) => winners.includes(other.seat) - winners.includes(one.seat) || other.tokens - one.tokens);

// The address shows the replay of a game that is not public to anybody, as that of the table does.
function replayOf(table) {
  const code = table.game.join_code ?? table.getAttribute("code");
  return new URL(`replays/${table.game.id}${code ? `#code=${code}` : ""}`, base);
}

// Somebody who was invited accepts by asking for a rematch too.
const ways = (table) => html`<div class="row">
  ${table.game.next_game && !table.wanting ? html`<button class="main" data-option @click=${() => table.go(table.game.next_game)}>${t("end.next")}</button>`
    : table.own && table.game.status === "finished" ? html`<button class="main" data-option @click=${() => table.rematch()}>${t(table.wanting ? "end.join" : "end.rematch")}</button>` : nothing}
  ${table.game.status === "finished" ? html`<a class="button" href=${replayOf(table)}>${t("replay.watch")}</a>
    <button aria-expanded=${Boolean(table.sharing)} @click=${() => { table.sharing = !table.sharing; table.update(); queueMicrotask(() => table.find("billet-share")?.show()); }}>${t("end.share")}</button>` : nothing}
  <a class="button" href=${table.home}>${t("home")}</a></div>`;
