"""Real services that are killed while clients act and follow."""

import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.e2e.processes import kill

KILLS = 2
FEW_TOKENS = 3
"""So many tokens and two more, the most that a round brings, win no game."""


@pytest.mark.long
def test_a_game_goes_on_over_killed_servers(connected, installation):
    ann, ben = (connected(installation.base).register(name) for name in ("Ann", "Ben"))
    game = ann.create("standard", ["creator", "open"])
    over, all_killed = threading.Event(), threading.Event()
    with ThreadPoolExecutor(5) as threads:
        streamed = threads.submit(lambda: list(ann.events(game)))
        polled = threads.submit(lambda: list(connected(installation.base).events(game, by="poll")))
        killing = threads.submit(kill_servers, installation, over, all_killed)
        ben.join(game)
        plays = [threads.submit(player.play, game, slowly(player, all_killed)) for player in (ann, ben)]
        try:
            ends = [play.result(200) for play in plays]
        finally:
            over.set()
        killed = killing.result()
    assert killed >= KILLS
    assert [end.status for end in ends] == ["finished", "finished"]
    assert [event.version for event in streamed.result()] == list(range(1, ends[0].version + 1))
    assert [event.version for event in polled.result()] == list(range(1, ends[0].version + 1))


def slowly(player, all_killed):
    """Chooses at leisure, and what might end the game only when everything has been killed that is to be."""
    choose = random.Random(player.token).choice

    def chosen(view):
        time.sleep(0.1)
        if any(seat.tokens > FEW_TOKENS for seat in view.seats):
            all_killed.wait()
        return choose(view.legal_actions)

    return chosen


def kill_servers(installation, over, all_killed):
    """Kills what serves, and again as soon as it serves again; returns how often something was killed."""
    killed = 0
    try:
        while killed < KILLS and not over.wait(0.5):
            installation.wait_until_ready()
            killed += sum(kill(process, signal.SIGKILL) for process in installation.part("api"))
    finally:
        all_killed.set()
    return killed
