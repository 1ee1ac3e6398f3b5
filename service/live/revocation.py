"""Ends streams whose token has been replaced.

A message that a token was replaced may be lost; after a gap the tokens themselves are read.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol


class TokenStream(Protocol):
    """A stream that was opened with or without a token."""

    @property
    def caller(self) -> str | None:
        """The player of the token that opened a stream; None without a token."""

    @property
    def proof(self) -> str | None:
        """The proof of the token that opened a stream (`Players.proof`)."""

    def end(self) -> None:
        """Marks a stream whose token was replaced as ended: nothing more is written."""


class StreamsByToken:
    """The open streams, by the players of their tokens. Its coroutines may raise `Unavailable`."""

    def __init__(self, replaced: Callable[[list[str]], Awaitable[set[str]]]) -> None:
        """`replaced` returns the proofs of streams' tokens that are no longer valid."""
        self._replaced = replaced
        self._streams: dict[str, set[TokenStream]] = {}
        self._checking = asyncio.Lock()
        self._has_gap = False

    async def add(self, stream: TokenStream) -> None:
        """Adds a stream to be ended with its token, which may already have been replaced."""
        if stream.caller is not None:
            self._streams.setdefault(stream.caller, set()).add(stream)
            await self._check([stream])

    def discard(self, stream: TokenStream) -> None:
        """Removes a stream from those to be ended with their tokens."""
        if stream.caller is not None and stream.caller in self._streams:
            some = self._streams[stream.caller]
            some.discard(stream)
            if not some:
                del self._streams[stream.caller]

    def players(self) -> list[str]:
        """Returns the players who have a stream open, each once."""
        return list(self._streams)

    def heard(self, proof: str) -> None:
        """Ends a player's open streams, except those of the new token."""
        for stream in self._streams.get(proof.partition(":")[0], ()):
            if stream.proof != proof:
                stream.end()

    def note_gap(self) -> None:
        """Records that news of replaced tokens, which end streams, may have been missed."""
        self._has_gap = True

    async def end_revoked(self) -> None:
        """Ends the open streams whose tokens were replaced, if news of that may have been missed."""
        async with self._checking:
            if self._has_gap:
                self._has_gap = False
                try:
                    await self._check([stream for some in self._streams.values() for stream in some])
                except BaseException:
                    self._has_gap = True
                    raise

    async def _check(self, streams: Iterable[TokenStream]) -> None:
        proofs = {stream.proof for stream in streams if stream.proof is not None}
        replaced = await self._replaced(list(proofs)) if proofs else set()
        for stream in streams if replaced else ():
            if stream.proof in replaced:
                stream.end()
