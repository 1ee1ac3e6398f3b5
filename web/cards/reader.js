// The text of a card, wherever one lies: on hover, on focus, by a long press, and by a tap where a tap does nothing else.
// Elements with `data-card` have one. It lies above everything, inside the window, and goes with Escape; clicks go through it.
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";

const HOVER_MS = 250, LEAVE_MS = 200, PRESS_MS = 450, EDGE = 8;

export const tip = html`<div class="tip" id="tip" role="tooltip" popover="manual"></div>`;

export class Reader {
  #timer;

  constructor(host) {
    this.host = host;
    const { shadowRoot: root } = host;
    const on = (type, then, capture) => root.addEventListener(type, (event) => then(event, event.target.closest?.("[data-card]")), capture);
    // On a move only: cards also come to lie below a mouse at rest.
    on("pointermove", ({ pointerType }, card) => {
      if (pointerType !== "mouse" || card === this.below) return;
      this.below = card;
      if (card) this.#later(HOVER_MS, () => this.show(card));
      else this.#later(LEAVE_MS, () => this.hide());
    });
    host.addEventListener("pointerleave", () => { this.below = null; this.#later(LEAVE_MS, () => this.hide()); });
    on("focusin", (_, card) => (card && !this.still && card.matches(":focus-visible") ? this.show(card) : this.hide()));
    on("focusout", () => this.hide());
    on("pointerdown", ({ pointerType }, card) => {
      this.pressed = false;
      if (card !== this.at) this.hide();
      if (card && pointerType !== "mouse") this.#later(PRESS_MS, () => { this.pressed = true; this.show(card); });
    });
    for (const type of ["pointerup", "pointercancel"]) on(type, () => !this.pressed && clearTimeout(this.#timer));
    on("contextmenu", (event, card) => { if (card) event.preventDefault(), this.show(card); });
    // A long press is no tap, and a tap on a card that can be taken takes it.
    on("click", (event, card) => {
      clearTimeout(this.#timer);
      if (this.pressed) return event.preventDefault(), event.stopPropagation();
      card?.matches("[data-tells]") && !card.closest(".choosable") ? this.show(card) : this.hide();
    }, true);
  }

  // Escape closes the text first, and nothing behind it.
  #keys = (event) => { if (event.key === "Escape") event.stopImmediatePropagation(), event.preventDefault(), this.hide(); };
  #away = ({ target }) => target !== this.host && this.hide();

  #later(ms, then) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }

  show(at) {
    clearTimeout(this.#timer);
    const card = this.host.card(at.dataset.card), box = this.host.find(".tip");
    if (!card || !box || !at.isConnected || this.at === at) return;
    this.hide();
    this.at = at;
    render(html`<b>${card.value} · ${card.name}</b>${card.faces.map(({ face, name, text }) => html`<p>${face ? html`<em>${name}:</em> ` : nothing}${text}</p>`)}`, box);
    at.setAttribute("aria-describedby", "tip");
    box.showPopover();
    this.#place();
    document.addEventListener("keydown", this.#keys, true);
    document.addEventListener("pointerdown", this.#away);
    addEventListener("scroll", this.#place, true);
  }

  #place = () => {
    const { at } = this, box = this.host.find(".tip");
    const [around, own] = [at.getBoundingClientRect(), box.getBoundingClientRect()];
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const within = (wish, room) => Math.max(EDGE, Math.min(wish, room - EDGE));
    const above = (at.closest(".asking")?.getBoundingClientRect().top ?? around.top) - own.height - EDGE;
    box.style.left = `${within(around.left + (around.width - own.width) / 2, width - own.width)}px`;
    box.style.top = `${within(above < EDGE ? around.bottom + EDGE : above, height - own.height)}px`;
  };

  hide() {
    clearTimeout(this.#timer);
    if (!this.at) return;
    this.at.removeAttribute("aria-describedby");
    this.at = null;
    this.host.find(".tip")?.hidePopover();
    document.removeEventListener("keydown", this.#keys, true);
    document.removeEventListener("pointerdown", this.#away);
    removeEventListener("scroll", this.#place, true);
  }

  // What was drawn anew may have taken the card away.
  drawn() { if (this.at && !this.at.isConnected) this.hide(); }
}

// In a row of cards one is a stop of the tab key, and arrows lead to the others.
export function along(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], row = [...event.currentTarget.querySelectorAll("[data-card]")];
  const next = row[row.indexOf(event.target) + step];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
