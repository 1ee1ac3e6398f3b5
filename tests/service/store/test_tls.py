"""Redis behind TLS is served as any other: calls on the event loop share one encrypted connection."""

import contextlib
import random
import socket
import ssl
import threading

import pytest
import trustme

from games.errors import Unavailable
from service import Settings, build
from service.store.redis import client as clients
from tests.service.at_table import Game
from tests.service.on_loop import OnLoop, running_loop
from tests.service.store.tls_redis import TlsRedis


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Lets the greetings of TLS take as long as a busy machine may need."""
    monkeypatch.setattr(clients, "CONNECT_SECONDS", 60.0)


@pytest.fixture
def encrypted(redis_url):
    made = TlsRedis(redis_url.removeprefix("unix://"))
    yield made
    made.close()


def test_a_game_is_played_over_tls(encrypted, tmp_path):
    service = build(Settings(redis_url=encrypted.url(tmp_path)))
    with running_loop(service) as loop:
        game = Game.begin(OnLoop(service, loop), 2)
        seat = game.to_act()
        done = game.act(seat, random.Random(1).choice(game.legal(seat)))
    game.service = service  # blocks, as in workers
    assert done["game"] == game.view(seat)


def test_a_certificate_of_somebody_else_is_refused(tmp_path):
    trusted, other = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trusted.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    trustme.CA().issue_cert("127.0.0.1").configure_cert(other)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept():
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                other.wrap_socket(connection, server_side=True).close()

        accepting = threading.Thread(target=accept)
        accepting.start()
        url = f"rediss://127.0.0.1:{server.getsockname()[1]}?ssl_ca_certs={tmp_path}/authority.pem"
        service = build(Settings(redis_url=url))
        service.redis._shared._connect_seconds = 60.0
        with running_loop(service) as loop, pytest.raises(Unavailable, match="certificate verify failed"):
            OnLoop(service, loop).redis.send(("PING",))
        accepting.join(60)
