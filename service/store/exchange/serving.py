"""Runs calls on an event loop that give way while they wait, though they are written as if they blocked.

Each call is a greenlet. What would block, an exchange with Redis above all, switches back to the loop, and the loop
switches to the call again when it is over (decision 033). Everywhere else the same code simply blocks.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import copy_context
from typing import Any, Final, Generic, TypeVar

from greenlet import GreenletExit, getcurrent, greenlet

Result = TypeVar("Result")

MOST_IDLE: Final = 64
"""How many greenlets are kept for an event loop's next calls."""


class CallGreenlet(greenlet):  # type: ignore[misc]  # greenlet is not typed
    """Makes calls on an event loop, one after the other."""

    loop: asyncio.AbstractEventLoop
    """That of the present call."""

    def __init__(self, calls: "Calls") -> None:
        super().__init__(self._serve)
        self.calls = calls
        self._work: Callable[[], object]

    def begin(self, loop: asyncio.AbstractEventLoop, work: Callable[[], object]) -> None:
        """Begins a call, as `Calls.begin` does; if it gives way to the loop, it goes on by itself."""
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
            if not self.calls.keep(self):
                return
            self.wait()


class Calls:
    """Makes calls on an event loop, each in a greenlet that is kept for the next ones.

    A greenlet that ends gives the memory of its frames back to the system, and a new one gets it page by page. To make
    one for each call took a tenth of an action's time.
    """

    def __init__(self) -> None:
        self._idle: list[CallGreenlet] = []
        self._most_idle = MOST_IDLE

    async def make(self, work: Callable[[], Result]) -> Result:
        """Makes a call that gives way while it waits for Redis, and returns its outcome, or raises its error.

        Await it in the loop itself, not in another call.
        """
        loop, call = asyncio.get_running_loop(), _Call(work)
        self.begin(loop, call.make)
        if not call.is_over:
            call.over = loop.create_future()
            await call.over
        return call.outcome()

    def begin(self, loop: asyncio.AbstractEventLoop, work: Callable[[], object]) -> None:
        """Begins a call, in the loop itself. It must not raise: the error would reach whatever resumes the call."""
        (self._idle.pop() if self._idle else CallGreenlet(self)).begin(loop, work)

    def keep(self, serving: CallGreenlet) -> bool:
        """Keeps a greenlet that has made its call for the next one; returns False if there are enough."""
        if len(self._idle) >= self._most_idle:
            return False
        self._idle.append(serving)
        return True

    def end(self) -> None:
        """Lets all greenlets go that make no call, in the thread of the loop: no other thread can end them."""
        self._most_idle = 0
        while self._idle:
            self._idle.pop().throw()


class _Call(Generic[Result]):
    """A call with its result, or its error."""

    __slots__ = ("_error", "_outcome", "_work", "is_over", "over")

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._outcome: Result | None = None
        self._error: BaseException | None = None
        self.is_over = False
        self.over: asyncio.Future[None] | None = None
        """Done when the call is over, if it has given way."""

    def make(self) -> None:
        try:
            self._outcome = self._work()
        except GreenletExit:
            raise  # the call is given up, and its greenlet with it
        except BaseException as error:
            self._error = error
        self.is_over = True
        if self.over is not None and not self.over.done():
            self.over.set_result(None)

    def outcome(self) -> Result:
        if self._error is not None:
            raise self._error
        return self._outcome  # type: ignore[return-value]  # without an error, it is what the work has returned


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
    call.loop.call_later(seconds, call.calls.begin, call.loop, _Call(work).make)
    return True


def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """Has the event loop of the present call, which must run on one, do something; returns its result once done."""
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

    A function that may take long needs `threads` of its own: the loop's are few, and actions use them.
    """
    call = current_call()
    if call is None:
        return work()
    future = call.loop.run_in_executor(threads, copy_context().run, work)  # logs and jobs name the request
    future.add_done_callback(lambda _: call.switch())
    call.wait()
    try:
        return future.result()
    finally:
        del future, work  # an error holds this frame, which would hold the error: a cycle
