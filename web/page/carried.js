// <billet-carried>: a player who comes by a link, beside the one who plays here. Nobody is replaced by a link alone: it may come
// from anybody, who would then play on as the reader. The number is shown where the link was made.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { carried, numberOf, whoIs } from "../api/transfer.js";
import { anew } from "../look/storage.js";
import { t } from "../words/words.js";
import "../words/pages.js";
import { Asked } from "./asked.js";

class Carried extends Asked {
  connectedCallback() {
    super.connectedCallback();
    const token = carried();
    this.try(async () => {
      this.other = await whoIs(token).catch((problem) => { throw problem.status === 401 ? new Error(t("carried.unknown")) : problem; });
      // The player here may be one whom the service knows no more.
      if (account.token) this.own = await whoIs(account.token).catch(() => null);
      this.asked = true;
    });
  }

  content() {
    const { asked, other, own } = this;
    const same = asked && own?.id === other.id;
    return html`<h2 id="asked">${t("bar.carried")}</h2>${this.trouble()}${asked ? this.#who(same) : this.problem ? nothing : html`<p role="status">${t("carried.looking")}</p>`}
      ${!asked || same ? html`<p class="row"><button @click=${() => this.close()}>${t("close")}</button></p>` : html`<form @submit=${(event) => { event.preventDefault(); this.#take(event.target.elements.number?.value); }}>
        ${own ? html`<label>${t("carried.number")}<input name="number" required inputmode="numeric" autocomplete="off" maxlength="8"></label><p class="quiet">${t("carried.why")}</p>` : nothing}
        <p class="row"><button class="main">${t("bar.carried.yes")}</button><button type="button" @click=${() => this.close()}>${t("bar.carried.no")}</button></p></form>`}`;
  }

  #who(same) {
    const { other, own } = this;
    if (same) return html`<p>${t("carried.same", other)}</p>`;
    return html`<p>${t("carried.link", { name: other.name, n: other.running })}</p>${own ? html`<p>${t("carried.now", { name: own.name, n: own.running })}</p>
      <p>${t("carried.lost", { name: own.name, other: other.name })}</p>` : nothing}`;
  }

  #take = (number) => this.try(() => {
    if (this.own && number.trim() !== numberOf(this.other.token)) throw new Error(t("carried.wrong"));
    account.exchange(this.other);
    anew({ kind: "moved", name: this.other.name });
  });
}
customElements.define("billet-carried", Carried);
