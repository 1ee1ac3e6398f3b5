// The controls of a replay: a slider over the steps with rounds as sections, play and speed, the viewer, links onward.
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { nameOf } from "../table/seats.js";
import { open } from "../look/dialog.js";
import { t } from "../words/words.js";
import { course, reviewing } from "./review.js";

const ICONS = { "turn_back": "M6 5v14M19 5l-10 7 10 7z", "back": "M17 5 7 12l10 7z", "next": "M7 5l10 7-10 7z", "turn_next": "M18 5v14M5 5l10 7-10 7z" };
const SPEEDS = [0.5, 1, 2, 4];

export function controls(replay) {
  const { source, game, at } = replay;
  const last = source.steps.length - 1;
  // What needs the log of a game whose cards others are still dealt is refused.
  const sealed = game.deal !== null && replay.review?.sealed;
  return html`<nav class="controls" aria-label=${t("replay")}>
    <div class="track">${course(replay)}
      <input type="range" min="0" max=${last} step="1" .value=${String(at)} aria-label=${t("replay.step")} aria-valuetext=${t("replay.at", { n: at + 1, of: last + 1, text: replay.lastAction })}
        @input=${(event) => { replay.to(Number(event.target.value)); }}>
      <div class="rounds">${source.rounds.map(({ number, version }, place) => {
        const start = source.stepOf(version), end = source.rounds[place + 1] ? source.stepOf(source.rounds[place + 1].version) : last + 1;
        return html`<button class=${at >= start && at < end ? "now" : ""} .style=${`flex-grow: ${Math.max(end - start, 0.01)}`} @click=${() => replay.jump(version)}
          aria-label=${t("round", { n: number })} title=${t("round", { n: number })}><span aria-hidden="true">${number}</span></button>`;
      })}</div>
    </div>
    <div class="row steer">
      ${button("turn_back", () => replay.turn(-1))}
      ${button("back", () => replay.step(-1))}
      <button class="main play" @click=${() => replay.toggle()}>${t(replay.playing ? "replay.pause" : "replay.play")}</button>
      ${button("next", () => replay.step(1))}
      ${button("turn_next", () => replay.turn(1))}
      <label class="speed"><span class="unseen">${t("replay.speed")}</span><select @change=${(event) => { replay.speed = Number(event.target.value); }}>${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === replay.speed}>${speed}×</option>`)}</select></label>
    </div>
    <div class="row more">${sealed ? nothing : html`<label class="whom">${t("replay.as")}<select @change=${(event) => replay.see(event.target.value)}>${[["all", t("replay.all")], ...game.seats.map((seat) => [String(seat.seat), nameOf(seat, game)])].map(([as, text]) =>
      html`<option value=${as} ?selected=${as === replay.as}>${text}</option>`)}</select></label>`}
      ${sealed ? nothing : html`<button class=${replay.verified === false ? "broken" : nothing} @click=${() => replay.prove()}>${fairness(replay)}</button>`}
      ${reviewing(replay, () => open(replay, "review"))}
      ${source.film || sealed || account.abstains ? nothing : html`<button ?disabled=${game.status !== "active"} @click=${() => replay.fork()}>${t("replay.fork")}</button>`}
      ${sealed ? nothing : html`<button @click=${() => replay.keep()}>${t("file.download")}</button>`}
      ${!replay.opener ? nothing : html`${sealed ? nothing : html`<button @click=${() => replay.keepPage()}>${t("file.page")}</button>`}<label class="button">${t("file.open")}<input class="unseen" type="file" @change=${({ target }) => { const [file] = target.files; target.value = ""; if (file) replay.read(file); }}></label>`}
      <button class="only-small" @click=${() => replay.look("log")}>${t("tab.log")}</button><button class="plain wide-only" @click=${() => replay.help()}>${t("keys")}</button></div>
  </nav>`;
}

const fairness = ({ verified }) => t(verified === undefined || verified === null ? "replay.fair" : verified ? "replay.verified" : "replay.broken");

const button = (name, then) => html`<button class="icon" @click=${then} aria-label=${t(`replay.${name}`)} title=${t(`replay.${name}`)}><svg class="tool" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${ICONS[name]}></path>`}</svg></button>`;
