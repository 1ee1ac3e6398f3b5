"""Plays games between the service's own bots in memory: nothing is stored and no clock runs.

They are played step by step from causes, as the service does, so their portable logs are valid. But they are derived
from a seed: their secret is not secret, and everything in a game happens at the same time.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from engine.rules import bare_table
from engine.shuffle import commitment
from engine.state import ACTIVE
from games.bots.turns import AT_ONCE, ThinkBudget, choice
from games.causes import Act, Join, Open
from games.ids import derived_id
from games.player import bot_player
from games.records.portable import PortableLog, portable
from games.snapshot import Entry, first_snapshot
from games.steps import Step, step_of, stored_form
from games.times import text_of

NOW: Final = 0
"""The time of every event, in milliseconds since 1970."""


def bot_game(
    edition: str,
    bots: Sequence[str],
    seed: int,
    options: Mapping[str, str] | None = None,
    budget: ThinkBudget = AT_ONCE,
) -> PortableLog:
    """Returns the portable log of a game that the service's own bots play in memory, seated in order.

    Bots that do not think play the same game for the same arguments; those that do get the time of `budget`.

    Raises:
        UnknownEdition: there is no such edition, or it does not have this number of seats, option or value.
        AssertionError: there is no such bot.
    """
    named = ("self-play", edition, *bots, str(seed))
    secret = hashlib.sha256("\n".join(named).encode()).digest()
    created = bare_table(edition, len(bots), options, game=derived_id(*named), commitment=commitment(secret))
    table = first_snapshot(Entry(1, text_of(NOW), created), secret, "")
    opening = Open(tuple([Join(seat, bot_player(bot), "") for seat, bot in enumerate(bots)]))
    begun = step_of(table, opening, NOW, "")
    stored = stored_form(Step(None, [table.created, *begun.entries], begun.after, opening))
    game = begun.after
    while game.state.status == ACTIVE:
        seat = game.state.to_act
        assert seat is not None, "while a game is played, a seat must act"
        action, thought = choice(game, seat, bots[seat], budget, NOW)
        taken = step_of(game, Act(seat, action, thought), NOW, "")
        stored += stored_form(taken)
        game = taken.after
    return portable(stored)
