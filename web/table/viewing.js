// Who looks at a game, and which of its frames is newest. Whoever looks next gets another one of these: what is still on its
// way to the one before is dropped here, and nothing is shown that is older than what is on show.
import { account } from "../api/account.js";
import { book } from "../api/editions.js";
import { Frames } from "../api/frames.js";
import { reveal } from "../api/nonces.js";
import { SILENT, Telling } from "./events/telling.js";

export class Viewing {
  #end = new AbortController();
  #opened = null;
  #newest;
  token = account.token;
  player = account.player?.id;

  // `drawn` is the version on show. `begin` is given the book, the game and its log so far; `show`, `line` and `stage` are for
  // the telling of what follows, `react` for reactions, and `refuse` is given the problem that ends all.
  constructor({ game, code, drawn, begin, show, line, react, stage, refuse }) {
    const live = (then) => (...said) => (this.signal.aborted ? undefined : then(...said));
    this.#newest = drawn;
    this.begin = live(begin);
    this.refuse = live((problem) => { this.end(); refuse(problem); });
    this.teller = new Telling({ show: live(show), line: live(line), stage });
    this.frames = new Frames(game, code, { take: live((frame) => this.#take(frame)), react: live(react), refuse: this.refuse, signal: this.signal });
    this.frames.start();
  }

  get signal() { return this.#end.signal; }
  get telling() { return this.teller.telling; }

  end() {
    this.#end.abort();
    this.catchUp();
  }

  catchUp() { this.teller.catchUp(); }
  skip() { this.teller.skip(); }
  // The answer to an own action, for who acted.
  add(frame) { this.frames.add(frame); }

  // The first frame opens the table, with the log so far; those that come meanwhile wait for it.
  #take(frame) {
    const { game } = frame;
    if (game.version < this.#newest) return;
    this.#newest = game.version;
    reveal(game);
    if (this.#opened) return this.#opened.then(() => this.teller.take(frame), () => {});
    this.#opened = this.#begin(game);
    this.#opened.catch(this.refuse);
  }

  async #begin(game) {
    const [found, events] = await Promise.all([book(game.edition), this.frames.history(game.version)]);
    this.begin({ book: found, game, lines: events.filter(({ type, text }) => text && !SILENT.has(type)) });
  }
}
