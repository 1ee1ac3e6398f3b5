// What the service says of editions and their cards, asked for once a page.
import { call } from "./client.js";

const kept = new Map();
const once = (path) => {
  if (!kept.has(path)) kept.set(path, call("GET", path).catch((problem) => { kept.delete(path); throw problem; }));
  return kept.get(path);
};

export const editions = async () => (await once("/editions")).items;
export const bots = async () => (await once("/bots")).items;

export async function book(id) {
  return bound(await once(`/editions/${id}`));
}

// An edition with its cards by name.
export function bound(edition) {
  edition.by ??= new Map(edition.cards.map((card) => [card.card, card]));
  return edition;
}
