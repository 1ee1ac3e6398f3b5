"""Headers, parameters and error responses that the document defines once and refers to."""

from typing import Any, Final

from api.schemas.fields.base import MAX_SEAT
from games.texts.catalogue import LANGUAGES, catalogue

TEXT: Final = {"type": "string"}
CODES: Final = catalogue("en").listed([f"`{language}`" for language in LANGUAGES], "or")
"""The codes of the languages, as in "`en` or `de`"."""


def _header(description: str, schema: dict[str, Any] = TEXT, **name: str) -> dict[str, Any]:
    return {**name, "description": description, "schema": schema}


HEADERS: Final[dict[str, dict[str, Any]]] = {
    "ETag": _header("The tag of this state as you see it; send it back as `If-None-Match` or `If-Match`."),
    "ContentLanguage": _header(f"The language of the texts in the answer, if there are any: {CODES}."),
    "Location": _header(
        "The path of what is new: a game, or a queue ticket.", {"type": "string", "format": "uri-reference"}
    ),
    "IdempotentReplayed": _header(
        "`true` when this is the stored answer to an earlier call with the same `Idempotency-Key`."
    ),
    "RetryAfter": _header(
        "Seconds to wait before the next attempt.", {"type": "integer", "minimum": 0, "maximum": 86400}
    ),
    "RateLimit": _header(
        'What is left of the limit that counted the call: `"acting";r=99;t=7` is 99 calls for the next 7 seconds. '
        "Absent where there is no limit."
    ),
    "RateLimitPolicy": _header(
        'The limit that `RateLimit` is about: `"acting";q=100;w=10` is 100 calls in 10 seconds.'
    ),
    "Allow": _header("The methods that the path supports."),
    "WWWAuthenticate": _header("How to authenticate: `Bearer`."),
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
    return _header(
        f"The {what} you got: the stream continues after it. Browsers send it by themselves. Where a polyfill of "
        "`EventSource` sends it as `lastEventId` in the query, that will do.",
        {"type": "string", "pattern": "^[0-9]{1,16}$", "maxLength": 16},
        name="Last-Event-ID",
    )


HEADER_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "IdempotencyKey": _header(
        "Makes the call safe to retry: for a day a call with the same key and body gets the first answer again, in its "
        "language. A key is for one call of a player: any other call with it, at another game or of another kind, is "
        "refused with 409 `idempotency_key_reused`. 1 to 200 visible ASCII characters: use a random UUID for each "
        "call.",
        {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        name="Idempotency-Key",
    ),
    "SecretIdempotencyKey": _header(
        "Makes the call safe to retry: for a day the same call with the same key gets the same token again. So can "
        "anybody who knows the key: use a random UUID, or another text that is as hard to guess, and keep it secret. "
        "22 to 200 visible ASCII characters.",
        {"type": "string", "minLength": 22, "maxLength": 200, "pattern": "^[!-~]+$"},
        name="Idempotency-Key",
    ),
    "TicketIdempotencyKey": _header(
        "Makes the call safe to retry: as long as the ticket or the match is kept, a call with the same key and body "
        "gets the same one, as it is then. 1 to 200 visible ASCII characters: use a random UUID for each call.",
        {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        name="Idempotency-Key",
    ),
    "AcceptLanguage": _header(
        f"The language of names and texts: {CODES}, with qualities if you like; of `de-AT` only `de` counts. Absent, "
        f"or no language of these: `{LANGUAGES[0]}`. Ids, codes and reasons do not depend on it.",
        name="Accept-Language",
    ),
    "LastEventID": _last_event_id("version of the last event"),
    "LastNoticeID": _last_event_id("cursor of the last notice"),
    "LastChangeID": _last_event_id("number of the last change"),
    "LastResultID": _last_event_id("cursor of the last result"),
    "RegistrationKey": _header(
        "The operator's key, if registering needs one; otherwise it is ignored.", name="Registration-Key"
    ),
    "IfMatch": _header(
        "The `ETag` of the view that you act on, read in any language: the action is refused if the game has moved on "
        "since.",
        name="If-Match",
    ),
    "IfNoneMatch": _header(
        "The `ETag` of an earlier answer: you get 304 without a body while nothing has changed.", name="If-None-Match"
    ),
}

ID_SCHEMA: Final = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"}

EXAMPLE_POOL: Final = "standard-2-live-people"
POOL_SCHEMA: Final = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9+-]+$"}

SEAT_SCHEMA: Final = {"type": "integer", "minimum": 0, "maximum": MAX_SEAT, "examples": [1]}
"""openapi-qraft fails at a parameter whose own example is a number, not at that of its schema."""

PATH_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    name: {"in": "path", "name": name, "description": description, "schema": schema, **example}
    for name, description, schema, example in (
        ("game_id", "The game's id.", ID_SCHEMA, {"example": "game-1"}),
        ("seat", "The number of the seat.", SEAT_SCHEMA, {}),
        ("ticket_id", "The queue ticket's id.", ID_SCHEMA, {"example": "ticket-1"}),
        ("match_id", "The match's id.", ID_SCHEMA, {"example": "match-1"}),
        ("date", "The day in UTC.", ID_SCHEMA, {"example": "2026-01-31"}),
        ("player_id", "The player's id.", ID_SCHEMA, {"example": "player-1"}),
        (
            "pool",
            "The pool's id, as the list of leaderboards gives it.",
            POOL_SCHEMA,
            {"example": EXAMPLE_POOL},
        ),
        ("edition_id", "The edition's id, as the list of editions gives it.", ID_SCHEMA, {"example": "standard"}),
    )
}
