// Verifies the portable log of a Billet game without Billet: plain JavaScript, no dependencies, Node 20 or a browser.
//
//     node verify.mjs FILE...          one line for each file; exit status 0 all valid, 1 some are not, 2 unreadable
//     node verify.mjs --json FILE...   the verdicts as lines of JSON
//     import { verify } from "./verify.mjs"; const verdict = await verify(text);
//
// It was written from docs/logs.md, docs/shuffle.md and docs/events.md alone. It checks that the secret is the one that
// was committed to, that every deck and every drawn starter follows from it, and that the events fit together: each
// card comes from where it lay, each seat does what its cause says. It does not know the rules of any edition. Whether
// a card may be played and what its effect is, `POST /v1/logs/verify` checks.

// The order of the decks before the shuffle: edition, largest number of seats, cards (docs/shuffle.md, "The deck").
const DECKS = {
  standard: [[6, "spy 2 guard 6 priest 2 baron 2 handmaid 2 prince 2 chancellor 2 king 1 countess 1 princess 1"]],
  classic: [[4, "guard 5 priest 2 baron 2 handmaid 2 prince 2 king 1 countess 1 princess 1"]],
  premium: [
    [4, "guard 5 priest 2 baron 2 handmaid 2 prince 2 king 1 countess 1 princess 1"],
    [8, "assassin 1 jester 1 guard 8 priest 2 cardinal 2 baron 2 baroness 2 handmaid 2 sycophant 2 prince 2 count 2 "
      + "king 1 constable 1 countess 1 dowager_queen 1 princess 1 bishop 1"],
  ],
  lovecraft: [[6, "investigators 5 deep_ones 1 cats_of_ulthar 2 golden_mead 1 great_race_of_yith 2 "
    + "hound_of_tindalos 1 elder_sign 2 liber_ivonis 1 professor_henry_armitage 2 mi_go 1 randolph_carter 1 "
    + "nyarlathotep 1 silver_key 1 shining_trapezohedron 1 necronomicon 1 cthulhu 1"]],
};
const SHOWN_ASIDE_OF_TWO = { lovecraft: 5 };
// Where a played card lies in play until `card_resolved`, and tokens are sane or insane.
const WITH_INSANITY = ["lovecraft"];

// What must be in the data of each event in its present form (docs/events.md). Unknown members are left alone.
const FIELDS = {
  game_created: "game text, edition text, options object, seats number, visibility text, clock object?, "
    + "starter number?, creator text, previous_game text?, commitment text, sandbox boolean, sandbox_rounds list",
  seat_taken: "seat number, player text, nonce text",
  seat_vacated: "seat number",
  seat_offered: "seat number, player text",
  seat_declined: "seat number, player text, reason text",
  offer_withdrawn: "seat number, player text",
  game_started: "players texts, nonces texts",
  round_started: "number number, starter number, seats numbers, scores numbers, insane_scores numbers, left numbers, "
    + "hands hands, deck texts, set_aside text, shown_aside texts",
  turn_started: "seat number",
  card_drawn: "seat number, card text, source text",
  card_played: "seat number, card text, targets numbers, guess text?, guess_value number?, face text?",
  card_resolved: "seat number, card text",
  card_revealed: "seat number, card text",
  seat_protected: "seat number",
  seat_bound: "seat number",
  seat_marked: "card text, seat number, target number",
  hand_shown: "seat number, to number, cards texts",
  hands_compared: "seat number, target number, cards texts, target_cards texts",
  hands_traded: "seat number, target number, cards texts, target_cards texts",
  hand_taken: "seat number, target number, cards texts",
  card_received: "seat number, card text",
  hands_given: "seat number, targets numbers, hands hands",
  hand_discarded: "seat number, cards texts",
  cards_returned: "seat number, cards texts",
  knocked_out: "seat number, cards texts",
  decision_opened: "seat number, card text, kind text, seats numbers",
  decision_taken: "seat number, card text, kind text",
  hands_revealed: "hands hands",
  round_ended: "number number, winners numbers, reason text",
  token_awarded: "seat number, reason text, kind text",
  time_spent: "seat number, spent_ms number, bank_ms number",
  seat_timed_out: "seat number",
  seat_taken_back: "seat number",
  seat_left: "seat number, cards texts, reason text",
  game_finished: "winners numbers",
  game_aborted: "",
  secret_revealed: "secret text",
};
// No hand or collection of hands that a decision is about holds more cards.
const MOST_ORDERED = 8;
// What a file may hold that is packed.
const MOST_BYTES = 64 * 2 ** 20;
// Characters that are no text but commands to a terminal, whose cursor and title no log may touch.
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// Clocks that differ by no more leave no trace in the times.
const SKEW_MS = 5000;
// The newest form of each type that is known here; 1 of those that are not named.
const NEWEST = { game_created: 3, round_started: 2 };
const HEAD = "format text, format_version number, package_version text, rules_version number?, game text, "
  + "edition text, options object, seats number, players list, nonces texts, commitment text, secret text, digest text";
