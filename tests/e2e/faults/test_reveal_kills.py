"""`kill -9` while nonces are revealed: each game starts once, in time, and names nobody whose nonce was accepted.

Each kill comes while no nonce is revealed at one table, some are at another, and the last one comes at a third, at one
of three moments. Others come as the time is up, then of workers too. This is for the soak.
Kills while a game is played are for `test_kills`.
"""

import hashlib
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import NamedTuple

import pytest

from tests.verifier.verifier import judged
from tools.players.ledger import LATE_SECONDS, Ledger, check_whole, read_logs, seconds, since_back
from tools.players.retrying import Retrying
from tools.players.tables import CREATOR, OPEN
from tools.testbed.fire import ALLOWED, RETURN_SECONDS, Fire
from tools.testbed.processes import kill

PARTS = ("redis", "worker", "api-process", "api")
AS_THE_LAST_COMES = (0.0, 0.003, 0.008)
"""Seconds from the call until the kill; the call itself takes a few milliseconds."""
AS_TIME_IS_UP = (("redis", -0.03), ("worker", 0.0), ("api-process", 0.02), ("redis", 0.3))
"""What is killed, and how many seconds after the time is up."""


class Table(NamedTuple):
    """A full table at which everybody has committed, and what became of the nonces that were sent."""

    id: str
    until: float
    counted: set[int]
    """The seats whose nonce was answered with 200."""
    late: set[int]
    """The seats that were told that they came too late."""


class Tables:
    """Opens tables of three and sends their players' nonces, each call until it is answered."""

    def __init__(self, players):
        self.players = players
        self.opened = []

    def open(self):
        host, *guests = self.players
        seats = [CREATOR, *[OPEN] * len(guests)]
        game = host.create({"edition": "standard", "seats": seats, "nonce_hash": hashed(nonce_of(0))})
        for seat, player in enumerate(guests, 1):
            player.join(game, seat=seat, nonce_hash=hashed(nonce_of(seat)))
        reveal = host.view(game)["reveal"]
        self.opened.append(Table(game, seconds(reveal["until"]), set(), set()))
        return self.opened[-1]

    def reveal(self, table, *seats):
        for seat in seats:
            path, body = f"/v1/games/{table.id}/nonce", {"nonce": nonce_of(seat)}
            answer = self.players[seat].ask("POST", path, body)
            if answer.status_code == 200:
                table.counted.add(seat)
            else:
                assert (answer.status_code, answer.json()["reason"]) == (409, "reveal_over"), answer.text
                table.late.add(seat)


def nonce_of(seat):
    return f"{seat} keeps this to themselves until then"


def hashed(nonce):
    return hashlib.sha256(nonce.encode()).hexdigest()


def kill_all_of(part, fire):
    """Kills every process of a part, and waits for Redis to be back: nothing can be expected meanwhile.

    Nor can a start in time without a worker, which is noted in the background.
    """
    known = fire.workers()
    until = time.monotonic() + RETURN_SECONDS
    while True:
        running, begun = fire.wait_for_part(part), time.time()
        if sum(kill(process, signal.SIGKILL) for process in running):
            break
        # All had ended by themselves, as a Redis does that is started while another still holds the data.
        assert time.monotonic() < until, f"{part} ends by itself again and again"
    fire.killed.append(part)
    if part == "redis":
        fire.note_outage(begun, fire.wait_for_redis)
    elif part == "worker":
        fire.watch_for_worker(begun, known)


def kill_before_after_some_and_as_the_last_comes(tables, fire, pool):
    """Kills each part beside a table of each kind."""
    for part, after in product(PARTS, AS_THE_LAST_COMES):
        before, some, last = tables.open(), tables.open(), tables.open()
        tables.reveal(some, 0)
        tables.reveal(last, 1, 2)
        revealing = pool.submit(tables.reveal, last, 0)
        time.sleep(after)
        kill_all_of(part, fire)
        revealing.result()
        tables.reveal(before, 0, 1, 2)
        tables.reveal(some, 2, 1)


def kill_as_time_is_up(tables, until, fire, pool):
    """Kills around the end of the time, while the last nonces of half of the tables come."""
    time.sleep(max(0.0, until - 0.03 - time.time()))
    late = [pool.submit(tables.reveal, table, 1) for table in tables.opened[::2]]
    for part, after in AS_TIME_IS_UP:
        time.sleep(max(0.0, until + after - time.time()))
        kill_all_of(part, fire)
    for revealing in late:
        revealing.result()


def wait_for_the_start(installation, table, outages):
    """Waits for a game to start by itself: asking the API would make it look at the clock."""
    while installation.status_of(table.id) != "active":
        since = since_back(table.until, time.time(), outages)
        assert time.time() < since + ALLOWED * LATE_SECONDS, f"{table.id} has not started"
        time.sleep(0.05)


def check_started(table, log, outages):
    """Checks that a game started once, in time, with the nonces that counted, and names the other seats alone."""
    types = [event["type"] for event in log.events]
    assert (types.count("reveal_started"), types.count("game_started")) == (1, 1), table.id
    (started,) = [event for event in log.events if event["type"] == "game_started"]
    revealed = [event["data"]["seat"] for event in log.events if event["type"] == "nonce_revealed"]
    unrevealed, at = started["data"]["unrevealed"], seconds(started["at"])
    assert sorted([*revealed, *unrevealed]) == started["data"]["committed"] == [0, 1, 2]
    assert table.counted <= set(revealed), f"{table.id} names a seat whose nonce was accepted: {unrevealed}"
    assert table.late <= set(unrevealed), f"{table.id} has a nonce that was refused"
    if unrevealed:
        assert 0 <= at - since_back(table.until, at, outages) + 0.001 <= ALLOWED * LATE_SECONDS
    else:
        assert types[types.index("game_started") - 1] == "nonce_revealed", "the last nonce starts the game"


@pytest.mark.soak
def test_kills_at_each_moment_of_a_reveal(installation, closed):
    with installation.redis() as client:
        others = set(read_logs(client))
    ledger = Ledger()
    players = [closed(Retrying(installation.base, name, ledger)) for name in ("ann", "ben", "cleo")]
    fire, last_fire = Fire(installation), Fire(installation)
    tables, forgotten = Tables(players), Tables(players)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(4):
            forgotten.reveal(forgotten.open(), 0, 2)
        forgotten.open()
        ending = pool.submit(kill_as_time_is_up, forgotten, forgotten.opened[0].until, last_fire, pool)
        kill_before_after_some_and_as_the_last_comes(tables, fire, pool)
        ending.result()
        for one in (fire, last_fire):
            one.wait_for_all()
        outages = sorted(fire.outages + last_fire.outages)
        for table in forgotten.opened:
            wait_for_the_start(installation, table, outages)
    installation.wait_until_ready()
    every = tables.opened + forgotten.opened
    with installation.redis() as client:
        logs = read_logs(client, others)
    check_whole(logs)
    assert sorted(logs) == sorted(ledger.created.values()) == sorted(table.id for table in every)
    for table in every:
        check_started(table, logs[table.id], outages)
    assert all(len(table.counted | table.late) == 3 for table in tables.opened)
    for table in every:
        for player in players[:2]:  # whoever is left wins
            assert player.ask("DELETE", f"/v1/games/{table.id}/seats/me").status_code == 200
    played = [players[0].ask("GET", f"/v1/games/{table.id}/log").json() for table in every]
    assert all(verdict["valid"] for verdict in judged(played))
