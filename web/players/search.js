// <billet-search>: players by how their names begin, while one types.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { call } from "../api/client.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";
import { t } from "../words/words.js";
import "../words/players.js";
import { linked } from "./person.js";
import { sheet } from "./sheet.js";

// One who types is asked for once they pause.
const PAUSE_MS = 250, MOST = 10;

const own = css`
  :host { display: grid; gap: .5rem } input { display: block; width: 100%; max-width: 24rem; margin-top: .25rem; color: var(--text) } .found { display: grid } .found li { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; padding: .5rem 0; border-top: 1px solid var(--line) }
`;

class Search extends Part {
  static sheets = [sheet, own];
  #asked = null;

  // What somebody goes on typing makes an answer that is still to come void.
  #typed(name) {
    this.#asked?.abort();
    this.#asked = new AbortController();
    clearTimeout(this.soon);
    Object.assign(this, { found: null, failed: null });
    if (name.trim()) this.soon = setTimeout(() => this.#ask(name.trim()), PAUSE_MS);
    this.update();
  }

  async #ask(name, cursor = "") {
    const { signal } = this.#asked, before = cursor ? this.found.items : [];
    try {
      let items = [], next = cursor;
      // A page may be empty although more follow.
      do {
        const page = await call("GET", `/players?${new URLSearchParams({ name, limit: MOST, ...(next ? { cursor: next } : {}) })}`, undefined, { signal });
        ({ items, next_cursor: next } = page);
      } while (!items.length && next);
      this.found = { name, items: [...before, ...items], next };
    } catch (problem) {
      if (signal.aborted) return;
      this.failed = problem;
    }
    this.update();
  }

  template() {
    const { found, failed } = this;
    return html`<search><label>${t("search.name")}<input type="search" maxlength="40" autocomplete="off" @input=${({ target }) => this.#typed(target.value)}></label></search>
      <div role="status">${failed ? html`<p class="problem">${failed.message}</p>` : !found ? nothing : found.items.length ? html`<ul class="found">${found.items.map((one) => html`<li>${linked(one)}${one.kind === "bot" ? html`<b class="mark">${t("player.program")}</b>` : nothing}${one.online ? html`<b class="mark online">${t("player.online")}</b>` : nothing}</li>`)}</ul>` : html`<p class="quiet">${t("search.none")}</p>`}</div>
      ${found?.next ? html`<p><button @click=${() => this.#ask(found.name, found.next)}>${t("search.more")}</button></p>` : nothing}`;
  }
}
customElements.define("billet-search", Search);