const EVENT = "version number, v number, type text, at text, data object, cause object?, rules number?";

const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (check) => (value) => Array.isArray(value) && value.every(check);
const KINDS = {
  number: isNumber, numbers: listOf(isNumber), text: isText, texts: listOf(isText), object: isObject,
  boolean: (value) => typeof value === "boolean",
  hands: listOf((value) => value === null || isText(value)),
  list: Array.isArray,
};

/** The first place of a log that is not as it must be. */
class Divergence extends Error {
  constructor(check, version, text, expected = null, found = null) {
    super(text);
    Object.assign(this, { check, version, expected, found });
  }
}

/**
 * Verifies a portable log, given as JSON or as lines of JSON.
 *
 * The verdict is `{valid, divergence, game, edition, seats, events, rounds, text}`. `divergence` is null, or the first
 * place that is not as it must be: `{check, version, expected, found, text}`, `version` being null for the head.
 */
export async function verify(text) {
  const verdict = { valid: false, divergence: null, game: null, edition: null, seats: null, events: 0, rounds: 0 };
  try {
    const { head, events } = parse(text);
    Object.assign(verdict, { game: head.game, edition: head.edition, seats: head.seats, events: events.length });
    events.forEach(checkForm);
    checkVersions(events);
    checkTimes(events);
    await checkCommitment(head, events);
    verdict.rounds = await follow(head, events);
    await checkDigest(head, events);
    verdict.valid = true;
    verdict.text = `valid: ${head.edition}, ${head.seats} seats, ${verdict.rounds} rounds, ${events.length} events`;
  } catch (error) {
    const { check, version, expected, found, message } = error instanceof Divergence
      ? error : new Divergence("form", null, `This cannot be understood: ${error.message}`);
    verdict.divergence = { check, version, expected, found, text: message };
    verdict.text = `not valid: ${version === null ? "" : `event ${version}, `}${check}: ${message}`;
  }
  return verdict;
}

/** Returns the text of a file, unpacked if it is packed with gzip: once, and no more than a log ever holds. */
export async function unpack(bytes, most = MOST_BYTES) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decoder.decode(bytes);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  for (let room = most; ;) {
    const { done, value } = await reader.read();
    if (done) return decoder.decode(await new Blob(parts).arrayBuffer());
    room -= value.length;
    if (room < 0) {
      await reader.cancel();
      throw new Error(`It holds more than ${most} bytes.`);
    }
    parts.push(value);
  }
}

// ---------------------------------------------------------------------------------------------------------- the form

function parse(text) {
  let head, events;
  try {
    ({ events, ...head } = JSON.parse(text));
  } catch {
    try {
      [head, ...events] = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    } catch (error) {
      throw new Divergence("form", null, `This is neither JSON nor lines of JSON: ${error.message}`);
    }
  }
  if (!isObject(head) || head.format !== "billet-log") throw new Divergence("form", null, "This is no portable log.");
  if (head.format_version !== 1) {
    throw new Divergence("form", null, "This format is unknown here.", 1, head.format_version ?? null);
  }
  checkFields(HEAD, head, null);
  if (!Array.isArray(events) || events.length === 0) throw new Divergence("form", null, "There are no events.");
  return { head, events };
}

function checkForm(event, index) {
  const version = index + 1;
  if (!isObject(event)) throw new Divergence("form", version, "This is no event.");
  checkFields(EVENT, event, version);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(event.at) || Number.isNaN(Date.parse(event.at))) {
    throw new Divergence("form", version, "`at` is no time in UTC to the millisecond.", null, event.at);
  }
  if (!Object.hasOwn(FIELDS, event.type)) throw new Divergence("form", version, `What is ${event.type}?`);
  const newest = NEWEST[event.type] ?? 1;
  if (event.v < 1 || event.v > newest) throw new Divergence("form", version, "This form is unknown.", newest, event.v);
  checkFields(FIELDS[event.type], event.data, version);
  if (event.type === "round_started" && event.v > 1) checkFields("banks numbers?, away numbers", event.data, version);
  if (event.type === "game_created" && event.v > 2) checkFields("forked_from object?", event.data, version);
  if (event.cause !== null && !Object.hasOwn(CAUSES, event.cause.type)) {
    throw new Divergence("form", version, "The cause is of no known type.", null, event.cause);
  }
}

