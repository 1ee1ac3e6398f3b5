"""A game read from Redis at one version: its state, the events since the newest round, and views on demand.

Snapshots are immutable, so threads may share them. A later snapshot is made from an earlier one.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine import rules, views
from engine.events import (
    GAME_ENDS,
    CardPlayed,
    Event,
    GameAborted,
    GameCreated,
    GameStarted,
    RoundStarted,
    SeatLeft,
    SeatTaken,
    SeatTimedOut,
    SecretRevealed,
    fold,
)
from engine.shuffle import COMMITTED, PLAIN, ArrangedChance, Chance, Dealer
from engine.state import ABORTED, ACTIVE, FINISHED, OPEN, GameState
from engine.views import Viewer
from games.clocks.breaks import still_ms
from games.clocks.time_limits import limit_ms
from games.ids import own_bot
from games.reveals import Reveals, reveals_of
from games.times import ms_of


class Entry(NamedTuple):
    """One event of a log with its version and its time, RFC 3339."""

    version: int
    at: str
    event: Event
    first: bool = False
    """Whether a step is known to begin with it: its cause is stored beside it."""


@dataclass(eq=False, slots=True, kw_only=True)
class Snapshot:
    """A game at one version of its log."""

    id: str
    head: str
    """The version and a random tag of the append that made it: equal heads are equal logs."""
    secret: bytes
    join_code: str
    created: Entry
    table: GameCreated
    """What never changes about the game: the first event."""
    started: Entry | None
    entries: tuple[Entry, ...]
    """All entries since the newest round started; before the start, all entries."""
    state: GameState
    players: list[str | None]
    """The ids of the players by seat, None where a seat is open."""
    finished_at: str | None
    next_game: str | None
    hints: tuple[tuple[int, int], ...] = ()
    """The hints that were given: the seat, and the version about which it asked."""
    notify_version: int = 0
    """The newest version with notices for players."""
    notified_version: int = 0
    """The version up to which they are known to have been notified."""
    address_hash: str = ""
    """The hash of the address that opened the game; "" if unknown. Never shown to anybody."""
    _views: dict[Viewer, GameState] = field(default_factory=dict)
    """The newest known state of each viewer who asked, of this log: a snapshot made from this one gets a copy, because
    it may be of an action that is never appended, and what that would have shown must not come back here."""
    # These follow from the rest; each action asks for them two dozen times.
    version: int = field(init=False)
    """The length of the log."""
    question: Entry | None = field(init=False, default=None)
    """The entry that has put the open question: a turn or a decision.

    None when there is none, also at a version in the middle of an action, where the next one is not put yet."""
    asked: int | None = field(init=False, default=None)
    """When the open question was put, in milliseconds since 1970; None if there is none."""
    deadline: int | None = field(init=False, default=None)
    """By when the seat to act must act, in milliseconds since 1970; None without a limit."""
    reveals: Reveals | None = field(init=False, default=None)
    """The nonces committed to, while the full table waits for them; otherwise None."""

    def __post_init__(self) -> None:
        state, entries = self.state, self.entries
        self.version = state.version
        if state.status == OPEN:
            if None not in self.players:
                self.reveals = reveals_of([(ms_of(entry.at), entry.event) for entry in entries])
        elif state.status == ACTIVE and entries and state.since >= entries[0].version:
            self.question = entries[state.since - entries[0].version]
            self.asked = ms_of(self.question.at)
            if self.table.clock is not None and (seat := state.to_act) is not None:
                self.deadline = self.asked + limit_ms(self.table.clock, state, seat)
                if state.breaks:
                    self.deadline += still_ms(state, seat, self.asked)

    @property
    def ended(self) -> bool:
        """Returns whether the game is over."""
        return self.state.status in (FINISHED, ABORTED)

    @property
    def abort_reason(self) -> str | None:
        """Returns why a table expired or its game ended without a result; None for any other game."""
        if self.state.status != ABORTED:
            return None
        return next((entry.event.reason for entry in self.entries if isinstance(entry.event, GameAborted)), None)

    @property
    def deal(self) -> str | None:
        """Returns the name of the deal that the game shares with others; None if it shares none."""
        return self.table.deal

    @property
    def sealed(self) -> bool:
        """Returns whether the game keeps its cards to itself, also when it has ended: others are dealt them too."""
        return self.deal is not None and not isinstance(self.entries[-1].event, SecretRevealed)

    @property
    def begun(self) -> bool:
        """Returns whether anybody has acted in the game."""
        acts = (CardPlayed, SeatLeft, SeatTimedOut)
        return self.state.round_number > 1 or any(isinstance(entry.event, acts) for entry in self.entries)

    @property
    def unattended(self) -> bool:
        """Returns whether only the service's own bots still play."""
        return all(own_bot(seat.player) is not None for seat in self.state.seats if not seat.left)

    @property
    def bots_alone(self) -> bool:
        """Returns whether only the service's own bots still play in this round."""
        return all(own_bot(self.state.seats[seat].player) is not None for seat in self.state.alive())

    @property
    def humans(self) -> tuple[str, ...]:
        """Returns the people for whom the bots play: those who have not left, or else the creator."""
        seated = [seat.player for seat in self.state.seats if not seat.left]
        people = tuple([player for player in seated if player is not None and own_bot(player) is None])
        return people or (self.table.creator,)

    def seat_of(self, player: str | None) -> int | None:
        """Returns the seat of a player, the first of several, or None."""
        return None if player is None else next((i for i, p in enumerate(self.players) if p == player), None)

    def seats_of(self, player: str | None) -> list[int]:
        """Returns all seats of a player: more than one only for the creator of a sandbox."""
        return [] if player is None else [i for i, p in enumerate(self.players) if p == player]

    def may_see(self, player: str | None) -> bool:
        """Returns whether a player may look at the game without its join code."""
        if self.table.deal is not None and self.sealed:
            return player is not None and player in self.players
        if self.table.visibility == "public":
            return True
        invited = self.state.offers.values()
        return player is not None and (player in self.players or player == self.table.creator or player in invited)

    def may_see_all(self, player: str | None) -> bool:
        """Returns whether a player sees every card: anybody once it has ended unsealed, a sandbox's creator always."""
        return (self.ended and not self.sealed) or (self.table.sandbox and player == self.table.creator)

    def hints_of(self, seat: int) -> int:
        """Returns how many hints a seat has been given, up to this version."""
        return sum([one == seat and version <= self.version for one, version in self.hints])

    def as_appended(self) -> "Snapshot":
        """Returns the snapshot as it was when its newest event was appended: without the hints about it, or later."""
        hints = tuple([one for one in self.hints if one[1] < self.version])
        return self if hints == self.hints else replace(self, hints=hints)

    def offer_to(self, player: str) -> int | None:
        """Returns the seat that a player is invited to, or None."""
        return next((seat for seat, invited in self.state.offers.items() if invited == player), None)

    def is_join_code(self, text: str | None) -> bool:
        """Returns whether a text is the join code of the game, ignoring case; compared in constant time."""
        return text is not None and hmac.compare_digest(text.strip().upper().encode(), self.join_code.encode())

    @property
    def waits_since(self) -> int | None:
        """Returns since when the game waits for a seat, or a full table's nonces, in milliseconds since 1970."""
        return self.reveals.since if self.reveals is not None else self.asked

    @property
    def waits_until(self) -> int | None:
        """Returns when the game continues by itself, in milliseconds since 1970; None if it never does."""
        return self.reveals.until if self.reveals is not None else self.deadline

    @property
    def committed(self) -> dict[int, str]:
        """Returns the nonce hashes of those who sit at the table, by seat, before the start."""
        taken = {entry.event.seat: entry.event for entry in self.entries if isinstance(entry.event, SeatTaken)}
        return {
            seat: event.nonce_hash
            for seat, event in sorted(taken.items())
            if event.nonce_hash and event.player == self.players[seat]
        }

    @property
    def nonces(self) -> list[str]:
        """Returns the players' contributions to the shuffle, by seat."""
        if self.started is not None and isinstance(self.started.event, GameStarted):
            return list(self.started.event.nonces)
        given = {entry.event.seat: entry.event.nonce for entry in self.entries if isinstance(entry.event, SeatTaken)}
        return [given.get(seat, "") for seat in range(len(self.state.seats))]

    def chance(self, nonces: Sequence[str] | None = None, *, committed: bool = False) -> Chance:
        """Returns the chance of the game, which follows from its secret and nonces.

        What goes in is read from the log unless the game has not started yet: then the nonces are given, and whether a
        player has `committed` to one.
        """
        if self.started is not None and isinstance(self.started.event, GameStarted):
            committed = bool(self.started.event.committed)
        mode = COMMITTED if committed else PLAIN
        dealer = Dealer(self.secret, self.deal or self.id, self.nonces if nonces is None else nonces, mode)
        return ArrangedChance(dealer, self.table.sandbox_rounds) if self.table.sandbox else dealer

    def view(self, viewer: Viewer) -> GameState:
        """Returns the viewer's state, folded from the redacted log; callers must not change it."""
        known, first = self._views.get(viewer), self.entries[0].version
        if known is not None and known.version == self.version:
            return known
        starts = known is not None and known.status == OPEN and self.started is not None
        if known is None or known.version > self.version or starts:
            state = self._folded_view(viewer)
        else:
            state = known.copy()
            # The rounds before the newest one leave nothing that its first event does not say.
            state.version = max(state.version, first - 1)
            missing = self.entries[state.version + 1 - first :]
            views.advance(state, [entry.event for entry in missing], viewer)
        self._views[viewer] = state
        return state

    def round_seen(self, viewer: Viewer) -> list[Event]:
        """Returns the events since the newest round began, as the viewer may see them."""
        return views.redact_log([entry.event for entry in self.entries], viewer)

    def _folded_view(self, viewer: Viewer) -> GameState:
        events = [entry.event for entry in self.entries]
        if self.started is None:
            return views.view(events, viewer)
        state = views.view([self.created.event, self.started.event], viewer)
        state.version = self.entries[0].version - 1  # as above
        return views.advance(state, events, viewer)

    def after(
        self, entries: Sequence[Entry], head: str, state: GameState | None = None, started: Entry | None = None
    ) -> "Snapshot":
        """Returns the snapshot after further entries.

        `state` is the one after them, where it is known; `started` began the game, if the entries before are left out.
        """
        finished_at, kept = self.finished_at, (*self.entries, *entries)
        if started is None:
            started = self.started
        # Only the new ones are looked at: a table may be sat down at and left hundreds of times before its start.
        for i, entry in enumerate(entries):
            kind = type(entry.event)
            if kind is RoundStarted:
                kept = tuple(entries[i:])
            elif kind is GameStarted:
                started = entry
            elif kind in GAME_ENDS:
                finished_at = entry.at
        if state is None:
            state = fold(self.state.copy(), [entry.event for entry in entries]) if entries else self.state
        return Snapshot(  # all by name: `replace` takes four times as long, a hundredth of an action
            id=self.id,
            head=head,
            secret=self.secret,
            join_code=self.join_code,
            created=self.created,
            table=self.table,
            started=started,
            entries=kept,
            state=state,
            players=self.players if self.state.status == ACTIVE else players_of(state),
            finished_at=finished_at,
            next_game=self.next_game,
            hints=self.hints,
            notify_version=self.notify_version,
            notified_version=self.notified_version,
            address_hash=self.address_hash,
            _views=dict(self._views),
        )

    def from_round(self, started: Entry, entries: Sequence[Entry], head: str) -> "Snapshot":
        """Returns the snapshot of a table after entries that begin with a round; earlier rounds are left out."""
        state = fold(self.state.copy(), [started.event])
        state.version = entries[0].version - 1
        return self.after(entries, head, fold(state, [entry.event for entry in entries]), started)


def first_snapshot(created: Entry, secret: bytes, join_code: str, hints: tuple[tuple[int, int], ...] = ()) -> Snapshot:
    """Returns the snapshot of a log that contains only its first event; `hints` are those of the whole game."""
    assert isinstance(created.event, GameCreated)
    state = rules.begin(created.event)
    return Snapshot(
        id=created.event.game,
        head="",
        secret=secret,
        join_code=join_code,
        created=created,
        table=created.event,
        started=None,
        entries=(created,),
        state=state,
        players=players_of(state),
        finished_at=None,
        next_game=None,
        hints=hints,
    )


def players_of(state: GameState) -> list[str | None]:
    """Returns the ids of the players in a state by seat, None where a seat is open; play does not change them."""
    return [seat.player for seat in state.seats]
