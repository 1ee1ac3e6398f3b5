// <billet-file>: a game from a file, also where there is no connection; `from` is the page that could not be reached.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { Part } from "../look/part.js";
import { css } from "../look/sheet.js";
import { t } from "../words/words.js";
import "../words/pages.js";
import { shown } from "./shown.js";

const sheet = css`
  main { max-width: 40rem; margin: 0 auto; padding: 2rem 1rem; display: grid; gap: 1rem; justify-items: start } h1 { font-size: var(--display) } 
`;

export class File extends Part {
  static sheets = [sheet];

  // A page of ours alone.
  get #from() {
    const from = this.getAttribute("from"), url = URL.canParse(from ?? "") ? new URL(from) : null;
    return url?.href.startsWith(base.href) ? url : null;
  }

  async read(source) {
    this.problem = null;
    await shown(source, this).catch((problem) => { this.problem = problem; });
    this.update();
  }

  template() {
    const from = this.#from;
    return html`<main><h1>${t("file.title")}</h1>
      ${from ? html`<p class="problem" role="status">${t("file.offline")}</p>` : nothing}
      <p>${t("file.about")}</p>
      <p class="row"><label class="button">${t("file.open")}<input class="unseen" type="file" @change=${({ target }) => { const [file] = target.files; target.value = ""; if (file) this.read(file); }}></label>
        ${from ? html`<a class="button" href=${from}>${t("again")}</a>` : html`<a class="button" href=${base.pathname}>${t("home")}</a>`}</p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem.message}</p>` : nothing}</main>`;
  }
}
customElements.define("billet-file", File);
