// Several players in a row, with what stands between them in the reader's language.
import { language } from "../words/words.js";
import { person } from "./person.js";

// `each` draws one.
export function listed(players, each = person) {
  const parts = new Intl.ListFormat(language, { type: "unit" }).formatToParts(players.map((_, place) => String(place)));
  return parts.map(({ type, value }) => (type === "element" ? each(players[value]) : value));
}
