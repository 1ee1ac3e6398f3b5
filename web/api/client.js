// One call to the service, sent again with the same key until it is answered; and the state of the line.
import { language } from "../words/words.js";
import { account, register } from "./account.js";

// This file lies three folders below the service: web/DIGEST/api/. A page elsewhere names the service itself.
export const base = new URL(document.documentElement.dataset.billetApi ?? "../../../", import.meta.url);
// "change" says what keeps the page from the service, or null; "up" says that a call was answered, "back" that the reader or the
// network has come back, and "behind" that a stream must have missed something.
export const line = new EventTarget();
const troubles = new Map();
// By how many milliseconds the device's clock is ahead of the service's, which names no fractions of a second.
let ahead = 0;
// What is silent for so long is not answered any more: neither the beginning of an answer nor the whole of it takes longer.
const LATE_MS = 15_000, WHOLE_MS = 60_000;
export const now = () => Date.now() - ahead;
// While the service is away, the calls and streams of a page ask again one at a time: after `pause`, which grows, and not before
// `next`. All ask at once as soon as one is answered, or somebody comes back.
const SOONEST_MS = 1000, LATEST_MS = 15_000;
let pause = 0, next = 0;
const RETURNS = [[document, "visibilitychange"], [window, "focus"], [window, "pageshow"], [window, "online"]];
// A page that is hidden fires "visibilitychange", too.
for (const [target, type] of RETURNS) target.addEventListener(type, () => { if (type === "online" || !document.hidden) line.dispatchEvent(new Event("back")); });
for (const type of ["up", "back"]) line.addEventListener(type, () => { pause = next = 0; });

export class Problem extends Error {
  constructor(said) {
    super(said.detail ?? said.title ?? String(said.status));
    Object.assign(this, { code: said.code, status: said.status, said });
  }
}

// Before it is sent again, `outdated` may say that it is no longer wanted; then the answer is null. Where the service knows the
// player no more, a call with `anew` is made by a new one, and what anybody may read is read as nobody.
export async function call(method, path, body, { signal, headers: more, outdated, anew, late } = {}) {
  const headers = { "Accept-Language": language, Accept: "application/json", ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["Idempotency-Key"] = newKey();
  let token = null, renewed = false;
  const bear = () => {
    ({ token } = account);
    if (token) headers.Authorization = `Bearer ${token}`;
    else delete headers.Authorization;
  };
  if (!more?.Authorization) bear();
  try {
    for (;;) {
      const answer = await once(new URL(`v1${path}`, base), { method, headers, signal, late, body: body && JSON.stringify(body) });
      if (answer?.status < 400) return answer.said;
      if (token && !renewed && answer?.said?.code === "unauthenticated") {
        const refused = token;
        renewed = true;
        account.lost(refused);
        if (anew) await register();
        bear();
        if (token ? token !== refused : method === "GET") continue;
      }
      const again = !answer || [408, 429, 502, 503, 504].includes(answer.status);
      if (!again) throw new Problem(answer.said);
      const wait = 1000 * Math.min(Number(answer?.said?.retry_after ?? answer?.wait) || 0, 30);
      const state = answer?.status === 429 ? "busy" : answer?.said?.code === "archive_unavailable" ? "archive" : answer ? "restarting" : "lost";
      setLine(headers, state);
      if (["busy", "archive"].includes(state)) await sleep(wait || 5000, signal);
      else {
        if (!pause) putOff();
        next = Math.max(next, performance.now() + wait);
        await turn(signal);
      }
      if (await outdated?.()) return null;
    }
  } finally {
    setLine(headers, null);
  }
}

async function once(url, { signal, late = LATE_MS, ...request }) {
  const silent = new AbortController(), begins = AbortSignal.timeout(late), end = () => silent.abort();
  begins.addEventListener("abort", end);
  const until = AbortSignal.any([silent.signal, AbortSignal.timeout(WHOLE_MS), ...(signal ? [signal] : [])]);
  try {
    // With credentials as for a stream: a browser keeps other connections for calls without, and those say nothing of a stream's.
    const answer = await fetch(url, { ...request, signal: until, cache: "no-cache" });
    begins.removeEventListener("abort", end);
    const off = Date.now() - Date.parse(answer.headers.get("Date")); // NaN on a page elsewhere, which cannot read it
    ahead = Math.abs(off) > 2000 ? off : 0;
    // What stands between may refuse in its own words.
    const said = answer.status === 204 ? null : await answer.json().catch((error) => {
      if (answer.status < 400 || !(error instanceof SyntaxError)) throw error;
      return { status: answer.status };
    });
    if (answer.status < 500 && ![408, 429].includes(answer.status)) line.dispatchEvent(new Event("up"));
    return { status: answer.status, said, wait: answer.headers.get("Retry-After") };
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
}

// Notes what keeps somebody, such as a call or a stream, from the service: "lost", "restarting", "archive" or "busy", or null for
// nothing any more. What was noted last is shown as long as it holds.
export function setLine(who, state) {
  const before = shown();
  troubles.delete(who);
  if (state) troubles.set(who, state);
  if (shown() !== before) line.dispatchEvent(new CustomEvent("change", { detail: shown() }));
}

const shown = () => [...troubles.values()].at(-1) ?? null;
addEventListener("offline", () => setLine(line, "lost"));
addEventListener("online", () => setLine(line, null));

// `crypto.randomUUID` is there on https and on this machine only; a table at home may be neither.
export const newKey = () => hex(crypto.getRandomValues(new Uint8Array(16)));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const sleep = (ms, signal) => new Promise((go) => {
  const timer = setTimeout(go, ms);
  signal?.addEventListener("abort", () => { clearTimeout(timer); go(); }, { once: true });
});

// Waits until it is one's turn to ask: not at all, unless the service is away.
export async function turn(signal) {
  while (performance.now() < next && !signal?.aborted) await nap(next - performance.now(), signal);
  if (pause && !signal?.aborted) putOff();
}

function putOff() {
  pause = Math.min(2 * pause || SOONEST_MS, LATEST_MS);
  next = performance.now() + uneven(pause);
}

// Pages that have lost the same service are not to ask it at the same moments.
export const uneven = (ms) => ms * (1 - Math.random() / 2);

// A sleep that ends as soon as the reader, the network or the service is back.
export function nap(ms, signal) {
  const up = new AbortController(), wake = () => up.abort();
  for (const type of ["up", "back"]) line.addEventListener(type, wake, { signal: up.signal });
  return sleep(ms, AbortSignal.any([up.signal, ...(signal ? [signal] : [])])).finally(wake);
}
