"""Expires games and players that nobody touches, and removes them from Redis (decision 003).

A running game is first aborted, by an ordinary append that loses to any faster change; its players are notified. Only
ended games are removed, and nothing can be appended to those. A player first loses the token, and is removed once no
call that had read the token can still be running. Interrupted work is resumed.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from engine.events import SeatOffered, SeatTaken
from games.causes import Abort, Decline, Expire, Leave
from games.errors import ArchiveAway, Refused, Unavailable, kind_of
from games.ids import own_bot
from games.snapshot import Snapshot
from games.tables.lifetimes import expires_at
from games.tables.seats import DECLINE_REASONS
from service.changing.changes import Changes
from service.inputs.clock import now_ms
from service.matches.matches import Matches
from service.metrics.measures import Measures
from service.queue.queue import Queue
from service.results.rating import Ratings
from service.store.damaged import leaving_out
from service.store.lists.by_time import games_of
from service.store.lists.due import DueList, expiring_games, idle_players
from service.store.lists.ended import EndedGames
from service.store.lists.indexes import leave_all
from service.store.lists.listing import Listing
from service.store.log.ended_streams import EndedStreams
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.kept_names import remove_name
from service.store.log.meta import read_metas
from service.store.players.stored_players import ERASED, StoredPlayers
from service.store.redis.client import RedisClient
from service.store.upkeep.inventory import leave_whatever_lists, remove_all, remove_rest

AT_ONCE: Final = 20
"""How many games, and how many players, a process claims at a time."""
LEASE_MS: Final = 10 * 60_000
"""The lease of a claimed game: if it is still there afterwards, any process may try again."""
SETTLED_MS: Final = 5 * 60_000
"""After this time, no call that had read a player's token is still running."""

Claimed: TypeAlias = tuple[str, int]
"""A claimed game or player, and the end of the lease."""
ExpiryOutcome: TypeAlias = Literal["aborted", "removed", "kept"]

_log = logging.getLogger(__name__)


