"""Lists games: the public lobby and a player's own games. Its indexes are derived, so every entry is checked."""

import base64
import binascii
import contextlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import orjson

from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from games.errors import TakesNoWrites, invalid
from games.ids import is_id
from games.snapshot import Snapshot
from games.texts.catalogue import LANGUAGES, Catalogue, catalogue
from games.views.page_limits import MOST_GAMES
from games.views.view import summary
from service.changing.changes import Changes
from service.inputs.clock import now_ms
from service.players import Players
from service.store.damaged import leaving_out
from service.store.lists.by_time import NEVER, ListByTime, invited, played, playing, public_games, shared_games
from service.store.lists.presence import ABSENT, PRESENT, Presence
from service.store.log.event_log import EventLog
from service.store.log.meta import read_metas
from service.store.redis.client import RedisClient

MOST_LOOKS = 100
"""How many games are examined for one page of the lobby, which may therefore be short or empty."""
LATEST_GAMES = 1000
MOST_SHARED = 20
"""How many of their latest games, and of those they share, are checked to see whether two players have played."""
WAITING, PLAYING, ENDED = range(3)
"""The order of a player's own games: those waiting for them, other running ones, the rest."""
DEFAULT = catalogue(LANGUAGES[0])
"""The texts for readers whose language is not known."""
SETTLED_MS = 60_000
"""After this time, what an entry is about must be in the log: the entry is written just before."""


class Section(NamedTuple):
    """A part of the lobby: the games with a status, and of open tables those whose hosts count as that."""

    status: str
    presence: int | None = None


SECTIONS: Final = (Section(OPEN, PRESENT), Section(OPEN, ABSENT), Section(ACTIVE), Section(FINISHED), Section(ABORTED))
"""In the order in which the lobby lists them."""
Rank = tuple[int, int, str]
"""A place in a list: section, time, game."""


class Listed(NamedTuple):
    """A running game on a player's list, by the hash beside its log."""

    rank: Rank
    since: int
    """When the player sat down, in milliseconds since 1970."""
    is_urgent: bool
    """Whether the game may wait for the player, for an action or for a nonce."""


