"""Checks who may reveal a nonce, and that nobody leaves meanwhile (decision 006)."""

from math import ceil

from engine.events import GameStarted
from engine.shuffle import revealed_digest
from engine.state import ABORTED
from games.causes import Reveal
from games.errors import Refused
from games.messages import Message
from games.player import Player
from games.snapshot import Snapshot


def revealing(snapshot: Snapshot, player: Player, nonce: str) -> Reveal | None:
    """Returns the cause of a player revealing a nonce at a table; None if they have revealed this one before.

    Raises:
        Refused: they have no seat, have committed to no nonce or to another one, or come too early or too late.
    """
    seat = snapshot.seat_of(player.id)
    if seat is None:
        raise Refused("not_seated", Message("detail.no_seat"))
    if snapshot.reveals is not None:
        if seat not in snapshot.reveals.hashes:
            raise _reveal_refused("nonce_not_committed", snapshot)
        if not snapshot.reveals.fits(seat, nonce):
            raise _nonce_mismatch()
        return Reveal(seat, nonce) if seat in snapshot.reveals.waiting else None
    _check_revealed(snapshot, seat, nonce)
    return None


def _check_revealed(snapshot: Snapshot, seat: int, nonce: str) -> None:
    """Checks that a seat of a table has revealed this nonce before."""
    started = snapshot.started.event if snapshot.started is not None else None
    if not isinstance(started, GameStarted):
        if snapshot.state.status == ABORTED:
            raise Refused("game_over", Message("detail.nothing_to_reveal"), version=snapshot.version)
        # A nonce that is sent now is worthless: those who sit down later could know it.
        raise _reveal_refused("reveal_not_begun" if seat in snapshot.committed else "nonce_not_committed", snapshot)
    if seat not in started.committed:
        raise _reveal_refused("nonce_not_committed", snapshot)
    if seat in started.unrevealed:
        raise _reveal_refused("reveal_over", snapshot)
    if started.nonces[seat] != revealed_digest(nonce):
        raise _nonce_mismatch()


def check_may_get_up(snapshot: Snapshot, now: int) -> None:
    """Checks that a table waits for no nonces: nobody may leave who has seen those of others.

    Raises:
        Refused: `illegal_action`, with the seconds until it is possible.
    """
    if snapshot.reveals is not None:
        seconds = max(1, ceil((snapshot.reveals.until - now) / 1000))
        reason = "reveal_in_progress"
        raise Refused("illegal_action", Message(f"reason.{reason}"), reason=reason, retry_after=seconds)


def _reveal_refused(reason: str, snapshot: Snapshot) -> Refused:
    return Refused("illegal_action", Message(f"reason.{reason}"), reason=reason, version=snapshot.version)


def _nonce_mismatch() -> Refused:
    return Refused("nonce_mismatch", Message("detail.nonce_mismatch"))
