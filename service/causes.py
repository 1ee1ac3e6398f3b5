"""What caused the events of a step: what was asked of the game, by whom, and for a bot's action how it was found.

It is stored beside the first event of the step and read for games that have ended alone, for an action may name cards
that nobody else may know. Whatever reads events does not read it, so no view, stream or line of the log can hold it.
What follows from a cause is for `steps`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine import codec
from engine.actions import Action


@dataclass(frozen=True, slots=True)
class Thought:
    """How one of the service's own bots found an action: with these the same position gives the same one again."""

    bot: str
    version: int
    """The version of the bot: with another one it might have acted otherwise."""
    think_ms: int = 0
    """How much it was to think, in milliseconds of one core; 0 for a bot that does not."""
    looks: int = 0
    """How often it asked whether to hurry before it was told so or had thought enough."""


@dataclass(frozen=True, slots=True)
class Join:
    """A player or a bot takes a seat."""

    seat: int
    player: str
    nonce: str
    """As in `SeatTaken`."""


@dataclass(frozen=True, slots=True)
class Invite:
    """A player is invited to a seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Decline:
    """A player declines an invitation."""

    seat: int
    player: str
    reason: str
    """As in `SeatDeclined`."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The creator withdraws an invitation."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Open:
    """A table is opened, with these at it and these invited from the beginning."""

    joining: tuple[Join, ...]
    inviting: tuple[Invite, ...] = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """A player gets up before the start, or resigns after it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Abort:
    """The creator calls the game off."""


@dataclass(frozen=True, slots=True)
class Act:
    """A seat acts, by its player or by the service's own bot on it."""

    seat: int
    action: Action
    thought: Thought | None = None
    """Of the service's own bot; None for anybody else."""


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A seat's time is up: an action is taken for it, or without one it leaves the game."""

    seat: int
    action: Action | None = None
    thought: Thought | None = None
    """Of the bot that stands in; None where the seat leaves, or where nothing had to be chosen."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """A player takes their seat back from the bot that stands in."""

    seat: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A move is made again as a game is forked: what the seat did in the game that this one goes on from.

    It acted, or left, or left while a decision waited for it, which was answered for it then.
    """

    seat: int
    action: Action | None = None
    leaves: str | None = None
    """`resigned` or `timed_out`; None for a seat that stayed."""


Cause: TypeAlias = Open | Join | Invite | Decline | Withdraw | Leave | Abort | Act | TimeOut | ComeBack | Repeat

NAMES: Final[dict[type[Cause], str]] = {
    Open: "open",
    Join: "join",
    Invite: "invite",
    Decline: "decline",
    Withdraw: "withdraw",
    Leave: "leave",
    Abort: "abort",
    Act: "act",
    TimeOut: "time_out",
    ComeBack: "come_back",
    Repeat: "repeat",
}
_KINDS: Final = {name: kind for kind, name in NAMES.items()}


def store_cause(cause: Cause) -> dict[str, Any]:
    """Returns a cause in its stored form: its `type`, and what there is of it, actions as in the interface."""
    data: dict[str, Any] = {"type": NAMES[type(cause)]}
    match cause:
        case Open(joining, inviting):
            data["joining"] = [_join_data(one) for one in joining]
            if inviting:
                data["inviting"] = [{"seat": one.seat, "player": one.player} for one in inviting]
        case Invite(seat, player) | Withdraw(seat, player):
            data |= {"seat": seat, "player": player}
        case Decline(seat, player, reason):
            data |= {"seat": seat, "player": player, "reason": reason}
        case Join():
            data |= _join_data(cause)
        case Leave(seat) | ComeBack(seat):
            data["seat"] = seat
        case Act(seat, action, thought) | TimeOut(seat, action, thought):
            data["seat"] = seat
            if action is not None:
                data["action"] = codec.action_data(action)
            if thought is not None:
                data["thought"] = {name: getattr(thought, name) for name in Thought.__slots__}
        case Repeat(seat, action, leaves):
            data["seat"] = seat
            if action is not None:
                data["action"] = codec.action_data(action)
            if leaves is not None:
                data["leaves"] = leaves
    return data


def read_cause(stored: Mapping[str, Any]) -> Cause:
    """Returns the cause of a stored form.

    Raises:
        KeyError, TypeError: it is not one.
        MalformedAction: its action is none.
    """
    data = dict(stored)
    kind = _KINDS[data.pop("type")]
    if "joining" in data:
        data["joining"] = tuple([Join(**one) for one in data["joining"]])
    if "inviting" in data:
        data["inviting"] = tuple([Invite(**one) for one in data["inviting"]])
    if "action" in data:
        data["action"] = codec.read_action(data["action"])
    if "thought" in data:
        data["thought"] = Thought(**data["thought"])
    return kind(**data)


def _join_data(join: Join) -> dict[str, Any]:
    return {"seat": join.seat, "player": join.player, "nonce": join.nonce}
