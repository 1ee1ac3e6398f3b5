"""A worker warns of an outage of Redis often enough to be seen, and seldom enough to leave room in the log."""

import logging

from workers import outages


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
    now[0] += 3
    warner.warn("away", answers=False)
    now[0] += 4
    warner.over()
    warner.over()
    assert caplog.messages == [
        "Redis is unreachable; sweeping resumes when that is over: away",
        "Redis works again after 7 s",
    ]
