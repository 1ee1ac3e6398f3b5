"""Turns results of the service into HTTP responses."""

from typing import Any

import orjson
from flask import Flask, Response, request
from flask.json.provider import JSONProvider

from service.store.answers import Answer

JSON_TYPE = "application/json"

# A view belongs to one caller and is stale after the next event: cache it, but revalidate each time.
REVALIDATE = "private, no-cache"
SECRET = "no-store"


def plain(data: Any, status: int = 200, cache: str = REVALIDATE, language: str | None = None) -> Response:
    """Returns plain data, or encoded JSON, as a response; `language` is the language of its texts, if any."""
    response = Response(data if isinstance(data, bytes) else orjson.dumps(data), status, content_type=JSON_TYPE)
    response.headers["Cache-Control"] = cache
    depends = ["Authorization"] if cache == REVALIDATE else []
    if language is not None:
        depends.append("Accept-Language")
        response.headers["Content-Language"] = language
    if depends:
        response.headers["Vary"] = ", ".join(depends)
    return response


def encoded(answer: Answer, status: int = 200) -> Response:
    """Returns a response with an answer that the service has already encoded."""
    response = Response(answer.body, 304 if answer.unchanged else status, content_type=JSON_TYPE)
    headers = response.headers
    headers["Cache-Control"] = REVALIDATE
    if answer.language is None:
        headers["Vary"] = "Authorization"
    else:
        headers["Vary"] = "Authorization, Accept-Language"
        headers["Content-Language"] = answer.language
    if answer.tag is not None:
        headers["ETag"] = answer.tag
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return response


def opened(answer: Answer) -> Response:
    """Returns a response with the view of a new game, and where that game is."""
    response = encoded(answer, 201)
    response.headers["Location"] = f"/v1/games/{orjson.loads(answer.body)['id']}"
    return response


def kept_for(seconds: int, response: Response) -> Response:
    """Returns a response that a browser may cache and then revalidates; unchanged content is not sent again."""
    response.headers["Cache-Control"] = f"public, max-age={seconds}"
    response.add_etag()
    response.make_conditional(request)
    del response.headers["Date"]  # the server adds its own
    return response


class PlainResponse(Response):
    """A response that is JSON by default, where Flask's own is HTML."""

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
    """Makes Flask use orjson, and respond with JSON by default."""
    app.response_class = PlainResponse
    app.json = OrjsonProvider(app)
