// A view with one event drawn into it, for the moment between two frames; the next frame is what holds.

const without = (hand, card) => {
  const at = hand.includes(card) ? hand.indexOf(card) : Math.max(hand.lastIndexOf(null), hand.length ? 0 : -1);
  return hand.filter((_, place) => place !== at);
};

const lay = (seat, cards) => ({ discards: [...seat.discards, ...cards] });
const discard = (seat, { cards }) => ({ hand: [], ...lay(seat, cards) });
const out = (seat, data) => ({ ...discard(seat, data), in_round: false, protected: false });

const CHANGES = {
  // Where seats can be insane, a card reaches the discards only after its effect.
  card_played: (seat, { card }) => ({ hand: without(seat.hand, card), ...(seat.sane_tokens === null && lay(seat, [card])) }),
  card_resolved: (seat, { card }) => lay(seat, [card]),
  card_drawn: (seat, { card }) => ({ hand: [...seat.hand, card] }),
  hand_discarded: discard,
  cards_returned: (seat, { cards }) => ({ hand: cards.reduce(without, seat.hand) }),
  knocked_out: out,
  seat_left: (seat, data) => ({ ...out(seat, data), left: true }),
  card_revealed: (seat, { card }) => lay(seat, [card]),
  turn_started: () => ({ protected: false }),
  seat_protected: () => ({ protected: true }),
  token_awarded: (seat, { kind }) => ({ tokens: seat.tokens + 1, ...(kind !== "favor" && { [`${kind}_tokens`]: seat[`${kind}_tokens`] + 1 }) }),
};

export function sketch(game, { type, data }) {
  if (!game.round) return game;
  const change = CHANGES[type];
  let seats = change ? game.seats.map((seat) => (seat.seat === data.seat ? { ...seat, ...change(seat, data) } : seat)) : game.seats;
  if (type === "hands_revealed") seats = seats.map((seat) => (data.hands[seat.seat] ? { ...seat, hand: [data.hands[seat.seat]] } : seat));
  const drawn = (type === "card_drawn" && data.source === "deck") || type === "card_revealed";
  const returned = type === "cards_returned" ? data.cards.length : 0;
  const round = { ...game.round, deck_size: game.round.deck_size - (drawn ? 1 : 0) + returned };
  if (type === "turn_started") round.turn = data.seat;
  return { ...game, seats, round, to_act: type === "turn_started" ? data.seat : game.to_act, legal_actions: [] };
}
