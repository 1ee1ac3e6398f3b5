"""Headers, parameters and error responses that the document defines once and refers to."""

from typing import Any, Final

from api.request.languages import codes
from api.schemas.fields.base import MAX_SEAT
from games.texts.catalogue import LANGUAGES

TEXT_HEADER: Final = {"type": "string"}

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "ETag": {
        "description": "The tag of this state as you see it; send it back as `If-None-Match` or `If-Match`.",
        "schema": TEXT_HEADER,
    },
    "ContentLanguage": {
        "description": f"The language of the texts in the answer, if there are any: {codes()}.",
        "schema": TEXT_HEADER,
    },
    "Location": {
        "description": "The path of the new game.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "IdempotentReplayed": {
        "description": "`true` when this is the stored answer to an earlier call with the same `Idempotency-Key`.",
        "schema": TEXT_HEADER,
    },
    "RetryAfter": {
        "description": "Seconds to wait before the next attempt.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 86400},
    },
    "RateLimit": {
        "description": 'What is left of the limit that counted the call: `"acting";r=99;t=7` is 99 calls for '
        "the next 7 seconds. Absent where there is no limit.",
        "schema": TEXT_HEADER,
    },
    "RateLimitPolicy": {
        "description": 'The limit that `RateLimit` is about: `"acting";q=100;w=10` is 100 calls in 10 seconds.',
        "schema": TEXT_HEADER,
    },
    "Allow": {"description": "The methods that the path supports.", "schema": TEXT_HEADER},
    "WWWAuthenticate": {"description": "How to authenticate: `Bearer`.", "schema": TEXT_HEADER},
}

REFUSALS: Final[dict[int, tuple[str, str, dict[str, str]]]] = {
    400: ("BadRequest", "The body is not JSON, or uses JSON in a way that could be read in two ways.", {}),
    401: ("Unauthorized", "No valid token came with the call.", {"WWW-Authenticate": "WWWAuthenticate"}),
    403: ("Forbidden", "You are known but may not do this.", {}),
    404: ("NotFound", "There is no such thing, or you may not know of it.", {}),
    405: (
        "MethodNotAllowed",
        "The path does not support this method; `Allow` lists those it does.",
        {"Allow": "Allow"},
    ),
    408: ("RequestTimeout", "The body did not arrive within ten seconds.", {}),
    409: ("Conflict", "The call does not fit the present state; `code` says why.", {"Retry-After": "RetryAfter"}),
    410: ("Gone", "What you ask for is no longer kept.", {}),
    412: ("PreconditionFailed", "The game has moved on since the version named by `If-Match`.", {}),
    413: ("ContentTooLarge", "The body is too long.", {}),
    415: ("UnsupportedMediaType", "The body is not `application/json`, or is compressed.", {}),
    422: ("UnprocessableContent", "The call is well-formed but not valid; `errors` says where.", {}),
    429: (
        "TooManyRequests",
        "A limit is reached; `limit` says which.",
        {"Retry-After": "RetryAfter", "RateLimit": "RateLimit", "RateLimit-Policy": "RateLimitPolicy"},
    ),
    500: ("InternalServerError", "The service failed; it may or may not have done what you asked.", {}),
    503: (
        "ServiceUnavailable",
        "A part that the service needs is down; the call was carried out completely or not at all.",
        {"Retry-After": "RetryAfter"},
    ),
}
"""The refusals by status: the component's name, its description, its headers."""


def _last_event_id(what: str) -> dict[str, Any]:
    return {
        "name": "Last-Event-ID",
        "description": f"The {what} you got: the stream continues after it. Browsers send it by themselves.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,16}$", "maxLength": 16},
    }


HEADER_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "description": "Makes the call safe to retry: for a day a call with the same key and body gets the first "
        "answer again, in its language. A key is for one call of a player: any other call with it, at "
        "another game or of another kind, is refused with 409 `idempotency_key_reused`. 1 to 200 "
        "visible ASCII characters: use a random UUID for each call.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
    },
    "SecretIdempotencyKey": {
        "name": "Idempotency-Key",
        "description": "Makes the call safe to retry: for a day the same call with the same key gets the same token "
        "again. So can anybody who knows the key: use a random UUID, or another text that is as hard to guess, "
        "and keep it secret. 22 to 200 visible ASCII characters.",
        "schema": {"type": "string", "minLength": 22, "maxLength": 200, "pattern": "^[!-~]+$"},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "description": f"The language of names and texts: {codes()}, with qualities if you like; of `de-AT` only `de` "
        f"counts. Absent, or no language of these: `{LANGUAGES[0]}`. Ids, codes and reasons do not depend on it.",
        "schema": TEXT_HEADER,
    },
    "LastEventID": _last_event_id("version of the last event"),
    "LastNoticeID": _last_event_id("cursor of the last notice"),
    "LastChangeID": _last_event_id("number of the last change"),
    "RegistrationKey": {
        "name": "Registration-Key",
        "description": "The operator's key, if registering needs one; otherwise it is ignored.",
        "schema": TEXT_HEADER,
    },
    "IfMatch": {
        "name": "If-Match",
        "description": "The `ETag` of the view that you act on, read in any language: the action is refused if the "
        "game has moved on since.",
        "schema": TEXT_HEADER,
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "description": "The `ETag` of an earlier answer: you get 304 without a body while nothing has changed.",
        "schema": TEXT_HEADER,
    },
}

ID_SCHEMA: Final = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"}

PATH_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game_id": {
        "in": "path",
        "name": "game_id",
        "description": "The game's id.",
        "schema": ID_SCHEMA,
        "example": "game-1",
    },
    "seat": {
        "in": "path",
        "name": "seat",
        "description": "The number of the seat.",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_SEAT},
        "example": 1,
    },
    "player_id": {
        "in": "path",
        "name": "player_id",
        "description": "The player's id.",
        "schema": ID_SCHEMA,
        "example": "player-1",
    },
    "edition_id": {
        "in": "path",
        "name": "edition_id",
        "description": "The edition's id, as the list of editions gives it.",
        "schema": ID_SCHEMA,
        "example": "standard",
    },
}


def refusal_name(status: int) -> str:
    """Returns the name of the component that documents a refusal."""
    return REFUSALS[status][0]
