// The base of our elements: a shadow root with shared sheets, drawn again once for however many changes at a time.
import { render } from "../vendor/lit-html/lit-html.js";
import { showDialogs } from "./dialog.js";
import { guardKeys } from "./keys.js";
import { controls, tokens } from "./sheet.js";

export class Part extends HTMLElement {
  static sheets = [];
  #due = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [tokens, controls, ...this.constructor.sheets];
    guardKeys(this);
  }

  connectedCallback() {
    this.update();
  }

  update() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (!this.isConnected) return;
      render(this.template(), this.shadowRoot, { host: this });
      showDialogs(this);
      this.drawn?.();
    });
  }

  find(selector) {
    return this.shadowRoot.querySelector(selector);
  }
}
