"""Runs calls on an event loop that give way while they wait, though they are written as if they blocked.

Each call is a greenlet. What would block, an exchange with Redis above all, switches back to the loop, and the loop
switches to the call again when it is over (decision 033). Everywhere else the same code simply blocks.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import copy_context
from typing import Any, Generic, TypeVar

from greenlet import getcurrent, greenlet

Result = TypeVar("Result")


class Serving(greenlet, Generic[Result]):  # type: ignore[misc]  # greenlet is not typed
    """A call on an event loop. Create it in the loop itself, not in another call."""

    def __init__(self, work: Callable[[], Result]) -> None:
        super().__init__(self._serve)
        self._work = work
        self.loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Result] | None = None
        self._outcome: Result | None = None
        self._error: BaseException | None = None

    async def outcome(self) -> Result:
        """Makes a call that gives way while it waits for Redis, and returns its outcome, or raises its error."""
        self.switch()
        if not self.dead:
            self._future = self.loop.create_future()
            return await self._future
        if self._error is not None:
            raise self._error
        return self._outcome  # type: ignore[return-value]  # set, unless there is an error

    def wait(self) -> Any:
        """Gives way to the event loop until a reply switches to this call, and returns what it brings, or raises."""
        assert self.parent is not None, "a call is never the main greenlet"
        return self.parent.switch()

    def _serve(self) -> None:
        try:
            self._outcome = self._work()
        except BaseException as error:
            self._error = error
        future = self._future
        if future is None or future.done():
            return
        if self._error is not None:
            future.set_exception(self._error)
        else:
            future.set_result(self._outcome)  # type: ignore[arg-type]  # as above


def serving() -> Serving[Any] | None:
    """Returns the call that runs now, if it runs on an event loop and gives way while it waits for Redis."""
    current = getcurrent()
    return current if isinstance(current, Serving) else None


def soon_on_loop(work: Callable[[], object], seconds: float) -> bool:
    """Has work done, which must not raise, on the event loop of the present call after so many seconds.

    Returns False and does nothing if the call does not run on a loop.
    """
    call = serving()
    if call is None:
        return False
    call.loop.call_later(seconds, lambda: Serving(work).switch())
    return True


def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """Has the event loop of the present call, which must run on one, do something; returns its result once done."""
    call = serving()
    assert call is not None, "only a call on a loop can wait for it"
    task = call.loop.create_task(work)
    task.add_done_callback(lambda _: call.switch())
    call.wait()
    return task.result()


def pause(seconds: float) -> None:
    """Waits before a call asks Redis again; its event loop goes on meanwhile."""
    call = serving()
    if call is None:
        time.sleep(seconds)
    else:
        call.loop.call_later(seconds, call.switch)
        call.wait()


def off_loop(work: Callable[[], Result], threads: Executor | None = None) -> Result:
    """Does what blocks: in a thread if a call on an event loop asks, so that the loop goes on, else at once.

    What may take long needs `threads` of its own: the loop's own are few, and actions use them.
    """
    call = serving()
    if call is None:
        return work()
    future = call.loop.run_in_executor(threads, copy_context().run, work)  # logs and jobs name the request
    future.add_done_callback(lambda _: call.switch())
    call.wait()
    return future.result()
