"""What a request has asked workers for is found in their log by the id of the request."""

from rq.job import Job
from rq.serializers import JSONSerializer

from service.jobs.form import REQUEST
from service.log_lines import request_id
from service.play import Play
from tests.service.at_table import Game

SECRET = "she holds the princess"


def test_a_job_works_under_the_id_of_its_request(service, work, client, monkeypatch, caplog):
    seen = []

    def failing(self, *arguments):
        seen.append(request_id.get())
        raise ValueError(SECRET)

    monkeypatch.setattr(Play, "bot_turns", failing)
    asked = request_id.set("request-1")
    try:
        Game.open(service, "random", "random")
    finally:
        request_id.reset(asked)
    [job] = [name.decode().removeprefix("rq:job:") for name in client.keys("rq:job:*") if b":results" not in name]
    assert Job.fetch(job, client, JSONSerializer).meta == {REQUEST: "request-1"}
    work(max_jobs=1)
    assert seen == ["request-1"]
    assert request_id.get() == "-"
    assert "the job workers.jobs.play_bots has failed" in caplog.text
    assert "the job bots has failed" in caplog.text
