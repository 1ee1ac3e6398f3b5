/** The options of a client. */

import { canHash } from "./committing.js";
import { address, secret } from "./given.js";

/** Sends a request, as `fetch` does. */
export type Send = (request: Request) => Promise<Response>;

export interface Options {
  /** The address of the service, such as `https://cards.example`. */
  readonly url: string | URL;
  /** The player's token, from `Billet.register`; without one a client watches public games. */
  readonly token?: string | undefined;
  /** The language of names and texts, as in `Accept-Language`; absent: that of the browser, elsewhere English. */
  readonly language?: string | undefined;
  /** How many milliseconds one attempt may take; absent: 10,000. */
  readonly timeout?: number | undefined;
  /** For how many milliseconds after its first failed attempt a call is retried, or `Infinity`; absent: 60,000. */
  readonly patience?: number | undefined;
  /** After how many milliseconds without any data a stream counts as broken; absent: 45,000. */
  readonly silence?: number | undefined;
  /**
   * Whether to commit to a random nonce when taking a seat, and to reveal it when every seat is taken, so that nobody can
   * choose the deal; absent: yes, if the platform can hash.
   */
  readonly commit?: boolean | undefined;
  /** The function that sends requests; absent: the `fetch` of the platform. */
  readonly fetch?: Send | undefined;
}

/** The options with their defaults filled in. */
export interface Settled {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
  readonly language: string | undefined;
  readonly timeout: number;
  readonly patience: number;
  readonly silence: number;
  readonly commit: boolean;
  readonly send: Send;
}

/** The longest time in milliseconds that timers take; with a longer one they would go off at once. */
const LONGEST = 2 ** 30;

/** @throws TypeError if the address or the token is malformed */
export function settled(options: Options): Settled {
  return {
    url: address(options.url),
    token: secret(options.token),
    language: options.language,
    timeout: Math.min(options.timeout ?? 10_000, LONGEST),
    patience: options.patience ?? 60_000,
    silence: Math.min(options.silence ?? 45_000, LONGEST),
    commit: (options.commit ?? true) && canHash(),
    send: options.fetch ?? ((request) => fetch(request)),
  };
}
