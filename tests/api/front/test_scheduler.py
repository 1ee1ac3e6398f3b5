"""Calls that read give way to those that act, a few at a time, and never for long; nobody waits behind a flood."""

import asyncio

import pytest

from api.front import scheduler
from api.front.scheduler import ACTORS, ACTORS_ALONE, AT_ONCE, LONGEST_WAIT, CallKind, Scheduler, Who, kind_of
from games.errors import Refused

ANN, ANN_TOO, BOB, EVE = (Who("192.0.2.1", "a"), Who("192.0.2.1", "b"), Who("192.0.2.2", "c"), Who("192.0.2.3", "d"))
READERS = AT_ONCE[CallKind.READ]


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


async def give_up(slot, over):
    """Gives the turn of a slot up until something is over."""
    async with slot.given_up():
        await over.wait()


@pytest.fixture
def patient(monkeypatch):
    """Lets those who read wait as long as a test takes."""
    monkeypatch.setattr(scheduler, "LONGEST_WAIT", 60)


def test_a_few_read_at_a_time_and_the_others_in_turn(patient):
    async def story():
        mine, begun = Scheduler(), []
        calls = [Call(mine.slot(CallKind.READ, ANN), begun, number) for number in range(READERS + 3)]
        await settled()
        assert begun == list(range(READERS))
        for number in range(3):
            await calls[number].end()
            assert begun == list(range(READERS + number + 1))
        for call in calls[3:]:
            await call.end()

    run(story())


def test_nobody_who_had_to_wait_begins_to_read_while_somebody_acts(patient):
    async def story():
        mine, begun = Scheduler(), []
        reading = Call(mine.slot(CallKind.READ, ANN), begun, "before")
        await settled()
        async with mine.slot(CallKind.ACTION, BOB):
            late = Call(mine.slot(CallKind.READ, ANN), begun, "late")
            await reading.end()
            latest = Call(mine.slot(CallKind.READ, EVE), begun, "latest")
            await settled()
            assert begun == ["before"]
        await settled()
        assert begun == ["before", "late"]
        await late.end()
        assert begun == ["before", "late", "latest"]
        await latest.end()

    run(story())


def test_one_begins_to_read_with_each_that_has_acted_though_others_act_on(patient):
    async def story():
        mine, begun = Scheduler(), []
        acting = [Call(mine.slot(CallKind.ACTION, ANN), [], number) for number in range(3)]
        await settled()
        reading = [Call(mine.slot(CallKind.READ, BOB), begun, number) for number in range(3)]
        await settled()
        assert begun == [0], "nobody reads, so one need not wait"
        await reading[0].end()
        assert begun == [0]
        await acting[0].end()
        assert begun == [0, 1]
        await reading[1].end()
        assert begun == [0, 1]
        for call in (acting[1], reading[2], acting[2]):
            await call.end()
        assert begun == [0, 1, 2]

    run(story())


def test_a_few_of_an_address_act_at_a_time_and_its_tokens_take_turns():
    async def story():
        mine, begun = Scheduler(), []
        calls = [Call(mine.slot(CallKind.ACTION, ANN), begun, f"ann {number}") for number in range(ACTORS + 3)]
        await settled()
        calls += [
            Call(mine.slot(CallKind.ACTION, ANN_TOO), begun, "ann elsewhere"),
            Call(mine.slot(CallKind.ACTION, BOB), begun, "bob"),
        ]
        await settled()
        assert begun == [*(f"ann {number}" for number in range(ACTORS)), "bob"]
        await calls.pop().end()
        order = {
            name: number for number, name in enumerate([*(f"ann {n}" for n in range(ACTORS + 3)), "ann elsewhere"])
        }
        for place in range(len(calls)):
            await calls[order[[name for name in begun if name != "bob"][place]]].end()
        assert begun[ACTORS + 1 :] == [f"ann {ACTORS}", "ann elsewhere", f"ann {ACTORS + 1}", f"ann {ACTORS + 2}"]

    run(story())


