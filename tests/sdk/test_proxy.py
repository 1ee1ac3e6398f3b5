"""Whole games keep to the document: Prism stands between a generated client and the service, and finds no violation.

Its start costs more than a game, so one serves most tests here. It has the document with one variant that is changed,
for the test that must find a violation; no game that is played to its end has that variant.
"""

import json

import httpx
import pytest

from tests.e2e.players import NO_TLS
from tests.sdk.programs import PROGRAMS, TABLES
from tests.sdk.proxy import Proxy
from tools.document.derive import PUBLISHED

pytestmark = pytest.mark.long  # all of them: a test of another file between them would end the proxy

SHORT = "lovecraft"
"""The edition whose games are the shortest."""


@pytest.fixture(scope="module")
def proxy(served, tmp_path_factory):
    """Prism with the document, in which the event that calls a game off has another name."""
    folder, document = tmp_path_factory.mktemp("prism"), json.loads(PUBLISHED.read_text())
    document["components"]["schemas"]["GameAbortedEvent"]["properties"]["type"]["const"] = "game_called_off"
    (folder / "changed.json").write_text(json.dumps(document))
    made = Proxy(folder / "changed.json", served.base, folder)
    yield made
    made.close()


def play_through(proxy, workshop, edition):
    """A violation is answered with a status that the program does not expect, and ends it."""
    (program,) = (program for program in PROGRAMS if program.client == "openapi-fetch")
    told = workshop.play(program, proxy.base, edition, TABLES[edition], games=1, seed=1)
    assert told["games"][0]["actions"] > 0


def test_no_call_and_no_answer_of_a_whole_game_breaks_the_document(proxy, workshop):
    play_through(proxy, workshop, SHORT)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_none_does_in_any_edition(proxy, workshop):
    for edition in TABLES:
        play_through(proxy, workshop, edition)


def test_the_proxy_refuses_a_call_that_the_document_does_not_allow(proxy):
    answer = httpx.post(f"{proxy.base}/v1/players", json={"nickname": "A"}, verify=NO_TLS, timeout=200)
    assert answer.status_code == 422
    assert "UNPROCESSABLE_ENTITY" in answer.json()["type"]


def test_the_proxy_finds_a_variant_that_the_document_does_not_know(proxy, served):
    """Prism looks into unions and constants, so that the games above say something."""
    registered = httpx.post(f"{served.base}/v1/players", json={"name": "A"}, verify=NO_TLS, timeout=200).json()
    mine = {"Authorization": f"Bearer {registered['token']}"}
    table = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
    game = httpx.post(f"{served.base}/v1/games", json=table, headers=mine, verify=NO_TLS, timeout=200).json()["id"]
    events = f"{proxy.base}/v1/games/{game}/events"
    assert httpx.get(events, headers=mine, verify=NO_TLS, timeout=200).status_code == 200
    httpx.delete(f"{served.base}/v1/games/{game}", headers=mine, verify=NO_TLS, timeout=200).raise_for_status()
    answer = httpx.get(events, headers=mine, verify=NO_TLS, timeout=200)
    assert answer.status_code == 500
    assert "VIOLATIONS" in answer.json()["type"]
