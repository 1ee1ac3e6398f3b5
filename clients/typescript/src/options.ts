/** What a client is told when it is made. */

import { canHash } from "./committing.js";
import { address, secret } from "./given.js";

/** Sends a request, as `fetch` does. */
export type Send = (request: Request) => Promise<Response>;

export interface Options {
  /** Where the service is, such as `https://cards.example`. */
  readonly url: string | URL;
  /** The player's token, from `Billet.register`; without one a client watches public games. */
  readonly token?: string | undefined;
  /** The language of names and texts, as in `Accept-Language`; absent: English, or in a browser that of the browser. */
  readonly language?: string | undefined;
  /** Milliseconds that one attempt may take; absent: 10,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds from the first failed attempt on until a call fails, `Infinity` for never; absent: 60,000. */
  readonly patience?: number | undefined;
  /** Milliseconds without a sign of life after which a stream counts as broken; absent: 45,000. */
  readonly silence?: number | undefined;
  /**
   * Whether to commit to a random nonce when taking a seat, and to reveal it when every seat is taken, so that nobody can
   * choose the deal; absent: yes, where the platform can hash.
   */
  readonly commit?: boolean | undefined;
  /** What sends requests; absent: the `fetch` of the platform. */
  readonly fetch?: Send | undefined;
}

/** The options with all that is absent filled in. */
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

/** Timers take no more; they would go off at once. */
const LONGEST = 2 ** 30;

/** @throws TypeError if the address or the token can be none */
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
