// Was the deal of a Billet game fair? Verifies a portable log without Billet: JavaScript without dependencies, for
// Node 20 and browsers, written from docs/logs.md, docs/shuffle.md and docs/events.md alone.
//
//     node verify.mjs FILE...          a line for each log; exit status 0 all valid, 1 some are not, 2 unreadable
//     import { verify } from "./verify.mjs"; const verdict = await verify(text);
//
// A file holds one log, as JSON or in lines, gzipped or not.
//
// A valid log proves that
// - its secret is the one that was committed to, and its nonces are those that the players had committed to;
// - every deck, and every starter that was drawn, follows from the secret and the nonces (in a sandbox, below the cards
//   that its creator chose);
// - each card that is drawn, played, shown, swapped or laid down comes from where it lay before;
// - nothing in it was changed by accident (the digest).
//
// It does not prove that the game was played by the rules: whose turn it was, what may be played, what a card does, who
// wins, what chance answers for a seat that leaves, clocks, tokens. `billet verify` and `POST /v1/logs/verify` check
// all of that. Nor can any log prove that the operator did not look at the cards.
import { Chance, RULES, cardsBeside, commitment, contribution, dealt, sha256, take, unshuffledDeck } from "./deal.mjs";

// How long a full table waits for nonces, and how many characters they have.
const REVEAL_MS = 15000;
const NONCE_LENGTHS = [32, 200];
// The events that move and show no card, and say nothing that the deal depends on.
const PASSED_OVER = new Set(["seat_offered", "seat_declined", "offer_withdrawn", "turn_started", "card_resolved",
  "seat_protected", "seat_bound", "seat_marked", "decision_opened", "decision_taken", "token_awarded", "time_spent",
  "seat_timed_out", "seat_taken_back", "break_taken", "break_ended", "game_finished", "game_aborted", "secret_revealed"]);
// The strings of a JSON text, in which a colon is text.
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
// Characters that are no text but commands to a terminal, whose cursor and title no log may touch.
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const range = (count) => [...Array(count).keys()];
const same = (one, other) => one === other || canonical(one) === canonical(other);
const sameCards = (one, other) => same([...one].sort(), [...other].sort());

/** The first place of a log that is not as it must be: what was checked, and the event's version or null. */
class Divergence extends Error {
  constructor(check, version, text) {
    super(text);
    Object.assign(this, { check, version });
  }
}

function demand(holds, check, version, text) {
  if (!holds) throw new Divergence(check, version, text);
}

/**
 * Verifies a portable log, given as the text of JSON or of lines of JSON.
 *
 * The verdict is `{valid, divergence, unchecked, game, edition, seats, rounds, events, text}`. `divergence` is null, or
 * the first place that is not as it must be: `{check, version, text}`. `check` is one of `form`, `commitment`, `nonces`,
 * `deals`, `cards`, `head` and `digest`; `version` is that of the event, or null for the head. `unchecked` has a
 * `{check, version, text}` if an event brings decks that cannot be checked here: by other `rules`, or from a `position`
 * that was chosen. Then the log is not called valid.
 */
export async function verify(text) {
  const verdict = {
    valid: false, divergence: null, unchecked: [], game: null, edition: null, seats: null, rounds: 0, events: 0,
  };
  try {
    const { head, events } = parse(text);
    const { game, edition, seats } = head;
    Object.assign(verdict, { game, edition, seats, events: events.length });
    await checkCommitment(head, events);
    Object.assign(verdict, await follow(head, events));
    await checkDigest(head, events);
    verdict.valid = verdict.unchecked.length === 0;
    verdict.text = verdict.valid
      ? `valid: ${edition}, ${seats} seats, ${verdict.rounds} rounds, ${events.length} events; the deal is proven, `
        + "the rules are not checked here"
      : `unchecked: ${verdict.unchecked[0].text}`;
  } catch (error) {
    const { check = "form", version = null, message } = error;
    const said = error instanceof Divergence ? message : `This cannot be understood: ${message}`;
    verdict.divergence = { check, version, text: said };
    verdict.text = `not valid: ${version === null ? "" : `event ${version}, `}${check}: ${said}`;
  }
  return verdict;
}

/** Returns the text of a file, a `Blob`, which may be gzipped. */
export async function textOf(file) {
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = one === 0x1f && two === 0x8b;
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  return new TextDecoder("utf-8", { fatal: true }).decode(await new Response(stream).arrayBuffer());
}

// -------------------------------------------------------------------------------------------- the log and its head

