// <billet-match match="ID">: a match as it stands, and every game of it; live until it is over.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, changes } from "../api/account.js";
import { base, call, line } from "../api/client.js";
import { editions } from "../api/editions.js";
import { pace } from "../look/pace.js";
import { plots } from "../look/plot.js";
import { Part } from "../look/part.js";
import { dated, titleOf as edition } from "../players/outcome.js";
import { linked } from "../players/person.js";
import { sheet } from "../players/sheet.js";
import { t } from "../words/words.js";
import { games } from "./games.js";
import { Looking } from "./looking.js";
import { progress } from "./progress.js";
import { matches } from "./sheet.js";
import { course, pairs, standings } from "./standings.js";
import { nameOf, titleOf } from "./words.js";

const GAMES = 20;

class MatchPage extends Part {
  static sheets = [plots, sheet, matches];
  // The cursors of the pages of games before the one that is shown.
  pages = [null];
  #looking = new Looking((signal) => this.#look(signal));
  #changed = () => this.update();
  #line = ({ detail }) => { this.lost = detail; this.update(); };

  connectedCallback() {
    changes.addEventListener("change", this.#changed);
    line.addEventListener("change", this.#line);
    this.update();
    this.#looking.start();
  }

  disconnectedCallback() {
    changes.removeEventListener("change", this.#changed);
    line.removeEventListener("change", this.#line);
    this.#looking.stop();
  }

  get path() { return `/matches/${this.getAttribute("match")}`; }

  async #look(signal) {
    try {
      const cursor = this.pages.at(-1);
      const [all, match, page] = await Promise.all([editions(), call("GET", this.path, undefined, { signal }), call("GET", `${this.path}/games?limit=${GAMES}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`, undefined, { signal })]);
      if (signal.aborted) return false;
      Object.assign(this, { editions: all, match, page, problem: null });
      document.title = `${titleOf(match)} · Billet`;
    } catch (problem) {
      if (signal.aborted) return false;
      this.problem = problem;
    }
    this.update();
    return !this.problem && !this.#over();
  }

  // Secrets of shared deals are shown once nothing of the match is sealed any more.
  #over() {
    const { state, running, deals, secret } = this.match;
    return state === "ended" && !running && (deals === "fresh" || secret !== null);
  }

  turn(cursor) {
    if (cursor) this.pages.push(cursor);
    else this.pages.pop();
    this.#looking.start();
  }

  async steer(method, path = this.path, body = undefined) {
    Object.assign(this, { failed: null, sure: false });
    try {
      this.match = await call(method, path, body);
    } catch (problem) {
      this.failed = problem;
    }
    this.update();
    this.#looking.start();
  }

  template() {
    const { match, problem, lost } = this;
    if (problem) return html`<main class="centred"><h1>${t(problem.status === 404 ? "match.none" : "trouble")}</h1><p role="alert">${problem.message}</p>
      <p class="row">${problem.status === 404 ? nothing : html`<button @click=${() => this.#looking.start()}>${t("again")}</button>`}<a class="button" href=${new URL("matches", base)}>${t("matches")}</a></p></main>`;
    if (!match) return html`<main class="centred"><p role="status">${t(lost ? `line.${lost}` : "player.loading")}</p></main>`;
    return html`<main>
      <header class="about"><p class="quiet"><a href=${new URL("matches", base)}>${t("matches")}</a></p>
        <h1><bdi>${titleOf(match)}</bdi></h1><p class="marks"><b class="mark ${match.state}" role="status">${t(`match.${match.state}`)}</b>${match.rated ? html`<b class="mark">${t("rated")}</b>` : nothing}
          <span class="quiet">${t("match.by")} ${linked(match.creator)} · ${dated(match.created_at)}</span></p>
        <p>${this.#terms()}</p><p class="quiet">${t(`match.state.${match.state}`)} ${t(`match.deals.${match.deals}.text`)}</p>
        ${progress(match)}
        ${lost ? html`<p class="problem" role="status">${t(`line.${lost}`)}</p>` : nothing}${this.failed ? html`<p class="problem" role="alert">${this.failed.message}</p>` : nothing}
        ${this.#invited()}${this.#steering()}</header>
      <div class="columns"><div class="stack">${standings(this)}${pairs(this)}</div><div class="stack">${course(this)}</div></div>
      ${games(this)}
    </main>`;
  }

  #terms() {
    const { match } = this, against = [...new Set(match.against)].map((bot) => nameOf({ bot }));
    const facts = [edition(this.editions, match.edition), t("match.seats", { n: match.seats }), ...(against.length ? [t("match.against", { bots: against.join(", ") })] : []), pace(match.clock), t("match.at_once", { n: match.at_once })];
    return facts.join(" · ");
  }

  // For a program that plays in this browser: whoever looks after it decides for it.
  #invited() {
    const { match } = this, own = match.entrants.find(({ id }) => id === account.player?.id), path = `${this.path}/acceptance`;
    if (match.state !== "invited" || !own || own.accepted) return nothing;
    return html`<div class="asks"><p>${t("match.invites")}</p><p class="row"><button class="main" @click=${() => this.steer("POST", path)}>${t("match.accept")}</button><button @click=${() => this.steer("DELETE", path)}>${t("match.decline")}</button></p></div>`;
  }

  #steering() {
    const { match: { state, creator }, sure } = this, ask = (value) => { this.sure = value; this.update(); };
    if (creator.id !== account.player?.id || state === "ended") return nothing;
    if (sure) return html`<p class="row"><button class="main" @click=${() => this.steer("DELETE")}>${t("match.end.sure")}</button><button @click=${() => ask(false)}>${t("match.end.no")}</button></p>`;
    const move = state === "paused" ? ["match.resume", "running"] : ["match.pause", "paused"];
    return html`<p class="row">${state === "invited" ? nothing : html`<button @click=${() => this.steer("PATCH", this.path, { state: move[1] })}>${t(move[0])}</button>`}<button @click=${() => ask(true)}>${t("match.end")}</button></p>`;
  }
}
customElements.define("billet-match", MatchPage);