def test_more_of_an_address_act_at_a_time_as_long_as_nobody_else_calls(monkeypatch):
    monkeypatch.setattr(scheduler, "ALONE_AFTER", 3)

    async def story():
        mine, begun = Scheduler(), []
        for _ in range(4):
            await Call(mine.slot(CallKind.ACTION, ANN), [], "before").end()
        calls = [Call(mine.slot(CallKind.ACTION, ANN), begun, number) for number in range(ACTORS_ALONE + 2)]
        await settled()
        assert begun == list(range(ACTORS_ALONE))
        await Call(mine.slot(CallKind.READ, BOB), [], "bob").end()
        for call in calls[: ACTORS_ALONE - ACTORS]:
            await call.end()
        assert begun == list(range(ACTORS_ALONE)), "those that wait begin when only a few act"
        for number, call in enumerate(calls[ACTORS_ALONE - ACTORS :], 1):
            await call.end()
            assert begun == list(range(ACTORS_ALONE + min(number, 2)))

    run(story())


def test_one_who_hangs_up_before_acting_leaves_their_place_to_others():
    async def story():
        mine, begun = Scheduler(), []
        first = mine.slot(CallKind.ACTION, ANN)
        await first.__aenter__()
        others = [Call(mine.slot(CallKind.ACTION, ANN), begun, number) for number in range(1, ACTORS)]
        await settled()
        gone, handed, stays = (
            Call(mine.slot(CallKind.ACTION, ANN), begun, name) for name in ("gone", "handed", "stays")
        )
        await settled()
        gone._task.cancel()
        await settled()
        await first.__aexit__(None, None, None)  # its place is handed over, and the next has not begun yet
        handed._task.cancel()
        await settled()
        assert begun == [*range(1, ACTORS), "stays"]
        for call in (*others, stays):
            await call.end()
        again = [Call(mine.slot(CallKind.ACTION, ANN), begun, f"again {number}") for number in range(ACTORS)]
        await settled()
        assert begun[-ACTORS:] == [f"again {number}" for number in range(ACTORS)]
        for call in again:
            await call.end()

    run(story())


def test_who_has_waited_long_enough_reads_whatever_others_do(monkeypatch):
    async def story():
        mine, begun = Scheduler(), []
        loop = asyncio.get_running_loop()
        async with mine.slot(CallKind.ACTION, BOB):
            began = loop.time()
            calls = [Call(mine.slot(CallKind.READ, ANN), begun, number) for number in range(5)]
            while len(begun) < 5:
                await asyncio.sleep(0.01)
            assert LONGEST_WAIT <= loop.time() - began < 50
        monkeypatch.setattr(scheduler, "LONGEST_WAIT", 60)
        for call in calls:
            await call.end()
        # Nobody is left in the queue who would be let go on in the place of another.
        names = [f"number {number}" for number in range(READERS + 1)]
        again = [Call(mine.slot(CallKind.READ, ANN), begun, name) for name in names]
        await settled()
        assert begun[5:] == names[:READERS]
        await again[0].end()
        assert begun[5:] == names
        for call in again[1:]:
            await call.end()

    run(story())


def test_of_an_address_whose_calls_all_wait_for_long_one_at_a_time_stops_waiting(monkeypatch):
    monkeypatch.setattr(scheduler, "LONGEST_WAIT", 0)
    monkeypatch.setattr(scheduler, "LATE_SECONDS", 60)

    async def story():
        mine, begun = Scheduler(), []
        flood = [Call(mine.slot(CallKind.READ, ANN), begun, number) for number in range(READERS + 4)]
        await settled()
        other = Call(mine.slot(CallKind.READ, BOB), begun, "bob")
        while "bob" not in begun:
            await asyncio.sleep(0)
        assert begun == [*range(READERS + 1), "bob"]
        monkeypatch.setattr(scheduler, "LONGEST_WAIT", 60)
        patient = Call(mine.slot(CallKind.READ, EVE), begun, "eve")
        await settled()
        await flood[READERS].end()
        assert begun == [*range(READERS + 1), "bob", READERS + 1], "the next of the address has taken its place"
        await flood[0].end()
        assert begun[-1] == "eve", "those who have stopped waiting take no turn from others"
        for call in (*flood[1:READERS], *flood[READERS + 1 :], other, patient):
            await call.end()
        assert len(begun) == READERS + 6
        assert not mine._late

    run(story())


