"""Plays of the `lovecraft` edition that anybody at the table would expect of a player who counts cards."""

import pytest

from engine import rules
from engine.actions import GiveHands, PlayCard
from engine.bots.cautious import judging as cautious
from tests.bots.cautious.choices import choice, choices
from tests.engine.given import given, seen_by_the_seat_to_act

DECK = "investigators elder_sign cats_of_ulthar investigators great_race_of_yith randolph_carter"
INSANE = {0: "golden_mead"}
VERY_INSANE = {0: "golden_mead deep_ones"}


def lovecraft(*hands, deck=DECK, **situation):
    return given("lovecraft", hands=hands, deck=deck, **situation)


def having_looked(keeps, draws, one, other=None, deck=DECK, **situation):
    """Returns a table where seat 0 has looked at seat 1's hand and has its next turn."""
    others = [one] if other is None else [one, other]
    drawn = [*["silver_key"] * len(others), draws, deck]
    table = lovecraft(f"cats_of_ulthar {keeps}", *others, deck=" ".join(drawn), **situation)
    table.play("cats_of_ulthar", 1)
    for _ in others:
        table.play("silver_key")
    return table


def having_looked_insane(keeps, draws, *others, deck=DECK, discards="golden_mead", checked="investigators"):
    """Returns the same for a seat that is insane and has passed its sanity check by then."""
    return having_looked(keeps, f"{checked} {draws}", *others, deck=deck, discards={0: discards})


class TestCardsThatKnockOutTheirPlayer:
    @pytest.mark.parametrize("deadly", ["necronomicon", "cthulhu"])
    @pytest.mark.parametrize(
        "other", ["investigators", "golden_mead", "hound_of_tindalos", "liber_ivonis", "mi_go", "nyarlathotep"]
    )
    def test_are_not_played_if_another_can_be(self, deadly, other):
        table = lovecraft(f"{deadly} {other}", "investigators", "elder_sign")

        assert deadly not in {play.card for play in choices(table)}

    @pytest.mark.parametrize("other", ["deep_ones", "silver_key", "randolph_carter"])
    def test_go_for_the_braincase_too(self, other):
        table = lovecraft(f"mi_go_braincase {other}", "investigators", "elder_sign")

        assert {play.card for play in choices(table)} == {other}

    def test_are_not_discarded_with_a_professor_of_ones_own(self):
        table = lovecraft("professor_henry_armitage necronomicon", "investigators", "elder_sign", protected=[1])

        assert choice(table) == PlayCard("professor_henry_armitage", (2,))


class TestCthulhu:
    def test_wins_the_game_when_it_can(self):
        for other in ("investigators", "shining_trapezohedron", "elder_sign", "mi_go"):
            table = lovecraft(f"cthulhu {other}", "investigators", "elder_sign", discards=VERY_INSANE)
            assert choice(table) == PlayCard("cthulhu", face="insane")

    def test_is_kept_with_one_insanity_card(self):
        table = lovecraft("cthulhu investigators", "cats_of_ulthar", "elder_sign", discards=INSANE)

        assert {play.card for play in choices(table)} == {"investigators"}

    def test_is_played_besides_when_an_extra_play_makes_it_possible(self):
        table = lovecraft("mi_go cthulhu", "investigators", "investigators", discards=VERY_INSANE)
        table.play("mi_go", 1, face="insane")

        assert choice(table) == PlayCard("cthulhu", face="insane")


class TestTheShiningTrapezohedron:
    @pytest.mark.parametrize("other", ["professor_henry_armitage", "randolph_carter", "necronomicon", "cthulhu"])
    def test_wins_the_round_when_it_can(self, other):
        table = lovecraft(f"shining_trapezohedron {other}", "investigators", "elder_sign", discards=INSANE)

        assert choice(table) == PlayCard("shining_trapezohedron", face="insane")


