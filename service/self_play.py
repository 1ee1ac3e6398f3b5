"""Games of the service's own bots among themselves, played in memory: nothing is stored, and nobody's clock runs.

They are played as the service plays them, step by step from their causes, so that their portable logs are valid. But
they are made up from a number: their secret is not secret, and all that happens in one has the same time.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from engine.bots import BOTS
from engine.bots.question import DEFAULT_THINK_MS
from engine.editions import rulebook
from engine.events import GameCreated
from engine.shuffle import commitment
from engine.state import ACTIVE
from service.causes import Act, Join, Open
from service.ids import BOT_PREFIX, derived_id
from service.log import Step, step, stored_form
from service.own_bots import Patience, choice
from service.portable import PortableLog, portable
from service.snapshot import Entry, fresh
from service.steps import events_of
from service.times import text_of

NOW: Final = 0
"""When everything happens, in milliseconds since 1970."""


def bot_game(
    edition: str,
    bots: Sequence[str],
    seed: int,
    options: Mapping[str, str] | None = None,
    think_ms: int = DEFAULT_THINK_MS,
) -> PortableLog:
    """Returns the portable log of a game in which the bots of these names sit on the seats in order.

    Bots that do not think play the same game for the same seed and the rest of what is asked.

    Raises:
        UnknownEdition: there is no such edition, or it has no such number of seats, option or value.
        AssertionError: there is no such bot.
    """
    assert set(bots) <= set(BOTS), "they are bots of the service"
    named = ("self-play", edition, *bots, str(seed))
    secret = hashlib.sha256("\n".join(named).encode()).digest()
    created = _created(derived_id(*named), edition, len(bots), options or {}, secret)
    table = fresh(Entry(1, text_of(NOW), created), secret, "")
    opening = Open(tuple([Join(seat, f"{BOT_PREFIX}{bot}", "") for seat, bot in enumerate(bots)]))
    begun = step(table, events_of(table, opening, NOW), NOW, opening)
    stored = stored_form(Step(None, [table.created, *begun.entries], begun.after, opening))
    game = begun.after
    patience = Patience(think_ms)
    while game.state.status == ACTIVE:
        seat = game.state.to_act
        assert seat is not None, "while a game is played, a seat must act"
        action, thought = choice(game, seat, bots[seat], patience, NOW)
        act = Act(seat, action, thought)
        taken = step(game, events_of(game, act, NOW), NOW, act)
        stored += stored_form(taken)
        game = taken.after
    return portable(stored)


def _created(game: str, edition: str, seats: int, options: Mapping[str, str], secret: bytes) -> GameCreated:
    return GameCreated(
        game=game,
        edition=edition,
        options=dict(rulebook(edition, seats, options).options),
        seats=seats,
        visibility="unlisted",
        clock=None,
        starter=None,
        creator="",
        previous_game=None,
        commitment=commitment(secret),
        sandbox=False,
        sandbox_rounds=(),
        forked_from=None,
    )
