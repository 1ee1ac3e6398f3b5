/** The calls of the document with their types, and what goes along with each of them. */

import createClient, { type Client, type Middleware } from "openapi-fetch";

import type { paths } from "../document.js";
import { NotUnderstood, refusal } from "../errors.js";
import type { Settled } from "../options.js";
import { followsLoss, repeating } from "./attempts.js";

export type Http = Client<paths>;

/** A client of openapi-fetch that repeats calls, with the present token, language and keys. */
export function connect({ url, language, timeout, patience, send }: Settled, token: () => string | undefined): Http {
  const headers = { "Accept-Language": language };
  const http = createClient<paths>({ baseUrl: url, headers, fetch: repeating(send, timeout, patience) });
  http.use(bearing(token), keyed, understood);
  return http;
}

/** All attempts of a call bear the token with which it began. */
function bearing(token: () => string | undefined): Middleware {
  return {
    onRequest({ request }) {
      const present = token();
      if (present === undefined || request.headers.has("Authorization")) return;
      request.headers.set("Authorization", `Bearer ${present}`);
    },
  };
}

/** One key for a call, whatever becomes of its attempts. */
const keyed: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", randomKey());
    }
  },
};

/** Whatever answers every request, such as the page of a network that asks to sign in, is no service. */
const understood: Middleware = {
  onResponse({ response, options, request }) {
    const type = response.headers.get("Content-Type");
    const holds = response.ok && response.status !== 204;
    if (options.parseAs === "json" && holds && !type?.startsWith("application/json")) {
      throw new NotUnderstood(`${new URL(request.url).origin} answers with ${type ?? "nothing"}`);
    }
  },
};

/** As good as `crypto.randomUUID`, which a page has only if it came by https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a call came to. */
export interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns what was answered.
 *
 * @throws Refused
 */
export function told<T>({ data, error, response }: Answer<T>): T {
  if (!response.ok) throw refusal(response, error, followsLoss(response));
  return data as T;
}
