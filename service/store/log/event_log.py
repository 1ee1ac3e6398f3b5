"""The event log of games in Redis: reads what is new, and appends if the version matches.

A game is a stream whose entry ids are `VERSION-0`, so that the version is the cursor to resume from, and a hash beside
it. One script appends all events of an action, updates the hash and stores the answer for the call's idempotency key,
or does nothing. The log of an ended game is later packed into a string, and may then move to the archive
(`ended_streams`). It is read from here wherever it is.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import orjson

from engine.events import GameCreated, GameStarted, RoundStarted
from engine.logs import codec
from games.causes import Cause, read_cause
from games.errors import ArchivedFileDamaged, Damaged, NotReplicated, Unavailable, kind_of
from games.ids import is_id
from games.snapshot import Entry, Snapshot, first_snapshot
from games.steps import Step
from service.store import channels, damaged, keys
from service.store.archive import Archive
from service.store.lists.indexes import NOT_DUE, DueTimes, entering
from service.store.log.meta import check_meta, meta_after
from service.store.log.packed import Numbered, read_packed, read_summary
from service.store.log.stored_answers import KEEP_SECONDS, Kept, Key
from service.store.log.stored_events import (
    PACKED,
    SUMMARY,
    check_length,
    checksum_of_entry,
    decoded,
    encoded_step,
    sound_events,
    sound_value,
    version_of_head,
)
from service.store.redis.client import Command, RedisClient, hash_of
from service.store.redis.greenlets import in_thread
from service.store.scripts import APPEND, HINT, LINK, LOAD

CACHED_GAMES = 4_000
"""How many games' newest states a process caches. Any other game is read from its newest round on."""
MOST_NOOP_CALLS = 20
"""How many of a player's calls that changed nothing in a game are recognized on a retry; each takes 65 bytes."""
ARCHIVE_THREADS = 8
"""How many calls of an event loop wait for the archive at once; they must not take the threads that actions need."""
BLOCK = 100
"""Events per read when the number needed is unknown."""
_log = logging.getLogger(__name__)

MOVES = 3
"""How often to look for a log that is packed or archived meanwhile: it moves twice at most."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of one round trip: the game, the caller's fields, and the stored answer of the call's key."""

    snapshot: Snapshot | None
    fields: Mapping[str, str]
    """Those of the caller's hash; none if nobody calls."""
    kept: Kept | None
    noop: str | None = None
    """The fingerprint of the request that the key was used for, if that call changed nothing."""
    used: str | None = None
    """The fingerprint of the request that the player used the key for, in any game."""


class Caller(NamedTuple):
    """A caller to check with an append: the player, and the hash of the token that was shown."""

    player: str
    token_hash: str


class VersionConflict(Exception):  # expected, so not called an error
    """The log is not at the expected version; nothing was appended."""


P = ParamSpec("P")
T = TypeVar("T")


def noting_damage(
    read: Callable[Concatenate["EventLog", str, P], T],
) -> Callable[Concatenate["EventLog", str, P], T]:
    """Makes a method that reads a game's log note for operators that it is damaged, and raise `Damaged`.

    Any error but `Unavailable` means that, because what is read of a sound game raises none.
    """

    @wraps(read)
    def noting(log: "EventLog", game: str, /, *arguments: P.args, **more: P.kwargs) -> T:
        try:
            return read(log, game, *arguments, **more)
        except Unavailable:
            raise
        except Exception as error:
            damaged.note(log._redis, game)
            if isinstance(error, Damaged):
                raise
            raise Damaged(kind_of(error)) from error

    return noting


