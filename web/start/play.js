// A new game: against bots at once, with opponents who wait, or a table for people. Edition and seats are chosen by pictures, for both alike.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { BOTS } from "../api/editions.js";
import { naming } from "../look/naming.js";
import { t } from "../words/words.js";
import { editionTiles, seatTiles } from "./pictures.js";
import { find, forOpponents } from "./queue.js";

const AGAINST = ["bots", "opponents", "people"];
const CLOCKS = ["", "30", "60", "300", "86400"];

export function playing(start) {
  const { setup, editions } = start;
  const set = (change) => { Object.assign(setup, change); fit(setup, setup, start); start.keep(); start.update(); };
  const { against } = setup, people = against === "people", opponents = against === "opponents";
  return html`<form class="box play" aria-labelledby="play" @submit=${(event) => { event.preventDefault(); start.attempt("play", () => (opponents ? find(start) : begin(start))); }}><h2 id="play" class="unseen">${t("start.new")}</h2>
    <div class="against" role="group" aria-labelledby="play">${AGAINST.map((kind) => html`<button type="button" aria-pressed=${kind === against}
      @click=${() => set({ against: kind })}><b>${t(`start.${kind}`)}</b><small>${t(`start.${kind}.text`)}</small></button>`)}</div>
    ${editions ? html`${editionTiles(editions, setup.edition, (id) => set({ edition: id, options: {} }))}
      ${opponents ? forOpponents(start, setup, set) : html`${seatTiles(start.edition(setup.edition).seats, setup.seats, (seats) => set({ seats }))}
      ${people ? forPeople(start, setup, set) : forBots(setup, set)}`}` : nothing}
    <button class="main go" ?disabled=${start.busy === "play"}>${t(people ? "start.open" : "start.go")}</button>
    ${start.trouble("play")}</form>`;
}

const forBots = ({ bot }, set) => html`<fieldset class="pills"><legend>${t("start.which")}</legend>${BOTS.map((one) => html`<label class="pill"><input type="radio" name="bot"
  .checked=${one === bot} @change=${() => set({ bot: one })}>${t(`start.bot.${one}`)}</label>`)}</fieldset>`;

const forPeople = (start, { edition, options, clock, hidden }, set) => html`<div class="details">${account.guest ? naming(start) : nothing}
  <label>${t("start.clock")}<select @change=${(event) => set({ clock: event.target.value })}>${CLOCKS.map((seconds) => html`<option value=${seconds} ?selected=${seconds === clock}>${
    t(`clock.${seconds || "none"}`)}</option>`)}</select></label>
  ${start.edition(edition).options.map(({ name, title, text, choices }) => html`<label>${title}<select title=${text} @change=${(event) => set({ options: { ...options, [name]: event.target.value } })}>${
    choices.map(({ value, title: choice }) => html`<option value=${value} ?selected=${options[name] === value}>${choice}</option>`)}</select></label>`)}
  <label class="check"><input type="checkbox" .checked=${hidden} @change=${(event) => set({ hidden: event.target.checked })}>${t("start.private")}</label></div>`;

// What was kept may be of another time: what is not offered any more gives way to what is usual.
export function fit(setup, usual, start) {
  if (!AGAINST.includes(setup.against)) setup.against = usual.against;
  if (!start.edition(setup.edition)) setup.edition = start.editions[0].id;
  if (!BOTS.includes(setup.bot)) setup.bot = usual.bot;
  if (!CLOCKS.includes(setup.clock)) setup.clock = usual.clock;
  const { seats: { min, max }, options } = start.edition(setup.edition);
  setup.seats = Math.min(max, Math.max(min, Math.trunc(setup.seats) || usual.seats));
  setup.options = Object.fromEntries(options.flatMap(({ name, choices }) => (choices.some(({ value }) => value === setup.options?.[name]) ? [[name, setup.options[name]]] : [])));
}

async function begin(start) {
  const { against, edition, seats, bot, options, clock, hidden } = start.setup;
  const people = against === "people";
  const others = Array.from({ length: seats - 1 }, () => (people ? { kind: "open" } : { kind: "bot", bot }));
  const game = await start.sit("/games", {
    edition, options, seats: [{ kind: "creator" }, ...others], visibility: people && !hidden ? "public" : "unlisted",
    ...(people && clock && { clock: { seconds: Number(clock), on_timeout: "bot_plays" } }),
  });
  // A table for people is shared by its address, which holds the code; a game against bots is not.
  start.go(game.id, people ? game.join_code : null);
}
