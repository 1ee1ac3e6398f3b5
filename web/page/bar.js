// <billet-bar>: the top of every page: home, name, settings, and the player taken to another device.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, become, carried, changes, linkOf, register } from "../api/account.js";
import { base } from "../api/client.js";
import { symbol } from "../cards/symbol.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";
import { share } from "../look/share.js";
import { taste, wear } from "../look/taste.js";
import { language, languages, t } from "../words/words.js";

const sheet = css`
  header { display: flex; align-items: center; gap: .5rem; padding: .375rem .75rem; border-bottom: 1px solid var(--line); background: var(--raised) }
  .brand { font: 600 var(--large)/1 var(--serif); color: var(--text); text-decoration: none; display: flex; align-items: center; gap: .5rem; margin-right: auto; min-height: 2.5rem }
  .brand svg { width: 1.75rem; height: 1.75rem; color: #fff; background: var(--seal); border-radius: 50%; padding: .3rem }
  .who { max-width: 40vw; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); font-size: var(--small) }
  .settings { display: grid; gap: .875rem } .name { align-items: end } h2 { font-size: var(--large) } .choice { display: flex; flex-wrap: wrap; gap: .375rem } fieldset { border: 0; padding: 0; margin: 0 } legend { color: var(--quiet); padding: 0; margin-bottom: .25rem }
  .check { color: var(--text); display: flex; padding: .375rem 0 } .check input { flex: none; margin-top: .1rem } .grow { flex: 1 }
`;

class Bar extends Part {
  static sheets = [sheet];

  connectedCallback() {
    wear();
    this.token = carried();
    changes.addEventListener("change", () => this.update());
    this.update();
  }

  template() {
    const name = account.player?.name;
    return html`<header><a class="brand" href=${base.pathname}>${symbol("seal")} Billet</a>${name ? html`<span class="who"><bdi>${name}</bdi></span>` : nothing}
      <button class="plain" @click=${() => { this.open = true; this.update(); }}>${t("bar.settings")}</button></header>
      ${this.token ? this.#carried() : this.open ? this.#settings() : nothing}`;
  }

  drawn() {
    this.find("dialog:not([open])")?.showModal();
  }

  #close = () => { this.open = this.token = this.link = this.saved = null; this.update(); };

  #carried() {
    return html`<dialog aria-labelledby="carried" @close=${this.#close}><div class="settings"><h2 id="carried">${t("bar.carried")}</h2>${this.failed ? html`<p class="problem" role="alert">${this.failed}</p>` : nothing}
      <p class="row"><button class="main" @click=${() => this.#try(async () => { await become(this.token); location.reload(); })}>${t("bar.carried.yes")}</button>
      <button @click=${(event) => event.target.closest("dialog").close()}>${t("bar.carried.no")}</button></p></div></dialog>`;
  }

  #settings() {
    const choose = (legend, values, now, take) => html`<fieldset><legend>${legend}</legend><div class="choice">${Object.entries(values).map(([value, text]) =>
      html`<button aria-pressed=${value === now} lang=${value in languages ? value : nothing} @click=${() => take(value)}>${text}</button>`)}</div></fieldset>`;
    const check = (key, text) => html`<label class="check"><input type="checkbox" .checked=${taste[key]} @change=${(event) => { taste[key] = event.target.checked; }}>${text}</label>`;
    return html`<dialog aria-labelledby="settings" @close=${this.#close}><div class="settings"><h2 id="settings">${t("bar.settings")}</h2>
      <form class="row name" @submit=${(event) => { event.preventDefault(); this.#name(event.target.elements.name.value); }}><label class="grow">${t("bar.name")}<input name="name" maxlength="40" required .value=${account.player?.name ?? ""} @input=${() => { this.saved = null; this.update(); }}></label>
        <button>${t(this.saved ? "bar.saved" : "bar.save")}</button><span class="unseen" role="status">${this.saved ? t("bar.saved") : nothing}</span></form>
      ${this.failed ? html`<p class="problem" role="alert">${this.failed}</p>` : nothing}
      ${choose(t("bar.language"), languages, language, (value) => { taste.language = value; location.reload(); })}
      ${choose(t("bar.theme"), { auto: t("theme.auto"), light: t("theme.light"), dark: t("theme.dark") }, taste.theme, (value) => { taste.theme = value; this.update(); })}
      <div>${check("tell", t("bar.tell"))}${check("confirm", t("bar.confirm"))}${check("sound", t("bar.sound"))}</div>
      ${account.token ? html`<fieldset><legend>${t("bar.device")}</legend>${this.link ? html`<p>${t("bar.device.text")}</p>${share(linkOf(base))}` : html`<button @click=${() => { this.link = true; this.update(); }}>${t("bar.device.show")}</button>`}</fieldset>` : nothing}
      <button @click=${(event) => event.target.closest("dialog").close()}>${t("close")}</button></div></dialog>`;
  }

  #name = (name) => this.#try(async () => { await register(name); this.saved = true; });

  async #try(doing) {
    this.failed = this.saved = null;
    this.update();
    try {
      await doing();
    } catch (problem) {
      this.failed = problem.message;
    }
    this.update();
  }
}
customElements.define("billet-bar", Bar);
