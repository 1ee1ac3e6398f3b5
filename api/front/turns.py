"""Schedules calls: actions go first, and reads give way to them for a moment.

All calls of a process share one interpreter. Without scheduling, a flood of polling would delay every action, and a
flood of actions every read. Expensive reads, such as lists and whole logs, have their own queue, so cheap ones never
wait behind them. In each queue addresses take turns, and within an address its tokens.
"""

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from typing import Final, NamedTuple, TypeAlias

from games.errors import Refused
from games.messages import Message

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
ACTORS: Final = 2
"""How many calls of one address act at a time beside other addresses, whose calls wait for them. With four, a flood of
calls that open tables makes others wait a third longer; with one, an address of many players is served too slowly."""
ACTORS_ALONE: Final = 16
"""The same while nobody else calls: Redis is then sent more at once, and works a third less."""
ALONE_AFTER: Final = 1000
"""After how many calls of one address in a row nobody else is taken to call."""
READERS: Final = 1
"""How many calls read at a time: more would delay actions. In threads they would finish no sooner, unless Redis is
remote; on the event loop four would cost a quarter less each."""
LONGEST_WAIT: Final = 0.25
"""Seconds after which a cheap call stops waiting: otherwise one slow call could delay all."""
LONGEST_DEAR_WAIT: Final = 10.0
"""Seconds after which an expensive call is refused."""
DEAR: Final = frozenset({"/v1/games", "/v1/players/me/games", "/v1/players/me/data", "/metrics", "/openapi.json"})
DEAR_BEGINS: Final = ("/docs",)
DEAR_ENDS: Final = ("/rounds", "/log", "/events/ndjson")
DEAR_UNLESS_WAITING: Final = "/frames"
"""Its pages hold many views, but one who waits for the next step gets one."""

BRIEF_BEGINS: Final = "/v1/"
LONG_BEGINS: Final = "/v1/admin"
"""Operators' calls look through everything, or wait for the archive."""
LONG_ENDS: Final = "/fork"

Future: TypeAlias = asyncio.Future[None]


def is_dear(path: str, query: str) -> bool:
    """Returns whether a call may read or send a lot: lists, logs, views of the past, pages."""
    if path.endswith(DEAR_UNLESS_WAITING) and "wait=" not in query:
        return True
    return path in DEAR or path.startswith(DEAR_BEGINS) or path.endswith(DEAR_ENDS) or "at=" in query


def is_brief(path: str) -> bool:
    """Returns whether a call computes for a few milliseconds at most between two waits, unless it is dear."""
    return path.startswith(BRIEF_BEGINS) and not path.startswith(LONG_BEGINS) and not path.endswith(LONG_ENDS)


class Who(NamedTuple):
    """The origin of a call."""

    address: str
    token: str


class Line:
    """A queue of waiting calls: addresses take turns, and within an address its tokens."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, OrderedDict[str, deque[Future]]] = OrderedDict()

    def add(self, who: Who, place: Future) -> None:
        """Adds a call."""
        self._addresses.setdefault(who.address, OrderedDict()).setdefault(who.token, deque()).append(place)

    def remove(self, who: Who, place: Future) -> None:
        """Removes a call that has waited long enough, if it still waits."""
        with contextlib.suppress(KeyError, ValueError):
            self._addresses[who.address][who.token].remove(place)
            self._tidy(who)

    def next(self) -> Future | None:
        """Removes and returns the next call; None if none waits."""
        if not self._addresses:
            return None
        address, tokens = next(iter(self._addresses.items()))
        token, places = next(iter(tokens.items()))
        place = places.popleft()
        tokens.move_to_end(token)
        self._addresses.move_to_end(address)
        self._tidy(Who(address, token))
        return place

    def _tidy(self, who: Who) -> None:
        tokens = self._addresses[who.address]
        if not tokens[who.token]:
            del tokens[who.token]
        if not tokens:
            del self._addresses[who.address]


class Turns:
    """Schedules the calls of a process. Use it from one event loop only."""

    def __init__(self) -> None:
        self._acting: Counter[str] = Counter()
        self._to_act: dict[str, Line] = {}
        self._latest = ""
        """The address of the latest call."""
        self._in_a_row = 0
        """How many calls in a row have come from there."""
        self._reading = {False: 0, True: 0}
        self._waiting = {False: Line(), True: Line()}

    @contextlib.asynccontextmanager
    async def acting(self, who: Who) -> AsyncIterator[None]:
        """Waits until few calls of the same address act, and holds back reads that have not started."""
        self._note(who)
        if who.address not in self._to_act and self._acting[who.address] < self._most():
            self._acting[who.address] += 1
        else:
            await self._take_over(who)
        try:
            yield
        finally:
            self._hand_over(who.address)
            # One read of each kind starts after every action; otherwise a flood of actions would block all reads.
            self._wake(False)
            self._wake(True)

    def _note(self, who: Who) -> None:
        self._in_a_row = self._in_a_row + 1 if who.address == self._latest else 0
        self._latest = who.address

    def _most(self) -> int:
        """Returns how many calls of one address may act at a time now."""
        return ACTORS_ALONE if self._in_a_row >= ALONE_AFTER else ACTORS

    async def _take_over(self, who: Who) -> None:
        """Waits until another call of the same address hands over its place."""
        place = asyncio.get_running_loop().create_future()
        line = self._to_act.setdefault(who.address, Line())
        line.add(who, place)
        try:
            await place
        except asyncio.CancelledError:
            line.remove(who, place)
            if not place.cancelled():
                self._hand_over(who.address)
            raise

    def _hand_over(self, address: str) -> None:
        """Hands the place to the next calls of the same address, or releases it."""
        self._acting[address] -= 1
        line = self._to_act.get(address)
        while line is not None and self._acting[address] < self._most():
            place = line.next()
            if place is None:
                del self._to_act[address]
                break
            if not place.done():
                self._acting[address] += 1
                place.set_result(None)
        if not self._acting[address]:
            del self._acting[address]

    @contextlib.asynccontextmanager
    async def reading(self, who: Who, *, dear: bool = False) -> AsyncIterator[None]:
        """Waits until no call acts or one has just acted, and few calls read; a cheap call gives up waiting early.

        Raises:
            Refused: `rate_limited`, an expensive call has waited too long.
        """
        self._note(who)
        if not self._has_room(dear):
            await self._wait(who, dear)
        self._reading[dear] += 1
        try:
            yield
        finally:
            self._reading[dear] -= 1
            if not self._acting:
                self._wake(dear)

    async def _wait(self, who: Who, dear: bool) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting[dear].add(who, place)
        try:
            async with asyncio.timeout(LONGEST_DEAR_WAIT if dear else LONGEST_WAIT):
                await place
        except TimeoutError:
            if dear and place.cancelled():
                said = Message("detail.too_many_read", {"limit": "reading_at_once"})
                raise Refused("rate_limited", said, limit="reading_at_once", retry_after=1) from None
        finally:
            self._waiting[dear].remove(who, place)

    def _has_room(self, dear: bool) -> bool:
        return not self._acting and self._reading[dear] < READERS

    def _wake(self, dear: bool) -> None:
        """Wakes the next reads while there is room; each takes its place when it runs."""
        room = READERS - self._reading[dear]
        while room > 0 and (place := self._waiting[dear].next()) is not None:
            if not place.done():
                place.set_result(None)
                room -= 1