class Lobby:
    """Reads lists of games."""

    def __init__(
        self, redis: RedisClient, log: EventLog, players: Players, changes: Changes, presence: Presence
    ) -> None:
        self._redis = redis
        self._log = log
        self._players = players
        self._changes = changes
        self._presence = presence

    def public(
        self,
        token: str | None,
        status: str | None = None,
        edition: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        words: Catalogue = DEFAULT,
    ) -> dict[str, Any]:
        """Returns a page of the lobby's public games: joinable ones first, newest first within each status.

        Tables whose hosts are absent come after the other open ones; those whose hosts have left are not there.

        Raises:
            Refused: the token is not valid, or the cursor is not one of this list.
        """
        caller = self._players.authenticate(token).id if token is not None else None
        most = min(limit or MOST_GAMES, MOST_GAMES)
        sections = [section for section in SECTIONS if status in (None, section.status)]
        place, newest, seen = read_cursor(cursor) if cursor is not None else (0, NEVER, "")
        found: list[Snapshot] = []
        looks = 0
        for place_now in range(place, len(sections)):
            section = sections[place_now]
            for game, score in self._public(section, newest, seen):
                if len(found) == most or looks == MOST_LOOKS:
                    following = page_cursor(place_now, newest, seen)
                    return {"items": self._summaries(found, caller, words), "next_cursor": following}
                looks += 1
                newest, seen = score, game
                snapshot = self._snapshot(game)
                if snapshot is None or snapshot.state.status != section.status:
                    continue
                if snapshot.table.visibility != "public":
                    continue
                if edition is None or snapshot.table.edition == edition:
                    found.append(snapshot)
            newest, seen = NEVER, ""
        return {"items": self._summaries(found, caller, words), "next_cursor": None}

    def _public(self, section: Section, newest: int, seen: str) -> Iterator[tuple[str, int]]:
        """Yields the listed public games of a section of the lobby, newest first, with when they were opened."""
        entries = public_games(self._redis, section.status).newest(newest, seen)
        if section.presence is None:
            yield from entries
            return
        while page := list(islice(entries, MOST_GAMES)):
            hosts = self._presence.listed([game for game, _ in page])
            # Nobody has listed a table yet whose host is not known: it has just been opened.
            yield from (entry for entry in page if hosts.get(entry[0], PRESENT) == section.presence)

    def _summaries(self, games: Sequence[Snapshot], caller: str | None, words: Catalogue) -> list[dict[str, Any]]:
        """Returns games in short for a list, with whether the hosts of open tables are there."""
        hosts = self._presence.of(games)
        return [
            summary(one, self._players, caller, words, hosts[one.id] == PRESENT if one.id in hosts else None)
            for one in games
        ]

    def mine(
        self, token: str | None, limit: int | None = None, cursor: str | None = None, words: Catalogue = DEFAULT
    ) -> dict[str, Any]:
        """Returns a page of the caller's games: those waiting for them first, then by deadline, ended ones last.

        Raises:
            Refused: the token is not valid, or the cursor is not one of this list.
        """
        player = self._players.authenticate(token).id
        most = min(limit or MOST_GAMES, MOST_GAMES)
        last = read_cursor(cursor) if cursor is not None else (WAITING, -1, "")
        found: list[Snapshot] = []
        for rank, snapshot in self._ranked(player, last):
            if len(found) == most:
                return {"items": self._summaries(found, player, words), "next_cursor": page_cursor(*last)}
            found.append(snapshot)
            last = rank
        return {"items": self._summaries(found, player, words), "next_cursor": None}

    def _ranked(self, player: str, last: Rank) -> Iterator[tuple[Rank, Snapshot]]:
        """Yields a player's listed games in order after `last`, each with its place."""
        if last[0] < ENDED:
            for one in sorted(self._listed(player)):
                if one.rank > last and (snapshot := self._running(player, one)) is not None:
                    yield one.rank, snapshot
            last = (ENDED, NEVER, "")
        for game, score in played(self._redis, player).newest(last[1], last[2]):
            snapshot = self._snapshot(game)
            if snapshot is not None and snapshot.ended and player in snapshot.players:
                yield (ENDED, score, game), snapshot

    def urgent(self, player: str) -> Iterator[Snapshot]:
        """Yields a player's listed running games that may wait for the player, for an action or for a nonce."""
        for one in self._listed(player):
            if one.is_urgent and (snapshot := self._running(player, one)) is not None:
                yield snapshot

    def _listed(self, player: str) -> Iterator[Listed]:
        """Yields a player's listed running games without reading their logs: there may be thousands, and few are shown.

        Games whose clocks have run out are brought up to date first, and entries of ended games are cleared.
        """
        entries = list(playing(self._redis, player).newest())
        for begin in range(0, len(entries), MOST_GAMES):
            some = entries[begin : begin + MOST_GAMES]
            metas = read_metas(self._redis, [game for game, _ in some], "status", "actor", "deadline")
            for (game, since), meta in zip(some, metas, strict=True):
                status, actor, deadline = [(value or b"").decode() for value in meta or (b"",) * 3]
                until = int(deadline) if deadline.isdecimal() else 0 if deadline else NEVER
                if status == OPEN and until > now_ms():
                    yield Listed((PLAYING, NEVER, game), since, bool(deadline))
                elif status == ACTIVE and until > now_ms():
                    yield Listed((WAITING if actor == player else PLAYING, until, game), since, actor == player)
                else:
                    one = Listed((PLAYING, NEVER, game), since, True)
                    if (snapshot := self._running(player, one)) is not None:
                        yield one._replace(rank=_rank(snapshot, player))

    def _running(self, player: str, listed: Listed) -> Snapshot | None:
        """Returns a player's listed running game; clears its entry if the player can never be in it again."""
        games, game = playing(self._redis, player), listed.rank[2]
        snapshot = self._snapshot(game)
        if snapshot is None:
            self._clear(games, game, listed.since)
            return None
        with leaving_out(game, "a list"):
            snapshot = self._changes.apply_clock_if_writable(snapshot)
        if player in snapshot.players and not snapshot.ended:
            return snapshot
        if snapshot.state.status != OPEN:
            self._take_off(games, game)
        return None

    def invitations(self, player: str) -> Iterator[Snapshot]:
        """Yields the listed games that a player is invited to, and clears entries of other games."""
        games = invited(self._redis, player)
        for game, since in games.newest():
            snapshot = self._snapshot(game)
            if snapshot is not None and not snapshot.ended and snapshot.offer_to(player) is not None:
                yield snapshot
            else:
                self._clear(games, game, since)

    def _clear(self, games: ListByTime, game: str, since: int) -> None:
        """Clears a wrong entry from a list that a player reads, unless the log may not have its cause yet."""
        if since < now_ms() - SETTLED_MS:
            self._take_off(games, game)

    def _take_off(self, games: ListByTime, game: str) -> None:
        """Clears a wrong entry from a list that a player reads; a failure to do so never fails the reading."""
        with contextlib.suppress(TakesNoWrites):
            games.take_off(game)

    def have_played(self, one: str, other: str) -> bool:
        """Returns whether two players have shared a game that began; only their latest games count."""
        shared = shared_games(self._redis, one, other, LATEST_GAMES)
        return any(
            {one, other} <= set(snapshot.players) and snapshot.state.status in (ACTIVE, FINISHED)
            for snapshot in map(self._snapshot, shared[:MOST_SHARED])
            if snapshot is not None
        )

    def _snapshot(self, game: str) -> Snapshot | None:
        """Returns a game for the lobby's lists; None if there is none or it is damaged: the others are still listed."""
        with leaving_out(game, "a list"):
            return self._log.read(game).snapshot
        return None


def _rank(snapshot: Snapshot, player: str) -> Rank:
    seat = snapshot.state.to_act
    waits = seat is not None and snapshot.players[seat] == player
    return (WAITING if waits else PLAYING, snapshot.deadline or NEVER, snapshot.id)


def page_cursor(*place: int | str) -> str:
    """Returns the cursor that callers send to read on from a place in a list of games or players."""
    return base64.urlsafe_b64encode(orjson.dumps(place)).decode().rstrip("=")


def read_cursor(text: str) -> Rank:
    """Returns the place in a list of games or players that a caller's cursor names.

    Raises:
        Refused: `invalid_request`.
    """
    try:
        place = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError):
        place = None
    if not isinstance(place, list) or [type(part) for part in place] != [int, int, str] or place[0] < 0:
        raise invalid("cursor", "fault.cursor")
    if place[2] and not is_id(place[2]):
        raise invalid("cursor", "fault.cursor")
    return place[0], place[1], place[2]
