"""Schedules calls: actions go first, and reads give way to them for a moment.

All calls of a process share one interpreter. Without scheduling, a flood of polling would delay every action, and a
flood of actions every read. Expensive calls, such as lists, whole logs and forks, have a queue of their own, so cheap
ones never wait behind them. In each queue addresses take turns, and within an address its tokens. Actions that queue
behind others of their address also let calls of other addresses finish.
"""

import asyncio
import contextlib
import math
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from enum import Enum
from typing import Final, NamedTuple, Self, TypeAlias
from urllib.parse import unquote_plus

from games.errors import Refused
from games.messages import Message

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
ACTORS: Final = 1
"""How many calls of one address act at a time beside other addresses, whose calls wait for them. With two, others wait
up to twice as long beside a flood of calls that open tables, and a lone address is served a third faster."""
ACTORS_ALONE: Final = 16
"""The same while nobody else calls: Redis is then sent more at once, and works a third less."""
ALONE_AFTER: Final = 1000
"""After how many calls of one address in a row nobody else is taken to call."""
LONGEST_WAIT: Final = 0.25
"""Seconds after which a cheap read stops waiting: otherwise one slow call could delay all."""
LATE_SECONDS: Final = 0.25
"""For how long a call that has stopped waiting keeps others of its address from it: together they would delay all."""
LONGEST_EXPENSIVE_WAIT: Final = 10.0
"""Seconds after which an expensive call is refused."""
EXPENSIVE: Final = frozenset({"/v1/games", "/v1/lobby/stream", "/v1/players/me/games", "/v1/players/me/data"})
EXPENSIVE_BEGINS: Final = ("/docs", "/openapi.")
EXPENSIVE_ENDS: Final = ("/rounds", "/log", "/events/ndjson")
EXPENSIVE_UNLESS_AFTER: Final = ("/v1/players/me/events", "/v1/players/me/events/stream")
"""Without a cursor they begin with what is open in all games of a player."""
EXPENSIVE_UNLESS_WAITING: Final = "/frames"
"""Its pages hold many views, but one who waits for the next step gets one."""
EXPENSIVE_TO_POST: Final = "/fork"
"""It plays a whole game again."""
OWN_PLAYER: Final = "/v1/players/me"
"""To erase it may take seconds: the player leaves all games, one after the other."""
OPERATORS: Final = "/v1/admin"
CALLS: Final = "/v1/"

Future: TypeAlias = asyncio.Future[None]


class CallKind(Enum):
    """What a call may cost, and so which queue it waits in."""

    ACTION = "changes a game or a player"
    READ = "cheap"
    PAGE = "a file of the table in the browser, or a probe"
    EXPENSIVE = "expensive: a list, a log, a fork, a view of the past, a page of the documentation"
    ERASURE = "erases the caller, who leaves all games"
    OPERATION = "an operator's, which may look through everything or wait for the archive"

    __hash__ = object.__hash__  # an enumeration's own is a function in Python, and each call looks a kind up ten times


AT_ONCE: Final = {CallKind.READ: 1, CallKind.PAGE: 2, CallKind.EXPENSIVE: 1, CallKind.ERASURE: 1, CallKind.OPERATION: 4}
"""How many calls run at a time: more would delay actions. In threads they would finish no sooner, unless Redis is
remote; on the event loop four reads would cost a quarter less each."""
BRIEF: Final = frozenset({CallKind.ACTION, CallKind.READ})
"""Which calls compute for a few milliseconds at most between two waits."""
MAY_BE_REFUSED: Final = frozenset({CallKind.EXPENSIVE, CallKind.OPERATION})
"""Which calls are refused when they have waited for long; all others run then."""


def kind_of(method: str, path: str, query: str) -> CallKind:
    """Returns the kind of an HTTP call, by which the scheduler chooses the queue in which it waits."""
    if "%" in query:
        query = unquote_plus(query)
    if path.startswith(OPERATORS):
        return CallKind.OPERATION
    if method not in READING:
        if path == OWN_PLAYER and method == "DELETE":
            return CallKind.ERASURE
        return CallKind.EXPENSIVE if path.endswith(EXPENSIVE_TO_POST) else CallKind.ACTION
    if path.endswith(EXPENSIVE_UNLESS_WAITING) and not _has(query, "wait"):
        return CallKind.EXPENSIVE
    if path in EXPENSIVE_UNLESS_AFTER and not _has(query, "after"):
        return CallKind.EXPENSIVE
    if path in EXPENSIVE or path.startswith(EXPENSIVE_BEGINS) or path.endswith(EXPENSIVE_ENDS) or _has(query, "at"):
        return CallKind.EXPENSIVE
    return CallKind.READ if path.startswith(CALLS) else CallKind.PAGE


def _has(query: str, name: str) -> bool:
    return query.startswith(f"{name}=") or f"&{name}=" in query


