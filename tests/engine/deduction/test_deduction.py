"""What can be known of hidden cards is what counting by brute force says."""

import random
from collections import Counter

import pytest

from engine.actions import GiveHands
from engine.deduction import deduce
from engine.editions import rulebook
from engine.events import CardPlayed, RoundStarted
from engine.views import ALL, WATCHER, redact_log
from tests.engine.deduction.brute_force import count, random_course
from tests.engine.editions.lovecraft_tables import ARMITAGE, CATS, DEEP_ONES, HOUND, NYARLATHOTEP, SIGN, lovecraft
from tests.engine.given import given
from tests.engine.random_games import TABLES, of_all_kinds


def chances(places):
    return {(place, card): chance for place, found in enumerate(places) for card, chance in found.items()}


def shares(counts, total):
    return pytest.approx({key: number / total for key, number in counts.items()}, abs=1e-9)


def compare(edition, seats, seed, hidden):
    """Compares what one viewer of a random position can know with all that may have happened."""
    opening, steps = random_course(edition, seats, seed, hidden)
    book = rulebook(edition, seats, of_all_kinds(edition, seed)["options"])
    viewer = random.Random(seed).choice([WATCHER, *range(seats)])
    events = redact_log([*opening, *[event for _, happened in steps for event in happened]], viewer)
    found = deduce(book, events, viewer)
    ways = count(book, opening, steps, viewer)
    total = sum(ways.values())
    assert total, "what happened is one of the ways"

    hands, aside, deck = Counter(), Counter(), Counter()
    for (held, lying, apart), number in ways.items():
        hands.update({(seat, card): number for seat, hand in enumerate(held) for card in {*hand}})
        deck.update(dict.fromkeys(enumerate(lying), number))
        aside.update(dict.fromkeys(apart, number))
    assert chances(found.hands) == shares(hands, total)
    assert {("aside", card): chance for card, chance in found.set_aside.items()} == shares(
        {("aside", card): number for card, number in aside.items()}, total
    )
    assert chances([run.chances for run in found.deck for _ in range(run.places)]) == shares(deck, total)
    for fact in found.certain:
        assert hands[fact.seat, fact.card] == (total if fact.held else 0), fact
    return len(ways)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_chances_are_those_of_brute_force(edition, seats):
    ways = [compare(edition, seats, seed, hidden=6 if seed else 7) for seed in range(6)]
    assert max(ways) > 1, "something is hidden"


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_chances_are_those_of_brute_force_in_many_positions(edition, seats):
    for seed in range(100):
        compare(edition, seats, seed, hidden=7)


def known(table, viewer, **more):
    first = next(place for place, event in enumerate(table.log) if isinstance(event, RoundStarted))
    return deduce(table.state.book, redact_log(table.log[first:], viewer), viewer, **more)


def facts(table, viewer):
    return {(fact.seat, fact.card, fact.held) for fact in known(table, viewer).certain}


def test_deals_of_a_new_round_are_counted_but_for_the_order_of_the_deck():
    table = given(hands=["guard spy", "king", "baron"], deck="guard priest")

    assert known(table, 0).deals == 19 * 18 * 17  # two hands, and the card set aside
    assert known(table, 0).hands[1]["guard"] == pytest.approx(5 / 19)
    assert [run.places for run in known(table, 0).deck] == [len(table.state.deck)]
    assert known(table, 0).error == 0


def test_a_wrong_guess_rules_a_card_out_and_shows_it():
    table = given(hands=["guard spy", "king", "baron"], deck="guard priest")
    table.play("guard", 2, names="princess")
    found = known(table, 1)

    assert "princess" not in found.hands[2]
    (fact,) = [one for one in found.certain if one.seat == 2]
    assert (fact.card, fact.held) == ("princess", False)
    first = next(place for place, event in enumerate(table.log) if isinstance(event, RoundStarted))
    assert isinstance(table.log[first + fact.event], CardPlayed)


def test_before_a_guess_has_had_its_effect_nothing_is_known():
    table = given(hands=["guard spy", "king", "baron"], deck="guard priest")
    table.play("guard", 2, names="princess")
    first = next(place for place, event in enumerate(table.log) if isinstance(event, RoundStarted))
    played = next(place for place, event in enumerate(table.log) if isinstance(event, CardPlayed))

    assert "princess" in deduce(table.state.book, redact_log(table.log[first : played + 1], 1), 1).hands[2]


