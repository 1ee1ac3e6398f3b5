// <billet-past-deal edition="ID" date="DAY">: what came of a deal of the day, choice by choice.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base, call } from "../api/client.js";
import { editions } from "../api/editions.js";
import { Reading } from "../players/reading.js";
import { titleOf } from "../players/outcome.js";
import { sheet } from "../players/sheet.js";
import { t } from "../words/words.js";
import "./words.js";
import { dayOf, score, shortDayOf } from "./dates.js";
import { look } from "./sheet.js";

const keyOf = (action) => JSON.stringify(Object.entries(action).sort(([one], [other]) => (one < other ? -1 : 1)));

class PastDeal extends Reading {
  static sheets = [sheet, look];

  async load() {
    const edition = this.getAttribute("edition"), date = this.getAttribute("date");
    try {
      this.problem = null;
      const [all, deal] = await Promise.all([editions(), call("GET", `/daily/${encodeURIComponent(edition)}/${encodeURIComponent(date)}`)]);
      Object.assign(this, { editions: all, deal });
      document.title = `${titleOf(all, edition)}, ${shortDayOf(date)} · Billet`;
    } catch (problem) {
      this.problem = problem;
    }
    this.update();
  }

  template() {
    const { deal, problem, lost } = this, today = html`<a class="button" href=${new URL("daily", base)}>${t("daily.today")}</a>`;
    if (problem) return html`<main class="centred"><h1>${t("daily.title")}</h1><p role="alert">${problem.message}</p><p class="row">${today}${problem.status === 404 ? nothing : html`<button @click=${() => this.load()}>${t("again")}</button>`}</p></main>`;
    if (!deal) return html`<main class="centred"><p role="status">${t(lost ? `line.${lost}` : "player.loading")}</p></main>`;
    const { own, expert, best, tried, won } = deal, share = tried ? Math.round((100 * won) / tried) : 0;
    return html`<main class="narrow"><header><h1>${titleOf(this.editions, deal.edition)}</h1><p class="date">${dayOf(deal.date)}</p>
        <p>${tried ? html`${t("daily.were", { n: tried })} ${t("daily.share_won", { share })}` : t("daily.nobody_counts")}</p></header>
      ${own ? this.#line_of(own, "daily.own", expert) : html`<p class="quiet">${t("daily.not_tried")}</p>`}
      ${expert ? this.#line_of(expert, "daily.expert", null, Boolean(own)) : nothing}
      ${best.map((one, at) => this.#line_of(one, "daily.best", null, true, at + 1))}
      <details class="box"><summary>${t("daily.proof")}</summary><p>${t("daily.proof.about")} <a rel="external" href=${new URL("docs/daily", base)}>${t("daily.how")}</a></p>
        <dl><dt>${t("daily.commitment")}</dt><dd>${deal.commitment}</dd><dt>${t("daily.secret")}</dt><dd>${deal.secret}</dd></dl></details>
      <p class="row">${today}</p></main>`;
  }

  // One's own try stands open, the others open when asked for.
  #line_of(one, key, expert, closed = false, n = 1) {
    const title = html`${t(key, { n })} <span class="outcome ${one.won ? "won" : ""}">${t(one.won ? "daily.won" : "daily.lost")} <span class="score">${score(one.tokens)}</span></span>`;
    const body = html`${expert ? html`<p class="quiet">${t("daily.legend")}</p>` : nothing}<ol class="choices">${one.choices.map((choice) => this.#choice(one, choice, key === "daily.own"))}</ol>`;
    return closed ? html`<details class="box line"><summary>${title}</summary>${body}</details>` : html`<section class="box line" aria-labelledby=${key}><h2 id=${key}>${title}</h2>${body}</section>`;
  }

  #choice(one, { version, action, text, expert, crowd }, own) {
    const all = crowd.reduce((sum, { tries }) => sum + tries, 0), made = keyOf(action);
    const rows = crowd.map((other) => ({ ...other, key: keyOf(other.action), share: Math.round((100 * other.tries) / all) }));
    if (!rows.some(({ key }) => key === made)) rows.unshift({ text, key: made });
    const bots = expert && keyOf(expert.action);
    if (bots && !rows.some(({ key }) => key === bots)) rows.push({ text: expert.text, key: bots });
    const where = all ? t(rows.length > 1 ? "daily.here" : "daily.all", { n: all }) : t("daily.alone");
    const asked = html`<p class="asked"><span>${where}</span>${one.game ? html`<a href=${new URL(`replays/${one.game}?at=${version}`, base)}>${t("daily.moment")}</a>` : nothing}</p>`;
    // Where all chose the same there is nothing to compare.
    if (rows.length === 1) return html`<li>${asked}<p class="alike">${text}${bots ? html` <b class="mark bot">${t("daily.bot")}</b>` : nothing}</p></li>`;
    return html`<li>${asked}<ul>${rows.map((row) => html`<li class=${row.key === made ? "mine" : ""}><span class="what">${row.text}</span>${row.key === made && own ? html` <b class="mark">${t("daily.you")}</b>` : nothing}${row.key === bots ? html` <b class="mark bot">${t("daily.bot")}</b>` : nothing}
        ${row.share === undefined ? nothing : html`<span class="share"><i aria-hidden="true" .style=${`width: ${row.share}%`}></i><span>${row.share} %</span></span>`}</li>`)}</ul></li>`;
  }
}
customElements.define("billet-past-deal", PastDeal);
