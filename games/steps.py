"""Derives the events of a step from its cause, by the rules, at a time.

A log can be verified with it: the events of each step follow from its cause and from the log before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from engine import rules
from engine.actions import Action
from engine.errors import IllegalAction
from engine.events import (
    GAME_ENDS,
    Event,
    GameAborted,
    NonceRevealed,
    OfferWithdrawn,
    RevealStarted,
    SeatCleared,
    SeatDeclined,
    SeatOffered,
    SeatTaken,
    SeatTakenBack,
    SeatTimedOut,
    SeatVacated,
    SecretRevealed,
    fold,
)
from engine.logs import codec
from engine.logs.repeating import Move, repeat
from engine.rules import RULES_VERSION
from engine.state import OPEN, GameState
from games.causes import (
    ACTING,
    Abort,
    Act,
    Cause,
    ComeBack,
    Decline,
    EndReveal,
    Expire,
    Invite,
    Join,
    Leave,
    Open,
    Remove,
    Repeat,
    Restore,
    Reveal,
    TakeBreak,
    TimeOut,
    Unseal,
    Withdraw,
    store_cause,
)
from games.clocks.banks import has_time, time_spent
from games.clocks.breaks import break_ended, break_taken
from games.reveals import Reveals
from games.snapshot import Entry, Snapshot, first_snapshot
from games.times import SKEW_MS, ms_of, text_of


@dataclass(eq=False, slots=True)
class Step:
    """Entries to append, with the snapshots before and after; before is None for a new game."""

    before: Snapshot | None
    entries: Sequence[Entry]
    after: Snapshot
    cause: Cause | None = None
    """The cause of the entries, stored with the first of them."""
    more: Mapping[int, Cause] | None = None
    """The causes of later steps, by the version they start at, when several are appended at once."""
    kinds: frozenset[type[Event]] = field(init=False)
    """The classes of the events."""

    def __post_init__(self) -> None:
        self.kinds = frozenset([type(entry.event) for entry in self.entries])


def head_of(version: int, tag: str) -> str:
    """Returns the unique id of an append of a step: the version it leads to and its random tag."""
    return f"{version}:{tag}"


def step(
    before: Snapshot,
    events: Sequence[Event],
    now: int,
    tag: str,
    cause: Cause | None = None,
    state: GameState | None = None,
) -> Step:
    """Returns the step that appends events to a game at a time, in milliseconds since 1970.

    `tag` is random: it tells the append from another one to the same version. `state` is the one after the events,
    where it is known.
    """
    at = text_of(now)
    first = before.version + 1
    entries = [Entry(i, at, event, cause is not None and i == first) for i, event in enumerate(events, first)]
    return Step(before, entries, before.after(entries, head_of(before.version + len(events), tag), state), cause)


def whole_steps(entries: Sequence[Entry], most: int) -> int:
    """Returns how many of a log's entries, at most `most`, end with a step; 0 if the first step is longer."""
    return next((i for i in range(most, 0, -1) if entries[i].first), 0)


def steps_of(entries: Sequence[Entry], before: Snapshot | None, known: Snapshot) -> Iterator[Step]:
    """Yields the steps of consecutive entries of a game, each with the game before and after it.

    `before` is the game before the first entry, None for the entry that begins the log; `known` is the same game at
    any version. Entries that begin inside a step give the rest of it.
    """
    start = 0
    for end in range(1, len(entries) + 1):
        if end < len(entries) and not entries[end].first:
            continue
        part = entries[start:end]
        if before is None:
            after = first_snapshot(part[0], known.secret, known.join_code, known.hints).after(part[1:], "")
        else:
            after = before.after(part, "")
        yield Step(before, part, after)
        before, start = after, end


def causes_of(new: Step) -> Mapping[int, Cause]:
    """Returns the causes that are stored with a step, by the index of the entry they are stored with."""
    causes = {0: new.cause} if new.cause is not None else {}
    if new.more:
        causes |= {version - new.entries[0].version: cause for version, cause in new.more.items()}
    return causes


def stored_form(new: Step) -> list[dict[str, Any]]:
    """Returns a step's entries in stored form, each cause with its first event."""
    stored = [codec.store_event(entry.event, entry.at) for entry in new.entries]
    for index, cause in causes_of(new).items():
        stored[index] |= {"cause": store_cause(cause), "rules": RULES_VERSION}
    return stored


def step_of(before: Snapshot, cause: Cause, now: int, tag: str) -> Step:
    """Returns the step of a cause in a game at a time, in milliseconds since 1970, with a random tag.

    Clocks of machines differ slightly, so a step is never earlier than the one before. A clock that was really set back
    is followed, because the next player would otherwise gain all that time.

    Raises:
        IllegalAction: the rules do not allow it.
    """
    last = ms_of(before.entries[-1].at)
    now = last if now < last <= now + SKEW_MS else now
    if isinstance(cause, ACTING) and cause.action is not None:
        events, state = _acted(before, cause, cause.action, now)
        return step(before, events, now, tag, cause, state)
    return step(before, events_of(before, cause, now), now, tag, cause)


def events_of(before: Snapshot, cause: Cause, now: int) -> list[Event]:
    """Returns the events of a cause at a time; a game that ends reveals its secret, unless others are dealt by it.

    For `Open`, `before` is the game with only its `game_created` event.

    Raises:
        IllegalAction: the rules do not allow it.
        ImpossibleMove: it repeats a move that no seat could make.
    """
    events = _by_the_rules(before, cause, now)
    return events + _revealed(before, events)


