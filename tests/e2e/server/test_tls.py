"""Behind a proxy with TLS everything is live: streams, long-polls, and whose calls are counted together."""

import ssl
import time

import httpx
import pytest

from tests.e2e.players import NO_TLS, Person
from tests.e2e.sse import Stream, path_of
from tests.e2e.tables import CREATOR, OPEN, together
from tests.e2e.tls_proxy import TlsProxy

AT_ONCE = 20
"""Seconds within which an event arrives; a proxy that kept events until it has many would keep the last for ever."""

ELSEWHERE = {"X-Forwarded-For": "192.0.2.2"}
GUESSER = "127.0.0.9"
"""After too many wrong codes, right ones are refused too, for an hour."""
CODES = 60
"""`LIMIT_CODES_ADDRESS` as delivered."""


@pytest.fixture(scope="module")
def proxy(served):
    made = TlsProxy(served.port)
    yield made
    made.close()


def test_whatever_is_live_is_live_through_tls(served, proxy, closed):
    ann, ben = (closed(Person.register(served.base, name)) for name in ("Ann", "Ben"))
    game = ann.create("standard", [CREATOR, OPEN, OPEN])["id"]
    stream = Stream(proxy.port, path_of(game), token=ann.token, tls=proxy.trusting)
    with stream:
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        (first,) = stream.take(1)
        assert first.data["viewer"] == {"seat": 0}
        seen = [first.id]
        for number in range(6):
            began = time.monotonic()
            ben.join(game) if number % 2 == 0 else ben.delete(f"/games/{game}/seats/me")
            seen += [one.id for one in stream.take(1)]
            assert time.monotonic() - began < AT_ONCE
        assert seen == list(range(first.id, first.id + 7))
        stream.wait_for_comment()
        assert ann.delete(f"/games/{game}").status_code == 200
        assert [one.name for one in stream] == ["game_aborted", "secret_revealed"], "it comes to a proper end"


def test_a_long_poll_is_answered_through_tls_when_something_happens(served, proxy, closed):
    ann, ben = (closed(Person.register(served.base, name)) for name in ("Ann", "Ben"))
    game = ann.create("standard", [CREATOR, OPEN, OPEN])["id"]
    with httpx.Client(base_url=f"https://127.0.0.1:{proxy.port}", verify=proxy.trusting, timeout=40) as outside:
        version = outside.get(f"/v1/games/{game}").json()["version"]

        def join():
            time.sleep(0.5)
            ben.join(game)
            return time.monotonic()

        def wait():
            page = outside.get(f"/v1/games/{game}/events?after={version}&wait=30").json()
            return [event["type"] for event in page["events"]], time.monotonic()

        joined, (events, heard) = together([join, wait])
    assert events == ["seat_taken"]
    assert heard - joined < AT_ONCE


def test_who_calls_is_who_the_proxy_says(served, proxy, closed):
    ann = closed(Person.register(served.base, "Ann"))
    view = ann.create("standard", [CREATOR, OPEN], visibility="unlisted")

    def guess(client, **headers):
        return client.get(f"/v1/games/{view['id']}?join_code=WRONG", headers=headers).status_code

    with (
        httpx.Client(
            base_url=f"https://127.0.0.1:{proxy.port}",
            transport=httpx.HTTPTransport(verify=proxy.trusting, local_address=GUESSER),
            timeout=40,
        ) as outside,
        httpx.Client(base_url=served.base, headers=ELSEWHERE, verify=NO_TLS, timeout=40) as elsewhere,
    ):
        # What a client says of itself comes before what the proxy adds, and is not believed.
        statuses = [guess(outside, **{"X-Forwarded-For": f"198.51.100.{number}"}) for number in range(CODES + 2)]
        assert statuses == [403] * CODES + [429] * 2
        assert guess(elsewhere) == 403


def test_a_client_that_does_not_trust_the_proxy_hears_nothing(proxy):
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"https://127.0.0.1:{proxy.port}/healthz", verify=ssl.create_default_context())
