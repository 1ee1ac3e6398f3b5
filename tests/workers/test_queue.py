"""Workers pairing those who wait, carrying out matches, and ending days: a sweeper finds it, and a job does it."""

from unittest.mock import patch

from rq import Queue
from rq.serializers import JSONSerializer

from billet.status import Measured
from games.daily.days import Day
from games.tables.lifetimes import DAY_MS
from service.inputs.clock import now_ms
from service.jobs.form import TURNS
from service.store import keys
from tests.service.at_table import EN, guest, read, refusal
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
    service.jobs.enqueue([task for task in service.waves.tasks() if task.game == "standard"])
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
    service.jobs.enqueue(service.match_waves.tasks())
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


# --- deals of the day ---


def tried_yesterday(service):
    """Returns a day that is over, and whoever has tried its deal and resigned."""
    player, day = guest(service), Day.at("standard", now_ms() - DAY_MS)
    with patch.object(Day, "at", lambda edition, now: Day(edition, day.date)):
        game = read(service.daily.begin(player.token, "standard", words=EN))["id"]
    service.tables.leave(player.token, game, words=EN)
    return day, player


def test_a_job_ends_a_day_and_again_it_does_no_harm(own_service, service, client):
    day, player = tried_yesterday(service)
    service.jobs.settle()
    service.jobs.enqueue(service.day_waves.tasks())
    found = Queue(TURNS, connection=client, serializer=JSONSerializer).jobs
    assert ("workers.jobs.end_day", [[day.id, 0]]) in [(job.func_name, job.args) for job in found]
    for _ in range(2):
        jobs.end_day((day.id, 0))
    jobs.end_day(("nothing", 0))
    assert service.daily.past(player.token, "standard", day.date, EN)["own"]["won"] is False


def test_a_worker_process_lets_the_bot_try_and_ends_a_day_by_itself(service, start_worker):
    today = guest(service)
    day, player = tried_yesterday(service)
    assert refusal(lambda: service.daily.past(None, "standard", day.date, EN)).code == "game_not_finished"
    start_worker()
    wait_until(lambda: service.redis.send(("HEXISTS", keys.day(day.id), "summary"))[0])
    assert service.daily.past(player.token, "standard", day.date, EN)["tried"] == 0, "the account is too young"

    def bot_tries():
        service.daily.begin(today.token, "standard", words=EN)  # again, in case another day has begun
        tries = keys.day_tries(Day.at("standard", now_ms()).id)
        return service.redis.send(("ZSCORE", tries, "bot-expert"))[0] in (b"11", b"12")

    wait_until(bot_tries)
