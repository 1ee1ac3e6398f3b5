"""Reads the token of a request."""

import hmac
import re
from typing import Final

from flask import Request, current_app, request

from api.request.current import limits, service
from api.schemas.players import is_name
from games.errors import Refused
from games.messages import Message

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
