"""Tracks commit and reveal: the nonces that players committed to, while a full table waits for them (decision 006)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.events import Event, NonceRevealed, RevealStarted, SeatTaken
from engine.shuffle import nonce_digest, revealed_digest

REVEAL_MS: Final = 15_000
"""How long a full table waits for nonces, in milliseconds."""
LEAST_NONCE: Final = 32
MOST_NONCE: Final = 200
"""In characters: fewer could be guessed from the hash."""


@dataclass(frozen=True, slots=True)
class Reveals:
    """The commitments of a full table and the nonces revealed so far."""

    since: int
    """When the last seat was taken, in milliseconds since 1970."""
    hashes: Mapping[int, str]
    """By seat: the hash of the nonce that its player has committed to."""
    nonces: Mapping[int, str]
    """By seat: the nonce, where it is revealed."""

    @property
    def until(self) -> int:
        """Returns when a full table's game starts without the missing nonces, in milliseconds since 1970."""
        return self.since + REVEAL_MS

    @property
    def waiting(self) -> tuple[int, ...]:
        """Returns the seats of a full table that have not revealed their nonces."""
        return tuple(seat for seat in self.hashes if seat not in self.nonces)

    def over(self, now: int) -> bool:
        """Returns whether a full table waits for no nonce any longer, at a time in milliseconds since 1970.

        If the clock was set back by more than the whole wait, the time is unknown, and the game starts.
        """
        return abs(now - self.since) >= REVEAL_MS

    def fits(self, seat: int, nonce: str) -> bool:
        """Returns whether a nonce is the one that a seat of a full table committed to."""
        return is_nonce(nonce) and self.hashes.get(seat) == nonce_digest(nonce)

    def with_nonce(self, seat: int, nonce: str) -> "Reveals":
        """Returns the commitments of a full table with one more nonce revealed."""
        return Reveals(self.since, self.hashes, {**self.nonces, seat: nonce})

    def contributions(self, nonces: Iterable[str]) -> list[str]:
        """Returns what a table adds to the shuffle, by seat; `nonces` are digests of those sent without commitment."""
        return [
            nonce if seat not in self.hashes else revealed_digest(self.nonces[seat]) if seat in self.nonces else ""
            for seat, nonce in enumerate(nonces)
        ]


def is_nonce(nonce: str) -> bool:
    """Returns whether a text fits as a nonce to commit to: long enough, and not too long."""
    return LEAST_NONCE <= len(nonce) <= MOST_NONCE


def reveals_of(events: Iterable[tuple[int, Event]]) -> Reveals | None:
    """Returns the commitments of a full table from its events with their times; None if nobody has committed."""
    since: int | None = None
    hashes: dict[int, str] = {}
    nonces: dict[int, str] = {}
    for at, event in events:
        match event:
            case SeatTaken(seat, _, _, nonce_hash):
                hashes[seat] = nonce_hash
            case RevealStarted():
                since = at
            case NonceRevealed(seat, nonce):
                nonces[seat] = nonce
    if since is None:
        return None
    return Reveals(since, {seat: hashes[seat] for seat in sorted(hashes) if hashes[seat]}, nonces)
