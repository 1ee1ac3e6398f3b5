"""Derives players' notices from the log.

A notice says where to look, not what to see: it contains no card and nothing its reader may not see.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.events import (
    GameAborted,
    GameFinished,
    GameStarted,
    OfferWithdrawn,
    RevealStarted,
    SeatCleared,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
)
from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from games.ids import own_bot
from games.reveals import REVEAL_MS
from games.snapshot import Entry, Snapshot
from games.times import ms_of, text_of

YOUR_TURN: Final = "your_turn"
GAME_STARTED: Final = "game_started"
GAME_OVER: Final = "game_over"
INVITED: Final = "invited"
WITHDRAWN: Final = "invitation_withdrawn"
DECLINED: Final = "invitation_declined"
SEAT_TAKEN: Final = "seat_taken"
REMOVED: Final = "removed"
REVEAL_NONCE: Final = "reveal_nonce"
MATCHED: Final = "matched"
MATCH_INVITED: Final = "match_invited"
REVIEW_READY: Final = "review_ready"
TYPES: Final = (
    *(YOUR_TURN, GAME_STARTED, GAME_OVER, INVITED, WITHDRAWN, DECLINED, SEAT_TAKEN, REMOVED, REVEAL_NONCE),
    MATCHED,
    MATCH_INVITED,
    REVIEW_READY,
)

APPROACHES: Final = frozenset({INVITED, WITHDRAWN, DECLINED, SEAT_TAKEN, MATCH_INVITED})
"""Notices that strangers can cause as often as they like; they never displace others."""

NOTIFYING: Final = frozenset(
    {
        *(SeatOffered, OfferWithdrawn, SeatDeclined, SeatTaken, SeatCleared),
        *(RevealStarted, GameStarted, GameFinished, GameAborted),
    }
)
"""The events that players are notified of."""

Notice = dict[str, Any]
"""Plain data as stored and sent, except for its cursor and the name of a player it is about."""


def notices(snapshot: Snapshot, entries: Sequence[Entry]) -> dict[str, list[Notice]]:
    """Returns by player the notices of a game's last entries, in order of version.

    A turn is included only if it is still open: one that is over cost nobody anything. The service's own bots get none.
    """
    by_player: dict[str, list[Notice]] = {}
    for entry in entries:
        if type(entry.event) in NOTIFYING:
            for player, notice in _of_entry(snapshot, entry):
                by_player.setdefault(player, []).append(notice)
    if entries and snapshot.state.since >= entries[0].version and (turn := turn_of(snapshot)) is not None:
        by_player.setdefault(turn[0], []).append(turn[1])
    return by_player


def turn_of(snapshot: Snapshot) -> tuple[str, Notice] | None:
    """Returns the player whose turn it is and their notice; None if it is a bot's turn or nobody's."""
    seat, put = snapshot.state.to_act, snapshot.question
    player = snapshot.players[seat] if seat is not None else None
    if player is None or put is None or own_bot(player) is not None:
        return None
    deadline = text_of(snapshot.deadline) if snapshot.deadline is not None else None
    return player, _notice(YOUR_TURN, snapshot, put, ACTIVE, seat=seat, deadline=deadline)


def reveal_of(snapshot: Snapshot, player: str) -> Notice | None:
    """Returns the notice that asks a player to reveal their nonce; None if nothing waits for it."""
    seat = snapshot.seat_of(player)
    if snapshot.reveals is None or seat not in snapshot.reveals.waiting:
        return None
    began = next(entry for entry in snapshot.entries[::-1] if isinstance(entry.event, RevealStarted))
    return _reveal(snapshot, began, seat, snapshot.reveals.until)


def invitation_of(snapshot: Snapshot, player: str) -> Notice | None:
    """Returns the notice of a player's invitation to a game; None if they are not, or no longer, invited."""
    if snapshot.ended or snapshot.offer_to(player) is None:
        return None
    made = [e for e in snapshot.entries if isinstance(e.event, SeatOffered) and e.event.player == player]
    return _invitation(snapshot, made[-1], made[-1].event.seat)  # type: ignore[attr-defined]  # all are `SeatOffered`


def matched(snapshot: Snapshot, player: str) -> Notice:
    """Returns the notice of a player for whom the queue has opened a game; no entry of its log says so."""
    assert snapshot.started is not None, "all seats were taken when it was opened"
    return _to_one_seated(MATCHED, snapshot, snapshot.started, ACTIVE, player)


