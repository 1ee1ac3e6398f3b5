// A game from a file or from pasted text: read, folded and put into words here. The service only gives the cards of its
// edition, and the log of a scoresheet, which leaves out what the rules produce.
import { call } from "../api/client.js";
import { book } from "../api/editions.js";
import { SHEET } from "../look/files.js";
import { t } from "../words/words.js";
import { logsIn, unpacked } from "../verify/verify.mjs";
import { redacted, views } from "./fold.js";
import { naming, telling } from "./sentences.js";

// Returns what <billet-replay> shows as its `film`, or throws an error in words. `source` is a file or a text.
export async function opened(source) {
  const log = await read(new Blob([source]));
  const cards = await book(log.edition);
  const named = naming(log);
  const seen = (viewer) => {
    const tell = telling(log, cards, named, viewer);
    const events = log.events.map((event) => redacted(event, viewer));
    return { views: views(log, events, viewer, cards, named), events: events.map((event, place) => ({ ...event, text: tell(event, events[place + 1]) })) };
  };
  const viewers = {};
  for (let seat = -1; seat < log.seats; seat++) Object.defineProperty(viewers, seat < 0 ? "all" : seat, { get: () => seen(seat < 0 ? null : seat) });
  try {
    if (!log.events.some(({ type }) => type === "round_started")) throw new Error("no round");
    void viewers.all;
  } catch (error) {
    throw new Error(t("file.unfit"), { cause: error });
  }
  return { log, viewers, book: cards, opened: true };
}

async function read(blob) {
  let logs, text;
  try {
    logs = [];
    for await (const one of logsIn(unpacked(blob))) if (logs.push(one) > 1) break;
    text = new TextDecoder("utf-8", { fatal: true }).decode(logs[0].bytes).trim();
  } catch (error) {
    throw new Error(t("file.none"), { cause: error });
  }
  if (SHEET.test(text)) return call("POST", "/logs/read", { sheet: text });
  if (logs.length > 1) throw new Error(t("file.many"));
  let log;
  try {
    log = JSON.parse(text);
  } catch {
    try {
      const [head, ...events] = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
      log = { ...head, events };
    } catch (error) {
      throw new Error(t("file.none"), { cause: error });
    }
  }
  if (log?.format !== "billet-log" || !Array.isArray(log.events)) throw new Error(t("file.none"));
  return log;
}
