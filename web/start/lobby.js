// The lobby: tables with free seats first, then games to watch; asked for again while the page is looked at.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { base, call, sleep } from "../api/client.js";
import { language, t } from "../words/words.js";

const EVERY_MS = 5000;

export class Lobby {
  #stop = new AbortController();

  constructor(show) { this.show = show; }
  stop() { this.#stop.abort(); }

  async start() {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!document.hidden) {
        const [open, active] = await Promise.all(["open", "active"].map((status) => call("GET", `/games?status=${status}&limit=8`, undefined, { signal }).catch(() => null)));
        if (open && active) this.show({ open: open.items, active: active.items });
      }
      await sleep(EVERY_MS, signal);
    }
  }
}

export function lobby(start) {
  const { games } = start;
  if (!games) return nothing;
  return html`<section class="box lobby" aria-labelledby="lobby"><h2 id="lobby">${t("start.lobby")}</h2>
    ${games.open.length ? html`<ul>${repeat(games.open, ({ id }) => id, (game) => row(start, game, "start.sit"))}</ul>` : html`<p class="quiet">${t("start.lobby.none")}</p>`}
    ${games.active.length ? html`<h3>${t("start.running")}</h3><ul>${repeat(games.active, ({ id }) => id, (game) => row(start, game, "start.watch"))}</ul>` : nothing}</section>`;
}

function row(start, game, key) {
  const names = people(game);
  const free = game.seats.filter(({ player }) => !player).length;
  return html`<li><span><b>${short(start, game)}</b> <small>${names}${free ? ` · ${t("start.free", { n: free })}` : ""}</small></span>
    <a class="button" href=${new URL(`games/${game.id}`, base)} aria-label=${`${t(key)}: ${short(start, game)}, ${names}`}>${t(key)}</a></li>`;
}

// Everybody at a table by name, and bots by their number.
export function people({ seats }) {
  const bots = seats.filter(({ player }) => player?.kind === "bot").length;
  const names = seats.flatMap(({ player }) => (player && player.kind !== "bot" ? [player.name] : []));
  return new Intl.ListFormat(language, { type: "unit" }).format(bots ? [...names, t("start.with", { n: bots })] : names);
}

export const short = (start, game) => (start.edition(game.edition)?.title ?? game.edition).replace(/\s*\(.*/, "");
