// A portable log folded into views in the browser, by docs/events.md alone: nothing of it is sent anywhere.
// What a seat saw follows from the events as that seat may see them, so they are redacted first and then folded.

// Who sees a member that not everybody sees: the seats that other members name, and of `hands` each seat its own.
const SEEN_BY = {
  card_drawn: { card: ["seat"] }, hand_shown: { cards: ["seat", "to"] }, hands_compared: { cards: ["seat", "target"], target_cards: ["seat", "target"] },
  hands_traded: { cards: ["seat", "target"], target_cards: ["seat", "target"] }, hand_taken: { cards: ["seat", "target"] }, cards_returned: { cards: ["seat"] },
  hands_given: { hands: ["seat"] }, round_started: { hands: [], deck: [], set_aside: [] },
};

export function redacted(event, viewer) {
  const secrets = SEEN_BY[event.type];
  if (viewer === null || !secrets) return event;
  const data = { ...event.data };
  for (const [name, seats] of Object.entries(secrets)) {
    if (seats.some((seat) => data[seat] === viewer)) continue;
    data[name] = Array.isArray(data[name]) ? data[name].map((item, place) => (name === "hands" && place === viewer ? item : null)) : null;
  }
  return { ...event, data };
}

const known = (seat, cards) => { if (!cards.includes(null)) seat.hand = [...cards]; };
const without = (cards, card) => { const at = cards.indexOf(cards.includes(card) ? card : null); return cards.filter((_, place) => place !== at); };
const out = (seat, cards) => { Object.assign(seat, { hand: [], in_round: false, protected: false }); seat.discards.push(...cards); };

const CHANGES = {
  game_started: (game, { players }) => { game.status = "active"; players.forEach((player, seat) => { game.seats[seat].player = game.named(player, seat); }); },
  seat_taken: (game, { seat, player }) => { game.seats[seat].player = game.named(player, seat); },
  seat_vacated: (game, { seat }) => { game.seats[seat].player = null; },
  seat_cleared: (game, { seat }) => { game.seats[seat].player = null; },
  round_started(game, data) {
    const { position } = data, dealt = data.seats;
    game.round = { number: data.number, seats: dealt, tie_break: dealt.length + data.left.length < game.seats.length, turn: data.starter, starter: data.starter,
      deck: [...data.deck], aside: [data.set_aside], shown_aside: data.shown_aside, bound: position?.bound ?? null, marks: [...(position?.marks ?? [])], in_play: [] };
    game.decision = null;
    game.seats.forEach((seat, place) => Object.assign(seat, {
      tokens: data.scores[place], insane_tokens: data.insane_scores[place], left: data.left.includes(place), away: (data.away ?? []).includes(place),
      in_round: dealt.includes(place) && !position?.out.includes(place), protected: position?.protected.includes(place) ?? false,
      hand: dealt.includes(place) && !position?.out.includes(place) ? [data.hands[place]] : [], discards: [...(position?.discards[place] ?? [])],
    }));
  },
  turn_started: (game, { seat }) => { game.round.turn = seat; game.seats[seat].protected = false; },
  card_drawn: (game, { seat, card, source }) => { const from = (source === "deck" ? game.round.deck : game.round.aside).shift(); game.seats[seat].hand.push(card ?? from); },
  card_played(game, { seat, card }) {
    game.seats[seat].hand = without(game.seats[seat].hand, card);
    game.round.bound = null;
    (game.insanity.size ? game.round.in_play : game.seats[seat].discards).push(card);
  },
  card_resolved: (game, { seat }) => { game.seats[seat].discards.push(game.round.in_play.pop()); },
  card_revealed: (game, { seat, card }) => { game.round.deck.shift(); game.seats[seat].discards.push(card); },
  seat_protected: (game, { seat }) => { game.seats[seat].protected = true; },
  seat_bound: (game, { seat }) => { game.round.bound = seat; },
  seat_marked: (game, mark) => { game.round.marks = [...game.round.marks.filter(({ card }) => card !== mark.card), mark]; },
  hand_shown: (game, { seat, cards }) => known(game.seats[seat], cards),
  hands_compared: (game, { seat, target, cards, target_cards: others }) => { known(game.seats[seat], cards); known(game.seats[target], others); },
  hands_traded(game, { seat, target, cards, target_cards: others }) {
    const [one, other] = [game.seats[seat], game.seats[target]];
    [one.hand, other.hand] = [other.hand, one.hand];
    known(one, cards);
    known(other, others);
  },
  hand_taken(game, { seat, target, cards }) {
    game.seats[seat].hand.push(...cards.map((card, place) => card ?? game.seats[target].hand[place]));
    game.seats[target].hand = [];
  },
  card_received: (game, { seat, card }) => { game.seats[seat].hand.push(card); },
  hands_given(game, { targets, hands }) {
    let collected = targets.map((target) => game.seats[target].hand[0]);
    for (const target of targets) {
      game.seats[target].hand = [hands[target]];
      if (hands[target] !== null) collected = without(collected, hands[target]);
    }
    if (new Set(collected).size === 1) for (const target of targets) known(game.seats[target], [hands[target] ?? collected[0]]);
  },
  hand_discarded: (game, { seat, cards }) => { game.seats[seat].hand = []; game.seats[seat].discards.push(...cards); },
  cards_returned(game, { seat, cards }) {
    for (const card of cards) game.seats[seat].hand = card === null ? game.seats[seat].hand.slice(1).fill(null) : without(game.seats[seat].hand, card);
    game.round.deck.push(...cards);
  },
  knocked_out: (game, { seat, cards }) => out(game.seats[seat], cards),
  seat_left(game, { seat, cards }) {
    out(game.seats[seat], cards);
    Object.assign(game.seats[seat], { left: true, away: false });
    if (game.round.bound === seat) game.round.bound = null;
  },
  decision_opened: (game, { seat, card, kind }) => { game.decision = { seat, card, kind }; },
  decision_taken: (game) => { game.decision = null; },
  hands_revealed: (game, { hands }) => hands.forEach((card, seat) => card !== null && known(game.seats[seat], [card])),
  token_awarded: (game, { seat, kind }) => { game.seats[seat].tokens += 1; if (kind === "insane") game.seats[seat].insane_tokens += 1; },
  seat_timed_out: (game, { seat }) => { game.seats[seat].away = true; },
  seat_taken_back: (game, { seat }) => { game.seats[seat].away = false; },
  game_finished: (game, { winners }) => { Object.assign(game, { status: "finished", winners, decision: null }); },
  game_aborted: (game) => { Object.assign(game, { status: "aborted", decision: null }); },
};

