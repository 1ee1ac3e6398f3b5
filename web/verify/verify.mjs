// Verifies the portable log of a Billet game without Billet: plain JavaScript, no dependencies, Node 20 or a browser.
//
//     node verify.mjs FILE...          a line for each log; exit status 0 all valid, 1 some are not, 2 unreadable
//     node verify.mjs --json FILE...   the verdicts as lines of JSON
//     import { verify } from "./verify.mjs"; const verdict = await verify(text);
//
// A file holds a log, as JSON or in lines, or many, a whole one on each line; each may be gzipped; `-` is the input.
//
// It was written from docs/logs.md, docs/shuffle.md and docs/events.md alone. It checks that the secret is the one that
// was committed to, that every deck and every drawn starter follows from it, and that the events fit together: each
// card comes from where it lay, each seat does what its cause says. It does not know the rules of any edition. Whether
// a card may be played and what its effect is, `POST /v1/logs/verify` checks.

// The version of the rules whose decks are known here, and those in their order before the shuffle: edition, largest
// number of seats, cards (docs/shuffle.md, "The deck").
// made: decks (`make docs` writes them)
const RULES = 1;
const DECKS = {
  standard: [
    [6, "spy 2 guard 6 priest 2 baron 2 handmaid 2 prince 2 chancellor 2 king 1 countess 1 princess 1"],
  ],
  classic: [
    [4, "guard 5 priest 2 baron 2 handmaid 2 prince 2 king 1 countess 1 princess 1"],
  ],
  premium: [
    [4, "guard 5 priest 2 baron 2 handmaid 2 prince 2 king 1 countess 1 princess 1"],
    [8, "assassin 1 jester 1 guard 8 priest 2 cardinal 2 baron 2 baroness 2 handmaid 2 sycophant 2 prince 2 "
      + "count 2 king 1 constable 1 countess 1 dowager_queen 1 princess 1 bishop 1"],
  ],
  lovecraft: [
    [6, "investigators 5 deep_ones 1 cats_of_ulthar 2 golden_mead 1 great_race_of_yith 2 hound_of_tindalos 1 "
      + "elder_sign 2 liber_ivonis 1 professor_henry_armitage 2 mi_go 1 randolph_carter 1 nyarlathotep 1 "
      + "silver_key 1 shining_trapezohedron 1 necronomicon 1 cthulhu 1"],
  ],
};
// end
const SHOWN_ASIDE_OF_TWO = { lovecraft: 5 };
// Where a played card lies in play until `card_resolved`, and tokens are sane or insane.
const WITH_INSANITY = ["lovecraft"];

// What must be in the data of each event (docs/events.md). Unknown members are left alone.
const FIELDS = {
  game_created: "game text, edition text, options object, seats number, visibility text, clock object?, "
    + "starter number?, creator text, previous_game text?, commitment text, sandbox boolean, sandbox_rounds list, "
    + "forked_from object?, sandbox_positions objects",
  seat_taken: "seat number, player text, nonce text, nonce_hash text",
  seat_vacated: "seat number",
  seat_cleared: "seat number, player text",
  seat_offered: "seat number, player text",
  seat_declined: "seat number, player text, reason text",
  offer_withdrawn: "seat number, player text",
  reveal_started: "seats numbers",
  nonce_revealed: "seat number, nonce text",
  game_started: "players texts, nonces texts, committed numbers, unrevealed numbers",
  round_started: "number number, starter number, seats numbers, scores numbers, insane_scores numbers, left numbers, "
    + "hands hands, deck texts, set_aside text, shown_aside texts, banks numbers?, away numbers, position object?",
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
  round_ended: "number number, winners numbers, reason text, decided_by text?, card text?, standings objects",
  token_awarded: "seat number, reason text, kind text",
  time_spent: "seat number, spent_ms number, bank_ms number",
  seat_timed_out: "seat number",
  seat_taken_back: "seat number",
  seat_left: "seat number, cards texts, reason text",
  game_finished: "winners numbers",
  game_aborted: "reason text",
  secret_revealed: "secret text",
};
const POSITION = "hands piles?, discards piles?, deck texts?, set_aside text?, shown_aside texts?, out numbers?, "
  + "protected numbers?, bound number?, marks objects?, tokens numbers?, insane_tokens numbers?, turn number?";
// No hand or collection of hands that a decision is about holds more cards.
const MOST_ORDERED = 8;
// No table of any edition has more.
const MOST_SEATS = 8;
// How deep the objects and lists of a log may be nested.
const DEEPEST = 32;
// How long a log may be.
const MOST_BYTES = 64 * 2 ** 20;
// How much of a file is looked through at once.
const BLOCK = 2 ** 16;
// How many lines are kept by themselves before they are joined.
const LINES_KEPT = 1000;
// In how many places one gzip may look as if another began there: chance has it in one of 100 million bytes.
const MOST_GUESSES = 16;
// A line that holds more than the blanks of JSON.
const NOT_BLANK = /[^ \t\r]/;
// The strings of a JSON text; and in the rest of it, numbers that are not written as whole ones, and all but colons.
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const FRACTION = /[0-9][.eE]/;
const NO_COLONS = /[^:]+/g;
// How much is shown of what was expected, and of what was found.
const SHOWN = 300;
// Characters that are no text but commands to a terminal, whose cursor and title no log may touch.
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// Clocks that differ by no more leave no trace in the times.
const SKEW_MS = 5000;
// How long a full table waits for nonces, and how many characters they have.
const REVEAL_MS = 15000;
const NONCE_LENGTHS = [32, 200];
const HEAD = "format text, format_version number, package_version text, rules_version number, game text, "
  + "edition text, options object, seats number, players list, nonces texts, commitment text, secret text, digest text";
const STANDING = "seat number, card text, number number, counted number?, changed_by text?, discard_sum number?";
const EVENT = "version number, v number, type text, at text, data object, cause object?, rules number?";

const range = (count) => [...Array(count).keys()];
const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";
const told = ({ type, data }) => ({ type, data });
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (check) => (value) => Array.isArray(value) && value.every(check);
const KINDS = {
  number: isNumber, numbers: listOf(isNumber), text: isText, texts: listOf(isText), object: isObject,
  boolean: (value) => typeof value === "boolean",
  hands: listOf((value) => value === null || isText(value)),
  list: Array.isArray, objects: listOf(isObject), piles: listOf(listOf(isText)),
};

/** The first place of a log that is not as it must be. */
class Divergence extends Error {
  constructor(check, version, text, expected = null, found = null) {
    super(text);
    Object.assign(this, { check, version, expected, found });
  }
}

