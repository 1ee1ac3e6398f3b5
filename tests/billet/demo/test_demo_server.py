"""What the demo sends to a server, and what it makes of refusals."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from billet.demo.server import CallRefused, ServerConnection
from billet.processes.ports import announced, running_url
from games.texts.catalogue import catalogue
from service.settings import Settings


class Quiet(BaseHTTPRequestHandler):
    """Answers, and says nothing of it."""

    def answer(self, status, body):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@contextmanager
def serving(handler):
    """Serves with a handler; gives the address."""
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def noting():
    """A server that notes the headers of what is posted, and answers all of it alike."""
    seen = []

    class Noting(Quiet):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            seen.append(self.headers)
            self.answer(201, b"{}")

    with serving(Noting) as url:
        yield url, seen


@pytest.fixture
def refusing():
    """A server whose archive is away, and where nobody can register before an hour has passed."""

    class Refusing(Quiet):
        def do_GET(self):
            self.answer(503, b'{"code": "archive_unavailable", "detail": "It is in the archive."}')

        def do_POST(self):
            self.answer(429, b'{"code": "rate_limited", "detail": "Try again in 1 hour.", "retry_after": 3600}')

    with serving(Refusing) as url:
        yield url


def test_a_refusal_says_everything_that_is_wrong():
    faults = [{"field": "seats", "detail": "Too many."}, {"field": "", "detail": "Odd."}]
    refused = CallRefused(422, {"detail": "The body is not valid.", "errors": faults})
    assert str(refused) == "The body is not valid. seats: Too many. /: Odd."
    once = CallRefused(422, {"detail": '"seats" is not valid. Too many.', "errors": faults})
    assert str(once) == '"seats" is not valid. Too many. /: Odd.'
    assert str(CallRefused(418, {})) == "HTTP 418"


def test_the_operators_key_is_shown_to_register_and_never_again(noting, monkeypatch):
    url, seen = noting
    server = ServerConnection(url, catalogue("en"))
    server.post("/players", {})
    monkeypatch.setenv("REGISTRATION_KEY", "0123456789abcdef")
    server.post("/players", {})
    server.token = "p1.secret"
    server.post("/games", {})
    assert [headers["Registration-Key"] for headers in seen] == [None, "0123456789abcdef", None]
    assert [headers["Authorization"] for headers in seen] == [None, None, "Bearer p1.secret"]


def test_what_the_archive_keeps_from_being_read_is_said_at_once(refusing):
    server = ServerConnection(refusing, catalogue("en"), say=pytest.fail)
    with pytest.raises(CallRefused, match="It is in the archive"):
        server.get("/games/g/log")


def test_a_limit_that_holds_for_longer_than_the_demo_retries_is_said_at_once(refusing):
    server = ServerConnection(refusing, catalogue("en"), say=pytest.fail)
    with pytest.raises(CallRefused, match="Try again in 1 hour"):
        server.post("/players", {})


def test_a_running_installation_is_found_by_its_data_directory(monkeypatch, tmp_path):
    for variable in ("HOST", "PORT"):
        monkeypatch.delenv(variable, raising=False)
    settings = Settings(data_dir=tmp_path)
    assert running_url(settings) == "http://127.0.0.1:8000"
    with announced(tmp_path, "http://127.0.0.1:8123"):
        assert running_url(settings) == "http://127.0.0.1:8123"
        monkeypatch.setenv("PORT", "8000")
        assert running_url(settings) == "http://127.0.0.1:8000", "what is asked for goes first"
        monkeypatch.delenv("PORT")
    assert running_url(settings) == "http://127.0.0.1:8000"