function checkFields(fields, data, version) {
  for (const field of fields.split(", ").filter(Boolean)) {
    const [name, kind] = field.split(" ");
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (kind.endsWith("?") ? value === null || KINDS[kind.slice(0, -1)](value) : KINDS[kind](value)) continue;
    const text = `\`${name}\` must be a ${kind.replace("?", " or null")}.`;
    throw new Divergence("form", version, text, null, value ?? null);
  }
}

function checkVersions(events) {
  events.forEach(({ version }, index) => {
    if (version !== index + 1) {
      throw new Divergence("versions", index + 1, "The versions must be 1, 2, 3 ... without gaps.", index + 1, version);
    }
  });
}

function checkTimes(events) {
  const kept = events[0].cause !== null;
  for (let index = 1; index < events.length; index += 1) {
    const [before, { version, at, cause }] = [events[index - 1].at, events[index]];
    if (kept && cause === null && at !== before) {
      throw new Divergence("times", version, "All events of a step have one time.", before, at);
    }
    const back = Date.parse(before) - Date.parse(at);
    if (kept && back > 0 && back <= SKEW_MS) {
      throw new Divergence("times", version, "No step is a little earlier than the one before.", before, at);
    }
  }
}

// -------------------------------------------------------------------------------------------------- what is computed

const bytesOf = (text) => new TextEncoder().encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));

function secretBytes(secret) {
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new Divergence("commitment", null, "The secret must be 32 bytes in lower-case hex.", null, secret);
  }
  return Uint8Array.from(secret.match(/../g), (pair) => parseInt(pair, 16));
}

async function checkCommitment(head, events) {
  const commitment = await sha256(new Uint8Array([...bytesOf("billet/1/commitment\n"), ...secretBytes(head.secret)]));
  const [first, last] = [events[0], events[events.length - 1]];
  if (first.type !== "game_created") {
    throw new Divergence("events", 1, "The first event must be `game_created`.", "game_created", first.type);
  }
  if (first.data.commitment !== commitment) {
    const found = first.data.commitment;
    throw new Divergence("commitment", 1, "The secret is not the one that was committed to.", commitment, found);
  }
  if (last.type !== "secret_revealed" || last.data.secret !== head.secret) {
    throw new Divergence("commitment", last.version, "The last event must reveal the secret of the head.",
      { type: "secret_revealed", secret: head.secret }, { type: last.type, secret: last.data.secret ?? null });
  }
}

async function checkDigest({ digest, ...head }, events) {
  const computed = await sha256(bytesOf([head, ...events].map((part) => `${canonical(part)}\n`).join("")));
  if (digest !== computed) {
    throw new Divergence("digest", null, "Something was changed: the digest is another one.", computed, digest);
  }
}

// JSON after RFC 8785. JavaScript sorts by code units, and writes texts and numbers, as that asks for.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The chance of one game: everything that is drawn from its secret. */
class Chance {
  constructor(key, game, nonces) {
    Object.assign(this, { key, game, nonces });
  }

  static async of(secret, game, nonces) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", secretBytes(secret), algorithm, false, ["sign"]);
    return new Chance(key, game, nonces);
  }

  async *stream(purpose, number) {
    const context = `billet/1/${purpose}\n${this.game}\n${number}\n${this.nonces.join(",")}\n`;
    for (let block = 0; ; block += 1) {
      const bytes = new DataView(await crypto.subtle.sign("HMAC", this.key, bytesOf(context + block)));
      for (let offset = 0; offset < 32; offset += 4) yield bytes.getUint32(offset);
    }
  }

  async below(stream, bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const { value } = await stream.next();
      if (value < limit) return value % bound;
    }
  }

  /** Returns the index that is drawn for a purpose. */
  async index(purpose, number, count) {
    return this.below(this.stream(purpose, number), count);
  }

  /** Returns the deck of a round, top first; chosen cards lie on top. */
  async deck(round, unshuffled, chosen) {
    const cards = [...unshuffled];
    for (const card of chosen) take(cards, card);
    const stream = this.stream("deck", round);
    for (let i = cards.length - 1; i > 0; i -= 1) {
      const j = await this.below(stream, i + 1);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return [...chosen, ...cards];
  }
}

