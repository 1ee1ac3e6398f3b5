// A link to hand on: copied, shared, or as a QR code to photograph.
import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";

export const share = (link, code) => html`<billet-share .link=${String(link)} .code=${code}></billet-share>`;

class Share extends HTMLElement {
  set link(link) { this.address = link; this.#draw(); }
  set code(code) { this.word = code; this.#draw(); }

  // What is opened on a small screen may lie below its end.
  show() { this.scrollIntoView({ block: "nearest" }); }

  #draw() {
    render(html`<p class="row share-row"><input readonly aria-label=${t("share.link")} .value=${this.address} @focus=${(event) => event.target.select()}>
      <button @click=${() => this.#copy()}>${t(this.copied ? "share.copied" : "share.copy")}</button>
      <button @click=${() => this.#picture()} aria-expanded=${Boolean(this.picture)}>QR</button></p>
      ${this.word ? html`<p>${t("share.code")} <b class="code">${this.word}</b></p>` : nothing}${this.picture ?? nothing}`, this);
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.address);
    } catch {
      this.querySelector("input").select();
      document.execCommand("copy");
    }
    this.copied = true;
    this.#draw();
  }

  async #picture() {
    const { encode } = await import("../vendor/uqr/dist/index.mjs");
    const { data, size } = encode(this.address, { border: 2 });
    const path = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ""))).join("");
    this.picture = this.picture ? null : html`<svg class="qr" role="img" aria-label=${t("share.qr")} viewBox="0 0 ${size} ${size}">${svg`<path d=${path}></path>`}</svg>`;
    this.#draw();
    this.show();
  }
}
customElements.define("billet-share", Share);
