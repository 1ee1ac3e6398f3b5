/** What calls take beside what they are about. */

import type { EditionId, GameStatus, PlayerKind } from "./document.js";
import type { Options } from "./options.js";

/** What every call takes. */
export interface Call {
  /** Ends the call before its time. */
  readonly signal?: AbortSignal | undefined;
}

/** What may go along with whatever is done once only. */
export interface Doing extends Call {
  /** The `Idempotency-Key`, for a call that is to be repeated later, as after a reload; absent: a new one. */
  readonly key?: string | undefined;
}

/** What may go along with a call that is answered with a token. */
export interface Secret extends Doing {
  /** At least 22 characters that nobody can guess, for whoever knows them can ask for the token; absent: new ones. */
  readonly key?: string | undefined;
}

/** Who registers, and where. */
export interface Registration extends Options, Secret {
  /** What others see. */
  readonly name: string;
  /** Absent: a person. */
  readonly kind?: PlayerKind | undefined;
  /** The operator's key, where registering needs one. */
  readonly registrationKey?: string | undefined;
}

/** How to look at a game: by its code if it is unlisted, at an earlier version, or as another once it has ended. */
export interface Look extends Call {
  readonly join_code?: string | undefined;
  readonly at?: number | undefined;
  readonly as?: string | undefined;
}

/** What may go along with an action. */
export interface Acting extends Doing {
  /** The `etag` of the view that is acted on: `StaleVersion` if the game has moved on since. */
  readonly ifMatch?: string | undefined;
  /** Whether the events of the result come with texts. */
  readonly text?: boolean | undefined;
}

/** Where to begin to follow a game, and what to be told. */
export interface Following extends Call {
  /** Only events after this version; absent: from the first. */
  readonly after?: number | undefined;
  /** Whether events come with texts. */
  readonly text?: boolean | undefined;
  /** The code of an unlisted game that one does not sit at. */
  readonly join_code?: string | undefined;
}

/** Where to begin to follow a game, and by what. */
export interface Listening extends Following {
  /** Absent or `stream`: an event stream, and long-poll where streams do not get through. `poll`: long-poll alone. */
  readonly by?: "stream" | "poll" | undefined;
}

/** What the address of a stream is for. */
export interface Addressing extends Following {
  /** Absent: `events`, each with its name. `frames` have no name, so `onmessage` gets them. */
  readonly of?: "events" | "frames" | undefined;
}

/** As whom, from where on and how far to read the events of an ended game. */
export interface Replaying extends Following {
  /** A seat, or `all`. */
  readonly as: string;
  /** Only events up to this version; absent: all. */
  readonly at?: number | undefined;
}

/** Where to begin to be told of one's games. */
export interface Noticing extends Call {
  /** Only notices after this cursor; absent: first what waits for the player now. */
  readonly after?: number | undefined;
}

/** Which games of the lobby. */
export interface Wanted extends Call {
  readonly status?: GameStatus | undefined;
  readonly edition?: EditionId | undefined;
}
