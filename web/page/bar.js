// <billet-bar>: the top of every page: home, name, settings. What is seldom needed comes when it is.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, changes } from "../api/account.js";
import { base } from "../api/client.js";
import { pageOf } from "../api/links.js";
import { symbol } from "../cards/symbol.js";
import { seal } from "../look/seal.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";
import { changes as kept, storage } from "../look/storage.js";
import { wear } from "../look/preferences.js";
import { t } from "../words/words.js";

const sheet = css`
  header { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; padding: .375rem .75rem; border-bottom: 1px solid var(--line); background: var(--raised) }
  .brand { font: 600 var(--large)/1 var(--serif); color: var(--text); text-decoration: none; display: flex; align-items: center; gap: .5rem; min-height: 2.5rem } header > button { margin-left: auto }
  .brand svg { width: 1.75rem; height: 1.75rem; color: #fff; background: var(--seal); border-radius: 50%; padding: .3rem }
  @media (max-width: 30rem) { header { gap: .25rem } header > button { font-size: var(--small); padding-inline: .5rem } }
  .who { flex: 1 1 0; text-align: end; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); font-size: var(--small); text-decoration: none; padding-block: .5rem } .who:hover { text-decoration: underline; text-underline-offset: .2em }
`;

// Another page that shows ours in a frame gets no player, so that no click in it is made for one.
const framed = window.top !== window;
if (framed) account.abstain();

class Bar extends Part {
  static sheets = [sheet];
  // A link may be opened in a tab that shows its page already.
  #arrived = () => { if (/[#&]player=/.test(location.hash)) this.#bring("carried", () => import("./carried.js")); };
  #kept = () => {
    if (storage.read("ticket")) this.#bring("waits", () => import("./waits.js"));
    if (storage.blocked || storage.read("notice")) this.#bring("notices", () => import("./notices.js"));
  };

  connectedCallback() {
    wear();
    if (framed) return this.remove();
    changes.addEventListener("change", () => this.update());
    kept.addEventListener("change", this.#kept);
    addEventListener("hashchange", this.#arrived);
    this.#arrived();
    this.#kept();
    this.update();
  }

  template() {
    const { player } = account;
    return html`<header><a class="brand" href=${base.pathname}>${symbol("seal")} Billet</a>${player ? html`<a class="who" href=${pageOf(player)}>${seal(player)}<bdi>${player.name}</bdi></a>` : nothing}
      <button class="plain" @click=${() => this.#bring("settings", () => import("./settings.js"))}>${t("bar.settings")}</button></header>
      ${this.waits ? html`<billet-waits></billet-waits>` : nothing}
      ${this.notices ? html`<billet-notices></billet-notices>` : nothing}
      ${this.carried ? html`<billet-carried .done=${() => this.#close("carried")}></billet-carried>` : nothing}
      ${this.settings ? html`<billet-settings .done=${() => this.#close("settings")}></billet-settings>` : nothing}`;
  }

  async #bring(name, files) {
    if (this[name]) return;
    await files();
    this[name] = true;
    this.update();
  }

  #close(name) { this[name] = false; this.update(); }
}
customElements.define("billet-bar", Bar);