def review_ready(snapshot: Snapshot, player: str, at: int) -> Notice:
    """Returns the notice of a player that the review of an ended game can be read, since a time in milliseconds."""
    last, status = snapshot.entries[-1], snapshot.state.status
    return _to_one_seated(REVIEW_READY, snapshot, last, status, player, at=text_of(at))


def people(snapshot: Snapshot) -> list[str]:
    """Returns the people seated in a game, not the service's own bots, by seat, each once."""
    return [*dict.fromkeys(player for player in snapshot.players if player is not None and own_bot(player) is None)]


def _of_entry(snapshot: Snapshot, entry: Entry) -> Iterator[tuple[str, Notice]]:
    """Yields the players to notify of an entry, with their notices."""
    creator = snapshot.table.creator
    match entry.event:
        case SeatOffered(seat, player):
            yield player, _invitation(snapshot, entry, seat)
        case OfferWithdrawn(seat, player):
            yield player, _notice(WITHDRAWN, snapshot, entry, OPEN, seat=seat, player=creator)
        case SeatDeclined(seat, player, reason):
            yield creator, _notice(DECLINED, snapshot, entry, OPEN, seat=seat, player=player, reason=reason)
        case SeatTaken(seat, player) if _is_news(snapshot, entry, player):
            yield creator, _notice(SEAT_TAKEN, snapshot, entry, OPEN, seat=seat, player=player)
        case SeatCleared(seat, player) if own_bot(player) is None:
            yield player, _notice(REMOVED, snapshot, entry, OPEN, seat=seat, player=creator)
        case RevealStarted(seats):
            for seat in seats:
                sitting = snapshot.players[seat]
                assert sitting is not None, "a table that waits for nonces is full"
                yield sitting, _reveal(snapshot, entry, seat, ms_of(entry.at) + REVEAL_MS)
        case GameStarted():
            for player in people(snapshot):
                yield player, _to_one_seated(GAME_STARTED, snapshot, entry, ACTIVE, player)
        case GameFinished(winners):
            for player in people(snapshot):
                yield player, _to_one_seated(GAME_OVER, snapshot, entry, FINISHED, player, winners=list(winners))
        case GameAborted(why):
            notified = people(snapshot) if why == "called_off" else dict.fromkeys([*people(snapshot), creator])
            for player in notified:
                yield player, _to_one_seated(GAME_OVER, snapshot, entry, ABORTED, player, reason=why)
            for seat, player in snapshot.state.offers.items():
                yield player, _notice(WITHDRAWN, snapshot, entry, ABORTED, seat=seat, player=creator)


def _is_news(snapshot: Snapshot, entry: Entry, player: str) -> bool:
    """Returns whether to notify a table's creator of a new player: once for each, and never for themselves or a bot."""
    sat = (e for e in snapshot.entries if isinstance(e.event, SeatTaken) and e.event.player == player)
    first = next(sat, entry).version >= entry.version
    return first and player != snapshot.table.creator and own_bot(player) is None


def _invitation(snapshot: Snapshot, entry: Entry, seat: int) -> Notice:
    return _notice(INVITED, snapshot, entry, OPEN, seat=seat, player=snapshot.table.creator)


def _reveal(snapshot: Snapshot, entry: Entry, seat: int | None, until: int) -> Notice:
    return _notice(REVEAL_NONCE, snapshot, entry, OPEN, seat=seat, deadline=text_of(until))


def _to_one_seated(kind: str, snapshot: Snapshot, entry: Entry, status: str, player: str, **more: Any) -> Notice:
    """Returns a notice about all seats of its reader: several of the creator of a sandbox, or none."""
    own = snapshot.seats_of(player)
    return _notice(kind, snapshot, entry, status, seat=own[0] if own else None, seats=own, **more)


def _notice(kind: str, snapshot: Snapshot, entry: Entry, status: str, **more: Any) -> Notice:
    seat = more.get("seat")
    return {
        "type": kind,
        "at": entry.at,
        "game": snapshot.id,
        "edition": snapshot.table.edition,
        "status": status,
        "version": entry.version,
        "seat": seat,
        "seats": [] if seat is None else [seat],
        "deadline": None,
        "player": None,
        "reason": None,
        "winners": [],
        **more,
    }
