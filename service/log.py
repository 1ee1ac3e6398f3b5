"""The event log of games in Redis: read what is new, append by compare; what may be appended is for others to decide.

The log of a game that ended long ago may be in the archive instead: this is the one place that knows.

A game is a stream whose entry ids are `VERSION-0`, so that the version is the cursor to resume from, and a hash beside
it. One script appends all events of an action, updates the hash and keeps the answer for the call's idempotency key, or
does nothing.
"""

import secrets
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import orjson
import redis

from engine import codec
from engine.events import Event, GameStarted, RoundStarted
from engine.rules import RULES_VERSION
from service import keys
from service.answers import KEEP_SECONDS, Kept, Key
from service.archive import Archive
from service.causes import Cause, read_cause, store_cause
from service.cluster import ClusterWaiting
from service.connection import Command, Exchange, away_is_unavailable
from service.errors import Unavailable
from service.remains import Numbered, read_remains, remains_of
from service.scripts import APPEND, LOAD, PUT_AWAY
from service.snapshot import Entry, Snapshot, fresh
from service.times import ms_of, text_of

CACHED_GAMES = 4_000
"""How many games' newest states a process keeps; any other is read from its newest round on."""
BLOCK = 100
"""How many events are read at once where it is not known how many are needed."""
PASSING = ("actor", "asked", "deadline", "unattended", "whose", "started", "round")
"""The fields of the hash beside a log that say nothing any more once the game is in the archive."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one round trip brings: the game, the caller's fields, the kept answer of the call's key."""

    snapshot: Snapshot | None
    caller: Mapping[str, str]
    kept: Kept | None


@dataclass(frozen=True, slots=True)
class Step:
    """Entries that are to be appended, and the snapshots before and after; before is None for a new game."""

    before: Snapshot | None
    entries: Sequence[Entry]
    after: Snapshot
    cause: Cause | None = None
    """What the entries follow from, to be stored with the first of them."""
    more: Mapping[int, Cause] = field(default_factory=dict)
    """What those from a version on follow from, where several steps are appended at once."""


class Moved(Exception):  # a course of events, not an error
    """The log is not what the caller has seen; nothing was appended."""


def new_head(version: int) -> str:
    """Returns what identifies one append for good: the version it leads to and a random tag."""
    return f"{version}:{secrets.token_hex(4)}"


def step(before: Snapshot, events: Sequence[Event], now: int, cause: Cause | None = None) -> Step:
    """Returns the step that appends events to a game at a time, in milliseconds since 1970."""
    at = text_of(now)
    entries = [Entry(before.version + i, at, event) for i, event in enumerate(events, 1)]
    return Step(before, entries, before.after(entries, new_head(entries[-1].version)), cause)


def stored_form(new: Step) -> list[dict[str, Any]]:
    """Returns the entries of a step as they are stored, each cause with the first event that follows from it."""
    first = new.entries[0].version
    stored = [codec.store_event(entry.event, entry.at) for entry in new.entries]
    causes = {first: new.cause, **new.more} if new.cause is not None else new.more
    for version, cause in causes.items():
        stored[version - first] |= {"cause": store_cause(cause), "rules": RULES_VERSION}
    return stored


