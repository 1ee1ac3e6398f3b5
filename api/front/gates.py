"""Limits how many expensive calls run at once, before reading a byte of their bodies."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, NamedTuple

from api.request.limits import address_of
from games.errors import Refused
from games.messages import Message


class Gate(NamedTuple):
    """How many calls of one kind a process handles at once, from the head to the response."""

    limit: str
    most: int
    each: int
    """How many from one address; otherwise a client that sends its body slowly would keep all others out."""
    detail: str


VERIFYING: Final = "/v1/logs/verify"
"""The call with the longest bodies. It is a POST but changes nothing."""
APART: Final = (VERIFYING, "/v1/logs/read")
"""The calls that the verifying process answers; they share its places."""
GATES: Final[Mapping[tuple[str, str], Gate]] = dict.fromkeys(
    (("POST", path) for path in APART), Gate("verifying_at_once", 8, 1, "detail.verifying_already")
)
"""The gates by method and path; all other calls have no gate."""

_OPEN: Final = nullcontext()


class Gates:
    """The calls that hold a place. Use it from one event loop only."""

    def __init__(self) -> None:
        self._inside: Counter[str] = Counter()
        self._from: Counter[tuple[str, str]] = Counter()

    def held(self, environ: Mapping[str, Any]) -> AbstractContextManager[None]:
        """Holds a place at the front's gate for a costly call during a `with` block, if the call has a gate.

        The block raises:
            Refused: `rate_limited`, all places are taken, or the address has used up its share.
        """
        gate = GATES.get((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        return _OPEN if gate is None else self._held(gate, environ)

    @contextmanager
    def _held(self, gate: Gate, environ: Mapping[str, Any]) -> Iterator[None]:
        origin = gate.limit, address_of(environ)
        if self._inside[gate.limit] >= gate.most or self._from[origin] >= gate.each:
            raise Refused("rate_limited", Message(gate.detail), limit=gate.limit, retry_after=1)
        self._inside[gate.limit] += 1
        self._from[origin] += 1
        try:
            yield
        finally:
            self._inside[gate.limit] -= 1
            self._from[origin] -= 1
            if not self._from[origin]:
                del self._from[origin]
