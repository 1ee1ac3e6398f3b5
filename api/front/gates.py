"""Limits how many calls that verify logs run at once, before reading a byte of their bodies."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

from api.request.limits import address_of
from games.errors import Refused
from games.messages import Message

VERIFYING: Final = "/v1/logs/verify"
"""The call with the longest bodies. It is a POST but changes nothing."""
APART: Final = (VERIFYING, "/v1/logs/read")
"""The calls that the verifying process answers; they share its places."""
MOST: Final = 8
"""How many of these calls a process handles at once, from the head to the response."""

_OPEN: Final = nullcontext()


class Gate:
    """The addresses whose calls hold a place. Use it from one event loop only."""

    def __init__(self) -> None:
        self._inside: set[str] = set()

    def held(self, environ: Mapping[str, Any]) -> AbstractContextManager[None]:
        """Holds a place at the front's gate during a `with` block, if the call verifies a log.

        The block raises:
            Refused: `rate_limited`, all places are taken, or the address has one already. Otherwise a client that sends
                its body slowly would keep all others out.
        """
        is_apart = environ["REQUEST_METHOD"] == "POST" and environ["PATH_INFO"] in APART
        return self._held(address_of(environ)) if is_apart else _OPEN

    @contextmanager
    def _held(self, address: str) -> Iterator[None]:
        if len(self._inside) >= MOST or address in self._inside:
            raise Refused("rate_limited", Message("detail.verifying_already"), limit="verifying_at_once", retry_after=1)
        self._inside.add(address)
        try:
            yield
        finally:
            self._inside.remove(address)