class EventLog:
    """The logs of all games, with a cache of the newest states."""

    def __init__(
        self,
        exchange: Exchange,
        waiting: "redis.Redis | ClusterWaiting",
        publish: Literal["events", "version"] = "events",
        keep_seconds: int = KEEP_SECONDS,
        archive: Archive | None = None,
    ) -> None:
        """Makes the logs of an installation.

        `waiting` is a client whose answers may take as long as a long-poll; `publish` is what is said of appends;
        answers are kept for `keep_seconds`. Logs that are not in Redis any more are in the `archive`.
        """
        self._archive = archive or Archive("")
        self._exchange = exchange
        self._publish = publish
        self._keep_seconds = keep_seconds
        self._waiting = waiting
        self._cache: dict[str, Snapshot] = {}
        self._remembering = threading.Lock()

    # --- reading ---

    def read(self, game: str, caller: str | None = None, key: Key | None = None) -> Reading:
        """Reads a game as it is now and what else a call needs, in one round trip if the game is cached.

        The kept answer is read after the game: whoever sees what a call has changed sees its answer too.

        Raises:
            Unavailable: Redis is away.
        """
        cached = self._cache.get(game)
        commands: list[Command] = []
        if caller is not None:
            commands.append(("HGETALL", keys.player(caller)))
        if cached is not None:
            commands.append(("HMGET", keys.meta(game), "head", "next_game", "tell", "told"))
            commands.append(("XRANGE", keys.log(game), f"{cached.version}-0", "+"))
        if key is not None and cached is not None:
            commands.append(_get_answer(game, key))
        replies = iter(self._exchange.send(*commands) if commands else ())
        fields = hash_of(next(replies)) if caller is not None else {}
        snapshot = _caught_up(cached, next(replies), next(replies)) if cached is not None else None
        kept = next(replies, None)
        if snapshot is None:
            snapshot = self._whole(game)
            kept = self._exchange.send(_get_answer(game, key))[0] if key is not None else None
        self._remember(game, snapshot)
        return Reading(snapshot, fields, Kept.read(kept))

    def passing(self, game: str) -> Snapshot | None:
        """Reads a game as it is now and keeps nothing of it, for those who look at all games; None if there is none.

        Raises:
            Unavailable: Redis is away.
        """
        return self._whole(game)

    def entries(self, game: str, after: int, limit: int | None = None) -> list[Entry]:
        """Reads the full events after a version, at most `limit` of them.

        Raises:
            Unavailable: Redis is away, or the archive if the game is there.
        """
        command: Command = ("XRANGE", keys.log(game), f"{after + 1}-0", "+")
        if limit is not None:
            command += ("COUNT", limit)
        found = _entries(self._exchange.send(command)[0])
        if not found and (archived := self._archived(game)):
            upto = None if limit is None else after + limit
            return [_entry(version, one) for version, one in enumerate(archived[after:upto], after + 1)]
        return found

    def entries_from_round(self, game: str, upto: int) -> list[Entry]:
        """Reads the full events up to a version from the newest round then begun; all of them if none was.

        Raises:
            Unavailable: Redis is away, or the archive if the game is there.
        """
        found: list[Entry] = []
        while upto > 0:
            command = ("XREVRANGE", keys.log(game), f"{upto}-0", "-", "COUNT", BLOCK)
            block = _entries(self._exchange.send(command)[0])
            if not block:
                begin = max(0, upto - BLOCK)
                stored = self._archived(game)[begin:upto]
                block = [_entry(version, one) for version, one in enumerate(stored, begin + 1)][::-1]
            for entry in block:
                found.append(entry)
                if isinstance(entry.event, RoundStarted):
                    return found[::-1]
            upto = block[-1].version - 1 if block else 0
        return found[::-1]

    def causes(self, ended: Snapshot) -> dict[int, Cause]:
        """Reads what caused the steps of a game, by the version of the first event of each.

        Steps that were made before causes were kept have none.

        Raises:
            ValueError: the game goes on, and what its seats have asked for may name cards that others must not know.
        """
        causes = {version: stored.get("cause") for version, stored in self.stored(ended)}
        return {version: read_cause(cause) for version, cause in causes.items() if cause is not None}

    def stored(self, ended: Snapshot) -> list[tuple[int, dict[str, Any]]]:
        """Reads a whole log as it is stored, with the versions of its events, what caused them, and by which rules.

        Raises:
            ValueError: the game goes on, and this holds what nobody may know yet.
            Unavailable: Redis is away, or the archive if the game is there.
        """
        if not ended.ended:
            raise ValueError("what a game keeps to itself is not read before it has ended")
        (raw,) = self._exchange.send(("XRANGE", keys.log(ended.id), "-", "+"))
        if not raw:
            return list(enumerate(self._archived(ended.id), 1))
        return [(_version(entry_id), orjson.loads(fields[1])) for entry_id, fields in raw]

    def archived(self, game: str) -> str | None:
        """Returns the digest by which the archive has a game; None for one whose log is in Redis."""
        digest = self._exchange.send(("HGET", keys.meta(game), "archive"))[0]
        return digest.decode() if digest is not None else None

    def _archived(self, game: str) -> Sequence[dict[str, Any]]:
        """Reads the log of a game that is not in Redis, as it was stored; nothing of one that was never archived.

        It is looked for when Redis has been found to have nothing, so that a game which is archived meanwhile is
        found in one place or the other.
        """
        digest = self.archived(game)
        return self._archive.stored(game, digest) if digest is not None else ()

    def wait(self, game: str, after: int, ms: int) -> None:
        """Returns when there is an event after a version, or after so many milliseconds."""
        with away_is_unavailable():
            self._waiting.xread({keys.log(game): f"{after}-0"}, count=1, block=max(1, ms))

    def _whole(self, game: str) -> Snapshot | None:
        """Reads a game from its newest round on."""
        raw_meta, raw_prefix, raw_tail = self._exchange.run(LOAD, [keys.log(game), keys.meta(game)], [])
        meta = hash_of(raw_meta)
        prefix, tail = _entries(raw_prefix), _entries(raw_tail)
        if not tail and "archive" in meta:
            # Not in the same script: while a slot of a cluster moves, none runs that names a key which is not there.
            remains = read_remains(self._exchange.send(("GET", keys.remains(game)))[0])
            prefix, tail = ([_entry(*one) for one in part] for part in remains)
        if not tail:
            return None
        secret, join_code = bytes.fromhex(meta["secret"]), meta["join_code"]
        if prefix:
            created, started = prefix
            snapshot = fresh(created, secret, join_code).at_round(started, tail[0].version)
        else:
            snapshot, tail = fresh(tail[0], secret, join_code), tail[1:]
        tell, told = int(meta.get("tell", 0)), int(meta.get("told", 0))
        return replace(snapshot.after(tail, meta["head"]), next_game=meta.get("next_game"), tell=tell, told=told)

    def _remember(self, game: str, snapshot: Snapshot | None) -> None:
        """Keeps a snapshot as the newest, and of the others those that were used last."""
        with self._remembering:
            self._cache.pop(game, None)
            if snapshot is not None:
                self._cache[game] = snapshot
                if len(self._cache) > CACHED_GAMES:
                    del self._cache[next(iter(self._cache))]

    # --- appending ---

    def append(
        self,
        new: Step,
        *,
        key: Key | None = None,
        answer: Kept | None = None,
        due: int | None = None,
        tell: Command | None = None,
        also: Mapping[str, Mapping[str, int]] | None = None,
    ) -> Kept | None:
        """Appends a step, all or nothing, in one round trip.

        `due` is when sweepers must look at the game; `also` are members for other indexes. Both are written before the
        events, so that no index can miss a game. If players are to be told of the step, `tell` notes it
        elsewhere, which comes first too, as does that an ended game may be archived some day; but an action does not
        fail for want of either.

        Returns None, or the kept answer of an earlier call with the same key, in which case nothing was appended.

        Raises:
            Moved: the log is not what the step's `before` says.
            Unavailable: Redis is away, and whether the events were appended is not known.
        """
        game = new.after.id
        names = [keys.log(game), keys.meta(game), keys.log(game)]
        if key is not None:
            names[2] = keys.answer(game, key.player, key.digest)
        first: list[Command] = [("ZADD", keys.DUE, due, game)] if due is not None else []
        wished = [tell] if tell is not None else []
        if new.after.ended:
            wished.append(("ZADD", keys.ENDED, ms_of(new.entries[-1].at), game))
        for name, members in (also or {}).items():
            first += [("ZADD", name, score, member) for member, score in members.items()]
        arguments = _append_arguments(new, answer, self._publish, self._keep_seconds, tell is not None)
        outcome = self._run_append(new, names, arguments, first, wished)
        if outcome[0] == b"answered":
            return Kept.read(outcome[1])
        if outcome[0] == b"moved" and outcome[1].decode() != new.after.head:
            raise Moved
        self._remember(game, new.after)
        return None

    def _run_append(
        self, new: Step, names: list[str], arguments: list[Any], first: list[Command], wished: list[Command]
    ) -> Any:
        """Runs the script; if the connection breaks, finds out whether it ran, and if it did not, tries once more.

        What is only wished before it is then tried by itself: on a cluster it may be that alone which cannot be done.
        """
        for last in (False, True):
            try:
                return self._exchange.run(APPEND, names, arguments, before=first if last else first + wished)
            except Unavailable:
                if wished and not last:
                    with suppress(Unavailable):
                        self._exchange.send(*wished)
                head = self._exchange.send(("HGET", names[1], "head"))[0] or b""
                unchanged = head.decode() == (new.before.head if new.before is not None else "")
                if not unchanged:
                    return b"moved", head
                if last:
                    raise
        raise AssertionError("unreachable")  # pragma: no cover

    def keep(self, game: str, key: Key, answer: Kept) -> Kept | None:
        """Keeps the answer to a call that had nothing to append. Returns None, or what an earlier call has kept."""
        name = keys.answer(game, key.player, key.digest)
        kept = ("SET", name, answer.stored(), "NX", "EX", self._keep_seconds)
        is_first, first = self._exchange.send(kept, _get_answer(game, key))
        return None if is_first else Kept.read(first)

    def link(self, game: str, next_game: str) -> None:
        """Notes the rematch of a game."""
        self._exchange.send(("HSET", keys.meta(game), "next_game", next_game))

    def put_away(self, ended: Snapshot, stored: Sequence[Numbered], digest: str) -> bool:
        """Removes the log of a game that the archive has, by its digest; what lists and views need of it stays.

        `stored` is the log as it was archived. Returns False, with nothing done, if Redis has another one.

        Raises:
            Unavailable: Redis is away, and whether it was done is not known.
        """
        names = [keys.log(ended.id), keys.meta(ended.id), keys.remains(ended.id)]
        said = [ended.head, len(stored), digest, remains_of(ended, stored), *PASSING]
        return bool(self._exchange.run(PUT_AWAY, names, said))


