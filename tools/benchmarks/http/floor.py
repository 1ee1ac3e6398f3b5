"""The baseline: a Flask application with one route that checks and appends by one script, as the documentation of Flask
and redis-py shows it. Gunicorn serves it in threads: `gunicorn --threads 8 tools.benchmarks.http.floor:app`.
"""

import os
from typing import Final

import redis
from flask import Flask, Response, request

PATH: Final = "/v1/floor"

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
    append = redis.Redis.from_url(url).register_script(SCRIPT)

    @app.post(PATH)
    def floor() -> Response:
        request.get_data()  # a connection with an unread body is closed
        append(keys=["{floor}:log", "{floor}:meta"], args=["0", ENTRY, "1"])
        return Response(b'{"version":1}', 201, content_type="application/json")

    return app


if "REDIS_URL" in os.environ:
    app = create_app(os.environ["REDIS_URL"])
