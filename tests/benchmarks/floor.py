"""The floor: a bare Flask application with one route that checks and appends by one EVALSHA, served the same way."""

import sys

import redis
from flask import Flask, Response, request

from api.front.front import Front
from api.front.server import serve
from billet.processes.ports import listening_on
from service.settings import Settings

SCRIPT = """
if redis.call('HGET', KEYS[2], 'head') == ARGV[1] then return 0 end
redis.call('XADD', KEYS[1], 'MAXLEN', 1000, '*', 'e', ARGV[2])
redis.call('HSET', KEYS[2], 'head', ARGV[3])
return 1
"""
ENTRY = b"x" * 400


def create_app(url: str) -> Flask:
    """Returns the application."""
    app = Flask("floor")
    client = redis.Redis.from_url(url)
    digest = client.script_load(SCRIPT)

    @app.post("/floor")
    def floor() -> Response:
        request.get_data()  # a connection with an unread body is closed
        client.evalsha(digest, 2, "{floor}:log", "{floor}:meta", "0", ENTRY, "1")
        return Response(b'{"version":1}', 201, content_type="application/json")

    return app


def main(url: str, port: int, threads: int) -> None:
    """Serves the floor until the process is told to stop."""
    front = Front(create_app(url), Settings(api_threads=threads))
    with listening_on("127.0.0.1", port) as listening:
        serve(front, listening)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
