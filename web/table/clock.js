// What is left of a seat's time, ticking by itself; under ten seconds it says so in the accent colour.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { now } from "../api/client.js";

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

export const clock = (game) => (game.deadline ? html`<billet-clock role="timer" until=${game.deadline}></billet-clock>` : nothing);
