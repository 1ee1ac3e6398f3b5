/** What a call can fail with: a class for each thing that one does something about. */

import type { Fault, LegalAction, Problem } from "./document.js";

/** Everything that this package itself throws. */
export class BilletError extends Error {
  /** Whether the service may have done all the same what was asked for. */
  readonly maybeDone: boolean;

  constructor(message: string, maybeDone: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.maybeDone = maybeDone;
  }
}

/** No answer came, however often the call was repeated; `cause` says why to the last attempt. */
export class NoAnswer extends BilletError {
  constructor(message: string, cause: unknown) {
    super(message, true, { cause });
  }
}

/** What has answered is no Billet service: look at the address, and at what stands before it. */
export class NotUnderstood extends BilletError {
  constructor(message: string) {
    super(message, true);
  }
}

/**
 * The service has answered with a problem. A code without a class of its own, such as one of a later version, has that
 * of its status.
 */
export class Refused extends BilletError {
  /** The whole answer; its `detail`, in the client's language, is also the message. */
  readonly problem: Problem;

  constructor(problem: Problem, afterLoss: boolean) {
    super(problem.detail, afterLoss || problem.status >= 500);
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }

  /** The kind of problem as a stable word. Empty if not the service has answered, but something in front of it. */
  get code(): string {
    return this.problem.code;
  }

  /** Why more exactly, as a stable word. */
  get reason(): string | undefined {
    return this.problem.reason;
  }
}

/** 401: the call needs a token, or the one it bears is not valid any more. */
export class Unauthenticated extends Refused {}

/** 403: not for this player. */
export class Forbidden extends Refused {}

/** Only those who sit at the game may do that; a seat that was left or forfeited is lost. */
export class NotSeated extends Forbidden {}

/** Only the player who opened the table may do that. */
export class NotCreator extends Forbidden {}

/** The other player takes no invitations from this one. */
export class NotAccepted extends Forbidden {}

/** The game is unlisted, and its join code is missing or wrong: ask for it. */
export class JoinCodeWrong extends Forbidden {}

/** Registering needs the operator's key, and it is missing or wrong. */
export class RegistrationClosed extends Forbidden {}

/** 404: there is no such game or edition. */
export class NotFound extends Refused {}

/** 409: not now, as the game stands. */
export class Conflict extends Refused {}

/** The rules forbid it; `reason` says which one. */
export class IllegalAction extends Conflict {
  /** What the seat may do instead. */
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

/** Who is to be invited sits at the table already, or is invited to another of its seats. */
export class PlayerAtTable extends Conflict {}

/** The nonce is not the one that the player has committed to. */
export class NonceMismatch extends Conflict {}

/** The game has ended. */
export class GameOver extends Conflict {}

/** That is possible only when the game has ended. */
export class GameNotFinished extends Conflict {}

/** The key came with another call before. */
export class KeyReused extends Conflict {}

/** 410: what came after the cursor is not kept any more; begin anew, without one. */
export class CursorGone extends Refused {}

/** 412: the game has moved on since the view that was acted on. */
export class StaleVersion extends Refused {
  /** The version it is at now. */
  get version(): number | undefined {
    return this.problem.version;
  }
}

/** 400, 413, 415 or 422: the call holds something that cannot be. */
export class InvalidRequest extends Refused {
  /** Everything that is wrong with it. */
  get errors(): readonly Fault[] {
    return this.problem.errors ?? [];
  }
}

/** 429: a limit is reached, and the wait is longer than the client's patience. */
export class RateLimited extends Refused {
  /** The limit's name. */
  get limit(): string | undefined {
    return this.problem.limit;
  }

  /** The seconds to wait. */
  get retryAfter(): number | undefined {
    return this.problem.retry_after;
  }
}

/** 502, 503 or 504: the service, or a part of it, has been away for longer than the client's patience. */
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

/** Returns the error for an answer with a status of 400 or above; `afterLoss` if an attempt before it was lost. */
export function refusal(response: Response, body: unknown, afterLoss: boolean): Refused {
  const problem = isProblem(body) ? body : unnamed(response);
  const kind = BY_CODE.get(problem.code) ?? BY_STATUS.get(response.status) ?? Refused;
  return new kind(problem, afterLoss);
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "status" in body && "detail" in body;
}

/** A problem for the answer of a proxy or of another server, which knows nothing of codes. */
function unnamed({ status, statusText, url }: Response): Problem {
  const title = statusText || `Status ${status}`;
  const detail = `${title}, and it was not the service that said so`;
  return { type: "about:blank", title, status, detail, instance: url, code: "" };
}
