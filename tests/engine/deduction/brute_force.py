"""Counts by brute force: deals every deck, makes every secret choice, and keeps what the viewer could not tell apart.

It plays by the rules and redacts, and knows nothing of how `engine.deduction` counts.
"""

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import prod

from engine import rules
from engine.actions import GiveHands, KeepCard, PlayCard
from engine.editions import rulebook
from engine.errors import ImpossiblePosition
from engine.events import KnockedOut, RoundEnded, RoundStarted, fold
from engine.positions import check_position
from engine.rules import legal_actions
from engine.shuffle import Dealer
from engine.state import ACTIVE, GameState
from engine.views import redact_log
from tests.engine.given import created
from tests.engine.random_games import of_all_kinds
from tests.engine.random_positions import begun

CHANCE = Dealer(b"", "brute force", ())
"""For the rounds after the one that is played, which nobody looks at. It keeps nothing from one course to the next."""


def small_position(edition, seats, rng, hidden):
    """Returns a position of which all orders can be tried: about so many cards lie where not everybody sees them."""
    book = rulebook(edition, seats, {})
    while True:
        cards = rng.sample(book.deck, len(book.deck))
        alive = rng.sample(range(seats), rng.randint(2, min(seats, 4)))
        hands = [[cards.pop()] if seat in alive else [] for seat in range(seats)]
        turn = alive[0]
        hands[turn].append(cards.pop())
        deck = [cards.pop() for _ in range(rng.randint(1, max(1, hidden - 2 - len(alive))))]
        aside = cards.pop()
        nowhere = rng.randint(0, 1)
        discards = [[] for _ in range(seats)]
        for card in cards[nowhere:]:
            rng.choice(discards).append(card)
        made = {"hands": hands, "deck": deck, "set_aside": aside, "discards": discards, "turn": turn}
        made["out"] = [seat for seat in range(seats) if seat not in alive]
        made["shown_aside"] = []
        try:
            check_position(rules.begin(created(edition, seats)), made)
        except ImpossiblePosition:
            continue
        return made


def random_course(edition, seats, seed, hidden):
    """Returns a round that begins with a small position, and the actions taken in it, up to some point."""
    rng = random.Random(f"{edition} {seats} {seed}")
    options = of_all_kinds(edition, seed)["options"]
    log = begun(edition, seats, small_position(edition, seats, rng, hidden), options=options)
    first = next(place for place, event in enumerate(log) if isinstance(event, RoundStarted))
    state = rules.fold_log(log)
    opening, steps = log[first:], []
    for _ in range(rng.randint(0, 6)):
        if state.status != ACTIVE or state.round_number > 1:
            break
        action, happened = _lasting(state, rng)
        steps.append((action, of_the_round(happened)))
        fold(state, happened)
    return opening, steps


def _lasting(state, rng):
    """Returns a random action and what follows; most of those that knock somebody out are not taken."""
    by_card = {}
    for action in legal_actions(state):
        by_card.setdefault(getattr(action, "card", None), []).append(action)
    for left in reversed(range(6)):
        action = rng.choice(rng.choice([*by_card.values()]))
        happened = rules.decide(state, state.to_act, action, CHANCE)
        if not left or not any(isinstance(event, KnockedOut) for event in happened):
            return action, happened


def of_the_round(events):
    """Returns events up to the end of the round."""
    ends = [place for place, event in enumerate(events) if isinstance(event, RoundEnded)]
    return events[: ends[0] + 1] if ends else events


def count(book, opening, steps, viewer):
    """Returns the weight of each way in which the cards may lie at the end, as hands, deck and the card aside."""
    start = opening[0]
    shown = redact_log(opening[:1], viewer)[0]
    pool = Counter(book.deck)
    for card in [*start.shown_aside, *[card for pile in start.position["discards"] for card in pile]]:
        given = book.cards[card].gives
        pool[card] -= 1
        if given is not None:
            pool[given] += 1
    places = [seat for seat, card in enumerate(start.hands) if card is not None]
    seen = [*[shown.hands[seat] for seat in places], *shown.deck, shown.set_aside]
    hidden = [place for place, card in enumerate(seen) if card is None]
    for card in seen:
        if card is not None:
            pool[card] -= 1
    found = Counter()
    for order in {*permutations(pool.elements(), len(hidden))}:
        ways = prod(pool[card] - place + 1 for card, n in Counter(order).items() for place in range(1, n + 1))
        dealt = [*seen]
        for place, card in zip(hidden, order, strict=True):
            dealt[place] = card
        if any(card not in book.deck for card in dealt[len(places) :]):
            continue
        hands = [None] * book.seats
        for seat, card in zip(places, dealt, strict=False):
            hands[seat] = card
        other = replace(start, hands=tuple(hands), deck=tuple(dealt[len(places) : -1]), set_aside=dealt[-1])
        state = _replayed(book, other, opening, viewer)
        if state is not None:
            _follow(state, steps, viewer, ways, found)
    return found


def _replayed(book, start, opening, viewer):
    """Returns the state at the first action of a round that begins otherwise; None if the viewer sees it."""
    state = fold(GameState.empty(book), [start])
    state.status = ACTIVE
    happened = [start]
    for event in opening[1:]:
        card = {"card": state.deck[0]} if event.type in ("card_drawn", "card_revealed") else {}
        cards = {"cards": tuple(state.seats[event.seat].hand)} if event.type == "knocked_out" else {}
        happened.append(replace(event, **card, **cards))
        fold(state, happened[-1:])
    return state if redact_log(happened, viewer) == redact_log(opening, viewer) else None


def _follow(state, steps, viewer, ways, found):
    """Adds where the cards of a deal may lie after the steps, with every choice that the viewer does not see."""
    if not steps:
        hands = tuple(tuple(sorted(seat.hand)) for seat in state.seats)
        found[hands, tuple(state.deck), tuple(state.set_aside)] += ways
        return
    (action, happened), *rest = steps
    wanted = redact_log(happened, viewer)
    for choice in [action] if isinstance(action, PlayCard) else legal_actions(state):
        if choice not in legal_actions(state):
            continue
        other = of_the_round(rules.decide(state, state.to_act, choice, CHANCE))
        if redact_log(other, viewer) == wanted:
            _follow(fold(state.copy(), other), rest, viewer, ways * _alike(state, choice), found)


def _alike(state, choice):
    """Returns in how many ways a choice can be made with copies that only their holder tells apart."""
    if isinstance(choice, PlayCard):
        return state.seats[state.to_act].hand.count(choice.card)
    if isinstance(choice, KeepCard):
        order = (choice.keep, *choice.bottom)
        return [*permutations(state.seats[state.to_act].hand)].count(order)
    if isinstance(choice, GiveHands):
        seats = [seat for seat, _ in sorted(choice.hands)]
        given = tuple(card for _, card in sorted(choice.hands))
        return [*permutations([state.seats[seat].hand[0] for seat in seats])].count(given)
    return 1
