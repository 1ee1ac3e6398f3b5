// What can be known of the hidden cards at the moment on show, at a table and in a replay: what each hand may hold, how likely that
// is, and what is certain. It is asked for while it lies open, once for each moment.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { call, sleep } from "../../api/client.js";
import { lying } from "../../cards/card.js";
import { along } from "../../cards/reader.js";
import { preferences } from "../../look/preferences.js";
import { language, t } from "../../words/words.js";
import { around, nameOf } from "../seats.js";

// Whoever passes through moments more quickly asks about none of them.
const REST_MS = 150;
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const list = new Intl.ListFormat(language);

// The end of a round is told before the view after it comes: the hands lie open by then.
const moment = ({ ended, game, lines }) => (ended ? lines.at(-1).version : game.version);
const seatOf = ({ viewer }) => viewer?.seat ?? null;

// Called with each drawing: asks if it lies open and shows another moment, or what somebody else may know.
export function learn(table) {
  if (!table.find(".knowable")?.checkVisibility()) return;
  const { game: { id }, known: before } = table, seat = seatOf(table.game), version = moment(table);
  if (before?.game === id && before.version === version && before.seat === seat) return;
  before?.end.abort();
  const known = table.known = { game: id, version, seat, end: new AbortController() };
  // What was known a moment before stays until more is.
  if (before?.game === id && before.seat === seat) known.found = before.found;
  fetched(table, known);
}

async function fetched(table, known) {
  const { end: { signal }, game, version, seat } = known, code = table.getAttribute("code");
  const as = table.source ? `&as=${seat}` : "", join = code ? `&join_code=${encodeURIComponent(code)}` : "";
  await sleep(REST_MS, signal);
  if (signal.aborted) return;
  try {
    known.found = await call("GET", `/games/${game}/deductions?at=${version}${as}${join}`, undefined, { signal, outdated: () => !table.isConnected });
  } catch (problem) {
    if (signal.aborted) return;
    known.problem = problem;
  }
  table.update();
}

// A switch, which is remembered, and what can be known. It is about the player whose view is on show: in a replay, the view of
// the player chosen last may not have come yet. For a game from a file nobody can be asked.
export function known(table) {
  const { game, source } = table;
  if (!game.round || source?.film) return nothing;
  const on = preferences.chances;
  return html`<label class="check"><input type="checkbox" .checked=${on} @change=${({ target }) => { preferences.chances = target.checked; table.update(); }}>${t(source ? "known.here" : "known.now")}</label>
    ${!on ? nothing : source && seatOf(game) === null ? html`<p class="quiet">${t("known.whose")}</p>` : html`<div class="knowable" aria-busy=${table.known?.found?.version !== moment(table)}>${found(table)}</div>`}`;
}

function found(table) {
  const { game, known: { found, problem, game: about, seat } = {} } = table;
  if (problem) return html`<p>${problem.message}</p>`;
  if (!found || about !== game.id || seat !== seatOf(game)) return html`<p class="quiet">${t("known.waits")}</p>`;
  const { seats, set_aside: aside, deck, deals, certain } = found;
  let place = 0;
  return html`<p class="quiet">${deals.exact ? t("known.exact") : t("known.drawn", { error: percent.format(deals.error) })}</p>
    ${around(game).map((one) => (seats[one.seat].cards.length ? part(table, nameOf(one, game), seats[one.seat].cards, certain.filter((fact) => fact.seat === one.seat)) : nothing))}
    ${deck.map(({ places, cards }) => part(table, inDeck(place + 1, place += places, deck.length), cards))}
    ${aside.length ? part(table, t("known.aside"), aside) : nothing}`;
}

const inDeck = (from, to, runs) => (runs === 1 ? t("known.deck") : from === to ? t("known.deck.one", { from }) : t("known.deck.some", { from, to }));

const part = (table, title, cards, certain = []) => html`<section aria-label=${title}><h3>${title}</h3>
  <ul class="chances" @keydown=${along}>${cards.map(({ card, probability }, place) => html`<li>${lying(table.card(card), place)}<b>${chance(probability)}</b><meter min="0" max="1" value=${probability} aria-hidden="true"></meter></li>`)}</ul>
  ${certain.length ? facts(table, certain) : nothing}</section>`;

// 0 or 100 % only where that is certain.
const chance = (value) => percent.format(value === 1 ? 1 : Math.min(0.99, Math.max(0.01, value)));

// What is certain, and the event that shows it, to which a replay leads.
const facts = (table, certain) => html`<ul class="facts">${[...new Set(certain.map(({ version }) => version))].map((version) => {
  const of = (held) => certain.filter((fact) => fact.version === version && fact.held === held).map(({ card }) => table.card(card).name);
  const said = [["known.holds", of(true)], ["known.not", of(false)]].filter(([, cards]) => cards.length).map(([key, cards]) => t(key, { cards: list.format(cards) }));
  const { text } = table.lines.find((line) => line.version === version) ?? {};
  return html`<li><b>${said.join(" ")}</b> ${!text ? nothing : table.source ? html`<button class="jump" @click=${() => table.jump(version)}>${text}</button>` : html`<span class="quiet">${text}</span>`}</li>`;
})}</ul>`;
