"""Calls a service over HTTP, and goes on calling while it is away."""

import http.client
import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any, Final

from billet.errors import StartError

TIMEOUT: Final = 60.0
LONGEST_PAUSE: Final = 10.0
"""Seconds between two attempts. If the service asks for a longer wait, a limit is reached, and the command says so."""


class Connection:
    """Calls one service as one player. Every call raises StartError with what the service has against it."""

    def __init__(self, url: str, report: Callable[[str], None]) -> None:
        """`report` is told when the service goes away, and when it is back."""
        self._url = url.rstrip("/")
        self._report = report
        self._met = False
        """Whether it has ever answered. If not, the address is wrong rather than the service away."""
        self.token: str | None = None

    def json(self, path: str, body: Any = None, method: str | None = None) -> Any:
        """Returns the JSON of an answer, as `answer` does its text."""
        try:
            return json.loads(self.answer(path, body, method))
        except ValueError:
            raise self._stranger() from None

    def answer(self, path: str, body: Any = None, method: str | None = None) -> str:
        """Returns the text of an answer, by default to a GET, or to a POST if there is a body.

        Repeats a call that gets no answer, 408, 429 or 5xx, with the same key.
        """
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(f"{self._url}/v1{path}", data, headers, method=method)
        except ValueError:
            raise StartError(f"{self._url} is not an address of a service; http://127.0.0.1:8000 is one") from None
        attempts = 0
        while True:
            pause = min(2 ** min(attempts, 9) / 4, LONGEST_PAUSE)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
                    found = str(reply.read(), "utf-8")
            except urllib.error.HTTPError as problem:
                self._met = True
                why, pause = self._detail(problem), max(pause, _wished(problem))
                passes = problem.code in (408, 429) or problem.code >= 500
                if not passes or pause > LONGEST_PAUSE:
                    where = " The token is in the file that --token-file names." if problem.code == 401 else ""
                    raise StartError(f"{why}{where}") from None
            except (OSError, http.client.HTTPException) as error:
                why = _reason(error)
                if not self._met:
                    raise StartError(f"nothing answers at {self._url}: {why}") from None
            except ValueError:
                raise self._stranger() from None
            else:
                self._met = True
                if attempts:
                    self._report("the service answers again")
                return found
            if not attempts:
                self._report(f"the service does not answer, so this tries again: {why}")
            attempts += 1
            time.sleep(pause)

    def _stranger(self) -> StartError:
        return StartError(f"what answers at {self._url} is not Billet")

    def _detail(self, problem: urllib.error.HTTPError) -> str:
        """Returns what the service has against a call; names each field if there are several.

        Raises:
            StartError: this is no answer of the service, nor of a proxy whose service is away.
        """
        try:
            found = json.loads(problem.read())
            faults = [f"{one['field']}: {one['detail']}" for one in found.get("errors") or ()]
            return " ".join([found["detail"], *(faults if len(faults) > 1 else ())])
        except (OSError, ValueError, LookupError, TypeError, AttributeError, http.client.HTTPException):
            if problem.code < 500:
                raise self._stranger() from None
            return f"{problem.code} {problem.reason}"


def _wished(problem: urllib.error.HTTPError) -> float:
    """Returns how long a service asks to wait, in seconds."""
    wished = problem.headers.get("Retry-After", "")
    return float(wished) if wished.isdecimal() else 0.0


def _reason(error: BaseException) -> str:
    """Returns why there was no answer."""
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    return str(getattr(inner, "strerror", None) or inner or type(inner).__name__)