/**
 * Verifies a portable log, given as JSON or as lines of JSON, in a text or in the bytes of one.
 *
 * The verdict is `{valid, divergence, game, edition, seats, events, rounds, unchecked, unproven, text}`. `divergence`
 * is null, or the first place that is not as it must be: `{check, version, expected, found, text}`. `version` is that of
 * the event, or null for the head; `expected` and `found` hold what is compared, such as the `type` and `data` of an
 * event, and null where there must be or is nothing, or more than one thing would do. `unchecked` is empty, or has one
 * `{check, version, text}`: the event from which on other rules made the steps. Nothing from there on is followed, and
 * the log is not valid. `unproven` names what a valid log says and nothing else in it depends on.
 */
export async function verify(log) {
  const verdict = {
    valid: false, divergence: null, game: null, edition: null, seats: null, events: 0, rounds: 0,
    unchecked: [], unproven: [],
  };
  try {
    const { head, events } = parse(isText(log) ? log.replace(/^\ufeff/, "") : decoded(log));
    Object.assign(verdict, { game: head.game, edition: head.edition, seats: head.seats, events: events.length });
    events.forEach(checkForm);
    checkVersions(events);
    checkTimes(events);
    checkCommitment(head, events);
    Object.assign(verdict, follow(head, events));
    await checkDigest(head, events);
    if (verdict.unchecked.length > 0) {
      verdict.text = `unchecked: ${verdict.unchecked[0].text}`;
      return verdict;
    }
    verdict.valid = true;
    verdict.unproven = unprovenIn(events);
    verdict.text = `valid: ${head.edition}, ${head.seats} seats, ${verdict.rounds} rounds, ${events.length} events; `
      + `no log can prove its ${verdict.unproven.join(", ")}`;
  } catch (error) {
    const { check, version, expected, found, message } = error instanceof Divergence
      ? error : new Divergence("form", null, `This cannot be understood: ${error.message}`);
    verdict.divergence = { check, version, expected, found, text: message };
    verdict.text = `not valid: ${version === null ? "" : `event ${version}, `}${check}: ${message}`;
  }
  return verdict;
}

/**
 * Yields the logs of a file as `{line, bytes}`; what the file holds comes in pieces, as from `unpacked`. `line` is null
 * if it is but one.
 *
 * No more than one log is in memory. It throws if one has more than `most` bytes.
 */
export async function* logsIn(pieces, most = MOST_BYTES) {
  const lines = linesOf(pieces, most);
  const { value: first = new Uint8Array() } = await lines.next();
  if (!isWhole(first)) {
    const parts = [first];
    let [size, few] = [first.length, []];
    for await (const bytes of lines) {
      size += bytes.length;
      if (size > most) throw tooLong(most);
      // Each line kept by itself would take a hundred times its length if it is short.
      if (few.push(bytes) === LINES_KEPT) parts.push(joined(few.splice(0)));
    }
    yield { line: null, bytes: joined([...parts, ...few]) };
    return;
  }
  let [waiting, number] = [true, 1];
  for await (const bytes of lines) {
    number += 1;
    if (isBlank(bytes)) continue;
    if (waiting) yield { line: 1, bytes: first };
    waiting = false;
    yield { line: number, bytes };
  }
  if (waiting) yield { line: null, bytes: first };
}

/** Yields what a file, as a `Blob`, holds: in pieces, and without the gzip if it is packed. */
export async function* unpacked(file) {
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (one !== 0x1f || two !== 0x8b) {
    yield* piecesOf(file.stream());
    return;
  }
  for (let start = 0; start < file.size;) start = yield* unpackedAt(file, start);
}

// ---------------------------------------------------------------------------------------------------------- the file

// Without a byte order mark, which some editors put at the beginning.
const decoded = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const isBlank = (bytes) => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
const tooLong = (most) => new Error(`A log in it has more than ${most} bytes.`);

/**
 * Yields what the gzip at a place of a file holds, and returns where it ends.
 *
 * A file may have one after the other, but what unpacks in browsers takes one alone and does not say where that ends.
 * So it is given what lies before the next place that looks like a beginning; if that was none, all before the next.
 */
async function* unpackedAt(file, start) {
  let given = 0;
  for (let end = start, guesses = 0; ; guesses += 1) {
    end = await nextGzip(file, end + 1);
    let seen = 0;
    try {
      const stream = file.slice(start, end).stream().pipeThrough(new DecompressionStream("gzip"));
      for await (const piece of piecesOf(stream)) {
        seen += piece.length;
        if (seen <= given) continue;
        const fresh = piece.subarray(Math.max(0, piece.length - (seen - given)));
        given = seen;
        yield fresh;
      }
      return end;
    } catch (error) {
      if (end === file.size || guesses === MOST_GUESSES) throw error;
    }
  }
}

/** Returns the next place of a file at which a gzip may begin, or its end. */
async function nextGzip(file, from) {
  for (let at = from; at < file.size; at += BLOCK) {
    const bytes = new Uint8Array(await file.slice(at, at + BLOCK + 3).arrayBuffer());
    for (let i = bytes.indexOf(0x1f); i >= 0 && i < BLOCK; i = bytes.indexOf(0x1f, i + 1)) {
      if (bytes[i + 1] === 0x8b && bytes[i + 2] === 8 && bytes[i + 3] < 32) return at + i;
    }
  }
  return file.size;
}

// Not every browser can iterate over a stream itself.
async function* piecesOf(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // it has failed, and whoever reads knows
  }
}

async function* linesOf(pieces, most) {
  let [parts, size] = [[], 0];
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const feed = piece.indexOf(10, from);
      const end = feed < 0 ? piece.length : feed + 1;
      parts.push(piece.subarray(from, end));
      size += end - from;
      if (size > most) throw tooLong(most);
      from = end;
      if (feed < 0) continue;
      const line = joined(parts);
      parts = [];
      if (!isBlank(line)) size = 0; // blank lines without end are no log either
      yield line;
    }
  }
  if (parts.length > 0) yield joined(parts);
}