class Who(NamedTuple):
    """The origin of a call."""

    address: str
    token: str


class Call:
    """A call that waits for a slot or has one."""

    __slots__ = ("granted", "is_late", "who")

    def __init__(self, who: Who) -> None:
        self.who = who
        self.is_late = False
        """Whether it has stopped waiting, and runs without a slot."""
        self.granted: Future | None = None
        """Done when it gets its slot, if it had to wait."""


class CallQueue:
    """A queue of waiting calls: addresses take turns, and within an address its tokens."""

    def __init__(self) -> None:
        self.addresses: OrderedDict[str, OrderedDict[str, deque[Call]]] = OrderedDict()
        """The calls that wait, by token, by address."""

    def add(self, call: Call) -> Future:
        """Adds a call to the scheduler's queue, and returns what is done when it gets its slot."""
        call.granted = asyncio.get_running_loop().create_future()
        self.addresses.setdefault(call.who.address, OrderedDict()).setdefault(call.who.token, deque()).append(call)
        return call.granted

    def remove(self, call: Call) -> None:
        """Removes a call that has waited long enough from the scheduler's queue, if it still waits."""
        with contextlib.suppress(KeyError, ValueError):
            self.addresses[call.who.address][call.who.token].remove(call)
            self._tidy(call.who)

    def next(self, address: str | None = None) -> Call | None:
        """Removes the next call, of an address or of all, from the scheduler's queue; gives it its slot and returns it.

        Returns None if none waits.
        """
        while self.addresses if address is None else address in self.addresses:
            tokens = self.addresses[next(iter(self.addresses)) if address is None else address]
            call = next(iter(tokens.values())).popleft()
            tokens.move_to_end(call.who.token)
            self.addresses.move_to_end(call.who.address)
            self._tidy(call.who)
            if call.granted is not None and not call.granted.done():
                call.granted.set_result(None)
                return call
        return None

    def _tidy(self, who: Who) -> None:
        tokens = self.addresses[who.address]
        if not tokens[who.token]:
            del tokens[who.token]
        if not tokens:
            del self.addresses[who.address]