function unshuffledDeck(edition, seats) {
  const size = (Object.hasOwn(DECKS, edition) ? DECKS[edition] : []).find(([most]) => seats <= most);
  if (!size || seats < 2) throw new Divergence("deals", 1, `There is no deck of ${edition} for ${seats} seats here.`);
  const words = size[1].split(" ");
  return words.flatMap((word, index) => (index % 2 ? [] : Array(Number(words[index + 1])).fill(word)));
}

/** Takes one such card out of the cards; says whether there was one. */
function take(cards, card) {
  const place = cards.indexOf(card);
  if (place >= 0) cards.splice(place, 1);
  return place >= 0;
}

/** How many orders of the cards can be told apart. */
function countOrders(cards) {
  const seen = new Map();
  return cards.reduce((count, card, place) => {
    seen.set(card, (seen.get(card) ?? 0) + 1);
    return (count * (place + 1)) / seen.get(card);
  }, 1);
}

/** The order at an index of all that can be told apart, their places being in lexicographic order. */
function orderAt(cards, index) {
  let left = index;
  for (const card of new Set(cards)) {
    const rest = [...cards];
    take(rest, card);
    const count = countOrders(rest);
    if (left < count) return [card, ...orderAt(rest, left)];
    left -= count;
  }
  return [];
}

// ------------------------------------------------------------------------------------------------ following the game

// What a cause must have led to: the event that shows it, by its type. Members of both must be the same.
const CAUSES = {
  open: () => ["game_created"],
  join: () => ["seat_taken"],
  invite: () => ["seat_offered"],
  withdraw: () => ["offer_withdrawn"],
  decline: () => ["seat_declined"],
  leave: (game) => [game.started ? "seat_left" : "seat_vacated"],
  abort: () => ["game_aborted"],
  act: (_, { action }) => [action?.type === "play_card" ? "card_played" : "decision_taken"],
  time_out: () => ["seat_timed_out", "seat_left", "card_played", "decision_taken"],
  come_back: () => ["seat_taken_back"],
  repeat: (game, { leaves, action }) => (leaves ? ["seat_left"] : CAUSES.act(game, { action })),
};

const same = (one, other) => canonical(one) === canonical(other);
const sameCards = (one, other) => same([...one].sort(), [...other].sort());
const range = (count) => Array.from({ length: count }, (_, index) => index);

/** Follows the events by what they say, and finds the first that does not fit; returns the number of rounds. */
async function follow(head, events) {
  const game = { head, events, started: false, left: [], away: [], round: null, rounds: 0, ended: null };
  let step = null;
  for (const event of events) {
    game.event = event;
    if (event.cause !== null || step === null) {
      step = { cause: event.cause, before: event.version - 1, events: stepFrom(events, event.version - 1) };
      game.step = step;
      checkCause(game);
    }
    await FOLLOW[event.type](game, event.data);
  }
  must(game, game.ended === "secret", "The game must end, and the secret be revealed.");
  checkHead(game);
  return game.rounds;
}

function stepFrom(events, first) {
  let end = first + 1;
  while (end < events.length && events[end].cause === null) end += 1;
  return events.slice(first, end);
}

function must(game, holds, text, expected = null, found = null, check = "events") {
  if (!holds) throw new Divergence(check, game.event.version, text, expected, found);
}

function mustBe(game, text, expected, found, check = "events") {
  must(game, same(expected, found), text, expected, found, check);
}

function checkHead(game) {
  const { head, created } = game;
  const expected = {
    game: created.game, edition: created.edition, options: created.options, seats: created.seats,
    commitment: created.commitment, players: game.players, nonces: game.nonces, rules_version: game.events[0].rules,
  };
  for (const [name, value] of Object.entries(expected)) {
    if (!same(value, head[name])) {
      throw new Divergence("head", null, `\`${name}\` of the head is not what the events say.`, value, head[name]);
    }
  }
}

