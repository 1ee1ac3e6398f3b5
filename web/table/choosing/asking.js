// What is asked of the reader: the steps taken, the options of the next one, and the button that sends the sentence.
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { chip } from "../../cards/card.js";
import { symbol } from "../../cards/symbol.js";
import { t } from "../../words/words.js";
import { hint, hintButton, sign } from "../aids/hint.js";
import { nameOf } from "../seats.js";
import { left } from "./left.js";

// Cards whose player is out of the round: that asks once more.
const ENDS = new Set(["princess", "necronomicon", "cthulhu", "mi_go_braincase"]);
// Played insane beside so many insanity cards, Cthulhu wins the game instead.
const WINS = 2;
const GUESSES = new Set(["guess", "number"]);

export function asking(table) {
  const { asked } = table;
  // Where there is room, the place of the question is kept, with what the hand does.
  if (!asked) return table.own.hand.length && !table.source ? html`<section class="reading" aria-label=${t("hand.texts")}>${texts(table)}</section>` : nothing;
  const advised = hint(table), steps = asked.taken.filter(({ kind }) => kind !== "enough");
  return html`<section class="asking ${!asked.entry && asked.kind === "card" ? "of-hand" : onlyForced(asked) ? "only" : ""}" aria-labelledby="asked" @keydown=${(event) => arrows(event, table)}>
    <div class="question"><h2 id="asked" tabindex="-1">${question(table)}</h2>${table.chosen.length ? nothing : hintButton(table)}</div>
    ${steps.length && !onlyForced(asked) ? html`<p class="steps"><span class="unseen">${t("ask.so_far")}</span>${steps.map((step) => html`<span class="step">${label(table, step).text}</span>`)}
      ${table.chosen.length ? html`<button class="plain back-step" @click=${() => table.undo()}>${t("ask.back")} <kbd>Esc</kbd></button>` : nothing}</p>` : nothing}
    ${table.why ? html`<p class="why" role="status">${table.why}</p>` : nothing}
    ${covered(table)}${advised}
    ${asked.entry ? sending(table) : asked.kind !== "card" ? options(table) : advised === nothing ? texts(table) : nothing}
  </section>`;
}

const onlyForced = ({ taken, entry }) => entry && taken.every(({ skipped }) => skipped);

function question(table) {
  const { game, asked } = table;
  if (asked.entry) return t(onlyForced(asked) ? "ask.only" : "ask.ready");
  if (asked.kind.startsWith("give-")) return t("ask.give", { name: nameOf(game.seats[Number(asked.kind.slice(5))], game) });
  if (asked.kind === "target" || asked.kind === "enough") {
    return t(asked.taken.some(({ kind }) => kind === "target") ? "ask.target_more" : "ask.target");
  }
  if (asked.kind === "bottom") return t(asked.taken.length > 1 ? "ask.bottom_next" : "ask.bottom");
  if (asked.kind === "card") return t(game.decision ? "ask.card_more" : "ask.card");
  return t(`ask.${asked.kind}`);
}

function options(table) {
  const { asked } = table;
  return html`<div class="options kind-${asked.kind.split("-")[0]}">${asked.options.map((option, place) => {
    const { text, card, about } = label(table, option), copies = GUESSES.has(option.kind) ? left(table, option) : null;
    return html`<button class="option ${copies === 0 ? "none" : ""}" data-option data-card=${card?.card ?? nothing} @click=${() => table.choose(option)}>${card ? chip(card) : nothing}<span><span aria-hidden=${Boolean(card)}>${text}</span>${about ? html`<small>${about}</small>` : copies === null ? nothing : html` <small>${copies === Infinity ? t("seat.known") : option.kind === "number" ? html`<span aria-hidden="true">×${copies}</span><span class="unseen">${t("ask.left", { n: copies })}</span>` : t("ask.left", { n: copies })}</small>`}</span>${sign(table, option)}${
      place < 9 ? html`<kbd aria-hidden="true">${place + 1}</kbd>` : nothing}</button>`;
  })}</div>`;
}

// What the cards of the hand do, while one of them is asked for; on a phone there is no room for it.
const texts = ({ own, card }) => html`<dl class="texts">${[...new Set(own.hand)].filter(card).map((id) => html`<div><dt>${card(id).value} · ${card(id).name}</dt>${
  own.insane ? card(id).faces.map(({ face, name, text }) => html`<dd>${face ? html`<em>${name}:</em> ` : nothing}${text}</dd>`) : html`<dd>${card(id).text}</dd>`}</div>`)}</dl>`;

// On a phone the panel lies over the hand: the text of the card that is being played moves into it, but for a guess,
// which needs the room.
function covered({ asked, card }) {
  const id = played(asked);
  const face = asked.taken.find(({ kind }) => kind === "face")?.value;
  const { text } = card(id)?.faces.find((one) => one.face === face) ?? card(id) ?? {};
  return id && !["guess", "number", "face"].includes(asked.kind) ? html`<p class="covered">${text}</p>` : nothing;
}

const played = ({ taken }) => taken.find(({ kind }) => kind === "card")?.value;

function sending(table) {
  const { entry } = table.asked;
  const card = entry.action.card;
  const ends = entry.action.type === "play_card" && ENDS.has(card) && !wins(table, entry.action);
  const sure = !ends || table.sure;
  return html`<button class="main send" data-option ?disabled=${table.sending} @click=${() => (sure ? table.send(entry) : table.askAgain())}>${
    sure && ends ? html`${symbol("seal", "tiny")} ${t("ask.sure", { text: entry.text })}` : entry.text}</button>
    ${ends ? html`<p class="why">${t("ask.ends")}</p>` : nothing}`;
}

const wins = ({ own, card }, { card: id, face }) => id === "cthulhu" && face === "insane" && own.discards.filter((one) => card(one).insanity).length >= WINS;

// The text of a step or an option, and the card to show with it.
export function label(table, { kind, value, entry }) {
  const { game } = table;
  const seat = (number) => (number === game.viewer?.seat ? t("yourself") : nameOf(game.seats[number], game));
  if (["card", "guess", "keep", "bottom"].includes(kind) || kind.startsWith("give-")) return { text: table.card(value).name, card: table.card(value) };
  if (kind === "target") return { text: seat(value) };
  if (kind === "number") return { text: `${value} · ${table.named(value)}` };
  if (kind === "face") return { text: t(`face.${value}`), about: table.card(played(table.asked)).faces.find(({ face }) => face === value)?.short_text };
  if (kind === "enough") return { text: t("ask.enough") };
  if (kind === "peek") return { text: value === null ? t("ask.none") : value === game.viewer?.seat ? t("own") : seat(value) };
  return { text: entry?.text ?? t(`ask.${kind}`) };
}

// Arrows walk over whatever is offered, in the panel and in the hand.
export function arrows(event, table) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const offered = [...table.shadowRoot.querySelectorAll("[data-option]:not(:disabled)")];
  const at = offered.indexOf(table.shadowRoot.activeElement);
  offered[(at + step + offered.length) % offered.length]?.focus();
  event.preventDefault();
}
