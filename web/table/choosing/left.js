// What is left of the cards that a guess may name: not seen yet, or known to be in that hand. Pure.

// Returns how many there may be; Infinity for one that is known to be there, null at a table without aids.
export function left({ game, asked, book }, { kind, value }) {
  const target = asked.taken.findLast((step) => step.kind === "target")?.value;
  const hand = game.seats[target]?.hand ?? [null];
  const named = ({ card }) => (kind === "number" ? book.by.get(card).value : card) === value;
  if (hand.some((card) => card !== null && named({ card }))) return Infinity;
  if (!hand.includes(null)) return 0;
  return game.unseen?.filter(named).reduce((sum, { count }) => sum + count, 0) ?? null;
}
