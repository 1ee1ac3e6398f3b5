// Prints as JSON what the pages' modules do when the reader comes back to the tab, and when a stream begins anew.
// The service is a stand-in: calls get `status`, and a stream is what `streams` was given last.
import { setTimeout as pause } from "node:timers/promises";

const target = (more) => Object.assign(new EventTarget(), more);
const streams = [], shown = [];
let status = 201;
class Stream extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    streams.push(this);
  }

  close() {}

  says(type, data, lastEventId = "") {
    this.dispatchEvent(Object.assign(new MessageEvent(type, { data: JSON.stringify(data), lastEventId })));
  }
}
const kept = new Map();
const page = new EventTarget();
Object.assign(globalThis, {
  window: globalThis,
  navigator: { languages: ["en"] },
  EventSource: Stream,
  addEventListener: page.addEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text), removeItem: (name) => kept.delete(name) },
  document: target({ hidden: false, documentElement: { lang: "en", dataset: { billetApi: "http://127.0.0.1:9/" } }, createTreeWalker: () => ({}), createComment: () => ({}) }),
  fetch: async () => new Response(JSON.stringify({ ticket: "one" }), { status, headers: { Date: new Date().toUTCString() } }),
});
const { account } = await import("../../../web/api/account.js");
const { call, line } = await import("../../../web/api/client.js");
const { Invitations } = await import("../../../web/start/invited.js");

const until = async (holds) => { while (!holds()) await pause(1); };
const heard = [];
for (const type of ["back", "up"]) line.addEventListener(type, () => heard.push(type));

document.hidden = true;
document.dispatchEvent(new Event("visibilitychange"));
const hidden = heard.splice(0);
dispatchEvent(new Event("online"));
const online = heard.splice(0);
document.hidden = false;
document.dispatchEvent(new Event("visibilitychange"));
const back = heard.splice(0);

status = 408;
const over = new AbortController();
let asked = 0;
const late = call("GET", "/bots", undefined, { signal: over.signal, outdated: () => { asked += 1; over.abort(); return true; } });
await until(() => asked);
await late;
const unheard = heard.splice(0);
status = 201;

account.keep({ player: { id: "p1", name: "Ann" }, token: "token" });
new Invitations((found) => shown.push(found.map(({ game }) => game))).start();
await until(() => streams.length === 1);
streams[0].onopen();
streams[0].says("invited", { type: "invited", game: "game-1" });
const first = shown.at(-1);
streams[0].onerror();
await until(() => streams.length === 2);
const anew = shown.at(-1);
streams[1].onopen();
streams[1].says("invited", { type: "invited", game: "game-2" }, "7");
streams[1].onerror();
await until(() => streams.length === 3);
console.log(JSON.stringify({ hidden, online, back, unheard, first, anew, kept: shown.at(-1), after: streams.map(({ address }) => address.searchParams.get("after")) }));
process.exit();
