"""Players and their tokens; which seats they sit on is in the logs of the games."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.bots import BOTS
from engine.state import ABORTED, FINISHED
from service import keys
from service.connection import Exchange
from service.errors import Refused, Unavailable, invalid, unauthenticated
from service.ids import BOT_PREFIX, own_bot
from service.log import hash_of
from service.said import Said
from service.scripts import ROTATE
from service.settings import LONGEST_NAME
from service.times import now_ms

CACHED_NAMES = 50_000


ENDED = (FINISHED.encode(), ABORTED.encode())
"""The statuses of games that have ended, as they are stored."""


class Player(NamedTuple):
    """Who sits on a seat: an id, a name, and `human` or `bot` (a program that says so)."""

    id: str
    name: str
    kind: str


class Token(NamedTuple):
    """A bearer token taken apart: whose it is, and the 256 random bits that prove it."""

    player: str
    secret: str


def read_token(text: str | None) -> Token | None:
    """Returns the parts of a token, or None if there is none.

    Raises:
        Refused: `unauthenticated`, the text is no token.
    """
    if text is None:
        return None
    player, dot, secret = text.partition(".")
    if not dot or not player.isalnum() or not player.isascii() or not secret:
        raise unauthenticated()
    return Token(player, secret)


def check_token(token: Token, fields: Mapping[str, str]) -> Player:
    """Returns the player whose stored fields prove the token, compared in constant time.

    Raises:
        Refused: `unauthenticated`, there is no such player, or the token is not the present one.
    """
    if not hmac.compare_digest(_hashed(token.secret), fields.get("token", "")):
        raise unauthenticated()
    return Player(token.player, fields["name"], fields["kind"])


class Players:
    """The players of an installation."""

    def __init__(self, exchange: Exchange, registration_key: str = "", longest_name: int = LONGEST_NAME) -> None:
        """`registration_key` is what new players must show; empty: anyone may register."""
        self._exchange = exchange
        self._registration_key = registration_key.encode()
        self._longest_name = longest_name
        self._names: dict[str, Player] = {}

    def register(self, name: str, kind: str, registration_key: str | None = None) -> dict[str, Any]:
        """Makes a player and the first token, which is shown this once.

        Raises:
            Refused: `registration_closed`, the operator's key is needed and not shown; `invalid_request`, the name is
                too long.
        """
        shown = (registration_key or "").encode(errors="surrogateescape")
        if self._registration_key and not hmac.compare_digest(shown, self._registration_key):
            raise Refused("registration_closed", Said("detail.registration_closed"))
        if len(name) > self._longest_name:
            raise invalid("name", "fault.characters_up_to", most=self._longest_name)
        player = Player("p" + secrets.token_hex(10), name, kind)
        token = secrets.token_urlsafe(32)
        fields = ("name", name, "kind", kind, "token", _hashed(token), "created_at", now_ms())
        self._exchange.send(("HSET", keys.player(player.id), *fields))
        return {"player": player._asdict(), "token": f"{player.id}.{token}"}

    def authenticate(self, text: str | None) -> Player:
        """Returns the player of a token.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid.
        """
        token = read_token(text)
        if token is None:
            raise unauthenticated()
        return check_token(token, hash_of(self._exchange.send(("HGETALL", keys.player(token.player)))[0]))

    def opener(self, text: str | None) -> tuple[Player, int]:
        """Returns the player of a token and how many of the games that the player has opened have not ended.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid.
        """
        token = read_token(text)
        if token is None:
            raise unauthenticated()
        fields, opened = self._exchange.send(
            ("HGETALL", keys.player(token.player)), ("ZCARD", keys.opened(token.player))
        )
        return check_token(token, hash_of(fields)), opened

    def still_open(self, player: str) -> int:
        """Returns how many of the games that a player has opened have not ended, by the games themselves."""
        index = keys.opened(player)
        games = [game.decode() for game in self._exchange.send(("ZRANGE", index, 0, -1))[0]]
        statuses = self._exchange.send(*[("HGET", keys.meta(game), "status") for game in games]) if games else []
        ended = [game for game, status in zip(games, statuses, strict=True) if status in ENDED]
        if ended:
            self._exchange.send(("ZREM", index, *ended))
        return len(games) - len(ended)

    def me(self, text: str | None) -> dict[str, Any]:
        """Returns the player of a token as plain data."""
        return self.authenticate(text)._asdict()

    def rotate(self, text: str | None) -> dict[str, Any]:
        """Replaces a player's token; the old one stops at once.

        Raises:
            Refused: `unauthenticated`, also to all but one of several callers who show the same token at once.
        """
        player = self.authenticate(text)
        token = secrets.token_urlsafe(32)
        if not self._replace(keys.player(player.id), _hashed(str(text).partition(".")[2]), _hashed(token)):
            raise unauthenticated()
        return {"player": player._asdict(), "token": f"{player.id}.{token}"}

    def _replace(self, name: str, old: str, new: str) -> bool:
        """Replaces the hash of a token; whether the old one was still there."""
        try:
            return bool(self._exchange.run(ROTATE, [name], [old, new]))
        except Unavailable:
            # A player whose token was replaced without an answer could never come back.
            if self._exchange.send(("HGET", name, "token"))[0] != new.encode():
                raise
            return True

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns the players with these ids; names never change, so each is read once."""
        known = self._names
        found: dict[str, Player] = {}
        missing: list[str] = []
        for player_id in ids:
            if player_id is not None and player_id not in found:
                player = known.get(player_id)
                if player is None:
                    missing.append(player_id)
                else:
                    found[player_id] = player
        return found | self._fetch(missing) if missing else found

    def _fetch(self, ids: list[str]) -> dict[str, Player]:
        """Reads the names of players and keeps them."""
        others = [player_id for player_id in ids if own_bot(player_id) is None]
        fetched = {player_id: Player(player_id, bot, "bot") for player_id in ids if (bot := own_bot(player_id))}
        if others:
            replies = self._exchange.send(*[("HMGET", keys.player(player_id), "name", "kind") for player_id in others])
            for player_id, (name, kind) in zip(others, replies, strict=True):
                fetched[player_id] = Player(player_id, (name or b"?").decode(), (kind or b"human").decode())
        if len(self._names) > CACHED_NAMES:
            self._names = {}  # a new one: other threads may be reading the old
        self._names.update(fetched)
        return fetched


def bot_player(name: str) -> str:
    """Returns the player id of one of the service's own bots."""
    assert name in BOTS
    return BOT_PREFIX + name


def _hashed(secret: str) -> str:
    """Returns the hash under which a token's secret is stored; 256 random bits need no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()
