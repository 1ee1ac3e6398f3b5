import random

import pytest

from engine import rules, views
from engine.views import WATCHER
from service.log import step
from tests.service.at_table import Game
from tests.service.states import folded, plain, read

TABLES = [("standard", 2), ("standard", 3), ("standard", 6), ("classic", 2), ("classic", 4)]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_reading_from_the_newest_round_gives_what_folding_the_whole_log_gives(service, new_log, log, edition, seats):
    rng = random.Random(f"{edition} {seats}")
    game = Game.open(service, "creator", *["open"] * (seats - 1), edition=edition)
    assert read(new_log(), game.id) == folded(log, game.id)
    game.fill()
    warm = new_log()
    for _ in range(14):
        game.play(rng, rng.randrange(1, 9))
        whole = folded(log, game.id)
        assert read(new_log(), game.id) == whole, "a process that knows nothing of the game"
        assert read(warm, game.id) == whole, "a process that has seen the game before"
        if rng.random() < 0.1 and game.to_act() is not None:
            service.tables.leave(game.token(rng.randrange(seats)), game.id)


def test_a_finished_and_an_aborted_game_are_read_as_they_fold(service, new_log, log):
    finished = Game.begin(service).play(random.Random(1))
    aborted = Game.open(service, "creator", "open")
    service.tables.abort(aborted.creator.token, aborted.id)
    for game, status in ((finished, "finished"), (aborted, "aborted")):
        assert read(new_log(), game.id) == folded(log, game.id)
        assert log.read(game.id).snapshot.state.status == status
        assert log.read(game.id).snapshot.finished_at is not None


def test_what_is_not_appended_leaves_no_trace_in_the_views(service, log):
    game = Game.begin(service, sandbox={"rounds": [{"starter": 0, "order": ["spy", *["guard"] * 5, "priest"]}]})
    snapshot = log.read(game.id).snapshot
    told = [entry.event for entry in log.entries(game.id, 0)]
    assert snapshot.view(0) is snapshot.view(0), "views are kept"
    for action in rules.legal_actions(snapshot.state):
        tried = step(snapshot, rules.decide(snapshot.state, 0, action, snapshot.chance()), 0)
        for viewer in (WATCHER, 0, 1):
            seen = plain(tried.after.view(viewer))
            whole = [*told, *[entry.event for entry in tried.entries]]
            assert seen == plain(views.view(whole, viewer))
