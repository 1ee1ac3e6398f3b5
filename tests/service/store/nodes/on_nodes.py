"""Games and players on a certain node of a cluster, slots on the move and nodes that are away, for tests."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from unittest.mock import patch

from redis.crc import key_slot

from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from games.errors import Unavailable
from service import players, tables
from service.store import keys
from tests.service.at_table import EN, Game, body, guest, read
from tools.testbed.waiting import wait_until

LISTS = [keys.lobby(status) for status in (OPEN, ACTIVE, FINISHED, ABORTED)]
SHARED = [keys.DUE, keys.EXPIRING, keys.IDLE, keys.NAMES, keys.WORKER_ALIVE, *LISTS]


@contextmanager
def drawn_on(node, module, name, *kinds):
    """Lets the service draw an id anew until its keys, of some kinds, are on a node; nothing is made in vain."""
    draw, owned = getattr(module, name), [(first, last) for first, last, port in node.ranges() if port == node.port]

    def is_there(key):
        return any(first <= key_slot(key.encode()) <= last for first, last in owned)

    def drawn():
        return next(made for made in iter(draw, None) if all(is_there(key(made)) for key in kinds))

    with patch.object(module, name, drawn):
        yield


def guest_on(service, node):
    """Registers a player whose keys are all on a node."""
    with drawn_on(node, players, "new_player_id", keys.player, keys.playing, keys.played):
        return guest(service)


def game_on(service, node, *, of=None, **more):
    """Begins a game on a node, of two players on the same or another one."""
    ann, bob = (guest_on(service, of or node) for _ in range(2))
    with drawn_on(node, tables, "random_id", keys.log):
        made = read(service.tables.create(ann.token, body("creator", "open", **more), words=EN))
    service.tables.take_seat(bob.token, made["id"], {}, words=EN)
    return Game(service, made["id"], ann, {0: ann, 1: bob})


def check_whole(game):
    """Checks that the log has every version once."""
    versions = [event["version"] for event in game.events()]
    assert versions == list(range(1, game.view()["version"] + 1))


def patiently(call, *arguments, **more):
    """Repeats a call while it is unavailable, as clients do."""
    until = time.monotonic() + 100
    while True:
        try:
            return call(*arguments, **more)
        except Unavailable:
            assert time.monotonic() < until
            time.sleep(0.01)


@contextmanager
def moving(nodes, key):
    """Moves a slot from node to node, key by key, and yields the list of moves made."""
    stop, moved = threading.Event(), []

    def go():
        for target in [*nodes.nodes] * 1000:
            if stop.is_set():
                break
            if nodes.node_of(key) is not target:
                nodes.begin_move(key, target)
                while nodes.move_keys(key, target, most=1):
                    stop.wait(0.002)
                nodes.end_move(key, target)
                moved.append(target)
                stop.wait(0.03)

    with ThreadPoolExecutor(1) as pool:
        mover = pool.submit(go)
        try:
            yield moved
        finally:
            stop.set()
        mover.result(100)


@contextmanager
def away(nodes, node):
    """Kills a node, and starts it again afterwards."""
    node.kill()
    try:
        yield
    finally:
        node.start()
        wait_until(nodes.agrees)
