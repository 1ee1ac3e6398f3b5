// <billet-matches state="..." player="ID" cursor="...">: matches of programs and bots, the newest first; live.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { account } from "../api/account.js";
import { base, call, line } from "../api/client.js";
import { editions } from "../api/editions.js";
import { Part } from "../look/part.js";
import { titleOf as edition } from "../players/outcome.js";
import { joined, person } from "../players/person.js";
import { sheet } from "../players/sheet.js";
import { t } from "../words/words.js";
import { Looking } from "./looking.js";
import { progress } from "./progress.js";
import { matches } from "./sheet.js";
import { nameOf, titleOf } from "./words.js";

const ROWS = 20;
const STATES = ["running", "invited", "paused", "ended"];

class Matches extends Part {
  static sheets = [sheet, matches];
  #looking = new Looking((signal) => this.#look(signal));
  #line = ({ detail }) => { this.lost = detail; this.update(); };

  connectedCallback() {
    line.addEventListener("change", this.#line);
    document.title = `${t("matches")} · Billet`;
    this.update();
    this.#looking.start();
  }

  disconnectedCallback() {
    line.removeEventListener("change", this.#line);
    this.#looking.stop();
  }

  get asked() { return Object.fromEntries(["state", "player", "cursor"].flatMap((name) => (this.hasAttribute(name) ? [[name, this.getAttribute(name)]] : []))); }

  async #look(signal) {
    try {
      const [all, page] = await Promise.all([editions(), this.#read(signal)]);
      Object.assign(this, { editions: all, page, problem: null });
    } catch (problem) {
      if (signal.aborted) return false;
      this.problem = problem;
    }
    this.update();
    return !this.problem;
  }

  // Pages of the service may be short or empty where few of all matches are meant.
  async #read(signal) {
    const query = new URLSearchParams({ ...this.asked, limit: ROWS });
    let items = [], next = null;
    do {
      const page = await call("GET", `/matches?${query}`, undefined, { signal });
      items = [...items, ...page.items];
      next = page.next_cursor;
      query.set("cursor", next);
    } while (!items.length && next);
    return { items, next };
  }

  address = (more) => { const query = new URLSearchParams(more); return new URL(`matches${query.size ? `?${query}` : ""}`, base); };

  template() {
    const { page, problem, lost } = this;
    if (problem) return html`<main class="centred"><h1>${t("trouble")}</h1><p role="alert">${problem.message}</p><p class="row"><button @click=${() => this.#looking.start()}>${t("again")}</button><a class="button" href=${this.address({})}>${t("matches")}</a></p></main>`;
    if (!page) return html`<main class="centred"><p role="status">${t(lost ? `line.${lost}` : "player.loading")}</p></main>`;
    const { cursor, ...rest } = this.asked;
    return html`<main class="narrow"><h1>${t("matches")}</h1><p class="quiet">${t("matches.about")}</p>${this.#ways()}
      <section class="box" aria-label=${t("matches")}>
        ${page.items.length ? html`<ul class="rows">${repeat(page.items, ({ id }) => id, (match) => this.#row(match))}</ul>` : html`<p class="quiet">${t("matches.none")}</p>`}
        ${cursor || page.next ? html`<nav class="row" aria-label=${t("boards.pages")}>${cursor ? html`<a class="button" href=${this.address(rest)}>${t("matches.newest")}</a>` : nothing}${page.next ? html`<a class="button" href=${this.address({ ...rest, cursor: page.next })}>${t("matches.older")}</a>` : nothing}</nav>` : nothing}</section>
      <p class="quiet"><a rel="external" href=${new URL("docs/matches", base)}>${t("matches.make")}</a></p></main>`;
  }

  #ways() {
    const { state, player } = this.asked, me = account.player?.id;
    const way = (key, to) => html`<a href=${this.address(to)} class="pill ${to.state ? "state" : ""}" aria-current=${to.state === state && to.player === player ? "true" : nothing}>${t(key)}</a>`;
    return html`<nav class="pills" aria-label=${t("matches.which")}>${way("matches.all", {})}${STATES.map((one) => way(`match.${one}`, { state: one }))}${me ? way("matches.mine", { player: me }) : nothing}
      ${player && player !== me ? way("matches.of", { player }) : nothing}</nav>`;
  }

  #row(match) {
    return html`<li><div><h2><a href=${new URL(`matches/${match.id}`, base)}><bdi>${titleOf(match)}</bdi></a></h2><b class="mark ${match.state}">${t(`match.${match.state}`)}</b></div>
      <p>${joined(match.entrants.map((one) => person({ ...one, name: nameOf(one) })))}</p>
      <p class="quiet">${edition(this.editions, match.edition)} · ${t("match.seats", { n: match.seats })} · ${t(`match.deals.${match.deals}`)}${match.rated ? ` · ${t("rated")}` : nothing}</p>
      ${progress(match)}</li>`;
  }
}
customElements.define("billet-matches", Matches);
