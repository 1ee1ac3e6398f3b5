// What opens over the table: the keys, days off, and whether one really means to resign.
import { html } from "../vendor/lit-html/lit-html.js";
import { breakDialog } from "./breaks.js";
import { close, dialog } from "../look/dialog.js";
import { t } from "../words/words.js";

const KEYS = ["digits", "arrows", "enter", "escape", "h", "r", "l", "u", "n", "e", "m", "click"];

export const resignable = ({ own, game }) => Boolean(own && game.status === "active" && !own.left);

export const dialogs = (table) => html`
  ${dialog(table, "keys", () => html`<h2 id="keys">${t("keys")}</h2>
    <dl class="key-list">${(table.keyNames ?? KEYS).map((key) => html`<div><dt>${t(`key.${key}`)}</dt><dd>${t(`key.${key}.does`)}</dd></div>`)}</dl>
    <button autofocus @click=${close}>${t("close")}</button>`)}
  ${dialog(table, "resign", () => html`<h2 id="resign">${t("resign.title")}</h2><p>${t("resign.text")}</p>
    <p class="row"><button @click=${(event) => { close(event); table.leave(); }}>${t("resign")}</button>
    <button autofocus @click=${close}>${t("resign.stay")}</button></p>`, { holds: resignable(table) })}
  ${breakDialog(table)}`;
