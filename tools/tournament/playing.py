"""Plays the games of a match in memory: opened, dealt and seated as the service does, without its clock and storage."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from engine.actions import Action
from engine.bots.question import never
from engine.state import ACTIVE
from games.bots.turns import chosen
from games.causes import Act
from games.ids import own_bot
from games.matches.setup import MatchSetup, deal_secret
from games.matches.standings import Outcome, outcome_of
from games.snapshot import Snapshot
from games.steps import step_of
from games.tables.opening import Fresh

Chooser = Callable[[Snapshot, int], Action]
"""Chooses the action of a seat, which must look at what that may see alone."""

SECRET: Final = hashlib.sha256(b"tournament").digest()
"""Of every match here: from it all decks follow, so that whoever plays it again gets the same."""


def match_of(body: Mapping[str, Any]) -> MatchSetup:
    """Returns the match that a request would make."""
    return MatchSetup.of("tournament", "", body, 0)


def bot_chooser(bot: str, think_ms: int) -> Chooser:
    """Returns what one of the service's own bots chooses; it thinks in simulated actions, the same everywhere."""
    return partial(_chosen, bot, think_ms)


def _chosen(bot: str, think_ms: int, game: Snapshot, seat: int) -> Action:
    action = chosen(game, seat, bot, think_ms, never)
    assert action is not None, f"{bot} has chosen what is not legal"
    return action


def play(
    match: MatchSetup, numbers: Iterable[int], think_ms: int = 1, programs: Mapping[str, Chooser] | None = None
) -> dict[int, Outcome]:
    """Plays games of a match, by their numbers, and returns what came of each.

    `programs` holds by id who chooses for the entrants that are none of the service's own bots.
    """
    return {number: outcome_of(_played(match, number, think_ms, programs or {})) for number in numbers}


def _played(match: MatchSetup, number: int, think_ms: int, programs: Mapping[str, Chooser]) -> Snapshot:
    # If no deal is shared, each game has a secret of its own.
    fresh = Fresh(deal_secret(SECRET, number), "", "")
    game = match.opening(number, SECRET, 0, fresh).after
    choosers = [
        bot_chooser(bot, think_ms) if (bot := own_bot(player)) is not None else programs[player]
        for player in match.slot(number).players
    ]
    while game.state.status == ACTIVE:
        seat = game.state.to_act
        assert seat is not None, "while a game is played, a seat must act"
        game = step_of(game, Act(seat, choosers[seat](game, seat)), 0, "").after
    return game
