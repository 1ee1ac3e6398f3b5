"""A server on an event loop in a thread of its own, whose connections end with it."""

import asyncio
import threading
from asyncio import StreamReader, StreamWriter
from typing import Any


class Listener:
    """Serves each connection by a coroutine, at `port` of this machine."""

    def __init__(self, serve: Any, **options: Any) -> None:
        """`serve` is called with a reader and a writer; options are those of `asyncio.start_server`."""
        self._serve = serve
        self._writers: set[StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self.run(asyncio.start_server(self._accept, "127.0.0.1", 0, **options))
        self.port = self._server.sockets[0].getsockname()[1]

    def run(self, work: Any) -> Any:
        """Runs a coroutine on the loop and returns its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def close(self) -> None:
        """Ends every connection, also those that come at this moment."""
        self.run(self._end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(60)
        self.loop.close()

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        # At once, because a task that is cancelled before it has begun closes nothing; and for good, because a writer
        # that nobody holds warns.
        self._writers.add(writer)
        self._tasks.add(task := self.loop.create_task(self._serve(reader, writer)))
        task.add_done_callback(self._tasks.discard)

    async def _end(self) -> None:
        for listener in self._server.sockets:
            self.loop.remove_reader(listener)  # a server that closes forgets whom it is accepting
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)
        self._server.close()
