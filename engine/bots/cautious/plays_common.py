"""The possible outcomes of plays that several editions share, one function each; `plays` maps cards to them."""

from typing import Final

from engine.actions import PlayCard
from engine.bots.cautious.position import PlayOutcome
from engine.bots.cautious.prospect import Outcomes, Prospect
from engine.bots.counting import certain, named, next_cards, not_named, replacement

RASH: Final = 0.1
"""What it costs to play a card that knocks out its player: where all seems lost, the count may still be wrong."""


def nothing(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that leaves everything as it is."""
    return [(1.0, prospect.position())]


def knocks_oneself_out(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that puts the seat out of the round."""
    return [(1.0, rash(prospect))]


def rash(prospect: Prospect) -> PlayOutcome:
    """Returns the prospect's position after a card that knocks out its player; a Constable's token may be worth it."""
    position = prospect.lost()
    position.gained = -RASH
    return position


def handmaid(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that protects the seat."""
    position = prospect.position()
    position.protected = True
    return [(1.0, position)]


def guess(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that knocks out a rival that holds what is named."""
    assert play.guess is not None, "a card that chose a seat to guess at names something"
    values = prospect.outlook.values
    (target,) = play.targets
    held = prospect.rivals[target]
    hit = named(held, play.guess, values)
    if hit:
        yield hit, prospect.less(target)
    if hit < 1:
        yield 1 - hit, prospect.facing(target, not_named(held, play.guess, values))


def priest(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that shows a rival's hand."""
    (target,) = play.targets
    for card, chance in prospect.rivals[target].items():
        yield chance, prospect.facing(target, certain(card))


def baron(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that knocks out the lower of two hands."""
    return compared(prospect, play, lower_is_out=True)


def compared(prospect: Prospect, play: PlayCard, *, lower_is_out: bool) -> Outcomes:
    """Weighs a play that knocks out the lower or the higher of two hands; a tie makes both known."""
    values = prospect.outlook.values
    (target,) = play.targets
    mine = values[prospect.keeps]
    for card, chance in prospect.rivals[target].items():
        if values[card] == mine:
            tie = prospect.facing(target, certain(card))
            tie.known_to = target
            yield chance, tie
        else:
            yield chance, prospect.less(target) if (values[card] < mine) == lower_is_out else prospect.lost()


def prince(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that makes a seat discard its hand and draw."""
    (target,) = play.targets
    if target == prospect.me:
        return _weigh_prince_on_oneself(prospect)
    held = prospect.rivals[target]
    out = sum(chance for card, chance in held.items() if card in prospect.outlook.deadly)
    draws = prospect.facing(target, replacement(prospect.view, prospect.unseen))
    return [(out, prospect.less(target)), (1 - out, draws)]


def _weigh_prince_on_oneself(prospect: Prospect) -> Outcomes:
    if prospect.keeps in prospect.outlook.deadly:
        return [(1.0, prospect.lost())]
    return redrawn(prospect)


def redrawn(prospect: Prospect) -> Outcomes:
    """Weighs for the cautious bot discarding its own hand, which is not deadly, and drawing."""
    for card, chance in replacement(prospect.view, prospect.unseen).items():
        position = prospect.position(card)
        position.played = (*prospect.played, prospect.keeps)
        yield chance, position


def king(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that swaps hands with a rival."""
    (target,) = play.targets
    for card, chance in prospect.rivals[target].items():
        swapped = prospect.facing(target, certain(prospect.keeps), card)
        swapped.known_to = target
        yield chance, swapped


def chancellor(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that keeps the best of the card in hand and one or two drawn."""
    draws = next_cards(prospect.view, 2, prospect.unseen)
    candidates = {card: prospect.position(card) for held in draws for card in held}
    candidates[prospect.keeps] = prospect.position()
    ranked = sorted(candidates, key=lambda card: prospect.outlook.worth(candidates[card]))
    none_better = 0.0
    for rank, card in enumerate(ranked):
        if rank < ranked.index(prospect.keeps):
            continue
        so_far = 1.0
        for held in draws:
            so_far *= sum(held.get(other, 0.0) for other in ranked[: rank + 1])
        yield so_far - none_better, candidates[card]
        none_better = so_far
