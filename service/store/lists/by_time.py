"""Lists by time, for readers: public games, a player's games and invitations, blocked players.

They are derived from the logs, except for the blocked players, and may hold games that have left: look at each.
"""

from collections.abc import Iterator
from typing import Final

from games.views.page_limits import MOST_GAMES
from service.store import keys
from service.store.exchange.connection import Exchange

NEVER: Final = 2**53
"""A time after all others, in milliseconds since 1970."""
SCANNED: Final = 1000
"""About how many entries of a list are read in one round trip, so that a long one never holds Redis up."""


class ListByTime:
    """One of the lists. Every call may raise `Unavailable`."""

    def __init__(self, exchange: Exchange, key: str) -> None:
        self._exchange = exchange
        self._key = key

    def newest(self, newest: int = NEVER, seen: str = "") -> Iterator[tuple[str, int]]:
        """Yields entries of a stored list after `seen` with their times, newest first, a page in each round trip."""
        while True:
            page = self._exchange.send(
                ("ZREVRANGEBYSCORE", self._key, newest, "-inf", "WITHSCORES", "LIMIT", 0, MOST_GAMES)
            )[0]
            # Entries of the same millisecond are in reverse order of their ids.
            pairs = [(one.decode(), int(float(score))) for one, score in zip(page[::2], page[1::2], strict=True)]
            fresh = [(one, score) for one, score in pairs if score < newest or not seen or one < seen]
            yield from fresh
            if len(pairs) < MOST_GAMES or not fresh:
                return
            seen, newest = fresh[-1]

    def all(self) -> list[tuple[str, int]]:
        """Returns all entries of a stored list of games or players with their times, the newest first."""
        found: dict[str, int] = {}
        at = -1
        while at != 0:
            following, some = self._exchange.send(("ZSCAN", self._key, max(at, 0), "COUNT", SCANNED))[0]
            at = int(following)
            found |= {name.decode(): int(float(score)) for name, score in zip(some[::2], some[1::2], strict=True)}
        return sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))

    def take_off(self, game: str) -> None:
        """Removes a game from a stored list."""
        self._exchange.send(("ZREM", self._key, game))


def public_games(exchange: Exchange, status: str) -> ListByTime:
    """The stored list of public games with a status, by time of opening."""
    return ListByTime(exchange, keys.lobby(status))


def playing(exchange: Exchange, player: str) -> ListByTime:
    """The stored list of a player's running games, by time of joining."""
    return ListByTime(exchange, keys.playing(player))


def played(exchange: Exchange, player: str) -> ListByTime:
    """The stored list of a player's ended games, by time of ending."""
    return ListByTime(exchange, keys.played(player))


def opened(exchange: Exchange, player: str) -> ListByTime:
    """The stored list of the unfinished games that a player has opened, by time of opening."""
    return ListByTime(exchange, keys.opened(player))


def invited(exchange: Exchange, player: str) -> ListByTime:
    """The stored list of the games a player is invited to, by time of the invitation."""
    return ListByTime(exchange, keys.invited(player))


def blocked(exchange: Exchange, player: str) -> ListByTime:
    """The stored list of the players whom a player has blocked, by time."""
    return ListByTime(exchange, keys.blocked(player))


def shared_games(exchange: Exchange, one: str, other: str, latest: int) -> list[str]:
    """Returns the games among the latest on the stored lists of both players, first those that run."""
    indexes = (keys.playing(one), keys.played(one), keys.playing(other), keys.played(other))
    lists = exchange.send(*[("ZREVRANGE", index, 0, latest - 1) for index in indexes])
    others = {*lists[2], *lists[3]}
    return [game.decode() for game in (*lists[0], *lists[1]) if game in others]


def games_of(exchange: Exchange, player: str) -> list[str]:
    """Returns the unfinished games on the stored lists of those that a player has opened, is in or is invited to."""
    indexes = (keys.opened(player), keys.playing(player), keys.invited(player))
    lists = exchange.send(*[("ZRANGE", index, 0, -1) for index in indexes])
    return list(dict.fromkeys(raw.decode() for found in lists for raw in found))
