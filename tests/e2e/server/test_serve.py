"""One process tree serves, stops and starts again without losing a game, and says so when it cannot serve."""

import signal
import threading
import time
import uuid
from contextlib import closing
from functools import partial

from service.store.redis.client import ANSWER_SECONDS
from tests.e2e.sse import Stream, path_of
from tools.players.calls import Client
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN, bot, bots, together
from tools.testbed.processes import kill
from tools.testbed.waiting import wait_until

FIRST_ANSWER_SECONDS = ANSWER_SECONDS - 1.0
"""What does not wait for Redis is there a second before the rest gives it up, also on a busy machine."""


def people(installation, closed, count):
    return [closed(Person.register(installation.base, f"Player {i}")) for i in range(count)]


def test_a_stop_under_load_keeps_nobody_waiting_and_the_next_start_goes_on_with_every_game(installation, closed):
    ann, ben, cem = people(installation, closed, 3)
    # In the middle of a round; with bots and a clock; a table that is still open; an unlisted one; an ended game.
    middle = ann.create("standard", [CREATOR, OPEN], nonce="salt")["id"]
    ben.join(middle)
    for _ in range(3):
        actor = (ann, ben)[ann.view(middle)["to_act"]]
        key = str(uuid.uuid4())
        action = actor.view(middle)["legal_actions"][-1]["action"]
        answer = actor.act(middle, action, key=key)
    mixed = ann.create("classic", [bot("random"), CREATOR, OPEN], clock={"seconds": 600, "on_timeout": "forfeit"})["id"]
    ben.join(mixed)
    table = ann.create("standard", [CREATOR, OPEN, *bots(2)])["id"]
    unlisted = ann.create("classic", [CREATOR, OPEN], visibility="unlisted")
    ended = ann.create("standard", [CREATOR, OPEN])["id"]
    ben.join(ended)
    assert ben.delete(f"/games/{ended}/seats/me").status_code == 200
    # The bots have had their turns: nothing moves any more.
    ann.play(mixed, stop=lambda view: view["to_act"] != 0)
    games = (middle, mixed, table, unlisted["id"], ended)
    before = {(game, person): person.get(f"/games/{game}") for game in games[:3] for person in (ann, ben)}
    lists = {person: person.get("/players/me/games").json() for person in (ann, ben)}
    place = installation.output.stat().st_size
    last = stop_under_load(installation, closed, (ann, ben, cem), middle)
    assert "Traceback" not in installation.said_since(place)
    installation.start()
    for (game, person), seen in before.items():
        again = person.get(f"/games/{game}")
        assert (again.content, again.headers["ETag"]) == (seen.content, seen.headers["ETag"])
    assert {person: person.get("/players/me/games").json() for person in (ann, ben)} == lists
    assert cem.view(last)["status"] == "open"
    repeated = actor.act(middle, action, key=key)
    assert (repeated.content, repeated.headers["Idempotent-Replayed"]) == (answer.content, "true")
    ben.join(table)
    ben.join(unlisted["id"], join_code=unlisted["join_code"])
    (again,) = {person.post(f"/games/{ended}/rematch").json()["id"] for person in (ben, ann)}
    for game in (middle, mixed, table, unlisted["id"], again):
        go_on(game, (ann, ben))


def go_on(game, persons):
    """Plays until each of the persons has acted, and so everybody beside them, or until the game is over."""
    acted, view = set(), persons[0].view(game)
    while len(acted) < len(persons) and view["status"] == "active":
        player = view["seats"][view["to_act"]]["player"]["id"]
        for person in persons:
            if person.id == player:
                answer = person.act(game, person.view(game)["legal_actions"][0]["action"])
                assert answer.status_code == 201, answer.text
                acted.add(player)
                break
        else:
            assert persons[0].events(game, view["version"], wait=30)["events"], "a bot does not act"
        view = persons[0].view(game)


def stop_under_load(installation, closed, persons, quiet):
    """Stops an installation while people wait for and follow a game in which nothing moves, and bots play another.

    Returns the table that was opened last before that.
    """
    busy = persons[2].create("standard", bots(6))["id"]
    version = persons[0].view(quiet)["version"]
    ended = []

    def wait(person):
        try:
            person.events(quiet, version, wait=30)
        except Exception as error:  # whatever a client gets when its server goes away
            ended.append(error)
        else:
            ended.append(None)

    devices = [closed(person.twin()) for person in persons for _ in range(7)]
    waiting = [threading.Thread(target=wait, args=(device,)) for device in devices]
    streams = [Stream(installation.port, path_of(quiet)) for _ in range(20)]
    for thread in waiting:
        thread.start()
    persons[2].events(busy, 5, wait=5)
    time.sleep(0.3)
    last = persons[2].create("classic", [CREATOR, OPEN])["id"]
    begun = time.monotonic()
    assert installation.stop() == (0, [])
    assert time.monotonic() - begun < 25, "it has waited as long as those who wait"
    for thread in waiting:
        thread.join(60)
        assert not thread.is_alive()
    assert len(ended) == len(devices)
    for stream in streams:
        with stream:
            assert [one.name for one in stream] == ["game"], "it has come to a proper end"
    return last


