"""Reads a player's notices: what is open now, and what comes after a cursor.

`games/notices` says which notices a change makes, `cursor_feeds` delivers them live.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from games.errors import Refused
from games.matches.setup import match_invited
from games.messages import Message
from games.notices import Notice, invitation_of, reveal_of, turn_of
from games.views.page_limits import LONGEST_WAIT_SECONDS, MOST_NOTICES
from service.live.tickets import Tickets
from service.lobby import Lobby
from service.players import Players, described
from service.reading import Waiter
from service.store.damaged import leaving_out
from service.store.feeds.stored_notices import StoredNotices
from service.store.matches.stored_matches import StoredMatches
from service.store.redis.client import RedisClient

MOST_MATCHES: Final = 50
"""Of how many of the latest matches that they have not accepted players are told when they begin to follow."""


class NoticeStreamStart(NamedTuple):
    """Where a stream of a player's notices begins: at a cursor."""

    caller: str
    proof: str
    """Proof of the token they came with."""
    version: int
    """The last cursor they have; they are sent what follows."""
    notices: Sequence[Notice]
    """The notices they get at once."""
    ticket: str | None = None
    """Where the ticket is kept that opens the stream, for `Tickets.use_up`; None without one."""


class Notices:
    """Lets players read their notices."""

    def __init__(self, redis: RedisClient, lobby: Lobby, players: Players, tickets: Tickets) -> None:
        self._stored = StoredNotices(redis)
        self._matches = StoredMatches(redis)
        self._lobby = lobby
        self._players = players
        self._tickets = tickets

    def page(
        self,
        token: str | None,
        *,
        after: int | None = None,
        limit: int | None = None,
        wait: float = 0,
        waiter: Waiter | None = None,
    ) -> dict[str, Any]:
        """Returns a player's notices after a cursor, at most `limit`; waits up to `wait` seconds for the first.

        Without a cursor it returns what is open now, all of it unless there is a limit. The `waiter` waits; without one
        the call does not.

        Raises:
            Refused: the token is not valid, or what came after the cursor is no longer kept.
        """
        start = self.begin(token, after=after, limit=limit)
        if wait and waiter is not None and after is not None and not start.notices:
            waiter(start.caller, after, min(wait, LONGEST_WAIT_SECONDS))
            start = self.begin(token, after=after, limit=limit)
        return {"events": start.notices, "cursor": start.version}

    def begin(
        self,
        token: str | None,
        *,
        after: int | None = None,
        limit: int | None = None,
        ticket: str | None = None,
    ) -> NoticeStreamStart:
        """Returns a player's notices after a cursor for a stream, or without one what is open, most urgent first.

        Raises:
            Refused: the token or the ticket is not valid, or what came after the cursor is no longer kept.
        """
        kept: str | None = None
        if ticket is not None:
            caller, proof, _, kept = self._tickets.redeem(None, ticket)
        else:
            caller, proof = self._players.authenticate(token).id, self._players.proof(token)
        if after is None:
            # In this order, whatever happens meanwhile is in this list, sent later, or both.
            cursor = self._stored.count(caller)
            return NoticeStreamStart(caller, proof, cursor, self._named(self._open(caller)[:limit]), kept)
        read = self.after(caller, after, min(limit or MOST_NOTICES, MOST_NOTICES))
        return NoticeStreamStart(caller, proof, read[-1]["cursor"] if read else after, read, kept)

    def after(self, player: str, cursor: int, limit: int) -> list[Notice]:
        """Reads at most `limit` notices after a cursor for a player who follows them, with names.

        Raises:
            Refused: `cursor_gone`, what came next is no longer kept, or the cursor is from before a restore.
        """
        found = self._stored.after(player, cursor, limit)
        if found is None:
            raise Refused("cursor_gone", Message("detail.cursor_gone"))
        return self._named(found)

    def kept(self, player: str) -> list[Notice]:
        """Returns all kept notices of a player, in order, with names. It does not count as reading them."""
        return self._named(self._stored.kept(player))

    def counts(self, players: Sequence[str]) -> list[int | None]:
        """Counts players' notices, so that live feeds find missed ones; None for those that cannot be read."""
        return self._stored.counts(players)

    def _open(self, player: str) -> list[Notice]:
        """Returns the notices that a player who begins to follow them gets: as if everything open had just happened."""
        turns, invited = [], []
        for snapshot in self._lobby.urgent(player):
            with leaving_out(snapshot.id, "the notices of a player"):
                turn = turn_of(snapshot)
                if turn is not None and turn[0] == player:
                    turns.append(turn[1])
                if (reveal := reveal_of(snapshot, player)) is not None:
                    turns.append(reveal)
        blocked = self._players.stored.blocked(player)
        for snapshot in self._lobby.invitations(player):
            if snapshot.table.creator in blocked:
                continue  # it was on its way when its creator was blocked
            with leaving_out(snapshot.id, "the notices of a player"):
                invited.append(invitation_of(snapshot, player))
        for match in islice(self._matches.invitations(player), MOST_MATCHES):
            if match.setup.creator not in blocked:
                invited.append(match_invited(match.setup))
        turns.sort(key=lambda notice: notice["deadline"] or "Z")  # those without a deadline come last
        return [{"cursor": None, **notice} for notice in (*turns, *invited) if notice is not None]

    def _named(self, notices: Iterable[Notice]) -> list[Notice]:
        """Returns notices for their followers, with the names of the players they are about: stored by id only."""
        items = list(notices)
        named = self._players.named([notice["player"] for notice in items])
        return [
            notice | {"player": described(named[notice["player"]]) if notice["player"] is not None else None}
            for notice in items
        ]
