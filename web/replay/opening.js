// A game from a file: read, folded and put into words here. The service only gives the cards of its edition.
import { book } from "../api/editions.js";
import { t } from "../words/words.js";
import { textOf } from "../verify/verify.mjs";
import { redacted, views } from "./fold.js";
import { naming, telling } from "./sentences.js";

// No edition has more.
const MOST_SEATS = 8;

export { page } from "./saving.js";

// Returns what <billet-replay> shows as its `film`, or throws an error in words. `source` is a file. Of a log whose events
// do not fit together, it is what comes before the first that does not.
export async function opened(source) {
  const log = await read(new Blob([source]));
  const cards = await book(log.edition);
  const whole = filmed(log, cards);
  if (fits(whole)) return whole;
  let fitting = 0;
  for (let step = 2 ** 30; step >= 1; step /= 2) if (fitting + step <= log.events.length && fits(filmed(log, cards, undefined, fitting + step))) fitting += step;
  const film = filmed(log, cards, undefined, fitting);
  if (!film.log.events.slice(0, fitting).some(({ type }) => type === "round_started")) throw new Error(t("file.unfit", { n: fitting + 1 }));
  return film;
}

// The first `count` events of a log, as each viewer saw them; `names` has the players' names by their ids.
export function filmed(log, cards, names, count = log.events.length) {
  const part = { ...log, events: log.events.slice(0, count) };
  const named = naming(part, names);
  const seen = (viewer) => {
    const tell = telling(part, cards, named, viewer);
    const events = part.events.map((event) => redacted(event, viewer));
    return { views: views(part, events, viewer, cards, named), events: events.map((event, place) => ({ ...event, text: tell(event, events[place + 1]) })) };
  };
  const viewers = {};
  for (let seat = -1; seat < log.seats; seat++) Object.defineProperty(viewers, seat < 0 ? "all" : seat, { enumerable: true, get: () => seen(seat < 0 ? null : seat) });
  return { log, viewers, book: cards, opened: true };
}

function fits(film) {
  try {
    void film.viewers.all;
    return true;
  } catch {
    return false;
  }
}

async function read(blob) {
  let lines;
  try {
    const text = await textOf(blob);
    try {
      lines = [JSON.parse(text)];
    } catch {
      lines = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    }
  } catch (error) {
    throw new Error(t("file.none"), { cause: error });
  }
  const [head, ...events] = lines;
  if (head?.events && events.length > 0) throw new Error(t("file.many"));
  const log = head?.events ? head : { ...head, events };
  const named = log?.format === "billet-log" && typeof log.edition === "string" && /^[\w-]{1,64}$/.test(log.edition);
  if (!named || !Array.isArray(log.events) || !Number.isInteger(log.seats) || log.seats < 1 || log.seats > MOST_SEATS) throw new Error(t("file.none"));
  return log;
}
