"""Positions that no game need ever reach: hands, piles, protections and marks as one likes, put straight into a state.

No card is there more often than the deck has it, the seat whose turn it is is in the round and unprotected, and
somebody else is in the round too: nothing else is taken for granted.
"""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product

from engine import rules
from engine.events import DecisionOpened
from engine.state import ACTIVE, GameState
from tests.engine.given import created
from tests.second_model.model.cards import INSANITY_CARDS, cards_of
from tests.second_model.model.questions import QUESTIONS

TELLING = ("countess", "king", "prince")
TELLING_OF_LOVECRAFT = ("silver_key", "shining_trapezohedron")
"""Cards that matter when they are together, so that they are drawn more often than chance would."""


def arbitrary_position(
    edition: str, seats: int, options: dict[str, str], generator: random.Random, telling: Iterable[str] = ()
) -> GameState:
    """Returns a game somewhere in a round, in the middle of a turn or before a question.

    Each of the `telling` cards is often in the hand of the seat whose turn it is.
    """
    together = TELLING_OF_LOVECRAFT if edition == "lovecraft" else TELLING
    state = _empty(edition, seats, options, generator.randrange(seats))
    pool = _cards(state)
    generator.shuffle(pool)
    for card in telling or together:
        if generator.random() < 0.25:
            pool.remove(card)
            pool.append(card)
    others = [seat for seat in range(seats) if seat != state.turn]
    alive = [state.turn, *generator.sample(others, generator.randint(1, len(others)))]
    state.in_round = _mask(alive)
    state.protected = _mask(seat for seat in alive if seat != state.turn and generator.random() < 0.4)
    for seat in [state.turn, *alive]:
        state.seats[seat].hand.append(pool.pop())
    for seat in state.seats:
        seat.tokens = generator.randrange(state.book.tokens_to_win)
        seat.discards = [pool.pop() for _ in range(min(generator.randrange(5), len(pool)))]
        if generator.random() < 0.4:
            seat.discards = [card for card in seat.discards if card not in INSANITY_CARDS]
    if edition == "premium" and generator.random() < 0.1:
        # A tie-break round: those in it have what it takes to win.
        for seat in alive:
            state.seats[seat].tokens = state.book.tokens_to_win
    state.scores = tuple(seat.tokens for seat in state.seats)
    state.set_aside = [pool.pop() if pool else together[0]]
    state.deck = pool[: generator.choice((0, 1, 2, 20))]
    asking = [card for known, card in QUESTIONS if known == edition and card in state.book.cards]
    if asking and generator.random() < 0.3:
        _ask(state, generator.choice(asking), generator)
    elif "sycophant" in state.book.cards and generator.random() < 0.7:
        # The marked seat may be out of the round here, which no game comes to.
        state.bound = generator.choice([seat for seat in range(seats) if not state.is_protected(seat)])
    return state


def eventful_position(
    edition: str, seats: int, options: dict[str, str], generator: random.Random, telling: Iterable[str] = ()
) -> GameState:
    """Returns an arbitrary position in which much may follow: tokens nearly enough, seats that are marked.

    In some all others are protected. One in ten is before a showdown of equal hands; cards may then be there more often
    than the deck has them.
    """
    state = arbitrary_position(edition, seats, options, generator, telling)
    state.starter = generator.randrange(seats)
    target = state.book.tokens_to_win
    is_tie_break = max(state.scores) >= target
    for number, seat in enumerate(state.seats):
        if edition == "lovecraft":
            seat.insane_tokens = generator.randrange(3)
            seat.tokens = seat.insane_tokens + generator.randrange(2)
            if "liber_ivonis" in seat.discards:
                state.marks["liber_ivonis"] = (number, number)
        elif generator.random() < 0.4 and not is_tie_break:
            seat.tokens = target - 1
        if "jester" in seat.discards:
            state.marks["jester"] = (number, generator.choice([other for other in range(seats) if other != number]))
    if state.decision is None:
        chosen = generator.random()
        if chosen < 0.1:
            _even_out(state, generator)
        elif chosen < 0.25:
            state.bound = None
            state.protected = state.in_round & ~(1 << state.turn)
    state.scores = tuple(seat.tokens for seat in state.seats)
    return state


