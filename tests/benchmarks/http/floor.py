"""The floors: a bare Flask application with one route that checks and appends by one EVALSHA.

`threads` serves each call in a thread with a Redis connection of its own; `loop` serves all on the event loop over one
pipelined connection, as actions are served.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Response, request

from api.front.front import Front
from api.front.server import serve
from billet.processes.ports import listening_on
from service import build
from service.settings import Settings
from service.store.exchange.connection import connect

PATH: Final = "/v1/floor"
THREADS: Final = "threads"
LOOP: Final = "loop"

SCRIPT = """
if redis.call('HGET', KEYS[2], 'head') == ARGV[1] then return 0 end
redis.call('XADD', KEYS[1], 'MAXLEN', 1000, '*', 'e', ARGV[2])
redis.call('HSET', KEYS[2], 'head', ARGV[3])
return 1
"""
ENTRY = b"x" * 400


def create_app(send: Callable[..., Any]) -> Flask:
    """Returns the application; `send` sends Redis a command."""
    app = Flask("floor")
    digest = send("SCRIPT", "LOAD", SCRIPT)

    @app.post(PATH)
    def floor() -> Response:
        request.get_data()  # a connection with an unread body is closed
        send("EVALSHA", digest, 2, "{floor}:log", "{floor}:meta", "0", ENTRY, "1")
        return Response(b'{"version":1}', 201, content_type="application/json")

    return app


def main(url: str, way: str, port: int, threads: int) -> None:
    """Serves a floor until the process is told to stop."""
    settings = Settings(redis_url=url)
    if way == LOOP:
        service = build(settings)
        front = Front(create_app(lambda *command: service.exchange.send(command)[0]), settings, service)
    else:
        front = Front(create_app(connect(url).execute_command), settings, threads=threads)
    with listening_on("127.0.0.1", port) as listening:
        serve(front, listening)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
