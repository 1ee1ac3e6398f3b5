"""Calls that read give way to those that act, a few at a time, and never for long."""

import asyncio

import pytest

from api.front import turns
from api.front.turns import ACTORS, ACTORS_ALONE, LONGEST_WAIT, READERS, Turns, Who, is_dear
from games.errors import Refused

ANN, ANN_TOO, BOB = Who("192.0.2.1", "a"), Who("192.0.2.1", "b"), Who("192.0.2.2", "c")


def run(story):
    asyncio.run(asyncio.wait_for(story, 100))


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
        calls = [Call(mine.reading(ANN), begun, number) for number in range(READERS + 3)]
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
        reading = Call(mine.reading(ANN), begun, "before")
        await settled()
        async with mine.acting(BOB):
            late = Call(mine.reading(ANN), begun, "late")
            await reading.end()
            assert begun == ["before"]
        await settled()
        assert begun == ["before", "late"]
        await late.end()

    run(story())


def test_one_begins_to_read_with_each_that_has_acted_though_others_act_on(patient):
    async def story():
        mine, begun = Turns(), []
        acting = [Call(mine.acting(ANN), [], number) for number in range(3)]
        await settled()
        reading = [Call(mine.reading(BOB), begun, number) for number in range(3)]
        await settled()
        assert begun == []
        await acting[0].end()
        assert begun == [0]
        await reading[0].end()
        assert begun == [0]
        await acting[1].end()
        assert begun == [0, 1]
        for call in (reading[1], acting[2], reading[2]):
            await call.end()
        assert begun == [0, 1, 2]

    run(story())


def test_a_few_of_an_address_act_at_a_time_and_its_tokens_take_turns():
    async def story():
        mine, begun = Turns(), []
        calls = [Call(mine.acting(ANN), begun, f"ann {number}") for number in range(ACTORS + 3)]
        await settled()
        calls += [Call(mine.acting(ANN_TOO), begun, "ann elsewhere"), Call(mine.acting(BOB), begun, "bob")]
        await settled()
        assert begun == [*(f"ann {number}" for number in range(ACTORS)), "bob"]
        for call in calls[:3]:
            await call.end()
        assert begun[ACTORS + 1 :] == [f"ann {ACTORS}", "ann elsewhere", f"ann {ACTORS + 1}"]
        for call in calls[3:]:
            await call.end()

    run(story())


def test_more_of_an_address_act_at_a_time_as_long_as_nobody_else_calls(monkeypatch):
    monkeypatch.setattr(turns, "ALONE_AFTER", 3)

    async def story():
        mine, begun = Turns(), []
        for _ in range(4):
            await Call(mine.acting(ANN), [], "before").end()
        calls = [Call(mine.acting(ANN), begun, number) for number in range(ACTORS_ALONE + 2)]
        await settled()
        assert begun == list(range(ACTORS_ALONE))
        await Call(mine.reading(BOB), [], "bob").end()
        for call in calls[: ACTORS_ALONE - ACTORS]:
            await call.end()
        assert begun == list(range(ACTORS_ALONE)), "those that wait begin when only a few act"
        for number, call in enumerate(calls[ACTORS_ALONE - ACTORS :], 1):
            await call.end()
            assert begun == list(range(ACTORS_ALONE + min(number, 2)))

    run(story())


def test_one_who_hangs_up_before_acting_leaves_their_place_to_others():
    async def story():
        mine, begun = Turns(), []
        first = mine.acting(ANN)
        await first.__aenter__()
        others = [Call(mine.acting(ANN), begun, number) for number in range(1, ACTORS)]
        await settled()
        gone, handed, stays = (Call(mine.acting(ANN), begun, name) for name in ("gone", "handed", "stays"))
        await settled()
        gone._task.cancel()
        await settled()
        await first.__aexit__(None, None, None)  # its place is handed over, and the next has not begun yet
        handed._task.cancel()
        await settled()
        assert begun == [*range(1, ACTORS), "stays"]
        for call in (*others, stays):
            await call.end()
        again = [Call(mine.acting(ANN), begun, f"again {number}") for number in range(ACTORS)]
        await settled()
        assert begun[-ACTORS:] == [f"again {number}" for number in range(ACTORS)]
        for call in again:
            await call.end()

    run(story())


