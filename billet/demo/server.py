"""Speaks HTTP with a server, and retries while it is unavailable."""

import json
import os
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from billet.errors import StartError
from games.texts.catalogue import Catalogue

PATIENCE = 30.0  # seconds that a server that has answered before may be unavailable
ANSWER_TIMEOUT = 60.0  # seconds; longer than the longest long-poll
PAUSE = 0.5  # seconds between two attempts


class Away(Exception):
    """The server does not answer, or reports that it is unavailable."""


class CallRefused(Exception):
    """The server refused a call; the text is its own explanation."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        text = str(problem.get("detail") or problem.get("title") or f"HTTP {status}")
        more = (fault for fault in problem.get("errors", ()) if fault["detail"] not in text)
        faults = (f"{fault['field'] or '/'}: {fault['detail']}" for fault in more)
        super().__init__(" ".join([text, *faults]))
        self.status = status
        self.code = str(problem.get("code", ""))


@dataclass(slots=True)
class ServerConnection:
    """One server, and this program's player on it."""

    url: str
    words: Catalogue
    say: Callable[[str], None] = print
    token: str = ""
    _seen: bool = False

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise StartError(self.words.text("demo.url.no_host", url=self.url))
        if parts.query or parts.fragment:
            raise StartError(self.words.text("demo.url.more", url=self.url))
        # Users are likely to paste the address of the API.
        self.url = self.url.rstrip("/").removesuffix("/v1").rstrip("/")

    def get(self, path: str) -> Any:
        """Returns the resource at `path` of the demo's server. Raises CallRefused, or StartError if it stays away."""
        return self._call_with_retries("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Posts `body` to the demo's server; retries take effect only once. Raises CallRefused or StartError."""
        return self._call_with_retries("POST", path, body)

    def delete(self, path: str) -> Any:
        """Deletes the resource at `path` of the demo's server. Raises CallRefused or StartError."""
        return self._call_with_retries("DELETE", path, None)

    def _call_with_retries(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        headers = {"Accept": "application/json", "Accept-Language": self.words.language}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        elif key := os.environ.get("REGISTRATION_KEY"):
            headers["Registration-Key"] = key
        if body is not None:
            headers["Content-Type"] = "application/json"
            # Retrying with the same key returns a lost response, and nothing happens twice.
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/v1{path}", data, headers, method=method)
        deadline = time.monotonic() + PATIENCE
        tried_again = False
        while True:
            try:
                answer = _send_to_server(request)
            except Away as away:
                if not self._seen:
                    raise StartError(self.words.text("demo.no_server", url=self.url, why=away)) from away
                if time.monotonic() > deadline:
                    raise StartError(self.words.text("demo.server_gone", url=self.url, why=away)) from away
                if not tried_again:
                    self.say(self.words.text("demo.server_away", url=self.url, why=away, seconds=round(PATIENCE)))
                    tried_again = True
                time.sleep(PAUSE)
            else:
                if tried_again:
                    self.say(self.words.text("demo.server_back"))
                self._seen = True
                return answer


def _send_to_server(request: urllib.request.Request) -> Any:
    try:
        with _opener_for_server(request).open(request, timeout=ANSWER_TIMEOUT) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        with error:
            problem = _problem_of_server(error.read())
        in_vain = problem.get("code") == "archive_unavailable" or (problem.get("retry_after") or 0) > PATIENCE
        if error.code in (429, 502, 503, 504) and not in_vain:
            raise Away(f"HTTP {error.code}") from error
        raise CallRefused(error.code, problem) from error
    except urllib.error.URLError as error:
        raise Away(str(error.reason)) from error
    except (OSError, json.JSONDecodeError) as error:
        raise Away(str(error) or type(error).__name__) from error


def _opener_for_server(request: urllib.request.Request) -> urllib.request.OpenerDirector:
    # A proxy in the environment is for the network, not for this machine.
    if request.host.rsplit(":", 1)[0] in ("localhost", "127.0.0.1", "[::1]"):
        return urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener()


def _problem_of_server(body: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(body)
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
