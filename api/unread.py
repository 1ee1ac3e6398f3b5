"""Reads what a call has sent and nobody has read, because the server would break the connection; what it means is lost.

A call may be refused before its body is looked at (no token, no such path), or send a body where none is taken. The
server then closes the connection without a word, and the client's next call on it fails for no reason it can see.
"""

from collections.abc import Iterable
from typing import Any, Final

from api.cors import Application, StartResponse

MOST: Final = 1 << 20
"""Bytes that are read to the end; whoever sends more has the connection closed."""
AT_ONCE: Final = 1 << 16


def read_out(application: Application) -> Application:
    """Returns the application with every body read before the answer is sent."""

    def answer(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        try:
            return application(environ, start_response)
        finally:
            if environ.get("CONTENT_LENGTH", "0") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ:
                left = MOST
                while left > 0 and (read := len(environ["wsgi.input"].read(AT_ONCE))):
                    left -= read

    return answer
