"""Plays a seat to the end of its game, by the calls that it is given."""

from collections.abc import Callable
from typing import Final, TypeAlias

from billet_client.core.models import EventPage, Game, GameStatus, LegalAction
from billet_client.core.unions import GameAction
from billet_client.following import NO_EVENT_SECONDS
from billet_client.refusals import GameOver, NotSeated, NotYourTurn, StaleVersion
from billet_client.retries import pause

Choose: TypeAlias = Callable[[Game], LegalAction | GameAction]
"""Chooses one of a view's `legal_actions`."""

GOES_ON: Final = (GameStatus.OPEN, GameStatus.ACTIVE)
MOVED_ON: Final = (StaleVersion, NotYourTurn, NotSeated, GameOver)
"""The refusals of an action that came too late."""


def play(
    view: Game,
    choose: Choose,
    *,
    look: Callable[[], Game],
    act: Callable[[Game, LegalAction | GameAction], Game],
    wait: Callable[[int], EventPage],
) -> Game:
    """Plays from a view to the end of the game, and returns the last view.

    `look` returns the present view. `act` takes an action and returns the view after it. `wait` returns the first event
    after a version, or none if none comes for a while.

    Raises:
        ValueError: the viewer has no seat.
        IllegalAction: the chosen action is not legal.
    """
    if view.viewer is None:
        raise ValueError(f"the player has no seat at game {view.id}")
    while view.status in GOES_ON:
        if not view.legal_actions:
            if not wait(view.version).events:
                pause(NO_EVENT_SECONDS)
            view = look()
            continue
        try:
            view = act(view, choose(view))
        except MOVED_ON:
            present = look()
            if present.version == view.version:
                raise
            view = present
    return view
