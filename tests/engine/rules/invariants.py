"""What holds in every game, whoever plays how; playing the games belongs to `random_games` and `tools.soak`.

The cheap checks are for every state and every end. `closely` is for fewer games: it decides everything again, asks for
actions that are not legal, and keeps a view of every seat.
"""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from engine import rules
from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.events import (
    CardPlayed,
    GameFinished,
    GameStarted,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SeatTimedOut,
    SecretRevealed,
    TokenAwarded,
    TurnStarted,
    fold,
)
from engine.state import FINISHED, GameState
from engine.views import ALL, advance, view
from tests.engine.given import timed_out
from tests.engine.random_games import random_game

BESIDE_THE_DECK = "mi_go_braincase"
HELD_WHILE_ASKED = {"keep_card": (2, 3), "play_card": (2,)}
"""How many cards the seat holds whose turn it is while a decision is open; one where nothing is said."""


class Repeat:
    """Chance that deals what was dealt before."""

    def __init__(self, happened):
        self.deal = next((event for event in happened if isinstance(event, RoundStarted)), None)

    def order(self, cards, round_number):
        dealt = [card for card in self.deal.hands if card is not None]
        return [self.deal.set_aside, *self.deal.shown_aside, *dealt, *self.deal.deck]

    def starter(self, seats, round_number):
        assert self.deal.starter in seats, "a round begins with a seat that takes part in it"
        return self.deal.starter

    def answer(self, count, version):
        return 0


# --- cheap: every state, every end -------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def cards_of(deck):
    return sorted(deck)


def check_cards(state):
    """Checks that no card is lost, added or doubled."""
    cards = [*state.deck, *state.set_aside, *state.shown_aside, *state.in_play]
    for seat in state.seats:
        cards += seat.hand
        cards += seat.discards
    cards.sort()
    if BESIDE_THE_DECK in cards:
        assert cards.count(BESIDE_THE_DECK) == 1, "there is one Braincase"
        cards.remove(BESIDE_THE_DECK)
    assert cards == cards_of(state.book.deck), f"the cards are {cards}"


def check_seats(state):
    """Checks that a seat can act that may, and that everybody holds as many cards as they should."""
    acting = state.to_act
    assert acting is not None, "nobody must act"
    assert state.in_round >> acting & 1, "a seat must act that is out"
    assert rules.legal_actions(state), "the seat to act cannot"
    in_turn = (2,) if state.decision is None else HELD_WHILE_ASKED.get(state.decision.kind, (1,))
    for number, seat in enumerate(state.seats):
        if not state.in_round >> number & 1:
            assert seat.hand == [], "a seat that is out holds cards"
            assert not state.protected >> number & 1, "a seat that is out is protected"
            continue
        assert not seat.left, "a seat that has left is in the round"
        held = len(seat.hand)
        assert held in (in_turn if number == state.turn else (1,)), f"seat {number} holds {held} cards"
    assert state.bound is None or state.in_round >> state.bound & 1, "a seat is bound that is out"


def check_state(state):
    """Checks a state in which somebody must act."""
    check_cards(state)
    check_seats(state)


def check_end(state, log):
    """Checks a game that is over: it has winners, who have what it takes or are alone."""
    assert state.status == FINISHED, state.status
    assert isinstance(log[-2], GameFinished), log[-2]
    assert isinstance(log[-1], SecretRevealed), log[-1]
    assert rules.legal_actions(state) == (), "somebody can act after the end"
    assert state.to_act is None, "somebody must act after the end"
    assert state.winners, "nobody has won"
    assert not any(state.seats[seat].left for seat in state.winners), "a seat has won that has left"
    check_cards(state)
    check_winners(state, log)
    check_tokens(state, log)


def check_winners(state, log):
    """Checks that exactly those have won who have the tokens, but for the last one left and who Cthulhu helps."""
    in_game = tuple(number for number, seat in enumerate(state.seats) if not seat.left)
    if len(in_game) == 1:
        assert state.winners == in_game, "the last seat in the game has not won"
        return
    book = state.book
    rich = tuple(number for number in in_game if book.tokens_to_win <= state.seats[number].tokens)
    if book.edition.id in ("standard", "classic"):
        assert state.winners == rich, f"{rich} have the tokens, {state.winners} have won"
    elif book.edition.id == "premium":
        (winner,) = state.winners
        assert winner in rich, f"{rich} have the tokens, {winner} has won"
    else:
        (winner,) = state.winners
        seat = state.seats[winner]
        enough = seat.insane_tokens >= 3 or seat.tokens - seat.insane_tokens >= 2
        last = next(event for event in reversed(log) if isinstance(event, CardPlayed))
        assert enough or (last.seat, last.card, last.face) == (winner, "cthulhu", "insane"), "not enough tokens"


