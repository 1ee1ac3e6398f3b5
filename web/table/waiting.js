// A table that waits for players: its link, code and QR to share, its seats, and what its creator may do.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { naming } from "../look/naming.js";
import { share } from "../look/share.js";
import { t } from "../words/words.js";

export function waiting(table) {
  const { game, own } = table;
  const open = game.seats.filter(({ player }) => !player);
  // Nobody gets up or sits down while nonces are revealed, and in 15 seconds at the latest the game begins.
  if (game.reveal) return html`<section class="waiting"><h2 role="status">${t("waiting.shuffle")}</h2></section>`;
  return html`<section class="waiting" aria-labelledby="waiting">
    <h2 id="waiting">${t("waiting.title", { n: open.length })}</h2>
    ${own ? share(table.invitation, game.join_code) : html`<p>${t("waiting.watching")}</p>`}
    ${own ? nothing : html`<form class="row" @submit=${(event) => { event.preventDefault(); table.sit(); }}>${account.guest ? naming(table) : nothing}<button class="main" data-option>${t("waiting.sit")}</button></form>`}
    <div class="row">
      ${table.creates ? html`${open.some(({ invited }) => !invited) ? html`<button @click=${() => table.addBot()}>${t("waiting.bot")}</button>` : nothing}<button class="plain" @click=${() => table.abort()}>${t("waiting.abort")}</button>`
        : own ? html`<button class="plain" @click=${() => table.leave()}>${t("waiting.leave")}</button>` : nothing}
    </div>
  </section>`;
}
