"""What positions are worth: exact in the last turn, and in the right order before it."""

from itertools import pairwise

import pytest

from engine.bots.cautious.outlook import Outlook, showdown_chance
from engine.bots.cautious.position import PlayOutcome
from engine.bots.counting import unseen_cards
from tests.engine.given import given, seen_by_the_seat_to_act

ANYTHING = {"guard": 0.5, "prince": 0.25, "princess": 0.25}


def outlook(deck, *, edition="classic", hands=("guard guard", "priest", "baron"), **more):
    known = seen_by_the_seat_to_act(given(edition, hands=hands, deck=deck, **more))
    return Outlook(known, unseen_cards(known), len(known.deck))


@pytest.fixture
def no_envy(monkeypatch):
    monkeypatch.setattr("engine.bots.cautious.outlook.ENVY", 0.0)


@pytest.mark.usefixtures("no_envy")
class TestInTheLastTurn:
    def test_a_position_is_worth_its_chance_at_the_showdown(self):
        # Beaten by the Princess, tied with the Prince.
        assert outlook("").worth(PlayOutcome("prince", {1: ANYTHING}, spy=False)) == pytest.approx(0.5 + 0.25 / 2)

    def test_all_rivals_must_be_beaten(self):
        assert outlook("").worth(PlayOutcome("king", {1: ANYTHING, 2: ANYTHING}, spy=False)) == pytest.approx(0.75**2)

    def test_a_seat_alone_has_won(self):
        assert outlook("").worth(PlayOutcome("guard", {}, spy=False)) == 1

    def test_a_seat_that_is_out_gets_nothing(self):
        assert outlook("").worth(PlayOutcome(None, {1: ANYTHING}, spy=True)) == 0

    def test_the_only_spy_is_worth_a_token(self):
        alone = PlayOutcome("princess", {1: {"guard": 1.0}}, spy=True)

        assert outlook("", edition="standard").worth(alone) == 2
        assert outlook("", edition="standard", discards={1: "spy"}).worth(alone) == 1


class TestBeforeTheLastTurn:
    DECK = "guard baron prince handmaid guard"

    def test_the_less_rivals_the_better(self):
        view = outlook(self.DECK)
        worths = [
            view.worth(PlayOutcome("priest", dict.fromkeys(range(1, 1 + rivals), ANYTHING), spy=False))
            for rivals in range(3)
        ]

        assert all(fewer > more for fewer, more in pairwise(worths))
        assert worths[-1] > view.worth(PlayOutcome(None, {1: ANYTHING, 2: ANYTHING}, spy=False))

    def test_protection_is_worth_something(self):
        view = outlook(self.DECK)

        open_hand = PlayOutcome("princess", {1: ANYTHING}, spy=False)
        safe_hand = PlayOutcome("princess", {1: ANYTHING}, spy=False, protected=True)
        assert view.worth(safe_hand) > view.worth(open_hand)

    def test_a_hand_that_a_rival_knows_is_worth_less_unless_it_is_a_guard(self):
        view = outlook(self.DECK)

        for hand, worse in (("king", True), ("guard", False)):
            secret = view.worth(PlayOutcome(hand, {1: ANYTHING}, spy=False))
            known = view.worth(PlayOutcome(hand, {1: ANYTHING}, spy=False, known_to=1))
            assert (known < secret) is worse

    def test_knowing_a_rivals_hand_is_worth_something(self):
        view = outlook(self.DECK)

        known = sum(
            p * view.worth(PlayOutcome("handmaid", {1: {card: 1.0}}, spy=False)) for card, p in ANYTHING.items()
        )
        assert known > view.worth(PlayOutcome("handmaid", {1: ANYTHING}, spy=False))

    def test_a_rival_about_to_win_the_game_is_the_one_to_stop(self):
        view = outlook(self.DECK, tokens=[0, 4, 1])

        leader_left = view.worth(PlayOutcome("priest", {1: ANYTHING}, spy=False))
        other_left = view.worth(PlayOutcome("priest", {2: ANYTHING}, spy=False))
        assert leader_left < other_left


class TestTheChanceOfAShowdown:
    def test_is_certain_when_too_few_turns_are_left_to_knock_everybody_out(self):
        assert showdown_chance(0, 1) == 1
        assert showdown_chance(2, 3) == pytest.approx(1)

    def test_falls_with_the_turns_and_rises_with_the_rivals(self):
        assert showdown_chance(8, 1) < showdown_chance(4, 1) < showdown_chance(4, 2) < 1


def premium(**more):
    """Returns how seat 0 of a table of five judges."""
    return outlook("", edition="premium", hands=["count count", "guard", "king", "king", "king"], **more)


