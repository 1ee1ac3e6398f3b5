"""Reads the lobby for those who follow it: the games in it now, and the changes after a number."""

import contextlib
import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.errors import Refused, TakesNoWrites
from games.messages import Message
from service.players import Players, described
from service.store.damaged import leaving_out
from service.store.lists.listing import Change, Listing
from service.store.lists.presence import Presence
from service.store.log.event_log import EventLog

MOST: Final = 1000
"""How many games a stream begins with at most: the newest."""
RECONCILE_SECONDS: Final = 2.0
"""How long a process relies on having looked for changes that were not written."""
HOSTS_SECONDS: Final = 5.0
"""How long it relies on having looked which hosts of open tables have come or gone; all of them are looked at."""
COMPARE_SECONDS: Final = 60.0
"""How long it relies on having compared all games, which costs more the more there are, while their number is right."""
PAGE: Final = 1000
"""How many changes a stream begins with at most; further ones follow at once."""


class LobbyStreamStart(NamedTuple):
    """Where a stream of the lobby begins: at the number of a change."""

    caller: str | None
    proof: str | None
    """Proof of the token they came with; None without one."""
    version: int
    """The number of the last change that they know. They are sent what follows."""
    changes: Sequence[Change]
    """What they get at once. Those that were in the lobby already have no cursor."""


class LobbyChanges:
    """Lets callers follow the lobby."""

    def __init__(self, log: EventLog, players: Players, listing: Listing, presence: Presence) -> None:
        self._log = log
        self._players = players
        self._listing = listing
        self._presence = presence
        self._reconciled = -RECONCILE_SECONDS
        self._compared = -COMPARE_SECONDS
        self._hosts_seen = -HOSTS_SECONDS
        self._missing: set[str] = set()
        """Doubted games that were not there when this process last looked: they may just have been about to open."""

    def begin(self, token: str | None, after: int | None = None) -> LobbyStreamStart:
        """Returns the lobby's changes after a number for a follower; without one, or if too old, the present lobby.

        Raises:
            Refused: the token is not valid.
            Unavailable: Redis cannot be reached.
        """
        caller = self._players.authenticate(token).id if token is not None else None
        proof = self._players.proof(token) if caller is not None else None
        self._reconcile()
        if after is not None:
            try:
                changes = self.after("", after, PAGE)
                return LobbyStreamStart(caller, proof, changes[-1]["cursor"] if changes else after, changes)
            except Refused:
                pass  # too long ago: from the start
        count, games = self._listing.newest(MOST)
        games.sort(key=lambda game: (game["created_at"], game["id"]))
        opened = [{"cursor": None, "type": "opened", "game": game} for game in games[-MOST:]]
        return LobbyStreamStart(caller, proof, count, self._named(opened))

    def after(self, _: str, cursor: int, limit: int) -> list[Change]:
        """Reads at most `limit` changes of the lobby after a number, for its followers.

        Raises:
            Refused: `cursor_gone`, what came next is no longer kept, or the number is from before a restore.
        """
        changes = self._listing.changes(cursor, limit)
        if changes is None:
            raise Refused("cursor_gone", Message("detail.cursor_gone"))
        return self._named(changes)

    def counts(self, whose: Sequence[str]) -> list[int | None]:
        """Counts the changes of the lobby for its followers, and finds those that were not written."""
        self._reconcile()
        return [self._listing.count()] * len(whose)

    def _reconcile(self) -> None:
        """Lists the games that the lobby has and followers do not, and the other way round.

        A process may end after an append and before it has noted the change, and a restore or a rebuild notes none.
        Hosts of open tables come and go without any append.
        """
        if time.monotonic() < self._reconciled + RECONCILE_SECONDS:
            return
        self._reconciled = now = time.monotonic()
        compared, self._compared = self._compared, -COMPARE_SECONDS  # if Redis is away now, all are compared next
        noted = self._listing.noted_stale() if now < compared + COMPARE_SECONDS else None
        known, stale = noted or self._listing.stale()
        self._compared = now if noted is None else compared
        with contextlib.suppress(TakesNoWrites):
            self._correct(known, stale | self._moved_hosts(now))

    def _moved_hosts(self, now: float) -> set[str]:
        """Returns the tables in the lobby whose hosts have come or gone, as far as it is time to look."""
        if now < self._hosts_seen + HOSTS_SECONDS:
            return set()
        self._hosts_seen = now
        return self._presence.changed()

    def _correct(self, known: set[str], stale: set[str]) -> None:
        """Corrects how some games are listed for followers of the lobby, from their logs."""
        missing: set[str] = set()
        for game in sorted(stale):
            with leaving_out(game, "the lobby"):
                snapshot = self._log.read(game).snapshot
                if snapshot is None:
                    if game in known:
                        self._listing.remove(game)
                    elif game in self._missing:
                        self._listing.clear_stale(game)  # it was not opened after all
                    else:
                        missing.add(game)
                elif snapshot.table.visibility == "public":
                    self._listing.correct(snapshot)
        self._missing = missing

    def _named(self, changes: Iterable[Change]) -> list[Change]:
        """Returns the lobby's changes for followers with the names of players, which are stored by id only."""
        listed = list(changes)
        seats = [seat for change in listed for seat in change["game"]["seats"]]
        ids = {player["id"] for seat in seats for player in (seat["player"], seat["invited"]) if player is not None}
        named = self._players.named(sorted(ids))
        for seat in seats:
            for role in ("player", "invited"):
                if seat[role] is not None:
                    seat[role] = described(named[seat[role]["id"]])
        return listed
