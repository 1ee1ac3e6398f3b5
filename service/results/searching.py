"""Finds players by how their names begin."""

import base64
import binascii
from typing import Any, Final

import orjson

from games.errors import invalid
from games.ids import is_id
from games.names import sought
from games.player import ONLINE
from games.views.page_limits import MOST_PLAYERS
from service.inputs.clock import now_ms
from service.players import Players
from service.results.player_pages import ONLINE_MS
from service.store.lists.presence import Presence
from service.store.players.names import Entry
from service.store.players.stored_players import BANNED, ERASED

MOST_LOOKS: Final = 100
"""How many players are examined for one page, which may therefore be short or empty."""
_READ: Final = ("name", "kind", "token", "hidden")


class PlayerSearch:
    """Finds players of an installation. Every call may raise `Unavailable`."""

    def __init__(self, players: Players, presence: Presence) -> None:
        self._players = players
        self._presence = presence

    def page(
        self, token: str | None, *, name: str = "", limit: int | None = None, cursor: str | None = None
    ) -> dict[str, Any]:
        """Returns a page of the players whose names begin so, in the order of their names.

        Raises:
            Refused: the token is not valid, or the cursor is none of this list.
        """
        if token is not None:
            self._players.authenticate(token)
        most = min(limit or MOST_PLAYERS, MOST_PLAYERS)
        last = _read(cursor, sought(name)) if cursor is not None else None
        entries = self._players.stored.names.beginning(name, last, MOST_LOOKS + 1)
        looked = [one.player for one in entries[:MOST_LOOKS]]
        fields = self._players.stored.some_fields(looked, _READ)
        times, since = self._presence.seen(looked), now_ms() - ONLINE_MS
        found: list[dict[str, Any]] = []
        for entry in entries[:MOST_LOOKS]:
            if len(found) == most:
                break
            last = entry
            stored = fields.get(entry.player, {})
            if stored.get("token", ERASED) in (BANNED, ERASED) or sought(stored["name"]) != entry.name:
                continue
            online = times[entry.player] > since if ONLINE not in stored.get("hidden", "").split() else None
            found.append({"id": entry.player, "name": stored["name"], "kind": stored["kind"], "online": online})
        more = bool(entries) and entries[-1] != last
        return {"items": found, "next_cursor": _cursor(last) if more and last is not None else None}


def _cursor(last: Entry) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([*last])).decode().rstrip("=")


def _read(text: str, begin: str) -> Entry:
    """Returns the entry after which a page begins, by a caller's cursor.

    Raises:
        Refused: `invalid_request`.
    """
    try:
        place = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError):
        place = None
    if not isinstance(place, list) or [type(part) for part in place] != [str, str] or not is_id(place[1]):
        raise invalid("cursor", "fault.cursor")
    if not place[0].startswith(begin):
        raise invalid("cursor", "fault.cursor")
    return Entry(*place)
