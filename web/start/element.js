// <billet-start>: play now, open a table, join one, the player's games, the lobby.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, changes, register } from "../api/account.js";
import { base, call, line } from "../api/client.js";
import { book, editions } from "../api/editions.js";
import { seated } from "../api/nonces.js";
import { changes as waits, waiting } from "../api/waiting.js";
import { cards } from "../cards/sheet.js";
import { face } from "../cards/card.js";
import { symbol } from "../cards/symbol.js";
import { Part } from "../look/part.js";
import { keying } from "../look/naming.js";
import { go } from "../look/storage.js";
import { preferences } from "../look/preferences.js";
import { t } from "../words/words.js";
import "../words/pages.js";
import { first } from "./first.js";
import { Invitations, invited } from "./invited.js";
import { joining } from "./join.js";
import { Lobby, lobby } from "./lobby.js";
import { ended, MOST, running } from "./own.js";
import { fit, playing } from "./play.js";
import { asking, rules } from "./rules.js";
import { results } from "../players/sheet.js";
import { shown } from "../replay/shown.js";
import { sheets } from "./sheets.js";

// So many of the reader's games come at once.
const OWN = 20;
// Seen on the cover: three cards that any reader knows by now.
const COVER = ["guard", "princess", "priest"];

const USUAL = { people: false, edition: "standard", seats: 3, bot: "cautious", options: {}, clock: "", hidden: true, fill: true, rated: true };

class Start extends Part {
  static sheets = [cards, ...sheets, results];
  setup = { ...USUAL, ...preferences.setup };
  #lobby = new Lobby((games) => { this.games = games; this.update(); });
  invitations = [];
  #invited = new Invitations((found) => { this.invitations = found; this.update(); });
  #player = account.player?.id;
  // The reader has become a player, or another one, perhaps in another tab.
  #changed = () => {
    if (this.#player !== account.player?.id) {
      this.#ownGames();
      this.#invited.look();
    }
    this.#player = account.player?.id;
  };
  // Who waits for opponents is led to them; what went wrong is said where the button stands.
  #waits = ({ detail: over }) => {
    if (over instanceof Error) this.failed = { place: "play", message: over.message, code: over.code };
    else if (over?.state === "matched") this.go(over.game);
    this.update();
  };
  #line = ({ detail }) => { this.lost = detail; this.update(); };

  connectedCallback() {
    line.addEventListener("change", this.#line);
    changes.addEventListener("change", this.#changed);
    waits.addEventListener("change", this.#waits);
    waiting.resume();
    this.update();
    this.#load();
    this.#lobby.start();
    this.#invited.start();
  }

  disconnectedCallback() {
    line.removeEventListener("change", this.#line);
    changes.removeEventListener("change", this.#changed);
    waits.removeEventListener("change", this.#waits);
    this.#lobby.stop();
    this.#invited.stop();
  }

  async #load() {
    const [all, cover] = await Promise.all([editions(), book("standard"), this.#ownGames()]);
    Object.assign(this, { editions: all, cover });
    fit(this.setup, USUAL, this);
    this.update();
  }

  async #ownGames() {
    const { token } = account;
    const games = token ? await call("GET", `/players/me/games?limit=${OWN}`).catch(() => null) : null;
    if (token !== account.token) return;
    Object.assign(this, { own: games?.items, following: games?.next_cursor, pages: 1 });
    this.update();
  }

  // Shows more of the games that have ended, of which so many are known.
  earlier = (known) => this.attempt("ended", async () => {
    if (this.following && known <= (this.pages + 1) * MOST) {
      const { items, next_cursor: next } = await call("GET", `/players/me/games?limit=${OWN}&cursor=${encodeURIComponent(this.following)}`);
      Object.assign(this, { own: [...this.own, ...items], following: next });
    }
    this.pages += 1;
  });

  // The same game again is one click, also tomorrow.
  keep() { preferences.setup = this.setup; }

  edition(id) { return this.editions?.find((edition) => edition.id === id); }

  go(game, code) { go(new URL(`games/${game}${code ? `#code=${code}` : ""}`, base)); }

  // Takes a seat by a call, for whoever the reader is or becomes by it; returns the game.
  async sit(path, body) {
    await register(account.guest ? this.name : null);
    return seated(path, body);
  }

  // Does something, and says where it happened when it does not work.
  async attempt(place, doing) {
    if (this.busy) return;
    Object.assign(this, { busy: place, failed: null });
    this.update();
    try {
      await doing();
    } catch (problem) {
      this.failed = { place, message: problem.message, code: problem.code };
    }
    this.busy = null;
    this.update();
  }

  // A game from a file or a text: its replay takes the place of this page.
  async read(source) {
    this.failed = null;
    try {
      await shown(source, this);
    } catch ({ message }) {
      this.failed = { place: "file", message };
      this.update();
    }
  }

  trouble(place) {
    return this.failed?.place === place ? html`<p class="problem" role="alert">${this.failed.message}</p>${this.failed.code === "registration_closed" ? keying(account) : nothing}` : nothing;
  }

  // Drawn once it is whole: nothing moves while somebody aims at it.
  template() {
    if (!this.editions) return html`<main><h1>Billet</h1>${this.lost ? html`<p class="problem" role="status">${t(`line.${this.lost}`)}</p>` : nothing}</main>`;
    return html`<main>
      <section class="cover">
        <div><h1>Billet</h1><p class="tagline">${t("start.tagline")}</p><p class="row">${asking(this)}<a class="how" href=${new URL("daily", base)}>${t("daily.link")}</a><a class="how" href=${new URL("leaderboards", base)}>${t("boards.link")}</a><a class="how" href=${new URL("matches", base)}>${t("matches")}</a></p>${this.trouble("rules")}</div>
        <div class="fan" aria-hidden="true">${this.cover ? COVER.map((id) => face(this.cover.by.get(id), { edition: "standard", text: "" })) : nothing}</div>
      </section>
      ${this.lost ? html`<p class="problem" role="status">${t(`line.${this.lost}`)}</p>` : nothing}
      ${invited(this)}
      <div class="columns">
        ${running(this)}
        <div class="stack begins">${playing(this)}${ended(this)}</div>
        <div class="stack">${first(this)}${joining(this)}${lobby(this)}</div>
      </div>
      <section class="box file" aria-labelledby="file"><h2 id="file">${t("file.title")}</h2><p class="quiet">${t("file.about")}</p>
        <p><label class="button">${t("file.open")}<input class="unseen" type="file" @change=${({ target }) => { const [file] = target.files; target.value = ""; if (file) this.read(file); }}></label></p>${this.trouble("file")}</section>
      <footer><a rel="external" href=${new URL("docs", base)}>${t("bar.api")}</a> ${symbol("letter", "tiny")}</footer>
      ${rules(this)}
    </main>`;
  }
}
customElements.define("billet-start", Start);
