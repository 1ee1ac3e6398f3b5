"""The example bots, in Python and in TypeScript, play each other; nothing is refused, and restarts are got over."""

import pytest

from tests.clients.example_bots import PYTHON, ended, opened, playing, refusals, refused
from tests.clients.typescript.project import EXAMPLE

UNDISTURBED, RESTARTED = ("standard", "lovecraft"), ("classic", "premium")
"""The editions of the games that are played before anything is killed, and of those that go on afterwards."""
SECONDS = 200


@pytest.fixture
def compiled(project):
    return project.built / "programs" / "bot.mjs"


def test_they_are_short():
    assert all(len(path.read_text().splitlines()) < 60 for path in (PYTHON, EXAMPLE))


@pytest.mark.long
def test_they_play_without_a_refusal_and_go_on_when_they_and_the_service_were_killed(compiled, installation, tmp_path):
    base = installation.base
    with playing(base, tmp_path, compiled) as bots:
        before = refusals(base)
        with opened(base, bots, UNDISTURBED) as (host, games):
            assert sum(ended(host, games, bots, SECONDS)) >= len(UNDISTURBED)
            assert refused(base, host, before) == {}
        with opened(base, bots, RESTARTED) as (host, games):
            tokens = [bot.token() for bot in bots]
            for bot in bots:
                bot.kill()
                bot.start()
            installation.kill_tree()
            installation.start()
            assert sum(ended(host, games, bots, SECONDS)) >= len(RESTARTED)
            assert [bot.token() for bot in bots] == tokens
