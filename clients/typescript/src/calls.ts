/** The options of calls. */

import type { EditionId, GameStatus, LanguageCode, PlayerKind } from "./document.js";
import type { Options } from "./options.js";

/** The options of every call. */
export interface Call {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a call that takes effect once, however often it is retried. */
export interface Doing extends Call {
  /** The `Idempotency-Key`, to repeat the call later, such as after a reload; absent: a new one. */
  readonly key?: string | undefined;
}

/** The options of a call that returns a token. */
export interface Secret extends Doing {
  /** The `Idempotency-Key`: at least 22 characters that nobody can guess, as it gives access to the token; absent: new. */
  readonly key?: string | undefined;
}

/** A player to register, and the options of their client. */
export interface Registration extends Options, Secret {
  /** The name that others see. */
  readonly name: string;
  /** Absent: a person. */
  readonly kind?: PlayerKind | undefined;
  /** The operator's key, if registering needs one. */
  readonly registrationKey?: string | undefined;
}

/** How to view a game: an unlisted one by its code, at an earlier version, or once it has ended as another seat. */
export interface Look extends Call {
  readonly join_code?: string | undefined;
  readonly at?: number | undefined;
  readonly as?: string | undefined;
}

/** The options of an action. */
export interface Acting extends Doing {
  /** The `etag` of the view on which you act: the call fails with `StaleVersion` if the game has moved on since. */
  readonly ifMatch?: string | undefined;
  /** Whether the events of the result come with texts. */
  readonly text?: boolean | undefined;
}

/** From where to follow a game, and how. */
export interface Following extends Call {
  /** Only events after this version; absent: from the first. */
  readonly after?: number | undefined;
  /** Whether events come with texts. */
  readonly text?: boolean | undefined;
  /** The join code of an unlisted game in which the player has no seat. */
  readonly join_code?: string | undefined;
}

/** From where to follow a game, as whom, and by which means. */
export interface Listening extends Following {
  /** A seat, or `all`: for an ended game, and at any time for a sandbox of the player; absent: as the player sees it. */
  readonly as?: string | undefined;
  /** Absent or `stream`: an event stream, and long-poll where streams do not get through. `poll`: long-poll alone. */
  readonly by?: "stream" | "poll" | undefined;
}

/** From where to follow a game by an address, and which stream it is. */
export interface Addressing extends Following {
  /** Absent: `events`, each with its name. `frames` have no name, so `onmessage` gets them. */
  readonly of?: "events" | "frames" | undefined;
  /** The language of `frames`; absent: that of the browser. */
  readonly lang?: LanguageCode | undefined;
}

/** As whom to read the events of an ended game, from where, and how far. */
export interface Replaying extends Following {
  /** A seat, or `all`. */
  readonly as: string;
  /** Only events up to this version; absent: all. */
  readonly at?: number | undefined;
}

/** From where to read notices. */
export interface Noticing extends Call {
  /** Only notices after this cursor; absent: first everything that waits for the player now. */
  readonly after?: number | undefined;
}

/** Which games of the lobby. */
export interface Wanted extends Call {
  readonly status?: GameStatus | undefined;
  readonly edition?: EditionId | undefined;
}
