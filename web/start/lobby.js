// The lobby, live while the page is looked at: tables with free seats first, then games to watch. Sandboxes are no real games.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { base, call } from "../api/client.js";
import { pageOf } from "../api/links.js";
import { follow } from "../api/stream.js";
import { language, t } from "../words/words.js";
import { titleOf } from "../players/outcome.js";
import { listed } from "../players/person.js";

const MOST = 8;
const TOGETHER_MS = 50;

export class Lobby {
  #games = new Map();
  #followed = null;
  #seen = () => (document.hidden ? this.#close() : this.#open());

  constructor(show) { this.show = show; }

  start() {
    document.addEventListener("visibilitychange", this.#seen);
    this.#seen();
  }

  stop() {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#close();
  }

  // Each connection begins with the lobby as it is, so nothing is kept from the one before.
  #open() {
    this.#close();
    const { signal } = this.#followed = new AbortController();
    const opened = () => { this.#games.clear(); this.#changed(); };
    const take = ({ type, game }) => {
      if (type === "gone") this.#games.delete(game.id);
      else this.#games.set(game.id, game);
      this.#changed();
    };
    const instead = async (until) => {
      const { items } = await call("GET", "/games", undefined, { signal: until });
      opened();
      for (const game of items) take({ type: "opened", game });
    };
    follow("/lobby", "stream", { take, opened, instead, signal, open: true }).catch(() => {});
  }

  #close() {
    this.#followed?.abort();
    clearTimeout(this.soon);
    this.soon = null;
  }

  #changed() {
    this.soon ??= setTimeout(() => {
      this.soon = null;
      // Tables whose hosts are away come last, and games of house bots alone after those of anybody else.
      const newest = [...this.#games.values()].sort((one, other) => away(one) - away(other) || alone(one) - alone(other) || (one.created_at < other.created_at ? 1 : -1));
      const of = (wanted) => newest.filter(({ status, sandbox }) => status === wanted && !sandbox).slice(0, MOST);
      this.show({ open: of("open"), active: of("active") });
    }, TOGETHER_MS);
  }
}

const away = ({ host_present: present }) => (present === false ? 1 : 0);

export function lobby(start) {
  const { games } = start;
  if (!games) return nothing;
  return html`<section class="box lobby" aria-labelledby="lobby"><h2 id="lobby">${t("start.lobby")}</h2>
    ${games.open.length ? html`<ul>${repeat(games.open, ({ id }) => id, (game) => row(start, game, "start.sit", (event) => sit(start, game, event)))}</ul>` : html`<p class="quiet">${t("start.lobby.none")}</p>`}
    ${games.active.length ? html`<h3>${t("start.running")}</h3><ul>${repeat(games.active, ({ id }) => id, (game) => row(start, game, "start.watch"))}</ul>` : nothing}${start.trouble("lobby")}</section>`;
}

// One click takes the seat; a link all the same, to look at the table first in another tab.
function sit(start, { id }, event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  start.attempt("lobby", async () => start.go((await start.sit(`/games/${id}/seats`)).id));
}

function row(start, game, key, click = nothing) {
  const names = people(game);
  const free = game.seats.filter(({ player }) => !player).length;
  return html`<li><span><b>${short(start, game)}</b> <small>${sealed(game)}${game.rated ? ` · ${t("rated")}` : ""}${free ? ` · ${t("start.free", { n: free })}` : ""}${away(game) ? ` · ${t("start.host_away")}` : ""}</small></span>
    <a class="button" href=${new URL(`games/${game.id}`, base)} @click=${click} aria-label=${`${t(key)}: ${short(start, game)}, ${names}`}>${t(key)}</a></li>`;
}

// The service's own bots count by their number alone.
const seated = ({ seats }) => {
  const all = seats.flatMap(({ player }) => player ?? []), players = all.filter((player) => pageOf(player));
  return { players, bots: all.length - players.length };
};

const alone = (game) => (seated(game).players.length ? 0 : 1);

// Everybody at a table by name, as text.
export function people(game) {
  const { players, bots } = seated(game), names = players.map(({ name }) => name);
  return new Intl.ListFormat(language, { type: "unit" }).format(bots ? [...names, t("start.with", { n: bots })] : names);
}

// The same with seals.
export const sealed = ({ seats }) => listed(seats.flatMap(({ player }) => player ?? []));

export const short = (start, { edition }) => titleOf(start.editions, edition);
