"""Reads the hash beside a game's log, which tells of a game without its events."""

from collections.abc import Sequence

from service.store import keys
from service.store.exchange.connection import Exchange


def read_meta(exchange: Exchange, game: str, *fields: str) -> list[bytes | None]:
    """Returns some fields of a game.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    found: list[bytes | None] = exchange.send(("HMGET", keys.meta(game), *fields))[0]
    return found


def read_metas(exchange: Exchange, games: Sequence[str], *fields: str) -> list[list[bytes | None] | None]:
    """Returns some fields of each game; None for a game that is damaged, or whose node of a cluster is away.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    return exchange.send_each(*[("HMGET", keys.meta(game), *fields) for game in games])
