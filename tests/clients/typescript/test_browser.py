"""The pages that the package's README shows, in a real browser and from another origin than the service."""

from functools import partial

import httpx
import pytest

from tests.clients.typescript.project import BASE, blocks
from tests.pages import shown_in_the_end
from tools.players.person import NO_TLS, Person
from tools.testbed.bad_network import BadNetwork, Mishap
from tools.testbed.waiting import wait_until

FETCHING, EVENT_SOURCE = blocks("html")


@pytest.fixture
def shown(browser, project):
    """Opens a page beside the installed package, and returns what it shows in the end."""
    return partial(shown_in_the_end, browser, project.folder)


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
    wait_until(lambda: found(base, edition) == versions, lambda: (versions, found(base, edition)))


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


def test_a_page_plays_and_follows_without_a_bundler(shown, served):
    end, items = shown(FETCHING.replace(BASE, served.base))
    assert end.startswith("Winners: ")
    wait_for(served.base, "lovecraft", [version for version, _ in items], every)
    assert any(text.startswith("You play") for _, text in items)


@pytest.mark.parametrize("mishap", [Mishap.CUT_AMID, Mishap.SILENCE])
def test_an_event_source_comes_back_with_a_new_ticket(shown, served, closed, mishap):
    network = closed(BadNetwork(served.port, seed=1))
    network.order(mishap, "&after=0&text=true")
    assert EVENT_SOURCE.count("35_000") == 1
    _, items = shown(EVENT_SOURCE.replace(BASE, network.base).replace("35_000", "3000"))
    assert network.befell[mishap] == 1
    wait_for(served.base, "standard", [version for version, _ in items], every)


def test_the_event_source_of_a_watcher_comes_back_by_itself(shown, served, closed):
    network = closed(BadNetwork(served.port, seed=1))
    network.order(Mishap.CUT_AMID, "/events/stream?after=0")
    ann = closed(Person.register(served.base, "Ann"))
    game = ann.create("premium", [{"kind": "bot", "bot": "random"}] * 4)["id"]
    address = f"{network.base}/v1/games/{game}/events/stream?after=0"
    _, items = shown(WATCHING.replace("ADDRESS", address))
    assert network.befell[Mishap.CUT_AMID] == 1
    wait_for(served.base, "premium", [version for version, _ in items], heard)
