"""Describes operations for the OpenAPI document, in flask-smorest's format."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import marshmallow as ma

from api.document.components import PATH_PARAMETERS, REFUSALS
from api.document.examples import answer_example
from api.problems.kinds import KINDS
from api.request.arguments import Body
from api.request.binding import Arguments, TokenUse
from api.schemas.fields.base import Query


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a successful operation."""

    status: int
    schema: ma.Schema | dict[str, Any] | None
    description: str
    headers: tuple[str, ...] = ()
    """Names of headers that the document declares."""
    media_type: str = "application/json"


HEADER_NAMES = {
    "ContentLanguage": "Content-Language",
    "IdempotentReplayed": "Idempotent-Replayed",
    "RateLimitPolicy": "RateLimit-Policy",
    "RetryAfter": "Retry-After",
}
QUOTA_HEADERS = ("RateLimit", "RateLimitPolicy")
SECURITY: dict[TokenUse, list[dict[str, list[str]]]] = {"optional": [{"token": []}, {}], "none": []}


EVERYWHERE: Final = ("method_not_allowed", "internal_error", "unavailable")
"""The refusals any call may get: the service may be about to stop."""
PARAMETER: Final = re.compile(r":(\w+)>")
"""The name of a parameter in a rule."""
PROBLEMS: Final = "x-problems"
"""The member of an operation in the document that lists its problem codes."""


def described(
    view: Callable[..., Any],
    rule: str,
    operation_id: str,
    replies: Sequence[Reply],
    arguments: Arguments,
    *,
    refusals: Sequence[str],
    headers: Sequence[str],
    whole: bool,
) -> dict[str, Any]:
    """Returns what the document says of an operation.

    `refusals` and `headers` are the codes and request headers of its own. `whole` says whether it refuses a damaged
    game.
    """
    token, query, body, bucket = arguments
    headers = [*headers, *implied_headers(replies, headers)]
    limited = {"rate_limited"} if bucket is not None else set()
    of_game = {"damaged"} if "game_id>" in rule and whole else set()
    refused = {*refusals, *implied_codes(token, query, body, headers), *of_game, *limited, *EVERYWHERE}
    return {
        "arguments": described_arguments(query, body, headers),
        "response": {"responses": described_replies(operation_id, replies, refused, limited=bool(limited))},
        "manual_doc": {
            "operationId": operation_id,
            **sentences(view),
            # Without a name, openapi-generator names the argument after the schema.
            **({"x-codegen-request-body-name": "body"} if body is not None else {}),
            **({"security": SECURITY[token]} if token in SECURITY else {}),
            PROBLEMS: [code for code in KINDS if code in refused],
        },
    }


def implied_headers(replies: Sequence[Reply], own: Sequence[str]) -> Iterator[str]:
    """Yields the request headers that replies depend on, besides an operation's own."""
    answered = {name for reply in replies for name in reply.headers}
    if any(reply.status == 304 for reply in replies):
        yield "IfNoneMatch"
    if "IdempotentReplayed" in answered and not any(name.endswith("IdempotencyKey") for name in own):
        yield "IdempotencyKey"
    if "ContentLanguage" in answered:
        yield "AcceptLanguage"


def described_path(rule: str) -> list[dict[str, Any]]:
    """Returns the parameters in the path of an operation, each of which the document describes once."""
    return [dict(PATH_PARAMETERS[name]) for name in PARAMETER.findall(rule)]


def sentences(view: Callable[..., Any]) -> dict[str, str]:
    """Returns a docstring as summary and description, each paragraph on one line."""
    summary, *rest = (" ".join(paragraph.split()) for paragraph in (view.__doc__ or "").strip().split("\n\n"))
    return {"summary": summary, "description": "\n\n".join(rest)}


def implied_codes(token: TokenUse, query: Query | None, body: Body | None, headers: Sequence[str]) -> set[str]:
    """Returns the problem codes that follow from the arguments of an operation."""
    codes = set()
    if token != "none":
        codes.add("unauthenticated")
    if token == "operator":
        codes.add("not_found")
    elif token != "none":
        codes.add("banned")
    if query is not None:
        codes.add("invalid_request")
    if body is not None:
        codes |= {"malformed_request", "request_timeout", "content_too_large", "unsupported_media_type"}
        codes.add("invalid_request")
    if any(name.endswith("IdempotencyKey") for name in headers):
        codes |= {"invalid_request", "idempotency_key_reused"}
    if "IdempotencyKey" in headers:
        codes.add("not_replicated")
    if "IfMatch" in headers:
        codes.add("stale_version")
    return codes


def described_arguments(query: Query | None, body: Body | None, headers: Sequence[str]) -> dict[str, Any]:
    """Returns the parameters and the body of an operation."""
    found: list[Any] = list(headers)
    if query is not None:
        found.append({"in": "query", "schema": query})
    if body is not None:
        examples = {
            name: {"summary": name.replace("_", " ").capitalize(), "value": value}
            for name, value in body.examples.items()
        }
        found.append({"in": "json", "required": body.required, "schema": body.schema, "examples": examples})
    return {"parameters": found}


def described_replies(
    operation_id: str, replies: Sequence[Reply], refused: Collection[str], *, limited: bool
) -> dict[int, list[Any]]:
    """Returns the responses of an operation by status."""
    found: dict[int, list[Any]] = {}
    for reply in replies:
        noted: dict[str, Any] = {"description": reply.description, "content_type": reply.media_type}
        if reply.schema is not None:
            noted["schema"] = reply.schema
            noted |= answer_example(operation_id, reply.status)
        headers = reply.headers + (QUOTA_HEADERS if limited else ())
        if headers:
            noted["headers"] = {HEADER_NAMES.get(name, name): name for name in headers}
        found[reply.status] = [noted]
    for status in sorted({KINDS[code].status for code in refused}):
        found[status] = [REFUSALS[status][0]]
    return found
