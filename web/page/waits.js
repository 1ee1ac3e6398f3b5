// <billet-waits>: above any page but the start page, which shows it itself: that opponents are looked for, and the way to them.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { changes, waiting } from "../api/waiting.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";
import { chime, mark } from "../look/sound.js";
import { t } from "../words/words.js";
import "../words/pages.js";

const sheet = css`
  p { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding: .25rem .75rem; border-bottom: 1px solid var(--line); background: var(--raised); font-size: var(--small) }
  p > span { flex: 1 1 12rem } button, .button { min-height: 2rem; padding: .15rem .7rem }
  .found { font-size: var(--normal); padding: .5rem .75rem; border-bottom: 2px solid var(--act); box-shadow: var(--shadow) } .found .button { background: var(--seal); border-color: var(--seal); color: #fff; font-weight: 600; min-height: 2.5rem }
`;

class Waits extends Part {
  static sheets = [sheet];

  connectedCallback() {
    changes.addEventListener("change", ({ detail }) => this.#changed(detail));
    waiting.resume();
    this.update();
  }

  #changed(over) {
    if (over?.state === "matched") {
      this.found = over.game;
      if (!document.querySelector("billet-start")) chime(), mark(true);
    }
    this.update();
  }

  template() {
    const { ticket } = waiting;
    if (document.querySelector("billet-start")) return nothing;
    return html`<div role="status">${this.found ? html`<p class="found"><span><b>${t("queue.found")}</b> ${t("queue.found.text")}</span><a class="button" href=${new URL(`games/${this.found}`, base)}>${t("enter")}</a></p>`
      : ticket ? html`<p><span>${t("queue.looking")}. ${t("queue.waiting", { n: ticket.waiting })}</span><button @click=${() => waiting.cancel()}>${t("queue.cancel")}</button></p>` : nothing}</div>`;
  }
}
customElements.define("billet-waits", Waits);
