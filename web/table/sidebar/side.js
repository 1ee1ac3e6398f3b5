// Beside the table: the log in words, the reference card, the cards not seen yet, one's notes; as tabs, on a phone as a sheet.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { counted } from "../../api/editions.js";
import { chip } from "../../cards/card.js";
import { reference } from "../../cards/reference.js";
import { seal } from "../../look/seal.js";
import { language, t } from "../../words/words.js";
import { known } from "../aids/known.js";
import { taken } from "./marks.js";
import { notes } from "./notes.js";

const TABS = ["log", "reference", "unseen", "notes"];

export function side(table) {
  const tabs = TABS.filter((tab) => (tab === "unseen" ? table.game.unseen : tab !== "notes" || taken(table)));
  const open = tabs.includes(table.tab) ? table.tab : table.game.status === "open" ? "reference" : "log";
  return html`<aside class="side ${table.sheet ? "open" : ""}" aria-label=${t("side")}>
    <div class="top"><div class="tabs" role="tablist" aria-label=${t("side")} @keydown=${(event) => walk(event, table, tabs, open)}>${tabs.map((tab) => html`<button role="tab" id="tab-${tab}"
      aria-selected=${tab === open} aria-controls="panel" tabindex=${tab === open ? 0 : -1} @click=${() => table.look(tab)}>${t(`tab.${tab}`)}</button>`)}</div>
      <button class="plain icon close" @click=${() => table.look(null)} aria-label=${t("close")}>×</button></div>
    <div class="panel" id="panel" role="tabpanel" aria-labelledby="tab-${open}" tabindex="0">${{ log, reference: cards, unseen, notes }[open](table)}</div>
  </aside>`;
}

function walk(event, table, tabs, open) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tab = tabs[(tabs.indexOf(open) + step + tabs.length) % tabs.length];
  table.look(tab);
  table.find(`#tab-${tab}`).focus();
  event.stopPropagation();
}

// That somebody draws is said by each turn.
const said = ({ type, data }) => type !== "card_drawn" || data.card !== null;

// The lines by round and turn, made once however often the table is drawn: a long game has a thousand.
const grouped = new WeakMap();
const clock = new Intl.DateTimeFormat(language, { timeStyle: "medium" });

function rounds(lines) {
  const parts = [];
  for (const line of lines) {
    if (line.type === "round_started") parts.push({ number: line.data.number, turns: [] });
    if (!parts.length) parts.push({ number: 0, turns: [] });
    const { turns } = parts.at(-1);
    if (line.type === "turn_started" || !turns.length) turns.push([]);
    turns.at(-1).push({ ...line, time: clock.format(new Date(line.at)) });
  }
  return parts;
}

function log(table) {
  if (!grouped.has(table.lines)) grouped.set(table.lines, rounds(table.lines.filter(said)));
  const now = table.source && { from: table.source.steps[table.at - 1] ?? 0, to: table.version };
  return html`<ol class="log">${grouped.get(table.lines).map(({ number, turns }) => html`<li>
    ${number ? html`<h3>${t("round", { n: number })}</h3>` : nothing}
    ${turns.map((turn) => html`<ul>${turn.map(({ version, type, data, text, time }) =>
      html`<li class="line ${type}">${type === "turn_started" ? sealOf(table, data) : nothing}<span title=${time}>${moment(now, version, text, table.review?.marks?.get(version))}</span></li>`)}</ul>`)}</li>`)}</ol>`;
}

// Whose turn it is.
function sealOf({ game }, { seat }) {
  const player = game.seats[seat]?.player;
  return player ? seal(player) : nothing;
}

// In a replay a line leads to its moment.
function moment(now, version, text, judged) {
  if (!now) return text;
  const current = version > now.from && version <= now.to;
  return html`<button class="jump ${version > now.to ? "ahead" : ""} ${judged?.mark ?? ""}" aria-current=${current ? "step" : nothing} @click=${(event) => event.target.getRootNode().host.jump(version)}>${text}</button>${judged ? html`<span class="judged">${judged.text}</span>` : nothing}`;
}

// The rules lie open before the game starts.
const cards = ({ book, game: { seats, status } }) => html`<details ?open=${status === "open"}><summary>${t("rules")}</summary><p>${book.text}</p></details>${reference(counted(book, seats.length))}`;

function unseen(table) {
  const { game, card } = table;
  const most = Math.max(...game.unseen.map(({ count }) => count), 1);
  return html`${known(table)}<p class="quiet">${t("unseen.about")}</p><ul class="unseen-cards">${game.unseen.map(({ card: id, count }) => html`<li class=${count ? "" : "none"}>
    ${chip(card(id))}<span>${card(id).name}</span><meter min="0" max=${most} value=${count} aria-hidden="true"></meter><b>${count}</b></li>`)}</ul>`;
}
