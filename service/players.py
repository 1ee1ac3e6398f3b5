"""Registers and authenticates players, and reads their names."""

import hmac
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple

from games.errors import Refused, TakesNoWrites, invalid, unauthenticated
from games.ids import address_hash_of, keyed_player_id, login_player_id, login_secret, own_bot
from games.messages import Message
from games.names import sought
from games.player import Player
from games.programs import Program
from games.texts.catalogue import LANGUAGES, catalogue
from service.inputs.chance import new_player_id
from service.inputs.clock import now_ms
from service.store.log.stored_answers import Key
from service.store.players.grants import Grants, RetryKey
from service.store.players.stored_players import (
    BANNED,
    ERASED,
    BeforeOpening,
    StoredPlayers,
    hashed,
    program_in,
    proof_of,
)
from service.store.redis.client import RedisClient

CACHED_NAMES = 50_000
NAMES_SECONDS = 5.0
"""How long a process may call a player by a name that another process has changed."""
MOST_CHECKED = 50_000
"""How many players a process remembers to have checked."""


class Opener(NamedTuple):
    """A player who opens a game."""

    player: Player
    address_hash: str
    """The hash of the caller's address; "" if unknown."""
    before: BeforeOpening
    """What was stored before."""


class Access(NamedTuple):
    """A player, the issued token, and whether it had been issued before."""

    player: Player
    token: str
    replayed: bool = False


class Token(NamedTuple):
    """A parsed bearer token: the player's id, and the 256 random bits that prove it."""

    player: str
    secret: str


def read_token(text: str | None) -> Token | None:
    """Returns a player's bearer token, parsed, or None if the caller sends none.

    Raises:
        Refused: `unauthenticated`, the text is not a token.
    """
    if text is None:
        return None
    player, dot, secret = text.partition(".")
    if not dot or not player.isalnum() or not player.isascii() or not secret:
        raise unauthenticated()
    return Token(player, secret)


def required_token(text: str | None) -> Token:
    """Returns a player's bearer token, parsed; refuses a caller who sends none.

    Raises:
        Refused: `unauthenticated`, there is none, or the text is not a token.
    """
    token = read_token(text)
    if token is None:
        raise unauthenticated()
    return token


def check_token(token: Token, fields: Mapping[str, str]) -> Player:
    """Authenticates a player: returns them if the stored fields match the token, compared in constant time.

    Raises:
        Refused: `unauthenticated`, there is no such player, or the token is not the current one; `banned`, the
            operator has banned the player.
    """
    shown = hashed(token.secret)
    if not hmac.compare_digest(shown, fields.get("token", "")):
        if "banned" in fields and hmac.compare_digest(shown, fields["banned"]):
            raise Refused("banned", Message("reason.by_operator"), reason="by_operator")
        raise unauthenticated()
    return Player(token.player, fields["name"], fields["kind"])


def described(player: Player) -> dict[str, Any]:
    """Returns a player as plain data for an answer, where the reader's language is not known."""
    return player._replace(name=player.name or catalogue(LANGUAGES[0]).text("player.deleted"))._asdict()


def program_of(player: str, fields: Mapping[str, str]) -> dict[str, Any] | None:
    """Returns how a program describes itself, by the stored fields of a player, as plain data; None if it does not."""
    program = program_in(player, fields)
    return program.view() if program is not None else None


