"""What is said to be held as often as not is held as often as not, where either card of a hand is played as often."""

import random
from collections import defaultdict

import pytest

import engine
from engine.deduction import deduce
from engine.events import RoundStarted
from engine.views import WATCHER, redact_log
from tests.engine.random_games import TABLES

GAMES = 10_000


def said_and_held(edition, seats, seed):
    """Yields what one viewer of a random game is told of hands at some point, and whether it is so."""
    rng = random.Random(f"{edition} {seats} {seed}")
    game = engine.new_game(edition, seats, seed)
    for _ in range(rng.randint(1, 8 * seats)):
        if game.over:
            break
        game.act(either_card(game, rng))
    first = max(place for place, event in enumerate(game.log) if isinstance(event, RoundStarted))
    viewer = rng.choice([WATCHER, *range(seats)])
    found = deduce(game.state.book, redact_log(game.log[first:], viewer), viewer)
    for seat, chances in enumerate(found.hands):
        for card, chance in chances.items():
            yield chance, card in game.state.seats[seat].hand


def either_card(game, rng):
    """Returns a legal action: each card of the hand that may be played is as likely as the other."""
    by_card = defaultdict(list)
    for action in game.legal_actions():
        by_card[getattr(action, "card", None)].append(action)
    held = [card for card in game.state.seats[game.to_act].hand if card in by_card]
    return rng.choice(by_card[rng.choice(held or [None])])


@pytest.mark.soak
def test_of_all_cards_said_to_be_held_with_20_to_30_percent_about_a_quarter_are():
    tables = [TABLES[seed % len(TABLES)] for seed in range(GAMES)]
    told = [one for seed, table in enumerate(tables) for one in said_and_held(*table, seed)]
    some = [(chance, held) for chance, held in told if 0.2 <= chance < 0.3]

    assert len(some) > GAMES
    assert sum(held for _, held in some) / len(some) == pytest.approx(
        sum(chance for chance, _ in some) / len(some), abs=0.01
    )
    assert all(held for chance, held in told if chance > 1 - 1e-9)
