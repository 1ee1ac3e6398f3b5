"""Forks: where a game that has ended can go on, and how the game that goes on from there is opened.

A fork is a sandbox game of its own: it is dealt as the other was, everybody makes the same moves again, and the rounds
after that come from its own secret. So nothing but its own log is needed to read, play and verify it. Who may ask for
one is for `tables`.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine import codec, replay
from engine.bots import BOTS
from engine.errors import IllegalAction, MalformedNotation
from engine.events import Event
from engine.rules import fold_log
from engine.state import ACTIVE, GameState
from service.causes import Cause, Repeat
from service.errors import Refused, invalid
from service.ids import own_bot
from service.log import Step, new_head
from service.opening import Occupant, new_table, same_table
from service.own_bots import STAND_IN
from service.players import bot_player
from service.requests import check_bot
from service.said import Said
from service.snapshot import Entry, Snapshot
from service.steps import events_of
from service.times import ms_of

Stored = Sequence[tuple[int, Mapping[str, Any]]]
"""A whole log as it is stored, by version."""

OF_PLAYERS_AND_CLOCKS: Final = frozenset({"book", "version", "since", "offers", "banks", "away", "seats"})
"""What a fork has of its own, or what is compared seat by seat."""


class Point(NamedTuple):
    """A place in a game from which it can go on."""

    version: int
    rounds: tuple[dict[str, Any], ...]
    """How each round so far began, as a sandbox has it."""
    moves: tuple[Repeat, ...]
    state: GameState
    players: list[str | None]


def point_of(stored: Stored, version: int) -> Point:
    """Returns where a game goes on at a version; within a step, where the step began.

    Raises:
        Refused: `game_not_started`, it never started; `invalid_request`, nobody could act at that version;
            `illegal_action`, its log cannot be made again.
    """
    events = [codec.read_event(one) for _, one in stored]
    steps = [number for number, one in stored if one.get("cause") is not None]
    if not steps:
        raise not_repeatable()  # from before causes were kept: where somebody could act is not to be seen
    # Between two steps somebody could act, from the step on that started the game.
    started = next((number for number, event in enumerate(events, 1) if event.type == "game_started"), None)
    rests = [step - 1 for step in steps[1:] if started is not None and step > started]
    if not rests:
        raise Refused("game_not_started", Said("detail.fork_of_nothing"), version=len(events))
    if not rests[0] <= version < len(events):
        raise invalid("version", "fault.versions_to_fork", first=rests[0], last=len(events) - 1)
    rest = rests[bisect_right(rests, version) - 1]
    return _point(events[:rest])


def _point(events: Sequence[Event]) -> Point:
    sheet = replay.record(events)
    state = fold_log(events)
    rounds = tuple([{"starter": one.starter, "order": list(one.order)} for one in sheet.rounds])
    moves = [Repeat(move.seat, move.action, move.leaves) for one in sheet.rounds for move in one.moves]
    return Point(len(events), rounds, tuple(moves), state, [seat.player for seat in state.seats])


def not_repeatable() -> Refused:
    """Returns the refusal to go on from a game whose log does not follow from its moves by the rules of today."""
    return Refused("illegal_action", Said("reason.not_repeatable"), reason="not_repeatable")


# --- who plays ---


def occupants_of(point: Point, creator: str, body: Mapping[str, Any]) -> list[Occupant]:
    """Returns who sits where in a fork: the caller, the bots that they name, and else the bots that sat there.

    Raises:
        Refused: `invalid_request`, the caller has no seat or none that still plays, or a bot is none or has none.
    """
    own = _own_seat(point, creator, body)
    bots: dict[int, str] = {}
    for i, chosen in enumerate(body.get("bots", ())):
        seat, field = chosen["seat"], f"bots.{i}"
        if seat not in range(len(point.players)):
            raise invalid(f"{field}.seat", "fault.no_such_seat", last=len(point.players) - 1)
        if seat == own or seat in bots:
            raise invalid(f"{field}.seat", "fault.fork_seat_twice")
        check_bot(chosen["bot"], f"{field}.bot")
        bots[seat] = chosen["bot"]
    names = [bots.get(seat, _bot_after(player)) for seat, player in enumerate(point.players)]
    return [(creator if seat == own else bot_player(name), "") for seat, name in enumerate(names)]


def _own_seat(point: Point, creator: str, body: Mapping[str, Any]) -> int:
    seat = body.get("seat", point.players.index(creator) if creator in point.players else None)
    if seat is None:
        raise invalid("seat", "fault.fork_which_seat")
    if seat not in range(len(point.players)):
        raise invalid("seat", "fault.no_such_seat", last=len(point.players) - 1)
    if point.state.seats[seat].left:
        remaining = ", ".join(map(str, point.state.in_game()))
        raise invalid("seat", "fault.fork_seat_left", version=point.version, seats=remaining)
    return int(seat)


def _bot_after(player: str | None) -> str:
    """Returns which bot plays for one who sat there: the same, or for anybody else the one that stands in."""
    name = own_bot(player)
    return name if name is not None and name in BOTS else STAND_IN


# --- opening ---


def new_fork(game: str, creator: str, parent: Snapshot, point: Point, occupants: Sequence[Occupant]) -> Step:
    """Returns the steps, to be appended as one, that open a fork and lead to the point from which it goes on.

    Raises:
        Refused: `illegal_action`, they lead elsewhere.
    """
    body = {
        "edition": parent.table.edition,
        "options": parent.table.options,
        "seats": [None] * len(occupants),
        "visibility": "unlisted",
        "sandbox": {"rounds": point.rounds},
    }
    forked_from = {"game": parent.id, "version": point.version}
    made = _repeated(new_table(game, creator, body, occupants, forked_from=forked_from), point.moves)
    if _position(made.after.state) != _position(point.state):
        raise not_repeatable()
    return made


def fork_again(game: str, old: Snapshot, moves: Sequence[Repeat]) -> Step:
    """Returns the steps that open a fork once more, at the point from which it went on."""
    occupants = [(player, "") for player in old.players]
    opening = new_table(
        game, old.table.creator, same_table(old), occupants, previous=old.id, forked_from=old.table.forked_from
    )
    return _repeated(opening, moves)


def _repeated(opening: Step, moves: Sequence[Repeat]) -> Step:
    """Returns the step that opens a table, and in it all moves that are made again there.

    Raises:
        Refused: `illegal_action`, they cannot be made by the rules of today.
    """
    after, entries = opening.after, [*opening.entries]
    at, more = opening.entries[0].at, dict[int, Cause]()
    for move in moves:
        first = after.version + 1
        try:
            events = events_of(after, move, ms_of(at))
        except (IllegalAction, MalformedNotation):
            raise not_repeatable() from None
        made = [Entry(version, at, event) for version, event in enumerate(events, first)]
        more[first] = move
        entries += made
        after = after.after(made, new_head(made[-1].version))
    return Step(None, entries, after, opening.cause, more)


def _position(state: GameState) -> list[Any]:
    """Returns all that the rules know of a state."""
    if state.status != ACTIVE:
        raise not_repeatable()
    seats = [(seat.hand, seat.discards, seat.tokens, seat.insane_tokens, seat.left) for seat in state.seats]
    slots = [name for name in GameState.__slots__ if name not in OF_PLAYERS_AND_CLOCKS]
    return [seats, *[getattr(state, name) for name in slots]]
