"""Reads, describes and checks the hash beside a game's log, which describes the game without its events."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.events import (
    GAME_ENDS,
    GameCreated,
    GameStarted,
    RoundStarted,
    SeatCleared,
    SeatLeft,
    SeatTaken,
    SeatVacated,
)
from engine.shuffle import commitment
from games.errors import Damaged
from games.snapshot import Snapshot
from games.steps import Step
from service.store import keys
from service.store.log.stored_events import SUM, SUMMARY, checksum_of_secrets
from service.store.redis.client import RedisClient

WHILE_RUNNING: Final = ("actor", "asked", "deadline", "unattended", "humans", "address_hash", "started", "round")
"""Fields of the hash beside a log that mean nothing once the game has ended."""
SEATED_OR_ENDED: Final = frozenset(
    {GameCreated, SeatTaken, SeatVacated, SeatCleared, GameStarted, SeatLeft, *GAME_ENDS}
)
"""The events that change the status of a game, who sits where, or who has left."""
BEGINNINGS: Final = frozenset({GameStarted, RoundStarted})
"""The events whose versions stand beside a log: it is read from them on."""


def read_meta(redis: RedisClient, game: str, *fields: str) -> list[bytes | None]:
    """Reads some fields of the hash beside a game's log; may raise `Unavailable`."""
    found: list[bytes | None] = redis.send(("HMGET", keys.meta(game), *fields))[0]
    return found


def read_metas(redis: RedisClient, games: Sequence[str], *fields: str) -> list[list[bytes | None] | None]:
    """Reads some fields of the hash beside each game's log; None for a damaged game or a node that is away.

    It may raise `Unavailable`.
    """
    return redis.send_each(*[("HMGET", keys.meta(game), *fields) for game in games])


def meta_after(new: Step, notifies: bool) -> dict[str, str | int]:
    """Returns the fields of the hash beside the log that a step changes."""
    before, after = new.before, new.after
    meta = _whose_turn(after)
    if not SEATED_OR_ENDED.isdisjoint(new.kinds):
        meta |= _seating(after)
    if not BEGINNINGS.isdisjoint(new.kinds):
        meta |= _beginnings(after)
    if notifies:
        meta["tell"] = after.version
    if before is None or after.ended:
        meta["address_hash"] = "" if after.ended else after.address_hash
    if before is None:
        meta |= _secrets(after)
    return meta


def meta_of(snapshot: Snapshot) -> dict[str, str | int]:
    """Returns the fields of the hash beside a log that follow from the log and the secret of the game."""
    return {**_whose_turn(snapshot), **_seating(snapshot), **_beginnings(snapshot), **_secrets(snapshot)}


def _whose_turn(after: Snapshot) -> dict[str, str | int]:
    to_act = after.state.to_act
    return {
        "head": after.head,
        "actor": "" if to_act is None else after.players[to_act] or "",
        "asked": after.waits_since or "",
        "deadline": after.waits_until or "",
    }


def _seating(after: Snapshot) -> dict[str, str | int]:
    return {
        "status": after.state.status,
        "unattended": "1" if after.unattended else "",
        "humans": " ".join(after.humans),
    }


def _beginnings(after: Snapshot) -> dict[str, str | int]:
    if after.started is None:
        return {}
    return {"started": after.started.version, "round": after.entries[0].version}


def _secrets(after: Snapshot) -> dict[str, str | int]:
    secret = after.secret.hex()
    code_sum = checksum_of_secrets(after.id, secret, after.join_code)
    return {"secret": secret, "join_code": after.join_code, SUM: code_sum}


def check_meta(game: str, meta: Mapping[str, str], snapshot: Snapshot) -> None:
    """Checks that the hash beside a log says what follows from the log.

    Raises:
        Damaged: it does not, or the log is that of another game.
    """
    if snapshot.id != game:
        raise Damaged("its log is that of another game")
    if commitment(snapshot.secret) != snapshot.table.commitment:
        raise Damaged("the secret beside its log is another one")
    is_replaced = SUMMARY in meta
    for name, value in meta_of(snapshot).items():
        if meta.get(name) != str(value) and not (is_replaced and name in WHILE_RUNNING):
            raise Damaged(f"`{name}` beside its log is wrong")
    for name in ("tell", "told"):
        if not meta.get(name, "0").isdecimal():  # after a failover, `told` may be of a version that was lost
            raise Damaged(f"`{name}` beside its log is wrong")
