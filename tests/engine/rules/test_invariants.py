"""The invariants of random play fail where one is broken: each is shown a game that somebody has tampered with."""

from dataclasses import replace

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.events import CardDrawn, KnockedOut, RoundStarted, TokenAwarded, fold
from engine.options import legal_actions
from tests.engine.given import given
from tests.engine.random_games import random_game
from tests.engine.rules import invariants


def position(edition="premium", seats=5):
    """Returns a position of a game, half way through."""
    found = []
    random_game(edition, seats, 1, look=lambda state: found.append(state.copy()))
    return found[len(found) // 2]


def lose_a_card(state):
    state.deck.pop()


def double_a_card(state):
    state.seats[state.turn].discards.append("guard")


def exchange_a_card(state):
    state.seats[state.turn].hand[0] = "joker"


def bring_two_braincases(state):
    state.seats[0].discards += ["mi_go_braincase", "mi_go_braincase"]


@pytest.mark.parametrize("tamper", [lose_a_card, double_a_card, exchange_a_card, bring_two_braincases])
def test_cards_are_counted(tamper):
    state = position()
    invariants.check_cards(state)
    tamper(state)
    with pytest.raises(AssertionError):
        invariants.check_cards(state)


def hold_three(state):
    state.seats[state.turn].hand.append("guard")


def hold_two_in_anothers_turn(state):
    other = next(seat for seat in state.alive() if seat != state.turn)
    state.seats[other].hand.append("guard")


def hold_a_card_beside_the_round(state):
    state.in_round &= ~(1 << next(seat for seat in state.alive() if seat != state.turn))


def have_left_in_the_round(state):
    state.seats[state.alive()[-1]].left = True


def act_when_out(state):
    state.in_round &= ~(1 << state.turn)


def have_nothing_to_play(state):
    state.seats[state.turn].hand = []


def bind_a_seat_that_is_out(state):
    other = next(seat for seat in state.alive() if seat != state.turn)
    state.in_round &= ~(1 << other)
    state.seats[other].hand = []
    state.bound = other


def protect_a_seat_that_is_out(state):
    bind_a_seat_that_is_out(state)
    state.protected, state.bound = 1 << state.bound, None


@pytest.mark.parametrize(
    "tamper",
    [
        hold_three,
        hold_two_in_anothers_turn,
        hold_a_card_beside_the_round,
        have_left_in_the_round,
        act_when_out,
        have_nothing_to_play,
        bind_a_seat_that_is_out,
        protect_a_seat_that_is_out,
    ],
)
def test_seats_are_looked_at(tamper):
    state = position()
    invariants.check_seats(state)
    tamper(state)
    with pytest.raises(AssertionError):
        invariants.check_seats(state)


def win_nothing(state, log):
    state.winners = ()


def win_for_another(state, log):
    state.winners = ((state.winners[0] + 1) % len(state.seats),)


def win_and_leave(state, log):
    state.seats[state.winners[0]].left = True


def say_nothing_of_a_token(state, log):
    log.remove(next(event for event in log if isinstance(event, TokenAwarded)))


def keep_the_secret(state, log):
    log.pop()


def end_otherwise(state, log):
    log.insert(-1, CardDrawn(0, "guard", "deck"))


def go_on(state, log):
    state.status = "active"


@pytest.mark.parametrize(
    "tamper",
    [win_nothing, win_for_another, win_and_leave, say_nothing_of_a_token, keep_the_secret, end_otherwise, go_on],
)
@pytest.mark.parametrize(("edition", "seats"), [("standard", 3), ("premium", 5), ("lovecraft", 4)])
def test_ends_are_looked_at(edition, seats, tamper):
    state, log = random_game(edition, seats, 1)
    invariants.check_end(state, log)
    tamper(state, log)
    with pytest.raises((AssertionError, ValueError)):
        invariants.check_end(state, log)


def test_the_last_seat_in_the_game_must_win():
    state, log = next(
        (state, log)
        for state, log in (random_game("standard", 2, seed, leaving=0.1) for seed in range(50))
        if any(seat.left for seat in state.seats)
    )
    invariants.check_winners(state, log)
    state.winners = (1 - state.winners[0],)
    with pytest.raises(AssertionError):
        invariants.check_winners(state, log)


@pytest.mark.parametrize("field", ["number", "starter", "seats"])
def test_rounds_are_looked_at(field):
    _, log = random_game("standard", 3, 1)
    invariants.check_rounds(log)
    at = [i for i, event in enumerate(log) if isinstance(event, RoundStarted)][1]
    other = {"number": 7, "starter": (log[at].starter + 1) % 3, "seats": ()}[field]
    log[at] = replace(log[at], **{field: other})
    with pytest.raises(AssertionError):
        invariants.check_rounds(log)


def test_a_rule_that_offers_what_it_refuses_is_found(monkeypatch):
    monkeypatch.setattr(rules, "legal_actions", lambda state: [*legal_actions(state), PlayCard("joker")])
    table = given(hands=["guard king", "priest"], deck="spy")
    with pytest.raises(AssertionError, match="joker"):
        invariants.check_refusals(table.state, 0, table.legal()[0])


def test_a_rule_that_offers_less_than_it_allows_is_found(monkeypatch):
    monkeypatch.setattr(rules, "legal_actions", lambda state: legal_actions(state)[:-1])
    table = given(hands=["king priest", "priest"], deck="spy")
    with pytest.raises(AssertionError):
        invariants.check_refusals(table.state, 0, table.legal()[0])


def test_a_rule_that_changes_what_it_is_given_is_found(monkeypatch):
    table = given(hands=["priest king", "guard", "baron"], deck="spy spy")
    action = PlayCard("priest", (1,))
    happened = rules.decide(table.state, 0, action, table.chance)
    invariants.check_deciding(table.state, 0, action, happened)
    decide = rules.decide

    def careless(state, seat, action, chance):
        decided = decide(state, seat, action, chance)
        state.protected = 1
        return decided

    monkeypatch.setattr(rules, "decide", careless)
    with pytest.raises(AssertionError, match="changed"):
        invariants.check_deciding(table.state, 0, action, happened)


def test_a_view_that_offers_something_else_is_found():
    table = given(hands=["priest king", "guard", "baron"], deck="spy spy")
    invariants.Views(table.log, 3).check(table.state, 0)
    views = invariants.Views(table.log, 3)
    views.states[0].protected = 0b111
    views.log = [*views.log[:-1], KnockedOut(1, ("guard",))]
    with pytest.raises(AssertionError, match="other actions"):
        views.check(table.state, 0)


def test_a_round_that_does_not_begin_anew_is_found(monkeypatch):
    _, log = random_game("standard", 3, 1)
    invariants.check_folding_from_the_newest_round(log)

    def forgetful(state, events):
        lying = [seat.discards for seat in state.seats]
        fold(state, events)
        for seat, cards in zip(state.seats, lying, strict=True):
            seat.discards = [*cards, *seat.discards]
        return state

    monkeypatch.setattr(invariants, "fold", forgetful)
    with pytest.raises(AssertionError):
        invariants.check_folding_from_the_newest_round(log)