def _get_answer(game: str, key: Key) -> Command:
    return "GET", keys.answer(game, key.player, key.digest)


def hash_of(reply: Sequence[bytes]) -> dict[str, str]:
    """Returns the hash that Redis gives as names and values in turn."""
    return {name.decode(): value.decode() for name, value in zip(reply[::2], reply[1::2], strict=True)}


def _caught_up(cached: Snapshot, meta: list[bytes | None], raw: Any) -> Snapshot | None:
    """Returns the newest snapshot from a cached one and what follows it; None if the two do not fit together."""
    head, next_game, tell, told = (value.decode() if value is not None else None for value in meta)
    owed = (int(tell or 0), int(told or 0))
    if next_game != cached.next_game or owed != (cached.tell, cached.told):
        cached = replace(cached, next_game=next_game, tell=owed[0], told=owed[1])
    if head == cached.head:
        return cached
    entries = _entries(raw)
    # The known entry must still be there: a Redis restored from an older copy may have another past.
    if head is None or not entries or entries[0] != cached.entries[-1]:
        return None
    if int(head.split(":")[0]) != entries[-1].version:
        return None  # An append fell between the two reads.
    return cached.after(entries[1:], head)


def _entries(raw: Any) -> list[Entry]:
    return [read_entry(_version(entry_id), fields[1]) for entry_id, fields in raw]


