"""How the service's own bots choose: what they are asked, how long they may take, who stands in for one that fails.

Whatever a bot does, its seat acts, and as the rules allow. What ends a bot that does not come to an answer is for the
workers, in whose processes alone bots think.
"""

import hmac
import logging
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from engine.actions import Action
from engine.bots import BOTS, THINKERS
from engine.bots.question import Question
from engine.options import legal_actions
from service.causes import Thought
from service.log_lines import kind_of
from service.snapshot import Snapshot
from service.think_time import Counted, Hurry, remaining

STAND_IN = "cautious"
"""The bot that acts for a seat whose time is up, and for a bot that cannot: it is quick."""
DRAWN = "random"
"""Who is said to have chosen where no bot could, and a legal action is drawn."""
OVERDUE_MS = 10_000
"""How long a bot's turn may be open until the stand-in takes it: it may be that the bot ends its worker each time."""
UNATTENDED_OVERDUE_MS = 120_000
"""The same in a game of bots alone, where nobody waits and where how well they play may be what it is about."""
GRACE_SECONDS = 1.0
"""How much longer than it may think a bot is waited for."""

Limit = Callable[[float], AbstractContextManager[None]]
"""What ends whatever runs within it, by TookTooLong, after so many seconds."""

_log = logging.getLogger(__name__)


class TookTooLong(BaseException):
    """A bot has not come to an answer; nothing that a bot catches."""


def unlimited(seconds: float) -> AbstractContextManager[None]:
    """Returns what ends nothing, for bots that are known to be quick."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the bots of an installation may think, and what ends one that does not stop by itself."""

    think_ms: int
    limit: Limit = unlimited


AT_ONCE = Patience(0)
"""For bots that are quick, where nothing can end them."""


def thinks(bot: str) -> bool:
    """Whether a bot takes all the time that it may think; one that is no more is stood in for."""
    return bot in THINKERS and bot in BOTS


def overdue_at(asked: int, unattended: bool) -> int:
    """Returns when the stand-in takes the turn of a bot that was asked at a time, in milliseconds since 1970."""
    return asked + (UNATTENDED_OVERDUE_MS if unattended else OVERDUE_MS)


def player_of(bot: str, asked: int | None, unattended: bool, now: int) -> str:
    """Returns which bot takes the turn of a bot, by when it was asked and whether the game is one of bots alone."""
    return bot if asked is None or now < overdue_at(asked, unattended) else STAND_IN


def choice(snapshot: Snapshot, seat: int, bot: str, patience: Patience, now: int) -> tuple[Action, Thought]:
    """Returns what a bot chooses for a seat at a time, and how it was found.

    Where it fails or is overdue the stand-in chooses in its place, and where that fails a legal action is drawn.
    """
    player = player_of(bot, snapshot.asked, snapshot.unattended, now)
    if player != bot:
        _report(snapshot, bot, "is overdue")
    for name in dict.fromkeys((player, STAND_IN)):
        hurry = Counted(remaining(snapshot, patience.think_ms, now))
        try:
            with patience.limit(patience.think_ms / 1000 + GRACE_SECONDS):
                action = chosen(snapshot, seat, name, patience.think_ms, hurry)
        except (Exception, TookTooLong) as error:
            _report(snapshot, name, f"failed, {kind_of(error)},")  # its text may name a card
        else:
            if action is not None:
                if thinks(name):
                    hurry.rest()
                return action, Thought(name, BOTS[name].version, patience.think_ms if thinks(name) else 0, hurry.looks)
            _report(snapshot, name, "chose no legal action")
    legal = legal_actions(snapshot.view(seat))
    return legal[_chance(snapshot).randrange(len(legal))], Thought(DRAWN, BOTS[DRAWN].version)


def chosen(snapshot: Snapshot, seat: int, bot: str, think_ms: int, hurry: Hurry) -> Action | None:
    """Returns what a bot chooses from a seat's view, None if that is not legal.

    The same game at the same version gives the same action if the bot is hurried at the same look.
    """
    view = snapshot.view(seat)
    legal = legal_actions(view)
    question = Question(view.copy(), list(legal), snapshot.round_seen(seat), think_ms, hurry)
    action = BOTS[bot](question, _chance(snapshot))
    return action if action in legal else None


def _chance(snapshot: Snapshot) -> random.Random:
    """Returns the chance of a bot's turn: the same at the same version, and nothing that anybody can foresee."""
    return random.Random(hmac.digest(snapshot.secret, f"billet/1/bot\n{snapshot.version}".encode(), "sha256"))


def _report(snapshot: Snapshot, bot: str, fault: str) -> None:
    _log.error("bot %s %s in game %s at version %d", bot, fault, snapshot.id, snapshot.version)
