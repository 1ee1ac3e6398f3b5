"""Keeps the lobby as its followers see it: the public games that are open or running, and the latest changes.

The logs are the source of truth. What a process fails to write is found by whoever follows (`LobbyChanges`).
"""

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson

from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from games.errors import TakesNoWrites
from games.player import Player
from games.snapshot import Snapshot
from games.steps import Step
from games.texts.catalogue import LANGUAGES, catalogue
from games.views.view import summary
from service.inputs.clock import now_ms
from service.store import channels, keys
from service.store.lists.indexes import changes_listing, changes_status, lists_left
from service.store.lists.presence import PRESENT, Presence
from service.store.redis.client import Command, RedisClient
from service.store.scripts import LIST

KEPT: Final = 1000
"""How many changes are kept at least, for followers who come back."""
REMEMBER_SECONDS: Final = 24 * 60 * 60
"""How long it is remembered that a game has left the lobby, so that a late writer does not put it back."""
LISTED: Final = (OPEN, ACTIVE)
ENDED: Final = (FINISHED, ABORTED)
COUNT: Final = "changes"
"""The field of the listed games that counts the changes."""
LATEST: Final = 2**53
"""A version after all others."""
ATTEMPTS: Final = 3
"""How often the newest games are read without a change in between, before all games are read instead."""

Change = dict[str, Any]
"""A change of the lobby: `cursor`, `type` and `game`."""


