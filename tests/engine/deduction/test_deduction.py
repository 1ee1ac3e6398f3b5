"""What can be known of hidden cards is what counting by brute force says."""

import random

import pytest

from engine.deduction import deduce
from engine.views import WATCHER, redact_log
from engine.editions import rulebook
from tests.engine.deduction.brute_force import count, random_course
from tests.engine.random_games import TABLES, of_all_kinds


def compare(edition, seats, seed):
    """Compares what one viewer of a random position can know with all that may have happened."""
    opening, steps = random_course(edition, seats, seed)
    book = rulebook(edition, seats, of_all_kinds(edition, seed)["options"])
    viewer = random.Random(seed).choice([WATCHER, *range(seats)])
    events = redact_log([*opening, *[event for _, happened in steps for event in happened]], viewer)
    found = deduce(book, events, viewer)
    ways = count(book, opening, steps, viewer)
    total = sum(ways.values())
    assert total, "what happened is one of the ways"

    def chance(holds):
        return pytest.approx(sum(number for way, number in ways.items() if holds(way)) / total, abs=1e-9)

    for seat in range(seats):
        for card in book.cards:
            assert found.hands[seat].get(card, 0.0) == chance(lambda way: card in way[0][seat]), (seat, card)
    below = [run.chances for run in found.deck for _ in range(run.places)]
    for card in book.cards:
        assert found.set_aside.get(card, 0.0) == chance(lambda way: card in way[2]), ("aside", card)
        for place, chances in enumerate(below):
            assert chances.get(card, 0.0) == chance(lambda way: way[1][place] == card), ("deck", place, card)
    for fact in found.certain:
        assert chance(lambda way: (fact.card in way[0][fact.seat]) == fact.held) == 1.0, fact
    return len(ways)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_chances_are_those_of_brute_force(edition, seats):
    ways = [compare(edition, seats, seed) for seed in range(6)]
    assert max(ways) > 1, "something is hidden"
