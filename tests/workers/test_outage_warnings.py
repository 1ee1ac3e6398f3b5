"""A worker warns of an outage of Redis often enough to be seen, and seldom enough to leave room in the log."""

import logging

import pytest
from redis.exceptions import ConnectionError as Away
from redis.exceptions import ResponseError

from workers import main, outages


def test_it_warns_once_in_an_interval_and_says_what_is_wrong(monkeypatch, caplog):
    now = [100.0]
    monkeypatch.setattr(outages.time, "monotonic", lambda: now[0])
    warner = outages.Outages(logging.getLogger("workers.test"), "Redis", "sweeping resumes")
    for says, answers in (("away", False), ("full", True)):
        warner.warn(says, answers=answers)
        warner.warn(says, answers=answers)
        now[0] += outages.WARNING_SECONDS
    assert caplog.messages == [
        "Redis is unreachable; sweeping resumes when that is over: away",
        "Redis takes no writes; sweeping resumes when that is over: full",
    ]


def test_it_says_once_that_redis_works_again_and_after_how_long(monkeypatch, caplog):
    now = [100.0]
    monkeypatch.setattr(outages.time, "monotonic", lambda: now[0])
    warner = outages.Outages(logging.getLogger("workers.test"), "Redis", "sweeping resumes")
    warner.over()
    warner.warn("away", answers=False)
    now[0] += outages.WARNING_SECONDS
    warner.warn("away", answers=False)
    now[0] += 4
    warner.over()
    warner.over()
    assert caplog.messages == [
        *["Redis is unreachable; sweeping resumes when that is over: away"] * 2,
        "Redis works again after 14 s",
    ]


@pytest.mark.parametrize(
    ("error", "says"),
    [(Away("away"), ["Redis is unreachable"]), (ResponseError("OOM"), ["Redis takes no writes"]), (LookupError(), [])],
)
def test_a_worker_tells_a_redis_that_refuses_writes_from_one_that_is_away(caplog, error, says):
    try:
        raise error
    except type(error):
        main._warn_of_outage(outages.Outages(logging.getLogger("workers.test"), "Redis", "work resumes"))
    assert [message.partition(";")[0] for message in caplog.messages] == says