def _revealed(before: Snapshot, events: Sequence[Event]) -> list[Event]:
    """Returns what a step reveals beside its events: the secret of a game that ends, unless others are dealt by it."""
    ends = bool(events) and isinstance(events[-1], GAME_ENDS)
    return [SecretRevealed(before.secret.hex())] if ends and before.deal is None else []


def _acted(before: Snapshot, cause: Act | TimeOut, action: Action, now: int) -> tuple[list[Event], GameState]:
    """Returns the events of a step whose cause has an action, and the state after them.

    Raises:
        IllegalAction: the rules do not allow it.
    """
    state, spent = before.state.copy(), time_spent(before, cause, now)
    seat = cause.seat
    if (reason := rules.refusal(state, seat, action)) is not None:
        raise IllegalAction(reason)
    events: list[Event] = [SeatTakenBack(seat)] if isinstance(cause, Act) and state.is_away(seat) else []
    if spent is not None:
        events.append(spent)
    if state.breaks and (ended := break_ended(before.table.clock, state, seat, now)) is not None:
        events.append(ended)
    if isinstance(cause, TimeOut):
        events.append(SeatTimedOut(seat))
    if events:
        fold(state, events)
    events += rules.play(state, action, before.chance())
    if isinstance(events[-1], GAME_ENDS):
        revealed = _revealed(before, events)
        fold(state, revealed)
        events += revealed
    return events, state


def _by_the_rules(before: Snapshot, cause: Cause, now: int) -> list[Event]:
    """Returns the events of a cause by the rules, but for the secret of a game that ends."""
    state = before.state
    match cause:
        case Open(joining, inviting):
            return [*_sit_down(before, joining), *[SeatOffered(one.seat, one.player) for one in inviting]]
        case Invite(seat, player):
            return [SeatOffered(seat, player)]
        case Decline(seat, player, reason):
            return [SeatDeclined(seat, player, reason)]
        case Withdraw(seat, player):
            return [OfferWithdrawn(seat, player)]
        case Join():
            return _sit_down(before, [cause])
        case Reveal(seat, nonce):
            return _reveal(before, seat, nonce)
        case EndReveal():
            assert before.reveals is not None, "there is a wait to end"
            return _start_revealed(before, before.reveals)
        case Leave(seat) if state.status == OPEN:
            return [SeatVacated(seat)]
        case Leave(seat):
            return rules.leave(state, seat, "resigned", before.chance())
        case Remove(seat, player):
            return [SeatCleared(seat, player)]
        case Abort():
            return [GameAborted("called_off")]
        case Expire():
            return [GameAborted("expired")]
        case Restore():
            return [GameAborted("restored")]
        case Unseal():
            return [SecretRevealed(before.secret.hex())]
        case Act():
            return _acted(before, cause, cause.action, now)[0]
        case TimeOut(seat, action):
            if action is not None:
                return _acted(before, cause, action, now)[0]
            spent = time_spent(before, cause, now)
            first = [spent] if spent is not None else []
            return [*first, *rules.leave(fold(state.copy(), first), seat, "timed_out", before.chance())]
        case ComeBack(seat):
            return [SeatTakenBack(seat)]
        case TakeBreak(seat, days):
            asked = before.asked if state.to_act == seat else None
            taken = break_taken(before.table.clock, state, seat, days, asked, now)
            return [SeatTakenBack(seat), taken] if state.is_away(seat) and has_time(before, seat) else [taken]
        case Repeat(seat, action, leaves):
            return repeat(state, Move(seat, action, leaves), before.chance())
        case _:
            assert_never(cause)


def _sit_down(before: Snapshot, joining: Sequence[Join]) -> list[Event]:
    """Returns the events of a step that takes seats; with the last one, the game starts or waits for nonces."""
    taken = [SeatTaken(join.seat, join.player, join.nonce, join.nonce_hash) for join in joining]
    state = before.state.copy()
    for event in taken:
        event.apply(state)
    if any(seat.player is None for seat in state.seats):
        return [*taken]
    committed = {*before.committed, *(join.seat for join in joining if join.nonce_hash)}
    if committed:
        return [*taken, RevealStarted(tuple(sorted(committed)))]
    nonces = before.nonces
    for event in taken:
        nonces[event.seat] = event.nonce
    # The log does not hold all contributions to the shuffle yet, so they are handed over.
    return [*taken, *rules.start(state, nonces, before.chance(nonces), before.table.starter)]


def _reveal(before: Snapshot, seat: int, nonce: str) -> list[Event]:
    """Returns the events of a step that reveals a seat's nonce, and of the game's start if none is missing then."""
    assert before.reveals is not None, "only a full table waits for nonces"
    reveals = before.reveals.with_nonce(seat, nonce)
    revealed = NonceRevealed(seat, nonce)
    return [revealed] if reveals.waiting else [revealed, *_start_revealed(before, reveals)]


def _start_revealed(before: Snapshot, reveals: Reveals) -> list[Event]:
    """Returns the events of a step that starts a game with the nonces revealed; none is dealt from any others."""
    nonces = reveals.contributions(before.nonces)
    return rules.start(
        before.state,
        nonces,
        before.chance(nonces, committed=True),
        before.table.starter,
        committed=tuple(reveals.hashes),
        unrevealed=reveals.waiting,
    )
