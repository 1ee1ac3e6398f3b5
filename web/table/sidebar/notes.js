// Notes: for each rival and card a mark that the reader makes, as on a sheet of paper. Nobody else sees them.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dealt } from "../../api/editions.js";
import { chip } from "../../cards/card.js";
import { t } from "../../words/words.js";
import { keep, markOf, marks } from "./marks.js";
import { around, nameOf } from "../seats.js";

const NEXT = { none: "may", may: "not", not: "none" };
const SIGNS = { none: "", may: "?", not: "×" };

export function notes(table) {
  const { game } = table;
  // A player who is out keeps a hidden column, so that the other columns and the focus stay where they are.
  const seats = around(game), rivals = seats.filter(({ in_round: playing }) => playing), cards = dealt(table.book, game.seats.length);
  const [row, noting] = table.noting ?? [0], column = rivals.find(({ seat }) => seat === noting) ?? rivals[0];
  const mark = (seat, card, changed) => { keep(game, { ...marks(game), [`${seat} ${card}`]: changed }); table.update(); };
  const cell = (seat, card, line) => {
    const now = markOf(game, seat.seat, card.card);
    return html`<td ?hidden=${!seat.in_round}><button class="mark ${now}" tabindex=${line === row && seat === column ? 0 : -1} aria-label=${t(`notes.${now}`, { name: nameOf(seat, game), card: card.name })}
      @focus=${() => { table.noting = [line, seat.seat]; table.update(); }} @click=${() => mark(seat.seat, card.card, NEXT[now])}>${SIGNS[now]}</button></td>`;
  };
  return html`<p class="quiet">${t("notes.about")}</p>${rivals.length ? html`<table class="notes ${rivals.length > 3 ? "many" : ""}" aria-label=${t("tab.notes")} @keydown=${(event) => walk(event)}>
    <thead><tr><td></td>${seats.map((seat) => html`<th scope="col" ?hidden=${!seat.in_round} title=${nameOf(seat, game)}><bdi>${nameOf(seat, game)}</bdi></th>`)}</tr></thead>
    <tbody>${cards.map((card, line) => html`<tr><th scope="row"><span class="of">${chip(card)}<span aria-hidden="true">${card.name}</span></span></th>${seats.map((seat) => cell(seat, card, line))}</tr>`)}</tbody></table>
    <button ?disabled=${!Object.values(marks(game)).some((one) => one !== "none")} @click=${() => { keep(game, {}); table.update(); }}>${t("notes.clear")}</button>` : nothing}`;
}

// One mark is a stop of the tab key; arrows lead to the others.
function walk(event) {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const rows = [...event.currentTarget.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td:not([hidden]) button")]);
  const at = rows.findIndex((row) => row.includes(event.target));
  rows[at + step[0]]?.[rows[at].indexOf(event.target) + step[1]]?.focus();
}
