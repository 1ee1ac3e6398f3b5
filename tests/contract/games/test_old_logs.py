"""A game that the first release has stored, over HTTP: its views, its events and its log, in the forms of today."""

import orjson
import pytest
import redis

from engine.logs.codec import read_event, store_event
from engine.logs.upcasts import version_of
from games.records.portable import parsed
from tests.engine.written.golden_files import agreeing
from tests.golden.whole_games import end_of, whole_logs
from tests.service.stored import put_game

STORED = {path.stem: parsed(path.read_bytes()) for path in whole_logs("no_causes")}


@pytest.fixture(params=STORED)
def old(request, redis_url):
    """The log of a game that lies in Redis as the first release has left it there."""
    log = STORED[request.param]
    events = log["events"]
    with redis.Redis.from_url(redis_url) as client:
        put_game(client, [{name: event[name] for name in ("v", "type", "at", "data")} for event in events])
    return log


def test_it_is_shown_given_away_and_verified_like_any_other(client, old):
    path = f"/v1/games/{old['game']}"
    end = end_of(old["events"])
    assert seats(client.get(path).json) == [(one["tokens"], one["hand"]) for one in end["views"]["watcher"]["seats"]]
    for viewer in ("all", *(str(seat) for seat in range(old["seats"]))):
        shown = client.get(f"{path}?as={viewer}").json
        assert seats(shown) == [(one["tokens"], one["hand"]) for one in end["views"][viewer]["seats"]]
        assert shown["winners"] == agreeing(end["outcome"], {"winners": None})["winners"]
    earlier = client.get(f"{path}?at={len(old['events']) // 2}").json
    assert earlier["version"] == len(old["events"]) // 2

    given = client.get(f"{path}/log").json
    assert {**given, "package_version": "", "digest": ""} == {**old, "package_version": "", "digest": ""}
    verdict = client.post("/v1/logs/verify", json=given).json
    assert (verdict["valid"], verdict["divergence"]) == (False, None)
    assert [(one["check"], one["version"]) for one in verdict["unchecked"]] == [("steps", 1)]


def test_its_events_are_those_of_today(client, old):
    events = []
    while len(events) < len(old["events"]):
        page = client.get(f"/v1/games/{old['game']}/events?after={len(events)}").json
        events += page["events"]
    assert page["finished"]
    today = [store_event(read_event(event), event["at"]) for event in old["events"]]
    started = [i for i, event in enumerate(today) if event["type"] == "round_started"]
    assert {today[i]["v"] for i in started} == {version_of("round_started")}
    for i in started:
        told = events[i]["data"]
        assert {**told, "hands": None, "deck": None, "set_aside": None} == {
            **orjson.loads(orjson.dumps(today[i]["data"])),
            "hands": None,
            "deck": None,
            "set_aside": None,
        }
        assert {*told["hands"], *told["deck"], told["set_aside"]} == {None}


def seats(shown):
    return [(seat["tokens"], seat["hand"]) for seat in shown["seats"]]
