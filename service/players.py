"""Players and their tokens; which seats they sit on is in the logs of the games."""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.bots import BOTS
from engine.state import ABORTED, FINISHED
from service import keys
from service.answers import KEEP_SECONDS
from service.connection import Exchange
from service.errors import Refused, invalid, unauthenticated
from service.grants import Grants, Proof, hashed, proof_of
from service.ids import BOT_PREFIX, new_player_id, own_bot
from service.log import hash_of
from service.said import Said
from service.settings import LONGEST_NAME
from service.times import now_ms

CACHED_NAMES = 50_000
AT_ONCE = 500
"""Players that are read in one round trip."""


ENDED = (FINISHED.encode(), ABORTED.encode())
"""The statuses of games that have ended, as they are stored."""


class Player(NamedTuple):
    """Who sits on a seat: an id, a name, and `human` or `bot` (a program that says so)."""

    id: str
    name: str
    kind: str


class Naming(Protocol):
    """What knows the names of players."""

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns the players with these ids."""


class Access(NamedTuple):
    """A player and the token that was given out, and whether it had been given out before."""

    player: Player
    token: str
    replayed: bool = False


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
    if not hmac.compare_digest(hashed(token.secret), fields.get("token", "")):
        raise unauthenticated()
    return _player(token.player, fields)


def _player(player_id: str, fields: Mapping[str, str]) -> Player:
    return Player(player_id, fields["name"], fields["kind"])


class Players:
    """The players of an installation."""

    def __init__(
        self,
        exchange: Exchange,
        registration_key: str = "",
        longest_name: int = LONGEST_NAME,
        keep_seconds: int = KEEP_SECONDS,
    ) -> None:
        """`registration_key` is what new players must show; empty: anyone may register."""
        self._exchange = exchange
        self._grants = Grants(exchange, keep_seconds)
        self._registration_key = registration_key.encode()
        self._longest_name = longest_name
        self._names: dict[str, Player] = {}

    def register(
        self, name: str, kind: str, registration_key: str | None = None, idempotency_key: str | None = None
    ) -> Access:
        """Makes a player and the first token, which is shown this once and to those who ask again with the same key.

        Raises:
            Refused: `registration_closed`, the operator's key is needed and not shown; `invalid_request`, the name is
                too long; `idempotency_key_reused`, the key has made another player.
        """
        shown = (registration_key or "").encode(errors="surrogateescape")
        if self._registration_key and not hmac.compare_digest(shown, self._registration_key):
            raise Refused("registration_closed", Said("detail.registration_closed"))
        if len(name) > self._longest_name:
            raise invalid("name", "fault.characters_up_to", most=self._longest_name)
        # The same key leads to the same id, so that the key and the player are checked and written in one step.
        player = Player(new_player_id(idempotency_key), name, kind)
        proof = (
            Proof.of(player.id, idempotency_key, "", "register", name, kind) if idempotency_key is not None else None
        )
        fields: dict[str, str | int] = {"name": name, "kind": kind, "created_at": now_ms()}
        given = self._grants.give(player.id, "", proof, fields)
        if given is None:
            raise Refused("idempotency_key_reused", Said("detail.key_of_an_old_player"))
        return Access(player, f"{player.id}.{given.secret}", given.replayed)

    def authenticate(self, text: str | None) -> Player:
        """Returns the player of a token.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid.
        """
        token = read_token(text)
        if token is None:
            raise unauthenticated()
        return check_token(token, hash_of(self._exchange.send(("HGETALL", keys.player(token.player)))[0]))

    def proof(self, text: str | None) -> str:
        """Returns what shows later whose token it was, and is worth nothing to anybody else.

        Raises:
            Refused: `unauthenticated`, there is no token.
        """
        token = read_token(text)
        if token is None:
            raise unauthenticated()
        return proof_of(token.player, hashed(token.secret))

    def proven(self, proof: str) -> str | None:
        """Returns the id of the player of a proof, or None if the token has been replaced since."""
        player, _, shown = proof.partition(":")
        return player if self._exchange.send(("HGET", keys.player(player), "token"))[0] == shown.encode() else None

    def replaced(self, proofs: Sequence[str]) -> set[str]:
        """Returns those of some proofs whose tokens have been replaced, as far as their players can be read.

        Raises:
            Unavailable: Redis is away.
        """
        found = set()
        for at in range(0, len(proofs), AT_ONCE):
            some = proofs[at : at + AT_ONCE]
            commands = [("HMGET", keys.player(proof.partition(":")[0]), "token") for proof in some]
            for proof, reply in zip(some, self._exchange.send_each(*commands), strict=True):
                if reply is not None and reply[0] != proof.partition(":")[2].encode():
                    found.add(proof)
        return found

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

    def invitations(self, player: str) -> int | None:
        """Returns how many entries a player's list of invitations has; None if there is no such player."""
        if own_bot(player) is not None:
            return None
        name, listed = self._exchange.send(("HGET", keys.player(player), "name"), ("ZCARD", keys.invited(player)))
        return int(listed) if name is not None else None

    def me(self, text: str | None) -> dict[str, Any]:
        """Returns the player of a token as plain data."""
        return self.authenticate(text)._asdict()

    def rotate(self, text: str | None, idempotency_key: str | None = None) -> Access:
        """Replaces a player's token; the old one stops at once, but for asking again with the same key.

        Raises:
            Refused: `unauthenticated`, also to all but one of several callers who show the same token at once without a
                key; `idempotency_key_reused`, the key has replaced another token.
        """
        token = read_token(text)
        if token is None:
            raise unauthenticated()
        proof = None
        if idempotency_key is not None:
            proof = Proof.of(token.player, idempotency_key, token.secret, "rotate")
        fields, given = self._grants.read(token.player, proof)
        player = check_token(token, fields) if given is None else _player(token.player, fields)
        if given is None:
            given = self._grants.give(player.id, hashed(token.secret), proof)
        if given is None:
            raise unauthenticated()
        return Access(player, f"{player.id}.{given.secret}", given.replayed)

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
