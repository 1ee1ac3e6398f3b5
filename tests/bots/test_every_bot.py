"""What every bot keeps to: it plays legally, to the end, repeatably, and by its view alone."""

import random

import pytest

from engine import rules
from engine.bots import BOTS
from engine.events import GameFinished
from engine.views import view
from tests.bots.tables import TABLES, new_game, questions, redacted
from tests.engine.given import same

pytestmark = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS.keys())


def course(bot, edition, seats, seed):
    """A game in which the bot and players that do anything legal sit in turn, so that every position may arise."""
    game = new_game(edition, seats, seed)
    others = [BOTS["random"] if (seat + seed) % 2 else bot for seat in range(seats)]
    return game, questions(game, others, random.Random(seed))


@pytest.mark.parametrize(("edition", "seats"), TABLES)
class TestAtEveryTable:
    def test_a_game_of_only_bots_ends(self, bot, edition, seats):
        game = new_game(edition, seats, seed=1)
        asked = sum(1 for _ in questions(game, [bot] * seats, random.Random(1)))

        assert asked == len(game.actions)
        assert isinstance(game.log[-1], GameFinished)

    def test_it_takes_a_legal_action_in_any_position(self, bot, edition, seats):
        kinds = set()
        for seed in range(4):
            _, positions = course(bot, edition, seats, seed)
            for known, legal in positions:
                assert bot(known, legal, random.Random(seed)) in legal
                kinds.add(legal[0].type)
        answers = set().union(*known.book.answers.values())
        # Handing out others' hands is too rare to be sure of in so few games.
        assert {"play_card"} | answers - {"give_hands"} <= kinds <= {"play_card"} | answers

    def test_it_repeats_its_choice_for_the_same_view_and_seed(self, bot, edition, seats):
        _, positions = course(bot, edition, seats, seed=2)
        for known, legal in positions:
            assert bot(known, legal, random.Random(5)) == bot(known.copy(), list(legal), random.Random(5))

    def test_it_leaves_the_view_as_it_was(self, bot, edition, seats):
        _, positions = course(bot, edition, seats, seed=3)
        for known, legal in positions:
            before, offered = known.copy(), list(legal)
            bot(known, legal, random.Random(5))
            assert same(known, before)
            assert legal == offered


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_cards_that_its_seat_cannot_see_do_not_change_its_choice(bot, edition, seats):
    """Swaps two cards of the deal wherever that leaves the seat's own log as it was, and asks again."""
    deals_that_look_alike = 0
    for seed in range(4):
        generator = random.Random(seed)
        deck = list(new_game(edition, seats, 0).state.book.deck)
        generator.shuffle(deck)
        game = new_game(edition, seats, seed, [{"order": deck}])
        for known, legal in questions(game, [BOTS["random"]] * seats, generator):
            if known.round_number > 1:
                break
            seat = known.to_act
            for other_deck in swapped(deck, generator, 8):
                other_log = replayed(edition, seats, seed, other_deck, game.actions)
                if other_log is None or redacted(other_log, seat) != redacted(game.log, seat):
                    continue
                deals_that_look_alike += other_deck != deck
                there = view(other_log, seat)
                assert bot(there, rules.legal_actions(there), random.Random(5)) == bot(known, legal, random.Random(5))
    assert deals_that_look_alike >= 20


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
