// Movement: a card or a seal slides over the table from one place to another. Places are elements with `data-place`.
import { html, render } from "../../vendor/lit-html/lit-html.js";
import { back, face } from "../../cards/card.js";
import { symbol } from "../../cards/symbol.js";
import { still } from "../../look/preferences.js";

const MS = 420;

export class Stage {
  #running = new Set();

  constructor(root, layer) {
    this.root = root;
    this.layer = layer;
  }

  // Ends whatever moves.
  catchUp() {
    for (const animation of this.#running) animation.finish();
  }

  // All that moves at once: every place is measured before anything is added, so that the page is laid out once.
  async play(events, book, edition) {
    if (still() || document.hidden) return;
    const moves = events.flatMap(({ type, data }) => MOVES[type]?.(data) ?? []).map((move) => ({ ...move, from: this.#box(move.from), to: this.#box(move.to) }));
    await Promise.all(moves.map(({ from, to, card, seal }) => this.#slide(from, to,
      seal ? html`<span class="flying-seal">${symbol("seal")}</span>` : card && book.by.get(card) ? face(book.by.get(card), { edition, text: "" }) : back())));
  }

  async #slide(start, end, template) {
    if (!start || !end) return;
    const ghost = document.createElement("div");
    ghost.className = "ghost";
    render(template, ghost);
    this.layer.append(ghost);
    const at = ([x, y, scale]) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
    const middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - 24, 1];
    const animation = ghost.animate([
      { transform: at([...start, 0.5]), opacity: 0.2 }, { transform: at(middle), opacity: 1, offset: 0.5 },
      { transform: at([...end, 0.45]), opacity: 0.4 },
    ], { duration: MS, easing: "cubic-bezier(.3,.1,.3,1)", fill: "both" });
    this.#running.add(animation);
    await animation.finished.catch(() => {});
    this.#running.delete(animation);
    ghost.remove();
  }

  #box(place) {
    const box = this.root.querySelector(`[data-place="${place}"]`)?.getBoundingClientRect();
    const origin = this.layer.getBoundingClientRect();
    return box && (box.width || box.height) ? [box.x - origin.x + box.width / 2, box.y - origin.y + box.height / 2] : null;
  }
}

const hand = (seat) => `hand-${seat}`, pile = (seat) => `discards-${seat}`;
const discarding = ({ seat, cards }) => cards.map((card) => ({ from: hand(seat), to: pile(seat), card }));
const MOVES = {
  // Played cards lie on the felt, until the next one comes.
  card_played: ({ seat, card }) => [{ from: hand(seat), to: "felt", card }],
  card_laid: ({ seat, card }) => [{ from: "felt", to: pile(seat), card }],
  card_drawn: ({ seat, card, source }) => [{ from: source === "deck" ? "deck" : "aside", to: hand(seat), card }],
  card_revealed: ({ seat, card }) => [{ from: "deck", to: pile(seat), card }],
  hand_shown: ({ seat, to, cards }) => cards.map((card) => ({ from: hand(seat), to: hand(to), card })),
  hands_traded: ({ seat, target, cards, target_cards: others }) => [
    ...cards.map((card) => ({ from: hand(target), to: hand(seat), card })), ...others.map((card) => ({ from: hand(seat), to: hand(target), card }))],
  hand_taken: ({ seat, target, cards }) => cards.map((card) => ({ from: hand(target), to: hand(seat), card })),
  hand_discarded: discarding,
  knocked_out: discarding,
  seat_left: discarding,
  cards_returned: ({ seat, cards }) => (cards ?? []).map((card) => ({ from: hand(seat), to: "deck", card })),
  token_awarded: ({ seat }) => [{ from: "felt", to: `seals-${seat}`, seal: true }],
};