class EventLog:
    """The logs of all games, with a cache of their newest states.

    What reaches Redis, or the archive if the game is there, may raise `Unavailable`.
    """

    def __init__(
        self,
        redis: RedisClient,
        archive: Archive | None = None,
    ) -> None:
        """Creates the event logs of an installation in Redis.

        Logs that are no longer in Redis are in the `archive`.
        """
        self._archive = archive or Archive("")
        self._archive_threads = ThreadPoolExecutor(ARCHIVE_THREADS, "archived")
        self._redis = redis
        # A message reaches every node of a cluster, so only the version is published there, not the events.
        self._publish = "events" if redis.is_single else "version"
        self._cache: dict[str, Snapshot] = {}
        self._remembering = threading.Lock()

    # --- reading ---

    @noting_damage
    def read(self, game: str, caller: str | None = None, key: Key | None = None) -> Reading:
        """Reads a game's log and what else a call needs, in one round trip; a game that is not cached may take more.

        The stored answer is read after the game: a caller who sees the effect of a call also sees its answer.
        """
        cached = self._cache.get(game)
        before: list[Command] = [("HGETALL", keys.player(caller))] if caller is not None else []
        after = _look_for(game, key) if key is not None else []
        if cached is not None:
            meta = ("HMGET", keys.meta(game), "head", "next_game", "hints", "tell", "told", SUMMARY)
            news = ("XRANGE", keys.log(game), f"{cached.version}-0", "+")
            replies = iter(self._redis.send(*before, meta, news, *after))
        else:
            replies = iter(self._redis.run_between(before, LOAD, [keys.log(game), keys.meta(game)], after))
        fields = hash_of(next(replies)) if caller is not None else {}
        if cached is None:
            snapshot = self._loaded(game, next(replies))
        elif (snapshot := _caught_up(cached, next(replies), next(replies))) is None:
            self._remember(game, None)
            again = self.read(game, caller, key)
            if cached.ended and again.snapshot is not None and not again.snapshot.ended:
                _log.error("game %s had ended, and Redis has lost its end: its cards are known, so abort it", game)
            return again
        kept, noops, used = next(replies, None), next(replies, ()), next(replies, None)
        self._remember(game, snapshot)
        return Reading(snapshot, fields, Kept.read(kept), _noop_in(noops, key), used.decode() if used else None)

    def cached(self, game: str) -> Snapshot | None:
        """Returns the cached snapshot of a game, the newest this process knows, which others may have changed since."""
        return self._cache.get(game)

    @noting_damage
    def read_uncached(self, game: str) -> Snapshot | None:
        """Reads a game's log without caching it, for callers that visit all games; None if there is none."""
        return self._loaded(game, self._redis.run(LOAD, [keys.log(game), keys.meta(game)], []))

    @noting_damage
    def entries(self, game: str, after: int, limit: int | None = None) -> list[Entry]:
        """Reads from the log the full events after a version, at most `limit` of them."""
        return [entry_of(*one) for one in self._stored(game, after, limit)]

    @noting_damage
    def entries_from_round(self, game: str, upto: int) -> list[Entry]:
        """Reads from the log the full events from the start of a version's round up to it; before rounds, all."""
        found: list[Entry] = []
        while upto > 0:
            begin = max(0, upto - BLOCK)
            block = self.entries(game, begin, upto - begin)
            rounds = [at for at, entry in enumerate(block) if isinstance(entry.event, RoundStarted)]
            found[:0] = block[rounds[-1] if rounds else 0 :]
            upto = begin if block and not rounds else 0
        return found

    def causes(self, ended: Snapshot) -> dict[int, Cause]:
        """Reads from the log the causes of a game's steps, by the version of the first event of each.

        Raises:
            ValueError: the game is running, and the actions of its seats may name cards that others must not know.
        """
        causes = {version: stored.get("cause") for version, stored in self.stored(ended)}
        return {version: read_cause(cause) for version, cause in causes.items() if cause is not None}

    def stored(self, ended: Snapshot) -> list[Numbered]:
        """Reads a whole log: versions, and events as objects with their causes and rules.

        Raises:
            ValueError: the game is running, and the log holds what nobody may know yet.
        """
        if not ended.ended or ended.sealed:
            raise ValueError("what a game keeps to itself is not read before it has ended")
        return self._whole_log(ended.id)

    @noting_damage
    def _whole_log(self, game: str) -> list[Numbered]:
        return self._stored(game)

    def with_join_code(self, code: str) -> str | None:
        """Returns the unlisted game that has a join code, as Redis stores it; None if there is none."""
        if not is_id(code):
            return None
        found = self._redis.send(("ZRANGE", keys.with_join_code(code), 0, 0))[0]
        return found[0].decode() if found else None

    def archived(self, game: str) -> str | None:
        """Returns the digest of a game whose log is archived; None if it is in Redis."""
        digest = self._redis.send(("HGET", keys.meta(game), "archive"))[0]
        return digest.decode() if digest is not None else None

    def unarchive(self, game: str, digest: str) -> None:
        """Removes the log of a game from the archive.

        Raises:
            ArchiveAway: the archive cannot be reached.
        """
        self._archive.remove(game, digest)

    def _stored(self, game: str, after: int = 0, limit: int | None = None) -> list[Numbered]:
        """Reads from the log the events after a version as objects, at most `limit` of them."""
        command: Command = ("XRANGE", keys.log(game), f"{after + 1}-0", "+")
        if limit is not None:
            command += ("COUNT", limit)
        # The head first: the log may grow in between, and is never shorter than its head says.
        head, raw = self._redis.send(("HGET", keys.meta(game), "head"), command)
        if head is None and not raw:
            return []
        newest = version_of_head(head.decode() if head is not None else None)
        wanted = newest if limit is None else min(newest, after + limit)
        if wanted <= after:
            return []
        if not raw:
            return list(enumerate(self._packed_or_archived(game, after, wanted), after + 1))
        found = [(version, decoded(orjson.loads(event))) for version, event in sound_events(game, raw, after + 1)]
        check_length(min(found[-1][0], wanted), wanted)
        return found

    def _packed_or_archived(self, game: str, begin: int, end: int) -> Sequence[dict[str, Any]]:
        """Reads a part of the stored log of a game that has no stream; empty if it is gone.

        Call it after the stream was found empty. A log moves from there to the packed one to the archive, so it is
        found in one place or the next if it is looked for again.
        """
        fields = ("HMGET", keys.meta(game), "head", PACKED, "archive")
        for again in reversed(range(MOVES)):
            (head, checksum, digest), raw = self._redis.send(fields, ("GET", keys.packed(game)))
            if digest is not None:
                break
            if head is None and raw is None:
                return ()
            try:
                whole = sound_value(game, PACKED, raw, checksum.decode() if checksum is not None else None)
                return read_packed(whole, begin, end)
            except Damaged:
                if not again:
                    raise
        try:
            return in_thread(lambda: self._archive.stored(game, digest.decode()), self._archive_threads)[begin:end]
        except ArchivedFileDamaged:
            damaged.note(self._redis, game, keys.DAMAGED_FILES)
            raise

    def _loaded(self, game: str, reply: Sequence[Any], *, again: bool = True) -> Snapshot | None:
        """Returns a game from its log as `LOAD` has read it, from the newest round on; None if there is none."""
        raw_meta, raw_prefix, raw_tail, length = reply
        meta = hash_of(raw_meta)
        if length:
            check_length(length, version_of_head(meta.get("head")))
            if SUMMARY in meta:
                raise Damaged("its log is stored twice")
            prefix = [_read(*one) for raw in raw_prefix for one in sound_events(game, [raw], _version(raw[0]))]
            first = int(meta["round"]) if "started" in meta else 1
            return snapshot_of(game, meta, prefix, [_read(*one) for one in sound_events(game, raw_tail, first)])
        # Not in the same script: while a slot of a cluster is moving, a script that names a missing key does not run.
        raw = self._redis.send(("GET", keys.summary(game)))[0]
        if raw is None and not meta:
            return None
        try:
            value = sound_value(game, SUMMARY, raw, meta.get(SUMMARY))
        except Damaged:
            if not again:
                raise
            # It may have been removed or archived between these reads.
            return self._loaded(game, self._redis.run(LOAD, [keys.log(game), keys.meta(game)], []), again=False)
        prefix, tail = ([entry_of(*one) for one in part] for part in read_summary(value))
        return snapshot_of(game, meta, prefix, tail)

    def _remember(self, game: str, snapshot: Snapshot | None) -> None:
        """Caches a snapshot as a game's newest, and evicts the least recently used from this process."""
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
        due_times: DueTimes = NOT_DUE,
        key: Key | None = None,
        answer: Kept | None = None,
        caller: Caller | None = None,
    ) -> Kept | None:
        """Appends a step to the log in Redis, all or nothing, in one round trip.

        The lists that the game enters, with when to look at it, are written before the events. A `caller` who has not
        been read before is checked with the append; that works on a single Redis only.

        Returns None, or the stored answer of an earlier call with the same key, in which case nothing was appended.

        Raises:
            VersionConflict: the log is not at the version of the step's `before`, or the caller must be read first.
            Unavailable: Redis cannot be reached, and it is unknown whether the events were appended.
        """
        game = new.after.id
        log = keys.log(game)
        names = [log, keys.meta(game), keys.player(caller.player) if caller is not None else log]
        first, optional = entering(new, due_times)
        arguments: list[Any] = [
            new.before.head if new.before is not None else "",
            new.entries[0].version,
            len(new.entries),
            self._publish,
            caller.token_hash if caller is not None else "",
            self._redis.channel(channels.feed(game)),
        ]
        if key is not None:
            assert answer is not None, "it is kept for the key"
            used = keys.used(key.player, key.digest) if caller is not None else log
            names += keys.answer(game, key.player, key.digest), keys.noop_calls(game, key.player), used
            arguments += answer.stored(), KEEP_SECONDS, _noop_call(key), key.fingerprint
            optional.append(self._note_use(key))
        stored = [orjson.dumps(one) for one in encoded_step(new)]
        arguments += stored
        arguments += [checksum_of_entry(game, version, one) for version, one in enumerate(stored, arguments[1])]
        arguments += chain.from_iterable(meta_after(new, due_times.notices is not None).items())
        outcome = self._run_append(new, names, arguments, first, optional)
        if outcome[0] == b"answered":
            return Kept.read(outcome[1])
        if outcome[0] == b"damaged":
            damaged.note(self._redis, game)
            raise Damaged("its log is not as long as its head says")
        if outcome[0] == b"read" or (outcome[0] == b"moved" and outcome[1].decode() != new.after.head):
            raise VersionConflict
        self._remember(game, new.after)
        return None

    def _run_append(
        self, new: Step, names: list[str], arguments: list[Any], first: list[Command], optional: list[Command]
    ) -> Any:
        """Runs the script that appends to a log, after a broken connection at most once more.

        If the connection breaks, this first finds out whether the script ran. The
        optional commands before it are then tried separately: on a cluster, they alone may be what fails.
        """
        for last in (False, True):
            try:
                return self._redis.run(APPEND, names, arguments, before=first if last else first + optional)
            except Unavailable:
                if optional and not last:
                    with suppress(Unavailable):
                        self._redis.send(*optional)
                head = self._redis.send(("HGET", names[1], "head"))[0] or b""
                unchanged = head.decode() == (new.before.head if new.before is not None else "")
                if not unchanged:
                    return b"moved", head
                if last:
                    raise
        raise AssertionError("unreachable")  # pragma: no cover

    def confirm(self, snapshot: Snapshot) -> None:
        """Waits until a replica has a game's log up to a snapshot; does nothing unless `DURABILITY=replicated`.

        Raises:
            NotReplicated: no replica has it in time, or a failover has lost it.
        """
        if not self._redis.replicated:
            return
        meta, last = keys.meta(snapshot.id), f"{snapshot.version}-0"
        proof = ("HGET", meta, "head"), ("XRANGE", keys.log(snapshot.id), last, last)
        head, raw = self._redis.confirm(meta, *proof)
        if head != snapshot.head.encode() and [
            _read(*one) for one in sound_events(snapshot.id, raw, snapshot.version)
        ] != list(snapshot.entries[-1:]):
            raise NotReplicated("the primary has lost the step")

    def confirm_kept(self, game: str, key: Key, kept: Kept) -> None:
        """Waits until a replica has the stored answer of an earlier call; nothing unless `DURABILITY=replicated`.

        Raises:
            NotReplicated: no replica has it in time, or a failover has lost it.
        """
        if not self._redis.replicated:
            return
        command = _get_answer(game, key)
        if Kept.read(self._redis.confirm(command[1], command)[0]) != kept:
            raise NotReplicated("the primary has lost the answer")

    def note_noop(self, game: str, key: Key) -> Kept | None:
        """Records that a call had nothing to append to a log. Returns None, or what a faster identical one has kept.

        The answer is not stored: it can be derived again from the current game.
        """
        name = keys.noop_calls(game, key.player)
        noted: list[Command] = [
            ("LPUSH", name, _noop_call(key)),
            ("LTRIM", name, 0, MOST_NOOP_CALLS - 1),
            ("EXPIRE", name, KEEP_SECONDS),
            self._note_use(key),
        ]
        return Kept.read(self._redis.send(*noted, _get_answer(game, key))[-1])

    def _note_use(self, key: Key) -> Command:
        """Returns the Redis command that records a key's request: the player cannot reuse the key for another.

        On a cluster it goes to another node than the game, so it runs beside the append and not atomically with it.
        """
        return "SET", keys.used(key.player, key.digest), key.fingerprint, "EX", KEEP_SECONDS, "NX"

    def note_hint(self, snapshot: Snapshot, seat: int) -> bool:
        """Records beside a game's log that a seat is given a hint about this version, once however often it asks.

        Returns False, and records nothing, if the game has gone on. The views in later frames count it, also for those
        who follow the game.
        """
        meta = keys.meta(snapshot.id)
        channel = self._redis.channel(channels.feed(snapshot.id))
        noted = self._redis.run(HINT, [meta], [seat, snapshot.version, channel])
        if self._redis.replicated:
            self._redis.confirm(meta, ("HGET", meta, "hints"))
        return bool(noted)

    def hints(self, game: str) -> tuple[tuple[int, int], ...]:
        """Reads the hints that were given in a game: the seat, and the version about which it asked."""
        stored = self._redis.send(("HGET", keys.meta(game), "hints"))[0]
        return hints_in(stored.decode() if stored is not None else None)

    def link(self, game: str, next_game: str) -> None:
        """Records the rematch of a game beside its log, if the game still exists."""
        meta = keys.meta(game)
        self._redis.run(LINK, [meta], [next_game])
        if self._redis.replicated:
            self._redis.confirm(meta, ("HGET", meta, "next_game"))


