"""Whole games keep to the document: Prism stands between a generated client and the service, and finds no violation."""

import json

import httpx
import pytest

from tests.e2e.players import NO_TLS
from tests.sdk.programs import PROGRAMS, TABLES
from tests.sdk.proxy import Proxy
from tools.sdk.tools import DOCUMENTS

PUBLISHED = DOCUMENTS / "openapi.json"


@pytest.fixture
def between(served, tmp_path):
    """Starts Prism with a document; ends all that were started."""
    started = []

    def start(document):
        started.append(Proxy(document, served.base, tmp_path))
        return started[-1]

    yield start
    for proxy in started:
        proxy.close()


@pytest.fixture
def changed(tmp_path):
    """Writes the published document with other schemas in it."""

    def write(change):
        document = json.loads(PUBLISHED.read_text())
        change(document["components"]["schemas"])
        path = tmp_path / "changed.json"
        path.write_text(json.dumps(document))
        return path

    return write


def play_through(proxy, workshop, edition):
    """A violation is answered with a status that the program does not expect, and ends it."""
    (program,) = (program for program in PROGRAMS if program.client == "openapi-fetch")
    told = workshop.play(program, proxy.base, edition, TABLES[edition], games=1, seed=1)
    assert told["games"][0]["actions"] > 0


@pytest.mark.long
def test_no_call_and_no_answer_of_a_whole_game_breaks_the_document(between, workshop):
    play_through(between(PUBLISHED), workshop, "standard")


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_none_does_in_any_edition(between, workshop):
    proxy = between(PUBLISHED)
    for edition in TABLES:
        play_through(proxy, workshop, edition)


def test_the_proxy_refuses_a_call_that_the_document_does_not_allow(between):
    answer = httpx.post(f"{between(PUBLISHED).base}/v1/players", json={"nickname": "A"}, verify=NO_TLS, timeout=200)
    assert answer.status_code == 422
    assert "UNPROCESSABLE_ENTITY" in answer.json()["type"]


def test_the_proxy_finds_a_variant_that_the_document_does_not_know(between, changed, served):
    """Prism looks into unions and constants, so that the games above say something."""

    def rename(schemas):
        schemas["GameCreatedEvent"]["properties"]["type"]["const"] = "game_opened"

    proxy = between(changed(rename))
    registered = httpx.post(f"{served.base}/v1/players", json={"name": "A"}, verify=NO_TLS, timeout=200).json()
    mine = {"Authorization": f"Bearer {registered['token']}"}
    table = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
    game = httpx.post(f"{served.base}/v1/games", json=table, headers=mine, verify=NO_TLS, timeout=200).json()["id"]
    answer = httpx.get(f"{proxy.base}/v1/games/{game}/events", headers=mine, verify=NO_TLS, timeout=200)
    assert answer.status_code == 500
    assert "VIOLATIONS" in answer.json()["type"]
