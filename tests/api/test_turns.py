"""Calls that read give way to those that act, a few at a time, and never for long."""

import asyncio

import pytest

from api import turns
from api.turns import LONGEST_WAIT, READERS, Turns


def run(story):
    asyncio.run(asyncio.wait_for(story, 10))


class Call:
    """A call that is under way until it is let go."""

    def __init__(self, place, begun, name):
        self._place, self._begun, self._name = place, begun, name
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def _run(self):
        async with self._place:
            self._begun.append(self._name)
            await self._end.wait()

    async def end(self):
        self._end.set()
        await self._task
        await settled()


async def settled():
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
def patient(monkeypatch):
    """Lets those who read wait as long as a test takes."""
    monkeypatch.setattr(turns, "LONGEST_WAIT", 60)


def test_a_few_read_at_a_time_and_the_others_in_turn(patient):
    async def story():
        mine, begun = Turns(), []
        calls = [Call(mine.reading(), begun, number) for number in range(READERS + 3)]
        await settled()
        assert begun == list(range(READERS))
        for number in range(3):
            await calls[number].end()
            assert begun == list(range(READERS + number + 1))
        for call in calls[3:]:
            await call.end()

    run(story())


def test_nobody_begins_to_read_while_somebody_acts(patient):
    async def story():
        mine, begun = Turns(), []
        reading = Call(mine.reading(), begun, "before")
        await settled()
        with mine.acting():
            with mine.acting():
                late = Call(mine.reading(), begun, "late")
                await reading.end()
            await settled()
            assert begun == ["before"]
        await settled()
        assert begun == ["before", "late"]
        await late.end()

    run(story())


def test_who_has_waited_long_enough_reads_whatever_others_do():
    async def story():
        mine, begun = Turns(), []
        loop = asyncio.get_running_loop()
        with mine.acting():
            began = loop.time()
            calls = [Call(mine.reading(), begun, number) for number in range(5)]
            while len(begun) < 5:
                await asyncio.sleep(0.01)
            assert LONGEST_WAIT <= loop.time() - began < 2
        for call in calls:
            await call.end()
        # Nobody is left in the queue who would be let go on in the place of another.
        names = [f"number {number}" for number in range(READERS + 1)]
        again = [Call(mine.reading(), begun, name) for name in names]
        await settled()
        assert begun[5:] == names[:READERS]
        await again[0].end()
        assert begun[5:] == names
        for call in again[1:]:
            await call.end()

    run(story())


def test_one_who_hangs_up_in_the_queue_keeps_nobody_waiting(patient):
    async def story():
        mine, begun = Turns(), []
        with mine.acting():
            gone = Call(mine.reading(), begun, "gone")
            stays = Call(mine.reading(), begun, "stays")
            await settled()
            gone._task.cancel()
            await settled()
        await settled()
        assert begun == ["stays"]
        await stays.end()

    run(story())
