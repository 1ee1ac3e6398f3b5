"""Reads the token of a request."""

import hmac
import re
from typing import Final

from flask import Request, current_app

from games.errors import Refused
from games.messages import Message

_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]{1,200}=*)")


def bearer(request: Request, *, required: bool) -> str | None:
    """Returns the token of a request, or None if it has none and none is required.

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


def demand_operator(request: Request) -> None:
    """Checks that a request has the token of the operators, compared in constant time.

    Raises:
        Refused: `not_found`, the installation has no such token; `unauthenticated`, it is another one.
    """
    wanted: str = current_app.config["ADMIN_TOKEN"]
    if not wanted:
        raise Refused("not_found", Message("detail.no_such_path"))
    shown = bearer(request, required=True) or ""
    if not hmac.compare_digest(shown.encode(), wanted.encode()):
        raise Refused("unauthenticated", Message("detail.token_not_valid"))