function checkCause(game) {
  const { cause, events } = game.step;
  mustBe(game, "`rules` must be there where a cause is, and nowhere else.", cause !== null, game.event.rules !== null);
  if (cause === null) {
    must(game, game.events.every((event) => event.cause === null && event.rules === null), "The causes must be kept.");
    return;
  }
  const types = CAUSES[cause.type](game, cause);
  const fits = ({ type, data }) => types.includes(type) && (!("seat" in cause) || data.seat === cause.seat);
  const shown = events.find(fits);
  must(game, shown, `Nothing follows from the cause \`${cause.type}\`.`, types[0], events.map(({ type }) => type));
  if (cause.type === "repeat") {
    const opening = game.created?.forked_from && game.created.sandbox && game.event.at === game.events[0].at;
    must(game, opening, "Only a fork makes moves again, and only as it is opened.", null, cause);
  }
  for (const name of ["player", "nonce", "reason"].filter((member) => member in cause)) {
    mustBe(game, `The event must have the \`${name}\` of its cause.`, cause[name], shown.data[name]);
  }
  for (const guest of cause.joining ?? []) checkStep(game, "seat_taken", guest);
  for (const guest of cause.inviting ?? []) checkStep(game, "seat_offered", guest);
  if ("action" in cause) checkAction(game, cause.seat, cause.action);
}

/** Returns the event of a step that has these members, having checked that there is one, or with `absent` none. */
function checkStep(game, type, data, absent = false) {
  const fits = (event) => event.type === type && Object.keys(data).every((key) => same(data[key], event.data[key]));
  const found = game.step.events.find(fits);
  must(game, Boolean(found) !== absent, `The step does not fit its cause: \`${type}\`.`,
    absent ? null : { type, data }, absent ? { type, data } : null);
  return found;
}

function checkAction(game, seat, action) {
  const { type } = action;
  if (type === "play_card") {
    const { card, targets, guess = null, guess_value = null, face } = action;
    const played = checkStep(game, "card_played", { seat, card, guess, guess_value, ...(face && { face }) });
    mustBe(game, "The targets are not those of the action.", [...targets].sort(), [...played.data.targets].sort());
    return;
  }
  checkStep(game, "decision_taken", { seat, kind: type });
  if (type === "keep_card") {
    handOf(game, seat, [action.keep, ...action.bottom]);
    checkStep(game, "cards_returned", { seat, cards: action.bottom });
  }
  if (type === "redraw_hand") checkStep(game, "hand_discarded", { seat }, !action.redraw);
  if (type === "peek_hand") {
    const looks = "seat" in action;
    checkStep(game, "hand_shown", looks ? { seat: action.seat, to: seat } : { to: seat }, !looks);
  }
  if (type === "give_hands") {
    const hands = range(game.created.seats).map((at) => action.hands.find((given) => given.seat === at)?.card ?? null);
    checkStep(game, "hands_given", { seat, hands });
  }
}

function inRound(game, seat) {
  must(game, game.round && !game.round.winners && game.round.in.includes(seat), "This seat is not in a round.");
  return game.round;
}

function handOf(game, seat, cards) {
  const { hands } = inRound(game, seat);
  must(game, sameCards(hands[seat], cards), "The seat holds other cards.", hands[seat], cards);
  return hands[seat];
}

function moveFromHand(game, seat, card) {
  const { hands } = inRound(game, seat);
  must(game, take(hands[seat], card), "The seat does not hold this card.", hands[seat], card);
}

function goOut(game, seat) {
  game.round.in = game.round.in.filter((other) => other !== seat);
  game.round.hands[seat] = [];
}

function checkSeat(game, seat, taken) {
  const free = game.created && !game.started && seat < game.created.seats && game.players[seat] === null;
  must(game, taken ? game.created && !game.started && game.players[seat] : free, "The seat is not as this needs it.");
}

