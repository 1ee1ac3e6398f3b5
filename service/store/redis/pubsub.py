"""Listens to everything published on Redis over one connection."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final

from games.errors import Unavailable
from service.store.redis.client import AWAY

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
AT_ONCE: Final = 500
"""Channels per subscribe command."""

_log = logging.getLogger(__name__)


class Subscriptions:
    """The subscribed channels. A lost connection is reopened and the channels are subscribed to again."""

    def __init__(
        self,
        listening: Callable[[], tuple[Any, str]],
        heard: Callable[[str, bytes], None],
        confirmed: Callable[[str], None],
    ) -> None:
        """`listening` is that of a `RedisClient`; `heard` takes a channel and a message.

        `confirmed` is called when all that Redis publishes on a channel from then on will be heard.
        """
        self._listening = listening
        self._heard = heard
        self._confirmed = confirmed
        # In the order they were added, which is the order of confirmation.
        self._wanted: dict[str, None] = {}
        self._more: dict[str, None] = {}
        self._less: set[str] = set()
        self._changed = asyncio.Event()
        self._beginning = ""

    def add(self, channel: str) -> None:
        """Subscribes to a channel of Redis."""
        self._wanted[channel] = None
        self._less.discard(channel)
        self._more[channel] = None
        self._changed.set()

    def remove(self, channel: str) -> None:
        """Unsubscribes from a channel of Redis."""
        self._wanted.pop(channel, None)
        self._more.pop(channel, None)
        self._less.add(channel)
        self._changed.set()

    async def run(self) -> None:
        """Listens to the subscribed channels of Redis until cancelled."""
        pause = FIRST_PAUSE
        while True:
            await self._changed.wait()  # do not connect before there is something to hear
            connection = None
            try:
                connection = await self._connected()
                pause = FIRST_PAUSE
                await self._serve(connection)
            except (*AWAY, OSError, Unavailable) as error:
                _log.warning("not receiving events from Redis at the moment: %s", error)
            finally:
                if connection is not None:
                    with contextlib.suppress(*AWAY, OSError):
                        await connection.disconnect()
            self._changed.set()
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)

    async def _connected(self) -> Any:
        connection, self._beginning = await asyncio.get_running_loop().run_in_executor(None, self._listening)
        try:
            await connection.connect()
        except BaseException:
            # A process that stops at this moment must not leave the socket behind.
            await connection.disconnect()
            raise
        return connection

    async def _serve(self, connection: Any) -> None:
        self._more, self._less = dict(self._wanted), set()
        self._changed.set()
        # One task writes and one reads: two commands written at once would mix.
        writing = asyncio.ensure_future(self._write(connection))
        try:
            while True:
                kind, name, message = await connection.read_response()
                channel = name.decode().removeprefix(self._beginning)
                if kind == b"message":
                    self._heard(channel, message)
                elif kind == b"subscribe":
                    self._confirmed(channel)
        finally:
            writing.cancel()
            with contextlib.suppress(asyncio.CancelledError, *AWAY, OSError):
                await writing

    async def _write(self, connection: Any) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            more, less = list(self._more), list(self._less)
            self._more, self._less = {}, set()
            for word, channels in (("SUBSCRIBE", more), ("UNSUBSCRIBE", less)):
                for at in range(0, len(channels), AT_ONCE):
                    names = [self._beginning + channel for channel in channels[at : at + AT_ONCE]]
                    await connection.send_command(word, *names)
