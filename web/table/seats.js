// The seats around the table: name, seals, hand, discards in order, and what holds for them now.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { BOTS } from "../api/editions.js";
import { pageOf } from "../api/links.js";
import { back, lying } from "../cards/card.js";
import { along } from "../cards/reader.js";
import { symbol } from "../cards/symbol.js";
import { seal } from "../look/seal.js";
import { t } from "../words/words.js";
import { onBreak } from "./breaks.js";
import { clock } from "./clock.js";
import { bubble } from "./reactions.js";
import { noted } from "./sidebar/marks.js";

// Players who share a name are told apart by their seats.
export function nameOf(seat, { seats }) {
  const name = seat.player?.name;
  if (!name) return seat.invited ? t("seat.invited", { name: seat.invited.name }) : t("seat.open");
  const alike = seats.filter(({ player }) => player?.name === name).length > 1;
  return alike ? t("seat.alike", { name, seat: seat.seat + 1 }) : name;
}

// Seal and name, and the mark of a program. Where nobody plays any more, they lead to the player's page.
export function heading({ game, linking }, seat) {
  const { player } = seat, page = linking && player && pageOf(player);
  // Of a long name the end is cut, but not what tells it from another.
  const whole = nameOf(seat, game), name = player?.name ?? whole;
  const said = html`${player ? seal(player) : nothing}<bdi>${name}</bdi>${whole === name ? nothing : html`<span class="alike">${t("seat.alike", { name: "", seat: seat.seat + 1 })}</span>`}${player?.kind === "bot" ? program(player) : nothing}`;
  return page ? html`<a class="person" href=${page}>${said}</a>` : said;
}

// That a program plays there, and how strong it is if it is one of the service's own.
function program({ id }) {
  const own = BOTS.find((bot) => id === `bot-${bot}`), said = own ? t(`bot.${own}`) : t("state.bot");
  return html`<span class="program" title=${own ? t("bot.own", { strength: said }) : said}>${symbol("program", "tiny")}<span class="unseen">${own ? t("bot.own", { strength: "" }) : nothing}</span><small>${said}</small></span>`;
}

// The others in table order from one's left; a watcher sees all.
export function around(game) {
  const own = game.viewer?.seat;
  if (own === undefined || own === null) return game.seats;
  return [...game.seats.slice(own + 1), ...game.seats.slice(0, own)];
}

export const others = (table) => {
  const seats = around(table.game);
  return html`<div class="seats">${seats.map((seat, place) => one(table, seat, place, seats.length))}</div>`;
};

function one(table, seat, place, count) {
  const { game, asked } = table;
  const acts = game.status === "active" && game.to_act === seat.seat;
  const choosable = asked?.kind === "target" && asked.options.find(({ value }) => value === seat.seat);
  const chosen = asked?.taken.some(({ kind, value }) => kind === "target" && value === seat.seat);
  return html`<div role="group" class="seat at-${count}-${place} ${acts ? "acts" : ""} ${seat.in_round || !game.round ? "" : "gone"}
      ${choosable ? "choosable" : ""} ${chosen ? "chosen" : ""}" aria-label=${nameOf(seat, game)}
      @click=${() => (choosable ? table.choose(choosable) : table.whySeat(seat))}>
    <div class="who"><h2 title=${nameOf(seat, game)}>${acts ? html`<span class="dot" aria-hidden="true"></span>` : nothing}${heading(table, seat)}</h2>${seals(table, seat)}</div>
    ${game.round ? html`<div class="belongings">
      <div class="backs" data-place="hand-${seat.seat}">${hand(table, seat)}</div>
      ${discards(table, seat)}
    </div>` : nothing}
    ${states(table, seat)}
    ${game.status === "open" && seat.invited && table.creates ? html`<button class="plain withdraw" @click=${() => table.withdraw(seat)} aria-label=${t("seat.withdraw_of", { name: seat.invited.name })}>${t("seat.withdraw")}</button>` : nothing}
    ${game.status === "open" && !game.reveal && seat.player && table.creates ? html`<button class="plain withdraw" @click=${() => table.withdraw(seat)} aria-label=${t("seat.remove_of", { name: nameOf(seat, game) })}>${t("seat.remove")}</button>` : nothing}
    ${acts && !table.source ? clock(game) : nothing}${bubble(table, seat)}
  </div>`;
}

function hand(table, seat) {
  // A replay of everybody's cards has none that is known to the reader alone, nor has the end of a game.
  const open = table.as === "all" || table.game.finished_at || table.ended;
  const known = open ? [] : seat.hand.filter((card) => card !== null);
  return html`${seat.hand.length ? html`<span class="unseen">${t("seat.hand", { n: seat.hand.length })}</span>` : nothing}
    ${seat.hand.map((card) => (card === null ? back() : html`<span class="known">${lying(table.card(card))}${open ? nothing : symbol("eye", "peek")}</span>`))}
    ${known.length ? html`<span class="unseen">${t("seat.known")}</span>` : nothing}`;
}

export const discards = (table, seat) => html`<ol class="discards ${seat.discards.length > 8 ? "many" : ""}" data-place="discards-${seat.seat}"
  aria-label=${t("seat.discards", { name: nameOf(seat, table.game) })} @keydown=${along}>${seat.discards.map((card, place) => html`<li>${lying(table.card(card), place)}</li>`)}</ol>`;

export function seals(table, seat) {
  const { game } = table;
  if (game.status === "open" || !seat.player) return nothing;
  const need = table.tokensToWin;
  const kinds = seat.sane_tokens === null ? [["favor", seat.tokens]] : [["sane", seat.sane_tokens], ["insane", seat.insane_tokens]];
  return html`<span class="seals" data-place="seals-${seat.seat}">${kinds.map(([kind, n]) => html`<span class="seal ${kind} ${n ? "" : "none"}"
    title=${t(`tokens.${kind}`, { n, need })}>${symbol(kind === "insane" ? "tentacles" : "seal", "tiny")}<b aria-hidden="true">${n}</b>${pips(n, kind === "insane" ? table.insaneToWin : need)}<span class="unseen">${t(`tokens.${kind}`, { n, need })}</span></span>`)}</span>`;
}

// How far it is to the end: one dot for each token that wins.
const pips = (n, need) => html`<span class="pips" aria-hidden="true">${Array.from({ length: need }, (_, place) => html`<i class=${place < n ? "has" : ""}></i>`)}</span>`;

export function states(table, seat) {
  const { round } = table.game;
  const said = [
    seat.left && ["gone", t("state.left")],
    !seat.left && round && !seat.in_round && ["out", t(round.seats.includes(seat.seat) ? "state.out" : "state.not_in")],
    seat.protected && ["safe", t("state.protected")],
    round?.bound === seat.seat && ["bound", t("state.bound")],
    ...(round?.marks ?? []).filter(({ target }) => target === seat.seat).map(({ card }) => ["bound", t("state.marked", { card: table.card(card).name })]),
    seat.insane && ["mad", t("state.insane")],
    seat.away && ["away", t("state.away")],
    onBreak(table, seat) && ["away", onBreak(table, seat)],
    seat.hints && ["hints", t("hints", { n: seat.hints })],
    ...noted(table, seat).map((text) => ["note", text]),
  ].filter(Boolean);
  return said.length ? html`<p class="states">${said.map(([kind, text]) => html`<span class="state ${kind}" title=${kind === "note" ? text : nothing}>${text}</span>`)}</p>` : nothing;
}