def _described_anew(player: str, body: Mapping[str, Any], stored: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields that keep how a program describes itself, and when each version but the first began."""
    before = program_in(player, stored)
    program = Program.described(body, before)
    fields = {"program": program.stored()}
    if before is not None and len(program.versions) > len(before.versions):
        fields["versions"] = f"{stored.get('versions', '')} {now_ms()}".strip()
    return fields


class Checked(NamedTuple):
    """A player who has shown this process a valid token."""

    player: Player
    secret: str
    hash: str
    """That of the secret."""


class CheckedPlayers:
    """The newest valid token that each player has shown this process; it may have been replaced since."""

    def __init__(self) -> None:
        self._known: dict[str, Checked] = {}

    def note(self, token: Token, player: Player) -> None:
        """Remembers that a player has shown this process a valid token."""
        if len(self._known) >= MOST_CHECKED:
            self._known = {}  # a new one: other threads may be reading the old
        self._known[token.player] = Checked(player, token.secret, hashed(token.secret))

    def of(self, token: Token) -> Checked | None:
        """Returns the player who has shown this process a token, compared in constant time; None if nobody has."""
        known = self._known.get(token.player)
        return known if known is not None and hmac.compare_digest(known.secret, token.secret) else None


class Players:
    """The players of an installation."""

    def __init__(
        self,
        redis: RedisClient,
        registration_key: str,
        idle_ms: int,
    ) -> None:
        """`registration_key` is required of new players; empty: anyone may register.

        Players without games are removed after `idle_ms`; 0: never.
        """
        self._idle_ms = idle_ms
        self.stored = StoredPlayers(redis)
        self._grants = Grants(redis)
        self._registration_key = registration_key.encode()
        self._names: dict[str, Player] = {}
        self._names_until = 0.0
        self._secret: bytes | None = None

    def register(
        self, name: str, kind: str, registration_key: str | None = None, idempotency_key: str | None = None
    ) -> Access:
        """Creates a player and their first token, which is returned only here and to retries with the same key.

        Raises:
            Refused: `registration_closed`, the operator's key is required and missing; `idempotency_key_reused`,
                the key has created another player; `token_replaced`, the player has a newer token than the one this
                key gave.
            NotReplicated: the player is registered, but no replica has them in time.
        """
        shown = (registration_key or "").encode(errors="surrogateescape")
        if self._registration_key and not hmac.compare_digest(shown, self._registration_key):
            raise Refused("registration_closed", Message("detail.registration_closed"))
        # The same key leads to the same id, so that key and player are checked and written in one step.
        retry_key = None
        player = Player(new_player_id(), name, kind)
        if idempotency_key is not None:
            player = Player(keyed_player_id(self.installation_secret(), idempotency_key), name, kind)
            retry_key = RetryKey.of(player.id, idempotency_key, "", "register", name, kind)
        fields: dict[str, str | int] = {"name": name, "kind": kind, "created_at": (now := now_ms())}
        if self._idle_ms and not (retry_key is not None and self._is_out(player.id)):
            self.stored.schedule_check(player.id, now + self._idle_ms)
        given = self._grants.give(player.id, "", retry_key, fields)
        if given is None:
            raise Refused("idempotency_key_reused", Message("detail.key_of_an_old_player"))
        # A repeat may find the player called otherwise by now, or erased.
        called = self.stored.fields(player.id).get("name", "") if given.replayed else name
        self.stored.names.add((player.id, called))
        self._grants.confirm(player.id, given)
        return Access(player, f"{player.id}.{given.secret}", given.replayed)

    def _is_out(self, player: str) -> bool:
        """Returns whether a player is banned or erased; then no call may put off the cleaning up after them."""
        return self.stored.token(player) in (BANNED, ERASED)

    def of_login(self, login: str, name: str, register: Callable[[], None]) -> str:
        """Returns the token of a login's player; the first login registers the player under `name`.

        The token is derived from the login, so every process knows it, and the player cannot replace it. `register` is
        called before a player is made, and may refuse.

        Raises:
            Refused: as `register` refuses.
            Unavailable: Redis cannot be reached.
        """
        installation = self.installation_secret()
        player, secret = login_player_id(installation, login), login_secret(installation, login)
        fields: dict[str, str | int] = {"name": name, "kind": "human", "created_at": (now := now_ms()), "login": 1}
        present = self.stored.token(player)
        if present not in (None, hashed(secret)):
            return f"{player}.{secret}"  # banned or erased: no call may put off the cleaning up after them
        if present is None:
            register()
        if self._idle_ms:
            # A player who is there already can go on reading when Redis takes no writes.
            with suppress(TakesNoWrites) if present is not None else nullcontext():
                self.stored.schedule_check(player, now + self._idle_ms)
        given = self._grants.give(player, "", None, fields, secret)
        if given is not None:
            self.stored.names.add((player, name))
            self._grants.confirm(player, given)
        return f"{player}.{secret}"

    def change(
        self,
        text: str | None,
        name: str | None = None,
        hidden: Sequence[str] | None = None,
        program: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Changes the name of a token's player, what they hide or how a program describes itself; returns the player.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid; `invalid_request`, a person describes
                themselves as a program; `rate_limited`, the program has had too many versions.
        """
        token = required_token(text)
        stored = self.stored.fields(token.player)
        player = check_token(token, stored)
        fields = {}
        if name is not None:
            fields["name"] = name
            self.stored.names.add((player.id, name))
        if hidden is not None:
            fields["hidden"] = " ".join(sorted({*hidden}))
        if program is not None:
            if player.kind != "bot":
                raise invalid("program", "fault.program_of_a_person")
            fields |= _described_anew(player.id, program, stored)
            self.stored.list_program(player.id)
        changed = self.stored.change(player.id, fields, hashed(token.secret))
        if name is not None and sought(name) != sought(player.name):
            self.stored.names.take_off(player.id, player.name if changed else name)
        if not changed:
            raise unauthenticated()
        self._names.pop(player.id, None)
        return self.me(text)

    def note_name(self, player: Player) -> None:
        """Adds a player who has just been read to this process's cache of names."""
        self._names[player.id] = player

    def forget(self, player: str) -> None:
        """Removes a player's name from this process's cache of names."""
        self._names.pop(player, None)

    def installation_secret(self) -> bytes:
        """Returns the installation's secret, from which ids are derived; it is read once."""
        if self._secret is None:
            self._secret = self.stored.installation_secret()
        return self._secret

    def authenticate(self, text: str | None) -> Player:
        """Authenticates the caller: returns the player of a token.

        Raises:
            Refused: `unauthenticated`, there is no token or it is not valid.
        """
        token = required_token(text)
        return check_token(token, self.stored.fields(token.player))

    def proof(self, text: str | None) -> str:
        """Returns the proof of a player's token, which identifies it later and is worthless to anybody else.

        Raises:
            Refused: `unauthenticated`, there is no token.
        """
        token = required_token(text)
        return proof_of(token.player, hashed(token.secret))

    def proven(self, proof: str) -> str | None:
        """Returns the id of the player whose token a proof stands for; None if the token has been replaced."""
        player, _, shown = proof.partition(":")
        return player if self.stored.token(player) == shown else None

    def replaced(self, proofs: Sequence[str]) -> set[str]:
        """Returns the proofs of players' tokens that have been replaced, as far as the players can be read.

        Raises:
            Unavailable: Redis cannot be reached.
        """
        tokens = self.stored.tokens([proof.partition(":")[0] for proof in proofs])
        found = set()
        for proof in proofs:
            player, _, shown = proof.partition(":")
            if player in tokens and tokens[player] != shown:
                found.add(proof)
        return found

    def opener(self, token: Token, address: str, game: str = "", key: Key | None = None) -> Opener:
        """Returns the player of a token who opens a game from an address, and what was stored before.

        With a key, this includes the stored answer to an earlier call that opened the game.

        Raises:
            Refused: `unauthenticated`, the token is not valid.
        """
        address_hash = address_hash_of(address)
        before = self.stored.opener(token.player, address_hash, game, key)
        player = check_token(token, before.fields)
        self.note_name(player)
        return Opener(player, address_hash, before)

    def me(self, text: str | None) -> dict[str, Any]:
        """Returns the calling player, by their token, as plain data, with what they hide from others."""
        token = required_token(text)
        fields = self.stored.fields(token.player)
        return {
            **check_token(token, fields)._asdict(),
            "hidden": fields.get("hidden", "").split(),
            "program": program_of(token.player, fields),
        }

    def rotate(self, text: str | None, idempotency_key: str | None = None) -> Access:
        """Replaces a player's token. The old one stops working at once, except to retry with the same key.

        Raises:
            Refused: `unauthenticated`, also to all but one of several callers who send the same token at once without a
                key; `idempotency_key_reused`, the key has replaced another token; `token_replaced`, the token that this
                key gave has been replaced as well; `invalid_request`, the player belongs to a login.
        """
        token = required_token(text)
        retry_key = None
        if idempotency_key is not None:
            retry_key = RetryKey.of(token.player, idempotency_key, token.secret, "rotate")
        fields, given = self._grants.read(token.player, retry_key)
        player = check_token(token, fields) if given is None else Player(token.player, fields["name"], fields["kind"])
        if "login" in fields:
            raise invalid("Authorization", "fault.token_of_login")
        if given is None:
            given = self._grants.give(player.id, hashed(token.secret), retry_key)
        if given is None:
            raise unauthenticated()
        return Access(player, f"{player.id}.{given.secret}", given.replayed)

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns players by id with their names, from a cache that lasts a few seconds because names may change."""
        if time.monotonic() > self._names_until:
            self._names_until = time.monotonic() + NAMES_SECONDS
            self._names = {}  # a new one: other threads may be reading the old
        known = self._names
        found: dict[str, Player] = {}
        missing: list[str] = []
        for player_id in ids:
            if player_id in known:
                found[player_id] = known[player_id]
            elif player_id is not None:
                missing.append(player_id)
        return found | self._fetch(missing) if missing else found

    def _fetch(self, ids: list[str]) -> dict[str, Player]:
        """Reads the names of players that this process does not know, and adds them to its cache of names."""
        fetched = {player_id: Player(player_id, bot, "bot") for player_id in ids if (bot := own_bot(player_id))}
        others = [player_id for player_id in ids if player_id not in fetched]
        if others:
            fetched |= self.stored.named(others)
        if len(self._names) > CACHED_NAMES:
            self._names = {}  # a new dict: other threads may be reading the old one
        self._names.update(fetched)
        return fetched
