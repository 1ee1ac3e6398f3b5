"""Open streams: keep-alives where nothing is sent, and an end to those whose clients do not read."""

import asyncio
import socket
import sys
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from api.front import streams as module
from api.front.bridge import Answered
from api.front.connection import Connection, bear, unread
from api.front.head import REQUEST
from api.front.messages import COMMENT
from api.front.streams import OpenStream, Streams
from service.settings import Settings
from tests.waiting import wait_until

SLOW, SILENT, MOST = 1000.0, 100.0, 50
ON_LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux says what its buffer holds, and has TCP_USER_TIMEOUT"
)
FOLLOWING = SimpleNamespace(version=1, caller=None, proof=None)


class Transport:
    """A connection whose client reads all, or nothing."""

    def __init__(self, *, reads):
        self.reads, self.waiting, self.sent, self.aborted = reads, 0, [], False

    def get_write_buffer_size(self):
        return self.waiting

    def write(self, data):
        self.sent.append(data)
        self.waiting += 0 if self.reads else len(data)

    def is_closing(self):
        return self.aborted

    def get_extra_info(self, name):
        return None

    def abort(self):
        self.aborted = True


def opened(*, reads, most=MOST):
    return OpenStream(Transport(reads=reads), FOLLOWING, most)


@pytest.fixture
def ticked(monkeypatch):
    """Lets the open streams be looked at, all of them at least once."""
    monkeypatch.setattr(module, "TICK_SECONDS", 0.01)

    async def look(*streams):
        every = Streams(Settings(stream_slow_seconds=SLOW, stream_keep_alive_seconds=SILENT))
        for one in streams:
            every.add(one)
        for _ in range(2):
            late = opened(reads=False)
            late.write(b"x")
            late.touched -= 2 * SLOW
            every.add(late)
            await late.ended()
            every.forget(late)
        every.close()

    return look


def test_a_silent_stream_gets_one_keep_alive_and_one_that_was_written_to_gets_none(ticked):
    async def look():
        silent, busy = opened(reads=True), opened(reads=True)
        for one in (silent, busy):
            one.touched -= SILENT + 1
        busy.write(b"x")
        await ticked(silent, busy)
        return silent, busy

    silent, busy = asyncio.run(look())
    assert [COMMENT in sent for sent in silent._transport.sent] == [True]
    assert len(busy._transport.sent) == 1


@pytest.mark.parametrize(("waits", "ends"), [(SLOW - 100, False), (SLOW + 1, True)])
def test_a_client_has_so_long_to_read_what_waits_for_it_however_much_is_added(ticked, waits, ends):
    async def look():
        stream = opened(reads=False)
        stream.write(b"x")
        stream.touched -= waits
        stream.write(b"y")
        await ticked(stream)
        return stream

    stream = asyncio.run(look())
    assert (stream.closed, stream.slow, stream._transport.aborted) == (ends, ends, ends)
    assert len(stream._transport.sent) == 2


@pytest.mark.parametrize(("reads", "ends"), [(1, False), (0, True)])
def test_a_client_that_reads_slowly_keeps_its_stream_for_as_long_as_it_reads(ticked, reads, ends):
    async def look():
        stream = opened(reads=False)
        stream.write(b"x" * MOST)
        for read in (1, reads):
            stream.touched -= SLOW + 1
            stream._transport.waiting -= read
            await ticked(stream)
        return stream

    assert asyncio.run(look()).closed == ends


@ON_LINUX
def test_what_the_kernel_holds_for_a_client_is_not_read_yet():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        sender, _ = server.accept()
        transport = SimpleNamespace(get_write_buffer_size=lambda: 5, get_extra_info={"socket": sender}.get)
        with sender:
            sender.setblocking(False)
            with suppress(BlockingIOError):
                while True:
                    sender.send(b"x" * 65536)
            before = unread(transport)
            client.recv(1 << 20)
            wait_until(lambda: 5 < unread(transport) < before)
        assert unread(transport) == 5, "it is closed"


class Kept(Transport):
    """A connection on a socket that notes for how long the kernel is to keep it, in milliseconds."""

    def __init__(self, *, reads):
        super().__init__(reads=reads)
        self.kept = []

    def get_extra_info(self, name):
        return self if name == "socket" else None

    def setsockopt(self, level, option, value):
        self.kept.extend([value] if option == socket.TCP_USER_TIMEOUT else [])

    def fileno(self):
        raise OSError


