"""What operators read about those who follow games, of an installation with one API process."""

import random
import threading
import urllib.request
from contextlib import ExitStack

from tests.api_process import SECONDS, following, wait_until_following
from tests.e2e.sse import Stream, path_of
from tests.service.at_table import Game
from tools.players.calls import scraped
from tools.testbed.waiting import wait_until


def test_streams_waiting_calls_and_events_are_counted(port, service):
    game = Game.begin(service, 2)
    newest = game.view()["version"]
    assert following(port) == [0, 0, 0, 0]
    with ExitStack() as streams:
        opened = [streams.enter_context(Stream(port, path_of(game.id))) for _ in range(3)]
        late = streams.enter_context(Stream(port, path_of(game.id, after=0)))
        late.take(newest)
        wait_until_following(port, 4, 0, 0, newest)
        path = f"http://127.0.0.1:{port}/v1/games/{game.id}/events?after={newest}&wait=30"
        waiting = [
            threading.Thread(target=lambda: urllib.request.urlopen(path, timeout=SECONDS).close()) for _ in range(2)
        ]
        for call in waiting:
            call.start()
        wait_until_following(port, 4, 2, 0, newest)
        game.step(random.Random(1))
        more = game.view()["version"] - newest
        for call in waiting:
            call.join(SECONDS)
        for stream in opened:
            stream.take(1 + more)
        late.take(more)
        wait_until_following(port, 4, 0, 0, newest + 4 * more)
    wait_until_following(port, 0, 0, 0, newest + 4 * more)
    counted = 'billet_http_request_seconds_count{method="GET",route="/v1/games/{game_id}/events",status="200"} 2.0'
    wait_until(lambda: counted in scraped(port), lambda: "a call that waits is one call")
