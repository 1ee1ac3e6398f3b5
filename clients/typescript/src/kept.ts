/** Keeps the latest views, so that the service need not send an unchanged one again, and the latest nonces. */

import type { Game } from "./document.js";

/** A game as the client's player may see it, with its tag for `ifMatch`. */
export type View = Readonly<Game> & { readonly etag: string };

/** A map that keeps the entries that were set last, up to so many. */
export class Latest<Value> extends Map<string, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break;
      this.delete(oldest);
    }
    return this;
  }
}
