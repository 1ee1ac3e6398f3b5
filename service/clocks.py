"""What happens when a seat's time is up, and how the service's own bots choose; who notices is not said here."""

import hmac
import logging
import random
from collections.abc import Sequence

from engine import rules
from engine.actions import Action
from engine.bots import BOTS
from engine.decisions import DECLINABLE
from engine.events import Event
from engine.options import legal_actions
from service.ids import own_bot
from service.snapshot import Snapshot

STAND_IN = "cautious"
"""The bot that acts for a seat whose time is up."""

_log = logging.getLogger(__name__)


def timed_out(snapshot: Snapshot, now: int) -> list[Event]:
    """Returns what happens to a game because of a time, in milliseconds since 1970: nothing before its deadline."""
    seat = snapshot.state.to_act
    clock = snapshot.table.clock
    if seat is None or clock is None or snapshot.deadline is None or now < snapshot.deadline:
        return []
    if own_bot(snapshot.players[seat]) is not None:
        return bot_turn(snapshot)  # Late because no worker was there: that is not the bot's fault.
    if clock["on_timeout"] == "forfeit":
        return rules.leave(snapshot.state, seat, "timed_out", snapshot.chance())
    decision = snapshot.state.decision
    if decision is not None and decision.kind in DECLINABLE:
        action = legal_actions(snapshot.view(seat))[0]  # keep; look at none
    else:
        action = bot_action(snapshot, seat, STAND_IN)
    return rules.time_out(snapshot.state, seat, action, snapshot.chance())


def bot_turn(snapshot: Snapshot) -> list[Event]:
    """Returns what the service's own bot does whose turn it is; nothing if it is nobody's or somebody else's."""
    seat = snapshot.state.to_act
    bot = own_bot(snapshot.players[seat]) if seat is not None else None
    if seat is None or bot is None:
        return []
    return rules.decide(snapshot.state, seat, bot_action(snapshot, seat, bot), snapshot.chance())


def bot_action(snapshot: Snapshot, seat: int, bot: str) -> Action:
    """Returns the action a bot chooses from a seat's view; the same game at the same version gives the same one."""
    view = snapshot.view(seat)
    legal: Sequence[Action] = legal_actions(view)
    seed = hmac.digest(snapshot.secret, f"billet/1/bot\n{snapshot.version}".encode(), "sha256")
    generator = random.Random(seed)
    try:
        chosen = BOTS[bot](view.copy(), list(legal), generator)
    except Exception as error:  # whatever a bot does, its seat acts
        # Only the error's kind is logged: its text may name a card.
        _log.error("bot %s failed in game %s at version %d: %s", bot, snapshot.id, snapshot.version, type(error))
    else:
        if chosen in legal:
            return chosen
        _log.error("bot %s chose no legal action in game %s at version %d", bot, snapshot.id, snapshot.version)
    return legal[generator.randrange(len(legal))]
