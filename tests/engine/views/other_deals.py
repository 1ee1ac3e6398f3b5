"""Plays a round at random, and the same round again with other cards where a viewer cannot see them."""

import random
from collections import Counter
from dataclasses import dataclass, fields, replace

from engine import rules
from engine.actions import GiveHands, KeepCard
from engine.events import RoundStarted, SeatTimedOut, fold
from engine.shuffle import LooseChance
from tests.engine.given import created, timed_out
from tests.engine.random_games import of_all_kinds
from tests.engine.views.oracle import follow, person
from tests.secrecy.oracle import SECRETS, Table


@dataclass
class Step:
    """What a seat did, and what happened; without an action it left."""

    seat: int
    action: object
    happened: list

    def by_the_clock(self):
        return any(isinstance(event, SeatTimedOut) for event in self.happened)


def chance(seed):
    return LooseChance(random.Random(seed))


def take_step(state, seat, action, by_the_clock, seed):
    if action is None:
        return rules.leave(state, seat, "resigned", chance(seed))
    return (timed_out if by_the_clock else rules.decide)(state, seat, action, chance(seed))


def random_round(edition, seats, generator, number=0):
    """Returns the events of the deal, and the steps of a round up to its end or somewhere before it.

    In every tenth round everybody is likely to leave, so that some end the game.
    """
    leaving = 0.5 if number % 10 == 9 else 0.02
    deal = [created(edition, seats, of_all_kinds(edition, number)["options"])]
    state = rules.begin(deal[0])
    deal += rules.start(state, [""] * seats, LooseChance(generator))
    fold(state, deal[1:])
    steps = []
    for seed in range(generator.randint(0, 25)):
        leaves = generator.random() < leaving
        seat = generator.choice(state.in_game()) if leaves else state.to_act
        action = None if leaves else generator.choice(rules.legal_actions(state))
        happened = take_step(state, seat, action, generator.random() < 0.05, seed)
        steps.append(Step(seat, action, happened))
        if any(event.type in ("round_ended", "game_finished") for event in happened):
            break
        fold(state, happened)
    return deal, steps


def log_of(deal, steps):
    return [*deal, *(event for step in steps for event in step.happened)]


def unseen_places(deal, steps, viewer):
    """Returns the places of the deal, as (place, index), of the cards the viewer has not seen when the round stops."""
    table = Table()
    follow(table, deal[:3])
    origins = [(card, ("deck", i)) for i, card in enumerate(table.deck)]
    origins += [(table.aside, ("aside", 0))]
    origins += [(card, ("hands", i)) for i, hand in enumerate(table.hands) for card in hand]
    seen = set()
    for event in log_of(deal[3:], steps):
        if isinstance(event, RoundStarted):
            break
        follow(table, [event])
        lying = table.lying()
        seen |= {card for card in lying if person(viewer) in card.known_to}
    return [place for card, place in origins if card in lying and card not in seen]


def take(slots, card):
    """Removes and returns the first of some pairs that begins with a card."""
    return slots.pop([slot[0] for slot in slots].index(card))


def exchanged(begins, places, generator):
    """Returns the beginning of a round with the cards of some places in another order."""
    piles = {"deck": list(begins.deck), "aside": [begins.set_aside], "hands": list(begins.hands)}
    cards = [piles[place][i] for place, i in places]
    generator.shuffle(cards)
    for (place, i), card in zip(places, cards, strict=True):
        piles[place][i] = card
    return replace(begins, deck=tuple(piles["deck"]), set_aside=piles["aside"][0], hands=tuple(piles["hands"]))


def shuffled_deal(deal, places, generator):
    """Returns the deal with the cards of some places in another order."""
    begins = exchanged(deal[2], places, generator)
    return [*deal[:2], begins, deal[3], replace(deal[4], card=begins.deck[0])]


def again(state, other, step):
    """Returns what the step's seat does in another state: the same, with the cards that lie where the others lay."""
    action = step.action
    if isinstance(action, KeepCard):
        hand = [[card, i] for i, card in enumerate(state.seats[step.seat].hand)]
        order = [take(hand, card)[1] for card in (*action.bottom, action.keep)]
        *bottom, keep = (other.seats[step.seat].hand[i] for i in order)
        return KeepCard(keep, tuple(bottom))
    if isinstance(action, GiveHands):
        slots = [[state.seats[seat].hand[0], seat] for seat, _ in action.hands]
        given = [(seat, take(slots, card)[1]) for seat, card in action.hands]
        return GiveHands(tuple((seat, other.seats[source].hand[0]) for seat, source in given))
    return action


def course(event):
    """Returns what everybody can see of an event at a real table, where a hand laid down has no order."""
    secrets = SECRETS.get(event.type, ())
    shown = {field.name: getattr(event, field.name) for field in fields(event) if field.name not in secrets}
    return event.type, {name: Counter(value) if name == "cards" else value for name, value in shown.items()}


def replay(deal, steps, other_deal):
    """Returns the log of the same steps after another deal, or None if the course is another one."""
    state, other = rules.fold_log(deal), rules.fold_log(other_deal)
    log = list(other_deal)
    for number, step in enumerate(steps):
        action = again(state, other, step)
        if action is not None and rules.refusal(other, step.seat, action) is not None:
            return None
        happened = take_step(other, step.seat, action, step.by_the_clock(), number)
        if [course(event) for event in happened] != [course(event) for event in step.happened]:
            return None
        fold(state, step.happened)
        fold(other, happened)
        log += happened
    return log
