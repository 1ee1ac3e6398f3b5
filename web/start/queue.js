// Finding opponents: a place in the queue, kept for as long as this page is open.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, register } from "../api/account.js";
import { base, call } from "../api/client.js";
import { naming } from "../look/naming.js";
import { t } from "../words/words.js";

// All who wait here wish for the same clock, so that they find one another.
const CLOCK = { seconds: 60, on_timeout: "bot_plays" };
// Up to so many seats are found soon.
const MOST_SEATS = 4;
// The number of those who wait is as old at most.
const LOOK_SECONDS = 10;

export const forOpponents = (start, { fill }, set) => html`<div class="details">${account.guest ? naming(start) : nothing}
  <p class="quiet">${t("queue.about")}</p>
  <label class="check"><input type="checkbox" .checked=${fill} @change=${(event) => set({ fill: event.target.checked })}>${t("queue.fill")}</label></div>`;

// Stands in the place of the form while the reader waits.
export const waiting = ({ ticket, cancel }) => html`<section class="box play waiting" aria-labelledby="play"><h2 id="play">${t("queue.looking")}</h2>
  <p role="status">${t("queue.waiting", { n: ticket.waiting })}</p><p class="quiet">${t("queue.stay")}</p>
  <button @click=${cancel}>${t("queue.cancel")}</button></section>`;

// Begins to wait. The rest of the page can be used meanwhile.
export async function find(start) {
  const { setup: { edition, fill, options } } = start;
  const { min, max } = start.edition(edition).seats;
  await register(account.guest ? start.name : null);
  const seats = Array.from({ length: Math.max(1, Math.min(max, MOST_SEATS) - min + 1) }, (_, i) => min + i);
  start.ticket = await call("POST", "/queue", { edition, options, seats, clock: CLOCK, bots: fill ? "fill" : "never" });
  wait(start).catch(({ message, code }) => { start.failed = { place: "play", message, code }; }).finally(() => { start.ticket = null; start.update(); });
  // The pressed button is gone: whoever uses a keyboard is at the one in its place.
  start.update();
  queueMicrotask(() => start.find(".waiting button")?.focus());
}

// Waits until there is a game, and goes there; or until the reader has had enough, or waits elsewhere for another game.
async function wait(start) {
  const path = `/queue/${start.ticket.id}`, over = new AbortController();
  // Nobody is to sit at a table with somebody whose page is closed.
  const leave = () => { fetch(new URL(`v1${path}`, base), { method: "DELETE", headers: { Authorization: `Bearer ${account.token}` }, keepalive: true }).catch(() => {}); };
  start.cancel = () => over.abort();
  addEventListener("pagehide", leave, { signal: over.signal });
  try {
    while (start.ticket.state === "waiting") {
      start.ticket = await call("GET", `${path}?wait=${LOOK_SECONDS}`, undefined, { signal: over.signal });
      start.update();
    }
  } catch (problem) {
    if (!over.signal.aborted) throw problem;
    start.ticket = await call("DELETE", path);
  } finally {
    over.abort();
  }
  if (start.ticket.state === "matched") start.go(start.ticket.game);
}
