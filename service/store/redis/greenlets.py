"""Runs calls on an event loop that give way while they wait, though they are written as if they blocked.

Each call is a greenlet. What would block, commands to Redis above all, switches back to the loop, and the loop
switches to the call again when it is over (decision 033). Everywhere else the same code simply blocks.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import ContextVar, copy_context
from typing import Any, Final, TypeVar

from greenlet import GreenletExit, getcurrent, greenlet

Result = TypeVar("Result")

MOST_IDLE: Final = 64
"""How many greenlets are kept for an event loop's next calls."""


_turn: ContextVar["threading.Lock | None"] = ContextVar("turn", default=None)
"""What this thread holds while it computes in turn with others."""


class CallGreenlet(greenlet):  # type: ignore[misc]  # greenlet is not typed
    """Makes calls on an event loop, one after the other."""

    loop: asyncio.AbstractEventLoop
    """That of the present call."""

    def __init__(self, pool: "GreenletPool") -> None:
        super().__init__(self._serve)
        self.pool = pool
        self._work: Callable[[], object]

    def begin(self, loop: asyncio.AbstractEventLoop, work: Callable[[], object]) -> None:
        """Begins a call, as `GreenletPool.begin` does; if it gives way to the loop, it goes on by itself."""
        self.loop, self._work = loop, work
        self.gr_context = None  # nothing is left that an earlier call has set
        self.switch()

    def wait(self) -> Any:
        """Gives way to the event loop until a reply switches to this call, and returns what it brings, or raises."""
        assert self.parent is not None, "a call is never the main greenlet"
        return self.parent.switch()

    def _serve(self) -> None:
        while True:
            self._work()
            del self._work
            if not self.pool.keep(self):
                return
            self.wait()


class GreenletPool:
    """Makes calls on an event loop, each in a greenlet that is kept for the next ones.

    A greenlet that ends gives the memory of its frames back to the system, and a new one gets it page by page. To make
    one for each call took a tenth of an action's time.
    """

    def __init__(self) -> None:
        self._idle: list[CallGreenlet] = []
        self._most_idle = MOST_IDLE

    async def run(self, work: Callable[[], Result]) -> Result:
        """Makes a call that gives way while it waits for Redis, and returns its outcome, or raises its error.

        Await it in the loop itself, not in another call.
        """
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Result] = loop.create_future()

        def call() -> None:
            try:
                result = work()
            except GreenletExit:
                raise  # the call is given up, and its greenlet with it
            except BaseException as error:
                if not outcome.done():
                    outcome.set_exception(error)
            else:
                if not outcome.done():
                    outcome.set_result(result)

        self.begin(loop, call)
        return await outcome

    def begin(self, loop: asyncio.AbstractEventLoop, work: Callable[[], object]) -> None:
        """Begins a call, in the loop itself. It must not raise: the error would reach whatever resumes the call."""
        (self._idle.pop() if self._idle else CallGreenlet(self)).begin(loop, work)

    def keep(self, idle: CallGreenlet) -> bool:
        """Keeps a greenlet that has made its call for the next one; returns False if there are enough."""
        if len(self._idle) >= self._most_idle:
            return False
        self._idle.append(idle)
        return True

    def end(self) -> None:
        """Lets all greenlets go that make no call, in the thread of the loop: no other thread can end them."""
        self._most_idle = 0
        while self._idle:
            self._idle.pop().throw()


def current_call() -> CallGreenlet | None:
    """Returns the call that runs now, if it runs on an event loop and gives way while it waits for Redis."""
    current = getcurrent()
    return current if isinstance(current, CallGreenlet) else None


def soon_on_loop(work: Callable[[], object], seconds: float) -> bool:
    """Has work done, which must not raise, on the event loop of the present call after so many seconds.

    Returns False and does nothing if the call does not run on a loop.
    """
    call = current_call()
    if call is None:
        return False
    call.loop.call_later(seconds, call.pool.begin, call.loop, work)
    return True


def await_in_greenlet(work: Coroutine[Any, Any, Result]) -> Result:
    """Awaits something on the event loop of the present call, which must run on one, and returns its result."""
    call = current_call()
    assert call is not None, "only a call on a loop can wait for it"
    task = call.loop.create_task(work)
    task.add_done_callback(lambda _: call.switch())
    call.wait()
    return task.result()


def pause(seconds: float) -> None:
    """Waits before a call asks Redis again; its event loop goes on meanwhile."""
    call = current_call()
    if call is None:
        time.sleep(seconds)
    else:
        call.loop.call_later(seconds, call.switch)
        call.wait()


def in_thread(work: Callable[[], Result], threads: Executor | None = None) -> Result:
    """Runs a function that blocks: in a thread for a call on an event loop, so that the loop goes on; else at once.

    A thread that computes in turn with others lets them go on meanwhile.

    A function that may take long needs `threads` of its own: the loop's are few, and actions use them.
    """
    call = current_call()
    if call is None:
        return _out_of_turn(work)
    future = call.loop.run_in_executor(threads, copy_context().run, work)  # logs and jobs name the request
    future.add_done_callback(lambda _: call.switch())
    call.wait()
    try:
        return future.result()
    finally:
        del future, work  # an error holds this frame, which would hold the error: a cycle


def in_turn(work: Callable[[], Result], turn: threading.Lock) -> Result:
    """Runs a function in this thread while no other does that computes in the same turn, except where it blocks."""
    with turn:
        computing = _turn.set(turn)
        try:
            return work()
        finally:
            _turn.reset(computing)


def _out_of_turn(work: Callable[[], Result]) -> Result:
    turn = _turn.get()
    if turn is None:
        return work()
    blocking = _turn.set(None)
    turn.release()
    try:
        return work()
    finally:
        turn.acquire()
        _turn.reset(blocking)