@ON_LINUX
def test_the_kernel_waits_for_the_client_of_a_stream_as_long_as_the_service():
    async def follow():
        connection = Connection(None, set())
        connection.connection_made(Kept(reads=True))
        begun = time.perf_counter() - 400
        request = SimpleNamespace(environ={REQUEST: ""}, keep=True, answered=False, begun=begun)
        for slow in (1, 300):
            connection.begin(request, Answered(200, b"", b""), slow)
        connection.finish(request)
        return connection.transport.kept

    *kept, last = asyncio.run(follow())
    assert kept == [30_000, 30_000, 302_000]
    assert last >= 430_000


@ON_LINUX
def test_the_kernel_keeps_a_stream_that_is_read_slowly_for_as_long_as_the_service(ticked):
    async def look():
        stream = OpenStream(Kept(reads=False), FOLLOWING, MOST)
        stream.write(b"x" * MOST)
        stream._opened -= 5000
        await ticked(stream)
        unread = list(stream._transport.kept)
        stream._transport.waiting -= 1
        await ticked(stream)
        return unread, stream._transport.kept[-1]

    unread, kept = asyncio.run(look())
    assert unread == []
    assert kept >= (5000 + 30 + SLOW) * 1000


def test_a_stream_may_be_older_than_the_kernel_can_count():
    with socket.socket() as made:
        bear(SimpleNamespace(get_extra_info={"socket": made}.get), 30 * 86_400)


def test_a_stream_is_not_cut_off_for_the_answer_before_it():
    async def follow():
        connection = Connection(None, set())
        connection.connection_made(Transport(reads=False))
        body, environ = SimpleNamespace(whole=True), {REQUEST: "", "REQUEST_METHOD": "POST"}
        request = SimpleNamespace(environ=environ, keep=True, answered=False, body=body)
        connection.send(request, Answered(201, b"", b"{}"))
        connection.begin(request, Answered(200, b"", b""), SLOW)
        connection.enforce_timeouts(asyncio.get_running_loop().time() + SLOW)
        return connection.transport.aborted

    assert not asyncio.run(follow())


@pytest.mark.parametrize(("waits", "ends"), [(MOST, False), (MOST + 1, True)])
def test_a_client_that_leaves_too_much_unread_is_sent_no_more(waits, ends):
    async def fill():
        stream = opened(reads=False)
        stream._transport.waiting = waits
        stream.write(b"x")
        return stream

    stream = asyncio.run(fill())
    assert (stream.closed, stream.slow, stream._transport.sent == []) == (ends, ends, ends)


def test_a_client_that_reads_is_sent_more_at_once_than_may_wait_for_it():
    async def send():
        stream = opened(reads=True)
        stream.write(b"x" * 10 * MOST)
        return stream

    stream = asyncio.run(send())
    assert (stream.closed, len(stream._transport.sent)) == (False, 1)


def test_a_stream_has_room_again_once_half_of_its_buffer_is_free():
    async def wait():
        stream = opened(reads=False)
        stream._transport.waiting = MOST // 2 + 1
        room = asyncio.ensure_future(stream.room())
        await asyncio.sleep(0.1)
        early = room.done()
        stream._transport.waiting -= 1
        await room
        return early

    assert not asyncio.run(wait())


def test_a_stream_that_is_read_slowly_is_looked_at_more_rarely(monkeypatch):
    pauses = []

    async def wait():
        stream = opened(reads=False)
        stream._transport.waiting = MOST // 2 + 20

        async def sleep(seconds):
            pauses.append(seconds)
            stream._transport.waiting -= 1

        with monkeypatch.context() as patched:
            patched.setattr(asyncio, "sleep", sleep)
            await stream.room()

    asyncio.run(wait())
    assert len(pauses) == 20
    assert pauses[0] < 0.1 < pauses[-1] < 1


def test_a_stream_whose_client_is_gone_ends_with_what_is_written_next():
    async def write():
        stream = opened(reads=True)
        stream._transport.aborted = True
        stream.write(b"x")
        await stream.ended()
        return stream

    stream = asyncio.run(write())
    assert (stream._transport.sent, stream.slow) == ([], False)
