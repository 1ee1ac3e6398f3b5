"""Games whose whole course is known beforehand, so that a load can be posted without reading anything in between."""

import random
from typing import Any, NamedTuple

import orjson

from engine import codec, rules
from engine.editions import rulebook
from engine.events import GameCreated, fold
from engine.shuffle import ArrangedChance, LooseChance
from engine.state import ACTIVE
from service import Service

ROUNDS = 40


class Course(NamedTuple):
    """A running game and the actions that play it to its end: the token and the body of each."""

    game: str
    actions: list[tuple[str, bytes]]


def scripted_game(service: Service, seats: int, seed: int, churn: int = 0) -> Course:
    """Opens a sandbox game and returns its whole course; `churn` times somebody sits down and gets up first."""
    rng = random.Random(seed)
    rounds = _rounds(seats, rng)
    tokens = [service.players.register(f"Player {seat}", "human")["token"] for seat in range(seats)]
    body = {
        "edition": "standard",
        "seats": [{"kind": "creator"}, *[{"kind": "open"}] * (seats - 1)],
        "sandbox": {"rounds": rounds},
    }
    game = orjson.loads(service.tables.create(tokens[0], body).body)["id"]
    for _ in range(churn):
        service.tables.take_seat(tokens[1], game, {})
        service.tables.leave(tokens[1], game)
    for seat in range(1, seats):
        service.tables.take_seat(tokens[seat], game, {"seat": seat})
    return Course(game, [(tokens[seat], orjson.dumps(action)) for seat, action in _course(seats, rounds, rng)])


def _rounds(seats: int, rng: random.Random) -> list[dict[str, Any]]:
    deck = rulebook("standard", seats, {}).deck
    return [{"starter": rng.randrange(seats), "order": rng.sample(deck, len(deck))} for _ in range(ROUNDS)]


def _course(seats: int, rounds: list[dict[str, Any]], rng: random.Random) -> list[tuple[int, dict[str, Any]]]:
    """Plays the same decks in memory, at random, and returns who did what."""
    chance = ArrangedChance(LooseChance(rng), rounds)
    created = GameCreated(
        "g", "standard", {}, seats, "public", None, None, "p", None, "", sandbox=True, sandbox_rounds=()
    )
    state = rules.begin(created)
    fold(state, rules.start(state, [""] * seats, chance))
    course = []
    while state.status == ACTIVE:
        seat = state.to_act
        assert seat is not None
        action = rng.choice(rules.legal_actions(state))
        course.append((seat, codec.action_data(action)))
        rules.play(state, action, chance)
    return course
