// Sentences about the events of a log from a file: the seat that is looked from is "you", the others have names. They leave out why
// a card had no effect.
import { language } from "../words/words.js";
import story from "../words/story.js";

const texts = story[language];
const say = (key, places = {}) => texts[key]?.replace(/\{(\w+)\}/g, (_, place) => places[place]) ?? "";
const list = (items, type = "conjunction") => new Intl.ListFormat(language, { type }).format(items);

// Bots by their names, at a seat by their first names, and others by their numbers: a log has no names. `known` has those that
// somebody else knows, by id.
export function naming({ events }, known = new Map()) {
  const named = new Map();
  let strangers = 0;
  const name = (id, seat) => {
    if (id === null) return null;
    const bot = /^bot-(.*)$/.exec(id)?.[1];
    if (!named.has(id)) named.set(id, { id, kind: bot ? "bot" : "human", name: known.get(id) ?? texts[`bot.${bot}.name`] ?? say("replay.player", { number: (strangers += 1) }) });
    const first = texts[`bot.${bot}.names`]?.split(", ")[seat];
    return first ? { ...named.get(id), name: first } : named.get(id);
  };
  for (const { data } of events) if (data.player) name(data.player);
  return name;
}

// `reader` is the seat that is addressed, or null.
export function telling(log, book, named, reader = null) {
  const players = log.events.findLast(({ type }) => type === "game_started")?.data.players ?? [];
  const names = players.map((id, seat) => named(id, seat)?.name);
  const who = (seat) => (names.filter((name) => name === names[seat]).length > 1 ? say("seat.named", { name: names[seat], seat: seat + 1 }) : names[seat]);
  const one = (seat, form = "nominative") => (seat === reader ? say(`seat.you.${form}`) : who(seat));
  const self = (seat, form) => say(seat === reader ? `seat.yourself.${form}` : "seat.self");
  const all = (seats, form = "nominative", actor = null) => list(seats.map((seat) => (seat === actor ? self(seat, form) : one(seat, form))));
  // A sentence about the player of a seat, and perhaps another: `.you` if the reader acts, `.your` if somebody acts on the reader.
  const about = (key, seat, places = {}, target = null) => say(`event.${key}${seat === reader ? ".you" : target !== null && target === reader ? ".your" : ""}`, { who: who(seat), target: who(target), ...places });
  const together = (key, seats, places) => say(`event.${key}${seats.includes(reader) ? ".you" : ""}`, { who: all(seats), ...places });
  const card = (id) => say(`card.${id}.object`);
  const cards = (ids) => (ids.length ? list(ids.map(card)) : say("cards.none"));
  let away = new Set();
  const hidden = (...ids) => ids.flat().includes(null);
  const spares = log.options.liber_ivonis === "published";

  function played({ seat, card: id, targets, guess, guess_value: number, face }, next) {
    const places = { card: face ? say(`face.${face}.played`, { card: card(id) }) : card(id), targets: all(targets, "accusative", seat) };
    if (!targets.length) return about("card_played", seat, places);
    if ((guess ?? number ?? null) === null) return about("card_played.on", seat, places);
    const matching = book.cards.filter(({ value }) => value === number).map(({ name }) => name);
    const play = about("card_played.guess", seat, { ...places, guess: guess ? card(guess) : say("guess.number", { number, cards: list(matching, "disjunction") }) });
    const hit = ["knocked_out", "token_awarded"].includes(next?.type);
    if (hit && next.type === "knocked_out" && next.data.seat === seat) return play;
    return say(`event.card_played.${hit ? "hit" : spares ? "nothing" : "miss"}`, { play });
  }

  function ended({ number, winners, decided_by: by, standings, reason, card: id }) {
    const many = winners.length > 1, counted = standings?.find(({ seat }) => seat === winners[0])?.counted;
    const key = by === "equal_numbers" ? by : !winners.length ? "nobody" : by === "card" && id ? "card"
      : by === "highest_number" && counted != null ? (many ? "highest_many" : standings.some((one) => one.counted === null) ? "highest_left" : "highest")
        : by === "discard_sum" ? (many ? "sum_many" : "sum_one") : reason === "last_seat" ? "last_seat" : many ? "many" : "one";
    return together(`round_ended.${key}`, winners, { number, counted, card: id && card(id) });
  }

  const known = (type, data, ids, places) => about(`${type}${hidden(ids) ? "" : ".known"}`, data.seat, hidden(ids) ? {} : places(), data.target);
  const TELLERS = {
    game_created: ({ seats }) => say("event.game_created", { seats, edition: book.title }),
    seat_offered: ({ seat, player }) => say("event.seat_offered", { who: named(player).name, seat: seat + 1 }),
    seat_declined: ({ seat, player, reason }) => say("event.seat_declined", { who: named(player).name, seat: seat + 1, why: say(`decline.${reason}`) }),
    offer_withdrawn: ({ seat, player }) => say("event.offer_withdrawn", { who: named(player).name, seat: seat + 1 }),
    reveal_started: ({ seats }) => (seats.length > 1 ? say("event.reveal_started.several", { who: all(seats, "dative") }) : about("reveal_started", seats[0])),
    seat_timed_out({ seat }) {
      const again = away.has(seat);
      away.add(seat);
      return about(`seat_timed_out${again ? ".again" : ""}`, seat);
    },
    break_taken: ({ seat, days }) => about(`break_taken${days === 1 ? ".one" : ""}`, seat, { days }),
    seat_taken_back: ({ seat }) => { away.delete(seat); return about("seat_taken_back", seat); },
    seat_taken: ({ seat, player }) => say("event.seat_taken", { who: named(player).name, seat: seat + 1 }),
    seat_cleared: ({ seat, player }) => say("event.seat_cleared", { who: named(player).name, seat: seat + 1 }),
    seat_vacated: ({ seat }) => say("event.seat_vacated", { seat: seat + 1 }),
    game_started: () => say("event.game_started", { players: all([...names.keys()]) }),
    round_started({ number, starter, seats, scores, shown_aside: aside, hands, away: absent = [] }) {
      away = new Set(absent);
      const { tokens_to_win: need, insane_tokens_to_win: insane } = book.tables?.find((table) => table.seats === log.seats) ?? {};
      let told = need && !insane && seats.every((seat) => scores[seat] >= need)
        ? say("event.round_started.tie_break", { number, starter: one(starter, "dative"), players: all(seats, "dative") }) : about("round_started", starter, { number });
      if (aside.length) told = say("event.round_started.aside", { round: told, cards: list(aside.map((id) => book.by.get(id).name)) });
      hands.forEach((id, seat) => { if (id) told = about("round_started.dealt", seat, { round: told, card: card(id) }); });
      return told;
    },
    card_drawn: ({ seat, card: id, source }) => about(`card_drawn${source === "deck" ? (id ? ".known" : "") : id ? ".set_aside_known" : ".set_aside"}`, seat, { card: id && card(id) }),
    card_played: played,
    hand_shown({ seat, to, cards: ids }) {
      const key = seat === to ? (hidden(ids) ? ".own" : ".own_known") : hidden(ids) ? "" : ".known";
      return about(`hand_shown${key}`, to, { cards: hidden(ids) ? "" : cards(ids) }, seat);
    },
    hands_compared(data, next) {
      const compared = known("hands_compared", data, [...data.cards, ...data.target_cards], () => ({ cards: cards(data.cards), target_cards: cards(data.target_cards) }));
      return !next || next.type === "knocked_out" ? compared : say(`event.hands_compared.${spares ? "nothing" : "tie"}`, { compared });
    },
    hands_traded: (data) => known("hands_traded", data, [...data.cards, ...data.target_cards], () => ({ cards: cards(data.cards), target_cards: cards(data.target_cards) })),
    hand_taken: (data) => known("hand_taken", data, data.cards, () => ({ cards: cards(data.cards) })),
    hands_given({ seat, targets, hands }) {
      const places = { targets: all(targets, "dative", seat === reader ? seat : null) };
      const given = about(`hands_given.${!targets.length ? "none" : targets.length === 1 ? "one" : "many"}`, seat, places);
      return targets.reduce((told, target) => (hands[target] ? about("hands_given.known", target, { given: told, card: card(hands[target]) }) : told), given);
    },
    cards_returned({ seat, cards: ids }) {
      if (hidden(ids)) return about(`cards_returned.${ids.length === 1 ? "one" : "many"}`, seat, { count: ids.length });
      return about("cards_returned", seat, { cards: ids.slice(1).reduce((before, id) => say("cards.in_order", { before, card: card(id) }), card(ids[0])) });
    },
    knocked_out: ({ seat, cards: ids }) => about(`knocked_out${ids.length ? ".with" : ""}`, seat, { cards: cards(ids) }),
    seat_left: ({ seat, cards: ids, reason }) => about(`seat_left.${reason}${ids.length ? "_with" : ""}`, seat, { cards: cards(ids) }),
    seat_marked: ({ seat, target, card: id }) => about(`seat_marked${target === seat ? ".own" : ""}`, seat, { card: card(id) }, target),
    decision_opened: ({ seat, kind }) => about(`decision_opened.${kind}`, seat),
    hands_revealed: ({ hands }) => say("event.hands_revealed", { hands: list(hands.flatMap((id, seat) => (id ? [about("hands_revealed.hand", seat, { card: card(id) })] : []))) }),
    round_ended: ended,
    token_awarded: ({ seat, kind, reason }) => about(`token_awarded.${reason === "round" ? "round" : "card"}`, seat, { token: say(`token.${kind}.object`), card: card(reason) }),
    game_finished: ({ winners }) => together(`game_finished${winners.length > 1 ? ".many" : ""}`, winners),
    game_aborted: ({ reason }) => say(`event.game_aborted.${reason ?? "called_off"}`),
  };
  const plain = (type) => ({ seat, card: id, cards: ids }) => about(type, seat, { card: id ? card(id) : "", cards: ids ? cards(ids) : "" });
  // A sentence that begins with the word for its reader has a capital.
  const begun = (text) => (reader !== null && text.startsWith(`${say("seat.you.nominative")} `) ? text[0].toUpperCase() + text.slice(1) : text);
  return ({ type, data }, next) => begun((TELLERS[type] ?? plain(type))(data, next));
}
