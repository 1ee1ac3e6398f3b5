// A table that waits for players: its link, code and QR to share, its seats, and what its creator may do.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { BOTS } from "../api/editions.js";
import { naming } from "../look/naming.js";
import { pace } from "../look/pace.js";
import { share } from "../look/share.js";
import { t } from "../words/words.js";
import { hostAway } from "./host.js";

// The seats that anybody may take.
export const free = ({ status, seats }) => (status === "open" ? seats.filter(({ player, invited }) => !player && !invited) : []);

export function waiting(table) {
  const { game, own } = table, invited = !own && game.seats.some(({ invited: player }) => player && player.id === account.player?.id);
  const open = game.seats.filter(({ player }) => !player);
  // Nobody gets up or sits down while nonces are revealed, and in 15 seconds at the latest the game begins.
  if (game.reveal) return html`<section class="waiting"><h2 role="status">${t("waiting.shuffle")}</h2><p class="quiet">${t("waiting.shuffle.text")}</p></section>`;
  return html`<section class="waiting" aria-labelledby="waiting">
    <h2 id="waiting">${t("waiting.title", { n: open.length })}</h2>
    ${own ? share(table.invitation, game.join_code) : table.removed ? html`<p class="problem" role="alert">${t("waiting.removed")}</p>` : html`<p>${t(invited ? "waiting.invited" : "waiting.watching")}</p>`}
    ${own ? nothing : table.removed ? html`<p><a class="button main" href=${table.home}>${t("home")}</a></p>` : html`<form class="row" @submit=${(event) => { event.preventDefault(); table.sit(); }}>${account.guest ? naming(table) : nothing}<button class="main" data-option>${t("waiting.sit")}</button></form>`}
    ${game.clock ? html`<p class="quiet">${t("waiting.clock", { pace: pace(game.clock) })}</p>` : nothing}
    ${game.rated ? html`<p class="quiet">${t("waiting.rated")}</p>` : nothing}
    ${hostAway(table) ? html`<p role="status">${t("waiting.host_away")}</p>` : nothing}
    ${table.creates ? bots(table, free(game).length) : nothing}
    <div class="row">
      ${table.creates ? html`<button class="plain" @click=${() => table.abort()}>${t("waiting.abort")}</button>`
        : own || invited ? html`<button class="plain" @click=${() => table.leave()}>${t(own ? "waiting.leave" : "waiting.decline")}</button>` : nothing}
    </div>
  </section>`;
}

const bots = (table, count) => (count ? html`<div class="bots">
  <label>${t("waiting.strength")}<select @change=${({ target }) => { table.bot = target.value; }}>${BOTS.map((bot) => html`<option value=${bot} ?selected=${bot === table.bot}>${t(`start.bot.${bot}`)}</option>`)}</select></label>
  <button @click=${() => table.addBot()}>${t("waiting.bot")}</button>
  ${count > 1 ? html`<button @click=${() => table.addBots()}>${t("waiting.bots")}</button>` : nothing}</div>` : nothing);
