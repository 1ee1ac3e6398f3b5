// Days off in games by the day: who is on a break until when, how many days all have left, and one's own.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { now } from "../api/client.js";
import { symbol } from "../cards/symbol.js";
import { close, dialog, open } from "../look/dialog.js";
import { language, t } from "../words/words.js";
import { nameOf } from "./seats.js";

const time = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
const byTheDay = ({ game, source }) => Boolean(!source && game.clock?.break_days && game.status === "active");
const plays = ({ own }) => Boolean(own && !own.left);

// What holds for a seat now, or null; a break may be over without any event.
export function onBreak({ source }, { break_until: until }) {
  return !source && until && new Date(until) > now() ? t("break.until", { time: time.format(new Date(until)) }) : null;
}

const left = (seat) => t("break.left", { n: seat.break_days_left });

// Whoever watches may see them, too.
export const resting = (table) => (byTheDay(table) ? html`<button class="plain icon" aria-label=${t("break")} title=${t("break")} @click=${() => open(table, "break")}>${symbol("days", "tiny")}</button>` : nothing);

export const breakDialog = (table) => dialog(table, "break", () => html`<h2 id="break">${t("break")}</h2>
  <p>${t("break.about")}</p>
  <ul class="breaks">${table.game.seats.filter(({ player, left: gone }) => !gone && player?.id.startsWith("bot-") === false).map((seat) => html`<li><b>${nameOf(seat, table.game)}</b> ${left(seat)}${onBreak(table, seat) ? html`<br><small>${onBreak(table, seat)}</small>` : nothing}</li>`)}</ul>
  ${plays(table) && table.own.break_days_left ? html`<form class="row" @submit=${(event) => { event.preventDefault(); table.rest(Number(event.target.elements.days.value)); close(event); }}>
    <label>${t("break.days")}<input name="days" type="number" required min="1" max=${table.own.break_days_left} value="1"></label>
    <button class="main">${t("break.take")}</button></form>` : nothing}
  <button autofocus @click=${close}>${t("close")}</button>`, { holds: byTheDay(table) });
