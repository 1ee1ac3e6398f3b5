"""The possible outcomes of insane plays of the `lovecraft` edition, one function each; `plays` maps cards to them.

An extra play is not thought through: what counts is the better card to keep, and what it wins at once.
"""

from typing import Final

from engine.actions import PlayCard
from engine.bots.cautious.plays_common import nothing, priest, rash
from engine.bots.cautious.position import PlayOutcome
from engine.bots.cautious.prospect import Outcomes, Prospect
from engine.bots.counting import certain, named, next_cards, not_named
from engine.options import playable

EXTRA_PLAY: Final = 0.1
"""What it is worth to play one more card."""
ARRANGED: Final = 0.1
"""What it is worth to say who holds which card."""


def deep_ones(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that knocks out a rival that holds a 1, or what is named."""
    assert play.guess is not None, "Deep Ones that chose a seat name something"
    values = prospect.outlook.values
    (target,) = play.targets
    held = prospect.rivals[target]
    ones = named(held, 1, values)
    hit = named(held, play.guess, values) + ones
    yield hit, prospect.less(target)
    if ones < 1 and hit < 1:
        yield 1 - hit, prospect.facing(target, not_named(not_named(held, 1, values), play.guess, values))


def golden_mead(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that shows a hand, draws, and plays one more card; from an empty deck it only looks."""
    draws = next_cards(prospect.view, 1, prospect.unseen)
    if not draws:
        return priest(prospect, play)
    return [(chance, _one_more(prospect, card, looked_at=play.targets)) for card, chance in draws[0].items()]


def mi_go(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that takes a rival's card for the Braincase, and plays one more card."""
    (target,) = play.targets
    robbed = prospect.believing(target, certain("mi_go_braincase"))
    return [(chance, _one_more(robbed, card)) for card, chance in prospect.rivals[target].items()]


def _one_more(prospect: Prospect, card: str, looked_at: tuple[int, ...] = ()) -> PlayOutcome:
    """Returns the best of the outcomes that the own hand and another card offer, of which one is played."""
    hand = [prospect.keeps, card]
    positions = []
    for plays in playable(prospect.view.book, hand, insane=True):
        position = _playing(prospect.keeping(card if plays == hand[0] else hand[0], plays))
        position.looked_at = looked_at
        position.gained += EXTRA_PLAY if position.hand is not None else 0.0
        positions.append(position)
    return max(positions, key=prospect.outlook.worth)


def _playing(prospect: Prospect) -> PlayOutcome:
    """Returns the outcome of the last of a prospect's plays, an insane one, if it is one that decides at once."""
    card = prospect.played[-1]
    if card == "cthulhu":
        return _outcome_of_cthulhu(prospect)
    if card == "shining_trapezohedron":
        return _outcome_of_shining_trapezohedron(prospect)
    return rash(prospect) if card in prospect.outlook.deadly or card == "mi_go_braincase" else prospect.position()


def hound_of_tindalos(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that knocks out a rival that is sane."""
    (target,) = play.targets
    if prospect.view.is_insane(target):
        return nothing(prospect, play)
    return [(1.0, prospect.less(target))]


def liber_ivonis(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that makes the seat stay at the showdown."""
    position = prospect.position()
    position.liber = True
    return [(1.0, position)]


def nyarlathotep(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that shows the hands of the others that can be chosen and lets the seat hand them out."""
    others = tuple([seat for seat in prospect.rivals if not prospect.view.is_protected(seat)])
    position = prospect.position()
    position.looked_at = others
    position.gained = ARRANGED * len(others) / len(prospect.rivals)
    return [(1.0, position)]


def shining_trapezohedron(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that wins the round with a card above 4."""
    return [(1.0, _outcome_of_shining_trapezohedron(prospect))]


def _outcome_of_shining_trapezohedron(prospect: Prospect) -> PlayOutcome:
    # A round that is won is one in which nobody else is left.
    return prospect.position(rivals={} if prospect.outlook.values[prospect.keeps] > 4 else None)


def cthulhu(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that wins the game with two insanity cards in the discards, and else knocks the seat out."""
    return [(1.0, _outcome_of_cthulhu(prospect))]


def _outcome_of_cthulhu(prospect: Prospect) -> PlayOutcome:
    position = rash(prospect)
    position.game_won = prospect.outlook.piles.of[prospect.me].insanity >= 2
    return position
