"""Finds the programs that describe themselves, by the games that they accept."""

from itertools import islice
from typing import Any, Final

from games.player import ONLINE
from games.views.page_limits import MOST_PLAYERS
from service.inputs.clock import now_ms
from service.lobby import page_cursor, read_cursor
from service.players import Players
from service.results.player_pages import ONLINE_MS
from service.store.lists.by_time import NEVER
from service.store.lists.by_time import programs as listed
from service.store.lists.presence import Presence
from service.store.players.stored_players import BANNED, ERASED, program_in
from service.store.redis.client import RedisClient

MOST_LOOKS: Final = 100
"""How many programs are examined for one page, which may therefore be short or empty."""
_READ: Final = ("name", "kind", "token", "program", "hidden")


class Programs:
    """The programs of an installation. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient, players: Players, presence: Presence) -> None:
        self._listed = listed(redis)
        self._players = players
        self._presence = presence

    def page(
        self,
        token: str | None,
        *,
        edition: str | None = None,
        seats: int | None = None,
        online: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """Returns a page of the programs that accept such games, those first that described themselves last.

        Raises:
            Refused: the token is not valid, or the cursor is none of this list.
        """
        if token is not None:
            self._players.authenticate(token)
        most = min(limit or MOST_PLAYERS, MOST_PLAYERS)
        _, newest, seen = read_cursor(cursor) if cursor is not None else (0, NEVER, "")
        looked = [*islice(self._listed.newest(newest, seen), MOST_LOOKS + 1)]
        ids = [player for player, _ in looked[:MOST_LOOKS]]
        fields = self._players.stored.some_fields(ids, _READ)
        times, since = self._presence.seen(ids), now_ms() - ONLINE_MS
        found: list[dict[str, Any]] = []
        for player, at in looked[:MOST_LOOKS]:
            if len(found) == most:
                break
            newest, seen = at, player
            stored = fields.get(player, {})
            token = stored.get("token", ERASED)
            if token == ERASED and player in fields:
                self._listed.take_off(player)
            program = program_in(player, stored)
            if program is None or token in (BANNED, ERASED):
                continue
            is_online = times[player] > since if ONLINE not in stored.get("hidden", "").split() else None
            accepts = program.accepts
            if edition in (None, *accepts.editions) and seats in (None, *accepts.seats) and (is_online or not online):
                described = {"id": player, "name": stored["name"], "kind": stored["kind"]}
                found.append({**described, "online": is_online, "program": program.view()})
        more = bool(looked) and looked[-1] != (seen, newest)
        return {"items": found, "next_cursor": page_cursor(0, newest, seen) if more else None}
