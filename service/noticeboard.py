"""What a player reads of what they were told of their games: what is open now, and what comes after a cursor.

How it reaches a process at once is for `notice_feeds`, what there is to tell for `notices`.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

import orjson
import redis

from service import keys
from service.cluster import ClusterWaiting
from service.connection import Exchange, away_is_unavailable
from service.damage import leaving_out
from service.errors import Refused, unauthenticated
from service.lobby import Lobby
from service.log import hash_of
from service.notices import Notice, invitation_of, turn_of
from service.players import Players, check_token, read_token
from service.reading import LONGEST_WAIT_SECONDS
from service.said import Said
from service.teller import KEEP_SECONDS
from service.tickets import Tickets

MOST_NOTICES: Final = 1000

Elsewhere = Callable[[str, int, float], None]
"""What waits in place of a call: it takes a player, the cursor to wait beyond, and the seconds to wait at most."""


class Told(NamedTuple):
    """One who reads what they are told, from a cursor on."""

    caller: str
    proof: str
    """What shows which token they have come with."""
    version: int
    """The cursor up to which they have been told; what follows is for them."""
    notices: Sequence[Notice]
    """What they are told at once."""


class Noticeboard:
    """Lets players read what they are told."""

    def __init__(
        self,
        exchange: Exchange,
        waiting: "redis.Redis | ClusterWaiting",
        lobby: Lobby,
        players: Players,
        tickets: Tickets,
    ) -> None:
        """`waiting` is a client whose answers may take as long as a long-poll."""
        self._exchange = exchange
        self._waiting = waiting
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
        elsewhere: Elsewhere | None = None,
    ) -> dict[str, Any]:
        """Returns the notices after a cursor, at most `limit`; waits up to `wait` seconds for the first.

        Without a cursor it is what is open now, all of it if there is no limit. What waits `elsewhere` is told what to
        wait for instead: it asks once more when there is something.

        Raises:
            Refused: the token is not valid, or what came after the cursor is not kept any more.
        """
        told = self.begin(token, after=after, limit=limit)
        if wait and after is not None and not told.notices:
            seconds = min(wait, LONGEST_WAIT_SECONDS)
            if elsewhere is not None:
                elsewhere(told.caller, after, seconds)
            else:
                with away_is_unavailable():
                    names = (keys.notices(told.caller), keys.approaches(told.caller))
                    block = max(1, int(1000 * seconds))
                    self._waiting.xread(dict.fromkeys(names, f"{after}-0"), count=1, block=block)
                told = self.begin(token, after=after, limit=limit)
        return {"events": told.notices, "cursor": told.version}

    def begin(
        self,
        token: str | None,
        *,
        after: int | None = None,
        limit: int | None = None,
        ticket: str | None = None,
    ) -> Told:
        """Returns what a player is told after a cursor, or without one what is open now, the most urgent first.

        Raises:
            Refused: the token or the ticket is not valid, or what came after the cursor is not kept any more.
        """
        if ticket is not None:
            caller, proof, _ = self._tickets.redeem_own(ticket)
        else:
            caller, proof = self._caller(token)
        if after is None:
            # Noted first, then counted, then looked at: what happens meanwhile is seen now, told later, or both.
            cursor = self._count(caller)
            return Told(caller, proof, cursor, self._named(self._open(caller)[:limit]))
        read = self.after(caller, after, min(limit or MOST_NOTICES, MOST_NOTICES))
        return Told(caller, proof, read[-1]["cursor"] if read else after, read)

    def after(self, player: str, cursor: int, limit: int) -> list[Notice]:
        """Reads at most so many notices of a player after a cursor.

        Raises:
            Refused: `cursor_gone`, what came next is not kept any more, or the cursor is of another past.
        """
        after = (f"{cursor + 1}-0", "+", "COUNT", limit)
        _, (count, last), raw, approaches = self._exchange.send(
            ("SET", keys.asked_for(player), 1, "EX", KEEP_SECONDS),
            ("HMGET", keys.player(player), "notices", "last_notice"),
            ("XRANGE", keys.notices(player), *after),
            ("XRANGE", keys.approaches(player), *after),
        )
        # Each notice names the one before it that must not be missed, kept or not: so none can be missing unseen.
        before = int((raw[0][1][3] if raw else last) or 0)
        if before > cursor or int(count or 0) < cursor:
            raise Refused("cursor_gone", Said("detail.cursor_gone"))
        read = [{"cursor": int(name.split(b"-")[0]), **orjson.loads(fields[1])} for name, fields in raw + approaches]
        return self._named(sorted(read, key=itemgetter("cursor"))[:limit])

    def counts(self, players: Sequence[str]) -> list[int | None]:
        """Reads how many notices players have been told; None for those that cannot be read."""
        replies = self._exchange.send_each(*[("HMGET", keys.player(player), "notices") for player in players])
        return [int(reply[0] or 0) if reply is not None else None for reply in replies]

    def _caller(self, text: str | None) -> tuple[str, str]:
        token = read_token(text)
        if token is None:
            raise unauthenticated()
        fields = hash_of(self._exchange.send(("HGETALL", keys.player(token.player)))[0])
        return check_token(token, fields).id, self._players.proof(text)

    def _count(self, player: str) -> int:
        """Returns how many notices a player has been told; those to come are kept."""
        return int(
            self._exchange.send(
                ("SET", keys.asked_for(player), 1, "EX", KEEP_SECONDS), ("HGET", keys.player(player), "notices")
            )[1]
            or 0
        )

    def _open(self, player: str) -> list[Notice]:
        """Returns what a player would be told if everything that is open now had just come to be so."""
        turns, invited = [], []
        for snapshot in self._lobby.running(player):
            with leaving_out(snapshot.id, "what a player is told"):
                turn = turn_of(snapshot)
                if turn is not None and turn[0] == player:
                    turns.append(turn[1])
        for snapshot in self._lobby.invitations(player):
            with leaving_out(snapshot.id, "what a player is told"):
                invited.append(invitation_of(snapshot, player))
        turns.sort(key=lambda notice: notice["deadline"] or "Z")  # what has no deadline comes last
        return [{"cursor": None, **notice} for notice in (*turns, *invited) if notice is not None]

    def _named(self, notices: Iterable[Notice]) -> list[Notice]:
        """Returns notices with the players that they are about, who are stored by their ids alone."""
        told = list(notices)
        named = self._players.named([notice["player"] for notice in told])
        return [
            {**notice, "player": named[notice["player"]]._asdict() if notice["player"] is not None else None}
            for notice in told
        ]