def watched(installation):
    """Asks what those who watch ask, and returns how long the slowest answer took."""
    slowest = 0.0
    for path in ("/healthz", "/readyz", "/metrics") * 5:
        begun = time.monotonic()
        with closing(Client(installation.base, timeout=60)) as client:
            assert client.get(path).status_code in (200, 503)
        slowest = max(slowest, time.monotonic() - begun)
    return slowest


def test_the_service_says_that_redis_is_away_and_comes_back(installation, closed):
    (ann,) = people(installation, closed, 1)
    place = installation.output.stat().st_size
    game = ann.create("standard", [CREATOR, OPEN])["id"]
    (redis,) = installation.part("redis")
    kill(redis, signal.SIGSTOP)  # it takes connections still, and answers none
    try:
        begun = time.monotonic()
        calls = [
            partial(ann.twin().get, f"/games/{game}"),
            partial(ann.twin().get, f"/games/{game}/events"),
            partial(ann.twin().get, "/games"),
            partial(ann.twin().get, "/players/me"),
            partial(ann.twin().post, "/players", {"name": "Ben"}),
            partial(ann.twin().post, "/games", {"edition": "classic", "seats": bots(2)}),
            partial(ann.twin().post, f"/games/{game}/seats", {"bot": "cautious"}),
            partial(ann.twin().delete, f"/games/{game}/seats/me"),
        ]
        for call in calls:
            closed(call.func.__self__)
        answers = together([partial(watched, installation), *calls])
        assert time.monotonic() - begun < 35
        assert answers.pop(0) < FIRST_ANSWER_SECONDS, "probes wait for a second"
        wait_until(lambda: ann.client.get("/readyz").status_code == 503)
        wait_until(lambda: 'billet_redis_up{keeps="games"} 0.0' in ann.client.get("/metrics").text)
        # Not beside the other list: it would wait for that one, and might be refused with 429.
        answers.append(ann.get("/players/me/games"))
        assert [answer.status_code for answer in answers] == [503] * len(answers)
        for answer in answers:
            assert answer.headers["Content-Type"] == "application/problem+json"
            assert answer.json()["code"] == "unavailable"
            assert "Retry-After" in answer.headers
        assert ann.client.get("/healthz").status_code == 200
    finally:
        kill(redis, signal.SIGCONT)
    installation.wait_until_ready()
    # What was asked meanwhile has been done wholly or not at all.
    types = [event["type"] for event in ann.events(game)["events"]]
    assert types[:2] == ["game_created", "seat_taken"]
    installation.process.send_signal(signal.SIGSTOP)  # or Redis might be back before anybody has asked
    try:
        kill(redis, signal.SIGKILL)
        wait_until(lambda: ann.client.get("/readyz").status_code == 503)
    finally:
        installation.process.send_signal(signal.SIGCONT)
    installation.wait_until_ready()
    assert "Traceback" not in installation.said_since(place)


def test_many_long_polls_hold_nobody_up(served, closed):
    ann, ben = people(served, closed, 2)
    game = ann.create("standard", [CREATOR, OPEN])["id"]
    ben.join(game)
    version = ann.view(game)["version"]
    answers = []
    devices = [closed(who.twin()) for who in (ann, ben) for _ in range(10)]
    path = f"/games/{game}/events?after={version}&wait=30"
    waiting = [threading.Thread(target=lambda d=device: answers.append(d.get(path))) for device in devices]
    for thread in waiting:
        thread.start()
    time.sleep(1)
    assert answers == []
    begun = time.monotonic()
    actor = (ann, ben)[ann.view(game)["to_act"]]
    assert actor.act(game, actor.view(game)["legal_actions"][0]["action"]).status_code == 201
    for thread in waiting:
        thread.join(60)
    assert time.monotonic() - begun < 20
    assert len(answers) == len(devices)
    for answer in answers:
        assert answer.json()["events"][0]["version"] == version + 1
