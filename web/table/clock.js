// What is left of a seat's time, ticking by itself; under ten seconds it says so in the accent colour.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { now } from "../api/client.js";
import { symbol } from "../cards/symbol.js";
import { t } from "../words/words.js";

class Clock extends HTMLElement {
  static observedAttributes = ["until"];
  #timer;

  connectedCallback() { this.#tick(); }
  disconnectedCallback() { clearTimeout(this.#timer); }
  attributeChangedCallback() { if (this.isConnected) this.#tick(); }

  #tick() {
    clearTimeout(this.#timer);
    const left = Math.max(0, new Date(this.getAttribute("until")) - now());
    const seconds = Math.ceil(left / 1000);
    const hours = Math.floor(seconds / 3600), minutes = Math.floor((seconds % 3600) / 60), two = (n) => String(n).padStart(2, "0");
    this.textContent = hours >= 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
    this.toggleAttribute("short", seconds <= 10);
    if (left) this.#timer = setTimeout(() => this.#tick(), left % 1000 || 1000);
  }
}
customElements.define("billet-clock", Clock);

export const clock = (game) => (game.deadline ? html`<span class="clock"><billet-clock role="timer" until=${game.deadline}></billet-clock>${daysOff(game)}</span>` : nothing);

// How many days off whose clock runs has left, in games that give any.
function daysOff({ clock: given, seats, to_act: acts }) {
  if (!given?.break_days) return nothing;
  const said = t("break.left", { n: seats[acts].break_days_left });
  return html` <span class="days-off" title=${said}>${symbol("days", "tiny")}<b aria-hidden="true">${seats[acts].break_days_left}</b><span class="unseen">${said}</span></span>`;
}
