"""Has a service called on an event loop, as the API does, by tests that call it like any other."""

import asyncio
import threading
from contextlib import contextmanager
from functools import partial

from service.store.redis.greenlets import GreenletPool

PLAIN = (str, bytes, int, float, dict, list, tuple, set, type(None))


async def serve(work):
    """Makes one call on an event loop as a `GreenletPool` makes many."""
    pool = GreenletPool()
    try:
        return await pool.run(work)
    finally:
        pool.end()


class OnLoop:
    """Something whose methods, and those of what it holds, are called on a loop of another thread."""

    def __init__(self, what, loop):
        self._what, self._loop = what, loop

    def __getattr__(self, name):
        found = getattr(self._what, name)
        return found if isinstance(found, PLAIN) else OnLoop(found, self._loop)

    def __call__(self, *arguments, **more):
        async def called():
            return await serve(partial(self._what, *arguments, **more))

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(300)


async def left(redis_client):
    redis_client.leave_loop()


@contextmanager
def running_loop(service):
    """A loop that runs in a thread of its own; in the end the service leaves it, as when the API stops."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="loop")
    thread.start()
    try:
        yield loop
    finally:
        service.notifier.settle()
        # In the loop itself: a call would never be gone back to, once those that wait have been told.
        asyncio.run_coroutine_threadsafe(left(service.redis), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.run_until_complete(asyncio.sleep(0.05))  # connections that were aborted are closed by then
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
