"""Workers pairing those who wait, and carrying out matches: a sweeper finds the work, and a job opens the games."""

from rq import Queue
from rq.serializers import JSONSerializer

from billet.status import Measured
from service.jobs.form import TURNS
from tests.service.at_table import EN, guest, read
from tests.service.matches.playing import body, running, view
from tests.service.queue.waiting import ask, look, two
from tests.service.still_clock import still_clock
from tools.testbed.waiting import wait_until
from workers import jobs


def test_a_job_pairs_those_who_wait_for_its_edition(service, work, client, monkeypatch):
    clock = still_clock(monkeypatch)
    tickets = two(service)
    other = guest(service)
    others = ask(service, other, edition="classic")["id"]
    clock.advance(1)
    service.jobs.enqueue([hint for hint in service.waves.hints() if hint.game == "standard"])
    [job] = Queue(TURNS, connection=client, serializer=JSONSerializer).jobs
    assert (job.func_name, job.args) == ("workers.jobs.pair", [["standard", 0]])
    work()
    assert {look(service, *one)["state"] for one in tickets.items()} == {"matched"}
    assert look(service, other, others)["state"] == "waiting"


def test_jobs_that_come_late_or_twice_do_no_harm(own_service, service, client):
    tickets = two(service)
    for _ in range(3):
        jobs.pair(("standard", 0))
    jobs.pair(("nothing", 0))
    [game] = {look(service, *one)["game"] for one in tickets.items()}
    assert client.keys("billet:{*}:log") == [f"billet:{{{game}}}:log".encode()]


def test_what_becomes_of_tickets_is_measured(own_service, service):
    for player, ticket in two(service).items():
        service.queue.cancel(player.token, ticket)
    two(service)
    jobs.pair(("standard", 0))
    service.totals.report()
    own_service.totals.report()
    measured = Measured(service.survey.state().measured)
    for how in ("cancelled", "matched"):
        assert measured.count("queue_tickets", edition="standard", how=how) == 2
    assert measured.times("queue_ticket_seconds", edition="standard").number == 2


def test_a_worker_process_pairs_players_by_itself(service, start_worker):
    tickets = two(service)
    start_worker()
    wait_until(lambda: {look(service, *one)["state"] for one in tickets.items()} == {"matched"})
    player, ticket = next(iter(tickets.items()))
    game = look(service, player, ticket)["game"]
    assert read(service.games.view(player.token, game, words=EN))["status"] == "active"


# --- matches ---


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


def test_jobs_of_a_match_that_come_late_or_twice_do_no_harm(own_service, service):
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