class Expiry:
    """Ends and removes games, and removes players; any number of processes may do it at once.

    Every call may raise `Unavailable`.
    """

    def __init__(
        self,
        redis: RedisClient,
        log: EventLog,
        changes: Changes,
        queue: Queue,
        matches: Matches,
        measures: Measures,
        ratings: Ratings,
        idle_ms: int,
    ) -> None:
        """Players without games are removed after `idle_ms`; 0: never."""
        self._ratings = ratings
        self._redis = redis
        self._expiring = expiring_games(redis)
        self._idle = idle_players(redis)
        self._players = StoredPlayers(redis)
        self._event_log = log
        self._streams = EndedStreams(redis)
        self._changes = changes
        self._queue = queue
        self._matches = matches
        self._measures = measures
        self._idle_ms = idle_ms

    def expire_games(self) -> Iterator[ExpiryOutcome]:
        """Yields what became of each game due to expire that this process claims; one failure stops no others."""
        yield from _expire_each(self.claim_games(), self.game)

    def expire_players(self) -> Iterator[ExpiryOutcome]:
        """Yields what became of each player due to expire whom this process claims; one failure stops no others."""
        yield from _expire_each(_claimed(self._idle), self.player)

    def claim_games(self) -> list[Claimed]:
        """Claims some games that are due to expire."""
        return _claimed(self._expiring)

    # --- games ---

    def game(self, claimed: Claimed) -> ExpiryOutcome:
        """Expires a due game: ends it, or removes it if it has ended; one that was touched meanwhile stays.

        Raises:
            Unavailable: Redis cannot be reached or takes no writes; remaining work comes due again.
        """
        game, lease = claimed
        snapshot = self._event_log.read_uncached(game)
        ends = expires_at(snapshot) if snapshot is not None else None
        if snapshot is None or ends is None or ends > now_ms():
            self._expiring.reschedule(lease, {game: ends})
            return "kept"
        if snapshot.ended:
            self.remove(snapshot)
            return "removed"
        try:
            self._changes.by_service(snapshot, Expire())
        except VersionConflict:
            return "kept"  # it was touched just now; it comes due again
        return "aborted"

    def remove(self, ended: Snapshot, *, whole: bool = False) -> None:
        """Removes an expired or deleted game: first the index entries, then the game, last what brings it up again.

        With `whole`, its file in the archive and the keys beside its log, such as answers, are removed before all that:
        if the call is interrupted, another one finds them through the game.

        Raises:
            ArchiveAway: with `whole`, the file cannot be removed; nothing is removed.

        Nothing is ever appended to an ended game, so its index entries may go before the log compares the head. The
        other way round, a process that dies in between would leave entries without a log that names them.
        """
        game = ended.id
        known = {ended.table.creator, *self._people(ended)}
        digest = self._event_log.archived(game) if whole else None
        if digest is not None:
            self._event_log.unarchive(game, digest)
        if whole:
            remove_rest(self._redis, game)
        leave_all(self._redis, ended, known)
        self._ratings.remove(ended)
        gone = self._streams.remove(ended)
        if gone is not None:
            self._measures.removed(ended)
        if whole and gone and gone != digest:
            self._event_log.unarchive(game, gone)  # it went there meanwhile
        self._expiring.remove(game)

    def remove_damaged(self, game: str) -> None:
        """Removes a game that cannot be read, also from the archive, whoever it belongs to.

        It looks through all lists there are, for the game does not say on which it is.

        Raises:
            ArchiveAway: its file in the archive cannot be removed; nothing is removed.
        """
        [fields] = read_metas(self._redis, [game], "archive")
        digest = fields[0] if fields is not None else None
        if digest is not None and digest.isalnum():  # else it names no file
            self._event_log.unarchive(game, digest.decode())
        self._ratings.remove_damaged(game)
        leave_whatever_lists(self._redis, game)
        EndedGames(self._redis).take_off(game)
        Listing(self._redis).remove(game)
        remove_all(self._redis, game)

    def _people(self, ended: Snapshot) -> Iterator[str]:
        """Yields all who ever sat at an expired game's table or were invited to it, as far as its log can be read."""
        seated: Sequence[str | None] = ended.players
        upto = ended.started.version if ended.started is not None else ended.version
        try:
            events = [entry.event for entry in self._event_log.entries(ended.id, 0, upto)]
        except ArchiveAway:
            events = []
        for player in [*seated, *(event.player for event in events if isinstance(event, SeatTaken | SeatOffered))]:
            if player is not None and own_bot(player) is None:
                yield player

    # --- players ---

    def player(self, claimed: Claimed) -> ExpiryOutcome:
        """Expires a player who has no games and reads no notices, in two steps; reschedules any other."""
        player, lease = claimed
        banned, settling = self._players.settling(player)
        if banned or settling:
            # Calls that had read the token or the name may have written either since.
            self.clean_up_after(player)
            # A ban has brought this look forward: the player is not idle yet, and the ban may be lifted.
            stays = (banned and settling) or not self._idle_ms
            if stays:
                self._idle.reschedule(lease, {player: self._next_look()})
            # Last: if this process dies before, the next look does not remove the player either.
            self._players.settled(player)
            if stays:
                return "kept"
        outcome = self._players.retire(player, SETTLED_MS)
        if outcome == "kept":
            self._idle.reschedule(lease, {player: self._next_look()})
        elif outcome == "gone":
            self._matches.forget(player)
            self._idle.reschedule(lease, {player: None})
        return "removed" if outcome == "gone" else "kept"

    def put_off(self, player: str) -> None:
        """Puts off when a player expires, as if they had just registered."""
        self._idle.set(player, self._next_look())

    def _next_look(self) -> int | None:
        """Returns when to look again whether a player expires; None: never."""
        return now_ms() + self._idle_ms if self._idle_ms else None

    def clean_up_after(self, player: str) -> None:
        """Lets a banned or erased player leave all games; removes an erased one's notices and name in stored answers.

        Raises:
            Unavailable: Redis cannot be reached; work is left.
        """
        self.leave_games(player)
        if self._players.token(player) == ERASED:
            remove_name(self._redis, player)
            self._players.remove_notices(player)  # a call that had read the token may have asked for some

    def leave_games(self, player: str) -> None:
        """Lets a banned or erased player leave the leaderboards, the queue and all games, and ends their matches.

        Aborts their open tables, and declines their invitations.

        A table that waits for nonces keeps them: then nobody may get up.

        Raises:
            Unavailable: Redis cannot be reached; the games that are left stay.
        """

        def cause_for(snapshot: Snapshot) -> Abort | Leave | Decline | None:
            if snapshot.ended or snapshot.reveals is not None:
                return None
            if snapshot.started is None and snapshot.table.creator == player:
                return Abort()
            seats = [seat for seat in snapshot.seats_of(player) if not snapshot.state.seats[seat].left]
            if seats:
                return Leave(seats[0])
            offer = snapshot.offer_to(player)
            return Decline(offer, player, DECLINE_REASONS[0]) if offer is not None else None

        self._ratings.list_again(player)
        self._queue.leave(player)
        self._matches.leave(player, erased=self._players.token(player) == ERASED)
        for game in games_of(self._redis, player):
            with leaving_out(game, "the games that a player leaves"), suppress(Refused):  # the game is gone
                while cause_for(self._changes.by_operator(game, cause_for)) is not None:
                    pass  # a sandbox's creator may have several seats


def _claimed(due: DueList) -> list[Claimed]:
    lease = (now := now_ms()) + LEASE_MS
    return [(one, lease) for one in due.claim(now, lease, AT_ONCE)]


def _expire_each(claimed: Sequence[Claimed], expire: Callable[[Claimed], ExpiryOutcome]) -> Iterator[ExpiryOutcome]:
    for one in claimed:
        try:
            yield expire(one)
        except Unavailable as error:
            _log.warning("%s cannot expire now and is tried again: %s", one[0], error)
        except Exception as error:
            _log.error("%s cannot expire and is tried again later: %s", one[0], kind_of(error))