const FOLLOW = {
  game_created(game, data) {
    must(game, game.event.version === 1, "A game is created once.");
    must(game, data.seats >= 2, "A table has at least two seats.");
    must(game, data.starter === null || data.starter < data.seats, "There is no such seat.", null, data.starter);
    Object.assign(game, {
      created: data, offered: {}, unshuffled: unshuffledDeck(data.edition, data.seats),
      players: Array(data.seats).fill(null), nonces: Array(data.seats).fill(""),
      tokens: Array(data.seats).fill(0), insane: Array(data.seats).fill(0),
    });
  },
  seat_taken(game, { seat, player, nonce }) {
    checkSeat(game, seat, false);
    must(game, !game.players.includes(player) || player.startsWith("bot-"), "This player sits already.", null, player);
    game.players[seat] = player;
    game.nonces[seat] = nonce;
  },
  seat_vacated(game, { seat }) {
    checkSeat(game, seat, true);
    game.players[seat] = null;
    game.nonces[seat] = "";
  },
  seat_offered(game, { seat, player }) {
    checkSeat(game, seat, false);
    game.offered[seat] = player;
  },
  seat_declined(game, { seat, player }) {
    checkSeat(game, seat, false);
    mustBe(game, "The seat was kept for somebody else.", game.offered[seat] ?? null, player);
    delete game.offered[seat];
  },
  offer_withdrawn(game, { seat, player }) {
    FOLLOW.seat_declined(game, { seat, player });
  },
  async game_started(game, { players, nonces }) {
    must(game, !game.started, "A game starts once.");
    mustBe(game, "The players are not those that sit there.", game.players, players);
    mustBe(game, "The contributions are not those of the players.", game.nonces, nonces);
    game.started = true;
    game.chance = await Chance.of(game.head.secret, game.created.game, nonces);
    const { clock } = game.created;
    game.banks = clock?.kind === "bank" ? Array(players.length).fill(clock.seconds * 1000) : null;
  },
  async round_started(game, data) {
    must(game, game.started && !game.ended && (game.round === null || game.round.winners), "No round can start now.");
    mustBe(game, "The rounds are numbered 1, 2, 3 ...", game.rounds + 1, data.number);
    mustBe(game, "The tokens are not those that were awarded.", game.tokens, data.scores);
    mustBe(game, "The insane tokens are not those that were awarded.", game.insane, data.insane_scores);
    mustBe(game, "Other seats have left.", [...game.left].sort(), data.left);
    mustBe(game, "Other seats are away.", [...game.away].sort(), data.away ?? []);
    mustBe(game, "The banks hold something else.", game.banks, data.banks ?? null);
    const staying = range(game.created.seats).filter((seat) => !game.left.includes(seat));
    const possible = staying.filter((seat) => data.seats.includes(seat));
    mustBe(game, "The seats that are dealt in must be there, in ascending order.", possible, data.seats);
    if (game.rounds === 0) mustBe(game, "All seats are dealt in at first.", staying, data.seats);
    await checkDeal(game, data);
    await checkStarter(game, data);
    game.rounds = data.number;
    game.round = {
      starter: data.starter, in: data.seats, hands: data.hands.map((card) => (card === null ? [] : [card])),
      deck: [...data.deck], setAside: data.set_aside, inPlay: [], turn: null, decision: null, winners: null,
    };
  },
  turn_started(game, { seat }) {
    const round = inRound(game, seat);
    const count = game.created.seats;
    const next = round.turn === null ? round.starter
      : range(count).map((step) => (round.turn + 1 + step) % count).find((other) => round.in.includes(other));
    mustBe(game, "It is another seat's turn.", next, seat);
    must(game, round.inPlay.length === 0 && round.decision === null, "The turn before is not over.");
    round.turn = seat;
  },
  card_drawn(game, { seat, card, source }) {
    const round = inRound(game, seat);
    mustBe(game, "Cards come from the deck, then the one set aside.", round.deck.length ? "deck" : "set_aside", source);
    mustBe(game, "Another card lies there.", source === "deck" ? round.deck.shift() : round.setAside, card);
    if (source === "set_aside") round.setAside = null;
    round.hands[seat].push(card);
  },
  card_played(game, { seat, card, targets }) {
    moveFromHand(game, seat, card);
    mustBe(game, "It is another seat's turn.", game.round.turn, seat);
    targets.forEach((target) => inRound(game, target));
    if (WITH_INSANITY.includes(game.created.edition)) game.round.inPlay.push(card);
  },
  card_resolved(game, { seat, card }) {
    mustBe(game, "Another card is in play.", game.round?.inPlay.pop() ?? null, card);
    mustBe(game, "Another seat has played it.", game.round.turn, seat);
  },
  card_revealed(game, { seat, card }) {
    mustBe(game, "Another card lies on the deck.", inRound(game, seat).deck.shift() ?? null, card);
  },
  seat_protected: (game, { seat }) => void inRound(game, seat),
  seat_bound: (game, { seat }) => void inRound(game, seat),
  seat_marked: (game, { seat, target }) => void (inRound(game, seat) && inRound(game, target)),
  hand_shown: (game, { seat, to, cards }) => void (inRound(game, to) && handOf(game, seat, cards)),
  hands_compared(game, { seat, target, cards, target_cards: targetCards }) {
    handOf(game, seat, cards);
    handOf(game, target, targetCards);
  },
  hands_traded(game, { seat, target, cards, target_cards: targetCards }) {
    const [own, other] = [handOf(game, seat, targetCards), handOf(game, target, cards)];
    [game.round.hands[seat], game.round.hands[target]] = [other, own];
  },
  hand_taken(game, { seat, target, cards }) {
    inRound(game, seat).hands[seat].push(...handOf(game, target, cards));
    game.round.hands[target] = [];
  },
  card_received: (game, { seat, card }) => void inRound(game, seat).hands[seat].push(card),
  hands_given(game, { seat, targets, hands }) {
    const round = inRound(game, seat);
    const before = targets.flatMap((target) => inRound(game, target).hands[target]);
    const after = targets.map((target) => hands[target]);
    must(game, sameCards(before, after), "Others were the cards to give.", before, after);
    targets.forEach((target) => { round.hands[target] = [hands[target]]; });
  },
  hand_discarded(game, { seat, cards }) {
    handOf(game, seat, cards).length = 0;
  },
  cards_returned(game, { seat, cards }) {
    cards.forEach((card) => moveFromHand(game, seat, card));
    game.round.deck.push(...cards);
  },
  knocked_out(game, { seat, cards }) {
    handOf(game, seat, cards);
    goOut(game, seat);
  },
  decision_opened(game, data) {
    const round = inRound(game, data.seat);
    must(game, round.decision === null, "A question waits already.", round.decision, data);
    round.decision = data;
  },
  async decision_taken(game, { seat, card, kind }) {
    const { seat: asked, card: asking, kind: question, seats } = game.round?.decision ?? {};
    mustBe(game, "Another question waits.", { seat: asked, card: asking, kind: question }, { seat, card, kind });
    game.round.decision = null;
    await checkDrawnAnswer(game, seat, kind, seats);
  },
  hands_revealed(game, { hands }) {
    must(game, game.round && !game.round.winners, "There is no round.");
    const held = range(game.created.seats).map((seat) => game.round.hands[seat][0] ?? null);
    mustBe(game, "The seats hold other hands.", held, hands);
  },
  round_ended(game, { number, winners, reason }) {
    must(game, game.round && !game.round.winners, "There is no round that could end.");
    mustBe(game, "This round has another number.", game.rounds, number);
    must(game, ["last_seat", "showdown", "card"].includes(reason), "No round ends like this.", null, reason);
    winners.forEach((seat) => inRound(game, seat));
    game.round.winners = winners;
  },
  token_awarded(game, { seat, kind }) {
    must(game, game.round && seat < game.created.seats, "Nobody can gain a token now.");
    const kinds = WITH_INSANITY.includes(game.created.edition) ? ["sane", "insane"] : ["favor"];
    must(game, kinds.includes(kind), "There are no such tokens.", kinds, kind);
    game.tokens[seat] += 1;
    if (kind === "insane") game.insane[seat] += 1;
  },
  time_spent(game, { seat, spent_ms: spent, bank_ms: left }) {
    must(game, game.banks && seat < game.created.seats, "This seat has no bank.");
    const rest = game.banks[seat] - spent;
    const possible = [rest, rest + game.created.clock.increment * 1000];
    must(game, rest >= 0 && possible.includes(left), "The bank must have lost what was spent.", possible, left);
    game.banks[seat] = left;
  },
  seat_timed_out(game, { seat }) {
    must(game, game.started && !game.left.includes(seat) && seat < game.created.seats, "This seat is not there.");
    if (!game.away.includes(seat)) game.away.push(seat);
  },
  seat_taken_back(game, { seat }) {
    must(game, game.away.includes(seat), "Nobody stands in for this seat.");
    game.away = game.away.filter((other) => other !== seat);
  },
  seat_left(game, { seat, cards, reason }) {
    must(game, game.started && !game.left.includes(seat) && seat < game.created.seats, "This seat is not there.");
    const held = game.round?.in.includes(seat) ? game.round.hands[seat] : [];
    must(game, sameCards(held, cards), "The seat holds other cards.", held, cards);
    const { cause } = game.step;
    must(game, cause === null || reason === (cause.leaves ?? { leave: "resigned", time_out: "timed_out" }[cause.type]),
      "No seat leaves for this reason.", cause, reason);
    game.left.push(seat);
    game.away = game.away.filter((other) => other !== seat);
    if (game.round) goOut(game, seat);
  },
  game_finished(game, { winners }) {
    must(game, game.started && !game.ended && winners.length > 0, "This game cannot be over.");
    const fair = winners.every((seat) => seat < game.created.seats && !game.left.includes(seat));
    must(game, fair, "Only a seat that is there can win.", null, winners);
    game.ended = "finished";
  },
  game_aborted(game) {
    must(game, !game.ended, "This game has ended.");
    game.ended = "aborted";
  },
  secret_revealed(game, { secret }) {
    must(game, ["finished", "aborted"].includes(game.ended), "The secret is revealed when the game has ended.");
    must(game, game.event.version === game.events.length, "The secret is revealed last.");
    mustBe(game, "This is another secret.", game.head.secret, secret, "commitment");
    game.ended = "secret";
  },
};