def _even_out(state: GameState, generator: random.Random) -> None:
    """Gives those in the round equal hands, and what else it takes that several win if a card is played that protects.

    Some have one number less, so that not always all of them win. In `premium` half of the rounds are tie-breaks.
    """
    if state.book.edition.id == "lovecraft":
        high, low, protects = "great_race_of_yith", "cats_of_ulthar", "elder_sign"
    else:
        high, low, protects = "baron", "priest", "handmaid"
    is_tie_break = state.book.edition.id == "premium" and generator.random() < 0.5
    for number in state.alive():
        seat = state.seats[number]
        if is_tie_break:
            seat.tokens = state.book.tokens_to_win
        seat.hand = [high if generator.random() < 0.7 else low]
        seat.discards = [protects]
    state.seats[state.turn].hand.append(protects)
    state.seats[state.turn].discards = []
    state.deck = []
    state.bound = None


def every_hand(edition: str, seats: int) -> Iterator[GameState]:
    """Yields every hand of two cards, with everything around it that could matter for what may be played."""
    first = _empty(edition, seats, {}, 0)
    pool = _cards(first)
    pairs = [pair for pair in combinations_with_replacement(cards_of(edition, seats), 2) if _held(pair, pool)]
    protections = (0, 0b10, _mask(range(1, seats)))
    # The seat itself, one like all others, and the one that may be out.
    bounds = (None, 0, seats // 2, seats - 1) if "sycophant" in first.book.cards else (None,)
    piles = ([], ["deep_ones"]) if edition == "lovecraft" else ([],)
    outs = (0, 1 << (seats - 1)) if seats > 2 else (0,)
    for pair, protected, bound, pile, out in product(pairs, protections, bounds, piles, outs):
        state = first.copy()
        state.seats[0].hand = list(pair)
        state.seats[0].discards = list(pile)
        state.in_round = _mask(range(seats)) & ~out
        state.protected = protected & ~out
        if bound is None or not state.is_protected(bound):
            state.bound = bound
            yield state


def _empty(edition: str, seats: int, options: dict[str, str], turn: int) -> GameState:
    state = rules.begin(created(edition, seats, options))
    state.status = ACTIVE
    state.round_number = 1
    state.turn = turn
    for number, seat in enumerate(state.seats):
        seat.player = f"player {number}"
    return state


def _cards(state: GameState) -> list[str]:
    """Returns the deck and the card beside it."""
    return [*state.book.deck, *(card for card in state.book.cards if card not in state.book.deck)]


def _held(pair: tuple[str, str], pool: list[str]) -> bool:
    return pair[0] != pair[1] or pool.count(pair[0]) > 1


def _mask(seats) -> int:
    return sum(1 << seat for seat in seats)


def _ask(state: GameState, card: str, generator: random.Random) -> None:
    """Puts the question of a card to a seat that may have to answer it."""
    kind = QUESTIONS[state.book.edition.id, card]
    seat, about = state.turn, ()
    hand, alive = state.seats[seat].hand, state.alive()
    others = [other for other in alive if other != seat]
    if kind == "keep_card":
        hand += state.deck[: generator.randrange(2)]
    elif kind != "play_card":
        hand.pop()
    if kind == "redraw_hand":
        seat = generator.choice(others)
    elif kind == "peek_hand":
        about = tuple(sorted(generator.sample(alive, 2)))
    elif kind == "give_hands":
        about = tuple(sorted(generator.sample(others, generator.randint(1, len(others)))))
    state.decision = DecisionOpened(seat, card, kind, about)
    if state.book.into_play:
        state.in_play = [card]
    leaving = [other for other in about if other != seat]
    if leaving and len(alive) > 2 and generator.random() < 0.3:
        _leave(state, leaving[0])


def _leave(state: GameState, seat: int) -> None:
    """Takes a seat out of the round that a question is about, as if it had left the game."""
    state.in_round &= ~(1 << seat)
    state.seats[seat].left = True
    state.seats[seat].discards += state.seats[seat].hand
    state.seats[seat].hand = []
