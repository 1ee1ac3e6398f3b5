import random
from dataclasses import replace

import pytest

from engine.events import fold
from engine.logs.codec import read_event
from games.causes import Join, Leave
from games.snapshot import Entry, first_snapshot
from games.steps import events_of
from tests.games.whole_logs import TABLES as EVERY_TABLE
from tests.games.whole_logs import stored_log, whole_story
from tests.service.at_table import EN, Game
from tests.service.states import folded, read

TABLES = [("standard", 2), ("standard", 6), ("classic", 4)]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_reading_from_the_newest_round_gives_what_folding_the_whole_log_gives(service, new_log, log, edition, seats):
    rng = random.Random(f"{edition} {seats}")
    game = Game.open(service, "creator", *["open"] * (seats - 1), edition=edition)
    assert read(new_log(), game.id) == folded(log, game.id)
    game.fill()
    warm = new_log()
    for _ in range(10):
        game.play(rng, rng.randrange(1, 9))
        whole = folded(log, game.id)
        assert read(new_log(), game.id) == whole, "a process that knows nothing of the game"
        assert read(warm, game.id) == whole, "a process that has seen the game before"
        if rng.random() < 0.1 and game.to_act() is not None:
            service.tables.leave(game.token(rng.randrange(seats)), game.id, words=EN)


@pytest.mark.parametrize(("edition", "seats"), EVERY_TABLE)
def test_the_game_after_a_step_is_what_its_events_make_of_the_game_before(edition, seats):
    for step in whole_story(edition, seats, seats).steps[1:]:
        state = fold(step.before.state.copy(), [entry.event for entry in step.entries])
        assert step.after.state == state


def test_a_finished_and_an_aborted_game_are_read_as_they_fold(service, new_log, log):
    finished = Game.begin(service).play(random.Random(1))
    aborted = Game.open(service, "creator", "open")
    service.administration.abort(aborted.id)
    for game, status in ((finished, "finished"), (aborted, "aborted")):
        assert read(new_log(), game.id) == folded(log, game.id)
        assert log.read(game.id).snapshot.state.status == status
        assert log.read(game.id).snapshot.finished_at is not None


class Untouched:
    """An entry of a log at which nobody may look."""

    version, at = 1, "2030-01-01T00:00:00.000Z"

    @property
    def event(self):
        raise AssertionError("earlier entries are looked at once more for each step")


def test_a_step_before_the_start_looks_at_no_earlier_one_however_many_there_are():
    first = stored_log("classic", 2, 0)[0]
    opened = first_snapshot(Entry(1, first["at"], read_event(first)), b"", "")
    before = replace(opened, entries=(Untouched(),) * 9)
    for cause in (Join(0, "p0", ""), Leave(0)):
        (event,) = events_of(before, cause, 0)
        before = before.after([Entry(before.version + 1, first["at"], event)], "")
    assert (len(before.entries), before.players) == (11, [None, None])
