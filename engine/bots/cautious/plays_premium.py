"""The possible outcomes of plays of the `premium` edition, one function each; `plays` maps cards to them."""

from typing import Final

from engine.actions import PlayCard
from engine.bots.cautious.plays_common import compared, guess, king
from engine.bots.cautious.position import PlayOutcome
from engine.bots.cautious.prospect import Outcomes, Prospect
from engine.bots.counting import belief, named, not_named, replacement

BOUND_LEADER: Final = 0.02
"""What it is worth to bind a rival about to win the game."""


def guard(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that knocks out a rival that holds the number, or the own seat if the rival holds the Assassin."""
    (target,) = play.targets
    assassin = prospect.rivals[target].get("assassin", 0.0)
    if not assassin:
        return guess(prospect, play)
    rest = {card: p for card, p in prospect.rivals[target].items() if card != "assassin"}
    unguarded = prospect.believing(target, belief(rest))
    return [(assassin, prospect.lost()), *((p * (1 - assassin), at) for p, at in guess(unguarded, play))]


def jester(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that marks a rival."""
    position = prospect.position()
    (position.marked,) = play.targets
    return [(1.0, position)]


def baroness(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that shows one hand or two; which cards they will be makes no difference here."""
    return [(1.0, _outcome_with_sight_of(prospect.position(), play.targets))]


def cardinal(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that swaps two hands and shows one: with the own like a King, else the one that is less known."""
    if prospect.me in play.targets:
        (target,) = (seat for seat in play.targets if seat != prospect.me)
        return king(prospect, PlayCard("cardinal", (target,)))
    one, other = play.targets
    rivals = {**prospect.rivals, one: prospect.rivals[other], other: prospect.rivals[one]}
    known = prospect.outlook.nameable
    looked_at = min(play.targets, key=lambda seat: known(rivals[seat], False) - known(rivals[seat], True))
    return [(1.0, _outcome_with_sight_of(prospect.position(rivals=rivals), (looked_at,)))]


def _outcome_with_sight_of(position: PlayOutcome, seats: tuple[int, ...]) -> PlayOutcome:
    position.looked_at = seats
    return position


def sycophant(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that binds a seat."""
    position = prospect.position()
    (position.bound,) = play.targets
    if position.bound != prospect.me:
        position.gained = BOUND_LEADER * prospect.outlook.prizes.threat[position.bound]
    return [(1.0, position)]


def dowager_queen(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs for the cautious bot a play that knocks out the higher of two hands."""
    return compared(prospect, play, lower_is_out=False)


def bishop(prospect: Prospect, play: PlayCard) -> Outcomes:
    """Weighs a play that pays a token if the rival holds the number; the rival may then have drawn another card."""
    assert play.guess is not None, "a Bishop that chose a seat names something"
    values = prospect.outlook.values
    (target,) = play.targets
    held = prospect.rivals[target]
    hit = named(held, play.guess, values)
    if hit:
        position = prospect.facing(target, replacement(prospect.view, prospect.unseen))
        position.gained, position.game_won = 1.0, prospect.outlook.prizes.next_wins
        yield hit, position
    if hit < 1:
        yield 1 - hit, prospect.facing(target, not_named(held, play.guess, values))
