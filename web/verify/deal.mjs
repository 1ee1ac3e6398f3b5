// What follows from the secret of a game: commitment, decks, drawn starters. Written from docs/shuffle.md alone.

// The version of the rules whose decks are known here, and those in their order before the shuffle: edition, largest
// number of seats, cards (docs/shuffle.md, "The deck").
// made: decks (`make docs` writes them)
export const RULES = 1;
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
// Cards that are in no deck, and come into play from beside it.
const BESIDE = { lovecraft: ["mi_go_braincase"] };

export const cardsBeside = (edition) => [...BESIDE[edition] ?? []];

const bytesOf = (text) => new TextEncoder().encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const secretBytes = (secret) => Uint8Array.from(secret.match(/../g), (pair) => parseInt(pair, 16));

export const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", bytesOf(text)));

/** What a nonce that is revealed contributes to the shuffle. */
export const contribution = (nonce) => sha256(`billet/2/nonce\n${nonce}`);

/** What a secret, in hex, was committed to by. */
export async function commitment(secret) {
  const committed = new Uint8Array([...bytesOf("billet/1/commitment\n"), ...secretBytes(secret)]);
  return hex(await crypto.subtle.digest("SHA-256", committed));
}

/** Returns the deck of an edition for a number of seats before it is shuffled; null if none is known here. */
export function unshuffledDeck(edition, seats) {
  const sizes = Object.hasOwn(DECKS, edition) ? DECKS[edition] : [];
  const deck = sizes.find(([most]) => seats >= 2 && seats <= most);
  if (!deck) return null;
  const words = deck[1].split(" ");
  return words.flatMap((word, place) => (place % 2 ? [] : Array(Number(words[place + 1])).fill(word)));
}

/** Takes one such card out of the cards; says whether there was one. */
export function take(cards, card) {
  const place = cards.indexOf(card);
  if (place >= 0) cards.splice(place, 1);
  return place >= 0;
}

/** The chance of one game: everything that is drawn from its secret. */
export class Chance {
  /** `committed` says whether any player has committed to a nonce; `nonces` holds what each seat contributes. */
  constructor(secret, game, nonces, committed) {
    const way = { name: "HMAC", hash: "SHA-256" };
    this.key = crypto.subtle.importKey("raw", secretBytes(secret), way, false, ["sign"]);
    this.context = (purpose, number) => (
      `billet/${committed ? 2 : 1}/${purpose}\n${game}\n${number}\n${nonces.join(",")}\n`);
  }

  /** Yields unsigned numbers of 32 bits: HMAC-SHA256 of a context and a counter, eight for each block. */
  async *stream(purpose, number) {
    for (let block = 0; ; block += 1) {
      const message = bytesOf(this.context(purpose, number) + block);
      const view = new DataView(await crypto.subtle.sign("HMAC", await this.key, message));
      for (let at = 0; at < view.byteLength; at += 4) yield view.getUint32(at);
    }
  }

  /** Returns the number below a bound that comes next in a stream; those that would favour some are passed over. */
  async below(stream, bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const { value } = await stream.next();
      if (value < limit) return value % bound;
    }
  }

  /** Returns the place of the seat that is drawn to begin a round, among so many. */
  starter(round, count) {
    return this.below(this.stream("starter", round), count);
  }

  /** Returns the deck of a round, top first: the cards that a sandbox has chosen, and the others shuffled below. */
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

/** Deals a shuffled deck to some of the seats: what `round_started` must say. */
export function dealt([aside, ...cards], edition, seats, dealtIn) {
  const shown = cards.splice(0, seats === 2 ? SHOWN_ASIDE_OF_TWO[edition] ?? 3 : 0);
  const hands = Array.from({ length: seats }, (_, seat) => (dealtIn.includes(seat) ? cards.shift() : null));
  return { set_aside: aside, shown_aside: shown, hands, deck: cards };
}
