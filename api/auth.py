"""How a token is read from a request; whose it is and what it may do is for the service to say."""

import re
from typing import Final

from flask import Request

from service.errors import Refused

_BEARER: Final = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]{1,200}=*)")

HOW = "Send the header `Authorization: Bearer TOKEN` with the token you got when you registered."


def bearer(request: Request, *, required: bool) -> str | None:
    """Returns the token of a request, or None if it names none and need not.

    Raises:
        Refused: `unauthenticated`, the header is missing or malformed.
    """
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        if required:
            raise Refused("unauthenticated", f"This call needs a token. {HOW}")
        return None
    match = _BEARER.fullmatch(header)
    if match is None:
        raise Refused("unauthenticated", f"The Authorization header is not a bearer token. {HOW}")
    return match[1]
