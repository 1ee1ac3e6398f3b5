"""Writes the front's own problems: invalid HTTP, timeouts, and calls refused before their body is read.

The application writes all others (`api/problems/handlers.py`).
"""

from collections.abc import Mapping
from typing import Any

import orjson

from api.cors import EVERY_ANSWER
from api.front.bridge import Answered, fields_of
from api.problems.kinds import MEDIA_TYPE, content_of
from api.request.languages import words_for
from games.errors import Refused
from games.messages import Message


def bare_problem(
    code: str, detail: Message | str, environ: Mapping[str, Any] | None = None, **members: Any
) -> Answered:
    """Returns the response to a call that the front refuses by itself, closing the connection.

    Without the environment of a request the problem has no path, and the language is the default.
    """
    words = words_for(environ.get("HTTP_ACCEPT_LANGUAGE", "") if environ else "")
    path = environ["PATH_INFO"].encode("latin-1") if environ else b""
    content = content_of(code, detail, words, path.decode("utf-8", "replace"))
    body = orjson.dumps(content | members)
    headers = [
        *EVERY_ANSWER,
        ("Content-Type", MEDIA_TYPE),
        ("Content-Language", words.language),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
    ]
    retry_after = members.get("retry_after", 1 if code == "unavailable" else None)
    if retry_after is not None:
        headers.append(("Retry-After", str(retry_after)))
    return Answered(content["status"], fields_of(headers), body)


def bare_refusal(refusal: Refused, environ: Mapping[str, Any]) -> Answered:
    """Returns the response to a call that exceeds one of the front's limits."""
    return bare_problem(refusal.code, refusal.detail, environ, limit=refusal.limit, retry_after=refusal.retry_after)
