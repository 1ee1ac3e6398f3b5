"""Reads the token of a request."""

import re
from typing import Final

from flask import Request

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
