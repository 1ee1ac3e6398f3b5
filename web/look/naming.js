// An optional name for a player without one; kept in the part that asks for it.
import { html } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";

export const naming = (part) => html`<label class="grow">${t("bar.name")} <small>${t("optional")}</small>
  <input maxlength="40" autocomplete="nickname" .value=${part.name ?? ""} @input=${(event) => { part.name = event.target.value; }}></label>`;
