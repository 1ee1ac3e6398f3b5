// Sentences about the events of a log from a file, by names for every viewer; they leave out why a card had no effect.
import { language } from "../words/words.js";
import story from "../words/story.js";

const texts = story[language];
const say = (key, places = {}) => texts[key]?.replace(/\{(\w+)\}/g, (_, place) => places[place]) ?? "";
const list = (items, type = "conjunction") => new Intl.ListFormat(language, { type }).format(items);

// Bots by their names, others by their numbers: a log has no names.
export function naming({ events }) {
  const named = new Map();
  let strangers = 0;
  const name = (id) => {
    if (id === null) return null;
    const bot = /^bot-(.*)$/.exec(id)?.[1];
    if (!named.has(id)) named.set(id, { id, kind: bot ? "bot" : "human", name: texts[`bot.${bot}.name`] ?? say("replay.player", { number: (strangers += 1) }) });
    return named.get(id);
  };
  for (const { data } of events) if (data.player) name(data.player);
  return name;
}

export function telling(log, book, named) {
  const players = log.events.findLast(({ type }) => type === "game_started")?.data.players ?? [];
  const names = players.map((id) => named(id)?.name);
  const who = (seat) => (names.filter((name) => name === names[seat]).length > 1 ? say("seat.named", { name: names[seat], seat: seat + 1 }) : names[seat]);
  const all = (seats, actor) => list(seats.map((seat) => (seat === actor ? say("seat.self") : who(seat))));
  const card = (id) => say(`card.${id}.object`);
  const cards = (ids) => (ids.length ? list(ids.map(card)) : say("cards.none"));
  let away = new Set();
  const hidden = (...ids) => ids.flat().includes(null);
  const spares = log.options.liber_ivonis === "published";

  function played({ seat, card: id, targets, guess, guess_value: number, face }, next) {
    const places = { who: who(seat), card: face ? say(`face.${face}.played`, { card: card(id) }) : card(id), targets: all(targets, seat) };
    if (!targets.length) return say("event.card_played", places);
    if ((guess ?? number ?? null) === null) return say("event.card_played.on", places);
    const bearers = book.cards.filter(({ value }) => value === number).map(({ name }) => name);
    const play = say("event.card_played.guess", { ...places, guess: guess ? card(guess) : say("guess.number", { number, cards: list(bearers, "disjunction") }) });
    const hit = ["knocked_out", "token_awarded"].includes(next?.type);
    if (hit && next.type === "knocked_out" && next.data.seat === seat) return play;
    return say(`event.card_played.${hit ? "hit" : spares ? "nothing" : "miss"}`, { play });
  }

  function ended({ number, winners, decided_by: by, standings, reason, card: id }) {
    const many = winners.length > 1, counted = standings?.find(({ seat }) => seat === winners[0])?.counted;
    const key = by === "equal_numbers" ? by : !winners.length ? "nobody" : by === "card" && id ? "card"
      : by === "highest_number" && counted != null ? (many ? "highest_many" : standings.some((one) => one.counted === null) ? "highest_left" : "highest")
        : by === "discard_sum" ? (many ? "sum_many" : "sum_one") : reason === "last_seat" ? "last_seat" : many ? "many" : "one";
    return say(`event.round_ended.${key}`, { number, counted, winners: all(winners), card: id && card(id) });
  }

  const known = (type, data, ids, places) => say(`event.${type}${hidden(ids) ? "" : ".known"}`, { who: who(data.seat), target: who(data.target), ...places() });
  const TELLERS = {
    game_created: ({ seats }) => say("event.game_created", { seats, edition: book.title }),
    seat_offered: ({ seat, player }) => say("event.seat_offered", { who: named(player).name, seat: seat + 1 }),
    seat_declined: ({ seat, player, reason }) => say("event.seat_declined", { who: named(player).name, seat: seat + 1, why: say(`decline.${reason}`) }),
    offer_withdrawn: ({ seat, player }) => say("event.offer_withdrawn", { who: named(player).name, seat: seat + 1 }),
    reveal_started: ({ seats }) => say(`event.reveal_started${seats.length > 1 ? ".several" : ""}`, { players: all(seats) }),
    seat_timed_out({ seat }) {
      const again = away.has(seat);
      away.add(seat);
      return say(`event.seat_timed_out${again ? ".again" : ""}`, { who: who(seat) });
    },
    seat_taken_back: ({ seat }) => { away.delete(seat); return say("event.seat_taken_back", { who: who(seat) }); },
    seat_taken: ({ seat, player }) => say("event.seat_taken", { who: named(player).name, seat: seat + 1 }),
    seat_vacated: ({ seat }) => say("event.seat_vacated", { seat: seat + 1 }),
    game_started: () => say("event.game_started", { players: all([...names.keys()]) }),
    round_started({ number, starter, seats, scores, shown_aside: aside, hands, away: absent = [] }) {
      away = new Set(absent);
      const need = book.tables?.find((table) => table.seats === log.seats)?.tokens_to_win;
      let told = say(`event.round_started${need && seats.every((seat) => scores[seat] >= need) ? ".tie_break" : ""}`, { number, starter: who(starter), players: all(seats) });
      if (aside.length) told = say("event.round_started.aside", { round: told, cards: list(aside.map((id) => book.by.get(id).name)) });
      hands.forEach((id, seat) => { if (id) told = say("event.round_started.dealt", { round: told, who: who(seat), card: card(id) }); });
      return told;
    },
    card_drawn: ({ seat, card: id, source }) => say(`event.card_drawn${source === "deck" ? (id ? ".known" : "") : id ? ".set_aside_known" : ".set_aside"}`, { who: who(seat), card: id && card(id) }),
    card_played: played,
    hand_shown({ seat, to, cards: ids }) {
      const key = seat === to ? (hidden(ids) ? ".own" : ".own_known") : hidden(ids) ? "" : ".known";
      return say(`event.hand_shown${key}`, { who: who(to), target: who(seat), cards: hidden(ids) ? "" : cards(ids) });
    },
    hands_compared(data, next) {
      const compared = known("hands_compared", data, [...data.cards, ...data.target_cards], () => ({ cards: cards(data.cards), target_cards: cards(data.target_cards) }));
      return !next || next.type === "knocked_out" ? compared : say(`event.hands_compared.${spares ? "nothing" : "tie"}`, { compared });
    },
    hands_traded: (data) => known("hands_traded", data, [...data.cards, ...data.target_cards], () => ({ cards: cards(data.cards), target_cards: cards(data.target_cards) })),
    hand_taken: (data) => known("hand_taken", data, data.cards, () => ({ cards: cards(data.cards) })),
    hands_given({ seat, targets, hands }) {
      const given = say(`event.hands_given.${!targets.length ? "none" : targets.length === 1 ? "one" : "many"}`, { who: who(seat), targets: all(targets) });
      return targets.reduce((told, target) => (hands[target] ? say("event.hands_given.known", { given: told, target: who(target), card: card(hands[target]) }) : told), given);
    },
    cards_returned({ seat, cards: ids }) {
      if (hidden(ids)) return say(`event.cards_returned.${ids.length === 1 ? "one" : "many"}`, { who: who(seat), count: ids.length });
      return say("event.cards_returned", { who: who(seat), cards: ids.slice(1).reduce((before, id) => say("cards.in_order", { before, card: card(id) }), card(ids[0])) });
    },
    knocked_out: ({ seat, cards: ids }) => say(`event.knocked_out${ids.length ? ".with" : ""}`, { who: who(seat), cards: cards(ids) }),
    seat_left: ({ seat, cards: ids, reason }) => say(`event.seat_left.${reason}${ids.length ? "_with" : ""}`, { who: who(seat), cards: cards(ids) }),
    seat_marked: ({ seat, target, card: id }) => say(`event.seat_marked${target === seat ? ".own" : ""}`, { who: who(seat), target: who(target), card: card(id) }),
    decision_opened: ({ seat, kind }) => say(`event.decision_opened.${kind}`, { who: who(seat) }),
    hands_revealed: ({ hands }) => say("event.hands_revealed", { hands: list(hands.flatMap((id, seat) => (id ? [say("event.hands_revealed.hand", { who: who(seat), card: card(id) })] : []))) }),
    round_ended: ended,
    token_awarded: ({ seat, kind, reason }) => say(`event.token_awarded.${reason === "round" ? "round" : "card"}`, { who: who(seat), token: say(`token.${kind}.object`), card: card(reason) }),
    game_finished: ({ winners }) => say(`event.game_finished${winners.length > 1 ? ".many" : ""}`, { winners: all(winners) }),
    game_aborted: ({ reason }) => say(`event.game_aborted.${reason ?? "called_off"}`),
  };
  const plain = (type) => ({ seat, card: id, cards: ids }) => say(`event.${type}`, { who: seat === undefined ? "" : who(seat), card: id ? card(id) : "", cards: ids ? cards(ids) : "" });
  return ({ type, data }, next) => (TELLERS[type] ?? plain(type))(data, next);
}