function joined(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether a line is a log by itself, and not the head of one or the beginning of an object on many lines. */
function isWhole(line) {
  try {
    const value = JSON.parse(decoded(line));
    return isObject(value) && Object.hasOwn(value, "events");
  } catch {
    return false;
  }
}

// ---------------------------------------------------------------------------------------------------------- the form

function parse(text) {
  let head, events;
  try {
    ({ events, ...head } = unambiguous(text));
  } catch (fault) {
    if (fault instanceof Divergence) throw fault;
    try {
      [head, ...events] = text.split("\n").filter((line) => NOT_BLANK.test(line)).map(unambiguous);
    } catch (error) {
      if (error instanceof Divergence) throw error;
      throw new Divergence("form", null, `This is neither JSON nor lines of JSON: ${error.message}`);
    }
  }
  if ([head, ...(Array.isArray(events) ? events : [])].some((one) => isDeeper(one, DEEPEST))) {
    throw new Divergence("form", null, `This is nested more than ${DEEPEST} levels deep.`);
  }
  const found = (name) => (isObject(head) && Object.hasOwn(head, name) ? { [name]: head[name] } : null);
  if (!isObject(head) || head.format !== "billet-log") {
    throw new Divergence("form", null, "This is no portable log.", { format: "billet-log" }, found("format"));
  }
  if (head.format_version !== 1) {
    throw new Divergence("form", null, "This format is unknown here.", { format_version: 1 }, found("format_version"));
  }
  if (Object.hasOwn(head, "events")) throw new Divergence("form", null, "These are many logs: each line is one.");
  checkFields(HEAD, head, null);
  if (!Array.isArray(events) || events.length === 0) throw new Divergence("form", null, "There are no events.");
  return { head, events };
}

/** Returns the value of a JSON text, unless it could be read in two ways: other readers may take the first of two. */
function unambiguous(text) {
  const value = JSON.parse(text);
  const bare = text.replace(STRINGS, '""');
  if (FRACTION.test(bare)) throw new Divergence("form", null, "A number is not written as a whole number.");
  if (bare.replace(NO_COLONS, "").length !== membersIn(value)) {
    throw new Divergence("form", null, "An object has a member twice.");
  }
  return value;
}

/** Counts the members of all objects in a value, however deep it is nested. */
function membersIn(value) {
  const waiting = [value];
  let count = 0;
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== "object" || one === null) continue;
    const inner = Array.isArray(one) ? one : Object.values(one);
    if (inner !== one) count += inner.length;
    for (const item of inner) waiting.push(item);
  }
  return count;
}

const isDeeper = (value, levels) => typeof value === "object" && value !== null
  && (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)));

function checkForm(event, index) {
  const version = index + 1;
  if (!isObject(event)) throw new Divergence("form", version, "This is no event.", null, { event });
  checkFields(EVENT, event, version);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(event.at) || Number.isNaN(Date.parse(event.at))) {
    throw new Divergence("form", version, "`at` is no time in UTC to the millisecond.", null, { at: event.at });
  }
  if (!Object.hasOwn(FIELDS, event.type)) {
    throw new Divergence("form", version, `What is ${event.type}?`, null, told(event));
  }
  if (event.v !== 1) throw new Divergence("form", version, "This form is unknown.", { v: 1 }, { v: event.v });
  checkFields(FIELDS[event.type], event.data, version);
  const { type, data: { standings, sandbox_positions: positions } } = event;
  if (type === "round_ended") standings.forEach((one) => checkFields(STANDING, one, version));
  if (type === "game_created") positions.forEach((one) => checkFields(POSITION, one, version));
  if (event.cause !== null && !Object.hasOwn(CAUSES, event.cause.type)) {
    throw new Divergence("form", version, "The cause is of no known type.", null, { cause: event.cause });
  }
}

// What is listed above, taken apart once: name, kind, and whether null will do.
const LISTED = new Map();

function listed(fields) {
  if (!LISTED.has(fields)) {
    LISTED.set(fields, fields.split(", ").filter(Boolean).map((field) => {
      const [name, kind] = field.split(" ");
      return { name, kind, fits: KINDS[kind.replace("?", "")], orNull: kind.endsWith("?") };
    }));
  }
  return LISTED.get(fields);
}

function checkFields(fields, data, version) {
  for (const { name, kind, fits, orNull } of listed(fields)) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if ((orNull && value === null) || fits(value)) continue;
    const text = `\`${name}\` must be a ${kind.replace("?", " or null")}.`;
    throw new Divergence("form", version, text, null, value === undefined ? null : { [name]: value });
  }
}

function checkVersions(events) {
  events.forEach(({ version }, index) => {
    if (version !== index + 1) {
      const text = "The versions must be 1, 2, 3 ... without gaps.";
      throw new Divergence("versions", index + 1, text, { version: index + 1 }, { version });
    }
  });
}

function checkTimes(events) {
  for (let index = 1; index < events.length; index += 1) {
    const [before, { version, at, cause }] = [events[index - 1].at, events[index]];
    if (cause === null && at !== before) {
      throw new Divergence("times", version, "All events of a step have one time.", { at: before }, { at });
    }
    const back = at === before ? 0 : Date.parse(before) - Date.parse(at);
    if (back > 0 && back <= SKEW_MS) {
      throw new Divergence("times", version, "No step is a little earlier than the one before.", null, { at });
    }
  }
}

// -------------------------------------------------------------------------------------------------- what is computed

const encoder = new TextEncoder();
const bytesOf = (text) => encoder.encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

// SHA-256 (FIPS 180-4): to ask the platform takes longer than to compute it, where there is little to hash.
const PRIMES = [];
for (let one = 2; PRIMES.length < 64; one += 1) if (PRIMES.every((prime) => one % prime > 0)) PRIMES.push(one);
const fraction = (value) => Math.floor((value % 1) * 2 ** 32) | 0;
const BEGIN = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** Returns the SHA-256 of bytes as eight words. */
function hash(bytes) {
  const view = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 8, bytes.length / 2 ** 29);
  view.setUint32(view.byteLength - 4, bytes.length << 3);
  const [state, words] = [Int32Array.from(BEGIN), new Int32Array(64)];
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
    mixIn(state, words);
  }
  return state;
}

/** Mixes a block of 16 words into a state of SHA-256. */
function mixIn(state, words) {
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = words[i - 16] + small + words[i - 7] + large;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const large = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + large + ((e & f) ^ (~e & g)) + CONSTANTS[i] + words[i]) | 0;
    const small = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const other = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

/** Returns the bytes of words, the highest byte of each first. */
function bytesOfWords(words) {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => view.setInt32(4 * i, word));
  return new Uint8Array(view.buffer);
}

const sha256 = (bytes) => hex(bytesOfWords(hash(bytes)));

function secretBytes(secret) {
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new Divergence("commitment", null, "The secret must be 32 bytes in lower-case hex.", null, { secret });
  }
  return Uint8Array.from(secret.match(/../g), (pair) => parseInt(pair, 16));
}