class Listing:
    """The entries and changes of the lobby in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, presence: Presence | None = None) -> None:
        self._redis = redis
        self._presence = presence or Presence(redis)

    def update(self, new: Step) -> None:
        """Takes a game off the lists that it leaves with a step; writes how the lobby lists it if that changes."""
        if changes_listing(new):
            self._note(new.after, _leaving(new))
        elif changes_status(new):
            self._redis.send(*_leaving(new))

    def correct(self, snapshot: Snapshot) -> None:
        """Writes how a public game is listed in the lobby, and takes one that has ended out of it."""
        leaving: list[Command] = [("ZREM", keys.lobby(status), snapshot.id) for status in LISTED if snapshot.ended]
        self._note(snapshot, leaving)

    def _note(self, snapshot: Snapshot, before: Sequence[Command]) -> None:
        host = self._presence.host(snapshot)
        present = host.presence == PRESENT if host is not None else None
        entry = orjson.dumps(summary(snapshot, _Ids(), None, catalogue(LANGUAGES[0]), present))
        over = "" if snapshot.state.status in LISTED else "1"
        self._run(snapshot.id, snapshot.version, entry, over, before, host.stored() if host is not None else "")

    def remove(self, game: str) -> None:
        """Takes a game that no longer exists off the list of the lobby."""
        self._run(game, LATEST, b"", "1")

    def newest(self, most: int) -> tuple[int, list[dict[str, Any]]]:
        """Returns the number of changes of the lobby's list so far, and the entries of its newest games, in any order.

        There are at most `most`, or all games while the list changes all the time: the entries are those after so many
        changes.
        """
        # Open games first: one that starts meanwhile joins the running ones before it leaves these.
        lists = [("ZREVRANGE", keys.lobby(status), 0, most - 1, "WITHSCORES") for status in LISTED]
        for _ in range(ATTEMPTS):
            before, *pages = self._redis.send(("HGET", keys.LISTED, COUNT), *lists)
            opened = {game: int(at) for page in pages for game, at in zip(page[::2], page[1::2], strict=True)}
            games = sorted(opened, key=lambda game: (opened[game], game))[-most:]
            count, *entries = self._redis.send(("HMGET", keys.LISTED, COUNT, *games))[0]
            if count is None:
                break
            if count == before:
                return int(count), self._shown([_entry_of(entry) for entry in entries if entry is not None])
        return self._all()

    def _all(self) -> tuple[int, list[dict[str, Any]]]:
        """Returns the number of changes of the lobby's list so far, and the entries of all its games."""
        listed = self._fields()
        if COUNT not in listed:
            with contextlib.suppress(TakesNoWrites):  # then the first change ends the caller's stream
                self._redis.send(("HSETNX", keys.LISTED, COUNT, now_ms()))
                listed = self._fields()
        count = int(listed.pop(COUNT, 0))
        return count, self._shown([_entry_of(entry) for entry in listed.values()])

    def _shown(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Returns the entries of the lobby's list without tables whose hosts have left."""
        hidden = self._presence.hidden([entry["id"] for entry in entries])
        return [entry for entry in entries if entry["id"] not in hidden]

    def _fields(self) -> dict[str, bytes]:
        raw = self._redis.send(("HGETALL", keys.LISTED))[0]
        return {game.decode(): entry for game, entry in zip(raw[::2], raw[1::2], strict=True)}

    def count(self) -> int:
        """Returns how many changes of the lobby's list there have been."""
        return int(self._redis.send(("HGET", keys.LISTED, COUNT))[0] or 0)

    def changes(self, after: int, limit: int) -> list[Change] | None:
        """Reads at most `limit` stored changes of the lobby's list after a number.

        Returns None if what came next is no longer kept, or the number is from before a restore.
        """
        raw, last = self._redis.send(
            ("XRANGE", keys.LISTED_CHANGES, f"{after + 1}-0", "+", "COUNT", limit), ("HGET", keys.LISTED, COUNT)
        )
        numbers = [int(name.split(b"-")[0]) for name, _ in raw]
        if (numbers[0] != after + 1) if numbers else (int(last or 0) != after):
            return None
        return [
            {"cursor": number, "type": fields[1].decode(), "game": orjson.loads(fields[3])}
            for number, (_, fields) in zip(numbers, raw, strict=True)
        ]

    def noted_stale(self) -> tuple[set[str], set[str]] | None:
        """Returns what `stale` does, for the games that are noted as stale; reads no others.

        Returns None if there must be more of them: the list has another number of games than the lobby.
        """
        listed, noted, *sizes = self._redis.send(
            ("HLEN", keys.LISTED),
            ("ZRANGE", keys.STALE, 0, -1),
            *[("ZCARD", keys.lobby(status)) for status in LISTED],
        )
        if abs(listed - 1 - sum(sizes)) > len(noted):  # one field is the count
            return None
        found = self._redis.send(("HMGET", keys.LISTED, *noted))[0] if noted else []
        known = {game.decode() for game, entry in zip(noted, found, strict=True) if entry is not None}
        return known, {game.decode() for game in noted}

    def stale(self) -> tuple[set[str], set[str]]:
        """Returns the games on the lobby's list, and those whose entry may not be what their logs say.

        It reads the ids of all of them.
        """
        # In this order, because a game is in the lobby before it is listed.
        listed, noted, *lobby = self._redis.send(
            ("HKEYS", keys.LISTED),
            ("ZRANGE", keys.STALE, 0, -1),
            *[("ZRANGE", keys.lobby(status), 0, -1) for status in LISTED],
        )
        known = {game.decode() for game in listed} - {COUNT}
        waiting, running = ({game.decode() for game in games} for games in lobby)
        # An index that a game has left is cleared together with noting the change.
        stale = (known ^ (waiting | running)) | (waiting & running) | {game.decode() for game in noted}
        if known:
            ordered = sorted(known)
            for scores in self._redis.send(*[("ZMSCORE", keys.lobby(status), *ordered) for status in ENDED]):
                stale |= {game for game, score in zip(ordered, scores, strict=True) if score is not None}
        return known, stale

    def clear_stale(self, game: str) -> None:
        """Ends what is stale about a game on the lobby's list that was not opened after all."""
        self._redis.send(("ZREM", keys.STALE, game))

    def _run(
        self, game: str, version: int, entry: bytes, over: str, before: Iterable[Command] = (), host: str = ""
    ) -> None:
        names = [keys.LISTED, keys.LISTED_CHANGES, keys.left_lobby(game), keys.STALE, keys.HOSTS]
        channel = self._redis.channel(channels.LOBBY)
        arguments = [game, version, entry, over, KEPT, REMEMBER_SECONDS, channel, now_ms(), host]
        self._redis.run(LIST, names, arguments, before=list(before))


def _leaving(new: Step) -> list[Command]:
    return [("ZREM", name, new.after.id) for name in lists_left(new)]


def _entry_of(stored: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = orjson.loads(stored.partition(b" ")[2])
    return entry


class _Ids:
    """Leaves names out: they may change, and are looked up when an entry is read."""

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns players by their ids, without names, for entries of the lobby's list."""
        return {player: Player(player, "", "") for player in ids if player is not None}
