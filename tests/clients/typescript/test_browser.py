"""The pages that the package's README shows, in a real browser and from another origin than the service."""

import httpx
import pytest

from tests.clients.typescript.pages import BROWSER, Pages
from tests.clients.typescript.project import BASE, blocks
from tests.e2e.bad_network import BadNetwork, Mishap
from tests.e2e.players import NO_TLS

pytestmark = pytest.mark.skipif(BROWSER is None, reason="neither Chromium nor Chrome is installed")

FETCHING, EVENT_SOURCE = blocks("html")


@pytest.fixture
def pages(project, closed):
    return closed(Pages(project.folder))


def told(base, edition):
    """The events of the newest ended game of an edition: version, type and text."""
    with httpx.Client(base_url=f"{base}/v1", verify=NO_TLS) as client:
        listed = client.get("/games", params={"status": "finished", "edition": edition}).json()["items"]
        newest = max(listed, key=lambda game: game["created_at"])
        events = client.get(f"/games/{newest['id']}/events", params={"text": "true"}).json()["events"]
    return [(event["version"], event["type"], event["text"]) for event in events]


def test_a_page_plays_and_follows_without_a_bundler(pages, served, tmp_path):
    shown = pages.show(FETCHING.replace(BASE, served.base), tmp_path / "profile")
    assert shown["error"] is None
    assert shown["end"].startswith("Winners: ")
    assert [version for version, _ in shown["items"]] == [version for version, *_ in told(served.base, "lovecraft")]
    assert any(text.startswith("Ann plays") for _, text in shown["items"])


def test_an_event_source_comes_back_with_a_new_ticket(pages, served, closed, tmp_path):
    network = closed(BadNetwork(served.port, seed=1))
    network.order(Mishap.CUT_AMID, "&after=0&text=true")
    shown = pages.show(EVENT_SOURCE.replace(BASE, network.base), tmp_path / "profile")
    assert shown["error"] is None
    assert network.befell[Mishap.CUT_AMID] == 1
    heard = ("card_played", "knocked_out", "round_ended", "game_finished")
    events = [(version, text) for version, kind, text in told(served.base, "standard") if kind in heard]
    assert [version for version, _ in shown["items"]] == [version for version, _ in events]