def test_a_hand_that_was_shown_is_certain_until_it_may_have_been_played():
    table = given(hands=["priest spy", "king", "baron"], deck="guard guard priest countess")
    table.play("priest", 2)

    assert (2, "baron", True) in facts(table, 0)
    assert known(table, 0).hands[2] == {"baron": 1.0}
    assert (2, "baron", True) not in facts(table, 1)
    table.play("guard", 0, names="countess")
    table.play("guard", 0, names="countess")
    assert known(table, 0).hands[2] == {"baron": 1.0}


def test_whoever_sees_everything_is_certain_of_everything():
    table = given(hands=["priest spy", "king", "baron"], deck="guard guard priest countess")

    assert facts(table, ALL) >= {(0, "priest", True), (0, "spy", True), (1, "king", True), (2, "baron", True)}
    assert known(table, ALL).deals == 1


def test_where_there_are_too_many_layouts_some_are_drawn_and_the_error_is_said():
    table = given(hands=["guard spy", "king", "baron"], deck="guard guard priest handmaid")
    table.play("guard", 2, names="priest")
    table.play("guard", 2, names="princess")
    table.play("guard", 0, names="priest")
    drawn = known(table, 1, most=1)

    assert known(table, 1).error == 0
    assert drawn.deals is None
    assert 0 < drawn.error <= 0.5
    assert drawn == known(table, 1, most=1)


def test_a_card_of_which_no_copy_is_left_was_not_kept():
    table = given(hands=["priest", "king", "baron priest"], deck="guard guard spy spy", turn=2)
    table.play("priest", 0)
    assert known(table, 2).hands[0]["priest"] == 1
    table.play("priest", 1)

    assert "priest" not in known(table, 2).hands[0]
    assert sum(known(table, 2).hands[0].values()) == pytest.approx(1)


def test_a_wrong_guess_rules_out_that_a_copy_was_drawn_beside_the_card_that_was_played():
    table = given(hands=["spy", "guard priest", "king"], deck="handmaid baron guard princess", set_aside="spy", turn=1)
    table.play("priest", 0)
    table.play("handmaid")
    table.play("spy")
    assert 0 < known(table, 1).hands[0]["spy"] < 1
    table.play("guard", 0, names="spy")

    assert "spy" not in known(table, 1).hands[0]
    assert (0, "spy", False) in facts(table, 1)


def test_three_hands_are_not_among_two_cards():
    lying = "guard guard guard spy priest priest baron baron handmaid handmaid chancellor chancellor"
    hands = ["spy", "guard king", "countess", "princess"]
    table = given(hands=hands, deck="guard guard prince", set_aside="prince", discards={3: lying}, turn=1)
    for target in range(3):
        table.play("guard", target, names="prince")
    table.play("spy")
    first = next(place for place, event in enumerate(table.log) if isinstance(event, RoundStarted))
    played = max(place for place, event in enumerate(table.log) if isinstance(event, CardPlayed))
    found = deduce(table.state.book, redact_log(table.log[first : played + 1], 3), 3)

    assert found.hands[0] == {"prince": 1.0}, "had it kept what was no Prince, nobody would hold the second"
    assert found.hands[1] == found.hands[2] == {"king": 0.5, "countess": 0.5}
    assert found.set_aside == {"prince": 1.0}


def test_hands_that_were_given_are_known_to_who_gave_them_and_their_order_to_nobody_else():
    table = lovecraft((NYARLATHOTEP, SIGN), CATS, HOUND, ARMITAGE, discards={0: DEEP_ONES})
    table.play(NYARLATHOTEP, face="insane")
    assert known(table, 1).hands[1] == {CATS: 1.0}
    table.act(GiveHands(((1, HOUND), (2, ARMITAGE), (3, CATS))))

    assert known(table, 0).hands[1][HOUND] == known(table, 0).hands[2][ARMITAGE] == known(table, 0).hands[3][CATS] == 1
    _, own, one, other = known(table, 1).hands
    assert own[HOUND] == 1
    assert one == pytest.approx(other)
    assert one[CATS] > 0.5, "one of the two holds what seat 1 held"
    _, _, one, other = known(table, WATCHER).hands
    assert one == pytest.approx(other)


def test_two_rounds_that_look_alike_give_the_same_answer():
    rounds = [given(hands=["guard spy", "king", other], deck="guard priest") for other in ("baron", "handmaid")]

    assert known(rounds[0], 0) == known(rounds[1], 0)
    assert known(rounds[0], 1) == known(rounds[1], 1)
