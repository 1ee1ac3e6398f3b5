"""What looking back costs in a game of 5,000 events: a view at a version beside folding all events up to there.

The game is played by the rules, at random, by a book of its own in which no number of tokens wins, and then given up.
Processor time of this process alone, so that a busy machine disturbs it little: Redis adds two round trips to a view.
"""

import random
import statistics
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from billet.redis import embedded as embedded_redis
from engine import rules
from engine.events import Event, SecretRevealed
from engine.rulebook import Rulebook
from engine.shuffle import LooseChance
from engine.state import ACTIVE
from engine.views import redact_log
from games.snapshot import Entry, first_snapshot
from games.steps import Step, head_of, step
from games.texts.catalogue import catalogue
from games.times import text_of
from service import Service, Settings, build
from service.inputs.chance import new_tag
from service.inputs.clock import now_ms
from service.store.exchange.connection import Exchange, connect
from service.store.log.event_log import EventLog
from tests.benchmarks.machine import load, seconds
from tools.tournament.games import begun

EVENTS = 5_000
SEATS = 4
AT_ONCE = 500
"""Events that are appended together."""
RUNS = 15
PLACES = (0.1, 0.5, 0.9, 1.0)
"""Where in the game one looks, as parts of it."""
EN = catalogue("en")
T = TypeVar("T")


def run() -> None:
    """Prints events folded a second, and views at a version as ratios to folding all events up to it."""
    events = long_game("standard", SEATS)
    print(f"replay: a game of {len(events):,} events, {load()}")
    redacted = redact_log(events, 0)
    for name, one in (("a full log", events), ("a redacted log", redacted)):
        rates = [len(one) / seconds(lambda one=one: rules.fold_log(one)) for _ in range(RUNS)]
        print(f"  fold {name:<32} {statistics.median(rates):9,.0f} events a second  (best {max(rates):,.0f})")
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder), fsync="no") as own:
        settings = Settings(redis_url=own.url)
        log = EventLog(Exchange(connect(own.url)))
        game = stored(log, events)
        for place in PLACES:
            version = int(len(events) * place)
            _print_view(build(settings), game, events[:version])
        _print("list the rounds", build(settings), lambda service: service.games.rounds(None, game), events)
        _print("read and fold the whole log", log, lambda log: fold(log, game), events)


def _print_view(service: Service, game: str, events: list[Event]) -> None:
    at = len(events)
    _print(
        f"view as seat 0 at version {at:,}",
        service,
        lambda service: service.games.view(None, game, at=at, as_=0, words=EN),
        events,
    )


def fold(log: EventLog, game: str) -> object:
    """Returns the state after a log that is read from its beginning."""
    return rules.fold_log([entry.event for entry in log.entries(game, 0)])


def _print(name: str, made: T, call: Callable[[T], object], events: list[Event]) -> None:
    """Prints what a call costs beside folding events, one after the other, so that both meet the same machine."""
    call(made)
    calls, folds = [], []
    for _ in range(RUNS):
        calls.append(seconds(lambda: call(made)))
        folds.append(seconds(lambda: rules.fold_log(events)))
    ratio = statistics.median([one / fold for one, fold in zip(calls, folds, strict=True)])
    over = 1000 * statistics.median([one - fold for one, fold in zip(calls, folds, strict=True)])
    print(f"  {name:<30} {ratio:7.2f} times as much as folding {len(events):,} events, {over:5.1f} ms more")


def long_game(edition: str, seats: int) -> list[Event]:
    """Returns the log of a game that has at least so many events, to its end."""
    generator = random.Random(1)
    chance = LooseChance(generator)
    state, log = begun(edition, seats, chance)
    state.book = Rulebook(state.book.edition, seats, dict(state.book.options))
    state.book.tokens_to_win = EVENTS
    while len(log) < EVENTS:
        log += rules.play(state, generator.choice(rules.legal_actions(state)), chance)
    for seat in range(seats):
        if state.status == ACTIVE:
            left = rules.leave(state, seat, "resigned", chance)
            for event in left:
                state.version += 1
                event.apply(state)
            log += left
    return [*log, SecretRevealed("00" * 32)]


def stored(log: EventLog, events: list[Event]) -> str:
    """Appends the events of a game to a log of its own and returns its id."""
    created = first_snapshot(Entry(1, text_of(now_ms()), events[0]), bytes(32), "CODE")
    snapshot = replace(created, head=head_of(1, new_tag()))
    log.append(Step(None, [snapshot.created], snapshot))
    for begin in range(1, len(events), AT_ONCE):
        new = step(snapshot, events[begin : begin + AT_ONCE], now_ms(), new_tag())
        log.append(new)
        snapshot = new.after
    return snapshot.id


if __name__ == "__main__":
    run()
