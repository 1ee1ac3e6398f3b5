// <billet-settings>: name and preferences, the player taken to another device, and the way back to those who played here before.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, become, changes, register } from "../api/account.js";
import { base } from "../api/client.js";
import { linkOf, numberOf } from "../api/transfer.js";
import { keying } from "../look/naming.js";
import { share } from "../look/share.js";
import { vibrates } from "../look/sound.js";
import { anew } from "../look/storage.js";
import { preferences } from "../look/preferences.js";
import { language, languages, t } from "../words/words.js";
import "../words/pages.js";
import { Asked } from "./asked.js";

class Settings extends Asked {
  #changed = () => this.update();

  connectedCallback() {
    changes.addEventListener("change", this.#changed);
    super.connectedCallback();
  }

  disconnectedCallback() { changes.removeEventListener("change", this.#changed); }

  content() {
    const choose = (legend, values, now, take) => html`<fieldset><legend>${legend}</legend><div class="choice">${Object.entries(values).map(([value, text]) =>
      html`<button aria-pressed=${value === now} lang=${value in languages ? value : nothing} @click=${() => take(value)}>${text}</button>`)}</div></fieldset>`;
    const check = (key, text) => html`<label class="check"><input type="checkbox" .checked=${preferences[key]} @change=${(event) => { preferences[key] = event.target.checked; }}>${text}</label>`;
    return html`<h2 id="asked">${t("bar.settings")}</h2>
      <form class="row name" @submit=${(event) => { event.preventDefault(); this.#name(event.target.elements.name.value); }}><label class="grow">${t("bar.name")}<input name="name" maxlength="40" required .value=${account.player?.name ?? ""} @input=${() => { this.saved = null; this.update(); }}></label>
        <button>${t(this.saved ? "bar.saved" : "bar.save")}</button><span class="unseen" role="status">${this.saved ? t("bar.saved") : nothing}</span></form>
      ${this.trouble()}${this.problem?.code === "registration_closed" ? keying(account) : nothing}
      ${choose(t("bar.language"), languages, language, (value) => { preferences.language = value; location.reload(); })}
      ${choose(t("bar.theme"), { auto: t("theme.auto"), light: t("theme.light"), dark: t("theme.dark") }, preferences.theme, (value) => { preferences.theme = value; this.update(); })}
      <div>${check("tell", t("bar.tell"))}${check("confirm", t("bar.confirm"))}${check("sound", t("bar.sound"))}${vibrates ? check("vibrate", t("bar.vibrate")) : nothing}</div>
      ${account.token ? this.#device() : nothing}${account.former.length ? this.#former() : nothing}
      <button @click=${() => this.close()}>${t("close")}</button>`;
  }

  #device() {
    return html`<fieldset><legend>${t("bar.device")}</legend>${this.link ? html`<p>${t("bar.device.text")}</p>${share(linkOf(base))}
      <p>${t("bar.device.number")} <b class="code">${numberOf(account.token)}</b></p>` : html`<button @click=${() => { this.link = true; this.update(); }}>${t("bar.device.show")}</button>`}</fieldset>`;
  }

  #former() {
    const back = (one) => this.try(async () => {
      await become(one.token);
      anew({ kind: "moved", name: one.name });
    });
    return html`<fieldset><legend>${t("bar.former")}</legend><div class="choice">${account.former.map((one) => html`<button @click=${() => back(one)}>${t("notice.back", { name: one.name })}</button>`)}</div></fieldset>`;
  }

  #name = (name) => this.try(async () => { this.saved = null; await register(name); this.saved = true; });
}
customElements.define("billet-settings", Settings);
