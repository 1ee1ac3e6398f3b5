"""How results become responses; what is in them is for the service to say."""

from typing import Any

import orjson
from flask import Flask, Response, request
from flask.json.provider import JSONProvider

from service.answers import Answer

JSON_TYPE = "application/json"

# A view belongs to one caller and is stale with the next event: keep it, but ask each time.
REVALIDATE = "private, no-cache"
SECRET = "no-store"


def plain(data: Any, status: int = 200, cache: str = REVALIDATE, language: str | None = None) -> Response:
    """Returns plain data as a response; `language` is that of its texts, if it has any."""
    response = Response(orjson.dumps(data), status, content_type=JSON_TYPE)
    response.headers["Cache-Control"] = cache
    depends = ["Authorization"] if cache == REVALIDATE else []
    if language is not None:
        depends.append("Accept-Language")
        response.headers["Content-Language"] = language
    if depends:
        response.headers["Vary"] = ", ".join(depends)
    return response


def encoded(answer: Answer) -> Response:
    """Returns an answer that the service has encoded already."""
    response = Response(answer.body, answer.status, content_type=JSON_TYPE)
    headers = response.headers
    headers["Cache-Control"] = REVALIDATE
    if answer.language is None:
        headers["Vary"] = "Authorization"
    else:
        headers["Vary"] = "Authorization, Accept-Language"
        headers["Content-Language"] = answer.language
    if answer.etag is not None:
        headers["ETag"] = answer.etag
    if answer.location is not None:
        headers["Location"] = answer.location
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return response


def kept_for(seconds: int, response: Response) -> Response:
    """Returns a response that a browser may keep for a while, and then asks about; the same as before is not sent."""
    response.headers["Cache-Control"] = f"public, max-age={seconds}"
    response.add_etag()
    response.make_conditional(request)
    del response.headers["Date"]  # the server writes one, too
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
