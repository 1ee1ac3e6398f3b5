// A stream of the service, opened again whenever it breaks or has gone silent; the line counts as lost until it is open.
import { account } from "./account.js";
import { base, call, line, nap, setLine, sleep, turn, uneven } from "./client.js";

// The service says every 15 seconds that a stream is alive. On a network that has changed, nothing ever says that it is not.
const SILENT_MS = 35_000, UNOPENED_MS = 15_000;
// The connections that a browser keeps, six at most, may all be as dead: what is asked first is soon asked on another, too.
const ANOTHER_MS = 500, CONNECTIONS = 6, LATE_MS = 5000;
// Whoever comes back looks at once, and not at what may have gone silent meanwhile; several signs of that come together.
const RETURNS = ["back", "behind"], TOGETHER_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

// Follows `${path}/${name}` until `signal`, or until it ends while `over()`. `take` gets what comes; `asked` returns what to ask
// for each time, and is given the last id of the stream before. A ticket stands in for the token, which a stream cannot send;
// throws the problem if none is issued. Where `open`, there is no need of one. `opened` is called when a stream begins, and
// `instead` when one was not even opened, as where a player has too many.
export async function follow(path, name, { signal, over = () => false, instead, ...more }) {
  let pause = 1000, last = "", first = true;
  try {
    for (;;) {
      const round = new AbortController(), until = AbortSignal.any([signal, round.signal]), begun = Date.now();
      const look = () => { if (!document.hidden && Date.now() - begun > TOGETHER_MS) round.abort(); };
      for (const type of RETURNS) line.addEventListener(type, look, { signal: until });
      try {
        const stream = await listen(path, name, until, { last, first, up: () => setLine(signal, null), ...more });
        first = false;
        if (signal.aborted || over()) return;
        last = stream.opened ? stream.last : "";
        pause = stream.opened ? 1000 : Math.min(2 * pause, LONGEST_PAUSE_MS);
        if (round.signal.aborted) continue;
        setLine(signal, "lost");
        if (!stream.opened) await instead?.(until);
        await nap(uneven(pause), until);
      } catch (problem) {
        if (signal.aborted || !round.signal.aborted) throw problem;
      } finally {
        round.abort();
      }
      if (signal.aborted) return;
    }
  } finally {
    setLine(signal, null);
  }
}

// Listens to one stream until it breaks, is silent for too long, or `until`.
async function listen(path, name, until, { last, first, up, take, asked = () => ({}), types = ["message"], body, open, opened }) {
  const query = new URLSearchParams({ alive: true, ...asked(last) });
  if (account.token && !open) query.set("ticket", (await asking((signal) => call("POST", `${path}/tickets`, body, { signal, late: LATE_MS }), until)).ticket);
  else if (!first) await asking((signal) => call("GET", "/bots", undefined, { signal, late: LATE_MS }), until);
  const state = { opened: false, last };
  if (until.aborted) return state;
  const source = new EventSource(new URL(`v1${path}/${name}?${query}`, base));
  let heard = Date.now();
  const hear = ({ lastEventId }) => { heard = Date.now(); state.last = lastEventId; };
  source.onopen = () => { heard = Date.now(); state.opened = true; up(); opened?.(); };
  source.addEventListener("alive", hear);
  for (const type of types) source.addEventListener(type, (event) => { hear(event); take(JSON.parse(event.data)); });
  let watch;
  await new Promise((resolve) => {
    source.onerror = resolve;
    until.addEventListener("abort", resolve);
    // What is open then may never say that it broke.
    addEventListener("offline", resolve, { signal: until });
    watch = setInterval(() => { if (Date.now() - heard > (state.opened ? SILENT_MS : UNOPENED_MS)) resolve(); }, 1000);
  });
  clearInterval(watch);
  source.close();
  return state;
}

// Asks until there is an answer, which closes the connections that gave none.
async function asking(ask, signal) {
  const answered = new AbortController(), until = AbortSignal.any([signal, answered.signal]), asked = [];
  try {
    while (asked.length < CONNECTIONS) {
      asked.push(turn(until).then(() => ask(until)));
      const answer = await Promise.race([...asked, sleep(ANOTHER_MS, until)]);
      if (answer) return answer;
      signal.throwIfAborted();
    }
    return await Promise.race(asked);
  } finally {
    for (const one of asked) one.catch(() => {});
    answered.abort();
  }
}
