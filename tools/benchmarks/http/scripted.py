"""Games whose whole course is known beforehand, so that a load can be posted without reading anything in between."""

import random
from typing import Any, NamedTuple

import orjson

from engine import rules
from engine.editions import rulebook
from engine.events import SeatTaken, SeatVacated, fold
from engine.logs import codec
from engine.shuffle import ArrangedChance, LooseChance
from engine.state import ACTIVE
from games.causes import Join
from games.steps import step, step_of
from service import Service
from service.inputs.chance import new_tag
from service.inputs.clock import now_ms
from service.store.log.event_log import EventLog
from tests.service.at_table import EN

ROUNDS = 40


class Course(NamedTuple):
    """A running game and the actions that play it to its end: the token and the body of each."""

    game: str
    actions: list[tuple[str, bytes]]


def scripted_game(service: Service, seats: int, seed: int, log: EventLog | None = None, churn: int = 0) -> Course:
    """Opens a sandbox game and returns its whole course; in its log, somebody sits down and gets up so often first."""
    rng = random.Random(seed)
    rounds = _rounds(seats, rng)
    tokens = [service.players.register(f"Player {seat}", "human").token for seat in range(seats)]
    body = {
        "edition": "standard",
        "seats": [{"kind": "creator"}, *[{"kind": "open"}] * (seats - 1)],
        "sandbox": {"rounds": rounds},
    }
    game = orjson.loads(service.tables.create(tokens[0], body, words=EN).body)["id"]
    if log is not None:
        _lengthen(log, game, tokens[1].split(".")[0], churn)
    for seat in range(1, seats):
        if log is not None:
            _sit_down(log, game, tokens[seat].split(".")[0], seat)
        else:
            service.tables.take_seat(tokens[seat], game, {"seat": seat}, words=EN)
    return Course(game, [(tokens[seat], orjson.dumps(action)) for seat, action in _course(seats, rounds, rng)])


def _lengthen(log: EventLog, game: str, player: str, churn: int) -> None:
    """Appends the events of a player who sits down and gets up so often, a thousand at a time."""
    for begun in range(0, churn, 500):
        snapshot = log.read(game).snapshot
        assert snapshot is not None
        pairs = min(500, churn - begun)
        log.append(step(snapshot, [SeatTaken(1, player, "", ""), SeatVacated(1)] * pairs, now_ms(), new_tag()))


def _sit_down(log: EventLog, game: str, player: str, seat: int) -> None:
    """Sits a player down at a table that has been joined and left too often for the service."""
    snapshot = log.read(game).snapshot
    assert snapshot is not None
    log.append(step_of(snapshot, Join(seat, player, ""), now_ms(), new_tag()))


def _rounds(seats: int, rng: random.Random) -> list[dict[str, Any]]:
    deck = rulebook("standard", seats, {}).deck
    return [{"starter": rng.randrange(seats), "order": rng.sample(deck, len(deck))} for _ in range(ROUNDS)]


def _course(seats: int, rounds: list[dict[str, Any]], rng: random.Random) -> list[tuple[int, dict[str, Any]]]:
    """Plays the same decks in memory, at random, and returns who did what."""
    chance = ArrangedChance(LooseChance(rng), rounds)
    state = rules.begin(rules.bare_table("standard", seats, sandbox=True))
    fold(state, rules.start(state, [""] * seats, chance))
    course = []
    while state.status == ACTIVE:
        seat = state.to_act
        assert seat is not None
        action = rng.choice(rules.legal_actions(state))
        course.append((seat, codec.action_data(action)))
        rules.play(state, action, chance)
    return course
