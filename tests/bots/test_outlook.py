"""What positions are worth: exact in the last turn, and in the right order before it."""

from itertools import pairwise

import pytest

from engine.bots.counting import unseen_cards
from engine.bots.outlook import Outlook, Position, showdown_chance
from tests.bots.tables import seen_by_the_seat_to_act
from tests.engine.given import given

ANYTHING = {"guard": 0.5, "prince": 0.25, "princess": 0.25}


def outlook(deck, *, edition="classic", hands=("guard guard", "priest", "baron"), **more):
    known = seen_by_the_seat_to_act(given(edition, hands=hands, deck=deck, **more))
    return Outlook(known, unseen_cards(known), len(known.deck))


@pytest.fixture
def no_envy(monkeypatch):
    monkeypatch.setattr("engine.bots.outlook.ENVY", 0.0)


@pytest.mark.usefixtures("no_envy")
class TestInTheLastTurn:
    def test_a_position_is_worth_its_chance_at_the_showdown(self):
        # Beaten by the Princess, tied with the Prince.
        assert outlook("").worth(Position("prince", {1: ANYTHING}, spy=False)) == pytest.approx(0.5 + 0.25 / 2)

    def test_all_rivals_must_be_beaten(self):
        assert outlook("").worth(Position("king", {1: ANYTHING, 2: ANYTHING}, spy=False)) == pytest.approx(0.75**2)

    def test_a_seat_alone_has_won(self):
        assert outlook("").worth(Position("guard", {}, spy=False)) == 1

    def test_a_seat_that_is_out_gets_nothing(self):
        assert outlook("").worth(Position(None, {1: ANYTHING}, spy=True)) == 0

    def test_the_only_spy_is_worth_a_token(self):
        alone = Position("princess", {1: {"guard": 1.0}}, spy=True)

        assert outlook("", edition="standard").worth(alone) == 2
        assert outlook("", edition="standard", discards={1: "spy"}).worth(alone) == 1


class TestBeforeTheLastTurn:
    DECK = "guard baron prince handmaid guard"

    def test_the_less_rivals_the_better(self):
        view = outlook(self.DECK)
        worths = [
            view.worth(Position("priest", dict.fromkeys(range(1, 1 + rivals), ANYTHING), spy=False))
            for rivals in range(3)
        ]

        assert all(fewer > more for fewer, more in pairwise(worths))
        assert worths[-1] > view.worth(Position(None, {1: ANYTHING, 2: ANYTHING}, spy=False))

    def test_protection_is_worth_something(self):
        view = outlook(self.DECK)

        open_hand = Position("princess", {1: ANYTHING}, spy=False)
        safe_hand = Position("princess", {1: ANYTHING}, spy=False, protected=True)
        assert view.worth(safe_hand) > view.worth(open_hand)

    def test_a_hand_that_a_rival_knows_is_worth_less_unless_it_is_a_guard(self):
        view = outlook(self.DECK)

        for hand, worse in (("king", True), ("guard", False)):
            secret = view.worth(Position(hand, {1: ANYTHING}, spy=False))
            known = view.worth(Position(hand, {1: ANYTHING}, spy=False, known_to=1))
            assert (known < secret) is worse

    def test_knowing_a_rivals_hand_is_worth_something(self):
        view = outlook(self.DECK)

        known = sum(p * view.worth(Position("handmaid", {1: {card: 1.0}}, spy=False)) for card, p in ANYTHING.items())
        assert known > view.worth(Position("handmaid", {1: ANYTHING}, spy=False))

    def test_a_rival_about_to_win_the_game_is_the_one_to_stop(self):
        view = outlook(self.DECK, tokens=[0, 4, 1])

        leader_left = view.worth(Position("priest", {1: ANYTHING}, spy=False))
        other_left = view.worth(Position("priest", {2: ANYTHING}, spy=False))
        assert leader_left < other_left

    def test_a_rivals_only_spy_is_to_be_stopped_too(self):
        view = outlook(self.DECK, edition="standard", discards={1: "spy"})

        spy_left = view.worth(Position("priest", {1: ANYTHING}, spy=False))
        other_left = view.worth(Position("priest", {2: ANYTHING}, spy=False))
        assert spy_left < other_left

    def test_a_spy_counts_less_while_others_may_still_show_theirs(self):
        sure = outlook(self.DECK, edition="standard", discards={0: "spy spy"})
        unsure = outlook(self.DECK, edition="standard", discards={0: "spy guard"})

        plus = [
            view.worth(Position("priest", {1: ANYTHING}, spy=True))
            - view.worth(Position("priest", {1: ANYTHING}, spy=False))
            for view in (sure, unsure)
        ]
        assert plus[0] > plus[1] > 0


class TestTheChanceOfAShowdown:
    def test_is_certain_when_too_few_turns_are_left_to_knock_everybody_out(self):
        assert showdown_chance(0, 1) == 1
        assert showdown_chance(2, 3) == pytest.approx(1)

    def test_falls_with_the_turns_and_rises_with_the_rivals(self):
        assert showdown_chance(8, 1) < showdown_chance(4, 1) < showdown_chance(4, 2) < 1


def test_nothing_is_feared_from_cards_that_cannot_come():
    """Where every card is in sight there is no deck to draw from, whatever the number of turns."""
    view = outlook("guard")
    nothing_hidden = Outlook(seen_by_the_seat_to_act(given("classic", hands=["guard guard", "king"], deck="")), {}, 1)

    position = Position("princess", {1: {"king": 1.0}}, spy=False)
    assert nothing_hidden.worth(position) > view.worth(position)
