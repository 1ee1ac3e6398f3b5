"""Forks a game: continues an ended game from one of its versions, as a new game.

A fork is a sandbox game of its own: it gets the same deals, repeats everybody's moves, and draws later rounds from its
own secret. So its own log suffices to read, play and verify it.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

from engine.bots import BOTS
from engine.errors import IllegalAction, ImpossibleMove
from engine.events import Event
from engine.logs import codec
from engine.logs.repeating import played_rounds
from engine.rules import fold_log
from engine.state import ACTIVE, GameState
from games.bots.turns import STAND_IN
from games.causes import Cause, Repeat
from games.errors import Refused, invalid
from games.ids import own_bot
from games.messages import Message
from games.player import bot_player
from games.snapshot import Entry, Snapshot
from games.steps import Step, events_of, head_of
from games.tables.opening import Fresh, Occupant, new_table, same_table
from games.tables.requests import check_bot
from games.times import ms_of

StoredLog = Sequence[tuple[int, Mapping[str, Any]]]
"""A whole log as it is stored, by version."""

OF_PLAYERS_AND_CLOCKS: Final = frozenset(
    {"book", "version", "since", "offers", "banks", "breaks", "away", "seats", "positions"}
)
"""What a fork has of its own, or what is compared seat by seat."""


class Point(NamedTuple):
    """A place in a game from which it can continue."""

    version: int
    rounds: tuple[dict[str, Any], ...]
    """How each round so far was dealt, as a sandbox has it."""
    positions: tuple[dict[str, Any], ...]
    """How each round so far began that was not dealt, as a sandbox has it."""
    moves: tuple[Repeat, ...]
    state: GameState
    players: list[str | None]


def point_of(stored: StoredLog, version: int) -> Point:
    """Returns the point from which a fork goes on at a version; within a step, where the step began.

    Raises:
        Refused: `game_not_started`, it never started; `invalid_request`, nobody could act at that version;
            `illegal_action`, its log cannot be made again.
    """
    events = [codec.read_event(one) for _, one in stored]
    steps = [number for number, one in stored if one.get("cause") is not None]
    # Between two steps somebody could act, from the step on that started the game.
    started = next((number for number, event in enumerate(events, 1) if event.type == "game_started"), None)
    rests = [step - 1 for step in steps[1:] if started is not None and step > started]
    if not rests:
        raise Refused("game_not_started", Message("detail.fork_of_nothing"), version=len(events))
    if not rests[0] <= version < len(events):
        raise invalid("version", "fault.versions_to_fork", first=rests[0], last=len(events) - 1)
    rest = rests[bisect_right(rests, version) - 1]
    return _point_after(events[:rest])


def _point_after(events: Sequence[Event]) -> Point:
    rounds = played_rounds(events)
    state = fold_log(events)
    dealt = [{"starter": one.starter, "order": list(one.order)} if one.order else {} for one in rounds]
    positions = [one.position or {} for one in rounds]
    moves = [Repeat(move.seat, move.action, move.leaves) for one in rounds for move in one.moves]
    placed = tuple(positions) if any(positions) else ()
    return Point(len(events), tuple(dealt), placed, tuple(moves), state, [seat.player for seat in state.seats])


def not_repeatable() -> Refused:
    """Returns the refusal to fork a game whose log does not follow from its moves by today's rules."""
    return Refused("illegal_action", Message("reason.not_repeatable"), reason="not_repeatable")


# --- who plays ---


def occupants_of(point: Point, creator: str, body: Mapping[str, Any]) -> list[Occupant]:
    """Returns who sits where in a fork: the caller, the bots that they name, and else the bots that sat there.

    Raises:
        Refused: `invalid_request`, the caller has no seat or none that still plays, or a bot is none or has none.
    """
    own = _own_seat_in_fork(point, creator, body)
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
    return [Occupant(creator if seat == own else bot_player(name)) for seat, name in enumerate(names)]


def _own_seat_in_fork(point: Point, creator: str, body: Mapping[str, Any]) -> int:
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
    """Returns the bot that plays for a former player in a fork: the same bot, or for anybody else the stand-in."""
    name = own_bot(player)
    return name if name is not None and name in BOTS else STAND_IN


# --- opening ---


def new_fork(
    game: str, creator: str, parent: Snapshot, point: Point, occupants: Sequence[Occupant], now: int, fresh: Fresh
) -> Step:
    """Returns the steps, to be appended as one, that open a fork and lead to the point from which it goes on.

    Raises:
        Refused: `illegal_action`, they lead elsewhere.
    """
    body = {
        "edition": parent.table.edition,
        "options": parent.table.options,
        "seats": [None] * len(occupants),
        "visibility": "unlisted",
        "sandbox": {"rounds": point.rounds, "positions": point.positions},
    }
    forked_from = {"game": parent.id, "version": point.version}
    opening = new_table(game, creator, body, occupants, now, fresh, forked_from=forked_from)
    made = _repeated_in_fork(opening, point.moves, fresh.tag)
    if _compared_position(made.after.state) != _compared_position(point.state):
        raise not_repeatable()
    return made


def fork_again(game: str, old: Snapshot, moves: Sequence[Repeat], now: int, fresh: Fresh) -> Step:
    """Returns the steps that open a fork once more, at the point from which it went on."""
    occupants = [Occupant(player) for player in old.players]
    opening = new_table(
        game,
        old.table.creator,
        same_table(old),
        occupants,
        now,
        fresh,
        previous=old.id,
        forked_from=old.table.forked_from,
    )
    return _repeated_in_fork(opening, moves, fresh.tag)


def _repeated_in_fork(opening: Step, moves: Sequence[Repeat], tag: str) -> Step:
    """Returns the step that opens a fork and repeats all moves there.

    Raises:
        Refused: `illegal_action`, they cannot be made by the rules of today.
    """
    after, entries = opening.after, [*opening.entries]
    at, more = opening.entries[0].at, dict[int, Cause]()
    for move in moves:
        first = after.version + 1
        try:
            events = events_of(after, move, ms_of(at))
        except (IllegalAction, ImpossibleMove):
            raise not_repeatable() from None
        made = [Entry(version, at, event, version == first) for version, event in enumerate(events, first)]
        more[first] = move
        entries += made
        after = after.after(made, head_of(made[-1].version, tag))
    return Step(None, entries, after, opening.cause, more)


def _compared_position(state: GameState) -> list[Any]:
    """Returns all that the rules know of a state, to compare a fork with the game it continues."""
    if state.status != ACTIVE:
        raise not_repeatable()
    seats = [(seat.hand, seat.discards, seat.tokens, seat.insane_tokens, seat.left) for seat in state.seats]
    names = [one.name for one in fields(state) if one.name not in OF_PLAYERS_AND_CLOCKS]
    return [seats, *[getattr(state, name) for name in names]]
