/** The errors of calls: a class for each problem code that a program is likely to handle. */

import type { Fault, LegalAction, Problem } from "./document.js";

/** The base of all errors of calls. */
export class BilletError extends Error {
  /** Whether the call may have taken effect all the same. */
  readonly maybeDone: boolean;

  constructor(message: string, maybeDone: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.maybeDone = maybeDone;
  }
}

/** The service did not answer at any attempt; `cause` is the error of the last one. */
export class NoAnswer extends BilletError {
  constructor(message: string, cause: unknown) {
    super(message, true, { cause });
  }
}

/** The answer does not come from a Billet service: check the address, and the proxies in front of the service. */
export class NotUnderstood extends BilletError {
  constructor(message: string) {
    super(message, true);
  }
}

/**
 * The service answered with a problem. A code without a class of its own, such as one of a later version, has the class
 * of its status.
 */
export class Refused extends BilletError {
  /** The whole problem; its `detail`, in the client's language, is also the message. */
  readonly problem: Problem;

  constructor(problem: Problem, afterLoss: boolean) {
    super(problem.detail, afterLoss || problem.status >= 500);
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }

  /** The kind of problem as a stable word; empty if a proxy in front of the service answered. */
  get code(): string {
    return this.problem.code;
  }

  /** The reason within the kind of problem, as a stable word. */
  get reason(): string | undefined {
    return this.problem.reason;
  }
}

/** 401: the call needs a token, or this client's token is not valid. */
export class Unauthenticated extends Refused {}

/** 403: this player may not do that. */
export class Forbidden extends Refused {}

/** The player has no seat in the game; a seat that they left or forfeited is lost. */
export class NotSeated extends Forbidden {}

/** Only the player who opened the table may do that. */
export class NotCreator extends Forbidden {}

/** The other player takes no invitations from this one, or does not let this one sit at their table. */
export class NotAccepted extends Forbidden {}
/** The creator of the table has removed the player from it. */
export class Removed extends Forbidden {}

/** The table does without aids until the game has ended. */
export class AidsOff extends Forbidden {}

/** The game is unlisted, and its join code is missing or wrong. */
export class JoinCodeWrong extends Forbidden {}

/** Registering needs the operator's key, and it is missing or wrong. */
export class RegistrationClosed extends Forbidden {}

/** 404: there is no such game, player, edition or other thing. */
export class NotFound extends Refused {}

/** 409: the call does not fit the present state, such as that of the game. */
export class Conflict extends Refused {}

/** The rules forbid the action: `reason` names the rule. */
export class IllegalAction extends Conflict {
  /** The actions that the seat may take instead; empty if the service does not list them. */
  get legalActions(): readonly LegalAction[] {
    return this.problem.legal_actions ?? [];
  }
}

/** Another seat must act. */
export class NotYourTurn extends Conflict {}

/** A seat is still open. */
export class GameNotStarted extends Conflict {}

/** The wanted seat, or every seat, is taken. */
export class GameFull extends Conflict {}

/** The invited player sits at the table already, or is invited to another of its seats. */
export class PlayerAtTable extends Conflict {}

/** The nonce does not match the hash that the player committed to. */
export class NonceMismatch extends Conflict {}

/** The game has ended. */
export class GameOver extends Conflict {}

/** The call is possible only after the game has ended. */
export class GameNotFinished extends Conflict {}

/** The idempotency key was used for another call before. */
export class KeyReused extends Conflict {}

/** 410: the service no longer keeps what followed the cursor; begin anew without one. */
export class CursorGone extends Refused {}

/** 412: the game has moved on since the view on which the player acted. */
export class StaleVersion extends Refused {
  /** The present version of the game. */
  get version(): number | undefined {
    return this.problem.version;
  }
}

/** 400, 413, 415 or 422: something in the call is invalid. */
export class InvalidRequest extends Refused {
  /** The faults of the call, each with the member, parameter or header. */
  get errors(): readonly Fault[] {
    return this.problem.errors ?? [];
  }
}

/** 429: a limit is reached, and `retryAfter` is longer than the client's patience. */
export class RateLimited extends Refused {
  /** The name of the limit. */
  get limit(): string | undefined {
    return this.problem.limit;
  }

  /** The seconds to wait. */
  get retryAfter(): number | undefined {
    return this.problem.retry_after;
  }
}

/** 502, 503 or 504: the service, or a part of it, was unavailable for longer than the client's patience. */
export class Unavailable extends Refused {}

/** 500: the service failed. */
export class Failed extends Refused {}

const BY_CODE = new Map<string, typeof Refused>([
  ["game_full", GameFull],
  ["player_at_table", PlayerAtTable],
  ["nonce_mismatch", NonceMismatch],
  ["game_not_finished", GameNotFinished],
  ["game_not_started", GameNotStarted],
  ["game_over", GameOver],
  ["idempotency_key_reused", KeyReused],
  ["illegal_action", IllegalAction],
  ["join_code_wrong", JoinCodeWrong],
  ["not_accepted", NotAccepted],
  ["removed", Removed],
  ["aids_off", AidsOff],
  ["not_creator", NotCreator],
  ["not_seated", NotSeated],
  ["not_your_turn", NotYourTurn],
  ["registration_closed", RegistrationClosed],
]);

const BY_STATUS = new Map<number, typeof Refused>([
  [400, InvalidRequest],
  [401, Unauthenticated],
  [403, Forbidden],
  [404, NotFound],
  [409, Conflict],
  [410, CursorGone],
  [412, StaleVersion],
  [413, InvalidRequest],
  [415, InvalidRequest],
  [422, InvalidRequest],
  [429, RateLimited],
  [500, Failed],
  [502, Unavailable],
  [503, Unavailable],
  [504, Unavailable],
]);

/** Returns the error for a response with a status of 400 or above; `afterLoss` if an earlier attempt was lost. */
export function refusal(response: Response, body: unknown, afterLoss: boolean): Refused {
  const problem = isProblem(body) ? body : unnamed(response);
  const kind = BY_CODE.get(problem.code) ?? BY_STATUS.get(response.status) ?? Refused;
  return new kind(problem, afterLoss);
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "status" in body && "detail" in body;
}

/** Returns a problem without a code, for the response of a proxy or of another server. */
function unnamed({ status, statusText, url }: Response): Problem {
  const title = statusText || `Status ${status}`;
  const detail = `${title}, and it was not the service that said so`;
  return { type: "about:blank", title, status, detail, instance: url, code: "" };
}