def test_who_has_waited_long_enough_reads_whatever_others_do(monkeypatch):
    async def story():
        mine, begun = Turns(), []
        loop = asyncio.get_running_loop()
        async with mine.acting(BOB):
            began = loop.time()
            calls = [Call(mine.reading(ANN), begun, number) for number in range(5)]
            while len(begun) < 5:
                await asyncio.sleep(0.01)
            assert LONGEST_WAIT <= loop.time() - began < 50
        monkeypatch.setattr(turns, "LONGEST_WAIT", 60)
        for call in calls:
            await call.end()
        # Nobody is left in the queue who would be let go on in the place of another.
        names = [f"number {number}" for number in range(READERS + 1)]
        again = [Call(mine.reading(ANN), begun, name) for name in names]
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
        async with mine.acting(BOB):
            gone = Call(mine.reading(ANN), begun, "gone")
            stays = Call(mine.reading(ANN), begun, "stays")
            await settled()
            gone._task.cancel()
            await settled()
        await settled()
        assert begun == ["stays"]
        await stays.end()

    run(story())


def test_addresses_take_turns_and_at_each_its_tokens(patient):
    async def story():
        mine, begun = Turns(), []
        first = Call(mine.reading(ANN), begun, "first")
        await settled()
        calls = [Call(mine.reading(ANN), begun, f"ann {number}") for number in range(3)]
        calls += [Call(mine.reading(ANN_TOO), begun, "ann elsewhere"), Call(mine.reading(BOB), begun, "bob")]
        await settled()
        await first.end()
        order = {"ann 0": 0, "ann 1": 1, "ann 2": 2, "ann elsewhere": 3, "bob": 4}
        for _ in calls:
            await calls[order[begun[-1]]].end()
        assert begun == ["first", "ann 0", "bob", "ann elsewhere", "ann 1", "ann 2"]

    run(story())


def test_cheap_reads_do_not_wait_behind_dear_ones(patient):
    async def story():
        mine, begun = Turns(), []
        dear = [Call(mine.reading(ANN, dear=True), begun, f"dear {number}") for number in range(5)]
        await settled()
        cheap = Call(mine.reading(ANN), begun, "cheap")
        await settled()
        assert begun == ["dear 0", "cheap"]
        for call in (*dear, cheap):
            await call.end()

    run(story())


def test_dear_reads_that_wait_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_DEAR_WAIT", 0.05)

    async def story():
        mine, begun = Turns(), []
        first = Call(mine.reading(ANN, dear=True), begun, "first")
        await settled()
        with pytest.raises(Refused) as refused:
            async with mine.reading(BOB, dear=True):
                pass
        assert (refused.value.code, refused.value.limit) == ("rate_limited", "reading_at_once")
        await first.end()
        async with mine.reading(BOB, dear=True):
            pass

    run(story())


@pytest.mark.parametrize(
    ("path", "query", "dear"),
    [
        ("/v1/games", "", True),
        ("/v1/players/me/games", "", True),
        ("/v1/games/abc/log", "", True),
        ("/v1/games/abc/rounds", "", True),
        ("/v1/games/abc", "at=3", True),
        ("/metrics", "", True),
        ("/docs", "", True),
        ("/docs/swagger-ui-bundle.js", "", True),
        ("/v1/games/abc", "", False),
        ("/v1/games/abc/events", "after=3", False),
        ("/v1/editions", "", False),
    ],
)
def test_lists_logs_and_the_past_are_dear(path, query, dear):
    assert is_dear(path, query) is dear
