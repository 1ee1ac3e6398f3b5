// The game is over: who has won, what decided it, and where to go from here.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base, call } from "../api/client.js";
import { face } from "../cards/card.js";
import { symbol } from "../cards/symbol.js";
import { seal } from "../look/seal.js";
import { share } from "../look/share.js";
import { language, t } from "../words/words.js";
import { standing } from "./middle.js";
import { nameOf } from "./seats.js";

const reviews = new Map(), percent = new Intl.NumberFormat(language, { style: "percent" });

// In one sentence: who has left the others alone, or how the last round ended and which token that made, if one card did not win
// the game at once. There may be more tokens than are needed: the first that was enough decided.
function decided({ lines, game, card, tokensToWin: need }) {
  const ended = lines.findLast(({ type }) => type === "round_ended"), last = lines.findLast(({ type }) => type !== "game_finished");
  if (last?.type === "seat_left") return last.text;
  const [winner] = game.winners, { tokens } = game.seats[winner];
  const token = lines.filter(({ type, data }) => type === "token_awarded" && data.seat === winner).at(Math.min(0, need - tokens) - 1);
  if (!ended || token?.data.kind !== "favor") return (ended ?? last)?.text;
  const { reason } = token.data, places = { result: ended.text, n: Math.min(need, tokens), need };
  return reason === "round" ? t("end.why.round", places) : t("end.why.card", { ...places, card: card(reason).name });
}

// The card that turned the game if it has been reviewed, or else its last, as a picture that opens the replay there.
function moment(table) {
  const swing = reviewOf(table)?.swing, cards = table.lines.filter(({ type }) => type === "card_played");
  const turned = swing && cards.find(({ version }) => version === swing.version + 1), played = turned ?? cards.at(-1);
  return played ? html`<a class="moment" href=${replayOf(table, played.version)}>${face(table.card(played.data.card), { edition: table.game.edition, text: "" })}<span><b>${t(turned ? "end.turned" : "end.moment")}</b> ${played.text}${turned ? html`<br><i>${t("end.swing", { name: nameOf(table.game.seats[swing.seat], table.game), before: percent.format(swing.before), after: percent.format(swing.after) })}</i>` : nothing}</span></a>` : nothing;
}

// Asked for once for each game; null unless somebody has had it reviewed, which nobody can while it is sealed.
function reviewOf(table) {
  if (table.sealed) return null;
  const { id, join_code: own } = table.game, code = own ?? table.getAttribute("code");
  if (!reviews.has(id)) {
    reviews.set(id, null);
    call("GET", `/games/${id}/review?begin=false${code ? `&join_code=${encodeURIComponent(code)}` : ""}`).then((said) => { if (said.chances) reviews.set(id, said); table.update(); }, () => {});
  }
  return reviews.get(id);
}

// The rounds with their winners, each leading to its end in the replay.
const strip = (table) => html`<ol class="strip" aria-label=${t("end.rounds")}>${table.lines.filter(({ type }) => type === "round_ended").map(({ version, data, text }) => html`<li><a href=${replayOf(table, version)} title=${text}>
  <span aria-hidden="true">${data.number}</span>${data.winners.map((seat) => seal(table.game.seats[seat].player))}<span class="unseen">${text}</span></a></li>`)}</ol>`;

export function ending(table) {
  const { game, own } = table;
  if (game.status === "aborted") return html`<section class="ending"><h2>${t("end.aborted")}</h2>${ways(table)}</section>`;
  const won = own && game.winners.includes(own.seat);
  const names = new Intl.ListFormat(language).format(game.winners.map((seat) => nameOf(game.seats[seat], game)));
  const title = won ? (game.winners.length > 1 ? t("end.shared") : t("end.won")) : t("end.other", { names, n: game.winners.length });
  return html`<section class="ending ${won ? "won" : ""}" aria-labelledby="ending">
    <span class="great-seal">${symbol("seal")}</span><h2 id="ending" tabindex="-1">${title}</h2>
    <p class="last">${decided(table)}</p>
    ${table.wanting ? html`<p class="standing own">${standing(table)}</p>` : nothing}${table.coached ? nothing : html`${ways(table)}
    ${table.sharing ? share(replayOf(table)) : nothing}
    <div class="looking-back">${moment(table)}${strip(table)}</div>`}</section>`;
}

// The address shows the replay of a game that is not public to anybody, as that of the table does; a sealed one as its player saw it.
function replayOf(table, at = null, review = false) {
  const code = table.game.join_code ?? table.getAttribute("code");
  const asked = new URLSearchParams({ ...(at && { at }), ...(table.sealed && table.own && { as: table.own.seat }), ...(review && { review: 1 }) });
  return new URL(`replays/${table.game.id}${asked.size ? `?${asked}` : ""}${code ? `#code=${code}` : ""}`, base);
}

// Somebody who was invited accepts by asking for a rematch too.
const ways = (table) => html`<div class="row">
  ${table.game.next_game && !table.wanting ? html`<button class="main" data-option @click=${() => table.go(table.game.next_game)}>${t("end.next")}</button>`
    : table.own && table.game.status === "finished" ? html`<button class="main" data-option @click=${() => table.rematch()}>${t(table.wanting ? "end.join" : "end.rematch")}</button>` : nothing}
  ${table.game.status === "finished" ? html`<a class="button" href=${replayOf(table)}>${t("replay.watch")}</a>${table.sealed ? nothing : html`
    <a class="button" href=${replayOf(table, null, true)}>${t("end.review")}</a>
    <button aria-expanded=${Boolean(table.sharing)} @click=${() => { table.sharing = !table.sharing; table.update(); queueMicrotask(() => table.find("billet-share")?.show()); }}>${t("end.share")}</button>`}` : nothing}
  ${table.game.deal?.startsWith("daily/") ? html`<a class="button" href=${new URL("daily", base)}>${t("daily.link")}</a>` : nothing}
  <a class="button" href=${table.home}>${t("home")}</a></div>`;