async function checkDeal(game, data) {
  const { edition, seats, sandbox, sandbox_rounds: rounds } = game.created;
  const chosen = (sandbox && rounds[data.number - 1]?.order) || [];
  const cards = await game.chance.deck(data.number, game.unshuffled, chosen);
  const faceUp = seats === 2 ? SHOWN_ASIDE_OF_TWO[edition] ?? 3 : 0;
  const deal = { set_aside: cards.shift(), shown_aside: cards.splice(0, faceUp) };
  deal.hands = range(seats).map((seat) => (data.seats.includes(seat) ? cards.shift() : null));
  deal.deck = cards;
  for (const [place, expected] of Object.entries(deal)) {
    mustBe(game, `\`${place}\` of this round does not follow from the secret.`, expected, data[place], "deals");
  }
}

async function checkStarter(game, data) {
  const { created, round } = game;
  const chosen = created.sandbox ? created.sandbox_rounds[data.number - 1]?.starter : undefined;
  const named = chosen ?? (round === null ? created.starter : null);
  let among;
  if (named !== null) among = [named];
  else if (round === null) among = data.seats;
  else among = data.seats.filter((seat) => (round.winners.length ? round.winners : [round.starter]).includes(seat));
  if (among.length === 0) among = data.seats;
  const index = among.length === 1 ? 0 : await game.chance.index("starter", data.number, among.length);
  mustBe(game, "Another seat begins this round.", among[index], data.starter, "deals");
}

