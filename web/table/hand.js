// The reader's own seat: seals, discards, and the hand as large cards, each a button while a card is asked for.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { back, face, lying } from "../cards/card.js";
import { t } from "../words/words.js";
import { mark } from "./aids/hint.js";
import { arrows, asking } from "./choosing/asking.js";
import { bubble } from "./reactions.js";
import { discards, heading, seals, states } from "./seats.js";

export function ownHand(table) {
  const { own, game } = table;
  if (!own) return nothing;
  return html`<section class="mine ${game.to_act === own.seat && game.status === "active" ? "acts" : ""} ${own.in_round || !game.round ? "" : "gone"}"
      aria-label=${t("mine")}>
    <div class="who"><h2>${heading(table, own)} <small>${t("you")}</small>${bubble(table, own)}</h2>${seals(table, own)}${states(table, own)}${game.finished_at && own.hand.length ? html`<span class="backs">${own.hand.filter(Boolean).map((card) => lying(table.card(card)))}</span>` : nothing}${game.round ? discards(table, own) : nothing}</div>
    ${game.finished_at ? nothing : html`<div class="held">${table.replaced && !table.source ? html`<button class="main take-back" @click=${() => table.back()}>${t("seat.back")}</button>` : nothing}
      <div class="hand count-${own.hand.length}" data-place="hand-${own.seat}" @keydown=${(event) => arrows(event, table)}>${own.hand.map((card) => held(table, card))}
        ${own.left && !table.source ? html`<a class="button" href=${table.home}>${t("home")}</a>` : own.hand.length || !game.round ? nothing : html`<p class="quiet">${t(own.in_round ? "hand.empty" : game.round.seats.includes(own.seat) ? "hand.out" : "hand.not_in")}</p>${table.out && !table.source && !table.held ? html`<button class="skip" @click=${() => table.viewing.skip()}>${t("round.skip")}</button>` : nothing}`}</div>
      ${asking(table)}
    </div>`}
  </section>`;
}

function held(table, id) {
  const { asked, game } = table;
  if (id === null) return back();
  const card = table.card(id);
  const cards = asked?.cards ?? [];
  const may = cards.includes(id);
  const chosen = asked?.taken.some(({ kind, value, skipped }) => kind === "card" && value === id && (!skipped || cards.length === 1));
  const options = { edition: game.edition, text: "short", mark: mark(table, id) };
  if (!cards.length) return html`<button class="held-card" data-card=${id} data-tells>${face(card, options)}</button>`;
  return html`<button data-card=${id} class="held-card ${may ? "may" : "may-not"} ${chosen ? "chosen" : ""}" ?data-option=${may && asked.kind === "card"} aria-pressed=${chosen}
    aria-disabled=${!may} aria-description=${may ? "" : t("hand.may_not")}
    @click=${() => (may ? table.take(id) : table.whyCard(id))}>
    ${face(card, options)}${may && asked.kind === "card" ? html`<kbd aria-hidden="true">${cards.indexOf(id) + 1}</kbd>` : nothing}</button>`;
}
