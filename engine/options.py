"""Which actions are legal: every play a hand offers and every answer to an open decision; refusals live elsewhere.

All of it is computed from what the seat itself knows, so a view's state gives the same list as the full state.
"""

from itertools import combinations, permutations

from engine.actions import Action, GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.cards import Card, Face, Targets
from engine.decisions import GIVE_HANDS, KEEP_CARD, PEEK_HAND, PLAY_CARD, REDRAW_HAND, Decision
from engine.rulebook import Rulebook
from engine.state import ACTIVE, GameState


def legal_actions(state: GameState) -> list[Action]:
    """Returns all legal actions of the seat that must act, in a fixed order; none when the game is not active.

    The state may be that seat's view.
    """
    if state.status != ACTIVE:
        return []
    decision = state.decision
    if decision is None:
        return plays(state, state.turn)
    if decision.kind == PLAY_CARD:
        return plays(state, decision.seat)
    return _ANSWERS[decision.kind](state, decision)


def plays(state: GameState, seat: int) -> list[Action]:
    """Returns the plays that a seat's hand offers."""
    found: list[Action] = []
    mask = state.choosable()
    bound = state.bound
    memo = state.book.plays
    insane = bool(state.book.insanity) and state.is_insane(seat)
    for card in playable(state, seat):
        for face in faces(state.book.cards[card], insane):
            key = (card, seat, mask, bound, face)
            known = memo.get(key)
            if known is None:
                known = memo[key] = tuple(_plays_of(state.book, seat, mask, bound, card, face))
            found += known
    return found


def playable(state: GameState, seat: int) -> list[str]:
    """Returns the different cards of a hand that may be played, which a forced card narrows down."""
    hand = state.seats[seat].hand
    if len(hand) == 2:
        first, second = hand
        if first == second:
            return [] if first is None else [first]
        for card in state.book.forced:
            if card.key == first or card.key == second:
                forced = forced_cards(state, seat)
                if forced:
                    return forced
    return [card for card in hand if card is not None]


def forced_cards(state: GameState, seat: int) -> list[str]:
    """Returns the cards of a two-card hand of which one must be played; none if the choice is free."""
    hand = [card for card in state.seats[seat].hand if card is not None]
    if len(hand) != 2:
        return []
    cards = state.book.cards
    found = []
    for card, other in (hand, hand[::-1]):
        hook = cards[card].forced
        if hook is not None and hook(state, seat, other):
            found.append(card)
    return found


def faces(card: Card, insane: bool) -> tuple[str | None, ...]:
    """Returns the ways in which a card may be played: None where it has only one."""
    if card.insane is None:
        return (None,)
    return ("sane", "insane") if insane else ("sane",)


def face_of(card: Card, face: str | None) -> Card | Face:
    """Returns what a card chooses, names and does when played that way."""
    return card.insane if face == "insane" and card.insane is not None else card


def seats_of(mask: int) -> list[int]:
    """Returns the seats of a bit mask."""
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def target_choices(targets: Targets, seat: int, mask: int, bound: int | None) -> list[tuple[int, ...]]:
    """Returns the ways to choose seats: at least one, and only the empty one if nobody can be chosen.

    `mask` are the choosable seats; a bound seat must be among the chosen.
    """
    candidates = [other for other in seats_of(mask) if targets.own or other != seat]
    choices = [
        chosen
        for count in range(max(targets.least, 1), targets.most + 1)
        for chosen in combinations(candidates, count)
        if bound is None or bound in chosen
    ]
    return choices or [()]


def _plays_of(book: Rulebook, seat: int, mask: int, bound: int | None, card: str, face: str | None) -> list[PlayCard]:
    way = face_of(book.cards[card], face)
    guesses = way.guess(book) if way.guess is not None else ()
    found = []
    for chosen in target_choices(way.targets, seat, mask, bound):
        if chosen and guesses:
            found += [PlayCard(card, chosen, guess, face) for guess in guesses]
        else:
            found.append(PlayCard(card, chosen, None, face))
    return found


def _keep_card(state: GameState, decision: Decision) -> list[Action]:
    hand = [card for card in state.seats[decision.seat].hand if card is not None]
    orders = dict.fromkeys(permutations(hand))
    return [KeepCard(order[0], order[1:]) for order in orders]


def _redraw_hand(state: GameState, decision: Decision) -> list[Action]:
    return [RedrawHand(False), RedrawHand(True)]


def _peek_hand(state: GameState, decision: Decision) -> list[Action]:
    return [PeekHand(), *(PeekHand(seat) for seat in _still_in(state, decision))]


def _give_hands(state: GameState, decision: Decision) -> list[Action]:
    seats = _still_in(state, decision)
    cards = [card for seat in seats for card in state.seats[seat].hand if card is not None]
    return [GiveHands(tuple(zip(seats, order, strict=True))) for order in dict.fromkeys(permutations(cards))]


def _still_in(state: GameState, decision: Decision) -> list[int]:
    """Returns the seats a decision is about, less those that have left since it was put."""
    return [seat for seat in decision.seats if state.seats[seat].in_round]


_ANSWERS = {
    KEEP_CARD: _keep_card,
    REDRAW_HAND: _redraw_hand,
    PEEK_HAND: _peek_hand,
    GIVE_HANDS: _give_hands,
}
