// A view with one event drawn into it, for the moment between two frames; the next frame is what holds.

const without = (hand, card) => {
  const at = hand.includes(card) ? hand.indexOf(card) : Math.max(hand.lastIndexOf(null), hand.length ? 0 : -1);
  return hand.filter((_, place) => place !== at);
};

const CHANGES = {
  card_played: (seat, { card }) => ({ hand: without(seat.hand, card), discards: [...seat.discards, card] }),
  card_drawn: (seat, { card }) => ({ hand: [...seat.hand, card] }),
  hand_discarded: (seat, { cards }) => ({ hand: [], discards: [...seat.discards, ...cards] }),
  cards_returned: (seat, { cards }) => ({ hand: cards.reduce(without, seat.hand) }),
  knocked_out: (seat, { cards }) => ({ hand: [], discards: [...seat.discards, ...cards], in_round: false, protected: false }),
  card_revealed: (seat, { card }) => ({ discards: [...seat.discards, card] }),
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
