/** Repeats calls that got no answer, or one that says nothing of the call. What an answer means is for `errors`. */

import { NoAnswer } from "../errors.js";
import type { Send } from "../options.js";
import { within } from "./deadlines.js";
import { Pauses } from "./pauses.js";

/** Not yet, or lost on the way, there or back: nobody has decided on the call. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Answers without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 304]);

/** Whether an answer says no more than that one should ask again. */
export function isPassing(response: Response): boolean {
  return PASSING.has(response.status);
}

/** The seconds that an answer asks to wait; dates, which only others than the service send, are not looked at. */
export function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** Answers to calls of which an attempt before was lost on the way, there or back. */
const afterLoss = new WeakSet<Response>();

/** Whether an attempt before the one that is answered here may have been carried out. */
export function followsLoss(response: Response): boolean {
  return afterLoss.has(response);
}

/**
 * Returns a `fetch` that asks again, with the same request, while an answer is lost, cut off, late or passing.
 *
 * Every call of the interface bears that: what creates or acts has an `Idempotency-Key`. When patience is over, the
 * last answer is returned, or `NoAnswer` thrown if there was none.
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

/** Sends a request once and returns the answer when all of it is there. */
async function attempt(send: Send, request: Request, timeout: number): Promise<Response> {
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

/** The milliseconds that a long-poll asks the service to take. */
function waits(request: Request): number {
  return 1000 * Number(new URL(request.url).searchParams.get("wait"));
}

function noAnswer(request: Request, error: unknown): NoAnswer {
  request.signal.throwIfAborted();
  return new NoAnswer(`No answer from ${new URL(request.url).origin}`, error);
}