// The view after each step of a log as a viewer saw it: a seat's number, or null for everything.
export function views(log, events, viewer, book, named) {
  const game = { id: log.game, edition: log.edition, options: log.options, status: "open", version: 0, winners: [], round: null, decision: null, named,
    insanity: new Set(book.cards.filter(({ insanity }) => insanity).map(({ card }) => card)), created_at: log.events[0].at,
    seats: Array.from({ length: log.seats }, (_, seat) => ({ seat, player: null, invited: null, tokens: 0, insane_tokens: 0, in_round: false, protected: false, left: false, away: false, hand: [], discards: [] })) };
  const causes = log.events.some(({ cause }) => cause);
  const ends = (place) => { const next = log.events[place + 1]; return !next || (causes ? next.cause : next.at !== log.events[place].at); };
  const shown = [];
  events.forEach((event, place) => {
    CHANGES[event.type]?.(game, event.data);
    game.version = event.version;
    if (ends(place)) shown.push(drawn(game, viewer, event.at));
  });
  return shown;
}

function drawn({ named, insanity, ...game }, viewer, at) {
  const { deck, aside, ...round } = game.round ?? {};
  const over = game.status === "finished" || game.status === "aborted";
  return { ...game, viewer: viewer === null ? null : { seat: viewer }, unseen: null, legal_actions: [], deadline: null, finished_at: over ? at : null,
    to_act: game.status === "active" ? game.decision?.seat ?? round.turn ?? null : null,
    round: game.round && { ...round, in_play: [...round.in_play], deck_size: deck.length, set_aside: aside[0] ?? null },
    seats: game.seats.map((seat) => ({ ...seat, hand: [...seat.hand], discards: [...seat.discards], sane_tokens: insanity.size ? seat.tokens - seat.insane_tokens : null,
      insane_tokens: insanity.size ? seat.insane_tokens : null, insane: insanity.size ? seat.discards.some((card) => insanity.has(card)) : null })) };
}
