/** Follows a game over streams that break, or without: every event or frame once, and in order. */

import { createParser, type EventSourceMessage } from "eventsource-parser";

import { NoAnswer, refusal, Refused } from "../errors.js";
import type { Settled } from "../options.js";
import { isPassing, retryAfter } from "../sending/attempts.js";
import { within } from "../sending/deadlines.js";
import { Pauses } from "../sending/pauses.js";
import { firstOf, type Item, type Page, polled } from "./polling.js";

/** After so many barren streams in a row one gives them up. */
export const BARREN = 2;

/** A stream as it is opened: its body if there is one, or what was answered instead. */
export interface Opened {
  readonly data?: ReadableStream<Uint8Array> | null | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Where a stream comes from, and what is borne meanwhile. */
export interface Line<After> {
  /** Asks for what comes after a version or a cursor. */
  readonly open: (after: After, signal: AbortSignal) => Promise<Opened>;
  readonly signal: AbortSignal | undefined;
  readonly limits: Pick<Settled, "timeout" | "patience" | "silence">;
}

/** A game that is followed. */
export interface Source<I extends Item> extends Line<number> {
  /** Asks for what comes after a version without a stream. */
  readonly page: Page<I>;
  readonly by: "stream" | "poll";
  readonly after: number;
}

/**
 * A stream that the next one may do better than, after so many seconds.
 *
 * It was barren if nothing came of it, not even its opening, though something had taken the request: so it is behind a
 * proxy that keeps an answer until it is whole.
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
 * Yields what comes after a version until the game ends, or until the signal.
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

/** Yields what comes by as many streams as it takes, each of which goes on where the last one broke, or of pages. */
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
 * Yields what is read of one stream; it returns if the game has ended.
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

/** Yields the messages of a stream as they come; `opens` is told of its opening, `lives` of all else. */
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

/** Yields what follows a version and each other; what came before is left out, and it ends at a gap. */
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
