"""What clients were told, held against what the logs say: the claims that must survive any killed process.

The logs are read from Redis as they lie there, without the service's code.
"""

import math
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from tools.players.stored_events import event_in

BOT_SECONDS = 5
LATE_SECONDS = 5
"""How much later than its clock a seat may be taken at its word that it has run out, under fire."""
ASKS = ("turn_started", "decision_opened")


class Taken(NamedTuple):
    """An action that was answered with 201."""

    game: str
    seat: int
    key: str
    answer: dict[str, Any]

    @property
    def versions(self) -> list[int]:
        """Returns the versions of the events that the answer named."""
        return [event["version"] for event in self.answer["events"]]


class Lost(NamedTuple):
    """An action that was sent and never answered: it may be in the log, once, after the version it was sent at."""

    game: str
    seat: int
    version: int
    action: dict[str, Any]

    def is_in(self, event: dict[str, Any]) -> bool:
        """Whether an event came of what the seat has done."""
        return (event["cause"]["seat"], event["cause"]["action"]) == (self.seat, self.action)


class Ledger:
    """Everything that clients were told; filled by many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.created: dict[str, str] = {}  # key -> game
        self.rematches: dict[str, str] = {}  # game -> the one that follows it
        self.taken: list[Taken] = []
        self.lost: list[Lost] = []

    def copy(self) -> "Ledger":
        """The same once more, for who wants to change it."""
        copied = Ledger()
        copied.created, copied.rematches = dict(self.created), dict(self.rematches)
        copied.taken, copied.lost = list(self.taken), list(self.lost)
        return copied

    def note_created(self, key: str, game: str) -> None:
        """Notes which game a key has opened."""
        with self._lock:
            assert self.created.setdefault(key, game) == game, "one key has opened two tables"

    def note_rematch(self, game: str, following: str) -> None:
        """Notes the rematch of a game."""
        with self._lock:
            assert self.rematches.setdefault(game, following) == following, "two rematches of one game"

    def note_lost(self, game: str, seat: int, version: int, action: dict[str, Any]) -> None:
        """Notes an action that was never answered."""
        with self._lock:
            self.lost.append(Lost(game, seat, version, action))

    def note_taken(self, game: str, seat: int, key: str, answer: Any) -> None:
        """Notes an action with its answer."""
        with self._lock:
            self.taken.append(Taken(game, seat, key, answer))


class Log(NamedTuple):
    """A game as it lies in Redis: its entries as pairs of id and stored event, and the hash beside them."""

    entries: list[tuple[str, dict[str, Any]]]
    meta: dict[str, str]

    @property
    def events(self) -> list[dict[str, Any]]:
        """Returns the events without their ids."""
        return [event for _, event in self.entries]


def read_logs(client: Any, but: Collection[str] = ()) -> dict[str, Log]:
    """Reads all games of a Redis but those that are named."""
    logs = {}
    for name in client.scan_iter(match="billet:{*}:log", count=1000):
        game = name.decode().split("{")[1].split("}")[0]
        if game in but:
            continue
        entries = [(entry.decode(), event_in(fields[b"e"])) for entry, fields in client.xrange(name)]
        meta = client.hgetall(f"billet:{{{game}}}:meta")
        logs[game] = Log(entries, {field.decode(): value.decode() for field, value in meta.items()})
    return logs


# --- whole actions, each once ---


def check_whole(logs: Mapping[str, Log]) -> None:
    """Checks that every log is dense and ends with a whole append: its head is written with the events."""
    for game, log in logs.items():
        ids = [entry for entry, _ in log.entries]
        assert ids == [f"{version}-0" for version in range(1, len(ids) + 1)], f"{game} is not dense"
        head = int(log.meta["head"].split(":")[0])
        assert head == len(ids), f"{game} has a half-done action: head {head}, {len(ids)} events"


def check_answers(ledger: Ledger, logs: Mapping[str, Log]) -> None:
    """Checks that the logs hold what was answered, each action once, and nothing that clients were not told."""
    by_game = defaultdict(list)
    for taken in ledger.taken:
        by_game[taken.game].append(taken)
    for game, answers in by_game.items():
        events = logs[game].events
        versions = [version for taken in answers for version in taken.versions]
        assert len(versions) == len(set(versions)), f"{game}: two accepted answers share a version"
        for taken in answers:
            assert taken.answer["version"] == taken.versions[-1], taken.key
            for told in taken.answer["events"]:
                assert told["version"] <= len(events), f"{game}: an answered action is lost: {told}"
                check_same(told, events[told["version"] - 1], game)
    assert len({taken.key for taken in ledger.taken}) == len(ledger.taken)
    answered = {(taken.game, taken.versions[0]) for taken in ledger.taken}
    logged = {(game, version) for game, log in logs.items() for version in acts_of(log)}
    assert answered <= logged, f"answered, but no action in the log: {answered - logged}"
    # Calls are repeated until they are answered or given up: what neither explains was taken twice.
    unexplained = without_lost(logged - answered, ledger.lost, logs)
    assert not unexplained, f"in a log but never answered: {unexplained}"


def without_lost(actions: Any, lost: Sequence[Lost], logs: Mapping[str, Log]) -> set[tuple[str, int]]:
    """Returns the actions, as pairs of game and version, but for those that calls without an answer may have made."""
    left = set(actions)
    for one in lost:
        may_be = (
            (game, version)
            for game, version in sorted(left)
            if game == one.game and version > one.version and one.is_in(logs[game].events[version - 1])
        )
        left.discard(next(may_be, None))
    return left


def check_same(told: dict[str, Any], stored: dict[str, Any], game: str) -> None:
    """Checks that a redacted event is that of the log, but for what is null in it."""
    assert told["type"] == stored["type"], f"{game}: {told} is not {stored}"
    assert seconds(told["at"]) == seconds(stored["at"]), f"{game}: {told} is not {stored}"
    assert told["data"].keys() == stored["data"].keys()
    for name, value in told["data"].items():
        full = stored["data"][name]
        if isinstance(value, list):
            same = len(value) == len(full) and all(a in (None, b) for a, b in zip(value, full, strict=True))
        else:
            same = value in (None, full)
        assert same, f"{game}: {told} is not {stored}"


def acts_of(log: Log) -> Iterator[int]:
    """The version of the first event of every action that a player took, and none of the service's bots."""
    for version, event in enumerate(log.events, 1):
        cause = event.get("cause", {})
        if cause.get("type") == "act" and "thought" not in cause:
            yield version


