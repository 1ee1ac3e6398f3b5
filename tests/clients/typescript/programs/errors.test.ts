/** Every code of the document has a class that fits its status, and so have those of later versions. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as billet from "billet-client";

import { problem, scripted } from "./scripted.js";

const { components } = JSON.parse(readFileSync(process.env["DOCUMENT"]!, "utf-8"));
const CODES = [...components.schemas.Problem.description.matchAll(/^- `(\w+)` \((\d+)\)/gm)];
const CLASSES: Record<string, keyof typeof billet> = {
  aids_off: "AidsOff",
  no_breaks: "Conflict",
  archive_unavailable: "Unavailable",
  banned: "Forbidden",
  content_too_large: "InvalidRequest",
  cursor_gone: "CursorGone",
  damaged: "Failed",
  game_full: "GameFull",
  game_not_finished: "GameNotFinished",
  game_not_started: "GameNotStarted",
  game_over: "GameOver",
  idempotency_key_reused: "KeyReused",
  illegal_action: "IllegalAction",
  internal_error: "Failed",
  invalid_request: "InvalidRequest",
  join_code_wrong: "JoinCodeWrong",
  malformed_request: "InvalidRequest",
  method_not_allowed: "Refused",
  nonce_mismatch: "NonceMismatch",
  not_accepted: "NotAccepted",
  removed: "Removed",
  not_creator: "NotCreator",
  not_found: "NotFound",
  not_replicated: "Unavailable",
  not_seated: "NotSeated",
  not_your_turn: "NotYourTurn",
  player_at_table: "PlayerAtTable",
  rate_limited: "RateLimited",
  registration_closed: "RegistrationClosed",
  request_timeout: "Refused",
  stale_version: "StaleVersion",
  token_replaced: "Conflict",
  unauthenticated: "Unauthenticated",
  unavailable: "Unavailable",
  unsupported_media_type: "InvalidRequest",
};

async function failure(t: Parameters<typeof scripted>[0], ...[status, code, more]: Parameters<typeof problem>) {
  const { url } = await scripted(t, problem(status, code, more));
  try {
    return await new billet.Billet({ url, patience: 0 }).me();
  } catch (error) {
    return error;
  }
}

test("every code of the document", async (t) => {
  assert.ok(CODES.length >= 20);
  for (const [, code, status] of CODES) {
    const error = await failure(t, Number(status), code);
    assert.ok(error instanceof billet.Refused && error instanceof billet.BilletError);
    assert.deepEqual([error.name, error.code, error.status], [CLASSES[code], code, Number(status)]);
    assert.equal(error.message, `No: ${code}`);
  }
});

test("codes of later versions go by their status", async (t) => {
  const classes = [];
  for (const status of [402, 403, 409, 412, 422, 507]) classes.push(((await failure(t, status, "new")) as Error).name);
  assert.deepEqual(classes, ["Refused", "Forbidden", "Conflict", "StaleVersion", "InvalidRequest", "Refused"]);
});

test("what one acts on is at hand", async (t) => {
  const legal = [{ action: { type: "play_card", card: "countess" }, text: "Play the Countess" }];
  const illegal = await failure(t, 409, "illegal_action", { reason: "must_play_countess", legal_actions: legal });
  assert.ok(illegal instanceof billet.IllegalAction && illegal instanceof billet.Conflict);
  assert.deepEqual([illegal.reason, illegal.legalActions], ["must_play_countess", legal]);
  const stale = await failure(t, 412, "stale_version", { version: 9 });
  assert.ok(stale instanceof billet.StaleVersion);
  assert.equal(stale.version, 9);
  const errors = [{ field: "seats.0.kind", detail: "What?" }];
  const invalid = await failure(t, 422, "invalid_request", { errors });
  assert.ok(invalid instanceof billet.InvalidRequest);
  assert.deepEqual(invalid.errors, errors);
});
