// What the service says of editions and their cards, asked for once a page.
import { call } from "./client.js";

const kept = new Map();
const once = (path) => {
  if (!kept.has(path)) kept.set(path, call("GET", path).catch((problem) => { kept.delete(path); throw problem; }));
  return kept.get(path);
};

export const editions = async () => (await once("/editions")).items;
// The service's bots, the weakest first.
export const BOTS = ["random", "cautious", "expert"];

export async function book(id) {
  return bound(await once(`/editions/${encodeURIComponent(id)}`));
}

// How many of a card are in the deck of a table for so many.
export const copies = (card, seats) => card.copies_by_seats.find((one) => one.seats === seats)?.copies ?? card.copies;

// The cards of a table for so many.
export const dealt = (book, seats) => book.cards.filter((card) => copies(card, seats) || card.insanity);

// The same with how many there are of each.
export const counted = (book, seats) => dealt(book, seats).map((card) => [card, copies(card, seats)]);

// An edition with its cards by name.
export function bound(edition) {
  edition.by ??= new Map(edition.cards.map((card) => [card.card, card]));
  return edition;
}
