// The cards of a table with their whole texts, each with how many there are of it.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";
import { chip } from "./card.js";

export const reference = (cards) => html`<dl class="reference">${cards.map(([card, n]) => html`<div><dt>${chip(card)} <b>${card.name}</b> <small>${t("copies", { n })}</small></dt>
  <dd>${card.faces.map(({ face, name, text }) => html`<p>${face ? html`<em>${name}:</em> ` : nothing}${text}</p>`)}</dd></div>`)}</dl>`;
