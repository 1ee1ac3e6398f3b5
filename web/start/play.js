// A new game: with opponents who wait, against bots at once, or a table for people. Edition and seats are chosen by pictures.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, register } from "../api/account.js";
import { BOTS } from "../api/editions.js";
import { waiting } from "../api/waiting.js";
import { naming } from "../look/naming.js";
import { t } from "../words/words.js";
import { editionTiles, seatTiles } from "./pictures.js";

const CLOCKS = ["", "30", "60", "300", "86400"];
// All who wait for opponents here wish for the same clock, so that they find one another.
const CLOCK = { seconds: 60, on_timeout: "bot_plays" };
// Up to so many seats are found soon.
const MOST_SEATS = 4;

export function playing(start) {
  const { setup, editions } = start, { people, bot, seats } = setup;
  const set = (change) => { Object.assign(setup, change); fit(setup, setup, start); start.keep(); start.update(); };
  return html`<section class="box play" aria-labelledby="play"><h2 id="play" class="unseen">${t("start.new")}</h2>
    <form class="ways" @submit=${(event) => { event.preventDefault(); start.attempt("play", () => find(start)); }}>
      ${waiting.ticket ? looking() : html`<button class="main way go" ?disabled=${start.busy === "play"}><b>${t("start.play")}</b><small>${t("start.play.text", sought(start))}</small></button>`}
      <button type="button" class="way bots" ?disabled=${start.busy === "play"} @click=${() => start.attempt("play", () => against(start))}><b>${t("start.bots")}</b><small>${t("start.bots.text", { n: seats, bot: t(`start.bot.${bot}`) })}</small></button>
      ${waiting.ticket || people || !account.guest ? nothing : naming(start)}</form>
    ${start.trouble("play")}
    ${editions ? html`${editionTiles(editions, setup.edition, (id) => set({ edition: id, options: {} }))}
      <div class="pair">${seatTiles(start.edition(setup.edition).seats, seats, (count) => set({ seats: count }))}${forBots(setup, set)}</div>
      <div class="checks">${check("rated", setup, set)}${check("fill", setup, set)}</div>` : nothing}
    <button class="plain more" aria-expanded=${people} @click=${() => set({ people: !people })}><span><b>${t("start.people")}</b> <small>${t("start.people.text")}</small></span></button>
    ${people && editions ? forPeople(start, setup, set) : nothing}</section>`;
}

// Stands in the place of the button while the reader waits.
const looking = () => html`<div class="waiting"><b>${t("queue.looking")}</b><p role="status">${t("queue.waiting", { n: waiting.ticket.waiting })}</p><p class="quiet">${t("queue.stay")}</p>
  <button type="button" @click=${() => waiting.cancel()}>${t("queue.cancel")}</button></div>`;

const check = (name, setup, set) => html`<label class="check"><input type="checkbox" .checked=${setup[name]} @change=${(event) => set({ [name]: event.target.checked })}>${t(`queue.${name}`)}</label>`;

const forBots = ({ bot }, set) => html`<fieldset class="pills"><legend>${t("start.which")}</legend>${BOTS.map((one) => html`<label class="pill"><input type="radio" name="bot"
  .checked=${one === bot} @change=${() => set({ bot: one })}>${t(`start.bot.${one}`)}</label>`)}</fieldset>`;

const forPeople = (start, { edition, options, clock, hidden }, set) => html`<form class="details" @submit=${(event) => { event.preventDefault(); start.attempt("table", () => open(start)); }}>${account.guest ? naming(start) : nothing}
  <label>${t("start.clock")}<select @change=${(event) => set({ clock: event.target.value })}>${CLOCKS.map((seconds) => html`<option value=${seconds} ?selected=${seconds === clock}>${
    t(`clock.${seconds || "none"}`)}</option>`)}</select></label>
  ${start.edition(edition).options.map(({ name, title, text, choices }) => html`<label>${title}<select title=${text} @change=${(event) => set({ options: { ...options, [name]: event.target.value } })}>${
    choices.map(({ value, title: choice }) => html`<option value=${value} ?selected=${options[name] === value}>${choice}</option>`)}</select></label>`)}
  <label class="check"><input type="checkbox" .checked=${hidden} @change=${(event) => set({ hidden: event.target.checked })}>${t("start.private")}</label>
  <button class="go" ?disabled=${start.busy === "table"}>${t("start.open")}</button>${start.trouble("table")}</form>`;

// What was kept may be of another time: what is not offered any more gives way to what is usual.
export function fit(setup, usual, start) {
  if (!start.edition(setup.edition)) setup.edition = start.editions[0].id;
  if (!BOTS.includes(setup.bot)) setup.bot = usual.bot;
  if (!CLOCKS.includes(setup.clock)) setup.clock = usual.clock;
  const { seats: { min, max }, options } = start.edition(setup.edition);
  setup.seats = Math.min(max, Math.max(min, Math.trunc(setup.seats) || usual.seats));
  setup.options = Object.fromEntries(options.flatMap(({ name, choices }) => (choices.some(({ value }) => value === setup.options?.[name]) ? [[name, setup.options[name]]] : [])));
}

// How many may sit at a table of those who wait: they are found soon, whatever number one would play bots with.
function sought(start) {
  const { min, max } = start.edition(start.setup.edition).seats;
  return { min, max: Math.max(min, Math.min(max, MOST_SEATS)) };
}

// Begins to wait. The rest of the page can be used meanwhile.
async function find(start) {
  const { setup: { edition, fill, rated, options } } = start;
  const { min, max } = sought(start);
  await register(account.guest ? start.name : null);
  const seats = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  await waiting.ask({ edition, options, seats, rated, clock: CLOCK, bots: fill ? "fill" : "never" });
  // The pressed button is gone: whoever uses a keyboard is at the one in its place.
  start.update();
  queueMicrotask(() => start.find(".waiting button")?.focus());
}

const others = ({ seats }, kind) => [{ kind: "creator" }, ...Array.from({ length: seats - 1 }, () => kind)];

async function against(start) {
  const { edition, options, bot } = start.setup;
  start.go((await start.sit("/games", { edition, options, seats: others(start.setup, { kind: "bot", bot }), visibility: "unlisted" })).id);
}

async function open(start) {
  const { edition, options, clock, hidden, rated } = start.setup;
  const game = await start.sit("/games", {
    edition, options, seats: others(start.setup, { kind: "open" }), visibility: hidden ? "unlisted" : "public", rated: rated && !hidden,
    ...(clock && { clock: { seconds: Number(clock), on_timeout: "bot_plays" } }),
  });
  // A table for people is shared by its address, which holds the code; a game against bots is not.
  start.go(game.id, game.join_code);
}
