"""The HTTP client below the generated core: it repeats what may be repeated, and raises what is refused."""

import functools
import ssl
import uuid
from collections.abc import Mapping
from typing import Any, Final

import httpx

from billet_client.refusals import BilletError, NoAnswer, refusal_of
from billet_client.retries import attempts, may_pass

UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""How an attempt fails of which the service cannot have heard."""
LOST: Final = (
    httpx.TimeoutException,
    httpx.NetworkError,
    httpx.RemoteProtocolError,
    httpx.ProxyError,
    httpx.DecodingError,
)
"""How an attempt fails for which the caller can do nothing; whatever else is raised is the caller's own mistake."""
KEY: Final = "Idempotency-Key"


class Connection(httpx.Client):
    """Sends calls until they are answered; answers that are errors are raised."""

    def __init__(self, url: str, headers: Mapping[str, str], *, patience: float, timeout: float) -> None:
        """A call is tried for `patience` seconds, each attempt may be silent for `timeout` seconds."""
        super().__init__(base_url=url, headers=headers, timeout=timeout, verify=_certificates())
        self.patience = patience

    def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        """Sends a call. A stream is tried once: whoever reads it knows where to go on.

        Raises:
            Refused: the service has refused, or could not answer for as long as there was patience.
            NoAnswer: nothing was heard from the service for as long.
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
    """A request through all its attempts. If it may change something, they have one key."""

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
        """Returns the error of an attempt, told what is known of all of them.

        `doubtful` says whether the attempt may have done, or may still do, what was asked. One that was refused has
        not, but one before that got no answer may still be on its way. When it arrives after a refusal, it is refused
        as well if it names the view that it acts on.
        """
        self._doubtful = self._doubtful or (doubtful and self.changes)
        final = not may_pass(error) and not doubtful and "If-Match" in self.request.headers
        error.maybe_done = self._doubtful and not final
        error.key = self.key
        return error


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Returns the certificates that are trusted, which take long to load, for all clients of the process."""
    return httpx.create_ssl_context()