class Scheduler:
    """Schedules the calls of a process. Use it from one event loop only."""

    def __init__(self) -> None:
        self._acting: Counter[str] = Counter()
        """How many calls act, by address."""
        self._to_act: dict[str, CallQueue] = {}
        self._passing: dict[str, set[Call]] = {}
        """The calls of others that the next action of an address still lets finish."""
        self._brief: set[Call] = set()
        """All actions and cheap reads that have a slot."""
        self._latest = ""
        """The address of the latest call."""
        self._in_a_row = 0
        """How many calls in a row have come from there."""
        self._running = dict.fromkeys(AT_ONCE, 0)
        self._waiting = {kind: CallQueue() for kind in AT_ONCE}
        self._late: dict[str, tuple[Call, float]] = {}
        """The latest call of an address that has stopped waiting and has not ended, and when it began."""

    def slot(self, kind: CallKind, who: Who) -> "Slot":
        """Returns the slot of a call with the scheduler, to be waited for and held during a `with` block."""
        self._in_a_row = self._in_a_row + 1 if who.address == self._latest else 0
        self._latest = who.address
        return Slot(self, kind, who)

    def begins(self, kind: CallKind, call: Call) -> bool:
        """Returns whether the scheduler gives a call its slot at once, and begins the call then."""
        if kind is CallKind.ACTION:
            address = call.who.address
            if address in self._to_act or self._acting[address] >= self._most():
                return False
            self._act(call)
            return True
        if self._running[kind] >= AT_ONCE[kind] or self._waiting[kind].addresses:
            return False
        self._run(kind, call)
        return True

    async def begin(self, kind: CallKind, call: Call) -> None:
        """Waits until the scheduler has a slot for a call that did not begin at once.

        Raises:
            Refused: `rate_limited`, an expensive call or an operator's has waited too long.
        """
        await (self._begin_to_act(call) if kind is CallKind.ACTION else self._begin(kind, call))

    def end(self, kind: CallKind, call: Call) -> None:
        """Gives the slot of a call back to the scheduler."""
        if kind is CallKind.ACTION:
            self._end_to_act(call)
        else:
            self._end(kind, call)

    # --- actions ---

    async def _begin_to_act(self, call: Call) -> None:
        """Waits for the slot of an action until few calls of its address act."""
        queue = self._to_act.setdefault(call.who.address, CallQueue())
        granted = queue.add(call)
        try:
            await granted
        except asyncio.CancelledError:
            queue.remove(call)
            if not granted.cancelled():
                self._end_to_act(call)
            raise

    def _most(self) -> int:
        """Returns how many calls of one address may have slots to act at a time now."""
        return ACTORS_ALONE if self._in_a_row >= ALONE_AFTER else ACTORS

    def _act(self, call: Call) -> None:
        self._acting[call.who.address] += 1
        self._brief.add(call)

    def _end_to_act(self, call: Call) -> None:
        address = call.who.address
        self._acting[address] -= 1
        if not self._acting[address]:
            del self._acting[address]
        # Calls of each kind start after every action; otherwise a flood of actions would block them all.
        for kind, queue in self._waiting.items():
            if queue.addresses:
                self._wake(kind)
        self._finish(call)
        self._hand_over(address)

    def _hand_over(self, address: str) -> None:
        """Gives slots to an address's next actions, after the calls of others that are under way now."""
        if address in self._to_act and address not in self._passing:
            others = {call for call in self._brief if call.who.address != address}
            if others:
                self._passing[address] = others
            else:
                self._let_act(address)

    def _let_act(self, address: str) -> None:
        while self._acting[address] < self._most():
            call = self._to_act[address].next()
            if call is None:
                del self._to_act[address]
                break
            self._act(call)

    def _finish(self, call: Call) -> None:
        """Gives slots to the actions that have only waited for this call to end."""
        self._brief.discard(call)
        for address in [address for address, others in self._passing.items() if call in others]:
            self._passing[address].remove(call)
            if not self._passing[address]:
                del self._passing[address]
                self._let_act(address)

    # --- all other calls ---

    async def _begin(self, kind: CallKind, call: Call) -> None:
        """Waits for a slot until few calls of the kind run; behind others also until none acts or one just has."""
        granted = self._waiting[kind].add(call)
        try:
            await asyncio.wait([granted], timeout=LONGEST_EXPENSIVE_WAIT if kind in MAY_BE_REFUSED else LONGEST_WAIT)
            while not granted.done() and kind not in MAY_BE_REFUSED and not self._may_be_late(call):
                await asyncio.wait([granted], timeout=LATE_SECONDS)
        except asyncio.CancelledError:
            self._waiting[kind].remove(call)
            if granted.done():
                self._end(kind, call)
            raise
        if granted.done():
            return
        self._waiting[kind].remove(call)
        if kind in MAY_BE_REFUSED:
            message = Message("detail.too_many_read")
            raise Refused("rate_limited", message, limit="reading_at_once", retry_after=1)
        self._run_late(kind, call)

    def _may_be_late(self, call: Call) -> bool:
        """Returns whether a call may stop waiting for the scheduler to give it a slot."""
        _, began = self._late.get(call.who.address, (None, -math.inf))
        return self._in_a_row >= ALONE_AFTER or asyncio.get_running_loop().time() >= began + LATE_SECONDS

    def _run_late(self, kind: CallKind, call: Call) -> None:
        call.is_late = True
        self._late[call.who.address] = call, asyncio.get_running_loop().time()
        if kind is CallKind.READ:
            self._brief.add(call)

    def _run(self, kind: CallKind, call: Call) -> None:
        self._running[kind] += 1
        if kind is CallKind.READ:
            self._brief.add(call)

    def _end(self, kind: CallKind, call: Call) -> None:
        address = call.who.address
        if not call.is_late:
            self._running[kind] -= 1
        elif self._late.get(address, (None, 0.0))[0] is call:
            del self._late[address]
            if (heir := self._waiting[kind].next(address)) is not None:
                self._run_late(kind, heir)
        self._finish(call)
        if not self._acting:
            self._wake(kind)

    def _wake(self, kind: CallKind) -> None:
        """Gives slots to the next calls of a kind while the scheduler has room."""
        while self._running[kind] < AT_ONCE[kind] and (call := self._waiting[kind].next()) is not None:
            self._run(kind, call)


class Slot:
    """The slot of a call: waited for and held during a `with` block, once."""

    def __init__(self, scheduler: Scheduler, kind: CallKind, who: Who) -> None:
        self.kind = kind
        self._scheduler = scheduler
        self._who = who
        self._call: Call | None = None
        """Set while the slot is held."""
        self._is_over = False

    async def __aenter__(self) -> Self:
        """Waits until the scheduler gives a call its slot.

        Raises:
            Refused: `rate_limited`, an expensive call or an operator's has waited too long.
        """
        call = Call(self._who)
        if not self._scheduler.begins(self.kind, call):
            await self._scheduler.begin(self.kind, call)
        self._call = call
        return self

    async def __aexit__(self, *error: object) -> None:
        """Gives a call's slot back to the scheduler."""
        self._is_over = True
        self._end()

    @contextlib.asynccontextmanager
    async def given_up(self) -> AsyncIterator[None]:
        """Gives a call's slot up while its long-poll waits in a `with` block, and waits for another one after it."""
        self._end()
        yield
        if not self._is_over:
            await self.__aenter__()
        if self._is_over:
            self._end()

    def _end(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            self._scheduler.end(self.kind, call)
