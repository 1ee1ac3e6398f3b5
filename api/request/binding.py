"""Binds the arguments of a view to what a request sends, its token, query and body, after counting the call."""

import functools
import hmac
import re
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from flask import Request, current_app, request
from flask.typing import ResponseReturnValue

from api.request.arguments import Body, read_query
from api.request.current import current_request, limits, service
from api.request.limits import LimitBucket
from api.schemas.fields.base import Query
from api.schemas.players import is_name
from games.errors import Refused, Unavailable
from games.messages import Message
from games.tables.join_codes import guarded

_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]{1,4096}=*)")


def bearer(request: Request, *, required: bool) -> str | None:
    """Returns the token, or None if there is none and none is required.

    Raises:
        Refused: `unauthenticated`, the header is missing or malformed.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        if required:
            raise Refused("unauthenticated", Message("detail.token_missing"))
        return None
    match = _BEARER.fullmatch(header)
    if match is None:
        raise Refused("unauthenticated", Message("detail.token_malformed"))
    return match[1]


def own_token(text: str) -> str:
    """Returns the player's own token for one of an identity provider; any other token as it is.

    Raises:
        Refused: `unauthenticated`, it is not, or no longer, a token of the provider for this service; `rate_limited`,
            it is their first login, and the address has registered too often.
        Unavailable: Redis or the provider cannot be reached.
    """
    logins = service().logins
    return logins.token(text, is_name, _count_registering) if logins is not None else text


def _count_registering() -> None:
    """Counts a first login as a registration.

    Raises:
        Refused: `rate_limited`.
        Unavailable: Redis is away.
    """
    limited = limits()
    if limited is not None:
        limited.count("registering", None, request.environ)


def check_operator(request: Request) -> None:
    """Checks that the token is that of the operators, in constant time.

    Raises:
        Refused: `not_found`, the installation has no such token; `unauthenticated`, it is another one.
    """
    wanted: str = current_app.config["ADMIN_TOKEN"]
    if not wanted:
        raise Refused("not_found", Message("detail.no_such_path"))
    shown = bearer(request, required=True) or ""
    if not hmac.compare_digest(shown.encode(), wanted.encode()):
        raise Refused("unauthenticated", Message("detail.no_operator_token"))


View: TypeAlias = Callable[..., ResponseReturnValue]
TokenUse: TypeAlias = Literal["required", "optional", "none", "operator"]
"""Whose token a call needs: a player's, or the operator's."""
NO_QUERY: Final = Query()
"""For a call with a body and no parameters: what belongs in the body is not ignored in the query."""

JOIN_CODES: Final = frozenset({"join_code", "code"})
"""The names under which a call sends a join code."""


class Arguments(NamedTuple):
    """What a view takes: whose token, the parameters, the body; and the rate limit that counts its calls."""

    token: TokenUse
    query: Query | None
    body: Body | None
    bucket: LimitBucket | None


def bind_arguments(view: View, arguments: Arguments) -> View:
    """Wraps a view function: counts its calls, and passes it what they send.

    flask-smorest's `arguments` takes a tenth of an action, this a fiftieth: most bodies have been read before.
    """
    token, query, body, bucket = arguments
    if token == "none" and query is None and body is None and bucket is None:
        return view
    of_player, required = token in ("required", "optional"), token == "required"
    stored = token != "none" or bucket != "reading"  # calls that need no Redis do not fail without it
    coded = any(schema.fields.keys() & JOIN_CODES for schema in (query, body and body.schema) if schema)

    @functools.wraps(view)
    def handle(**values: Any) -> ResponseReturnValue:
        asked = current_request()
        shown = bearer(asked, required=required) if of_player else None
        limited = limits() if bucket is not None else None
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
            and not JOIN_CODES.isdisjoint((*values.get("query", ()), *values.get("body", ())))
        ):
            with guarded(functools.partial(limited.guard, asked.environ)):
                answer = view(**values)
        else:
            answer = view(**values)
        # The service has checked the token, or it would have refused the call; a ticket goes before a token.
        if shown is not None and "ticket" not in values.get("query", ()):
            service().presence.note(values["token"].partition(".")[0])
        return answer

    return handle
