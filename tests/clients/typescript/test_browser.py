"""The pages that the package's README shows, in a real browser and from another origin than the service."""

import time

import httpx
import pytest

from tests.clients.typescript.pages import BROWSER, Pages
from tests.clients.typescript.project import BASE, blocks
from tests.e2e.faults.bad_network import BadNetwork, Mishap
from tests.e2e.players import NO_TLS, Person

NO_BROWSER = "neither Chromium nor Chrome is installed; outside a browser the same client plays in the other tests"
pytestmark = pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)

FETCHING, EVENT_SOURCE = blocks("html")


@pytest.fixture
def pages(project, closed):
    return closed(Pages(project.folder))


def told(base, edition):
    """The events of the newest ended game of an edition: version and type; none before the lobby has any."""
    events = []
    with httpx.Client(base_url=f"{base}/v1", verify=NO_TLS, timeout=60) as client:
        listed = client.get("/games", params={"status": "finished", "edition": edition}).json()["items"]
        for newest in sorted(listed, key=lambda game: game["created_at"])[-1:]:
            page = {"finished": False}
            while not page["finished"]:
                page = client.get(f"/games/{newest['id']}/events", params={"after": len(events)}).json()
                events += page["events"]
    return [(event["version"], event["type"]) for event in events]


def every(base, edition):
    """The versions of all of them."""
    return [version for version, _ in told(base, edition)]


def heard(base, edition):
    """The versions of those that a page with an `EventSource` listens to."""
    kinds = ("card_played", "knocked_out", "round_ended", "game_finished")
    return [version for version, kind in told(base, edition) if kind in kinds]


def wait_for(base, edition, versions, found):
    """Waits until those are the versions that are found: the lobby may hear a little later that a game has ended."""
    until = time.monotonic() + 60
    while found(base, edition) != versions:
        assert time.monotonic() < until, (versions, found(base, edition))
        time.sleep(0.1)


WATCHING = """<!doctype html>
<ol></ol>
<p></p>
<script type="module">
  const source = new EventSource("ADDRESS");
  for (const type of ["card_played", "knocked_out", "round_ended", "game_finished"]) {
    source.addEventListener(type, ({ lastEventId, data }) => {
      const line = Object.assign(document.createElement("li"), { value: lastEventId, textContent: data });
      document.querySelector("ol").append(line);
      if (type === "game_finished") source.close();
      if (type === "game_finished") document.querySelector("p").textContent = "The end";
    });
  }
</script>
"""


def test_a_page_plays_and_follows_without_a_bundler(pages, served, tmp_path):
    shown = pages.show(FETCHING.replace(BASE, served.base), tmp_path / "profile")
    assert shown["error"] is None
    assert shown["end"].startswith("Winners: ")
    wait_for(served.base, "lovecraft", [version for version, _ in shown["items"]], every)
    assert any(text.startswith("You play") for _, text in shown["items"])


def test_an_event_source_comes_back_with_a_new_ticket(pages, served, closed, tmp_path):
    network = closed(BadNetwork(served.port, seed=1))
    network.order(Mishap.CUT_AMID, "&after=0&text=true")
    shown = pages.show(EVENT_SOURCE.replace(BASE, network.base), tmp_path / "profile")
    assert shown["error"] is None
    assert network.befell[Mishap.CUT_AMID] == 1
    wait_for(served.base, "standard", [version for version, _ in shown["items"]], heard)


def test_the_event_source_of_a_watcher_comes_back_by_itself(pages, served, closed, tmp_path):
    network = closed(BadNetwork(served.port, seed=1))
    network.order(Mishap.CUT_AMID, "/events/stream?after=0")
    ann = closed(Person.register(served.base, "Ann"))
    game = ann.create("premium", [{"kind": "bot", "bot": "random"}] * 4)["id"]
    address = f"{network.base}/v1/games/{game}/events/stream?after=0"
    shown = pages.show(WATCHING.replace("ADDRESS", address), tmp_path / "profile")
    assert shown["error"] is None
    assert network.befell[Mishap.CUT_AMID] == 1
    wait_for(served.base, "premium", [version for version, _ in shown["items"]], heard)