def test_of_an_address_that_calls_alone_all_stop_waiting(monkeypatch):
    monkeypatch.setattr(scheduler, "LONGEST_WAIT", 0)
    monkeypatch.setattr(scheduler, "LATE_SECONDS", 60)
    monkeypatch.setattr(scheduler, "ALONE_AFTER", 2)

    async def story():
        mine, begun = Scheduler(), []
        calls = [Call(mine.slot(CallKind.READ, ANN), begun, number) for number in range(READERS + 4)]
        while len(begun) < len(calls):
            await asyncio.sleep(0)
        assert sorted(begun) == [*range(len(calls))], "each began, none twice"
        for call in calls:
            await call.end()

    run(story())


def test_one_who_hangs_up_in_the_queue_keeps_nobody_waiting(patient):
    async def story():
        mine, begun = Scheduler(), []
        first = Call(mine.slot(CallKind.READ, BOB), begun, "first")
        async with mine.slot(CallKind.ACTION, BOB):
            gone = Call(mine.slot(CallKind.READ, ANN), begun, "gone")
            stays = Call(mine.slot(CallKind.READ, ANN), begun, "stays")
            await settled()
            gone._task.cancel()
            await first.end()
        await settled()
        assert begun == ["first", "stays"]
        await stays.end()

    run(story())


def test_addresses_take_turns_and_at_each_its_tokens(patient):
    async def story():
        mine, begun = Scheduler(), []
        first = Call(mine.slot(CallKind.READ, ANN), begun, "first")
        await settled()
        calls = [Call(mine.slot(CallKind.READ, ANN), begun, f"ann {number}") for number in range(3)]
        calls += [
            Call(mine.slot(CallKind.READ, ANN_TOO), begun, "ann elsewhere"),
            Call(mine.slot(CallKind.READ, BOB), begun, "bob"),
        ]
        await settled()
        await first.end()
        order = {"ann 0": 0, "ann 1": 1, "ann 2": 2, "ann elsewhere": 3, "bob": 4}
        for _ in calls:
            await calls[order[begun[-1]]].end()
        assert begun == ["first", "ann 0", "bob", "ann elsewhere", "ann 1", "ann 2"]

    run(story())


def test_cheap_reads_do_not_wait_behind_dear_ones(patient):
    async def story():
        mine, begun = Scheduler(), []
        expensive = [Call(mine.slot(CallKind.EXPENSIVE, ANN), begun, f"expensive {number}") for number in range(5)]
        await settled()
        cheap = Call(mine.slot(CallKind.READ, ANN), begun, "cheap")
        await settled()
        assert begun == ["expensive 0", "cheap"]
        for call in (*expensive, cheap):
            await call.end()

    run(story())


def test_dear_reads_that_wait_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(scheduler, "LONGEST_EXPENSIVE_WAIT", 0.05)

    async def story():
        mine, begun = Scheduler(), []
        first = Call(mine.slot(CallKind.EXPENSIVE, ANN), begun, "first")
        await settled()
        with pytest.raises(Refused) as refused:
            async with mine.slot(CallKind.EXPENSIVE, BOB):
                pass
        assert (refused.value.code, refused.value.limit) == ("rate_limited", "reading_at_once")
        await first.end()
        async with mine.slot(CallKind.EXPENSIVE, BOB):
            pass

    run(story())


def test_one_who_acts_again_and_again_lets_calls_of_others_finish_in_between(patient):
    async def story():
        mine, begun = Scheduler(), []
        flood = [Call(mine.slot(CallKind.ACTION, ANN), begun, f"ann {number}") for number in range(ACTORS + 2)]
        acting, reading = (Call(mine.slot(kind, BOB), begun, kind.name) for kind in (CallKind.ACTION, CallKind.READ))
        await settled()
        assert begun == [*(f"ann {number}" for number in range(ACTORS)), "ACTION", "READ"], "others begin at once"
        for call in flood[:ACTORS]:
            await call.end()
        late = Call(mine.slot(CallKind.ACTION, EVE), begun, "late")
        await reading.end()
        assert begun[ACTORS + 2 :] == ["late"], "the flood waits for all who were under way"
        await acting.end()
        assert begun[ACTORS + 3 :] == [f"ann {ACTORS}"], "and not for who came later"
        await flood[ACTORS].end()
        assert begun[ACTORS + 4 :] == []
        await late.end()
        assert begun[ACTORS + 4 :] == [f"ann {ACTORS + 1}"]
        await flood[-1].end()

    run(story())


