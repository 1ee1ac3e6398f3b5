"""The HTTP client below the generated core: it retries calls, and raises errors as exceptions."""

import functools
import ssl
import uuid
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final

import httpx

from billet_client.refusals import BilletError, NoAnswer, refusal_of
from billet_client.retries import attempts, may_pass

UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""The errors after which the request cannot have reached the service."""
LOST: Final = (
    httpx.TimeoutException,
    httpx.NetworkError,
    httpx.RemoteProtocolError,
    httpx.ProxyError,
    httpx.DecodingError,
)
"""The errors of the network; any other error is a mistake of the caller."""
KEY: Final = "Idempotency-Key"
answered: Final[ContextVar[bool]] = ContextVar("answered", default=False)
"""Whether the service has answered a call. Only then can its answer be at fault."""


class Connection(httpx.Client):
    """Sends each call until it is answered, and raises answers that are errors."""

    def __init__(self, url: str, headers: Mapping[str, str], *, patience: float, timeout: float) -> None:
        """Sets for how many seconds a call is retried (`patience`), and an attempt may be silent (`timeout`)."""
        super().__init__(base_url=url, headers=headers, timeout=timeout, verify=_certificates())
        self.patience = patience

    def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        """Sends a call and returns the response. A stream is tried once: its reader knows where to resume.

        Raises:
            Refused: the service refused the call, or was unavailable for `patience` seconds.
            NoAnswer: the service did not answer for `patience` seconds.
        """
        call = _Call(request)
        if stream:
            return self._attempt(call, stream=True, **options)
        waits = float(request.url.params.get("wait", 0))
        request.extensions["timeout"]["read"] += waits
        return attempts(self.patience + waits)(self._attempt, call, **options)

    def _attempt(self, call: "_Call", **options: Any) -> httpx.Response:
        try:
            response = super().send(call.request, **options)
            answered.set(True)
            if response.is_error:
                response.read()
                raise refusal_of(response)
        except LOST as error:
            lost = NoAnswer(f"no answer to {call}: {error or type(error).__name__}")
            raise call.failed(lost, doubtful=not isinstance(error, UNSENT)) from error
        except BilletError as error:
            raise call.failed(error, doubtful=response.is_server_error) from None
        return response


class _Call:
    """A request with all its attempts, which share one idempotency key if the request may change something."""

    def __init__(self, request: httpx.Request) -> None:
        self.request = request
        self.changes = request.method not in ("GET", "HEAD")
        if self.changes:
            request.headers.setdefault(KEY, str(uuid.uuid4()))
        self.key: str | None = request.headers.get(KEY)
        self._doubtful = False

    def __str__(self) -> str:
        return f"{self.request.method} {self.request.url.path}"

    def failed(self, error: BilletError, *, doubtful: bool) -> BilletError:
        """Returns the error of an attempt, after setting its `key`, and `maybe_done` from all attempts so far.

        `doubtful` says whether this attempt may have taken effect, or may still do so. A refused attempt has not. But
        an earlier one without an answer may still arrive. It is then refused as well if it names the view on which it
        acts.
        """
        self._doubtful = self._doubtful or (doubtful and self.changes)
        final = not may_pass(error) and not doubtful and "If-Match" in self.request.headers
        error.maybe_done = self._doubtful and not final
        error.key = self.key
        return error


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Loads the trusted certificates, once for all clients of the process because it takes long."""
    return httpx.create_ssl_context()
