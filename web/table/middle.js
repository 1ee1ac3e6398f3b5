// The middle of the table: deck, cards aside, and in one sentence what is happening.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { back, face, lying } from "../cards/card.js";
import { along } from "../cards/reader.js";
import { symbol } from "../cards/symbol.js";
import { t } from "../words/words.js";
import { hintButton } from "./aids/hint.js";
import { clock } from "./clock.js";
import { nameOf } from "./seats.js";

// A sentence of more letters is set smaller, so that it pushes nothing out of view.
const LONG = 110;

export function middle(table) {
  const { game, result, played } = table, { round } = game;
  const said = table.telling ? table.sentence : table.lastAction;
  return html`<div class="middle">
    ${table.ended ? showdown(table) : round ? html`<div class="piles">
      <figure data-place="deck" class=${round.deck_size ? "" : "empty"}>${round.deck_size ? back() : html`<span class="card hollow"></span>`}
        <figcaption><b>${round.deck_size}</b> ${t("deck")}</figcaption></figure>
      <figure class="felt-card" data-place="felt">${played ? face(table.card(played.card), { edition: game.edition, text: "" }) : html`<span class="card hollow"></span>`}<figcaption>${played ? nameOf(game.seats[played.seat], game) : t("felt")}</figcaption></figure>
      <figure data-place="aside">${round.set_aside ? lying(table.card(round.set_aside)) : html`<span class="aside">${back()}</span>`}<figcaption>${t("aside")}</figcaption></figure>
      ${round.shown_aside.length ? html`<figure><span class="shown" @keydown=${along}>${round.shown_aside.map((card, place) => lying(table.card(card), place))}</span>
        <figcaption>${t("shown_aside")}</figcaption></figure>` : nothing}
    </div>` : nothing}
    <p class="sentence ${(result ?? said)?.length > LONG ? "long" : ""}">${result ?? said}</p>
    <div class="now"><p class="standing ${table.own && game.to_act === table.own.seat ? "own" : ""}">${!table.telling ? standing(table) : result && said !== result ? said : " "}</p>${table.asked?.kind === "card" ? hintButton(table, "only-small") : nothing}</div>
    ${table.held ? html`<button class="main next" data-option @click=${() => table.viewing.catchUp()}>${t("round.next")}</button>` : nothing}
    ${round ? html`<p class="quiet">${t("round", { n: round.number })} · ${round.tie_break ? t("tie_break") : table.insaneToWin ? t("needs.kinds", { n: table.tokensToWin, insane: table.insaneToWin }) : t("needs", { n: table.tokensToWin })}
      ${table.source ? nothing : clock(game)}</p>` : nothing}
  </div>`;
}

// The hands that were compared, as far as they were shown; the winner's is raised.
function showdown({ game, ended: { hands, end }, card }) {
  const winners = end?.data.winners ?? [], seats = game.seats.filter(({ seat }) => hands[seat] || winners.includes(seat));
  return html`<div class="showdown" data-place="felt">${seats.map((seat) => html`<figure class=${winners.includes(seat.seat) ? "wins" : end ? "loses" : ""}>
    <span class="turns">${hands[seat.seat] ? face(card(hands[seat.seat]), { edition: game.edition, text: "" }) : back()}</span>
    <figcaption>${winners.includes(seat.seat) ? symbol("seal", "tiny") : nothing}${nameOf(seat, game)}</figcaption></figure>`)}</div>`;
}

export function standing({ game, own, wanting }) {
  if (wanting) return t("end.wanted", { name: wanting });
  if (game.status !== "active") return "";
  if (own && game.to_act === own.seat) return t("turn.yours");
  return game.decision?.text ?? t("turn.of", { name: nameOf(game.seats[game.to_act], game) });
}