def test_two_floods_keep_each_other_going(patient):
    async def story():
        mine, begun = Scheduler(), []
        calls = {
            name: Call(mine.slot(CallKind.ACTION, who), begun, name)
            for who in (ANN, BOB, EVE)
            for name in (f"{who.token} {number}" for number in range(8))
        }
        await settled()
        ended = 0
        while ended < len(calls):
            assert len(begun) > ended, "all wait for each other"
            await calls[begun[ended]].end()
            ended += 1
        late = Call(mine.slot(CallKind.READ, ANN), begun, "late")
        await settled()
        assert begun[-1] == "late"
        await late.end()

    run(story())


def test_who_hangs_up_while_others_are_let_finish_keeps_nobody_waiting(patient):
    async def story():
        mine, begun = Scheduler(), []
        flood = [Call(mine.slot(CallKind.ACTION, ANN), begun, number) for number in range(ACTORS + 2)]
        acting = Call(mine.slot(CallKind.ACTION, BOB), begun, "bob")
        await settled()
        for call in flood[:ACTORS]:
            await call.end()
        for call in flood[ACTORS:]:
            call._task.cancel()
        await settled()
        fresh = Call(mine.slot(CallKind.ACTION, ANN), begun, "fresh")
        await settled()
        assert begun == [*range(ACTORS), "bob"]
        await acting.end()
        assert begun == [*range(ACTORS), "bob", "fresh"]
        await fresh.end()

    run(story())


def test_calls_that_were_woken_count_before_they_run(patient):
    async def story():
        mine, begun = Scheduler(), []
        acting = [Call(mine.slot(CallKind.ACTION, Who(f"192.0.2.{number}", "a")), [], number) for number in range(20)]
        expensive = [Call(mine.slot(CallKind.EXPENSIVE, BOB), begun, number) for number in range(10)]
        await settled()
        for call in acting:
            call._end.set()
        await settled()
        assert begun == list(range(AT_ONCE[CallKind.EXPENSIVE]))
        for number in range(10):
            await expensive[number].end()
            assert begun == list(range(min(number + 2, 10)))

    run(story())


@pytest.mark.parametrize("kind", [CallKind.READ, CallKind.EXPENSIVE])
def test_one_who_hangs_up_when_their_turn_has_just_come_leaves_it_to_the_next(patient, kind):
    async def story():
        mine, begun = Scheduler(), []
        first, gone, stays = (Call(mine.slot(kind, ANN), begun, name) for name in ("first", "gone", "stays"))
        await settled()
        first._end.set()
        while first._task in asyncio.all_tasks():
            await asyncio.sleep(0)
        gone._task.cancel()
        await settled()
        assert (begun[0], begun[-1]) == ("first", "stays")
        await stays.end()
        last = Call(mine.slot(kind, ANN), begun, "last")
        await settled()
        assert begun[-1] == "last"
        await last.end()

    run(story())


def test_an_operators_call_and_a_fork_hold_up_nobody(patient):
    async def story():
        mine, begun = Scheduler(), []
        calls = [
            Call(mine.slot(kind, who), begun, kind.name)
            for kind, who in (
                (CallKind.OPERATION, ANN),
                (CallKind.EXPENSIVE, ANN),
                (CallKind.READ, BOB),
                (CallKind.ACTION, BOB),
            )
        ]
        await settled()
        assert begun == ["OPERATION", "EXPENSIVE", "READ", "ACTION"]
        for call in calls:
            await call.end()

    run(story())


@pytest.mark.parametrize("kind", [CallKind.READ, CallKind.ACTION])
def test_who_waits_for_something_gives_the_turn_up_and_gets_another(kind, patient):
    async def story():
        mine, begun = Scheduler(), []
        slot = mine.slot(kind, ANN)
        async with slot:
            others = [Call(mine.slot(kind, ANN), begun, number) for number in range(max(READERS, ACTORS) + 1)]
            await settled()
            assert begun == []
            async with slot.given_up():
                await settled()
                assert begun == [0]
                ending = asyncio.gather(*(call.end() for call in others))
            assert begun == list(range(len(others))), "it waits behind those who waited before"
            last = Call(mine.slot(kind, ANN), begun, "last")
            await settled()
            assert "last" not in begun
        await ending
        await settled()
        assert begun[-1] == "last"
        await last.end()

    run(story())


