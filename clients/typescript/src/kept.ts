/** Keeps the latest views of games, so that the service need not send an unchanged one again. */

import type { Game } from "./document.js";

const MOST = 100;

/** A game as the client's player may see it, with its tag for `ifMatch`. */
export type View = Readonly<Game> & { readonly etag: string };

/** A few views, the newest of each game. */
export class Kept {
  readonly #views = new Map<string, View>();

  get(game: string): View | undefined {
    return this.#views.get(game);
  }

  put(view: View): void {
    const known = this.#views.get(view.id);
    if (known !== undefined && known.version > view.version) return; // a repeated call gives its first answer again
    this.#views.delete(view.id);
    this.#views.set(view.id, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= MOST) break;
      this.#views.delete(oldest);
    }
  }
}
