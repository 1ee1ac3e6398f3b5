// <billet-notices>: what is to be said about who the reader is here: once, in the tab that is looked at, and not again after a reload.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, become } from "../api/account.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";
import { changes as kept, storage } from "../look/storage.js";
import { t } from "../words/words.js";
import "../words/pages.js";

const sheet = css`
  p { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0; padding: .375rem .75rem; border-bottom: 1px solid var(--line); background: var(--raised); font-size: var(--small); overflow-wrap: anywhere }
  span { flex: 1 1 16rem }
`;

class Notices extends Part {
  static sheets = [sheet];
  #seen = true;

  connectedCallback() {
    const hear = () => this.#hear();
    kept.addEventListener("change", hear);
    document.addEventListener("visibilitychange", hear);
    // Whoever does something has seen what is said; what comes just before the page leads on is for the next one.
    for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, () => { this.#seen = true; });
    kept.addEventListener("leave", () => { if (!this.#seen) storage.write("notice", this.notice); });
    hear();
    this.update();
  }

  #hear() {
    const notice = storage.read("notice");
    if (["lost", "moved"].includes(notice?.kind) && !document.hidden && !storage.leaving) {
      storage.set("notice");
      this.notice = notice;
      this.#seen = false;
    }
    this.update();
  }

  template() {
    return html`<div role="status">${storage.blocked && !this.warned ? this.#said(t("notice.unkept"), () => { this.warned = true; }) : nothing}${this.notice ? this.#noted(this.notice) : nothing}</div>`;
  }

  #noted({ kind, name }) {
    const [before] = account.former;
    const back = () => become(before.token).then(() => location.reload(), (problem) => { this.problem = problem; this.update(); });
    return this.#said(this.problem?.message ?? t(`notice.${kind}`, { name: name ?? t("guest") }), () => { this.notice = this.problem = null; },
      kind === "moved" && before ? html`<button @click=${back}>${t("notice.back", { name: before.name })}</button>` : nothing);
  }

  #said(text, close, more = nothing) {
    return html`<p><span>${text}</span>${more}<button @click=${() => { close(); this.update(); }}>${t("notice.ok")}</button></p>`;
  }
}
customElements.define("billet-notices", Notices);