def _version(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def read_entry(version: int, raw: bytes) -> Entry:
    """Returns an entry of its stored form, without what caused it."""
    return _entry(version, orjson.loads(raw))


def _entry(version: int, stored: Mapping[str, Any]) -> Entry:
    return Entry(version, stored["at"], codec.read_event(stored))


def _append_arguments(new: Step, answer: Kept | None, publish: str, keep_seconds: int, tells: bool) -> list[Any]:
    arguments: list[Any] = [
        new.before.head if new.before is not None else "",
        answer.stored() if answer is not None else "",
        keep_seconds,
        new.entries[0].version,
        len(new.entries),
        publish,
    ]
    arguments += map(orjson.dumps, stored_form(new))
    for name, value in _meta(new, tells).items():
        arguments += (name, value)
    return arguments


def _meta(new: Step, tells: bool) -> dict[str, str | int]:
    """Returns the fields of the hash that a step changes."""
    after = new.after
    to_act = after.state.to_act
    meta: dict[str, str | int] = {
        "head": after.head,
        "status": after.state.status,
        "actor": "" if to_act is None else after.players[to_act] or "",
        "asked": after.asked or "",
        "deadline": after.deadline or "",
        "unattended": "1" if after.unattended else "",
        "whose": " ".join(after.whose),
    }
    for entry in new.entries:
        if isinstance(entry.event, GameStarted):
            meta["started"] = entry.version
        elif isinstance(entry.event, RoundStarted):
            meta["round"] = entry.version
    if tells:
        meta["tell"] = after.version
    if new.before is None:
        meta |= {"secret": after.secret.hex(), "join_code": after.join_code}
    return meta