@pytest.mark.usefixtures("no_envy")
class TestAShowdownOfThePremiumEdition:
    def test_counts_the_counts_of_both(self):
        rival = PlayOutcome("countess", {1: {"princess": 1.0}}, spy=False)

        assert premium().worth(rival) == 0
        assert premium(discards={0: "count count"}).worth(rival) == 1
        assert premium(discards={0: "count count", 1: "count count"}).worth(rival) == 0

    def test_looks_at_the_sum_of_the_discards_in_a_tie(self):
        tie = PlayOutcome("king", {1: {"constable": 1.0}}, spy=False)

        assert premium().worth(tie) == 0.5
        assert premium(discards={0: "guard"}).worth(tie) == 1
        assert premium(discards={1: "guard"}).worth(tie) == 0
        assert premium(discards={0: "guard", 1: "guard"}).worth(tie) == 0.5

    def test_lets_the_princess_beat_the_bishop(self):
        assert premium().worth(PlayOutcome("bishop", {1: {"princess": 1.0}}, spy=False)) == 0
        assert premium(discards={1: "count count"}).worth(PlayOutcome("princess", {1: {"bishop": 1.0}}, spy=False)) == 1


class TestTokensOfThePremiumEdition:
    def test_that_a_rivals_jester_may_bring_make_its_mark_one_to_stop(self):
        table = given("premium", hands=["jester count", *["king"] * 4], deck=self.DECK, tokens=[3, 0, 0, 0, 0])
        table.play("jester", 2)
        known = seen_by_the_seat_to_act(table)
        view = Outlook(known, unseen_cards(known), len(known.deck))

        marked, other = (view.worth(PlayOutcome("king", {seat: ANYTHING}, spy=False)) for seat in (2, 3))
        assert marked < other

    def test_that_a_rivals_jester_brings_when_the_seat_itself_wins_cost_something(self):
        table = given("premium", hands=["jester count", *["king"] * 4], deck=self.DECK, tokens=[3, 0, 0, 0, 0])
        table.play("jester", 1)
        known = seen_by_the_seat_to_act(table)
        view = Outlook(known, unseen_cards(known), len(known.deck))

        assert view.worth(PlayOutcome("king", {}, spy=False)) == 1
        assert view.worth(PlayOutcome("princess", {2: {"guard": 1.0}}, spy=False)) < 1

    DECK = "guard baron prince handmaid guard"


def lovecraft(deck="", **more):
    """Returns how seat 0 of a table of three judges."""
    hands = ["investigators investigators", "elder_sign", "elder_sign"]
    return outlook(deck, edition="lovecraft", hands=hands, **more)


@pytest.mark.usefixtures("no_envy")
class TestAShowdownOfTheLovecraftEdition:
    def test_removes_equal_numbers(self):
        assert lovecraft().worth(PlayOutcome("elder_sign", {1: {"liber_ivonis": 1.0}}, spy=False)) == 0

    def test_does_not_remove_who_has_read_liber_ivonis(self):
        assert lovecraft().worth(PlayOutcome("elder_sign", {1: {"liber_ivonis": 1.0}}, spy=False, liber=True)) == 1

    def test_lets_a_low_number_win_when_the_high_ones_remove_each_other(self):
        rivals = {1: {"silver_key": 1.0}, 2: {"shining_trapezohedron": 0.5, "necronomicon": 0.5}}

        assert lovecraft().worth(PlayOutcome("great_race_of_yith", rivals, spy=False)) == 0.5


@pytest.mark.usefixtures("no_envy")
class TestInsanity:
    DECK = "investigators elder_sign cats_of_ulthar investigators great_race_of_yith randolph_carter"

    def worth(self, hand, mine, rival=None, **more):
        discards = {seat: cards for seat, cards in ((0, mine), (1, rival)) if cards}
        view = lovecraft(self.DECK, discards=discards, **more)
        return view.worth(PlayOutcome(hand, {1: {"cats_of_ulthar": 1.0}}, spy=False))

    def test_is_the_worse_the_more_insanity_cards_there_are(self):
        sane, one, two = (self.worth("elder_sign", cards) for cards in ("", "golden_mead", "golden_mead deep_ones"))

        assert sane > one > two

    def test_makes_cthulhu_and_the_trapezohedron_worth_holding(self):
        assert self.worth("cthulhu", "golden_mead deep_ones") > self.worth("necronomicon", "golden_mead deep_ones")
        assert self.worth("shining_trapezohedron", "golden_mead") > self.worth("silver_key", "golden_mead")
