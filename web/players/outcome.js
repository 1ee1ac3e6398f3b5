// What came of a game that has ended: for one of its players, against whom, and by how many tokens.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { language, t } from "../words/words.js";
import { linked, listed } from "./person.js";

const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
export const dated = (time) => html`<time datetime=${time}>${day.format(new Date(time))}</time>`;

// When something began and when it ended, to the minute if that was on one day.
const minute = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
export function spanned(...times) {
  const days = times.map((time) => day.format(new Date(time)));
  return days[0] === days[1] ? times.map((time) => minute.format(new Date(time))) : days;
}

export const titleOf = (editions, id) => (editions?.find((one) => one.id === id)?.title ?? id).replace(/\s*\(.*/, "");

// "won", "shared", "lost", or "none" for a game without a result.
export function outcome({ winners, seats }, id) {
  const own = seats.find(({ player }) => player?.id === id)?.seat;
  if (!winners?.length || own === undefined) return "none";
  return !winners.includes(own) ? "lost" : winners.length > 1 ? "shared" : "won";
}

// Whether somebody has won, or lost, because all others, or they themselves, have left.
const resigned = ({ winners, seats }, own) => own?.left || seats.every(({ seat, left }) => left !== winners?.includes(seat));

// A row of a list: how it ended for a player, and the replay.
export function played(game, id, editions) {
  const { seats, edition, finished_at: at } = game, result = outcome(game, id), title = titleOf(editions, edition);
  const own = seats.find(({ player }) => player?.id === id);
  const others = seats.filter((seat) => seat !== own && seat.player).toSorted((one, other) => other.tokens - one.tokens);
  const tokens = [own, ...others].map((seat) => seat?.tokens ?? 0).join(" : ");
  return html`<li class="played"><b class="result ${result}">${t(`result.${result}`)}</b>
    <span class="tokens" title=${t("result.tokens")}><span class="unseen">${t("result.tokens")} </span>${tokens}</span>
    <span class="others">${others.length ? listed(others.map(({ player }) => player), linked) : nothing}</span>
    <small class="quiet">${title} · ${dated(at)}${result !== "none" && resigned(game, own) ? ` · ${t("result.resigned")}` : nothing}${game.rated ? ` · ${t("rated")}` : nothing}</small>
    <a class="button" href=${new URL(`replays/${game.id}`, base)} aria-label=${`${t("replay.short")}: ${title}, ${t(`result.${result}`)}, ${day.format(new Date(at))}`}>${t("replay.short")}</a></li>`;
}
