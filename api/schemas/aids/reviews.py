"""What a strong player thinks of an ended game."""

from api.schemas.actions import GameAction
from api.schemas.fields.base import Integer, Items, OpenObject, Part, Share, Text, Word, seat_number
from api.schemas.fields.vocabulary import MARK


class ActionValue(OpenObject):
    """What an action was worth to the bot `expert`."""

    action = Part(GameAction(), "The action.")
    text = Text("The same in words.")
    chance_to_win_game = Share("The chance to win the game that it led to, in the deals on which it was tried.")


class ReviewedDecision(OpenObject):
    """A choice that a seat made."""

    version = Integer("The version of the game then; the choice is the event after it.")
    seat = seat_number("The seat.")
    round = Integer("The number of the round.", least=1)
    played = Part(GameAction(), "What it did.")
    played_text = Text("The same in words.")
    best = Part(GameAction(), "What `expert` would have done, from what the seat knew.")
    best_text = Text("The same in words.")
    loss = Share("How much less chance to win the game that left; 0 if it was the best.")
    mark = Word(MARK, "Whether that was much; null for what was good, or nearly so.", allow_none=True)
    text = Text("The mark in a sentence, with what would have been better; null without a mark.", allow_none=True)
    worth = Items(
        Part(ActionValue()),
        "The best, then what it was compared with, then what else `expert` tried. That was tried on fewer deals, so "
        "its chances are less exact, and may come out higher.",
    )


class ChancesAt(OpenObject):
    """Each seat's chance to win the game at a version."""

    version = Integer("The version.")
    by_seat = Items(Share("The chance of a seat."), "In table order; together 1.")


class Swing(OpenObject):
    """The choice at which a seat's chance to win the game changed most."""

    version = Integer("The version of the game then; the choice is the event after it.")
    seat = seat_number("The seat whose chance changed.")
    before = Share("The chance before.")
    after = Share("The chance at the next choice, or at the end.")


class GameReview(OpenObject):
    """The review of an ended game."""

    decisions = Items(Part(ReviewedDecision()), "The choices that seats made by themselves, in order.")
    chances = Items(
        Part(ChancesAt()),
        "Each seat's chance to win the game, at each choice and at the end, reckoned from all hands, not the deck.",
    )
    swing = Part(Swing(), "Where the game turned; null if no chance ever changed.", allow_none=True)
    summary = Items(Text("A sentence."), "What matters most.")


class ReviewProgress(OpenObject):
    """How far workers have come with a review."""

    judged = Integer("How many choices have been judged.")
    decisions = Integer("How many there are; null if nobody has begun.", allow_none=True)
