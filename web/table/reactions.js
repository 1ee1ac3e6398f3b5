// What players tell each other beside the game: six words, each a bubble at its sender's seat for a moment.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { AFTER_THE_END_MS, among } from "../api/frames.js";
import { call, now } from "../api/client.js";
import { symbol } from "../cards/symbol.js";
import { css } from "../look/sheet.js";
import { storage } from "../look/storage.js";
import { t } from "../words/words.js";
import { nameOf } from "./seats.js";

const WORDS = ["well_played", "ouch", "thinking", "hurry", "thanks", "again"];
// The service takes one in five seconds.
const SHOWN_MS = 5000, PAUSE_MS = 5000;

export class Reactions {
  // By seat: the word on show.
  shown = new Map();
  said = "";
  waiting = false;

  constructor(table) { this.table = table; }

  get muted() { return storage.get("reactions") === "off"; }
  mute() {
    storage.set("reactions", this.muted ? "on" : "off");
    this.shown.clear();
    this.said = "";
    this.table.update();
  }

  // There is somebody to read it, and they are still told.
  get offered() {
    const { game, own, source } = this.table;
    return Boolean(own && !source && among(game)) && (!game.finished_at || now() - new Date(game.finished_at) < AFTER_THE_END_MS);
  }

  take({ seat, reaction }) {
    const { table } = this;
    if (this.muted || !table.game) return;
    const word = { reaction };
    this.shown.set(seat, word);
    this.said = `${nameOf(table.game.seats[seat], table.game)}: ${t(`react.${reaction}`)}`;
    table.update();
    setTimeout(() => {
      if (this.shown.get(seat) !== word) return;
      this.shown.delete(seat);
      table.update();
    }, SHOWN_MS);
  }

  async send(reaction) {
    const { table } = this;
    if (this.waiting) return;
    table.find(".reactions").hidePopover();
    this.waiting = true;
    setTimeout(() => { this.waiting = false; table.update(); }, PAUSE_MS);
    try {
      table.failed = null;
      await call("POST", `/games/${table.game.id}/reactions`, { reaction });
    } catch (problem) {
      table.failed = problem;
    }
    table.update();
  }
}

// Where it is said, the words are read out once, for all seats.
export function bubble({ reactions }, { seat }) {
  const word = reactions?.shown.get(seat);
  return word ? html`<span class="bubble" aria-hidden="true">${symbol(word.reaction, "tiny")} ${t(`react.${word.reaction}`)}</span>` : nothing;
}

export function reacting({ reactions }) {
  if (!reactions.offered) return nothing;
  const soon = reactions.waiting ? t("react.soon") : nothing;
  return html`<button class="plain icon" popovertarget="reactions" aria-label=${t("react")} title=${t("react")}>${symbol("speech", "tiny")}</button>
  <div popover id="reactions" class="reactions" role="group" aria-label=${t("react")}>
    ${WORDS.map((word, place) => html`<button data-reaction=${word} ?disabled=${reactions.muted} aria-disabled=${reactions.waiting} aria-description=${soon} title=${soon} @click=${() => reactions.send(word)}>${symbol(word, "tiny")}<span>${t(`react.${word}`)}</span><kbd aria-hidden="true">${place + 1}</kbd></button>`)}
    <label><input type="checkbox" .checked=${reactions.muted} @change=${() => reactions.mute()}>${t("react.mute")}</label>
  </div>`;
}

export const readOut = ({ reactions }) => html`<p class="unseen" aria-live="polite">${reactions.said}</p>`;

export const bubbles = css`
  .reactions { position: fixed; inset: auto .5rem 3.25rem auto; margin: 0; border: 1px solid var(--line); border-radius: var(--round); background: var(--raised); color: var(--text); box-shadow: var(--shadow); padding: .5rem; gap: .375rem; width: min(22rem, calc(100vw - 1rem)); grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .reactions:popover-open { display: grid } .reactions button { justify-content: start; font-size: var(--small); min-height: 2.75rem; padding-inline: .6rem } .reactions [aria-disabled=true] { opacity: .55; cursor: default } .reactions button span { flex: 1; text-align: start } .reactions label { grid-column: 1 / -1; font-size: var(--small); padding: .5rem .25rem .25rem }
  .reactions .tiny, .bubble .tiny, .tools .icon .tiny { width: 1.25rem; height: 1.25rem; flex: none }
  .bubble { position: absolute; inset: -.5rem .375rem auto auto; z-index: 6; display: inline-flex; gap: .35rem; align-items: center; max-width: calc(100% - .75rem); padding: .25rem .6rem; border-radius: 1rem 1rem .2rem; background: var(--paper); color: var(--ink); box-shadow: var(--shadow); font: 600 var(--small)/1.3 var(--sans); pointer-events: none; animation: says .25s ease-out }
  .mine h2 { position: relative } .mine .bubble { inset: auto auto calc(100% + .25rem) 0; width: max-content; max-width: 60vw; border-radius: 1rem 1rem 1rem .2rem } @keyframes says { from { opacity: 0; transform: translateY(.5rem) } }
  @media (max-width: 45.99rem), (max-width: 59.99rem) and (max-height: 55.99rem) { .tools .icon { min-width: 2rem; padding-inline: 0 } .reactions { inset: 6.25rem .5rem auto auto } .reactions kbd { display: none } }
  @media (min-width: 60rem) { .reactions { right: clamp(20.5rem, 25.5vw, 22.5rem) } }
`;
