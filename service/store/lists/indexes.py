"""Says which indexes a game enters and leaves with a step: lobby, players' lists, open games, due times."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.events import (
    GameAborted,
    GameCreated,
    GameFinished,
    GameStarted,
    OfferWithdrawn,
    RoundStarted,
    SeatCleared,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
    SeatVacated,
    TokenAwarded,
)
from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from games.daily.days import is_recorded
from games.notices import people
from games.snapshot import Snapshot
from games.steps import Step
from games.times import ms_of
from service.store import keys
from service.store.lists.results import without_result
from service.store.redis.client import Command, RedisClient

SEATING: Final = frozenset({SeatTaken, SeatVacated, SeatCleared, SeatOffered, SeatDeclined, OfferWithdrawn})
SHOWN: Final = SEATING | {GameCreated, GameStarted, RoundStarted, TokenAwarded, GameFinished, GameAborted}
"""The events that change how a game is listed. A sandbox gives tokens as a round starts."""


class DueTimes(NamedTuple):
    """When to look at a game again after a step, in milliseconds since 1970; None: as before."""

    turn: int | None = None
    """For its clock or its bot."""
    notices: int | None = None
    """For its notices, which must have been sent by then; None: there are none."""
    expiry: int | None = None
    """To see whether anybody has touched it; otherwise it ends or leaves Redis."""


NOT_DUE: Final = DueTimes()


def entering(new: Step, due_times: DueTimes) -> tuple[list[Command], list[Command]]:
    """Returns the Redis commands that enter a game on stored lists ahead of a step.

    The first must succeed, so that no index can miss a game. The others must not fail the step: that notices must be
    sent, that followers of the lobby may lack the change, that the game expires, that it may be archived.
    """
    after = new.after
    first: list[Command] = [("ZADD", keys.DUE, due_times.turn, after.id)] if due_times.turn is not None else []
    for name, at in lists_joined(new).items():
        first.append(("ZADD", name, at, after.id))
    optional: list[Command] = []
    if due_times.notices is not None:
        optional.append(("ZADD", keys.PENDING_NOTICES, due_times.notices, pending_member(after.id, after.version)))
    if changes_listing(new):
        optional.append(("ZADD", keys.STALE, after.version, after.id))
    if due_times.expiry is not None:
        optional.append(("ZADD", keys.EXPIRING, due_times.expiry, after.id))
    if after.ended:
        optional.append(("ZADD", keys.ENDED, ms_of(new.entries[-1].at), after.id))
    return first, optional


def is_listed(snapshot: Snapshot) -> bool:
    """Returns whether the lobby lists a game: anybody may watch it."""
    table = snapshot.table
    return table.visibility == "public" and snapshot.deal is None


def changes_status(new: Step) -> bool:
    """Returns whether a step opens, starts or ends a game, so that the game changes lists."""
    return new.before is None or new.before.state.status != new.after.state.status


def changes_listing(new: Step) -> bool:
    """Returns whether a step changes how the lobby lists a game: who sits where, tokens, or the status."""
    return not SHOWN.isdisjoint(new.kinds) and is_listed(new.after)


def lists_joined(new: Step) -> dict[str, int]:
    """Returns the stored lists that a game joins with a step, each with the time of its entry, in ms since 1970.

    They are written before the step, so that no list misses a game.
    """
    before, after = new.before, new.after
    if (
        before is not None
        and before.state.status == after.state.status
        and before.players == after.players
        and before.state.offers == after.state.offers
    ):
        return {}  # nearly always, and the rest takes its time
    names: dict[str, int] = {}
    created, last = ms_of(after.created.at), ms_of(new.entries[-1].at)
    if before is None and not after.ended:
        names |= dict.fromkeys(_opened(after), created)
    if before is None and after.table.visibility == "unlisted":
        # It stays when the game has ended: a repeated call by the code must find its first answer.
        names[keys.with_join_code(after.join_code)] = created
    if before is None or before.state.status != after.state.status:
        if is_listed(after):
            names[keys.lobby(after.state.status)] = created
        if after.state.status == ACTIVE and not after.table.sandbox:
            names[keys.active(after.table.edition)] = created
        if is_recorded(after):
            names[keys.UNRECORDED] = last
        if after.ended:
            names |= dict.fromkeys(map(keys.played, people(after)), last)
    if not after.ended:
        newcomers = set(people(after)) - set(people(before) if before is not None else ())
        names |= dict.fromkeys(map(keys.playing, newcomers), last)
        invited = set(before.state.offers.values()) if before is not None else set()
        names |= dict.fromkeys(map(keys.invited, set(after.state.offers.values()) - invited), last)
    return names


def lists_left(new: Step) -> list[str]:
    """Returns the stored lists that a game leaves for good with a step.

    They are cleared after it; readers check what they find.

    Lists of a player who leaves or declines before the start are kept: the player may be back at the table by the
    time they would be cleared.
    """
    before, after = new.before, new.after
    if before is None or before.state.status == after.state.status:
        return []
    names: list[str] = []
    if is_listed(after):
        names.append(keys.lobby(before.state.status))
    if before.state.status == ACTIVE:
        names.append(keys.active(after.table.edition))
    if after.ended:
        names += [keys.DUE, *_opened(after), *(keys.playing(player) for player in people(after))]
    return names


def leave_all(redis: RedisClient, ended: Snapshot, players: Iterable[str]) -> None:
    """Takes an ended game off every stored list that it may be on, among them those of players.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    game, players = ended.id, sorted(players)
    off_lists: list[Command] = []
    for player in players:
        names = (keys.playing(player), keys.played(player), keys.opened(player), keys.invited(player))
        off_lists += [("ZREM", name, game) for name in names]
        off_lists.append(("UNLINK", keys.notified_of(player, game)))
    redis.send(
        *[("ZREM", keys.lobby(status), game) for status in (OPEN, ACTIVE, FINISHED, ABORTED)],
        ("ZREM", keys.active(ended.table.edition), game),
        ("ZREM", keys.with_join_code(ended.join_code), game),
        ("ZREM", keys.DUE, game),
        ("ZREM", keys.ENDED, game),
        *without_result(game, players),
        ("HDEL", keys.NOT_ARCHIVED, game),
        ("DEL", keys.left_lobby(game)),
        *off_lists,
    )


def _opened(snapshot: Snapshot) -> list[str]:
    """Returns the indexes of open games that list this game: by its creator, and by the address it came from."""
    return [
        keys.opened(snapshot.table.creator),
        *([keys.opened_from(snapshot.address_hash)] if snapshot.address_hash else []),
    ]


def pending_member(game: str, version: int) -> str:
    """Returns the entry of an append on the list of pending notices; a game may have several, each with its version."""
    return f"{game} {version}"
