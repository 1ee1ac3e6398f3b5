// <billet-player player="ID">: what anybody may know of a player, and on one's own page what one hides from others.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { base, call } from "../api/client.js";
import { editions } from "../api/editions.js";
import { plots } from "../look/plot.js";
import { seal } from "../look/seal.js";
import { t } from "../words/words.js";
import "../words/players.js";
import { hiding } from "./hiding.js";
import { dated, played } from "./outcome.js";
import { ratings } from "./ratings.js";
import { Reading } from "./reading.js";
import { between, record } from "./record.js";
import { results, sheet } from "./sheet.js";

const MORE_GAMES = 20;

class PlayerPage extends Reading {
  static sheets = [plots, sheet, results];

  get id() { return this.getAttribute("player"); }
  get own() { return account.player?.id === this.id; }

  async load() {
    const { id, own } = this, reader = account.player?.id;
    try {
      this.problem = null;
      const [all, page, history, shared, me] = await Promise.all([
        editions(), call("GET", `/players/${id}`), call("GET", `/players/${id}/ratings`),
        reader && !own ? call("GET", `/players/${reader}/games?against=${id}&limit=50`).catch(() => null) : null,
        own ? call("GET", "/players/me") : null,
      ]);
      // The reader may have become somebody else meanwhile.
      if (reader !== account.player?.id) return;
      Object.assign(this, { editions: all, page, ratings: history.items, games: page.games, following: undefined, shared: shared?.items, concealed: me?.hidden ?? null });
      document.title = `${page.name} · Billet`;
    } catch (problem) {
      this.problem = problem;
    }
    this.update();
  }

  // The page has the latest games: the list begins anew with the first call for more.
  async more() {
    const first = this.following === undefined;
    await this.attempt(async () => {
      const { items, next_cursor: next } = await call("GET", `/players/${this.id}/games?limit=${MORE_GAMES}${first ? "" : `&cursor=${encodeURIComponent(this.following)}`}`);
      this.games = first ? items : [...this.games, ...items];
      this.following = next;
    });
  }

  hide(part, hides) {
    return this.attempt(async () => {
      const rest = this.concealed.filter((one) => one !== part);
      const { hidden } = await call("PATCH", "/players/me", { hidden: hides ? [...rest, part] : rest });
      Object.assign(this, { concealed: hidden, saved: true });
    });
  }

  async attempt(doing) {
    Object.assign(this, { failed: null, saved: false });
    try {
      await doing();
    } catch (problem) {
      this.failed = problem;
    }
    this.update();
  }

  template() {
    const { page, problem, lost } = this;
    if (problem) return html`<main class="centred"><h1>${t(problem.status === 404 ? "player.none" : "trouble")}</h1><p role="alert">${problem.status === 404 ? t("player.none.text") : problem.message}</p>
      <p class="row">${problem.status === 404 ? nothing : html`<button @click=${() => this.load()}>${t("again")}</button>`}<a class="button" href=${base.pathname}>${t("home")}</a></p></main>`;
    if (!page) return html`<main class="centred"><p role="status">${t(lost ? `line.${lost}` : "player.loading")}</p></main>`;
    return html`<main>
      <header class="head">${seal(page, "great")}<div><h1><bdi>${page.name}</bdi></h1><p class="marks">${this.#marks()}</p>${page.program?.about ? html`<p>${page.program.about}</p>` : nothing}</div></header>
      ${this.failed ? html`<p class="problem" role="alert">${this.failed.message}</p>` : nothing}
      <div class="columns"><div class="stack">${ratings(this)}${this.#games()}</div>
        <div class="stack">${between(this)}${record(this)}${this.concealed ? hiding(this) : nothing}</div></div>
    </main>`;
  }

  #marks() {
    const { page: { kind, program, online, since } } = this;
    return html`${kind === "bot" ? html`<b class="mark">${t("player.program")}${program?.version ? html` <span>${program.version}</span>` : nothing}</b>` : nothing}
      ${this.own ? html`<b class="mark">${t("player.you")}</b>` : nothing}${online ? html`<b class="mark online">${t("player.online")}</b>` : nothing}
      ${kind === "bot" ? html`<a href=${new URL(`matches?player=${this.id}`, base)}>${t("matches")}</a>` : nothing}
      ${program?.author ? html`<span class="quiet">${t("player.author", { name: program.author })}</span>` : nothing}
      ${since ? html`<span class="quiet">${t("player.since")} ${dated(since)}</span>` : nothing}`;
  }

  #games() {
    const { games, page: { id }, following } = this;
    const more = following === undefined ? games?.length === 10 : following !== null;
    return html`<section class="box" aria-labelledby="games"><h2 id="games">${t("player.games")}</h2>
      ${!games ? html`<p class="quiet">${t("player.hidden")}</p>` : !games.length ? html`<p class="quiet">${t("player.games.none")}</p>` : html`<ul class="games">${games.map((game) => played(game, id, this.editions))}</ul>`}
      ${more ? html`<p><button @click=${() => this.more()}>${t("player.more")}</button></p>` : nothing}</section>`;
  }
}
customElements.define("billet-player", PlayerPage);
