// How the chosen edition is played: the aim, a round, and the cards for the chosen number of players.
import { html } from "../vendor/lit-html/lit-html.js";
import { book, counted } from "../api/editions.js";
import { reference } from "../cards/reference.js";
import { close, dialog, open } from "../look/dialog.js";
import { t } from "../words/words.js";

export const asking = (start) => html`<button class="plain how" @click=${() => explain(start)}>${t("rules")}</button>`;

async function explain(start) {
  const { edition } = start.setup;
  try {
    start.failed = null;
    const found = await book(edition);
    if (edition !== start.setup.edition) return explain(start); // another one has been chosen meanwhile
    start.explained = found;
    open(start, "rules");
  } catch ({ message }) {
    start.failed = { place: "rules", message };
  }
  start.update();
}

export const rules = (start) => dialog(start, "rules", () => {
  const { explained, setup } = start;
  return html`<div class="top"><h2 id="rules">${t("rules")}</h2><button class="plain icon" @click=${close} aria-label=${t("close")}>×</button></div>
    <p class="quiet">${explained.title}</p><p class="aim">${t("rules.aim")}</p><p>${explained.text}</p>
    <h3>${t("tab.reference")}</h3>${reference(counted(explained, setup.seats))}`;
}, { kind: "rules" });