function checkCommitment(head, events) {
  const commitment = sha256(new Uint8Array([...bytesOf("billet/1/commitment\n"), ...secretBytes(head.secret)]));
  const [first, last] = [events[0], events[events.length - 1]];
  if (first.type !== "game_created") {
    const expected = { type: "game_created" };
    throw new Divergence("events", 1, "The first event must be `game_created`.", expected, { type: first.type });
  }
  if (first.data.commitment !== commitment) {
    const found = { commitment: first.data.commitment };
    throw new Divergence("commitment", 1, "The secret is not the one that was committed to.", { commitment }, found);
  }
  if (last.type !== "secret_revealed" || last.data.secret !== head.secret) {
    throw new Divergence("commitment", last.version, "The last event must reveal the secret of the head.",
      { type: "secret_revealed", data: { secret: head.secret } }, told(last));
  }
}

async function checkDigest({ digest, ...head }, events) {
  const text = [head, ...events].map((part) => `${canonical(part)}\n`).join("");
  const computed = hex(await crypto.subtle.digest("SHA-256", bytesOf(text)));
  if (digest !== computed) {
    throw new Divergence("digest", null, "Something was changed: the digest is another one.", { digest: computed },
      { digest });
  }
}

// JSON after RFC 8785. JavaScript sorts by code units, and writes texts and numbers, as that asks for.
function canonical(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const one of value) text += text ? `,${canonical(one)}` : canonical(one);
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    text += `${text ? "," : ""}${JSON.stringify(key)}:${canonical(value[key])}`;
  }
  return `{${text}}`;
}

/** The names of what nothing else in a log depends on: whoever forges one may write anything there. */
function unprovenIn([{ data, cause }, ...events]) {
  const names = ["package_version", "at", "visibility", "starter", "sandbox"];
  if (!cause.joining.some(({ player }) => player === data.creator)) names.push("creator");
  names.push(...["clock", "previous_game", "forked_from"].filter((name) => data[name] !== null));
  if (events.some((event) => event.cause !== null && "thought" in event.cause)) names.push("thought");
  return names;
}

/** The chance of one game: everything that is drawn from its secret. */
class Chance {
  /** The mode is 2 where a player has committed to a nonce, else 1. */
  constructor(secret, game, nonces, mode) {
    const key = new Uint8Array(64);
    key.set(secretBytes(secret));
    Object.assign(this, { inner: key.map((byte) => byte ^ 0x36), outer: key.map((byte) => byte ^ 0x5c) });
    Object.assign(this, { game, nonces, mode });
  }

  /** Yields unsigned numbers of 32 bits: HMAC-SHA256 (RFC 2104) of a context and a counter, again and again. */
  *stream(purpose, number) {
    const context = `billet/${this.mode}/${purpose}\n${this.game}\n${number}\n${this.nonces.join(",")}\n`;
    for (let block = 0; ; block += 1) {
      const inner = bytesOfWords(hash(joined([this.inner, bytesOf(context + block)])));
      for (const word of hash(joined([this.outer, inner]))) yield word >>> 0;
    }
  }

