// The reader's place in the queue, which lasts as long as a page of ours is open: one may play a bot meanwhile.
import { changes as kept, storage } from "../look/storage.js";
import { account } from "./account.js";
import { base, call, newKey } from "./client.js";

const PLACE = "ticket";
// The number of those who wait is as old at most.
const LOOK_SECONDS = 10;
// "change" says in `detail` what has come of a ticket: the ticket once it is over, the problem that ended it, or null.
export const changes = new EventTarget();
let ticket = null, stop = null;
// Other tabs that follow the same ticket: it lives as long as one of them is open.
const tab = newKey(), others = new Set(), tabs = new BroadcastChannel("billet.waiting");
const say = (gone = false) => tabs.postMessage({ tab, ticket: ticket.id, gone });
tabs.addEventListener("message", ({ data }) => {
  if (data.gone || data.ticket !== ticket?.id) others.delete(data.tab);
  else if (!others.has(data.tab)) {
    others.add(data.tab);
    say();
  }
});

export const waiting = {
  get ticket() { return ticket; },
  async ask(wishes) { follow(await call("POST", "/queue", wishes)); },
  // On a page that is loaded, or for a ticket that another tab has asked for.
  resume() {
    const held = storage.read(PLACE);
    if (!ticket && account.token && held?.player === account.player?.id && typeof held.id === "string") follow({ ...held, state: "waiting" });
  },
  cancel() { stop?.abort(); },
};
kept.addEventListener("change", ({ detail }) => { if (detail === PLACE) waiting.resume(); });

// Waits until there is a game, until the reader has had enough, or waits elsewhere for another game.
async function follow(asked) {
  stop?.abort();
  const { signal } = stop = new AbortController(), path = `/queue/${encodeURIComponent(asked.id)}`;
  const mine = stop;
  let over = null;
  if (ticket?.id !== asked.id) others.clear();
  ticket = asked;
  say();
  storage.write(PLACE, { id: asked.id, waiting: asked.waiting, player: account.player.id });
  tell();
  try {
    while (ticket.state === "waiting") {
      const found = await call("GET", `${path}?wait=${LOOK_SECONDS}`, undefined, { signal });
      if (mine !== stop) return;
      ticket = found;
      tell();
    }
    over = ticket;
  } catch (problem) {
    over = signal.aborted && mine === stop ? await call("DELETE", path).catch(() => null) : problem;
  }
  if (mine !== stop) return;
  ticket = stop = null;
  // Another tab may wait for another game by now.
  if (storage.read(PLACE)?.id === asked.id) storage.set(PLACE);
  tell(over);
  waiting.resume();
}

const tell = (over = null) => changes.dispatchEvent(new CustomEvent("change", { detail: over }));

// Nobody is to sit at a table with somebody whose page is closed; another page of ours goes on waiting. Where the browser
// does not say what follows, the service stops after half a minute without a call.
let goesOn = !globalThis.navigation;
globalThis.navigation?.addEventListener("navigate", ({ destination }) => { if (!destination.sameDocument) goesOn = destination.url.startsWith(base.href); });
addEventListener("pageshow", () => { goesOn = !globalThis.navigation; });
addEventListener("pagehide", () => {
  if (!ticket) return;
  say(true);
  if (goesOn || others.size) return;
  storage.set(PLACE);
  fetch(new URL(`v1/queue/${encodeURIComponent(ticket.id)}`, base), { method: "DELETE", headers: { Authorization: `Bearer ${account.token}` }, keepalive: true }).catch(() => {});
});