function parse(text) {
  let head, events;
  try {
    ({ events, ...head } = unambiguous(text));
  } catch (fault) {
    if (fault instanceof Divergence) throw fault;
    [head, ...events] = text.split("\n").filter((line) => line.trim()).map(unambiguous);
  }
  const known = head?.format === "billet-log" && head.format_version === 1 && events?.length > 0;
  demand(known, "form", null, "This is no portable log in a format that is known here.");
  demand(!Object.hasOwn(head, "events"), "form", null, "These are many logs, which `billet verify` takes.");
  const first = events.findIndex(({ version }, place) => version !== place + 1);
  demand(first < 0, "form", first + 1, "The versions must be 1, 2, 3 ... without gaps.");
  return { head, events };
}

/** Returns the value of a JSON text in which no object has a member twice: other readers may take the first of two. */
function unambiguous(text) {
  let members = 0;
  const value = JSON.parse(text, (_, one) => {
    if (typeof one === "object" && one !== null && !Array.isArray(one)) members += Object.keys(one).length;
    return one;
  });
  const colons = text.replace(STRINGS, "").split(":").length - 1;
  demand(colons === members, "form", null, "An object has a member twice.");
  return value;
}

async function checkCommitment({ secret }, [first, ...others]) {
  demand(first.type === "game_created", "form", 1, "The first event must be `game_created`.");
  demand(/^[0-9a-f]{64}$/.test(secret), "commitment", null, "The secret must be 32 bytes in lower-case hex.");
  const committed = first.data.commitment === await commitment(secret);
  demand(committed, "commitment", 1, "The secret is not the one that was committed to.");
  const { type, data, version } = others.at(-1) ?? first;
  const revealed = type === "secret_revealed" && data.secret === secret;
  demand(revealed, "commitment", version, "The last event must reveal the secret of the head.");
}

function checkHead(head, expected) {
  for (const [name, value] of Object.entries(expected)) {
    demand(same(value, head[name]), "head", null, `\`${name}\` of the head is not what the events say.`);
  }
}

async function checkDigest({ digest, ...head }, events) {
  const computed = await sha256([head, ...events].map((part) => `${canonical(part)}\n`).join(""));
  demand(digest === computed, "digest", null, "Something was changed: the digest is another one.");
}

