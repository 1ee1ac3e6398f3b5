// What the strong bot would do in the reader's place, and why: when the reader asks for it, and as long as there is that to decide.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { call } from "../../api/client.js";
import { symbol } from "../../cards/symbol.js";
import { t } from "../../words/words.js";
import { reached } from "../choosing/choice.js";

const open = ({ advice, game, hintable }) => hintable && advice?.version === game.version && !advice.hidden;
// The hint that is shown, or null.
const shown = (table) => (open(table) && table.advice.hint) || null;

// Asks for a hint, or hides and shows the one that came: it stays the same until the reader acts.
export async function ask(table) {
  const { game: { id, version }, viewing: { signal } } = table;
  if (!table.hintable) return;
  if (table.advice?.version === version) table.advice.hidden = !table.advice.hidden;
  else {
    const advice = table.advice = { version };
    const outdated = () => table.game.version !== version;
    table.failed = null;
    table.update();
    try {
      advice.hint = await call("GET", `/games/${id}/hint`, undefined, { signal, outdated });
    } catch (problem) {
      if (signal.aborted || outdated()) return;
      Object.assign(table, { advice: null, failed: problem });
    }
  }
  table.update();
}

// On a phone it stands beside what is going on, as the hand takes the place of the question: `place` is its class there.
export const hintButton = (table, place = "") => (table.hintable ? html`<button class="hint-button ${place}" aria-expanded=${open(table)} @click=${() => ask(table)}>${symbol("bulb", "tiny")}${t("hint")}</button>` : nothing);

// Once something is chosen, there are marks instead. On a phone it lies over the button that hides it.
export function hint(table) {
  if (!open(table) || table.chosen.length) return nothing;
  const said = shown(table);
  return html`<div class="hint"><p>${symbol("bulb", "tiny")} ${said ? html`<b>${said.text}</b>` : t("hint.waits")}</p>${said ? html`<ul>${said.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>` : nothing}
    <button class="plain icon close only-small" @click=${() => ask(table)} aria-label=${t("close")}>×</button></div>`;
}

// The same for a screen reader, or null.
export function hinted(table) {
  const said = shown(table);
  return said && [t("hint.is", { text: said.text }), ...said.reasons].join(" ");
}

// Marks, and no choice: on the card that a hint is about, and on the options that lead to what it says.
const bulb = html`<span class="hint-mark">${symbol("bulb", "tiny")}<span class="unseen">${t("hint")}</span></span>`;

export function mark(table, card) {
  const { action } = shown(table) ?? {};
  return action && (action.card ?? action.keep) === card ? bulb : nothing;
}

export function sign(table, { kind, value }) {
  const said = shown(table), wanted = said && JSON.stringify(said.action);
  return said && reached(table.game.legal_actions, [...table.chosen, [kind, value]]).some(({ action }) => JSON.stringify(action) === wanted) ? bulb : nothing;
}
