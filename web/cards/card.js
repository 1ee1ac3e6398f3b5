// Cards as templates: a face, a back, a chip. Value and name are always printed, or the accessible name.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";
import { sign, symbol } from "./symbol.js";

// The face of a card of an edition's book; `text` is how much of it: nothing, "short" or "long".
export function face(card, { edition, text = "short", mark = nothing } = {}) {
  const letters = Math.max(...card.name.split(/[ -]/).map((word) => word.length)); // of the longest word, which must fit in a line
  return html`<span class="card face" .style=${`--colour: ${card.colour}; --letters: ${letters}`}>
    <span class="corner"><b class="value">${card.value}</b>${sign(edition)}</span>
    ${symbol(card.symbol)}
    <b class="name">${card.name}</b>
    ${text ? html`<span class="text">${text === "long" ? card.text : card.short_text}</span>` : nothing}
    ${card.insanity ? html`<span class="madness">${symbol("tentacles", "tiny")}<span class="unseen">${t("card.insanity")}</span></span>` : nothing}
    ${mark}
  </span>`;
}

export const back = () => html`<span class="card back"><svg viewBox="0 0 50 70" aria-hidden="true" preserveAspectRatio="none">
  <path d="M1 1 25 38 49 1M1 69 20 31M49 69 30 31"></path><circle cx="25" cy="37" r="8"></circle>
  <path class="stamp" d="M25 41.500c-3-2.300-4.500-3.800-4.500-5.800a2.300 2.300 0 0 1 4.500-.7 2.300 2.300 0 0 1 4.500.7c0 2-1.500 3.500-4.500 5.800z"></path></svg></span>`;

const chipOf = (card) => html`<b aria-hidden="true">${card.value}</b>${symbol(card.symbol, "tiny")}<span class="unseen">${`${card.value} ${card.name}`}</span>`;

// A card as small as can be read, beside its name.
export const chip = (card) => html`<span class="chip" .style=${`--colour: ${card.colour}`}>${chipOf(card)}</span>`;

// The same on the table, where it shows its text; one of a row is a stop of the tab key.
export const lying = (card, place = 0) => html`<button class="chip" data-card=${card.card} data-tells tabindex=${place ? -1 : 0} .style=${`--colour: ${card.colour}`}>${chipOf(card)}</button>`;