// JSON after RFC 8785. JavaScript sorts by code units, and writes texts and numbers, as that asks for.
function canonical(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

// ---------------------------------------------------------------------------------------------- following the game

/** Follows a game by its events, and finds the first that does not fit, up to those by rules not known here. */
async function follow(head, events) {
  const game = { secret: head.secret, reveal: null, chance: null, left: [], round: null, rounds: 0, unchecked: [] };
  for (const event of events) {
    const { version, type, data, rules } = event;
    if (rules !== null && rules !== RULES) {
      const text = `From event ${version} on, steps follow version ${rules} of the rules; only ${RULES} is known here.`;
      game.unchecked.push({ check: "rules", version, text });
      break;
    }
    game.event = event;
    if (Object.hasOwn(FOLLOW, type)) await FOLLOW[type](game, data);
    else must(game, PASSED_OVER.has(type), "form", `What is ${type}?`);
  }
  const { game: id, edition, options, seats, commitment: committed } = events[0].data;
  checkHead(head, { game: id, edition, options, seats, commitment: committed, rules_version: events[0].rules });
  if (game.chance) checkHead(head, { players: game.players, nonces: game.nonces });
  return { rounds: game.rounds, unchecked: game.unchecked };
}

/** Demands that something holds, or the event does not fit. */
const must = ({ event }, holds, check, text) => demand(holds, check, event.version, text);

/** Demands that the event says these things. */
function mustSay(game, check, text, members) {
  must(game, Object.entries(members).every(([name, value]) => same(value, game.event.data[name])), check, text);
}

/** Returns the hand of a seat; with `cards`, it must be these. */
function handOf(game, seat, cards) {
  const hand = game.round?.hands[seat];
  must(game, Number.isInteger(seat) && hand !== undefined, "cards", "This seat has no hand.");
  must(game, cards === undefined || sameCards(hand, cards), "cards", "The seat holds other cards.");
  return hand;
}

const takeFromHand = (game, seat, card) => (
  must(game, take(handOf(game, seat), card), "cards", "The seat does not hold this card."));

/** Lays a whole hand down, which is the one that the event says. */
function layDown(game, { seat, cards }) {
  handOf(game, seat, cards).length = 0;
}

function getUp(game, { seat }) {
  game.seated[seat] = null;
}

/** The seats whose players have committed to a nonce, and those of them that have not revealed it. */
const committedIn = ({ seated }) => range(seated.length).filter((seat) => seated[seat] && seated[seat].hash !== "");
const missingIn = (game) => committedIn(game).filter((seat) => !(seat in game.reveal.nonces));

const FOLLOW = {
  // Seats and what their players give to the shuffle.
  game_created(game, { edition, seats, ...data }) {
    const deck = unshuffledDeck(edition, seats);
    must(game, game.event.version === 1, "form", "A game is created once.");
    must(game, deck, "deals", `There is no deck of ${edition} for ${seats} seats here.`);
    Object.assign(game, { created: { edition, seats, ...data }, unshuffled: deck, seated: Array(seats).fill(null) });
  },
  seat_taken(game, { seat, player, nonce, nonce_hash: hash }) {
    const free = !game.chance && game.reveal === null && game.seated[seat] === null;
    must(game, free && Number.isInteger(seat), "nonces", "Nobody can take this seat now.");
    game.seated[seat] = { player, nonce, hash };
  },
  seat_vacated: getUp,
  seat_cleared: getUp,
  reveal_started(game) {
    const begins = !game.chance && game.reveal === null && !game.seated.includes(null);
    must(game, begins && committedIn(game).length > 0, "nonces", "No nonces are to be revealed now.");
    mustSay(game, "nonces", "Other seats have committed to a nonce.", { seats: committedIn(game) });
    game.reveal = { since: Date.parse(game.event.at), nonces: {} };
  },
  async nonce_revealed(game, { seat, nonce }) {
    const asked = !game.chance && game.reveal && missingIn(game).includes(seat);
    must(game, asked, "nonces", "No nonce of this seat is to be revealed now.");
    const { hash } = game.seated[seat];
    const [least, most] = NONCE_LENGTHS;
    const length = [...nonce].length;
    const fits = length >= least && length <= most && hash === await sha256(nonce);
    must(game, fits, "nonces", "The nonce is not the one that the player has committed to.");
    game.reveal.nonces[seat] = nonce;
  },
  async game_started(game) {
    const { created, reveal, seated } = game;
    must(game, !game.chance && !seated.includes(null), "nonces", "The game cannot start now.");
    const committed = committedIn(game);
    must(game, committed.length === 0 || reveal, "nonces", "The players must be asked for their nonces first.");
    const unrevealed = reveal ? missingIn(game) : [];
    const over = reveal && Math.abs(Date.parse(game.event.at) - reveal.since) >= REVEAL_MS;
    must(game, unrevealed.length === 0 || over, "nonces", "The time to reveal the missing nonces is not up.");
    const contributed = ({ nonce, hash }, seat) => {
      if (hash === "") return nonce;
      return seat in reveal.nonces ? contribution(reveal.nonces[seat]) : "";
    };
    const players = seated.map(({ player }) => player);
    const nonces = await Promise.all(seated.map(contributed));
    mustSay(game, "nonces", "The players have given something else.", { players, nonces, committed, unrevealed });
    // A deal that several games share has a name of its own.
    const chance = new Chance(game.secret, created.deal ?? created.game, nonces, committed.length > 0);
    Object.assign(game, { players, nonces, chance });
  },

  // Rounds and their decks.
  async round_started(game, data) {
    const starts = game.chance && (game.round === null || game.round.winners);
    must(game, starts, "deals", "No round can start now.");
    mustSay(game, "deals", "The rounds are numbered 1, 2, 3 ...", { number: game.rounds + 1 });
    game.rounds += 1;
    if (data.position === null) await checkDeal(game, data);
    else if (game.unchecked.length === 0) {
      const text = `Round ${game.rounds} begins with a position that was chosen; only Billet itself checks such a round.`;
      game.unchecked.push({ check: "position", version: game.event.version, text });
    }
    const hands = data.hands.map((card) => (card === null ? [] : [card]));
    const { starter, deck, set_aside: aside } = data;
    game.round = { starter, hands, deck: [...deck], aside, beside: cardsBeside(game.created.edition), winners: null };
  },
  round_ended(game, { winners, standings }) {
    standings.forEach(({ seat, card }) => handOf(game, seat, [card]));
    game.round.winners = winners;
  },

  // Cards that move.
  card_drawn(game, { seat }) {
    const { deck, aside } = handOf(game, seat) && game.round;
    const [source, card] = deck.length > 0 ? ["deck", deck.shift()] : ["set_aside", aside];
    if (source === "set_aside") game.round.aside = null;
    must(game, card !== null, "cards", "No card is left to draw.");
    mustSay(game, "cards", "Cards come from the deck, then the one set aside.", { source, card });
    handOf(game, seat).push(card);
  },
  card_revealed(game, { seat }) {
    const card = (handOf(game, seat) && game.round.deck.shift()) ?? null;
    mustSay(game, "cards", "Another card lies on the deck.", { card });
  },
  card_received(game, { seat, card }) {
    const hand = handOf(game, seat);
    must(game, take(game.round.beside, card), "cards", "This card does not lie beside the deck.");
    hand.push(card);
  },
  card_played: (game, { seat, card }) => takeFromHand(game, seat, card),
  hand_discarded: layDown,
  knocked_out: layDown,
  cards_returned(game, { seat, cards }) {
    cards.forEach((card) => takeFromHand(game, seat, card));
    game.round.deck.push(...cards);
  },
  hands_traded(game, { seat, target, cards, target_cards: targetCards }) {
    const [own, other] = [handOf(game, seat, targetCards), handOf(game, target, cards)];
    [game.round.hands[seat], game.round.hands[target]] = [other, own];
  },
  hand_taken(game, { seat, target, cards }) {
    const taken = handOf(game, target, cards).splice(0);
    handOf(game, seat).push(...taken);
  },
  hands_given(game, { targets, hands }) {
    const collected = targets.flatMap((target) => handOf(game, target).splice(0));
    const given = targets.map((target) => hands[target]);
    must(game, sameCards(collected, given), "cards", "Others were the cards to give.");
    targets.forEach((target) => handOf(game, target).push(hands[target]));
  },
  seat_left(game, { seat, cards }) {
    layDown(game, { seat, cards });
    game.left.push(seat);
  },

  // Cards that are shown.
  hand_shown: (game, { seat, cards }) => void handOf(game, seat, cards),
  hands_compared(game, { seat, target, cards, target_cards: targetCards }) {
    handOf(game, seat, cards);
    handOf(game, target, targetCards);
  },
  hands_revealed(game) {
    const hands = range(game.created.seats).map((seat) => handOf(game, seat)[0] ?? null);
    mustSay(game, "cards", "The seats hold other hands.", { hands });
  },
};

/** Checks that a round is dealt to the seats that are there, from the deck and by the starter that follow. */
async function checkDeal(game, data) {
  const { created, chance, round, rounds, unshuffled } = game;
  const staying = range(created.seats).filter((seat) => !game.left.includes(seat));
  // Only this edition has rounds to break a tie, for some seats alone.
  const some = created.edition === "premium" && rounds > 1;
  const seats = some ? staying.filter((seat) => data.seats.includes(seat)) : staying;
  mustSay(game, "deals", "The seats that are dealt in must be there, in ascending order.", { seats });
  const chosen = (created.sandbox && created.sandbox_rounds[rounds - 1]) || {};
  const order = chosen.order ?? [];
  const left = [...unshuffled];
  must(game, order.every((card) => take(left, card)), "deals", "The chosen cards are not all in the deck.");
  const deck = await chance.deck(rounds, unshuffled, order);
  for (const [place, expected] of Object.entries(dealt(deck, created.edition, created.seats, seats))) {
    mustSay(game, "deals", `\`${place}\` of this round does not follow from the secret.`, { [place]: expected });
  }
  const before = round === null ? seats : round.winners.length > 0 ? round.winners : [round.starter];
  const again = seats.filter((seat) => before.includes(seat));
  const among = again.length > 0 ? again : seats;
  const named = chosen.starter ?? (rounds === 1 ? created.starter : null);
  const drawn = named ?? among[among.length === 1 ? 0 : await chance.starter(rounds, among.length)];
  // A sandbox may name a seat that has left or does not play a tie-break: then the next seat begins.
  const starter = seats.find((seat) => seat >= drawn) ?? seats[0];
  mustSay(game, "deals", "Another seat begins this round.", { starter });
}

// ----------------------------------------------------------------------------------------------------- the command

/** Writes commands to a terminal as their numbers. */
const plain = (text) => text.replace(COMMANDS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

async function main(files) {
  const { readFile } = await import("node:fs/promises");
  let status = files.length > 0 ? 0 : 2;
  if (files.length === 0) console.error("node verify.mjs FILE...");
  for (const file of files) {
    try {
      const verdict = await verify(await textOf(new Blob([await readFile(file)])));
      console.log(plain(`${file}: ${verdict.text}`));
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
