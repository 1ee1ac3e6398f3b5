// What is asked of somebody who becomes a player: a name, and the key of a service that is closed to others.
import { html } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";

export const naming = (part) => html`<label class="grow">${t("bar.name")} <small>${t("optional")}</small>
  <input maxlength="40" autocomplete="nickname" .value=${part.name ?? ""} @input=${(event) => { part.name = event.target.value; }}></label>`;

export const keying = (account) => html`<label class="grow">${t("bar.key")}<input autocomplete="off" autocapitalize="none" spellcheck="false" @input=${(event) => { account.registrationKey = event.target.value; }}></label>`;
