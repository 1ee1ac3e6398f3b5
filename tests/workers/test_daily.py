"""Jobs and workers end deals of the day by themselves."""

from unittest.mock import patch

from rq import Queue
from rq.serializers import JSONSerializer

from games.daily.days import Day
from games.tables.lifetimes import DAY_MS
from service.inputs.clock import now_ms
from service.jobs.form import TURNS
from service.store import keys
from tests.service.at_table import EN, guest, read, refusal
from tools.testbed.waiting import wait_until
from workers import jobs


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
    service.jobs.enqueue(service.day_waves.hints())
    found = Queue(TURNS, connection=client, serializer=JSONSerializer).jobs
    assert ("workers.jobs.end_day", [[day.id, 0]]) in [(job.func_name, job.args) for job in found]
    for _ in range(2):
        jobs.end_day((day.id, 0))
    jobs.end_day(("nothing", 0))
    assert service.daily.past(player.token, "standard", day.date, EN)["own"]["won"] is False


def test_a_worker_process_lets_the_bot_try_and_ends_a_day_by_itself(service, start_worker):
    today = guest(service)
    service.daily.begin(today.token, "standard", words=EN)
    day, player = tried_yesterday(service)
    assert refusal(lambda: service.daily.past(None, "standard", day.date, EN)).code == "game_not_finished"
    start_worker()
    wait_until(lambda: service.redis.send(("HEXISTS", keys.day(day.id), "summary"))[0])
    assert service.daily.past(player.token, "standard", day.date, EN)["tried"] == 0, "the account is too young"
    tries = keys.day_tries(Day.at("standard", now_ms()).id)
    wait_until(lambda: service.redis.send(("ZSCORE", tries, "bot-expert"))[0] in (b"11", b"12"))
