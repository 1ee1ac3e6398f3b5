// What `expert` thinks of an ended game: how each seat's chance to win went, over the slider, and where somebody threw some away.
// The plot says nothing to a screen reader: the chances stand beside it, and in a table with all that was marked.
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { call, sleep } from "../api/client.js";
import { close, dialog } from "../look/dialog.js";
import { seal, waxOf } from "../look/seal.js";
import { css } from "../look/sheet.js";
import { nameOf } from "../table/seats.js";
import { language, t } from "../words/words.js";

const PAUSE_MS = 2000;
// Lines of a like colour are told apart by these.
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "9 2 1 2 1 2"];
const percent = new Intl.NumberFormat(language, { style: "percent" });

export class Review {
  // What the service said last: how far it has come, or the whole; null before.
  said = null;
  problem = null;
  following = false;
  #marks = null;

  constructor(replay) {
    this.replay = replay;
    // Others are dealt the cards of the game, until the service says that they are not any more.
    this.sealed = replay.game.deal !== null;
  }

  get found() { return this.said?.chances ? this.said : null; }
  // By the version of the event that is marked.
  get marks() { return this.found && (this.#marks ??= new Map(this.found.decisions.filter(({ mark }) => mark).map((one) => [one.version + 1, one]))); }

  // Shows a review that is there already, and follows one that somebody has begun.
  async look() {
    await this.#ask("&begin=false").catch(({ code }) => {
      this.sealed = code === "game_not_finished";
      this.replay.update();
    });
    if (this.said?.decisions && !this.found) this.begin();
  }

  // Has it made, and follows until it is.
  async begin() {
    if (this.following) return;
    Object.assign(this, { following: true, problem: null });
    this.replay.update();
    try {
      while (this.replay.isConnected && this.replay.review === this && !this.found) {
        await this.#ask();
        if (!this.found) await sleep(PAUSE_MS);
      }
    } catch (problem) {
      this.problem = problem;
      this.sealed &&= problem.code === "game_not_finished";
    }
    this.following = false;
    this.replay.update();
  }

  async #ask(how = "") {
    const { path, code } = this.replay.source;
    this.said = await call("GET", `${path}/review${`${code}${how}`.replace("&", "?")}`);
    this.sealed = false;
    this.replay.update();
  }

  // The chances before what a version shows, or when it ended.
  at(version) { return (this.found.chances.findLast((one) => one.version <= version) ?? this.found.chances[0]).by_seat; }
}

// In the row of buttons: begins the review, says how far it has come, and shows what matters.
export function reviewing({ review }, show) {
  if (!review || review.sealed) return nothing;
  if (review.found) return html`<button @click=${show}>${t("review")}</button>`;
  const { judged, decisions } = review.said ?? {};
  return review.following ? html`<span class="quiet" role="status">${decisions ? t("review.progress", { n: judged, of: decisions }) : t("review.waiting")}</span>`
    : html`<button @click=${() => review.begin()}>${t("review.begin")}</button>${review.problem ? html`<span class="problem" role="alert">${review.problem.message}</span>` : nothing}`;
}

// Over the slider.
export function course(replay) {
  const { review, source, game, at, version } = replay, found = review?.found;
  if (!found) return nothing;
  const last = source.steps.length - 1 || 1, x = (of) => (100 * source.stepOf(of)) / last, y = (chance) => 100 - 100 * chance, now = review.at(version);
  const marked = [...review.marks.values()], told = marked.find((one) => source.stepOf(one.version + 1) === at);
  const jump = (event) => { const { left, width } = event.currentTarget.getBoundingClientRect(); replay.to(Math.round((last * (event.clientX - left)) / width)); };
  return html`<div class="course">
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" @click=${jump}>${svg`<path class="half" d="M0 50H100"></path>
      ${game.seats.map(({ seat, player }) => svg`<path class=${String(seat) === String(replay.as) ? "own" : ""} stroke=${waxOf(player)} stroke-dasharray=${DASHES[seat]} d=${`M${found.chances.map((one) => `${x(one.version).toFixed(2)} ${y(one.by_seat[seat]).toFixed(1)}`).join("L")}`}></path>`)}
      ${marked.map(({ version: before, seat, mark }) => svg`<path class=${`mark ${mark}`} d=${`M${x(before + 1).toFixed(2)} ${y(review.at(before)[seat]).toFixed(1)}h.01`}></path>`)}
      <path class="here" d=${`M${((100 * at) / last).toFixed(2)} 0V100`}></path>`}</svg>
    <ul class="odds" aria-label=${t("review.chances")}>${game.seats.map((seat) => html`<li>${seal(seat.player)}<span class="unseen">${nameOf(seat, game)}</span> ${percent.format(now[seat.seat])}</li>`)}</ul>
    <p class="told">${told ? html`<b>${nameOf(game.seats[told.seat], game)}</b> – ${told.text}` : marked.length ? html`<span class="quiet">${t("review.marks", { n: marked.length })}</span>` : nothing}</p>
  </div>`;
}

