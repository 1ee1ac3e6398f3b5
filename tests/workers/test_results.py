"""Results with real workers: recorded when a game ends, and by the sweepers when a worker or a queue was lost."""

import signal

from service.jobs.form import QUEUES
from tests.service.at_table import Game
from tools.testbed.waiting import wait_until


def results(service):
    return [result["game"] for result in service.results.page(None)["results"]]


def test_a_worker_records_the_result_of_a_game_that_ends(service, work):
    game = Game.begin(service).cut_short()
    assert results(service) == []
    work()
    assert results(service) == [game.id]


def test_games_between_bots_have_results_too(service, work):
    game = Game.open(service, "random", "random")
    work()
    assert results(service) == [game.id]


def test_what_the_queues_have_lost_is_recorded_all_the_same_and_once(service, client, start_worker):
    games = [Game.begin(service).cut_short() for _ in range(3)]
    client.delete(*[f"rq:queue:{name}" for name in QUEUES])
    first = start_worker()
    wait_until(lambda: len(results(service)) == 3)
    first.end(signal.SIGKILL)
    late = Game.begin(service).cut_short()
    client.delete(*[f"rq:queue:{name}" for name in QUEUES])
    start_worker()
    wait_until(lambda: len(results(service)) == 4)
    assert sorted(results(service)[:3]) == sorted(game.id for game in games)
    assert results(service)[3] == late.id
