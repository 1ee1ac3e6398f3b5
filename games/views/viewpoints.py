"""Decides as which viewer, and up to which version, a game is read."""

from typing import Final

from engine.views import ALL, Viewer
from games.errors import Refused, invalid
from games.messages import Message
from games.snapshot import Snapshot
from games.views.view import viewer_of

AS_ALL: Final = "all"


def viewer_as(snapshot: Snapshot, as_: str | int | None, caller: str | None) -> Viewer:
    """Returns the viewer as whom a caller reads a game: a seat or `all` once it has ended, until then themselves.

    The creator of a sandbox reads it as anybody at any time.

    Raises:
        Refused: `game_not_finished`, or `invalid_request` if there is no such seat.
    """
    if as_ is None:
        return viewer_of(snapshot, caller)
    if as_ != AS_ALL and as_ not in range(len(snapshot.players)):
        raise invalid("as", "fault.all_or_seat", last=len(snapshot.players) - 1)
    if not snapshot.may_see_all(caller) and as_ not in snapshot.seats_of(caller):
        if snapshot.ended:
            why = Message("detail.sealed")
        elif snapshot.table.sandbox:
            why = Message("detail.views_in_a_sandbox")
        else:
            why = Message("detail.views_of_others")
        raise Refused("game_not_finished", why)
    return ALL if as_ == AS_ALL else int(as_)


def version_at(snapshot: Snapshot, at: int | None) -> int:
    """Returns up to which version a view reads a game: the newest, unless an earlier one is asked for.

    Raises:
        Refused: `invalid_request`, there is no such version.
    """
    if at is None:
        return snapshot.version
    if not 1 <= at <= snapshot.version:
        raise invalid("at", "fault.versions_1_to", last=snapshot.version)
    return at


def check_after(after: int, last: int, named: str = "after") -> None:
    """Checks that a reader of a game can ask for what comes after a version, up to its version `last`.

    `named` is what the caller gave the version as.

    Raises:
        Refused: `invalid_request`, that would be after the end.
    """
    if after > last:
        raise invalid(named, "fault.versions_up_to", last=last)


def must_act(snapshot: Snapshot, caller: str | None, as_: str | int | None = None) -> bool:
    """Returns whether a game waits for its reader: for an action, or to reveal a nonce.

    It may wait for any of the caller's seats, unless they read it as one of them.
    """
    waiting = snapshot.reveals.waiting if snapshot.reveals is not None else (snapshot.state.to_act,)
    own = snapshot.seats_of(caller)
    return any(seat in waiting for seat in own if as_ in (None, AS_ALL, seat))
