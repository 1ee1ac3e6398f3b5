"""Reads the hash beside a game's log, which describes a game without its events. Both may raise `Unavailable`."""

from collections.abc import Sequence

from service.store import keys
from service.store.exchange.connection import Exchange


def read_meta(exchange: Exchange, game: str, *fields: str) -> list[bytes | None]:
    """Reads some fields of the hash beside a game's log."""
    found: list[bytes | None] = exchange.send(("HMGET", keys.meta(game), *fields))[0]
    return found


def read_metas(exchange: Exchange, games: Sequence[str], *fields: str) -> list[list[bytes | None] | None]:
    """Reads some fields of the hash beside each game's log; None for a damaged game or a node that is away."""
    return exchange.send_each(*[("HMGET", keys.meta(game), *fields) for game in games])
