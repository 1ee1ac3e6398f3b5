/** Follows a game over streams that break: every event once, and in order. */

import { createParser, type EventSourceMessage } from "eventsource-parser";

import { isPassing, retryAfter } from "./attempts.js";
import { within } from "./deadlines.js";
import type { GameEvent } from "./document.js";
import { NoAnswer, refusal, Refused } from "./errors.js";
import type { Settled } from "./options.js";
import { Pauses } from "./pauses.js";

/** A stream as it is opened: its body if there is one, or what was answered instead. */
export interface Opened {
  readonly data?: ReadableStream<Uint8Array> | null | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** What is followed, and what is borne meanwhile. */
export interface Source {
  /** Asks for the events after a version. */
  readonly open: (after: number, signal: AbortSignal) => Promise<Opened>;
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  readonly limits: Pick<Settled, "timeout" | "patience" | "silence">;
}

/** A stream that the next one may do better than, after so many seconds. */
class Broken extends Error {
  readonly failure: Refused | NoAnswer;
  readonly seconds: number;

  constructor(failure: Refused | NoAnswer, seconds = 0) {
    super(failure.message);
    this.failure = failure;
    this.seconds = seconds;
  }
}

/**
 * Yields the events after a version until the game ends, or until the signal.
 *
 * @throws Refused, NoAnswer
 */
export async function* follow(source: Source): AsyncGenerator<GameEvent, void, undefined> {
  try {
    yield* streams(source);
  } catch (error) {
    if (!source.signal?.aborted) throw error;
  }
}

/** Yields the events of as many streams as it takes, each of which goes on where the last one broke. */
async function* streams(source: Source): AsyncGenerator<GameEvent, void, undefined> {
  const pauses = new Pauses(source.limits.patience, source.signal);
  let version = source.after;
  for (;;) {
    try {
      for await (const event of stream(source, version, pauses)) {
        version = event.version;
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      if (!(await pauses.take(error.seconds))) throw error.failure;
    }
  }
}

/**
 * Yields the events of one stream; it returns if the game has ended.
 *
 * @throws Broken, Refused
 */
async function* stream(source: Source, after: number, pauses: Pauses): AsyncGenerator<GameEvent, void, undefined> {
  source.signal?.throwIfAborted();
  const line = new AbortController();
  const hangUp = () => line.abort();
  source.signal?.addEventListener("abort", hangUp);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const { data, error, response } = await within(source.limits.timeout, line, source.open(after, line.signal));
    if (response.status === 204) return;
    if (!response.ok || !data) throw notOpened(response, error);
    pauses.answered();
    const heard = (reader = data.getReader());
    const read = () => within(source.limits.silence, line, heard.read());
    yield* inOrder(
      messages(read, () => pauses.progressed()),
      after,
    );
    throw new Error("It has ended before the game");
  } catch (error) {
    if (error instanceof Broken || error instanceof Refused) throw error;
    throw new Broken(new NoAnswer("The stream of the game is broken", error));
  } finally {
    source.signal?.removeEventListener("abort", hangUp);
    hangUp();
    reader?.cancel().catch(() => {}); // it is broken already
  }
}

function notOpened(response: Response, error: unknown): Broken | Refused {
  const refused = refusal(response, error, false);
  return isPassing(response) ? new Broken(refused, retryAfter(response)) : refused;
}

/** Yields the messages of a stream as they come; `alive` is told of each, and of comments. */
async function* messages(
  read: () => Promise<ReadableStreamReadResult<Uint8Array>>,
  alive: () => void,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const heard: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => heard.push(message), onComment: alive });
  const decoder = new TextDecoder();
  for (let part = await read(); !part.done; part = await read()) {
    parser.feed(decoder.decode(part.value, { stream: true }));
    if (heard.length > 0) alive();
    yield* heard.splice(0);
  }
}

/** Yields events that follow a version and each other; what came before is left out, and it ends at a gap. */
async function* inOrder(
  coming: AsyncIterable<EventSourceMessage>,
  after: number,
): AsyncGenerator<GameEvent, void, undefined> {
  let version = after;
  for await (const { data } of coming) {
    const event = JSON.parse(data) as GameEvent;
    if (event.version > version + 1) return;
    if (event.version <= version) continue;
    version = event.version;
    yield event;
  }
}
