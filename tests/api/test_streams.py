"""An open stream: its buffer, its keep-alives, and the end of a client that does not read."""

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

from api import streams
from api.link import StreamPlan
from api.routes.streaming import COMMENT, notice_message
from api.streams import EncodedItems, Stream, Streams
from service.live.notices import NoticeStreamStart

MOST = 100


class Client:
    """A client whose server takes what is sent only while it reads."""

    def __init__(self, *, reads=True):
        self.reads = asyncio.Event()
        self.messages = []
        if reads:
            self.reads.set()

    async def send(self, message):
        await self.reads.wait()
        self.messages.append(message)

    @property
    def taken(self):
        return b"".join(message.get("body", b"") for message in self.messages)

    @property
    def is_over(self):
        return bool(self.messages) and not self.messages[-1].get("more_body", False)


@asynccontextmanager
async def opened(*, reads=True):
    """An open stream and its client."""
    client = Client(reads=reads)
    start = NoticeStreamStart("ann", "proof", 0, ())
    plan = StreamPlan(start, lambda feeds, stream: settle(), notice_message, COMMENT)
    stream = Stream(plan, MOST, EncodedItems([].append))
    pumping = asyncio.create_task(stream.pump(client.send))
    await settle()
    yield stream, client
    stream.end()
    client.reads.set()
    with suppress(asyncio.CancelledError):
        await pumping


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


async def test_all_that_was_written_is_sent_in_order_before_the_stream_ends():
    async with opened() as (stream, client):
        stream.put(b"a" * 60)
        stream.put(b"b" * 60)
        stream.end()
        stream.put(b"c")
        await settle()
        assert client.taken == b"a" * 60 + b"b" * 60
        assert client.is_over


async def test_a_client_that_lets_too_much_wait_is_cut_off():
    async with opened(reads=False) as (stream, client):
        stream.put(b"a" * (MOST + 1))  # one message may be longer than the bound
        await settle()
        assert not stream.closed
        stream.put(b"b")
        assert stream.closed
        assert stream.slow
        await settle()
        assert client.taken == b""


async def test_a_stream_has_room_again_once_half_of_its_buffer_is_free():
    async with opened(reads=False) as (stream, client):
        stream.put(b"a" * MOST)
        room = asyncio.create_task(stream.room())
        await settle()
        assert not room.done()
        client.reads.set()
        await room


@pytest.mark.parametrize(("reads", "sent", "slow"), [(True, COMMENT, False), (False, b"", True)])
async def test_a_silent_stream_is_kept_alive_and_one_that_is_not_read_ends(monkeypatch, reads, sent, slow):
    monkeypatch.setattr(streams, "TICK_SECONDS", 0.01)

    async with opened(reads=reads) as (stream, client):
        if slow:
            stream.put(b"x")
        all_streams = Streams([].append)
        with all_streams.opened(stream):
            stream.touched -= 20
            while not (client.taken or stream.closed):
                await asyncio.sleep(0.01)
            assert (client.taken, stream.slow) == (sent, slow)
        all_streams.close()


def test_what_many_streams_are_sent_is_encoded_once_and_counted_for_each():
    counted, made = [], []
    encoded = EncodedItems(counted.append)

    def message(item):
        made.append(item)
        return b"%d\n" % item

    items = [1, 2]
    assert [encoded.of(items, message) for _ in range(3)] == [b"1\n2\n"] * 3
    assert encoded.of([2], message) == b"2\n"
    assert made == [1, 2, 2]
    for _ in range(2):
        encoded.count()
    assert counted == [7]
