import random

import pytest

from tests.service.at_table import EN, Game
from tests.service.states import folded, read

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
            service.tables.leave(game.token(rng.randrange(seats)), game.id, words=EN)


def test_a_finished_and_an_aborted_game_are_read_as_they_fold(service, new_log, log):
    finished = Game.begin(service).play(random.Random(1))
    aborted = Game.open(service, "creator", "open")
    service.tables.abort(aborted.creator.token, aborted.id, words=EN)
    for game, status in ((finished, "finished"), (aborted, "aborted")):
        assert read(new_log(), game.id) == folded(log, game.id)
        assert log.read(game.id).snapshot.state.status == status
        assert log.read(game.id).snapshot.finished_at is not None
