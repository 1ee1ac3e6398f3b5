"""What a strong player would do."""

from api.schemas.actions import GameAction
from api.schemas.fields.base import Integer, Items, OpenObject, Part, Share, Text


class ActionWorth(OpenObject):
    """What an action is worth to the bot `expert`."""

    action = Part(GameAction(), "The action.")
    text = Text("The same in words.")
    chance_to_win_round = Share("In what share of the deals that it tried the seat won the round.")


class GameHint(OpenObject):
    """What the bot `expert` would do, and why."""

    version = Integer("The version of the game that it is about.")
    action = Part(GameAction(), "The action that `expert` would take; post it back unchanged.")
    text = Text("The same in words.")
    reasons = Items(Text("A reason, as a sentence."), "Up to three reasons, all true by counting, the strongest first.")
    worth = Items(
        Part(ActionWorth()),
        "The actions that it tried, the best first: at most eight, which look best at first sight. It drops the worse "
        "ones early, so their figures are less exact.",
    )
