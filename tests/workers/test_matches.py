"""Workers carrying matches out: a sweeper finds the match, a job opens its games, and bots play them."""

from rq import Queue
from rq.serializers import JSONSerializer

from service.jobs.form import TURNS
from tests.service.at_table import guest
from tests.service.matches.playing import body, running, view
from tests.service.still_clock import still_clock
from tools.testbed.waiting import wait_until
from workers import jobs


def test_a_job_opens_the_games_of_its_match(service, work, client, monkeypatch):
    clock = still_clock(monkeypatch)
    match = service.matches.create(guest(service).token, body(bots=2)).match["id"]
    service.jobs.settle()
    clock.advance(1)
    service.jobs.enqueue(service.match_waves.hints())
    for job in Queue(TURNS, connection=client, serializer=JSONSerializer).jobs:
        assert (job.func_name, job.args) == ("workers.jobs.play_match", [[match, 0]])
    work()
    assert len(running(service, match)) + view(service, match)["played"] == 4


def test_jobs_that_come_late_or_twice_do_no_harm(own_service, service):
    match = service.matches.create(guest(service).token, body(bots=2)).match["id"]
    for _ in range(3):
        jobs.play_match((match, 0))
    jobs.play_match(("mnothing", 0))
    assert view(service, match)["running"] == 4


def test_a_worker_process_plays_a_match_by_itself(service, start_worker):
    match = service.matches.create(guest(service).token, body(bots=2, games=6)).match["id"]
    start_worker()
    wait_until(lambda: view(service, match)["state"] == "ended")
    assert view(service, match)["played"] == 6
