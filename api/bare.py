"""Problems written where there is no application yet: for what is not HTTP, or comes to no end; all others are its own.

Nobody has read a request then, so there is no path to name and no language to choose.
"""

from typing import Final

import orjson

from api.cors import EVERY_ANSWER
from api.kinds import KINDS, type_of
from service.said import Said
from service.texts.catalogue import LANGUAGES, catalogue

MEDIA_TYPE: Final = "application/problem+json"


def bare_problem(code: str, detail: Said) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Returns the status, headers and body that say a problem."""
    words = catalogue(LANGUAGES[0])
    status = KINDS[code].status
    content = {
        "type": type_of(code),
        "title": words.text(f"problem.{code}.title"),
        "status": status,
        "detail": detail.written(words),
        "instance": "/",
        "code": code,
    }
    body = orjson.dumps(content)
    headers = [
        *EVERY_ANSWER,
        ("Content-Type", MEDIA_TYPE),
        ("Content-Language", words.language),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
    ]
    if code == "unavailable":
        headers.append(("Retry-After", "1"))
    return status, [(name.lower().encode(), value.encode()) for name, value in headers], body
