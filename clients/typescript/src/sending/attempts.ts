/** Retries calls without an answer, or with one that says nothing about the call itself. */

import { NoAnswer } from "../errors.js";
import type { Send } from "../options.js";
import { within } from "./deadlines.js";
import { Pauses } from "./pauses.js";

/** The statuses that say nothing about the call itself: a retry may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** The statuses of responses without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 304]);

/** Returns whether a retry of the call may succeed. */
export function isPassing(response: Response): boolean {
  return PASSING.has(response.status);
}

/** Returns the seconds of a response's `Retry-After`; 0 for a date, which the service never sends. */
export function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** The responses to calls of which an earlier attempt was lost. */
const afterLoss = new WeakSet<Response>();

/** Returns whether an earlier attempt of the answered call may have taken effect. */
export function followsLoss(response: Response): boolean {
  return afterLoss.has(response);
}

/**
 * Returns a `fetch` that retries a request while its answer is lost, cut off, late or says nothing about the call.
 *
 * All calls can be retried: those that create or act have an `Idempotency-Key`. When the patience is used up, it returns
 * the last response, or throws `NoAnswer` if there was none.
 */
export function repeating(send: Send, timeout: number, patience: number): Send {
  return async (request) => {
    const pauses = new Pauses(patience, request.signal);
    for (let lost = false; ; ) {
      const answer = await attempt(send, request, timeout).catch((error: unknown) => noAnswer(request, error));
      const failed = answer instanceof NoAnswer;
      if (!failed && lost) afterLoss.add(answer);
      if (!failed && !isPassing(answer)) return answer;
      lost ||= failed || answer.status >= 500;
      if (await pauses.take(failed ? 0 : retryAfter(answer))) continue;
      if (failed) throw answer;
      return answer;
    }
  };
}

/** Sends a request once and returns the response when its body is complete. */
async function attempt(send: Send, request: Request, timeout: number): Promise<Response> {
  request.signal.throwIfAborted();
  const own = new AbortController();
  const giveUp = () => own.abort(request.signal.reason);
  request.signal.addEventListener("abort", giveUp);
  try {
    const sent = new Request(request.clone(), { signal: own.signal });
    return await within(timeout + waits(request), own, whole(send, sent));
  } finally {
    request.signal.removeEventListener("abort", giveUp);
  }
}

async function whole(send: Send, request: Request): Promise<Response> {
  const response = await send(request);
  const body = await response.arrayBuffer();
  return new Response(EMPTY.has(response.status) ? null : body, response);
}

/** Returns for how many milliseconds a long-poll asks the service to wait. */
function waits(request: Request): number {
  return 1000 * Number(new URL(request.url).searchParams.get("wait"));
}

function noAnswer(request: Request, error: unknown): NoAnswer {
  request.signal.throwIfAborted();
  return new NoAnswer(`No answer from ${new URL(request.url).origin}`, error);
}
