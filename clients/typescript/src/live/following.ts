/** Follows a game by streams, or by long-poll where they do not get through: every event or frame once, and in order. */

import { createParser, type EventSourceMessage } from "eventsource-parser";

import { NoAnswer, refusal, Refused } from "../errors.js";
import type { Settled } from "../options.js";
import { isPassing, retryAfter } from "../sending/attempts.js";
import { within } from "../sending/deadlines.js";
import { Pauses } from "../sending/pauses.js";
import { firstOf, type Item, type Page, polled } from "./polling.js";

/** After so many barren streams in a row, the client turns to long-poll. */
export const BARREN = 2;

/** The response to a request for a stream: its body, or the error. */
export interface Opened {
  readonly data?: ReadableStream<Uint8Array> | null | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** How to open a stream, and how long to wait for it. */
export interface Line<After> {
  /** Requests the stream of what follows a version or a cursor. */
  readonly open: (after: After, signal: AbortSignal) => Promise<Opened>;
  readonly signal: AbortSignal | undefined;
  readonly limits: Pick<Settled, "timeout" | "patience" | "silence">;
}

/** How to follow a game. */
export interface Source<I extends Item> extends Line<number> {
  /** Fetches what follows a version without a stream. */
  readonly page: Page<I>;
  readonly by: "stream" | "poll";
  readonly after: number;
}

/**
 * A stream broke or was refused for now; another may be opened after so many seconds.
 *
 * It was barren if it brought no message at all, although something accepted the request: probably a proxy that buffers
 * whole responses.
 */
export class Broken extends Error {
  readonly failure: Refused | NoAnswer;
  readonly seconds: number;
  readonly barren: boolean;

  constructor(failure: Refused | NoAnswer, { seconds = 0, barren = false } = {}) {
    super(failure.message);
    this.failure = failure;
    this.seconds = seconds;
    this.barren = barren;
  }
}

/**
 * Yields what follows a version until the game ends, or until the signal aborts it.
 *
 * @throws Refused, NoAnswer
 */
export async function* follow<I extends Item>(source: Source<I>): AsyncGenerator<I, void, undefined> {
  try {
    yield* source.by === "poll" ? polled(source.page, source.after, source.signal) : streams(source);
  } catch (error) {
    if (!source.signal?.aborted) throw error;
  }
}

/** Yields events or frames, reopening the stream whenever it breaks; after barren ones it goes on by long-poll. */
async function* streams<I extends Item>(source: Source<I>): AsyncGenerator<I, void, undefined> {
  const pauses = new Pauses(source.limits.patience, source.signal);
  let version = source.after;
  for (let barren = 0; barren < BARREN; ) {
    try {
      const read = (coming: AsyncIterable<EventSourceMessage>) => inOrder<I>(coming, version);
      for await (const item of stream(source, version, pauses, read)) {
        version = item.version;
        yield item;
      }
      return;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      barren = error.barren ? barren + 1 : 0;
      if (!(await pauses.take(error.seconds))) throw error.failure;
    }
  }
  yield* polled(source.page, version, source.signal);
}

/**
 * Yields what one stream brings; it returns if the game has ended.
 *
 * @throws Broken, Refused
 */
export async function* stream<I, After>(
  source: Line<After>,
  after: After,
  pauses: Pauses,
  read: (coming: AsyncIterable<EventSourceMessage>) => AsyncIterable<I>,
): AsyncGenerator<I, void, undefined> {
  source.signal?.throwIfAborted();
  const line = new AbortController();
  const hangUp = () => line.abort();
  source.signal?.addEventListener("abort", hangUp);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let begun = false;
  const opens = () => {
    begun = true;
  };
  const lives = () => {
    begun = true;
    pauses.progressed();
  };
  try {
    const { data, error, response } = await within(source.limits.timeout, line, source.open(after, line.signal));
    if (response.status === 204) return;
    if (!response.ok || !data) throw notOpened(response, error);
    pauses.answered();
    const heard = (reader = data.getReader());
    const part = () => within(source.limits.silence, line, heard.read());
    yield* read(messages(part, opens, lives));
    throw new Error("It has ended too early");
  } catch (error) {
    if (error instanceof Broken || error instanceof Refused) throw error;
    const barren = !begun && (reader !== undefined || isLate(error));
    throw new Broken(new NoAnswer("The stream is broken", error), { barren });
  } finally {
    source.signal?.removeEventListener("abort", hangUp);
    hangUp();
    reader?.cancel().catch(() => {}); // it is broken already
  }
}

function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function notOpened(response: Response, error: unknown): Broken | Refused {
  const refused = refusal(response, error, false);
  return isPassing(response) ? new Broken(refused, { seconds: retryAfter(response) }) : refused;
}

/** Yields the messages of a stream as they come; calls `opens` at its opening, and `lives` at anything else. */
async function* messages(
  read: () => Promise<ReadableStreamReadResult<Uint8Array>>,
  opens: () => void,
  lives: () => void,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const heard: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => heard.push(message), onComment: lives, onRetry: opens });
  const decoder = new TextDecoder();
  for (let part = await read(); !part.done; part = await read()) {
    parser.feed(decoder.decode(part.value, { stream: true }));
    if (heard.length > 0) lives();
    yield* heard.splice(0);
  }
}

/** Yields the events or frames after a version in order; skips earlier ones, and ends at a gap. */
async function* inOrder<I extends Item>(
  coming: AsyncIterable<EventSourceMessage>,
  after: number,
): AsyncGenerator<I, void, undefined> {
  let version = after;
  for await (const { data } of coming) {
    const item = JSON.parse(data) as I;
    if (firstOf(item) > version + 1) return;
    if (item.version <= version) continue;
    version = item.version;
    yield item;
  }
}
