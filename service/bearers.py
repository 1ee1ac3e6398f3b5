"""Ends the streams whose token has been replaced; what they carry is for `feeds`, what a token is for `players`.

That a token was replaced is heard. What is heard is a hint that may be lost: what may not have been heard is read.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol


class Bearer(Protocol):
    """A stream that was opened with a token, or without."""

    @property
    def caller(self) -> str | None:
        """The player whose token it was; None if there was none."""

    @property
    def proof(self) -> str | None:
        """What shows which token it was (`Players.proof`)."""

    def end(self) -> None:
        """Says that nothing more will be written."""


class Bearers:
    """The open streams by the players whose tokens have opened them."""

    def __init__(self, replaced: Callable[[list[str]], Awaitable[set[str]]]) -> None:
        """`replaced` reads which of some proofs are of tokens that are not valid any more."""
        self._replaced = replaced
        self._streams: dict[str, set[Bearer]] = {}
        self._settling = asyncio.Lock()
        self._doubted = False

    async def add(self, stream: Bearer) -> None:
        """Lets a stream be ended with its token, which may have been replaced since it was shown.

        Raises:
            Unavailable: Redis is away.
        """
        if stream.caller is not None:
            self._streams.setdefault(stream.caller, set()).add(stream)
            await self._check([stream])

    def discard(self, stream: Bearer) -> None:
        """Lets a stream go."""
        if stream.caller is not None and stream.caller in self._streams:
            some = self._streams[stream.caller]
            some.discard(stream)
            if not some:
                del self._streams[stream.caller]

    def heard(self, proof: str) -> None:
        """Ends the streams of a player but those of the token that has taken the place of all others."""
        for stream in self._streams.get(proof.partition(":")[0], ()):
            if stream.proof != proof:
                stream.end()

    def doubt(self) -> None:
        """Notes that something may not have been heard."""
        self._doubted = True

    async def settle(self) -> None:
        """Returns when no stream is open whose token was replaced unheard.

        Raises:
            Unavailable: Redis is away.
        """
        async with self._settling:
            if self._doubted:
                self._doubted = False
                try:
                    await self._check([stream for some in self._streams.values() for stream in some])
                except BaseException:
                    self._doubted = True
                    raise

    async def _check(self, streams: Iterable[Bearer]) -> None:
        proofs = {stream.proof for stream in streams if stream.proof is not None}
        replaced = await self._replaced(list(proofs)) if proofs else set()
        for stream in streams if replaced else ():
            if stream.proof in replaced:
                stream.end()