def check_created(ledger: Ledger, logs: Mapping[str, Log]) -> None:
    """Checks that each key has opened one table, each game has one rematch, and that there are no others."""
    assert sorted([*ledger.created.values(), *ledger.rematches.values()]) == sorted(logs)


def check_ended(logs: Mapping[str, Log]) -> None:
    """Checks that all games have reached their end."""
    for game, log in logs.items():
        assert log.meta["status"] == "finished", f"{game} is {log.meta['status']} at {log.meta['head']}"
        assert [event["type"] for event in log.events][-2:] == ["game_finished", "secret_revealed"]


# --- nobody waits for ever ---


def delays(logs: Mapping[str, Log], outages: Sequence[tuple[float, float]]) -> Iterator[tuple[str, str, float]]:
    """For each answered question, what it waited for and how much later than allowed the answer came, in seconds.

    Gives `bot` with the time the bot took, and `clock` with the time since the deadline. `outages` are the times, as
    pairs of seconds since 1970, in which nothing could be expected: whatever fell into one is counted from its end.
    """
    for game, log in logs.items():
        clock = log.events[0]["data"]["clock"]
        players: list[str] = []
        asked: tuple[int, float] | None = None
        allowed = [clock["seconds"] if clock is not None else math.inf] * log.events[0]["data"]["seats"]
        for event in log.events:
            at = seconds(event["at"])
            if asked is not None and event["type"] not in ("card_drawn", "seat_taken_back"):
                seat, since = asked
                if players[seat].startswith("bot-"):
                    yield "bot", game, at - since_back(since, at, outages)
                elif at > since + allowed[seat]:
                    yield "clock", game, at - since_back(since + allowed[seat], at, outages)
                asked = None
            if event["type"] == "time_spent":
                allowed[event["data"]["seat"]] = event["data"]["bank_ms"] / 1000
            if event["type"] == "game_started":
                players = event["data"]["players"]
            elif event["type"] in ASKS:
                asked = (event["data"]["seat"], at)


def since_back(since: float, until: float, outages: Sequence[tuple[float, float]]) -> float:
    """From when on an answer could be expected that came at `until` to a question of `since`."""
    for begin, end in outages:
        if begin <= until and end >= since:
            since = max(since, min(end, until))
    return since


def check_delays(found: Iterable[tuple[str, str, float]], allowed: float) -> dict[str, float]:
    """Checks that no game hung, and returns the longest delays by what they waited for.

    `allowed` is how many times as long it may be, where more is played at once than the machine has time for.
    """
    longest: dict[str, float] = defaultdict(float)
    for kind, game, delay in found:
        limit = allowed * (BOT_SECONDS if kind == "bot" else LATE_SECONDS)
        assert delay <= limit, f"{game} hung for {delay:.1f} s waiting for a {kind}"
        longest[kind] = max(longest[kind], delay)
    return dict(longest)


def seconds(at: str) -> float:
    """A time of the log in seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()


def check_banks(logs: Mapping[str, Log]) -> None:
    """Checks that each bank has lost what passed between question and answer, and gained its increment."""
    for game, log in logs.items():
        clock = log.events[0]["data"]["clock"]
        asked: dict[str, Any] = {}
        banks = [clock["seconds"] * 1000 if clock is not None else 0] * log.events[0]["data"]["seats"]
        for event in log.events:
            if event["type"] in ASKS:
                asked = event
            elif event["type"] == "time_spent":
                seat, spent = event["data"]["seat"], event["data"]["spent_ms"]
                passed = round((seconds(event["at"]) - seconds(asked["at"])) * 1000)
                assert (asked["data"]["seat"], min(passed, banks[seat])) == (seat, spent), f"{game}: {event}"
                banks[seat] += clock["increment"] * 1000 - spent
                assert event["data"]["bank_ms"] == banks[seat] >= 0, f"{game}: {event}"


def check_nothing_lost(ledger: Ledger, logs: Mapping[str, Log]) -> dict[str, float]:
    """Checks that nothing answered is lost and nothing is there twice; returns no delays."""
    check_whole(logs)
    check_created(ledger, logs)
    check_answers(ledger, logs)
    return {}


def check_all(
    ledger: Ledger, logs: Mapping[str, Log], outages: Sequence[tuple[float, float]] = (), allowed: float = 1.0
) -> dict[str, float]:
    """Checks everything but that the games have ended, and returns the longest delays."""
    check_nothing_lost(ledger, logs)
    check_banks(logs)
    return check_delays(delays(logs, sorted(outages)), allowed)
