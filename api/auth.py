"""How a token is read from a request; whose it is and what it may do is for the service to say."""

import re
from typing import Final

from flask import Request

from service.errors import Refused
from service.said import Said

_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]{1,200}=*)")


def bearer(request: Request, *, required: bool) -> str | None:
    """Returns the token of a request, or None if it names none and need not.

    Raises:
        Refused: `unauthenticated`, the header is missing or malformed.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        if required:
            raise Refused("unauthenticated", Said("detail.token_missing"))
        return None
    match = _BEARER.fullmatch(header)
    if match is None:
        raise Refused("unauthenticated", Said("detail.token_malformed"))
    return match[1]
