"""Blocks players: a blocked player cannot invite you, sit down at your tables or appear in your notices.

Invitations, seats and notices each enforce this themselves.
"""

from typing import Any, Final

from games.errors import Refused, full, invalid
from games.messages import Message
from games.texts.catalogue import Catalogue
from games.times import text_of
from games.views.page_limits import MOST_GAMES
from service.inputs.clock import now_ms
from service.lobby import page_cursor, read_cursor
from service.matches.matches import Matches
from service.players import Players, check_token, described, required_token
from service.store.lists.by_time import NEVER
from service.store.players.blocked import BlockedPlayers
from service.store.players.stored_players import is_there
from service.store.redis.client import RedisClient
from service.tables import Tables

MOST_BLOCKED: Final = 500
"""How many players one player may block."""


class Blocks:
    """Blocks and unblocks players."""

    def __init__(self, redis: RedisClient, players: Players, tables: Tables, matches: Matches) -> None:
        self._blocked = BlockedPlayers(redis)
        self._players = players
        self._tables = tables
        self._matches = matches

    def block(self, token_text: str | None, other: str, *, words: Catalogue) -> dict[str, Any]:
        """Blocks another player for the caller and declines all their invitations; returns that player and the time.

        Raises:
            Refused: the token is not valid; `not_found`, there is no such player; `invalid_request`, it is the caller;
                `rate_limited`, the caller's block list is full.
        """
        token = required_token(token_text)
        before = self._blocked.before(token.player, other)
        player = check_token(token, before.fields)
        if other == player.id:
            raise invalid("player_id", "fault.block_oneself")
        if not is_there(before.other_token):
            raise Refused("not_found", Message("detail.no_such_player"))
        if not before.is_blocked and before.total >= MOST_BLOCKED:
            raise full("blocked_players", "detail.too_many_blocked", most=MOST_BLOCKED)
        # Block first, so that invitations made meanwhile are never seen.
        since = self._blocked.add(player.id, other, now_ms())
        self._tables.decline_all(token_text, other, words=words)
        self._matches.decline_all(token_text, other)
        return self._block(other, since)

    def unblock(self, token_text: str | None, other: str) -> None:
        """Unblocks another player for the caller; does nothing if they are not blocked.

        Raises:
            Refused: the token is not valid; `not_found`, there is no such player, and none is blocked.
        """
        player = self._players.authenticate(token_text)
        if not self._blocked.remove(player.id, other):
            raise Refused("not_found", Message("detail.no_such_player"))

    def listed(self, token_text: str | None, limit: int | None = None, cursor: str | None = None) -> dict[str, Any]:
        """Returns a page of the players whom the caller has blocked, newest first.

        Raises:
            Refused: the token is not valid, or the cursor is not one of this list.
        """
        player = self._players.authenticate(token_text)
        _, newest, seen = read_cursor(cursor) if cursor is not None else (0, NEVER, "")
        rest = [pair for pair in self._blocked.newest(player.id) if pair[0] < newest or pair < (newest, seen)]
        page = rest[: min(limit or MOST_GAMES, MOST_GAMES)]
        self._players.named([other for _, other in page])
        items = [self._block(other, since) for since, other in page]
        return {"items": items, "next_cursor": page_cursor(0, *page[-1]) if len(rest) > len(page) else None}

    def _block(self, other: str, since: int) -> dict[str, Any]:
        return {"player": described(self._players.named([other])[other]), "since": text_of(since)}
