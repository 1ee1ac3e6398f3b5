"""Pairs queue tickets: finds who plays with whom, from who waits, how long they have, and how good they are.

Whoever has waited longest is served first, with the largest table that those nearest in rating can fill. Two players
fit if the gap between their ratings is within what both accept, which grows while they wait. That they have met lately
counts as a gap too, so that the same people do not meet again and again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from games.queue.tickets import FILL, QueueTicket

Pair: TypeAlias = frozenset[str]
"""Two players."""

FIRST_GAP: Final = 200.0
"""The gap in rating that a player accepts at first."""
GAP_PER_SECOND: Final = 10.0
"""By how much it grows with each second of waiting."""
MET_GAP: Final = 400.0
"""The gap that counts for two players who have just been matched; it fades."""
MET_MS: Final = 3_600_000
"""How long it takes to fade."""
MOST: Final = 500
"""How many players who want the same game are looked at in one wave: those who have waited longest."""
FILL_MS: Final = 20_000
"""How long a player waits before bots take the seats that are left, if everybody at the table accepts that."""


class Pairing(NamedTuple):
    """Players who get a table."""

    tickets: tuple[QueueTicket, ...]
    """Theirs, that of whoever has waited longest first."""
    seats: int
    """How many seats the table has. Bots take those that are left."""


def pairings(
    tickets: Iterable[QueueTicket],
    now: int,
    blocks: Collection[Pair] = (),
    met: Mapping[Pair, int] | None = None,
) -> list[Pairing]:
    """Returns the pairings among queue tickets that wait at a time; no ticket is in two of them.

    `blocks` are the pairs who never meet; `met` says when two were matched last, in milliseconds since 1970.
    """
    of_game: dict[str, list[QueueTicket]] = {}
    for ticket in tickets:
        of_game.setdefault(ticket.wishes.game, []).append(ticket)
    found = (_Wave(some, now, blocks, met or {}).pairings() for some in of_game.values())
    return [pairing for some in found for pairing in some]


class _Wave:
    """Pairs those who wait for the same game at one time."""

    def __init__(
        self, tickets: Iterable[QueueTicket], now: int, blocks: Collection[Pair], met: Mapping[Pair, int]
    ) -> None:
        self._now, self._blocks, self._met = now, blocks, met
        oldest = sorted(tickets, key=lambda ticket: (ticket.since, ticket.id))[:MOST]
        self._left = {one.id: one for one in oldest}
        """Those without a pairing; whoever has waited longest comes first."""
        self._accepted = {one.id: FIRST_GAP + GAP_PER_SECOND * one.waited(now) / 1000 for one in self._left.values()}
        """By ticket, the widest gap that its player accepts."""

    def pairings(self) -> list[Pairing]:
        return [*self._made(self._full_table), *self._made(self._filled_table)]

    def _made(self, table: Callable[[QueueTicket], Pairing | None]) -> Iterator[Pairing]:
        for ticket in [*self._left.values()]:
            if ticket.id in self._left and (pairing := table(ticket)) is not None:
                for one in pairing.tickets:
                    del self._left[one.id]
                yield pairing

    def _full_table(self, ticket: QueueTicket) -> Pairing | None:
        """Returns the largest table that a player can have with others alone; None if there is none."""
        near = self._near(ticket)
        for size in reversed(ticket.wishes.seats):
            group = self._group(ticket, size, near)
            if len(group) == size:
                return Pairing(group, size)
        return None

    def _filled_table(self, ticket: QueueTicket) -> Pairing | None:
        """Returns the table with most players, then fewest bots, that a player can have; None if not yet, or never."""
        if ticket.wishes.bots != FILL or ticket.waited(self._now) < FILL_MS:
            return None
        near = [one for one in self._near(ticket) if one.wishes.bots == FILL]
        found = [Pairing(self._group(ticket, size, near), size) for size in ticket.wishes.seats]
        return max(found, key=lambda pairing: (len(pairing.tickets), -pairing.seats))

    def _near(self, ticket: QueueTicket) -> list[QueueTicket]:
        """Returns those who fit a player, the nearest first."""
        fitting = [one for one in self._left.values() if self._fit(ticket, one)]
        return sorted(fitting, key=lambda other: self._gap(ticket, other))

    def _group(self, ticket: QueueTicket, size: int, near: Iterable[QueueTicket]) -> tuple[QueueTicket, ...]:
        """Returns a player and the nearest others who fit one another at a table, at most `size` together."""
        group = [ticket]
        for one in near:
            if len(group) == size:
                break
            if size in one.wishes.seats and all(self._fit(one, member) for member in group[1:]):
                group.append(one)
        return tuple(group)

    def _fit(self, one: QueueTicket, other: QueueTicket) -> bool:
        """Returns whether two players accept each other."""
        if one.player == other.player or frozenset((one.player, other.player)) in self._blocks:
            return False
        if one.kind != other.kind and not (one.accepts(other.kind) and other.accepts(one.kind)):
            return False
        return self._gap(one, other) <= min(self._accepted[one.id], self._accepted[other.id])

    def _gap(self, one: QueueTicket, other: QueueTicket) -> float:
        """Returns the gap between two players, in points of rating."""
        gap = abs(one.rating - other.rating)
        met = self._met.get(frozenset((one.player, other.player)))
        if met is not None:
            gap += MET_GAP * min(1.0, max(0.0, 1 - (self._now - met) / MET_MS))
        return gap
