"""Reads and writes what is stored of players, except the issuing of tokens (`grants`)."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from engine.state import ABORTED, FINISHED
from games.ids import own_bot
from games.player import Player
from games.programs import Program
from service.inputs.clock import now_ms
from service.store import channels, keys
from service.store.damaged import sound
from service.store.log.stored_answers import Kept, Key
from service.store.players.names import StoredNames
from service.store.redis.client import Command, RedisClient, hash_of
from service.store.scripts import BAN, CHANGE_PLAYER, ERASE, RETIRE

AT_ONCE: Final = 500
"""Players read in one round trip."""
LOOKED_AT: Final = 100
"""Games that are examined before a player with too many open ones is refused."""

BANNED: Final = "banned"
"""What stands in the place of a banned player's token, which is put aside as `banned`."""
ERASED: Final = "erased"
"""What stands in the place of an erased player's token; the name is empty."""
ENDED: Final = (FINISHED.encode(), ABORTED.encode())
"""The stored statuses of ended games."""


class InvitationRoom(NamedTuple):
    """How open a player is to another player's invitations."""

    program: Program | None
    """How it describes itself, if it is a program that does."""

    listed: int
    """How many entries the player's list of invitations has."""
    blocked: bool
    """Whether the player has blocked the other one."""


class BeforeOpening(NamedTuple):
    """What decides whether a player may open a game."""

    fields: dict[str, str]
    """Those of the player's hash."""
    opened: int
    """How many games by the player are open."""
    opened_from: int
    """How many games from the address are open."""
    kept: Kept | None
    """The stored answer to an earlier call with the same idempotency key."""
    used: str | None
    """The fingerprint of the request that the player used the key for, in any game."""


def proof_of(player: str, token_hash: str) -> str:
    """Returns a proof made of a player and the stored hash of a token, which is worthless to anybody else."""
    return f"{player}:{token_hash}"