def hints_in(stored: str | None) -> tuple[tuple[int, int], ...]:
    """Returns the hints given in a game, from the field beside its log: `SEAT:VERSION`, separated by spaces."""
    parted = (one.split(":") for one in (stored or "").split())
    return tuple([(int(seat), int(version)) for seat, version in parted])


def _get_answer(game: str, key: Key) -> Command:
    return "GET", keys.answer(game, key.player, key.digest)


def _look_for(game: str, key: Key) -> list[Command]:
    """Returns the Redis commands that find out whether a call with this idempotency key was made before."""
    return [
        _get_answer(game, key),
        ("LRANGE", keys.noop_calls(game, key.player), 0, -1),
        ("GET", keys.used(key.player, key.digest)),
    ]


def _noop_call(key: Key) -> str:
    return f"{key.digest}:{key.fingerprint}"


def _noop_in(calls: Sequence[bytes], key: Key | None) -> str | None:
    """Returns the fingerprint of the newest earlier call with an idempotency key that changed nothing."""
    parted = (call.decode().partition(":") for call in calls)
    return next((fingerprint for digest, _, fingerprint in parted if key is not None and digest == key.digest), None)


def _caught_up(cached: Snapshot, meta: list[bytes | None], raw: Any) -> Snapshot | None:
    """Returns the newest snapshot, from a cached one and the log's events after it; None if they do not fit.

    Then the game must be loaded: it is damaged, it has changed between these reads, or Redis holds another history.
    """
    head, next_game, hinted, newest, notified, summary = (value.decode() if value else None for value in meta)
    owed = (int(newest or 0), int(notified or 0))
    hints = hints_in(hinted)
    if (next_game, hints, *owed) != (cached.next_game, cached.hints, cached.notify_version, cached.notified_version):
        cached = replace(cached, next_game=next_game, hints=hints, notify_version=owed[0], notified_version=owed[1])
    if not raw and summary is not None:  # it has been packed or archived
        return cached if head == cached.head else None
    try:
        events = sound_events(cached.id, raw, cached.version)
        newest_version = version_of_head(head)
    except Damaged:
        return None
    if not events or events[-1][0] != newest_version:
        return None
    if head == cached.head:
        return cached
    entries = [_read(*one) for one in events]
    # The last known entry must still be there: a Redis restored from an older copy may have another history.
    return cached.after(entries[1:], head or "") if entries[0] == cached.entries[-1] else None


