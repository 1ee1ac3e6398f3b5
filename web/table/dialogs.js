// What opens over the table: the keys, and whether one really means to resign.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";

const KEYS = ["digits", "arrows", "enter", "escape", "r", "l", "u", "n", "m", "click"];

export function dialogs(table) {
  // The browser tells of a close a little later: by then the dialog may be open again.
  const close = (name) => ({ target }) => { if (!target.open) { table[name] = null; table.update(); } };
  return html`
    ${table.helping ? html`<dialog aria-labelledby="keys-title" @close=${close("helping")}><h2 id="keys-title">${t("keys")}</h2>
      <dl class="key-list">${(table.keyNames ?? KEYS).map((key) => html`<div><dt>${t(`key.${key}`)}</dt><dd>${t(`key.${key}.does`)}</dd></div>`)}</dl>
      <button autofocus @click=${(event) => event.target.closest("dialog").close()}>${t("close")}</button></dialog>` : nothing}
    ${table.resigning ? html`<dialog aria-labelledby="resign-title" @close=${close("resigning")}><h2 id="resign-title">${t("resign.title")}</h2><p>${t("resign.text")}</p>
      <p class="row"><button class="main" @click=${(event) => { event.target.closest("dialog").close(); table.leave(); }}>${t("resign")}</button>
      <button autofocus @click=${(event) => event.target.closest("dialog").close()}>${t("resign.stay")}</button></p></dialog>` : nothing}`;
}
