// <billet-daily>: today's deals by edition, with the reader's tries and streaks.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { register } from "../api/account.js";
import { base, call } from "../api/client.js";
import { editions } from "../api/editions.js";
import { sign } from "../cards/symbol.js";
import { open } from "../look/dialog.js";
import { go } from "../look/storage.js";
import { Reading } from "../players/reading.js";
import { titleOf } from "../players/outcome.js";
import { sheet } from "../players/sheet.js";
import { t } from "../words/words.js";
import "./words.js";
import { dayOf, score, timeOf } from "./dates.js";
import { sharing } from "./sharing.js";
import { look } from "./sheet.js";

class Daily extends Reading {
  static sheets = [sheet, look];
  // Who comes back from a try sees what came of it.
  #shown = () => { if (!document.hidden) this.load(); };

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#shown);
    addEventListener("pageshow", this.#shown);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#shown);
    removeEventListener("pageshow", this.#shown);
  }

  async load() {
    try {
      const [all, { items }] = await Promise.all([editions(), call("GET", "/daily")]);
      Object.assign(this, { editions: all, deals: items, problem: null });
      document.title = `${t("daily.title")} · Billet`;
    } catch (problem) {
      this.problem = problem;
    }
    this.update();
  }

  async begin(edition) {
    if (this.busy) return;
    Object.assign(this, { busy: edition, failed: null });
    this.update();
    try {
      await register();
      const { id } = await call("POST", `/daily/${edition}`, undefined, { anew: true });
      go(new URL(`games/${id}`, base));
    } catch (problem) {
      this.failed = { edition, message: problem.message };
    }
    this.busy = null;
    this.update();
  }

  share(deal) {
    this.sharing = deal;
    open(this, "sharing");
  }

  template() {
    const { deals, problem, lost } = this;
    if (problem && !deals) return html`<main class="centred"><h1>${t("trouble")}</h1><p role="alert">${problem.message}</p><p class="row"><button @click=${() => this.load()}>${t("again")}</button><a class="button" href=${base.pathname}>${t("home")}</a></p></main>`;
    if (!deals) return html`<main class="centred"><p role="status">${t(lost ? `line.${lost}` : "player.loading")}</p></main>`;
    const [{ date, ends_at: ends }] = deals;
    return html`<main><header><h1>${t("daily.title")}</h1><p class="date">${dayOf(date)}</p><p>${t("daily.about")}</p></header>
      <ul class="deals">${deals.map((deal) => this.#deal(deal))}</ul>
      <p class="quiet">${t("daily.ends", { time: timeOf(ends) })} <a rel="external" href=${new URL("docs/daily", base)}>${t("daily.how")}</a></p>
      ${sharing(this)}</main>`;
  }

  #deal(deal) {
    const { edition, try: own, streak, tried, won, previous, tokens_to_win: tokens } = deal, title = titleOf(this.editions, edition);
    return html`<li class="box deal" aria-labelledby=${edition}><h2 id=${edition}>${sign(edition)}${title}</h2>
      ${own?.won === true || own?.won === false ? html`<p class="outcome ${own.won ? "won" : ""}">${t(own.won ? "daily.won" : "daily.lost")} <span class="score">${score(own.tokens)}</span></p>` : own?.status === "aborted" ? html`<p class="outcome">${t("daily.aborted")}</p>` : html`<p class="outcome">${t("daily.first", { n: tokens })}</p>`}
      ${tried ? html`<p class="quiet numbers">${t("daily.tried", { n: tried })} ${t(won ? "daily.have_won" : "daily.none_won", { n: won })}</p>` : nothing}
      ${streak ? html`<p class="streak"><b>${streak}</b> ${t("daily.streak", { n: streak })}</p>` : nothing}
      <p class="row">${!own ? html`<button class="main" ?disabled=${Boolean(this.busy)} aria-describedby=${edition} @click=${() => this.begin(edition)}>${t(this.busy === edition ? "daily.beginning" : "daily.begin")}</button>` : own.status === "active" ? html`<a class="button" aria-describedby=${edition} href=${new URL(`games/${own.game}`, base)}>${t("start.continue")}</a>` : html`<button @click=${() => this.share(deal)} aria-describedby=${edition}>${t("daily.share")}</button>`}
        ${previous ? html`<a href=${new URL(`daily/${edition}/${previous}`, base)} aria-describedby=${edition}>${t("daily.yesterday")}</a>` : nothing}</p>
      ${this.failed?.edition === edition ? html`<p class="problem" role="alert">${this.failed.message}</p>` : nothing}</li>`;
  }
}
customElements.define("billet-daily", Daily);
