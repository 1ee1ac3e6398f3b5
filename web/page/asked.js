// The base of what opens over a page: a dialog that is there as long as its element, and what did not work in it.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { dialog, open } from "../look/dialog.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";

const sheet = css`
  .asked, form { display: grid; grid-template-columns: minmax(0, 1fr); gap: .875rem } .asked { overflow-wrap: anywhere } .name { align-items: end } h2 { font-size: var(--large) } .choice { display: flex; flex-wrap: wrap; gap: .375rem } fieldset { border: 0; padding: 0; margin: 0; min-width: 0 } legend { color: var(--quiet); padding: 0; margin-bottom: .25rem }
  .check { color: var(--text); display: flex; padding: .375rem 0 } .check input { flex: none; margin-top: .1rem } .grow { flex: 1 } p { margin: 0 }
`;

export class Asked extends Part {
  static sheets = [sheet];

  connectedCallback() { open(this, "asked"); }

  template() {
    return html`${dialog(this, "asked", () => html`<div class="asked">${this.content()}</div>`, { closed: () => this.done() })}`;
  }

  close() { this.find("dialog").close(); }

  trouble() { return this.problem ? html`<p class="problem" role="alert">${this.problem.message}</p>` : nothing; }

  async try(doing) {
    this.problem = null;
    this.update();
    try {
      await doing();
    } catch (problem) {
      this.problem = problem;
    }
    this.update();
  }
}
