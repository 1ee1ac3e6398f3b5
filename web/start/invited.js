// Who invites the reader to a table: at once, or when they come back. It is followed while the page is looked at.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { base } from "../api/client.js";
import { follow } from "../api/stream.js";
import { titleOf } from "../players/outcome.js";
import { t } from "../words/words.js";

const TYPES = ["invited", "invitation_withdrawn", "game_started", "game_over"];

export class Invitations {
  #followed = null;
  #seen = () => this.look();

  constructor(show) { this.show = show; }

  start() {
    document.addEventListener("visibilitychange", this.#seen);
    this.look();
  }

  stop() {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#followed?.abort();
  }

  // Looks anew, for whoever the reader is by now: each time it begins with what is open.
  look() {
    this.#followed?.abort();
    this.show([]);
    if (document.hidden || !account.token) return;
    const { signal } = this.#followed = new AbortController(), open = new Map();
    const take = (notice) => {
      open.delete(notice.game);
      if (notice.type === "invited") open.set(notice.game, notice);
      if (!signal.aborted) this.show([...open.values()]);
    };
    // A stream without a cursor begins with what is open, and does not say what was withdrawn before it.
    const asked = (last) => {
      if (last) return { after: last };
      open.clear();
      this.show([]);
      return {};
    };
    follow("/players/me", "events/stream", { take, types: TYPES, asked, signal }).catch(() => {});
  }
}

export const invited = (start) => (start.invitations.length ? html`<section class="box invited" aria-labelledby="invited"><h2 id="invited">${t("start.invited")}</h2>
  <div role="status"><ul>${start.invitations.map(({ game, edition, player }) => html`<li><span><b>${t("start.invited.by", { name: player?.name ?? t("guest") })}</b> <small>${titleOf(start.editions, edition)}</small></span>
    <a class="button" href=${new URL(`games/${game}`, base)} aria-label=${`${t("enter")}: ${player?.name ?? t("guest")}`}>${t("enter")}</a></li>`)}</ul></div></section>` : nothing);