/** Checks the answer that chance has given for a seat that leaves, where that needs no rules. */
async function checkDrawnAnswer(game, seat, kind, seats) {
  const { cause, before, events } = game.step;
  if (cause === null || !["leave", "time_out"].includes(cause.type) || "action" in cause) return;
  const rest = events.slice(game.event.version - before);
  const { hands } = game.round;
  const drawn = async (cards) => {
    must(game, cards.length <= MOST_ORDERED, "No edition lets so many cards be put in order.", MOST_ORDERED, cards.length);
    return orderAt(cards, await game.chance.index("answer", before, countOrders(cards)));
  };
  if (kind === "keep_card") {
    const [, ...expected] = await drawn(hands[seat]);
    const found = rest.find(({ type }) => type === "cards_returned")?.data.cards ?? null;
    mustBe(game, "Chance has answered otherwise.", expected, found, "deals");
  } else if (kind === "give_hands") {
    const order = await drawn(seats.flatMap((other) => hands[other]));
    const given = rest.find(({ type }) => type === "hands_given")?.data.hands ?? [];
    mustBe(game, "Chance has answered otherwise.", order, seats.map((other) => given[other] ?? null), "deals");
  }
}

// ------------------------------------------------------------------------------------------------------- the command

/** Writes commands to a terminal as their numbers, by which JSON stays what it is. */
const plain = (text) => text.replace(COMMANDS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

async function main(words) {
  const { readFile } = await import("node:fs/promises");
  const asJson = words[0] === "--json";
  const files = asJson ? words.slice(1) : words;
  if (files.length === 0) {
    console.error("node verify.mjs [--json] FILE...");
    return 2;
  }
  let status = 0;
  for (const file of files) {
    try {
      const verdict = await verify(await unpack(await readFile(file)));
      console.log(plain(asJson ? JSON.stringify({ file, ...verdict }) : `${file}: ${verdict.text}`));
      if (!verdict.valid) status = Math.max(status, 1);
    } catch (error) {
      console.error(plain(`${file}: cannot be read: ${error.message}`));
      status = 2;
    }
  }
  return status;
}

if (globalThis.process?.argv[1]) {
  const [{ realpathSync }, { fileURLToPath }] = [await import("node:fs"), await import("node:url")];
  if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    process.exitCode = await main(process.argv.slice(2));
  }
}
