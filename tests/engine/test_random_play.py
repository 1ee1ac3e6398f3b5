"""What holds in every game, whoever plays how: shown over random games of every edition and table."""

from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest

from engine import options, rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.events import GameFinished, GameStarted, RoundStarted, SeatTimedOut, SecretRevealed, TokenAwarded, fold
from engine.state import ACTIVE, FINISHED
from engine.views import ALL, view
from tests.engine.given import same
from tests.engine.random_games import TABLES, random_game

EVERYWHERE = pytest.mark.parametrize(("edition", "seats"), TABLES)
GAMES = 4


def games(edition, seats, **options):
    for seed in range(GAMES):
        yield random_game(edition, seats, seed, leaving=0.02 * (seed % 2), **options)


@EVERYWHERE
def test_a_game_ends_with_a_winner_that_has_the_tokens_or_is_alone(edition, seats):
    for state, log in games(edition, seats):
        assert state.status == FINISHED
        assert isinstance(log[-2], GameFinished)
        assert isinstance(log[-1], SecretRevealed)
        assert state.winners
        assert not any(state.seats[seat].left for seat in state.winners)


@EVERYWHERE
def test_no_card_is_lost_or_added(edition, seats):
    def watch(state, seat, action, happened):
        after = fold(state.copy(), happened)
        places = [after.deck, after.set_aside, after.shown_aside, after.in_play]
        places += [chain(seat.hand, seat.discards) for seat in after.seats]
        cards = Counter(chain(*places))
        del cards["mi_go_braincase"]  # comes from beside the deck
        assert cards == Counter(after.book.deck)

    for _ in games(edition, seats, watch=watch):
        pass


@EVERYWHERE
def test_somebody_can_always_act_and_holds_enough_cards(edition, seats):
    def watch(state, seat, action, happened):
        assert rules.legal_actions(state)
        assert state.is_in_round(seat)
        for number, other in enumerate(state.seats):
            assert not (other.left and state.is_in_round(number))
            if not state.is_in_round(number):
                assert other.hand == []
            elif number != state.turn:
                assert len(other.hand) == 1

    for _ in games(edition, seats, watch=watch):
        pass


@EVERYWHERE
def test_decide_leaves_its_state_alone_and_play_says_the_same(edition, seats):
    def watch(state, seat, action, happened):
        before = state.copy()
        decided = rules.decide(state, seat, action, Repeat(happened))
        assert same(before, state)
        assert decided == [event for event in happened if not isinstance(event, SeatTimedOut)]
        played = state.copy()
        assert rules.play(played, action, Repeat(happened)) == decided
        assert same(played, fold(state.copy(), decided))

    for _ in games(edition, seats, watch=watch):
        pass


class Repeat:
    """Chance that deals what was dealt before."""

    def __init__(self, happened):
        self.deal = next((event for event in happened if isinstance(event, RoundStarted)), None)

    def order(self, cards, round_number):
        dealt = [card for card in self.deal.hands if card is not None]
        return [self.deal.set_aside, *self.deal.shown_aside, *dealt, *self.deal.deck]

    def starter(self, seats, round_number):
        assert self.deal.starter in seats
        return self.deal.starter

    def answer(self, count, version):
        return 0


@EVERYWHERE
def test_folding_the_log_gives_the_state(edition, seats):
    for state, log in games(edition, seats):
        folded = rules.fold_log(log)
        assert same(folded, state)
        assert folded.version == len(log)
        assert same(view(log, ALL), state)


@EVERYWHERE
def test_folding_from_the_newest_round_gives_the_state(edition, seats):
    for _, log in games(edition, seats):
        started = next(event for event in log if isinstance(event, GameStarted))
        rounds = [i for i, event in enumerate(log) if isinstance(event, RoundStarted)]
        for start, end in zip(rounds, [*rounds[1:], len(log)], strict=True):
            short = fold(rules.begin(log[0]), [started])
            short.version = start
            assert same(fold(short, log[start:end]), rules.fold_log(log[:end]))


@EVERYWHERE
def test_a_seat_that_must_act_finds_its_actions_in_its_own_view(edition, seats):
    def watch(state, seat, action, happened):
        seen = view(game[: state.version], seat)
        assert rules.legal_actions(seen) == rules.legal_actions(state)
        for candidate in rules.legal_actions(state):
            assert rules.refusal(seen, seat, candidate) is None

    for seed in range(2):
        _, game = random_game(edition, seats, seed, leaving=0.02 * seed)
        _, again = random_game(edition, seats, seed, leaving=0.02 * seed, watch=watch)
        assert again == game


@EVERYWHERE
def test_an_action_is_legal_exactly_if_it_is_listed(edition, seats):
    def watch(state, seat, action, happened):
        legal = rules.legal_actions(state)
        assert len(set(legal)) == len(legal)
        if state.version % 3 and not state.decision:
            return  # a third of the plays is enough, and every decision
        for candidate in mutations(state, action):
            listed = candidate in legal
            assert rules.is_legal(state, seat, candidate) is listed
            assert (rules.refusal(state, seat, candidate) is None) is listed
        for other in range(-1, seats + 1):
            assert rules.is_legal(state, other, action) is (other == seat)

    for seed in range(2):
        random_game(edition, seats, seed, watch=watch)


def mutations(state, action):
    """Returns actions that differ from a legal one in one field, and one of each other kind."""
    seats = range(-1, len(state.seats) + 1)
    found = [RedrawHand(True), RedrawHand(False), PeekHand(), *(PeekHand(seat) for seat in seats)]
    cards = [*state.book.cards, "joker"]
    if isinstance(action, PlayCard):
        found += [replace(action, card=card) for card in cards]
        found += [replace(action, targets=targets) for targets in [(), *((seat,) for seat in seats)]]
        found += [replace(action, targets=(one, two)) for one in seats for two in seats]
        found += [replace(action, guess=guess) for guess in [*cards, None, *range(-1, 11)]]
        found += [replace(action, face=face) for face in (None, "sane", "insane")]
        found += [replace(action, targets=(), guess=None), replace(action, targets=(0, 1, 2))]
    else:
        found += [PlayCard(card) for card in cards]
    if isinstance(action, KeepCard):
        found += [replace(action, keep=card) for card in cards]
        found += [replace(action, bottom=bottom) for bottom in [(), action.bottom[:1], action.bottom[::-1]]]
    if isinstance(action, GiveHands):
        found += [GiveHands(()), GiveHands(action.hands[::-1]), GiveHands(((0, "joker"),))]
    return found


def test_forgetting_the_plays_of_other_hands_changes_nothing(monkeypatch):
    state, game = random_game("standard", 3, 1)
    monkeypatch.setattr(options, "MOST_REMEMBERED", 3)
    state.book.plays_of_hands.clear()
    state.book.plays_of_cards.clear()
    state, again = random_game("standard", 3, 1)

    assert again == game
    assert len(state.book.plays_of_hands) <= 3
    assert len(state.book.plays_of_cards) <= 3


@EVERYWHERE
def test_tokens_are_only_gained_and_always_said(edition, seats):
    for state, log in games(edition, seats):
        awarded = Counter(event.seat for event in log if isinstance(event, TokenAwarded))
        assert [seat.tokens for seat in state.seats] == [awarded[seat] for seat in range(seats)]


@EVERYWHERE
def test_a_game_over_has_no_actions(edition, seats):
    for state, log in games(edition, seats):
        assert rules.legal_actions(state) == []
        assert state.to_act is None
        for end in range(len(log)):
            if (folded := rules.fold_log(log[: end + 1])).status != ACTIVE:
                assert rules.legal_actions(folded) == []
        break