def hashed(secret: str) -> str:
    """Returns the hash under which a token's secret is stored; 256 random bits need no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


def program_in(player: str, fields: Mapping[str, str]) -> Program | None:
    """Returns how a program describes itself, by its stored fields; None if it does not, or that is damaged."""
    return sound(f"program {player}", lambda: Program.read(fields.get("program")))


def is_there(token: bytes | None) -> bool:
    """Returns whether a stored token is that of a player whom others can ask for something."""
    return token not in (None, ERASED.encode())


class StoredPlayers:
    """The players in Redis. Every call may raise `Unavailable`."""

    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis
        self.names = StoredNames(redis)

    def fields(self, player: str) -> dict[str, str]:
        """Reads the stored hash of a player; empty if there is no such player."""
        return hash_of(self._redis.send(("HGETALL", keys.player(player)))[0])

    def token(self, player: str) -> str | None:
        """Reads what is stored as a player's token: its hash, `BANNED` or `ERASED`; None if there is none."""
        token: bytes | None = self._redis.send(("HGET", keys.player(player), "token"))[0]
        return token.decode() if token is not None else None

    def tokens(self, players: Sequence[str]) -> dict[str, str | None]:
        """Reads what is stored as the tokens of players, as far as they can be read."""
        found: dict[str, str | None] = {}
        for at in range(0, len(players), AT_ONCE):
            some = players[at : at + AT_ONCE]
            replies = self._redis.send_each(*[("HMGET", keys.player(player), "token") for player in some])
            for player, reply in zip(some, replies, strict=True):
                if reply is not None:
                    found[player] = reply[0].decode() if reply[0] is not None else None
        return found

    def some_fields(self, ids: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, str]]:
        """Reads the stored fields of players that are there, by player, as far as players can be read."""
        replies = self._redis.send_each(*[("HMGET", keys.player(player), *names) for player in ids])
        return {
            player: {name: value.decode() for name, value in zip(names, reply, strict=True) if value is not None}
            for player, reply in zip(ids, replies, strict=True)
            if reply is not None
        }

    def named(self, ids: Sequence[str]) -> dict[str, Player]:
        """Reads the stored names of players, by id; one who is not there is called "?"."""
        replies = self._redis.send(*[("HMGET", keys.player(player), "name", "kind") for player in ids])
        return {
            player: Player(player, (b"?" if name is None else name).decode(), (kind or b"human").decode())
            for player, (name, kind) in zip(ids, replies, strict=True)
        }

    def change(self, player: str, fields: Mapping[str, str], token_hash: str) -> bool:
        """Stores other values of a player's fields; returns False if the token is not the player's."""
        pairs = chain.from_iterable(fields.items())
        return bool(self._redis.run(CHANGE_PLAYER, [keys.player(player)], [token_hash, *pairs]))

    def list_program(self, player: str) -> None:
        """Enters a program on the stored list of those that describe themselves, as the newest."""
        self._redis.send(("ZADD", keys.PROGRAMS, now_ms(), player))

    def schedule_check(self, player: str, when: int) -> None:
        """Stores when to check whether a player has games, in milliseconds since 1970."""
        self._redis.send(("ZADD", keys.IDLE, when, player))

    def installation_secret(self) -> bytes:
        """Reads the installation's stored secret, which the first process that needs it creates."""
        found = self._redis.send(("GET", keys.SECRET))[0]  # first: it can be read when Redis takes no writes
        if found is None:
            made = ("SET", keys.SECRET, secrets.token_hex(32), "NX")
            found = self._redis.send(made, ("GET", keys.SECRET))[1]
        return bytes.fromhex(found.decode())

    # --- the games that players have open ---

    def opener(self, player: str, address_hash: str, game: str = "", key: Key | None = None) -> BeforeOpening:
        """Reads what decides whether a player may open a game from an address, in one round trip.

        With a key, this includes the stored answer to an earlier call that opened the game.
        """
        commands: list[Command] = [
            ("HGETALL", keys.player(player)),
            ("ZCARD", keys.opened(player)),
            ("ZCARD", keys.opened_from(address_hash)),
        ]
        if key is not None:
            commands.append(("GET", keys.answer(game, player, key.digest)))
            commands.append(("GET", keys.used(player, key.digest)))
        fields, opened, opened_from, *earlier = self._redis.send(*commands)
        kept, used = earlier or (None, None)
        return BeforeOpening(
            hash_of(fields), opened, opened_from, Kept.read(kept), used.decode() if used is not None else None
        )

    def still_open(self, player: str) -> int:
        """Reads how many of the games that a player has opened have not ended, and cleans up the stored index."""
        return self._still_open(keys.opened(player))

    def still_open_from(self, address_hash: str) -> int:
        """Reads how many games from an address have not ended, and cleans up the stored index."""
        return self._still_open(keys.opened_from(address_hash))

    def _still_open(self, index: str) -> int:
        """Reads how many games of a stored index of open games have not ended, and removes those that have.

        It examines LOOKED_AT random games, so that a refused call costs no more. Entries of ended games are rare: only
        interrupted writes leave them behind.
        """
        games = [game.decode() for game in self._redis.send(("ZRANDMEMBER", index, LOOKED_AT))[0]]
        statuses = self._redis.send(*[("HGET", keys.meta(game), "status") for game in games]) if games else []
        ended = [game for game, status in zip(games, statuses, strict=True) if status in ENDED]
        if ended:
            self._redis.send(("ZREM", index, *ended))
        return int(self._redis.send(("ZCARD", index))[0])

    # --- players who are banned, erased or removed ---

    def ban(self, player: str, *, lift: bool = False) -> bool:
        """Puts a player's stored token aside, or back with `lift`; returns False if there is no such player."""
        arguments = ("0" if lift else "1", BANNED, *self._revoked(player), ERASED)
        return bool(self._redis.run(BAN, [keys.player(player)], arguments))

    def exists(self, player: str) -> bool:
        """Reads from Redis whether there is such a player."""
        return bool(self._redis.send(("EXISTS", keys.player(player)))[0])

    def erase(self, player: str) -> bool:
        """Removes a player's stored name, tokens, notices and blocks; returns False if there is no such player."""
        name = self._redis.send(("HGET", keys.player(player), "name"))[0]
        if name:
            self.names.take_off(player, name.decode())  # first: the name cannot be read afterwards
        names = [keys.player(player), keys.notices(player), keys.approaches(player), keys.blocked(player)]
        names += [keys.notices_read(player)]
        return bool(self._redis.run(ERASE, names, (ERASED, *self._revoked(player))))

    def settling(self, player: str) -> tuple[bool, bool]:
        """Reads whether a player is banned, and whether calls with the old token may still store something."""
        banned, settling = self._redis.send(("HMGET", keys.player(player), "banned", "settling"))[0]
        return banned is not None, settling is not None

    def settled(self, player: str) -> None:
        """Stores that what calls with a player's old token left has been cleaned up."""
        self._redis.send(("HDEL", keys.player(player), "settling"))

    def remove_notices(self, player: str) -> None:
        """Removes a player's stored notices. Without the first key no more are kept."""
        names = (keys.notices_read(player), keys.notices(player), keys.approaches(player))
        self._redis.send(*[("UNLINK", name) for name in names])

    def retire(self, player: str, settled_ms: int) -> str:
        """Removes a player without games from Redis in two steps, the second after `settled_ms` (`retire.lua`).

        Returns "kept", "retired" while the token alone is gone, or "gone".
        """
        lists = (keys.playing(player), keys.played(player))
        *in_lists, name = self._redis.send(*[("EXISTS", one) for one in lists], ("HGET", keys.player(player), "name"))
        names = [keys.player(player), keys.opened(player), keys.invited(player), keys.notices_read(player)]
        names += [keys.notices(player), keys.approaches(player), keys.blocked(player)]
        arguments = [int(any(in_lists)), now_ms(), settled_ms, *self._revoked(player)]
        outcome: bytes = self._redis.run(RETIRE, names, arguments)
        if outcome == b"gone" and name:
            self.names.take_off(player, name.decode())
        return outcome.decode()

    def _revoked(self, player: str) -> tuple[str, str]:
        """Returns the Redis channel and what is published there when a player has no token any more."""
        return self._redis.channel(channels.TOKENS), proof_of(player, "")

    # --- other players ---

    def openness(self, player: str, inviter: str) -> InvitationRoom | None:
        """Reads how open a player is to another player's invitations; None if there is no such player."""
        if own_bot(player) is not None:
            return None
        (token, program), listed, blocked = self._redis.send(
            ("HMGET", keys.player(player), "token", "program"),
            ("ZCARD", keys.invited(player)),
            ("ZSCORE", keys.blocked(player), inviter),
        )
        described = program_in(player, {"program": program.decode()} if program is not None else {})
        return InvitationRoom(described, int(listed), blocked is not None) if is_there(token) else None

    def playing(self, player: str) -> int:
        """Reads how many stored games a player is playing."""
        return int(self._redis.send(("ZCARD", keys.playing(player)))[0])

    def has_blocked(self, player: str, other: str) -> bool:
        """Reads from Redis whether a player has blocked another."""
        return self._redis.send(("ZSCORE", keys.blocked(player), other))[0] is not None

    def blocking(self, players: Iterable[str], other: str) -> set[str]:
        """Reads from Redis which of some players have blocked another."""
        asked = list(players)
        found = self._redis.send(*[("ZSCORE", keys.blocked(player), other) for player in asked])
        return {player for player, since in zip(asked, found, strict=True) if since is not None}

    def blocked(self, player: str) -> set[str]:
        """Reads from Redis the players whom a player has blocked."""
        return {other.decode() for other in self._redis.send(("ZRANGE", keys.blocked(player), 0, -1))[0]}
