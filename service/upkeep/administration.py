"""Does what operators ask for: finds and bans players, aborts and removes games.

A ban puts the player's token aside in the record that every call reads, so it holds in all processes at once. The
player leaves their games as if they had left by themselves, so that nobody waits for them.
"""

from typing import Any, Final

from games.causes import Abort
from games.errors import Damaged, Refused, invalid
from games.ids import own_bot
from games.messages import Message
from games.snapshot import Snapshot
from games.times import text_of
from games.views.page_limits import MOST_GAMES
from service.changing.changes import Changes
from service.inputs.clock import now_ms
from service.lobby import page_cursor, read_cursor
from service.players import Players
from service.results.rating import Ratings
from service.store.lists.presence import Presence
from service.store.log.event_log import EventLog
from service.store.redis.client import RedisClient
from service.store.redis.cluster import nodes_of
from service.store.upkeep.inventory import SCANNED, some_players
from service.upkeep.expiry import SETTLED_MS, Expiry

MOST_SCANS: Final = 100
"""Round trips for one page of players; a page may therefore be short or empty."""
FIELDS: Final = ("name", "kind", "created_at", "banned")


class Administration:
    """Changes players and games for operators, who are authenticated elsewhere."""

    def __init__(
        self,
        redis: RedisClient,
        log: EventLog,
        players: Players,
        changes: Changes,
        expiry: Expiry,
        presence: Presence,
        ratings: Ratings,
    ) -> None:
        self._redis = redis
        self._presence = presence
        self._ratings = ratings
        self._event_log = log
        self._players = players
        self._changes = changes
        self._expiry = expiry

    # --- players ---

    def players(self, name: str = "", limit: int | None = None, cursor: str | None = None) -> dict[str, Any]:
        """Returns a page, for operators, of the players whose name begins with `name`, in any case, unordered.

        It scans Redis, a bounded number of keys for each page. A page takes all that a scan finds or nothing of it,
        because the same scan may reach further by the next page. Only if the shortest scan finds too many, the page
        ends at an id.

        Raises:
            Refused: `invalid_request`, the cursor is not one of this list.
        """
        most = min(limit or MOST_GAMES, MOST_GAMES)
        nodes = nodes_of(self._redis)
        place, at, seen = read_cursor(cursor) if cursor is not None else (0, 0, "")
        if place >= len(nodes) or at < 0:
            raise invalid("cursor", "fault.cursor")
        items: list[dict[str, Any]] = []
        scanned = 1 if seen else SCANNED
        for _ in range(MOST_SCANS):
            following, ids = some_players(nodes[place], at, scanned)
            found = [one for one in self._described_players(sorted({*ids})) if one["id"] > seen]
            found = [one for one in found if one["name"].casefold().startswith(name.casefold())]
            if len(found) > most - len(items):
                if items:
                    break
                if scanned == 1:
                    return {"items": found[:most], "next_cursor": page_cursor(place, at, found[most - 1]["id"])}
                scanned = max(1, scanned // 4)
                continue
            items += found
            at, seen, scanned = following, "", SCANNED
            if at == 0:
                place += 1
                if place == len(nodes):
                    return {"items": items, "next_cursor": None}
        return {"items": items, "next_cursor": page_cursor(place, at, seen)}

    def ban(self, player: str) -> dict[str, Any]:
        """Bans a player for an operator: the player leaves all games. Returns the player.

        Repeat it if it was interrupted: it does the rest.

        Raises:
            Refused: `not_found`, there is no such player.
        """
        # Calls that had read the token may still sit the player down: a worker looks again later.
        if self._described_players([player]):
            self._players.stored.schedule_check(player, now_ms() + SETTLED_MS)
        described = self._ban_or_unban(player)
        self._expiry.leave_games(player)
        return described

    def unban(self, player: str) -> dict[str, Any]:
        """Lifts an operator's ban: the player's token works again. Returns the player.

        Raises:
            Refused: `not_found`, there is no such player.
        """
        # First: the check that the ban has brought forward would remove the player once the ban is lifted.
        if any(one["banned"] for one in self._described_players([player])):
            self._expiry.put_off(player)
        described = self._ban_or_unban(player, lift=True)
        self._ratings.list_again(player)
        return described

    def erase(self, player: str) -> None:
        """Erases a player for an operator: removes name and tokens; ended games stay.

        Repeat it if it was interrupted: it does the rest.

        Raises:
            Refused: `not_found`, there is no such player.
        """
        if own_bot(player) is not None or not self._players.stored.exists(player):
            raise _no_player_to_administer()
        # Calls that had read the token or the name may still write either: a worker looks again later.
        self._players.stored.schedule_check(player, now_ms() + SETTLED_MS)
        if not self._players.stored.erase(player):
            raise _no_player_to_administer()
        self._players.forget(player)
        self._presence.forget(player)
        self._expiry.clean_up_after(player)

    def erase_me(self, token: str | None) -> None:
        """Erases the player of a token, at their own request, as operators can.

        Raises:
            Refused: the token is not valid.
        """
        self.erase(self._players.authenticate(token).id)

    def _ban_or_unban(self, player: str, *, lift: bool = False) -> dict[str, Any]:
        if own_bot(player) is not None or not self._players.stored.ban(player, lift=lift):
            raise _no_player_to_administer()
        described = self._described_players([player])
        if not described:
            raise _no_player_to_administer()
        return described[0]

    def _described_players(self, ids: list[str]) -> list[dict[str, Any]]:
        return [
            {
                "id": one,
                "name": fields["name"],
                "kind": fields["kind"],
                "since": text_of(int(fields["created_at"])) if "created_at" in fields else None,
                "banned": "banned" in fields,
            }
            for one, fields in self._players.stored.some_fields(ids, FIELDS).items()
            if fields.get("name") and fields.get("kind")
        ]

    # --- games ---

    def abort(self, game: str) -> Snapshot:
        """Ends a game without a result for an operator, at any time, and returns it.

        Raises:
            Refused: `not_found`, there is no such game; `game_over`, it has ended.
        """

        def cause_for(snapshot: Snapshot) -> Abort:
            if snapshot.ended:
                raise Refused("game_over", Message("detail.nothing_to_call_off"), version=snapshot.version)
            return Abort()

        return self._changes.by_operator(game, cause_for)

    def delete(self, game: str) -> None:
        """Removes a game with its log and all that lists it, for an operator; a running one is aborted first.

        A damaged game, of which nobody can say who played, is removed as it is.

        Repeat it if it was interrupted: it does the rest.

        Raises:
            Refused: `not_found`, there is no such game.
            ArchiveAway: its log is in the archive, which cannot be reached; the game stays.
        """
        try:
            ended = self._changes.by_operator(game, lambda snapshot: None if snapshot.ended else Abort())
            self._expiry.remove(ended, whole=True)
        except Damaged:
            self._expiry.remove_damaged(game)


def _no_player_to_administer() -> Refused:
    return Refused("not_found", Message("detail.no_such_player"))
