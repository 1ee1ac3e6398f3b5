"""Which calls run at a time, by address."""

import asyncio

import pytest

from api import places as places_module
from api.places import ALONE_AFTER, AT_ONCE, Turns


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Lets no call run only because this machine is slow."""
    monkeypatch.setattr(places_module, "LONGEST_WAIT", 600)


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


async def entered(turns, address, count):
    """So many calls of an address, of which some may wait."""
    calls = [asyncio.create_task(turns.enter(address)) for _ in range(count)]
    await settle()
    return calls


def running(calls):
    return [call.done() for call in calls].count(True)


async def test_few_of_an_address_run_and_the_others_follow_in_order():
    turns = Turns()
    greedy, other = await entered(turns, "a", AT_ONCE + 2), await entered(turns, "b", 1)
    assert (running(greedy), running(other)) == (AT_ONCE, 1)
    turns.leave("a")
    await settle()
    assert [call.done() for call in greedy] == [True] * (AT_ONCE + 1) + [False]


async def test_a_call_that_waits_for_something_else_lets_the_next_one_run():
    turns = Turns()
    calls = await entered(turns, "a", AT_ONCE + 2)
    turns.leave("a")
    await settle()
    assert running(calls) == AT_ONCE + 1
    turns.resume("a")
    turns.leave("a")
    await settle()
    assert running(calls) == AT_ONCE + 2


@pytest.mark.parametrize("granted", [False, True])
async def test_one_who_hangs_up_leaves_the_turn_to_the_next(granted):
    turns = Turns()
    calls = await entered(turns, "a", AT_ONCE + 2)
    if granted:
        turns.leave("a")  # the next one has been given the turn, and has not noticed yet
    calls[AT_ONCE].cancel()
    await settle()
    if not granted:
        turns.leave("a")
        await settle()
    assert calls[AT_ONCE + 1].done()


async def test_one_who_has_waited_for_a_moment_runs_all_the_same(monkeypatch):
    turns = Turns()
    with monkeypatch.context() as short:
        short.setattr(places_module, "LONGEST_WAIT", 0.01)
        for call in await entered(turns, "a", AT_ONCE + 2):
            await call
    for _ in range(AT_ONCE + 2):
        turns.leave("a")
    assert running(await entered(turns, "a", AT_ONCE + 1)) == AT_ONCE


async def test_of_an_address_that_calls_alone_any_number_run():
    turns = Turns()
    for _ in range(ALONE_AFTER):
        await turns.enter("a")
        turns.leave("a")
    assert running(await entered(turns, "a", AT_ONCE + 5)) == AT_ONCE + 5
