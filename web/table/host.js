// Whether the host of a table that waits is there. No event of the game says so: a guest asks now and then.
import { call, sleep } from "../api/client.js";

const LOOK_MS = 20_000;

// Called with each drawing; there is one who asks for each way of looking at the table.
export function hostAway(table) {
  const { viewing } = table;
  if (table.own && !table.creates && table.watched !== viewing) {
    table.watched = viewing;
    table.hostAway = false;
    watch(table, viewing.signal).catch(() => {});
  }
  return Boolean(table.own && !table.creates && table.hostAway);
}

async function watch(table, signal) {
  while (!signal.aborted && table.game.status === "open") {
    const { items } = await call("GET", "/players/me/games?limit=50", undefined, { signal });
    if (signal.aborted) return;
    table.hostAway = items.find(({ id }) => id === table.game.id)?.host_present === false;
    table.update();
    await sleep(LOOK_MS, signal);
  }
}
