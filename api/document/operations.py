"""Turns a view function into an operation: parses its arguments and collects its documentation.

flask-smorest wraps a view once for each thing it documents, and each wrapper costs time at every call. Here the
documentation is stored on the function, and at most one wrapper reads the arguments.
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import flask_smorest
import marshmallow as ma
from flask.typing import ResponseReturnValue

from api.document.components import PATH_PARAMETERS, refusal_name
from api.document.examples import answer_example
from api.problems.kinds import KINDS
from api.request.arguments import Body, read_query
from api.request.auth import bearer, check_operator, own_token
from api.request.current import application, this
from api.request.limits import LimitBucket, Limits
from api.request.threads import Runs, runs_in
from api.schemas.fields.base import Query
from games.errors import Unavailable
from games.tables.join_codes import guarded

View: TypeAlias = Callable[..., ResponseReturnValue]
TokenUse: TypeAlias = Literal["required", "optional", "none", "operator"]
"""Whose token a call needs: a player's, or the operator's."""


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
}
NO_QUERY: Final = Query()
"""For a call with a body and no parameters: what belongs in the body is not ignored in the query."""
QUOTA_HEADERS = ("RateLimit", "RateLimitPolicy")


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest is not typed
    """The operations of one tag."""

    def operation(
        self,
        method: str,
        rule: str,
        operation_id: str,
        *replies: Reply,
        token: TokenUse,
        refusals: Sequence[str] = (),
        headers: Sequence[str] = (),
        query: Query | None = None,
        body: Body | None = None,
        bucket: LimitBucket | None = None,
        runs: Runs | None = None,
        whole: bool = True,
        more: Mapping[str, Any] | None = None,
    ) -> Callable[[View], View]:
        """Registers a view function as the document's operation; passes it the `token`, `query` and `body` it names.

        `refusals` are the problem codes specific to the operation; codes that follow from its arguments are added.
        `headers` names the request headers that the document declares. `bucket` is the rate limit that counts the call:
        by default reading or acting, by its method, and none outside `/v1`. `runs` says where calls run that take long.
        `whole` says whether it refuses a damaged game. `more` is added to the documentation.
        """
        by_method: LimitBucket = "reading" if method == "GET" else "acting"
        counts = (bucket or by_method) if rule.startswith("/v1/") else None

        def decorate(view: View) -> View:
            documented = reading(view, token, query, body, counts)
            if runs is not None:
                documented = runs_in(runs)(documented)
            if body is not None and body.may_be_long:
                documented.has_long_body = True  # type: ignore[attr-defined]  # where the server looks
            limited = {"rate_limited"} if counts is not None else set()
            of_game = {"damaged"} if "game_id>" in rule and whole else set()
            refused = {*refusals, *implied(token, query, body, headers), *of_game, *limited, *EVERYWHERE}
            documented._apidoc = {  # type: ignore[attr-defined]  # where flask-smorest looks
                "arguments": described_arguments(query, body, headers),
                "response": {"responses": described_replies(operation_id, replies, refused, limited=bool(limited))},
                "manual_doc": {
                    "operationId": operation_id,
                    **sentences(view),
                    # Without a name, openapi-generator names the argument after the schema.
                    **({"x-codegen-request-body-name": "body"} if body is not None else {}),
                    **({"security": SECURITY[token]} if token in SECURITY else {}),
                    PROBLEMS: [code for code in KINDS if code in refused],
                    **(more or {}),
                },
            }
            in_path = [dict(about) for name, about in PATH_PARAMETERS.items() if f":{name}>" in rule]
            self.add_url_rule(rule, view.__name__, documented, methods=[method], parameters=in_path)
            return view

        return decorate


def sentences(view: View) -> dict[str, str]:
    """Returns a view function's docstring as summary and description for the document, each paragraph on one line."""
    summary, *rest = (" ".join(paragraph.split()) for paragraph in (view.__doc__ or "").strip().split("\n\n"))
    return {"summary": summary, "description": "\n\n".join(rest)}


SECURITY: dict[TokenUse, list[dict[str, list[str]]]] = {"optional": [{"token": []}, {}], "none": []}


EVERYWHERE: Final = ("method_not_allowed", "internal_error", "unavailable")
"""The refusals any call may get: the service may be about to stop."""
PROBLEMS: Final = "x-problems"
"""The member of an operation in the document that lists its problem codes."""


def implied(token: TokenUse, query: Query | None, body: Body | None, headers: Sequence[str]) -> set[str]:
    """Returns the problem codes that the document gives an operation for its arguments."""
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
    if "IdempotencyKey" in headers or "SecretIdempotencyKey" in headers:
        codes |= {"invalid_request", "idempotency_key_reused"}
    if "IdempotencyKey" in headers:
        codes.add("not_replicated")
    if "IfMatch" in headers:
        codes.add("stale_version")
    return codes


def reading(
    view: View, token: TokenUse, query: Query | None, body: Body | None, bucket: LimitBucket | None = None
) -> View:
    """Wraps a view function that the document describes: counts its calls, reads its arguments from the request."""
    if token == "none" and query is None and body is None and bucket is None:
        return view
    of_player, required = token in ("required", "optional"), token == "required"
    stored = token != "none" or bucket != "reading"  # calls that need no Redis do not fail without it
    codes = ("join_code", "code")
    coded = any(code in schema.fields for schema in (query, body and body.schema) if schema for code in codes)

    @functools.wraps(view)
    def handle(**values: Any) -> ResponseReturnValue:
        asked = this()
        shown = bearer(asked, required=required) if of_player else None
        app = application()
        limited: Limits | None = app.limits if bucket is not None else None  # type: ignore[attr-defined]  # an `Application`
        if limited is not None and bucket is not None:
            try:
                limited.count(bucket, shown, asked.environ)
            except Unavailable:
                if stored:
                    raise
        if of_player:
            values["token"] = own_token(shown) if shown is not None else None
        if token == "operator":
            check_operator(asked)  # after the call was counted: tokens could be guessed
        if query is not None:
            values["query"] = read_query(asked, query)
        elif body is not None:
            read_query(asked, NO_QUERY)
        if body is not None:
            values["body"] = body.read(asked)
        if (
            coded
            and limited is not None
            and any(code in values.get(part, ()) for part in ("query", "body") for code in codes)
        ):
            with guarded(functools.partial(limited.guard, asked.environ)):
                answer = view(**values)
        else:
            answer = view(**values)
        # The service has checked the token, or it would have refused the call; a ticket goes before a token.
        if shown is not None and "ticket" not in values.get("query", ()):
            app.extensions["billet.service"].presence.note(values["token"].partition(".")[0])
        return answer

    return handle


def described_arguments(query: Query | None, body: Body | None, headers: Sequence[str]) -> dict[str, Any]:
    """Returns the arguments of an operation for the OpenAPI document, in flask-smorest's format."""
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
    """Returns the responses of an operation for the OpenAPI document, in flask-smorest's format."""
    found: dict[int, list[Any]] = {}
    for reply in replies:
        noted: dict[str, Any] = {"description": reply.description, "content_type": reply.media_type}
        if reply.schema is not None:
            noted["schema"] = reply.schema
            noted |= answer_example(operation_id)
        headers = reply.headers + (QUOTA_HEADERS if limited else ())
        if headers:
            noted["headers"] = {HEADER_NAMES.get(name, name): name for name in headers}
        found[reply.status] = [noted]
    for status in sorted({KINDS[code].status for code in refused}):
        found[status] = [refusal_name(status)]
    return found