def snapshot_of(game: str, meta: Mapping[str, str], prefix: Sequence[Entry], tail: Sequence[Entry]) -> Snapshot:
    """Returns a stored game, folded from its log and the hash beside it.

    `prefix` are the entries that say what the table is and that the game has started, if `tail` begins with a round.

    Raises:
        Damaged: the hash does not say what follows from the log.
    """
    secret, join_code = bytes.fromhex(meta["secret"]), meta["join_code"]
    begins = [type(entry.event) for entry in (*prefix, *tail[:1])]
    if begins not in ([GameCreated], [GameCreated, GameStarted, RoundStarted]):
        raise Damaged("the hash beside its log does not say where the game or its round began")
    if prefix:
        created, started = prefix
        snapshot = first_snapshot(created, secret, join_code).from_round(started, tail, meta["head"])
    else:
        snapshot = first_snapshot(tail[0], secret, join_code).after(tail[1:], meta["head"])
    check_length(snapshot.version, version_of_head(meta["head"]))
    check_meta(game, meta, snapshot)
    # Nobody else has it yet.
    snapshot.next_game = meta.get("next_game")
    snapshot.hints = hints_in(meta.get("hints"))
    snapshot.notify_version = int(meta.get("tell", 0))
    snapshot.notified_version = int(meta.get("told", 0))
    snapshot.address_hash = meta.get("address_hash", "")
    return snapshot


def _version(entry_id: bytes) -> int:
    return int(entry_id.split(b"-")[0])


def read_entry(version: int, raw: bytes) -> Entry:
    """Returns an entry of the log from its stored form, without its cause."""
    return entry_of(version, decoded(orjson.loads(raw)))


_read = read_entry


def entry_of(version: int, stored: Mapping[str, Any]) -> Entry:
    """Returns an entry of the log from an event as an object, without its cause."""
    return Entry(version, stored["at"], codec.read_event(stored), "cause" in stored)
