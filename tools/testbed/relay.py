"""A TCP relay: the address that follows the primary, or the line to a replica, which takes its time and can be cut."""

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter
from collections.abc import Collection

from tools.testbed.listener import Listener


class Relay:
    """Passes bytes on to a port of this machine, late by so many seconds, from a thread of its own."""

    def __init__(
        self, target: int | None = None, delay: float = 0.0, prompt: Collection[str] = (), barred: Collection[str] = ()
    ) -> None:
        """Connections from an address that is `prompt` are not delayed; those from one that is `barred` are refused."""
        self._target = target
        self._delay, self._prompt, self._barred = delay, prompt, barred
        self._open: set[StreamWriter] = set()
        self._mute: set[StreamWriter] = set()
        self._all_mute = False
        self._listener = Listener(self._relay)
        self.port = self._listener.port

    def lead(self, target: int | None) -> None:
        """Cuts all connections, with what is on its way, and leads new ones to another port; None: nowhere."""
        self._listener.run(self._lead(target))

    def hush(self, *, later: bool = False) -> None:
        """Passes nothing on on the connections there are, and closes none; nor on `later` ones, until `speak`."""
        self._listener.run(self._hush(later))

    def speak(self) -> None:
        """Passes on what comes on connections from now on."""
        self._listener.run(self._hush(False))

    def close(self) -> None:
        """Ends, with all connections."""
        self.lead(None)
        self._listener.close()

    async def _lead(self, target: int | None) -> None:
        self._target = target
        self._cut(*self._open)
        await asyncio.sleep(0.01)  # those that wait notice it

    async def _hush(self, later: bool) -> None:
        self._mute |= self._open
        self._all_mute = later

    async def _relay(self, reader: StreamReader, writer: StreamWriter) -> None:
        target, source = self._target, writer.get_extra_info("peername")[0]
        try:
            if source in self._barred:
                raise ConnectionRefusedError
            there_reader, there = await asyncio.open_connection("127.0.0.1", target)
        except (OSError, TypeError):
            self._cut(writer)
            return
        self._open |= {writer, there}
        if self._all_mute:
            self._mute |= {writer, there}
        if target != self._target or source in self._barred:
            self._cut(writer, there)
            return
        delay = 0.0 if source in self._prompt else self._delay
        await asyncio.gather(self._pump(reader, there, delay), self._pump(there_reader, writer, delay))

    def _cut(self, *writers: StreamWriter) -> None:
        for writer in writers:
            writer.transport.abort()
        self._open.difference_update(writers)
        self._mute.difference_update(writers)

    async def _pump(self, reader: StreamReader, writer: StreamWriter, delay: float) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if writer in self._mute:
                    continue
                if delay:
                    asyncio.get_running_loop().call_later(delay, self._write, writer, data)
                else:
                    writer.write(data)
        asyncio.get_running_loop().call_later(delay, self._cut, writer)

    @staticmethod
    def _write(writer: StreamWriter, data: bytes) -> None:
        if not writer.transport.is_closing():
            writer.write(data)
