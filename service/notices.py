"""What players are told of their games: derived from the log alone; how it reaches them is for others to say.

A notice says where to look, never what lies there: it holds no card and nothing that its reader may not see.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.events import GameAborted, GameFinished, GameStarted, OfferWithdrawn, SeatDeclined, SeatOffered, SeatTaken
from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from service.ids import own_bot
from service.snapshot import Entry, Snapshot
from service.times import text_of

YOUR_TURN: Final = "your_turn"
GAME_STARTED: Final = "game_started"
GAME_OVER: Final = "game_over"
INVITED: Final = "invited"
WITHDRAWN: Final = "invitation_withdrawn"
DECLINED: Final = "invitation_declined"
SEAT_TAKEN: Final = "seat_taken"
TYPES: Final = (YOUR_TURN, GAME_STARTED, GAME_OVER, INVITED, WITHDRAWN, DECLINED, SEAT_TAKEN)

APPROACHES: Final = frozenset({INVITED, WITHDRAWN, DECLINED, SEAT_TAKEN})
"""Of what others may have a player told without playing with them, as often as they like: it takes no other's place."""

Notice = dict[str, Any]
"""Plain data as it is stored and told, but for its cursor and for the name of a player it is about."""


def notices(snapshot: Snapshot, entries: Sequence[Entry]) -> dict[str, list[Notice]]:
    """Returns by player what there is to be told of the last entries of a game, in order of their versions.

    A turn is told of only if it is still open: one that is over was nobody's loss. The service's own bots are told
    nothing.
    """
    told: dict[str, list[Notice]] = {}
    for entry in entries:
        for player, notice in _of_entry(snapshot, entry):
            told.setdefault(player, []).append(notice)
    if entries and snapshot.state.since >= entries[0].version and (turn := turn_of(snapshot)) is not None:
        told.setdefault(turn[0], []).append(turn[1])
    return told


def turn_of(snapshot: Snapshot) -> tuple[str, Notice] | None:
    """Returns the player whom a game waits for and the notice that says so; None if it waits for nobody who is told."""
    seat, asked = snapshot.state.to_act, snapshot.asked
    player = snapshot.players[seat] if seat is not None else None
    if player is None or asked is None or own_bot(player) is not None:
        return None
    put = next(entry for entry in snapshot.entries if entry.version == snapshot.state.since)
    deadline = text_of(snapshot.deadline) if snapshot.deadline is not None else None
    return player, _notice(YOUR_TURN, snapshot, put, ACTIVE, seat=seat, deadline=deadline)


def invitation_of(snapshot: Snapshot, player: str) -> Notice | None:
    """Returns the notice that says that a player is invited to a game; None if they are not, or not any more."""
    if snapshot.ended or snapshot.offer_to(player) is None:
        return None
    made = [e for e in snapshot.entries if isinstance(e.event, SeatOffered) and e.event.player == player]
    return _invitation(snapshot, made[-1], made[-1].event.seat)  # type: ignore[attr-defined]  # all are `SeatOffered`


def people(snapshot: Snapshot) -> list[str]:
    """Returns the players on the seats who are not the service's own bots, by seat."""
    return [player for player in snapshot.players if player is not None and own_bot(player) is None]


def _of_entry(snapshot: Snapshot, entry: Entry) -> Iterator[tuple[str, Notice]]:
    """Yields who is told of an entry, and what."""
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
        case GameStarted():
            for player in people(snapshot):
                yield player, _notice(GAME_STARTED, snapshot, entry, ACTIVE, seat=snapshot.seat_of(player))
        case GameFinished(winners):
            for player in people(snapshot):
                own = snapshot.seat_of(player)
                yield player, _notice(GAME_OVER, snapshot, entry, FINISHED, seat=own, winners=list(winners))
        case GameAborted():
            for player in people(snapshot):
                yield player, _notice(GAME_OVER, snapshot, entry, ABORTED, seat=snapshot.seat_of(player))
            for seat, player in snapshot.state.offers.items():
                yield player, _notice(WITHDRAWN, snapshot, entry, ABORTED, seat=seat, player=creator)


def _is_news(snapshot: Snapshot, entry: Entry, player: str) -> bool:
    """Whether the creator of a table is told that somebody has sat down: once of each, not of oneself or a bot."""
    sat = (e for e in snapshot.entries if isinstance(e.event, SeatTaken) and e.event.player == player)
    first = next(sat, entry).version >= entry.version
    return first and player != snapshot.table.creator and own_bot(player) is None


def _invitation(snapshot: Snapshot, entry: Entry, seat: int) -> Notice:
    return _notice(INVITED, snapshot, entry, OPEN, seat=seat, player=snapshot.table.creator)


def _notice(kind: str, snapshot: Snapshot, entry: Entry, status: str, **more: Any) -> Notice:
    return {
        "type": kind,
        "at": entry.at,
        "game": snapshot.id,
        "edition": snapshot.table.edition,
        "status": status,
        "version": entry.version,
        "seat": None,
        "deadline": None,
        "player": None,
        "reason": None,
        "winners": [],
        **more,
    }
