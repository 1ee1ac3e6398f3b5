"""How results become responses; what is in them is for the service to say."""

from typing import Any

import orjson
from flask import Flask, Response
from flask.json.provider import JSONProvider

from service.answers import Answer

JSON_TYPE = "application/json"

# A view belongs to one caller and is stale with the next event: keep it, but ask each time.
REVALIDATE = "private, no-cache"
SECRET = "no-store"


def plain(data: Any, status: int = 200, cache: str = REVALIDATE) -> Response:
    """Returns plain data as a response."""
    response = Response(orjson.dumps(data), status, content_type=JSON_TYPE)
    response.headers["Cache-Control"] = cache
    if cache == REVALIDATE:
        response.headers["Vary"] = "Authorization"
    return response


def encoded(answer: Answer) -> Response:
    """Returns an answer that the service has encoded already."""
    response = Response(answer.body, answer.status, content_type=JSON_TYPE)
    headers = response.headers
    headers["Cache-Control"] = REVALIDATE
    headers["Vary"] = "Authorization"
    if answer.etag is not None:
        headers["ETag"] = answer.etag
    if answer.location is not None:
        headers["Location"] = answer.location
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return response


class Plain(Response):
    """A response that is JSON unless it says otherwise: Flask's own would be HTML."""

    default_mimetype = JSON_TYPE


class OrjsonProvider(JSONProvider):
    """Flask's JSON by orjson."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """Returns an object as JSON."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """Returns the object that JSON holds."""
        return orjson.loads(s)


def use_orjson(app: Flask) -> None:
    """Lets Flask encode and decode JSON by orjson, and answer in JSON where nothing is said."""
    app.response_class = Plain
    app.json = OrjsonProvider(app)
