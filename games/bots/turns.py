"""Chooses the actions of the service's own bots, within a time limit, with a stand-in for a bot that fails.

Whatever a bot does, its seat acts, and within the rules. Workers interrupt bots that do not answer; turns are thought
about in worker processes alone. A hint is no turn: the API process that is asked for it works it out on a thread.
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
from games.bots.think_time import Hurry, HurryByClock, RunningClock, StoppedClock, beat, remaining
from games.causes import Thought
from games.errors import kind_of
from games.snapshot import Snapshot
from games.times import SKEW_MS

STAND_IN = "cautious"
"""The quick bot that acts for a seat whose time is up and for a bot that fails."""
DRAWN = "random"
"""The name recorded as the chooser when no bot could choose and a legal action was drawn."""
OVERDUE_MS = 4_000
"""How long a bot's turn may be open until the stand-in takes it: there may be no worker, or the bot ends each.

With the grace for a thought that begins just before, nobody waits for a bot for more than 5 s."""
UNATTENDED_OVERDUE_MS = 120_000
"""The same in a game of own bots alone, where nobody waits and where how well they play may be what it is about."""
GRACE_SECONDS = 1.0
"""How long a bot is waited for beyond its thinking time."""

TimeLimit = Callable[[float], AbstractContextManager[None]]
"""A context manager that interrupts its block with TookTooLong after so many seconds."""

_log = logging.getLogger(__name__)


class TookTooLong(BaseException):
    """A bot did not answer in time. Bots cannot catch it as an Exception."""


def unlimited(seconds: float) -> AbstractContextManager[None]:
    """Sets no time limit: for turns of the service's own bots that are known to be quick."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class ThinkBudget:
    """How long bots may think, by which clock, and how a bot that does not stop is interrupted."""

    think_ms: int
    clock: RunningClock
    limit: TimeLimit = unlimited


AT_ONCE = ThinkBudget(0, StoppedClock())
"""For quick bots, where nothing can interrupt them."""


def thinks(bot: str) -> bool:
    """Returns whether one of the service's own bots uses all its thinking time; False for one that no longer exists."""
    return bot in THINKERS and bot in BOTS


def overdue_at(asked: int, unattended: bool) -> int:
    """Returns when the stand-in takes over an own bot's turn that was asked at a time, in ms since 1970."""
    return asked + (UNATTENDED_OVERDUE_MS if unattended else OVERDUE_MS)


def bot_to_play(bot: str, asked: int | None, unattended: bool, now: int) -> str:
    """Returns which own bot plays a bot's turn, depending on when it was asked and whether only bots play.

    It is the stand-in if the clock was set back: then nobody knows how long the turn has waited.
    """
    if asked is None or (now < overdue_at(asked, unattended) and not is_ahead(asked, now)):
        return bot
    return STAND_IN


def is_ahead(asked: int, now: int) -> bool:
    """Returns whether an own bot was asked for its turn in the future, by more than clocks of machines differ."""
    return asked > now + SKEW_MS


def choice(snapshot: Snapshot, seat: int, bot: str, budget: ThinkBudget, now: int) -> tuple[Action, Thought]:
    """Returns the action that one of the service's own bots chooses for a seat at a time, and how it found it.

    If the bot fails or is overdue, the stand-in chooses; if that fails too, a legal action is drawn.
    """
    player = bot_to_play(bot, snapshot.asked, snapshot.unattended, now)
    if player != bot:
        _report_bot(snapshot, bot, "is overdue")
    for name in dict.fromkeys((player, STAND_IN)):
        hurry = HurryByClock(remaining(snapshot, budget.think_ms, now), budget.clock)
        try:
            with budget.limit(hurry.seconds + GRACE_SECONDS):
                action = chosen(snapshot, seat, name, budget.think_ms, hurry)
        except (Exception, TookTooLong) as error:
            _report_bot(snapshot, name, f"failed, {kind_of(error)},")  # its text may name a card
        else:
            if action is not None:
                if thinks(name):
                    hurry.rest()
                elif not snapshot.unattended:
                    hurry.rest_to_beat(beat(snapshot))
                return action, Thought(name, BOTS[name].version, budget.think_ms if thinks(name) else 0, hurry.looks)
            _report_bot(snapshot, name, "chose no legal action")
    legal = legal_actions(snapshot.view(seat))
    return legal[_chance_for_bot(snapshot).randrange(len(legal))], Thought(DRAWN, BOTS[DRAWN].version)


def chosen(snapshot: Snapshot, seat: int, bot: str, think_ms: int, hurry: Hurry) -> Action | None:
    """Returns what one of the service's own bots chooses from a seat's view, None if that is not legal.

    The same game at the same version gives the same action if the bot is hurried at the same look.
    """
    view = snapshot.view(seat)
    legal = legal_actions(view)
    question = Question(view.copy(), list(legal), snapshot.round_seen(seat), think_ms, hurry)
    action = BOTS[bot](question, _chance_for_bot(snapshot))
    return action if action in legal else None


def _chance_for_bot(snapshot: Snapshot) -> random.Random:
    """Returns the randomness of an own bot's turn: the same at the same version, and unpredictable to players."""
    return random.Random(hmac.digest(snapshot.secret, f"billet/1/bot\n{snapshot.version}".encode(), "sha256"))


def _report_bot(snapshot: Snapshot, bot: str, fault: str) -> None:
    _log.error("bot %s %s in game %s at version %d", bot, fault, snapshot.id, snapshot.version)
