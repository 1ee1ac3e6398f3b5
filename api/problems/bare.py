"""Writes problems outside of Flask: a call that is refused before its body is read, or is cut short."""

from collections.abc import Mapping
from typing import Any

import orjson

from api.problems.kinds import MEDIA_TYPE, content_of
from api.request.current import words_for
from api.responses import EVERY_ANSWER
from games.errors import Refused


def bare_refusal(refusal: Refused, environ: Mapping[str, Any]) -> tuple[int, list[tuple[str, str]], bytes]:
    """Returns the status, headers and body of the answer to a refused call; the connection ends with it."""
    words = words_for(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
    path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    content = content_of(refusal.code, refusal.detail, words, path)
    members = {"limit": refusal.limit, "retry_after": refusal.retry_after}
    body = orjson.dumps(content | {name: value for name, value in members.items() if value is not None})
    headers = [
        ("Content-Type", MEDIA_TYPE),
        ("Content-Language", words.language),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
        *EVERY_ANSWER,
    ]
    if refusal.retry_after is not None:
        headers.append(("Retry-After", str(refusal.retry_after)))
    return content["status"], headers, body
