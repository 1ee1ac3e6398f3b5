"""A TCP relay: the address that follows the primary, or the line to a replica, which takes its time and can be cut."""

import asyncio
import contextlib
import threading


class Relay:
    """Passes bytes on to a port of this machine, late by so many seconds, from a thread of its own."""

    def __init__(self, target=None, delay=0.0, prompt=(), barred=()):
        """Connections from an address that is `prompt` are not delayed; those from one that is `barred` are refused."""
        self._target = target
        self._delay, self._prompt, self._barred = delay, prompt, barred
        self._open = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._on_loop(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def lead(self, target):
        """Cuts all connections, with what is on its way, and leads new ones to another port; None: nowhere."""
        self._on_loop(self._lead(target))

    def close(self):
        """Ends, with all connections."""
        self.lead(None)
        self._server.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()

    def _on_loop(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def _lead(self, target):
        self._target = target
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()
        await asyncio.sleep(0.01)  # those that wait notice it

    async def _accept(self, reader, writer):
        target, source = self._target, writer.get_extra_info("peername")[0]
        try:
            if source in self._barred:
                raise ConnectionRefusedError
            there_reader, there = await asyncio.open_connection("127.0.0.1", target)
        except (OSError, TypeError):
            writer.transport.abort()
            return
        if target != self._target or source in self._barred:
            writer.transport.abort()
            there.transport.abort()
            return
        self._open |= {writer, there}
        delay = 0.0 if source in self._prompt else self._delay
        await asyncio.gather(self._pump(reader, there, delay), self._pump(there_reader, writer, delay))
        self._open -= {writer, there}

    async def _pump(self, reader, writer, delay):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if delay:
                    self._loop.call_later(delay, self._write, writer, data)
                else:
                    writer.write(data)
        self._loop.call_later(delay, writer.transport.abort)

    @staticmethod
    def _write(writer, data):
        if not writer.transport.is_closing():
            writer.write(data)
