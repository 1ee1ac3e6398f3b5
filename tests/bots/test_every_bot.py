"""What every bot keeps to: it plays legally, to the end, repeatably, and by its view alone."""

import random
from dataclasses import replace

import pytest

from engine.bots import BOTS
from engine.events import GameFinished
from tests.engine.random_games import EVERY_TABLE
from tools.players.bot_games import new_game, questions

pytestmark = pytest.mark.many

EVERY = {name: 20 if bot.thinks else 5 for name, bot in BOTS.items()}
"""A bot is asked in every so many positions, and at every decision; chance plays on."""


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
