"""What every bot keeps to: it plays legally, to the end, repeatably, and by its view alone."""

import random
from dataclasses import replace

import pytest

from engine import rules
from engine.bots import BOTS
from engine.events import GameFinished
from engine.views import redact_log, view
from tests.engine.random_games import EVERY_TABLE
from tools.tournament.games import new_game, questions

pytestmark = pytest.mark.many

EVERY = {name: 20 if bot.thinks else 5 for name, bot in BOTS.items()}
"""A bot is asked in every so many positions, and at every decision; chance plays on."""

ENOUGH = 10
"""At each table, that deals differ in what the seat cannot see."""


def course(edition, seats, seed):
    """Yields positions of a game between players that do anything legal, and the names of the bots to ask there."""
    game = new_game(edition, seats, seed)
    for number, asked in enumerate(questions(game, [BOTS["random"]] * seats, random.Random(seed))):
        if names := [name for name in BOTS if (number + seed) % EVERY[name] == 0 or asked.view.decision is not None]:
            yield asked, names


@EVERY_TABLE
class TestAtEveryTable:
    @pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS.keys())
    def test_a_game_of_only_bots_ends(self, edition, seats, bot):
        game = new_game(edition, seats, seed=1)
        # Two that think are enough: six more would take long.
        bots = [BOTS["random"] if bot.thinks and seat > 1 else bot for seat in range(seats)]
        asked = sum(1 for _ in questions(game, bots, random.Random(1)))

        assert asked == len(game.actions)
        assert isinstance(game.log[-1], GameFinished)

    def test_it_takes_a_legal_action_in_any_position_repeats_it_and_leaves_the_question_as_it_was(self, edition, seats):
        kinds, answers = set(), set().union(*new_game(edition, seats, 0).state.book.answers.values())
        # Handing out others' hands is too rare to be sure of in so few games.
        wanted = {"play_card"} | answers - {"give_hands"}
        for seed in range(4):
            if kinds >= wanted:
                break
            for asked, names in course(edition, seats, seed):
                before = replace(asked, view=asked.view.copy(), legal=list(asked.legal), events=list(asked.events))
                for name in names:
                    chosen = BOTS[name](asked, random.Random(5))
                    assert chosen in asked.legal, name
                    assert BOTS[name](before, random.Random(5)) == chosen, name
                assert asked.view == before.view, names
                assert (list(asked.legal), list(asked.events)) == (before.legal, before.events), names
                kinds.add(asked.legal[0].type)
        assert wanted <= kinds <= {"play_card"} | answers


@EVERY_TABLE
def test_cards_that_its_seat_cannot_see_do_not_change_its_choice(edition, seats):
    """Swaps two cards of the deal wherever that leaves the seat's own log as it was, and asks again."""
    deals_that_look_alike = 0
    for seed in range(8):
        if deals_that_look_alike >= ENOUGH:
            return
        generator = random.Random(seed)
        deck = list(new_game(edition, seats, 0).state.book.deck)
        generator.shuffle(deck)
        game = new_game(edition, seats, seed, [{"order": deck}])
        for number, asked in enumerate(questions(game, [BOTS["random"]] * seats, generator)):
            if asked.view.round_number > 1:
                break
            if seats > 3 and (number + seed) % 3:
                continue
            seat = asked.view.to_act
            for other_deck in swapped(deck, generator, 8):
                other_log = replayed(edition, seats, seed, other_deck, game.actions)
                if other_log is None or redact_log(other_log, seat) != redact_log(game.log, seat):
                    continue
                deals_that_look_alike += other_deck != deck
                there = view(other_log, seat)
                elsewhere = replace(asked, view=there, legal=rules.legal_actions(there))
                for name, bot in BOTS.items():
                    assert bot(elsewhere, random.Random(5)) == bot(asked, random.Random(5)), name
    assert deals_that_look_alike >= ENOUGH


def swapped(deck, generator, count):
    for _ in range(count):
        one, other = generator.sample(range(len(deck)), 2)
        changed = list(deck)
        changed[one], changed[other] = changed[other], changed[one]
        yield changed


def replayed(edition, seats, seed, deck, actions):
    """Returns the log of the same actions after another deal, or None if one of them is not legal there."""
    game = new_game(edition, seats, seed, [{"order": deck}])
    for action in actions:
        if game.state.round_number > 1 or action not in rules.legal_actions(game.state):
            return None
        game.act(action)
    return game.log
