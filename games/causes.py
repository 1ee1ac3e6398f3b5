"""Defines the causes of steps: what was asked of the game, by whom, and how a bot found its action.

A cause is stored beside the first event of its step. It is read only for ended games, because an action may name cards
that nobody else may know. Readers of events never load it, so no view, stream or log line can contain it. `steps`
derives the events of a cause.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, TypeAlias

from engine.actions import Action
from engine.logs import codec


@dataclass(frozen=True, slots=True)
class Thought:
    """How a bot found an action; with these values the same position gives the same action again."""

    bot: str
    version: int
    """The version of the bot; another one might have acted differently."""
    think_ms: int = 0
    """The bot's thinking time, in milliseconds of one core; 0 for a bot that does not think."""
    looks: int = 0
    """How often it asked whether to hurry before it had to stop or was done."""


@dataclass(frozen=True, slots=True)
class Join:
    """A player or a bot takes a seat."""

    seat: int
    player: str
    nonce: str
    """As in `SeatTaken`."""
    nonce_hash: str = ""
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
    """The creator opens a table, with its first players and invitations."""

    joining: tuple[Join, ...]
    inviting: tuple[Invite, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """A player reveals the nonce that they committed to when they sat down."""

    seat: int
    nonce: str


@dataclass(frozen=True, slots=True)
class EndReveal:
    """The time to reveal nonces is up: the game starts without the missing ones."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A player leaves before the start, or resigns after it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Remove:
    """The creator removes whoever sits on a seat, before the start."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Abort:
    """The creator aborts the table before the game has started, or an operator at any time."""


@dataclass(frozen=True, slots=True)
class Expire:
    """The service ends a game that nobody has touched for too long."""


@dataclass(frozen=True, slots=True)
class Restore:
    """The service ends a game that a restored backup holds unfinished: its secret may have been shown since."""


@dataclass(frozen=True, slots=True)
class Unseal:
    """The last game that was dealt the same cards has ended: the service reveals the secret of an ended one."""


@dataclass(slots=True)  # not frozen, which takes a call for each field of every action; nothing assigns
class Act:
    """A seat acts, through its player or the service's own bot."""

    seat: int
    action: Action
    thought: Thought | None = None
    """Of the service's own bot; None for players."""


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A seat's time is up: an action is taken for it, or it leaves the game."""

    seat: int
    action: Action | None = None
    thought: Thought | None = None
    """Of the stand-in bot; None if the seat leaves or nothing had to be chosen."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """A player takes their seat back from the stand-in bot."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeBreak:
    """A player takes days off."""

    seat: int
    days: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A move is made again as a game is forked: what the seat did in the game that this one goes on from.

    It acted, or left, or left while a decision waited for it, which was answered for it then.
    """

    seat: int
    action: Action | None = None
    leaves: str | None = None
    """`resigned` or `timed_out`; None for a seat that stayed."""


Cause: TypeAlias = (
    Open
    | Join
    | Invite
    | Decline
    | Withdraw
    | Reveal
    | EndReveal
    | Leave
    | Remove
    | Abort
    | Expire
    | Restore
    | Unseal
    | Act
    | TimeOut
    | ComeBack
    | TakeBreak
    | Repeat
)

NAMES: Final[dict[type[Cause], str]] = {
    Open: "open",
    Join: "join",
    Invite: "invite",
    Decline: "decline",
    Withdraw: "withdraw",
    Reveal: "reveal",
    EndReveal: "end_reveal",
    Leave: "leave",
    Remove: "remove",
    Abort: "abort",
    Expire: "expire",
    Restore: "restore",
    Unseal: "unseal",
    Act: "act",
    TimeOut: "time_out",
    ComeBack: "come_back",
    TakeBreak: "take_break",
    Repeat: "repeat",
}
ACTING: Final = (Act, TimeOut)
"""The causes that may have an action. Written `Act | TimeOut`, a union would be made at each look."""
_KINDS: Final = {name: kind for kind, name in NAMES.items()}
_FIELDS: Final = {kind: [(one.name, one.default) for one in fields(kind)] for kind in NAMES}
"""By kind of cause: its fields, each with the value for which it is left out."""


def store_cause(cause: Cause) -> dict[str, Any]:
    """Returns a cause in its stored form: its `type` and its fields but those that are empty, actions as in the API."""
    return {"type": NAMES[type(cause)], **_cause_data(cause)}


def read_cause(stored: Mapping[str, Any]) -> Cause:
    """Returns the cause of a log's stored form.

    Raises:
        KeyError, TypeError: it is not a cause.
        MalformedAction: its action is malformed.
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


def _cause_data(cause: Cause) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, empty in _FIELDS[type(cause)]:
        if (value := getattr(cause, name)) != empty:
            data[name] = _plain_value(value)
    return data


def _plain_value(value: Any) -> Any:
    """Returns what a field of a cause holds as plain data."""
    match value:
        case str() | int():
            return value
        case tuple():
            return [_cause_data(one) for one in value]
        case Thought():
            return asdict(value)
    return codec.action_data(value)
