// <billet-leaderboard pool="POOL" around="ID" cursor="...">: who is strongest in a pool, from any place on.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { base, call, line } from "../api/client.js";
import { editions } from "../api/editions.js";
import { Part } from "../look/part.js";
import { t } from "../words/words.js";
import "../words/players.js";
import { linked } from "./person.js";
import { meaning } from "./ratings.js";
import { named, PARTS, partsOf, poolName } from "./pools.js";
import "./search.js";
import { sheet } from "./sheet.js";

const ROWS = 25;

class Leaderboard extends Part {
  static sheets = [sheet];
  #line = ({ detail }) => { this.lost = detail; this.update(); };

  connectedCallback() {
    line.addEventListener("change", this.#line);
    this.update();
    this.load();
  }

  disconnectedCallback() { line.removeEventListener("change", this.#line); }

  async load() {
    try {
      this.problem = null;
      const [all, { items: boards }] = await Promise.all([editions(), call("GET", "/leaderboards")]);
      // Without a pool it is the one where most are compared.
      const pool = this.getAttribute("pool") ?? boards.reduce((most, one) => (one.players > most.players ? one : most)).pool;
      const query = new URLSearchParams({ limit: ROWS }), around = this.getAttribute("around"), cursor = this.getAttribute("cursor");
      if (cursor) query.set("cursor", cursor);
      else if (around) query.set("around", around);
      const page = await this.#read(pool, query);
      Object.assign(this, { editions: all, boards, pool, page });
      document.title = `${poolName(pool, all)} · Billet`;
    } catch (problem) {
      this.problem = problem;
    }
    this.update();
  }

  // Somebody who is not on it is told so, above its beginning.
  async #read(pool, query) {
    const path = `/leaderboards/${encodeURIComponent(pool)}`;
    try {
      return await call("GET", `${path}?${query}`);
    } catch (problem) {
      if (problem.status !== 404 && problem.status !== 401 || !query.has("around")) throw problem;
      this.unranked = problem.message;
      return call("GET", `${path}?limit=${ROWS}`);
    }
  }

  address = (pool, more = {}) => { const query = new URLSearchParams(more); return new URL(`leaderboards/${encodeURIComponent(pool)}${query.size ? `?${query}` : ""}`, base); };

  template() {
    const { page, problem, lost } = this;
    if (problem) return html`<main class="centred"><h1>${t("trouble")}</h1><p role="alert">${problem.message}</p><p class="row"><button @click=${() => this.load()}>${t("again")}</button><a class="button" href=${base.pathname}>${t("home")}</a></p></main>`;
    if (!page) return html`<main class="centred"><p role="status">${t(lost ? `line.${lost}` : "player.loading")}</p></main>`;
    return html`<main class="narrow"><h1>${t("boards")}</h1><billet-search></billet-search>${this.#pools()}
      <section class="box" aria-labelledby="board"><h2 id="board">${poolName(this.pool, this.editions)}</h2>
        ${this.unranked ? html`<p role="status">${this.unranked}</p>` : nothing}
        ${page.items.length ? this.#rows() : html`<p class="quiet">${t("boards.none")}</p>`}${this.#pages()}
        ${page.items.length ? html`<p class="quiet">${t("boards.about")}</p>` : nothing}
        ${meaning()}</section></main>`;
  }

  // One row of links for each part of a pool: each leads to the pool that differs in that part alone.
  #pools() {
    const { boards, editions: all, pool } = this, now = partsOf(pool);
    const values = (part) => [...new Set(boards.map((one) => one[part]))];
    const to = (part, value) => boards.toSorted((one, other) => alike(other) - alike(one)).find((one) => one[part] === value).pool;
    const alike = (one) => PARTS.filter((part) => one[part] === now[part]).length;
    return html`<nav class="pools" aria-label=${t("boards.which")}>${PARTS.map((part) => html`<div role="group" aria-label=${t(`boards.${part}`)} class="pills">${values(part).map((value) =>
      html`<a class="pill" href=${this.address(to(part, value))} aria-current=${value === now[part] ? "true" : nothing}>${named(part, value, all)}</a>`)}</div>`)}</nav>`;
  }

  #rows() {
    const me = account.player?.id;
    return html`<table class="board"><thead><tr><th scope="col"><span aria-hidden="true">#</span><span class="unseen">${t("boards.rank")}</span></th><th scope="col">${t("boards.player")}</th><th scope="col">${t("ratings.rating")}</th><th scope="col" class="wide">±</th><th scope="col" class="wide">${t("boards.games")}</th></tr></thead>
      <tbody>${this.page.items.map(({ rank, player, rating, deviation, games, provisional }) => html`<tr class=${player.id === me ? "me" : ""} aria-current=${player.id === me ? "true" : nothing}><td>${rank}</td>
        <th scope="row">${linked(player)}${player.id === me ? html` <small class="mark">${t("player.you")}</small>` : nothing}${provisional ? html` <small class="mark" title=${t("ratings.provisional.why")}>${t("ratings.provisional")}</small>` : nothing}</th>
        <td>${rating}</td><td class="wide">${2 * deviation}</td><td class="wide">${games}</td></tr>`)}</tbody></table>`;
  }

  #pages() {
    const { page, pool } = this, way = (key, more) => html`<a class="button" href=${this.address(pool, more)}>${t(key)}</a>`;
    return html`<nav class="row" aria-label=${t("boards.pages")}>${page.previous_cursor ? html`${way("boards.first", {})}${way("boards.previous", { cursor: page.previous_cursor })}` : nothing}
      ${page.next_cursor ? way("boards.next", { cursor: page.next_cursor }) : nothing}${account.token && page.items.length ? way("boards.me", { around: "me" }) : nothing}</nav>`;
  }
}
customElements.define("billet-leaderboard", Leaderboard);
