/** Sends the calls of the OpenAPI document, with token, language and idempotency key. */

import createClient, { type Client, type Middleware } from "openapi-fetch";

import { randomHex } from "../committing.js";
import type { paths } from "../document.js";
import { NotUnderstood, refusal } from "../errors.js";
import type { Settled } from "../options.js";
import { followsLoss, repeating } from "./attempts.js";

export type Http = Client<paths>;

/** Returns a client of openapi-fetch that retries calls, and adds the present token, the language and keys. */
export function connect({ url, language, timeout, patience, send }: Settled, token: () => string | undefined): Http {
  const headers = { "Accept-Language": language };
  const http = createClient<paths>({ baseUrl: url, headers, fetch: repeating(send, timeout, patience) });
  http.use(bearing(token), keyed, understood);
  return http;
}

/** Adds the present token to a call; all its attempts have the same. */
function bearing(token: () => string | undefined): Middleware {
  return {
    onRequest({ request }) {
      const present = token();
      if (present === undefined || request.headers.has("Authorization")) return;
      request.headers.set("Authorization", `Bearer ${present}`);
    },
  };
}

/** Adds one idempotency key to a call, for all its attempts. */
const keyed: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", randomHex(16));
    }
  },
};

/** Refuses responses that are not JSON, such as the sign-in page of a network. */
const understood: Middleware = {
  onResponse({ response, options, request }) {
    const type = response.headers.get("Content-Type");
    const holds = response.ok && response.status !== 204;
    if (options.parseAs === "json" && holds && !type?.startsWith("application/json")) {
      throw new NotUnderstood(`${new URL(request.url).origin} answers with ${type ?? "nothing"}`);
    }
  },
};

/** The response to a call, parsed. */
export interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the data of a successful response.
 *
 * @throws Refused
 */
export function dataOf<T>({ data, error, response }: Answer<T>): T {
  if (!response.ok) throw refusal(response, error, followsLoss(response));
  return data as T;
}