// To the next or the last place that is marked.
export function toMark(replay, by) {
  const marks = [...(replay.review?.marks?.keys() ?? [])].map((version) => replay.source.stepOf(version));
  const step = by > 0 ? marks.find((one) => one > replay.at) : marks.findLast((one) => one < replay.at);
  if (step !== undefined) replay.to(step);
}

export const summary = (replay) => dialog(replay, "review", () => {
  const { review: { found, marks }, game } = replay, who = (seat) => nameOf(game.seats[seat], game);
  const jump = (event, version) => { close(event); replay.jump(version); };
  return html`<h2 id="review" tabindex="-1" autofocus>${t("review")}</h2>
    <ul class="steps-of-review">${found.summary.map((text) => html`<li>${text}</li>`)}</ul>
    ${marks.size ? html`<h3>${t("review.marked")}</h3><ol class="marked">${[...marks].map(([version, one]) => html`<li><button class="plain ${one.mark}" @click=${(event) => jump(event, version)}>
      <b>${t("round", { n: one.round })}, ${who(one.seat)}</b> ${one.text}</button></li>`)}</ol>` : nothing}
    <details><summary>${t("review.chances")}</summary><div class="chances" tabindex="0" role="region" aria-label=${t("review.chances")}><table><thead><tr><th scope="col">${t("replay.step")}</th>${game.seats.map(({ seat }) => html`<th scope="col">${who(seat)}</th>`)}</tr></thead>
      <tbody>${found.chances.map(({ version, by_seat: all }) => html`<tr><th scope="row"><button class="plain" @click=${(event) => jump(event, version)}>${replay.source.stepOf(version) + 1}</button></th>${all.map((one) => html`<td>${percent.format(one)}</td>`)}</tr>`)}</tbody></table></div></details>
    <p class="quiet">${t("review.about")}</p>
    <button @click=${close}>${t("close")}</button>`;
}, { kind: "review", holds: Boolean(replay.review?.found) });

export const reviewed = css`
  .course { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; min-width: 0 }
  .course svg:not(.wax) { width: calc(100% - 1.5rem); height: 4rem; margin-inline: .75rem; overflow: visible; cursor: pointer } .course path { vector-effect: non-scaling-stroke; stroke-width: 2; stroke-linejoin: round }
  .course .half { stroke: var(--line); stroke-width: 1 } .course .here { stroke: var(--edge); stroke-width: 1.5 } .course .own { stroke-width: 4 }
  .course .mark { stroke: var(--act); stroke-width: 10; stroke-linecap: round } .course .slip { stroke: var(--quiet); stroke-width: 7 }
  .odds { display: flex; flex-wrap: wrap; gap: .1rem .75rem; padding: 0 .75rem; margin: 0; list-style: none; font: .8125rem/1.3 var(--sans); font-variant-numeric: tabular-nums } .odds li { display: flex; align-items: center; gap: .25rem } .odds .wax { width: 1.125rem; height: 1.125rem }
  .told { margin: 0; padding: 0 .75rem; min-height: 2.6em; font: var(--small)/1.3 var(--sans); max-width: none }
  .review { width: 40rem } .steps-of-review { display: grid; gap: .35rem } .marked { display: grid; gap: .25rem; padding: 0; list-style: none } .marked button { text-align: start; display: block; width: 100%; padding: .35rem .6rem; border: 0; border-inline-start: 3px solid var(--act); border-radius: 0 } .review h2:focus { outline: none } .marked .slip { border-inline-start-color: var(--quiet) }
  .chances { overflow: auto; max-height: 20rem } .chances :is(th, td) { padding: .1rem .6rem; text-align: end; font-variant-numeric: tabular-nums } .chances button { min-height: 1.75rem }
  .log .jump.mistake { box-shadow: inset 3px 0 0 var(--act) } .log .jump.slip { box-shadow: inset 3px 0 0 var(--quiet) } .log .judged { display: block; font-weight: 400; font-size: var(--small); color: var(--quiet); padding: 0 .25rem .25rem }
  @media (max-width: 35.99rem) { .controls:has(.course) { bottom: -12.5rem } } @media (max-width: 22rem) { .controls:has(.course) { bottom: -17rem } }
  @media (max-width: 30rem) { .course svg:not(.wax) { height: 2.75rem } .told { font-size: .8125rem } }
  @media (max-height: 30rem) { .course { display: none } }
`;