def check_tokens(state, log):
    """Checks that tokens are only gained and always said, and none after a seat has left."""
    awarded, left = Counter(), set()
    for event in log:
        if isinstance(event, TokenAwarded):
            awarded[event.seat] += 1
            assert event.seat not in left, "a seat gains a token that has left"
        elif isinstance(event, SeatLeft):
            assert event.seat not in left, "a seat leaves twice"
            left.add(event.seat)
    assert [seat.tokens for seat in state.seats] == [awarded[seat] for seat in range(len(state.seats))]


def check_rounds(log):
    """Checks that turns go round in order, and rounds are numbered and begin with one who may begin."""
    deals = [event for event in log if isinstance(event, RoundStarted)]
    assert [deal.number for deal in deals] == list(range(1, len(deals) + 1))
    for deal in deals:
        assert deal.starter in deal.seats, "a round begins with a seat that takes part in it"
        assert not set(deal.seats) & set(deal.left), "a seat is dealt in that has left"
    for event, after in pairwise(log):
        if isinstance(event, RoundStarted):
            assert after == TurnStarted(event.starter), "the starter does not begin"
    ended = None
    for event in log:
        if isinstance(event, RoundEnded):
            ended = event
        elif isinstance(event, RoundStarted) and ended is not None:
            able = set(ended.winners) & set(event.seats)
            assert not able or event.starter in able, "a winner of the last round begins, if one takes part"


def cheaply(edition, seats, seed, **kind):
    """Plays a game with the cheap checks; returns its last state and its log."""
    state, log = random_game(edition, seats, seed, look=check_state, **kind)
    check_end(state, log)
    check_rounds(log)
    return state, log


# --- expensive: some games ---------------------------------------------------------------------------------------


def closely(edition, seats, seed, **kind):
    """Plays a game with all checks; returns its last state and its log."""
    _, log = cheaply(edition, seats, seed, **kind)
    check_folding(log)
    check_folding_from_the_newest_round(log)
    views = Views(log, seats)

    def watch(state, seat, action, happened):
        check_deciding(state, seat, action, happened)
        views.check(state, seat)
        if state.decision is not None or state.version % 3 == 0:  # a third of the plays is enough
            check_refusals(state, seat, action)

    state, watched = random_game(edition, seats, seed, watch=watch, **kind)
    assert watched == log, "the game is another one when it is watched"
    assert state == rules.fold_log(log), "the folded log is not the state"
    return state, log


def check_deciding(state, seat, action, happened):
    """Checks that deciding changes nothing, and that playing in place and folding say the same."""
    before = state.copy()
    take = timed_out if isinstance(happened[0], SeatTimedOut) else rules.decide
    assert take(state, seat, action, Repeat(happened)) == happened
    decided = rules.decide(state, seat, action, Repeat(happened))
    assert before == state, "deciding has changed the state"
    played = state.copy()
    assert rules.play(played, action, Repeat(happened)) == decided
    assert played == fold(state.copy(), decided), "playing in place is not folding what was decided"


def check_folding(log):
    """Checks that folding counts the events, and that who sees everything has the state."""
    folded = rules.fold_log(log)
    assert folded.version == len(log)
    assert view(log, ALL) == folded


def check_folding_from_the_newest_round(log):
    """Checks that what happened before a round need not be folded."""
    started = next(event for event in log if isinstance(event, GameStarted))
    rounds = [i for i, event in enumerate(log) if isinstance(event, RoundStarted)]
    whole = rules.fold_log(log[: rounds[0]])
    for start, end in zip(rounds, [*rounds[1:], len(log)], strict=True):
        fold(whole, log[start:end])
        short = fold(rules.begin(log[0]), [started])
        short.version = start
        assert fold(short, log[start:end]) == whole


class Views:
    """The view of every seat, which follows the log of a game that is played again."""

    def __init__(self, log, seats):
        self.log = log
        self.states = [view(log[:1], seat) for seat in range(seats)]

    def check(self, state, seat):
        """Checks that the seat that must act finds its actions in its own view."""
        for viewer, seen in enumerate(self.states):
            advance(seen, self.log[seen.version : state.version], viewer)
        legal = rules.legal_actions(state)
        assert rules.legal_actions(self.states[seat]) == legal, "the seat's view offers other actions"
        for action in legal:
            assert rules.refusal(self.states[seat], seat, action) is None, action


def check_refusals(state, seat, action):
    """Checks that an action is legal exactly if it is listed, over changed actions and for every seat."""
    legal = rules.legal_actions(state)
    listed = set(legal)
    assert len(listed) == len(legal), "an action is listed twice"
    for candidate in (*legal, *changed(state, action)):
        expected = candidate in listed
        assert (rules.refusal(state, seat, candidate) is None) == expected, candidate
        assert (rules.refusal(state, seat, candidate) is None) is expected, candidate
    for other in range(-1, len(state.seats) + 1):
        assert (rules.refusal(state, other, action) is None) == (other == seat), other


def changed(state: GameState, action):
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
