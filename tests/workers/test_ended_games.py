"""What real workers do with games that have ended: record results, and make reviews in slices.

Sweepers ask again for what a lost queue or a killed worker has left.
"""

import random
import signal

import pytest
from rq import Queue
from rq.serializers import JSONSerializer

from service.aids import reviews
from service.jobs.form import JOB_SECONDS, QUEUES, REVIEWS, UNATTENDED, UNATTENDED_THINKING
from service.jobs.schedule import Task
from service.store import keys
from tests.service.at_table import EN, Game, guest, read
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


# --- reviews ---


def ended(service):
    """Returns a game that was played for some turns, until everybody but one resigned."""
    return Game.begin(service, 3).play(random.Random(5), 6).cut_short()


def ask(game, token=None, address="192.0.2.1"):
    return game.service.reviews.read(token, game.id, address=address, admit=lambda: None, words=EN)


def test_a_review_is_made_a_choice_at_a_time_and_others_get_their_turn(service, client, work):
    first, second = ended(service), ended(service)
    work()  # what their ends have left to do
    for game in (first, second):
        ask(game)
    work(max_jobs=4)
    judged = [read(ask(game).answer)["judged"] for game in (first, second)]
    assert judged == [2, 2], "they take turns"
    queued = Queue(REVIEWS, connection=client, serializer=JSONSerializer)
    assert [job.func_name for job in queued.jobs] == ["workers.jobs.review"] * 2
    work()
    assert ask(first).done
    assert ask(second).done
    assert client.zcard(keys.REVIEWS) == 0


@pytest.mark.parametrize("address", ["192.0.2.1", "192.0.2.2"])
def test_whoever_asks_for_many_reviews_keeps_nobody_else_waiting(service, work, address):
    eager, other = guest(service), guest(service)
    games = [ended(service) for _ in range(4)]
    work()  # what their ends have left to do
    for game in games[:3]:
        ask(game, eager.token)
    ask(games[3], other.token, address)
    work(max_jobs=6)
    assert [read(ask(game).answer)["judged"] for game in games] == [1, 1, 1, 3]


def test_the_bots_of_people_come_before_reviews_and_reviews_before_bots_alone(service, client, work):
    game = ended(service)
    work()  # what its end has left to do
    ask(game)
    for kind in ("bots", "think"):
        service.jobs.enqueue([Task(kind, f"{kind}-1", 1, humans=("ann",))])
        service.jobs.enqueue([Task(kind, f"alone-{kind}", 1, unattended=True, humans=("ann",))])
    counts = {}
    for done in (2, 3):
        work(max_jobs=2 if done == 2 else 1)
        names = (REVIEWS, UNATTENDED, UNATTENDED_THINKING)
        counts[done] = [Queue(name, connection=client, serializer=JSONSerializer).count for name in names]
    assert counts[2] == [1, 1, 1]
    assert counts[3][1:] == [1, 1]


def test_a_review_goes_on_after_its_worker_was_killed(service, start_worker, client):
    game = ended(service)
    begun = start_worker()
    ask(game)
    wait_until(lambda: client.hlen(keys.review(game.id)) > 2)
    begun.end(signal.SIGKILL)
    client.zadd(keys.REVIEWS, {game.id: 0}, xx=True)  # as after the lease
    start_worker()
    wait_until(lambda: ask(game).done)
    assert reviews.LEASE_MS > JOB_SECONDS * 1000