def test_a_call_that_ends_while_its_turn_is_given_up_gets_no_other():
    async def story():
        mine, begun, over = Scheduler(), [], asyncio.Event()

        slot = mine.slot(CallKind.ACTION, ANN)
        async with slot:
            late = asyncio.create_task(give_up(slot, over))
            await settled()
        over.set()
        await late
        calls = [Call(mine.slot(CallKind.ACTION, ANN), begun, number) for number in range(ACTORS)]
        await settled()
        assert begun == list(range(ACTORS))
        for call in calls:
            await call.end()

    run(story())


def test_a_call_that_ends_while_it_waits_for_another_turn_keeps_none():
    async def story():
        mine, begun, over = Scheduler(), [], asyncio.Event()

        slot = mine.slot(CallKind.ACTION, ANN)
        async with slot:
            late = asyncio.create_task(give_up(slot, over))
            await settled()
            others = [Call(mine.slot(CallKind.ACTION, ANN), begun, number) for number in range(ACTORS)]
            await settled()
            assert begun == list(range(ACTORS))
            over.set()
            await settled()
        for call in others:
            await call.end()
        await late
        await Call(mine.slot(CallKind.ACTION, ANN), begun, "last").end()
        assert begun[-1] == "last"

    run(story())


@pytest.mark.parametrize("kind", [CallKind.READ, CallKind.ACTION])
def test_one_who_has_just_hung_up_is_passed_over(kind, patient):
    async def story():
        mine, begun = Scheduler(), []
        first = mine.slot(kind, ANN)
        await first.__aenter__()
        gone, stays = (Call(mine.slot(kind, ANN), begun, name) for name in ("gone", "stays"))
        await settled()
        gone._task.cancel()  # and before it runs again
        await first.__aexit__(None, None, None)
        await settled()
        assert begun == ["stays"]
        await stays.end()

    run(story())


@pytest.mark.parametrize(
    ("method", "path", "query", "kind"),
    [
        ("GET", "/v1/games", "", CallKind.EXPENSIVE),
        ("POST", "/v1/games", "", CallKind.ACTION),
        ("GET", "/v1/lobby/stream", "", CallKind.EXPENSIVE),
        ("GET", "/v1/players/me/games", "", CallKind.EXPENSIVE),
        ("GET", "/v1/players/me/events", "", CallKind.EXPENSIVE),
        ("GET", "/v1/players/me/events", "after=3&wait=20", CallKind.READ),
        ("GET", "/v1/players/me/events/stream", "lang=de", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc/log", "", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc/rounds", "", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc", "at=3", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc/frames", "after=3", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc/frames", "after=3&wait=20", CallKind.READ),
        ("GET", "/v1/games/abc/frames", "after=3&%77ait=20", CallKind.READ),
        ("GET", "/v1/games/abc", "%61t=3", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc/events", "after=3&seat=1", CallKind.READ),
        ("POST", "/v1/games/abc/fork", "", CallKind.EXPENSIVE),
        ("POST", "/v1/games/abc/actions", "", CallKind.ACTION),
        ("DELETE", "/v1/players/me", "", CallKind.ERASURE),
        ("PATCH", "/v1/players/me", "", CallKind.ACTION),
        ("GET", "/metrics", "", CallKind.PAGE),
        ("GET", "/docs", "", CallKind.EXPENSIVE),
        ("GET", "/docs/swagger-ui-bundle.js", "", CallKind.EXPENSIVE),
        ("GET", "/v1/games/abc", "", CallKind.READ),
        ("HEAD", "/v1/games/abc", "", CallKind.READ),
        ("GET", "/v1/games/abc/events", "after=3", CallKind.READ),
        ("GET", "/v1/editions", "", CallKind.READ),
        ("GET", "/", "", CallKind.PAGE),
        ("GET", "/readyz", "", CallKind.PAGE),
        ("GET", "/v1/admin/players", "", CallKind.OPERATION),
        ("DELETE", "/v1/admin/players/abc", "", CallKind.OPERATION),
    ],
)
def test_a_call_waits_with_those_that_cost_the_same(method, path, query, kind):
    assert kind_of(method, path, query) is kind
