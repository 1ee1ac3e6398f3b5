"""The example bots play without a refusal; they and clients in both languages go on when what serves them is killed."""

import random
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from tests.clients.typescript.project import results
from tools.players.example_bots import ended, opened, playing, refusals, refused
from tools.testbed.installed import imported

UNDISTURBED, RESTARTED = ("standard", "lovecraft"), ("classic", "premium")
"""The editions of the games of the bots before anything is killed, and of those that go on afterwards."""
FEW_TOKENS = 3
"""So many tokens and two more, the most that a round brings, win no game of `standard` for two."""
SECONDS = 200


@pytest.mark.soak
def test_the_bots_are_refused_nothing_and_all_go_on_when_what_serves_them_is_killed(project, installation, tmp_path):
    base, all_killed = installation.base, threading.Event()
    with playing(base, tmp_path, project.built / "programs" / "bot.mjs") as bots:
        before = refusals(base)
        with opened(base, bots, UNDISTURBED) as (host, games):
            assert sum(ended(host, games, bots, SECONDS)) >= len(UNDISTURBED)
            assert refused(base, host, before) == {}
        with (
            opened(base, bots, RESTARTED) as (host, games),
            in_typescript(project, base) as process,
            in_python(base, all_killed),
        ):
            tokens = [bot.token() for bot in bots]
            time.sleep(1)
            installation.kill_parts("api-process")
            installation.wait_until_ready()
            time.sleep(0.5)  # the clients play on
            for bot in bots:
                bot.kill()
                bot.start()
            assert process.poll() is None
            installation.kill_tree()
            assert process.poll() is None
            installation.start()
            all_killed.set()
            assert sum(ended(host, games, bots, SECONDS)) >= len(RESTARTED)
            assert [bot.token() for bot in bots] == tokens


@contextmanager
def in_typescript(project, base):
    """Yields a process that plays two games; checks in the end that nothing in them was lost or doubled."""
    command = ["node", "programs/whole_games.js", base, "--edition=classic", "--pause=100"]
    with subprocess.Popen(
        command, cwd=project.built, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
            printed, _ = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert process.returncode == 0, printed
    assert len(results(printed)) == 2


@contextmanager
def in_python(base, all_killed):
    """Plays a game of two people, which is followed in two ways; checks in the end that nobody missed an event."""
    with ExitStack() as closing, ThreadPoolExecutor(4) as threads:
        ann, ben, watcher = (closing.enter_context(imported().Billet(base)) for _ in range(3))
        ann.register("Ann")
        ben.register("Ben")
        game = ann.create("standard", ["creator", "open"])
        followed = [
            threads.submit(lambda: list(ann.events(game))),
            threads.submit(lambda: list(watcher.events(game, by="poll"))),
        ]
        ben.join(game)
        plays = [threads.submit(player.play, game, slowly(player, all_killed)) for player in (ann, ben)]
        try:
            yield
            ends = [play.result(SECONDS) for play in plays]
        finally:
            all_killed.set()
        heard = [[event.version for event in events.result()] for events in followed]
    assert [end.status for end in ends] == ["finished", "finished"]
    assert heard == [list(range(1, ends[0].version + 1))] * 2


def slowly(player, all_killed):
    """Chooses at leisure, and what might end the game only when everything has been killed that is to be."""
    choose = random.Random(player.token).choice

    def chosen(view):
        time.sleep(0.1)
        if any(seat.tokens > FEW_TOKENS for seat in view.seats):
            all_killed.wait()
        return choose(view.legal_actions)

    return chosen