class TestNamingANumber:
    def test_names_the_number_it_has_seen(self):
        table = having_looked("investigators", "elder_sign", "mi_go", "investigators")

        assert choice(table) == PlayCard("investigators", (1,), 5)

    def test_insane_deep_ones_hit_a_one_whatever_they_name(self):
        found = choices(having_looked_insane("deep_ones", "elder_sign", "investigators"))

        assert {(play.card, play.face) for play in found} == {("deep_ones", "insane")}
        assert len(found) == 8

    def test_insane_deep_ones_also_hit_the_number(self):
        found = choices(having_looked_insane("deep_ones", "elder_sign", "cats_of_ulthar", deck=f"{DECK} mi_go"))

        assert {(play.card, play.guess) for play in found} == {("deep_ones", 2)}


class TestInsanity:
    def test_is_not_sought(self):
        """Of two ways to protect oneself, that without an insanity card is taken."""
        assert choice(lovecraft("elder_sign liber_ivonis", "cats_of_ulthar", "elder_sign")) == PlayCard("elder_sign")

    def test_of_the_hound_knocks_out_the_sane_only(self):
        hound = PlayCard("hound_of_tindalos", (2,), face="insane")
        table = lovecraft("hound_of_tindalos cats_of_ulthar", "mi_go", "mi_go", discards={**INSANE, 1: "deep_ones"})

        assert choice(table) == hound

    def test_of_the_mead_draws_another_card(self):
        table = lovecraft("golden_mead cats_of_ulthar", "elder_sign", discards={0: "deep_ones"})

        assert {play.face for play in choices(table)} == {"insane"}

    def test_of_the_mead_only_looks_when_the_deck_is_empty(self):
        table = lovecraft("golden_mead silver_key", "elder_sign", deck="", discards={0: "deep_ones"})

        assert {play.card for play in choices(table)} == {"golden_mead"}

    def test_of_liber_ivonis_wins_where_equal_numbers_would_not(self):
        table = having_looked_insane("silver_key", "liber_ivonis", "shining_trapezohedron", deck="")

        assert choice(table) == PlayCard("liber_ivonis", face="insane")

    def test_of_the_published_liber_ivonis_makes_the_necronomicon_harmless(self):
        table = lovecraft(
            "liber_ivonis necronomicon", "elder_sign", options={"liber_ivonis": "published"}, discards=INSANE
        )
        assert choice(table) == PlayCard("liber_ivonis", face="insane")


class TestAReaderOfThePublishedLiberIvonis:
    def read(self, deck, *others):
        table = lovecraft(
            "liber_ivonis necronomicon", *others, deck=deck, options={"liber_ivonis": "published"}, discards=INSANE
        )
        table.play("liber_ivonis", face="insane")
        return table

    def test_stays_in_whatever_it_plays(self):
        table = self.read("silver_key elder_sign elder_sign cthulhu investigators investigators", "silver_key")
        table.play("silver_key")
        known = seen_by_the_seat_to_act(table)

        assert table.hand(0) == "necronomicon cthulhu"
        assert min(cautious.judge(known, rules.legal_actions(known))) > 0

    def test_is_not_worth_an_attack(self):
        table = self.read(f"great_race_of_yith {DECK}", "investigators", "elder_sign")

        assert {play.targets for play in choices(table) if play.card == "investigators"} == {(2,)}


class TestNyarlathotep:
    def test_hands_the_cards_out_rather_than_giving_the_own_away(self):
        table = lovecraft("nyarlathotep necronomicon", "investigators", "elder_sign", deck="", discards=INSANE)
        assert choice(table) == PlayCard("nyarlathotep", face="insane")

    def test_gives_the_highest_card_to_who_is_furthest_from_winning(self):
        table = lovecraft("nyarlathotep cats_of_ulthar", "elder_sign", "silver_key", discards=INSANE, tokens=[0, 0, 1])
        table.play("nyarlathotep", face="insane")

        assert choice(table) == GiveHands(((1, "silver_key"), (2, "elder_sign")))

    def test_chooses_among_the_hands_of_five(self):
        table = lovecraft(
            "nyarlathotep cats_of_ulthar",
            *["elder_sign", "silver_key", "necronomicon", "investigators", "mi_go"],
            discards=INSANE,
        )
        table.play("nyarlathotep", face="insane")

        assert len(table.legal()) == 120
        assert rules.refusal(table.state, 0, choices(table)[0]) is None
