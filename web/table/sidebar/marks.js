// The reader's own marks on what a rival may hold, and does not: kept in this browser, for one round of a game.
import { storage } from "../../look/storage.js";
import { language, t } from "../../words/words.js";

const PLACE = "notes", MOST_GAMES = 20;
const kept = () => storage.read(PLACE) ?? {};

// Marks are about hands of this round: a new round begins with none.
export const marks = ({ id, round }) => (kept()[id]?.round === round?.number ? kept()[id].marks : {});
export const markOf = (game, seat, card) => marks(game)[`${seat} ${card}`] ?? "none";

export function keep({ id, round }, changed) {
  const { [id]: _, ...others } = kept();
  storage.write(PLACE, Object.fromEntries([...Object.entries(others).slice(1 - MOST_GAMES), [id, { round: round.number, marks: changed }]]));
}

export const taken = ({ game, own, source }) => Boolean(own && !source && game.round && !game.finished_at);

// What is noted of a seat, in words, for the table.
export function noted(table, { seat, in_round: playing }) {
  if (!taken(table) || !playing) return [];
  const named = (mark, type) => new Intl.ListFormat(language, { type }).format(table.book.cards.filter(({ card }) => markOf(table.game, seat, card) === mark).map(({ name }) => name));
  return [["may", "disjunction"], ["not", "conjunction"]].map(([mark, type]) => [mark, named(mark, type)]).filter(([, cards]) => cards)
    .map(([mark, cards]) => t(`notes.seat.${mark}`, { cards }));
}