  below(stream, bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const { value } = stream.next();
      if (value < limit) return value % bound;
    }
  }

  /** Returns the index that is drawn for a purpose. */
  index(purpose, number, count) {
    return this.below(this.stream(purpose, number), count);
  }

  /** Returns the deck of a round, top first; chosen cards lie on top. */
  deck(round, unshuffled, chosen) {
    const cards = [...unshuffled];
    for (const card of chosen) take(cards, card);
    const stream = this.stream("deck", round);
    for (let i = cards.length - 1; i > 0; i -= 1) {
      const j = this.below(stream, i + 1);
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
  reveal: () => ["nonce_revealed"],
  end_reveal: () => ["game_started"],
  leave: (game) => [game.started ? "seat_left" : "seat_vacated"],
  remove: () => ["seat_cleared"],
  abort: () => ["game_aborted"],
  expire: () => ["game_aborted"],
  restore: () => ["game_aborted"],
  act: (_, { action }) => [action?.type === "play_card" ? "card_played" : "decision_taken"],
  time_out: () => ["seat_timed_out", "seat_left", "card_played", "decision_taken"],
  come_back: () => ["seat_taken_back"],
  repeat: (game, { leaves, action }) => (leaves ? ["seat_left"] : CAUSES.act(game, { action })),
};

const same = (one, other) => one === other
  || (typeof one === "object" && typeof other === "object" && canonical(one) === canonical(other));
const sameCards = (one, other) => same([...one].sort(), [...other].sort());

/** Follows the events by what they say, and finds the first that does not fit, up to steps by rules not known here. */
function follow(head, events) {
  const game = { head, events, started: false, reveal: null, left: [], away: [], round: null, rounds: 0, ended: null };
  const unchecked = [];
  let step = null;
  for (const event of events) {
    game.event = event;
    if (event.cause !== null && event.rules !== null && event.rules !== RULES) {
      const text = `From event ${event.version} on, steps follow version ${event.rules} of the rules; `
        + `only version ${RULES} is known here.`;
      unchecked.push({ check: "events", version: event.version, text });
      break;
    }
    if (event.cause !== null || step === null) {
      step = { cause: event.cause, before: event.version - 1, events: stepFrom(events, event.version - 1) };
      game.step = step;
      checkCause(game);
    }
    FOLLOW[event.type](game, game.event.data);
    // Each card that leaves a hand is looked for in it.
    const held = game.round?.hands[game.event.data.seat]?.length ?? 0;
    must(game, held <= MOST_ORDERED, "No seat ever holds so many cards.");
  }
  must(game, unchecked.length > 0 || game.ended === "secret", "The game must end, and the secret be revealed.");
  const [{ data: { game: id, edition, options, seats, commitment }, rules }] = events;
  checkHead(head, { game: id, edition, options, seats, commitment, rules_version: rules });
  if (unchecked.length === 0) checkHead(head, { players: game.players, nonces: game.nonces });
  return { rounds: game.rounds, unchecked };
}

function stepFrom(events, first) {
  let end = first + 1;
  while (end < events.length && events[end].cause === null) end += 1;
  return events.slice(first, end);
}

/** Demands that something holds, or the event does not fit; `expected` is what would, if one thing alone. */
function must(game, holds, text, expected = null, check = "events") {
  if (!holds) throw new Divergence(check, game.event.version, text, expected, told(game.event));
}

/** Demands that the event says these things. */
function mustSay(game, text, members, check = "events") {
  const { type, data } = game.event;
  const says = Object.entries(members).every(([name, value]) => same(value, data[name]));
  must(game, says, text, { type, data: { ...data, ...members } }, check);
}

function checkHead(head, expected) {
  for (const [name, value] of Object.entries(expected)) {
    if (!same(value, head[name])) {
      throw new Divergence("head", null, `\`${name}\` of the head is not what the events say.`, { [name]: value },
        { [name]: head[name] });
    }
  }
}

function checkCause(game) {
  const { cause, events } = game.step;
  const known = game.event.rules !== null;
  must(game, known === (cause !== null), "`rules` must be there where a cause is, and nowhere else.");
  must(game, cause !== null, "The first event must have a cause.");
  const types = CAUSES[cause.type](game, cause);
  const fits = ({ type, data }) => types.includes(type) && (!("seat" in cause) || data.seat === cause.seat);
  const shown = events.find(fits);
  if (!shown) {
    const text = `Nothing follows from the cause \`${cause.type}\`.`;
    const near = events.find(({ type }) => types.includes(type));
    if (near) mustFit(near, text, { seat: cause.seat });
    throw new Divergence("events", events[0].version, text, { type: types[0] }, told(events[0]));
  }
  if (cause.type === "repeat") {
    const opening = game.created?.forked_from && game.created.sandbox && game.event.at === game.events[0].at;
    must(game, opening, "Only a fork makes moves again, and only as it is opened.");
  }
  const said = cause.type === "join" ? { nonce_hash: "", ...cause } : cause;
  for (const name of ["player", "nonce", "nonce_hash", "reason"].filter((member) => member in said)) {
    mustFit(shown, `The event must have the \`${name}\` of its cause.`, { [name]: said[name] });
  }
  const guests = [cause.joining ?? [], cause.inviting ?? []];
  must(game, guests.every((some) => some.length <= MOST_SEATS), "No table has so many seats.");
  for (const guest of cause.joining ?? []) checkStep(game, "seat_taken", { nonce_hash: "", ...guest });
  for (const guest of cause.inviting ?? []) checkStep(game, "seat_offered", guest);
  if ("action" in cause) checkAction(game, cause.seat, cause.action);
}

/** Returns the event of a step that has these members, having checked that there is one, or with `absent` none. */
function checkStep(game, type, data, absent = false) {
  const ofType = game.step.events.filter((event) => event.type === type);
  const found = ofType.find((event) => Object.keys(data).every((key) => same(data[key], event.data[key])));
  if (Boolean(found) !== absent) return found;
  const text = `The step does not fit its cause: \`${type}\`.`;
  if (absent) throw new Divergence("events", found.version, text, null, told(found));
  if (ofType.length > 0) mustFit(ofType[0], text, data);
  throw new Divergence("events", game.event.version, text, { type, data }, null);
}

/** Demands that an event of the step says these things. */
function mustFit({ version, type, data }, text, members, check = "events") {
  if (Object.entries(members).every(([name, value]) => same(value, data[name]))) return;
  throw new Divergence(check, version, text, { type, data: { ...data, ...members } }, { type, data });
}

function checkAction(game, seat, action) {
  const { type } = action;
  if (type === "play_card") {
    const { card, targets, guess = null, guess_value = null, face } = action;
    const played = checkStep(game, "card_played", { seat, card, guess, guess_value, ...(face && { face }) });
    const fits = same([...targets].sort(), [...played.data.targets].sort());
    if (!fits) mustFit(played, "The targets are not those of the action.", { targets });
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

// So that what they hold is not counted as often as a forger likes.
function checkEachOnce(game, seats) {
  must(game, new Set(seats).size === seats.length, "A seat is named twice.");
}

function handOf(game, seat, cards) {
  const { hands } = inRound(game, seat);
  must(game, sameCards(hands[seat], cards), "The seat holds other cards.", { seat, hand: hands[seat] });
  return hands[seat];
}

function moveFromHand(game, seat, card) {
  const { hands } = inRound(game, seat);
  must(game, take(hands[seat], card), "The seat does not hold this card.", { seat, hand: hands[seat] });
}

const question = ({ seat, card, kind }) => ({ seat, card, kind });

function goOut(game, seat) {
  game.round.in = game.round.in.filter((other) => other !== seat);
  game.round.hands[seat] = [];
}

/** The seats whose players have committed to a nonce, and those of them that have not revealed it. */
const committedIn = (game) => range(game.created.seats).filter((seat) => game.hashes[seat] !== "");
const waitingIn = (game) => committedIn(game).filter((seat) => !(seat in game.reveal.nonces));

/** What the players give to the shuffle, by seat: what a nonce gives cannot be computed from its hash. */
function contributions(game) {
  const revealed = game.reveal?.nonces ?? {};
  return range(game.created.seats).map((seat) => {
    if (game.hashes[seat] === "") return game.nonces[seat];
    return seat in revealed ? sha256(bytesOf(`billet/2/nonce\n${revealed[seat]}`)) : "";
  });
}

function checkSeat(game, seat, taken) {
  const free = game.created && !game.started && seat < game.created.seats && game.players[seat] === null;
  must(game, taken ? game.created && !game.started && game.players[seat] : free, "The seat is not as this needs it.");
}

const FOLLOW = {
  game_created(game, data) {
    must(game, game.event.version === 1, "A game is created once.");
    must(game, data.seats >= 2, "A table has at least two seats.");
    must(game, data.starter === null || data.starter < data.seats, "There is no such seat.");
    const formed = data.sandbox_positions.every((one) => inOneForm(one, data.seats));
    must(game, formed, "A position is not in its one form.", null, "deals");
    Object.assign(game, {
      created: data, offered: {}, removed: new Set(), unshuffled: unshuffledDeck(data.edition, data.seats),
      players: Array(data.seats).fill(null), nonces: Array(data.seats).fill(""), hashes: Array(data.seats).fill(""),
      tokens: Array(data.seats).fill(0), insane: Array(data.seats).fill(0),
    });
  },
  seat_taken(game, { seat, player, nonce, nonce_hash: hash }) {
    checkSeat(game, seat, false);
    const several = player.startsWith("bot-") || (game.created.sandbox && player === game.created.creator);
    must(game, several || !game.players.includes(player), "This player sits already.");
    must(game, !game.removed.has(player), "This player was removed from the table.");
    game.players[seat] = player;
    game.nonces[seat] = nonce;
    game.hashes[seat] = hash;
  },
  seat_vacated(game, { seat }) {
    checkSeat(game, seat, true);
    must(game, game.reveal === null, "Nobody gets up while nonces are being revealed.");
    game.players[seat] = null;
    game.nonces[seat] = "";
    game.hashes[seat] = "";
  },
  seat_cleared(game, { seat, player }) {
    mustSay(game, "Somebody else sits there.", { player: game.players[seat] ?? null });
    must(game, player !== game.created.creator, "Who has opened the table cannot be removed.");
    FOLLOW.seat_vacated(game, { seat });
    if (!player.startsWith("bot-")) game.removed.add(player);
  },
  seat_offered(game, { seat, player }) {
    checkSeat(game, seat, false);
    game.removed.delete(player);
    game.offered[seat] = player;
  },
  seat_declined(game, { seat }) {
    checkSeat(game, seat, false);
    mustSay(game, "The seat was kept for somebody else.", { player: game.offered[seat] ?? null });
    delete game.offered[seat];
  },
  offer_withdrawn(game, { seat }) {
    FOLLOW.seat_declined(game, { seat });
  },
  reveal_started(game) {
    const full = game.created && !game.started && game.reveal === null && !game.players.includes(null);
    must(game, full && committedIn(game).length > 0, "No nonces are to be revealed now.");
    mustSay(game, "Other seats have committed to a nonce.", { seats: committedIn(game) });
    game.reveal = { since: Date.parse(game.event.at), nonces: {} };
  },
  nonce_revealed(game, { seat, nonce }) {
    must(game, game.reveal && waitingIn(game).includes(seat), "No nonce of this seat is to be revealed now.");
    const [least, most] = NONCE_LENGTHS;
    const length = [...nonce].length;
    const fits = length >= least && length <= most && game.hashes[seat] === sha256(bytesOf(nonce));
    must(game, fits, "The nonce is not the one that the player has committed to.", { nonce_hash: game.hashes[seat] });
    game.reveal.nonces[seat] = nonce;
  },
  game_started(game, { players }) {
    must(game, game.created && !game.started, "A game starts once.");
    mustSay(game, "The players are not those that sit there.", { players: game.players });
    const committed = committedIn(game);
    must(game, committed.length === 0 || game.reveal, "The players must be asked for their nonces first.");
    const unrevealed = game.reveal ? waitingIn(game) : [];
    const over = game.reveal && Math.abs(Date.parse(game.event.at) - game.reveal.since) >= REVEAL_MS;
    must(game, unrevealed.length === 0 || over, "Nonces are missing, and the time to reveal them is not up.");
    mustSay(game, "Other seats have committed to a nonce.", { committed });
    mustSay(game, "Other seats have not revealed their nonces.", { unrevealed });
    game.nonces = contributions(game);
    mustSay(game, "The contributions are not those of the players.", { nonces: game.nonces });
    game.started = true;
    game.chance = new Chance(game.head.secret, game.created.game, game.nonces, committed.length > 0 ? 2 : 1);
    const { clock } = game.created;
    game.banks = clock?.kind === "bank" ? Array(players.length).fill(clock.seconds * 1000) : null;
  },
  round_started(game, data) {
    must(game, game.started && !game.ended && (game.round === null || game.round.winners), "No round can start now.");
    mustSay(game, "The rounds are numbered 1, 2, 3 ...", { number: game.rounds + 1 });
    const given = chosenPosition(game, data);
    if (given?.tokens) {
      game.tokens = bySeat(game, given.tokens, 0);
      game.insane = bySeat(game, given.insane_tokens ?? [], 0);
    }
    mustSay(game, "The tokens are not those that were awarded.", { scores: game.tokens });
    mustSay(game, "The insane tokens are not those that were awarded.", { insane_scores: game.insane });
    mustSay(game, "Other seats have left.", { left: [...game.left].sort() });
    mustSay(game, "Other seats are away.", { away: [...game.away].sort() });
    mustSay(game, "The banks hold something else.", { banks: game.banks });
    const staying = range(game.created.seats).filter((seat) => !game.left.includes(seat));
    const possible = staying.filter((seat) => data.seats.includes(seat));
    mustSay(game, "The seats that are dealt in must be there, in ascending order.", { seats: possible });
    // Only this edition has rounds to break a tie, for some seats alone.
    if (game.created.edition !== "premium") mustSay(game, "All seats are dealt in.", { seats: staying });
    if (game.rounds === 0 && !given) mustSay(game, "All seats are dealt in at first.", { seats: staying });
    if (given) checkPosition(game, data, given);
    else checkDeal(game, data);
    if (!given) checkStarter(game, data);
    game.rounds = data.number;
    game.round = {
      starter: data.starter, in: data.seats.filter((seat) => !data.position?.out.includes(seat)), hands: data.hands.map((card) => (card === null ? [] : [card])),
      deck: [...data.deck], setAside: data.set_aside, inPlay: [], turn: null, decision: null, winners: null,
    };
  },
  turn_started(game, { seat }) {
    const round = inRound(game, seat);
    const count = game.created.seats;
    const next = round.turn === null ? round.starter
      : range(count).map((step) => (round.turn + 1 + step) % count).find((other) => round.in.includes(other));
    mustSay(game, "It is another seat's turn.", { seat: next });
    must(game, round.inPlay.length === 0 && round.decision === null, "The turn before is not over.");
    round.turn = seat;
  },
  card_drawn(game, { seat, card, source }) {
    const round = inRound(game, seat);
    const where = round.deck.length ? "deck" : "set_aside";
    mustSay(game, "Cards come from the deck, then the one set aside.", { source: where });
    mustSay(game, "Another card lies there.", { card: source === "deck" ? round.deck.shift() : round.setAside });
    if (source === "set_aside") round.setAside = null;
    round.hands[seat].push(card);
  },
  card_played(game, { seat, card, targets }) {
    moveFromHand(game, seat, card);
    mustSay(game, "It is another seat's turn.", { seat: game.round.turn });
    targets.forEach((target) => inRound(game, target));
    if (WITH_INSANITY.includes(game.created.edition)) game.round.inPlay.push(card);
  },
  card_resolved(game) {
    mustSay(game, "Another card is in play.", { card: game.round?.inPlay.pop() ?? null });
    mustSay(game, "Another seat has played it.", { seat: game.round.turn });
  },
  card_revealed(game, { seat }) {
    mustSay(game, "Another card lies on the deck.", { card: inRound(game, seat).deck.shift() ?? null });
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
    checkEachOnce(game, targets);
    const before = targets.flatMap((target) => inRound(game, target).hands[target]);
    const after = targets.map((target) => hands[target]);
    must(game, sameCards(before, after), "Others were the cards to give.", { cards: before });
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
    checkEachOnce(game, data.seats);
    must(game, round.decision === null, "A question waits already.", round.decision && question(round.decision));
    round.decision = data;
  },
  decision_taken(game, { seat, kind }) {
    must(game, game.round?.decision, "No question waits.");
    const { seats } = game.round.decision;
    mustSay(game, "Another question waits.", question(game.round.decision));
    game.round.decision = null;
    checkDrawnAnswer(game, seat, kind, seats);
  },
  hands_revealed(game) {
    must(game, game.round && !game.round.winners, "There is no round.");
    const held = range(game.created.seats).map((seat) => game.round.hands[seat][0] ?? null);
    mustSay(game, "The seats hold other hands.", { hands: held });
  },
  round_ended(game, { winners, reason, standings }) {
    must(game, game.round && !game.round.winners, "There is no round that could end.");
    mustSay(game, "This round has another number.", { number: game.rounds });
    must(game, ["last_seat", "showdown", "card"].includes(reason), "No round ends like this.");
    winners.forEach((seat) => inRound(game, seat));
    standings.forEach(({ seat, card }) => handOf(game, seat, [card]));
    game.round.winners = winners;
  },
  token_awarded(game, { seat, kind }) {
    must(game, game.round && seat < game.created.seats, "Nobody can gain a token now.");
    const kinds = WITH_INSANITY.includes(game.created.edition) ? ["sane", "insane"] : ["favor"];
    must(game, kinds.includes(kind), "There are no such tokens.");
    game.tokens[seat] += 1;
    if (kind === "insane") game.insane[seat] += 1;
  },
  time_spent(game, { seat, spent_ms: spent, bank_ms: left }) {
    must(game, game.banks && seat < game.created.seats, "This seat has no bank.");
    const rest = game.banks[seat] - spent;
    const possible = [rest, rest + game.created.clock.increment * 1000];
    must(game, rest >= 0 && possible.includes(left), "The bank must have lost what was spent.", { bank_ms: possible });
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
    must(game, sameCards(held, cards), "The seat holds other cards.", { seat, hand: held });
    const { cause } = game.step;
    must(game, reason === (cause.leaves ?? { leave: "resigned", time_out: "timed_out" }[cause.type]),
      "No seat leaves for this reason.");
    game.left.push(seat);
    game.away = game.away.filter((other) => other !== seat);
    if (game.round) goOut(game, seat);
  },
  game_finished(game, { winners }) {
    must(game, game.started && !game.ended && winners.length > 0, "This game cannot be over.");
    const fair = winners.every((seat) => seat < game.created.seats && !game.left.includes(seat));
    must(game, fair, "Only a seat that is there can win.");
    game.ended = "finished";
  },
  game_aborted(game, { reason }) {
    must(game, !game.ended, "This game has ended.");
    const { cause } = game.step;
    const reasons = { abort: "called_off", expire: "expired", restore: "restored" };
    must(game, reason === reasons[cause.type], "No game is aborted for this reason.");
    game.ended = "aborted";
  },
  secret_revealed(game) {
    must(game, ["finished", "aborted"].includes(game.ended), "The secret is revealed when the game has ended.");
    must(game, game.event.version === game.events.length, "The secret is revealed last.");
    mustSay(game, "This is another secret.", { secret: game.head.secret }, "commitment");
    game.ended = "secret";
  },
};

function checkDeal(game, data) {
  const { edition, seats, sandbox, sandbox_rounds: rounds } = game.created;
  const chosen = (sandbox && rounds[data.number - 1]?.order) || [];
  const left = [...game.unshuffled];
  must(game, chosen.every((card) => take(left, card)), "The chosen cards are not all in the deck.", null, "deals");
  const cards = game.chance.deck(data.number, game.unshuffled, chosen);
  const faceUp = seats === 2 ? SHOWN_ASIDE_OF_TWO[edition] ?? 3 : 0;
  const deal = { set_aside: cards.shift(), shown_aside: cards.splice(0, faceUp) };
  deal.hands = range(seats).map((seat) => (data.seats.includes(seat) ? cards.shift() : null));
  deal.deck = cards;
  for (const [place, expected] of Object.entries(deal)) {
    if (same(expected, data[place])) continue;
    throw new Divergence("deals", game.event.version, `\`${place}\` of this round does not follow from the secret.`,
      { [place]: expected }, { [place]: data[place] });
  }
}

const bySeat = (game, items, nothing) => range(game.created.seats).map((seat) => items[seat] ?? nothing);

/** Whether a chosen position is in its one form, as far as that needs no cards: null is what is nothing. */
function inOneForm(position, seats) {
  const nothing = Object.values(position).every((value) => value === null);
  const { hands, discards, tokens, insane_tokens: insane, out, protected: shielded, marks, turn } = position;
  const bySeatOrNull = [hands, discards, tokens, insane].every((one) => one === null || one.length === seats);
  const piles = [hands, discards].every((one) => one === null || one.flat().length > 0);
  const ascending = [out, shielded].every((one) => one === null || (one.length > 0
    && one.every((seat, i) => seat < seats && (i === 0 || one[i - 1] < seat))));
  const insanity = insane === null || (tokens !== null && insane.some((count, seat) => count > 0 && count <= tokens[seat]));
  return nothing || (bySeatOrNull && piles && ascending && insanity && marks?.length !== 0 && turn !== null && turn < seats);
}

/** The position that a round of a sandbox must begin with; null if the round is dealt. */
function chosenPosition(game, data) {
  const { sandbox, sandbox_positions: positions = [], seats } = game.created;
  const given = sandbox ? positions[data.number - 1] : null;
  const chosen = isObject(given) && Object.values(given).some((value) => value !== null);
  // Once a seat has left, or where only some play on, the round may be dealt after all.
  const passedOver = data.position === null && (game.left.length > 0 || data.seats.length < seats);
  if (!chosen || passedOver) {
    mustSay(game, "No position was chosen for this round.", { position: null }, "deals");
    return null;
  }
  must(game, game.left.length === 0, "No position is begun with once a seat has left.", null, "deals");
  return given;
}

/** Checks that a round begins as it was chosen to, and that what was left out follows from the secret. */
function checkPosition(game, data, given) {
  const [hands, discards] = [given.hands ?? [], given.discards ?? []].map((piles) => bySeat(game, piles, []));
  const { turn, out } = { ...given, out: given.out ?? [] };
  const aside = given.set_aside === null ? [] : [given.set_aside];
  const lying = [...hands, ...discards, given.deck ?? [], given.shown_aside ?? [], aside].flat();
  must(game, lying.length <= game.unshuffled.length + 1, "The position has more cards than the deck.", null, "deals");
  const rest = game.chance.deck(data.number, game.unshuffled, lying).slice(lying.length);
  const different = new Set(rest).size;
  const faceUp = game.created.seats === 2 ? SHOWN_ASIDE_OF_TWO[game.created.edition] ?? 3 : 0;
  const begun = { starter: turn, set_aside: given.set_aside ?? rest.shift() };
  begun.shown_aside = given.shown_aside ?? rest.splice(0, faceUp);
  const alive = (seat) => data.seats.includes(seat) && !out.includes(seat);
  const left = [given.set_aside, given.deck, faceUp ? given.shown_aside : [], ...hands.map((hand, seat) => (
    alive(seat) ? hand[0] ?? null : ""))];
  begun.hands = hands.map((hand, seat) => (alive(seat) ? hand[0] ?? rest.shift() : null));
  begun.deck = [...(hands[turn] ?? []).slice(1), ...(given.deck ?? rest)];
  begun.position = {
    discards, out, protected: given.protected ?? [], bound: given.bound, marks: given.marks ?? [],
    drawn: hands[turn]?.length === 2,
  };
  // There is one way to say it: null is also what chance draws.
  const said = (given.shown_aside === null || faceUp > 0) && (given.deck !== null || rest.length > 0)
    && (different > 1 || !left.includes(null));
  must(game, said, "A position is not in its one form.", null, "deals");
  for (const [member, expected] of Object.entries(begun)) {
    if (same(expected, data[member])) continue;
    throw new Divergence("deals", game.event.version, `\`${member}\` of this round does not follow from its position.`,
      { [member]: expected }, { [member]: data[member] });
  }
}

function checkStarter(game, data) {
  const { created, round } = game;
  const chosen = created.sandbox ? created.sandbox_rounds[data.number - 1]?.starter : undefined;
  const named = chosen ?? (round === null ? created.starter : null);
  let among;
  if (named !== null) among = [named];
  else if (round === null) among = data.seats;
  else among = data.seats.filter((seat) => (round.winners.length ? round.winners : [round.starter]).includes(seat));
  if (among.length === 0) among = data.seats;
  const index = among.length === 1 ? 0 : game.chance.index("starter", data.number, among.length);
  // A sandbox may name a seat that has left or does not play a tie-break: then the next seat begins.
  const next = () => data.seats.find((seat) => seat > among[index]) ?? data.seats[0];
  const starter = data.seats.includes(among[index]) ? among[index] : next();
  mustSay(game, "Another seat begins this round.", { starter }, "deals");
}

/** Checks the answer that chance has given for a seat that leaves, where that needs no rules. */
function checkDrawnAnswer(game, seat, kind, seats) {
  const { cause, before, events } = game.step;
  // What the cause says beside its type proves nothing: that the seat left does.
  const leaves = events.some(({ type, data }) => type === "seat_left" && data.seat === seat);
  if (!["leave", "time_out"].includes(cause.type) || !leaves) return;
  const { hands } = game.round;
  const drawn = (cards) => {
    must(game, cards.length <= MOST_ORDERED, "No edition lets so many cards be put in order.");
    return orderAt(cards, game.chance.index("answer", game.event.version - 1, countOrders(cards)));
  };
  const mustAnswer = (type, members) => {
    let next = game.event.version - before;
    while (next < events.length && ![type, "decision_opened"].includes(events[next].type)) next += 1;
    const answer = events[next]?.type === type ? events[next] : undefined;
    if (answer) mustFit(answer, "Chance has answered otherwise.", members, "deals");
    must(game, answer, "Chance has answered, and nothing follows.", { type, data: members }, "deals");
  };
  if (kind === "keep_card") {
    const [, ...cards] = drawn(hands[seat]);
    mustAnswer("cards_returned", { cards });
  } else if (kind === "give_hands") {
    // Those that have left since they were asked about are no longer among them.
    const still = seats.filter((other) => hands[other].length > 0);
    const order = drawn(still.flatMap((other) => hands[other]));
    const given = range(game.created.seats).map((other) => order[still.indexOf(other)] ?? null);
    mustAnswer("hands_given", { hands: given });
  }
}

// ------------------------------------------------------------------------------------------------------- the command

/** Writes commands to a terminal as their numbers, by which JSON stays what it is. */
const plain = (text) => text.replace(COMMANDS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Yields what a file, or the input, holds: in pieces, and without the gzip if it is packed. */
async function* readFrom(name) {
  const [{ createReadStream }, { Readable, pipeline }, { createGunzip }] = await Promise.all(
    [import("node:fs"), import("node:stream"), import("node:zlib")]);
  const pieces = (name === "-" ? process.stdin : createReadStream(name))[Symbol.asyncIterator]();
  let begin = Buffer.alloc(0);
  for (let next; begin.length < 2 && !(next = await pieces.next()).done;) begin = Buffer.concat([begin, next.value]);
  let given = 0;
  const all = async function* () {
    for (let piece = begin; piece; piece = (await pieces.next()).value) {
      given += piece.length;
      yield piece;
    }
  };
  if (begin[0] !== 0x1f || begin[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  yield* pipeline(Readable.from(all()), gunzip, () => {}); // what goes wrong in it comes out at its end
  // After a zero it stops without a word, and what lies behind would never be looked at.
  if (gunzip.bytesWritten < given) throw new Error("What follows the gzip in it is none.");
}

function places({ expected, found }) {
  const [one, other] = [expected, found].map((value) => (value === null ? "-" : JSON.stringify(value)))
    .map((text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text));
  return `    expected: ${one}; found: ${other}`;
}

async function main(words) {
  const asJson = words[0] === "--json";
  const files = asJson ? words.slice(1) : words;
  if (files.length === 0) {
    console.error("node verify.mjs [--json] FILE...");
    return 2;
  }
  let [count, valid, unread] = [0, 0, 0];
  for (const file of files) {
    try {
      for await (const { line, bytes } of logsIn(readFrom(file))) {
        const [name, verdict] = [line === null ? file : `${file}:${line}`, await verify(bytes)];
        const { divergence } = verdict;
        count += 1;
        if (verdict.valid) valid += 1;
        console.log(plain(asJson ? JSON.stringify({ file: name, ...verdict }) : `${name}: ${verdict.text}`));
        const more = divergence && (divergence.expected !== null || divergence.found !== null);
        if (!asJson && more) console.log(plain(places(divergence)));
      }
    } catch (error) {
      console.error(plain(`${file}: cannot be read: ${error.message}`));
      unread += 1;
    }
  }
  if (!asJson && count > 1) console.log(`${valid} of ${count} logs are valid`);
  return unread > 0 ? 2 : valid === count ? 0 : 1;
}

if (globalThis.process?.argv[1]) {
  const [{ realpathSync }, { fileURLToPath }] = [await import("node:fs"), await import("node:url")];
  if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    process.exitCode = await main(process.argv.slice(2));
  }
}
