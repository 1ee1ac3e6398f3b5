"""What calls and bots' turns cost, counted instead of timed: the same on every machine.

A figure above its record fails. Raise the record only in the commit that says what it is for. Lower it when a figure
has fallen, so that it cannot climb back unnoticed.
"""

import threading
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

import flask
import limits
import redis
import werkzeug

from api import create_app
from engine.bots import BOTS, Bot
from service import Settings
from service.store.redis.client import RedisClient
from tests.counted_calls import calls

ROOT: Final = Path(__file__).parents[2]
OURS: Final = tuple(f"{ROOT / part}/" for part in ("api", "service", "games", "engine"))
THEIRS: Final = tuple(f"{Path(library.__file__).parent}/" for library in (flask, werkzeug, limits))
"""What answers calls with us: code of ours may stand where theirs would take more."""
MARGIN: Final = 1.02
"""What versions of Python may count more."""
ORDER: Final = [
    *["princess", "guard", "priest", "baron", "chancellor"],  # set aside, and a hand for each seat
    *["spy", "handmaid", "guard", "prince", "king", "guard", "priest", "countess"],
    *["guard", "baron", "spy", "handmaid", "guard", "prince", "chancellor", "guard"],
]
"""A deck that makes every game the same."""
OWN: Final = ("config", "info", "client", "hello")
"""Commands of this test itself, and those with which a connection begins: how many there are depends on time."""


class Cost(NamedTuple):
    """What one call or turn costs."""

    trips: float
    """Round trips to Redis, before the answer."""
    commands: float
    """Commands that Redis carries out, those in scripts and for notices included."""
    calls: float
    """Calls of functions of this project, Flask, Werkzeug and `limits`; those of the test's client are among them."""


RECORDS: Final = {
    "register": Cost(trips=3, commands=6, calls=302),
    "create": Cost(trips=3, commands=34, calls=670),
    "take a seat": Cost(trips=4, commands=42.5, calls=653.5),
    "act": Cost(trips=1.3, commands=34, calls=510),
    "view": Cost(trips=1.1, commands=3.4, calls=349.1),
    "view, unchanged": Cost(trips=1, commands=3, calls=384),
    "poll": Cost(trips=1.2, commands=3.6, calls=318.2),
    "bot's turn": Cost(trips=2.2, commands=22, calls=282),
}


class Counter:
    """Counts what is done."""

    def __init__(self, redis_url, service, monkeypatch):
        self._redis, self._service = redis.Redis.from_url(redis_url), service
        self._thread, self._trips = threading.get_ident(), 0
        self.costs = {name: [] for name in RECORDS}
        sent = RedisClient.ask

        def counted(redis_client, commands):
            self._trips += threading.get_ident() == self._thread
            return sent(redis_client, commands)

        monkeypatch.setattr(RedisClient, "ask", counted)

    def of(self, name: str, work: Callable[[], object]) -> object:
        """Does some work, notes what it cost, and returns its result."""
        self._service.settle()
        self._redis.config_resetstat()
        self._trips, result = 0, []
        counted = calls(lambda: result.append(work()), OURS + THEIRS)
        trips = self._trips
        self._service.settle()
        stats = self._redis.info("commandstats").items()
        commands = sum(one["calls"] for key, one in stats if key.removeprefix("cmdstat_").split("|")[0] not in OWN)
        self.costs[name].append(Cost(trips, commands, counted))
        return result[0]


def game(http, service, counter):
    """Plays a round of three people and a bot."""

    def send(name, method, path, token=None, body=None, **headers):
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = counter.of(name, lambda: http.open(f"/v1{path}", method=method, json=body, headers=headers))
        assert answer.status_code in (200, 201, 304), answer.get_data(as_text=True)
        return answer

    tokens = [send("register", "POST", "/players", body={"name": "Ann"}).json["token"] for _ in range(3)]
    seats = [{"kind": kind} for kind in ("creator", "open", "open")] + [{"kind": "bot", "bot": "random"}]
    sandbox = {"rounds": [{"starter": 0, "order": ORDER}]}
    opening = {"edition": "standard", "seats": seats, "sandbox": sandbox}
    path = f"/games/{send('create', 'POST', '/games', tokens[0], opening, **{'Idempotency-Key': 'open'}).json['id']}"
    for token in tokens[1:]:
        send("take a seat", "POST", f"{path}/seats", token, {})
    version = 0
    while True:
        answer = send("view", "GET", path, tokens[0])
        if answer.json["round"]["number"] > 1 or answer.json["status"] != "active":
            return
        seat = answer.json["to_act"]
        send("view, unchanged", "GET", path, tokens[0], **{"If-None-Match": answer.headers["ETag"]})
        send("poll", "GET", f"{path}/events?after={version}", tokens[0])
        version = answer.json["version"]
        if seat == 3:
            counter.of("bot's turn", partial(service.play.bot_turns, answer.json["id"], 0))
        else:
            legal = http.get(f"/v1{path}", headers={"Authorization": f"Bearer {tokens[seat]}"}).json["legal_actions"]
            send(
                "act", "POST", f"{path}/actions", tokens[seat], legal[0]["action"], **{"Idempotency-Key": f"{version}"}
            )


def test_calls_and_bots_turns_cost_no_more_than_on_record(redis_url, monkeypatch):
    unlimited = {field.name: "1000000/minute" for field in fields(Settings) if field.name.startswith("limit_")}
    app = create_app(Settings(redis_url=redis_url, **unlimited))
    service = app.extensions["billet.service"]
    monkeypatch.setitem(BOTS, "random", Bot(lambda asked, rng: asked.legal[0]))
    monkeypatch.setattr("service.players.NAMES_SECONDS", 3600.0)  # how often names are read anew depends on time
    found = []
    for _ in range(3):  # what is remembered by then is remembered once
        with monkeypatch.context() as counting:
            counter = Counter(redis_url, service, counting)
            game(app.test_client(), service, counter)
            found.append({name: Cost(*map(mean, zip(*costs, strict=True))) for name, costs in counter.costs.items()})
    cost = {name: fewest([one[name] for one in found]) for name in RECORDS}
    beyond = {name: now for name, now in cost.items() if not all(map(within_record, now, RECORDS[name]))}
    assert not beyond, f"more than on record: {beyond}"


def fewest(costs):
    return Cost(*(round(min(figures), 1) for figures in zip(*costs, strict=True)))


def within_record(now, most):
    return now <= most * MARGIN
