"""Without a connection: a page that opens replay files, and no stale answer; and what a device can install."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.tables import ENDING, WON
from tools.players.tables import CREATOR, bot

LOGS = Path(__file__).parents[2] / "golden/logs/rules1"
READY = "async () => { await navigator.serviceWorker.ready; return navigator.serviceWorker.controller !== null }"
KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    found[name] = (await (await caches.open(name)).keys()).map(({url}) => url.slice(location.origin.length));
  }
  return found;
}"""
ASKED = """async path => {
  try {
    const answer = await fetch(path, {cache: "no-cache", headers: {"Accept-Language": "de"}});
    return [answer.status, answer.headers.get("Content-Language")];
  } catch { return null }
}"""
ICONS = """async ({icons}) => Promise.all(icons.map(async ({src, sizes}) => {
  const image = new Image();
  image.src = new URL(src, location.href);
  await image.decode();
  return [`${image.naturalWidth}x${image.naturalHeight}`, sizes];
}))"""


@pytest.fixture
def kept(visitors):
    """A visitor whose browser keeps what is there without a connection."""

    def visitor(**more):
        one = visitors(fresh=True, service_workers="allow", **more)
        one.visit()
        one.page.wait_for_function(READY)
        return one

    return visitor


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["standard-6", "lovecraft-6"])
def test_a_replay_file_opens_without_a_connection(kept, language, name):
    one = kept(locale=language)
    one.context.set_offline(True)
    one.visit("games/nothing")
    said = {"en": "There is no connection", "de": "Der Dienst ist nicht erreichbar"}[language]
    one.page.get_by_role("status").filter(has_text=said).wait_for()
    assert one.violations() == []
    assert urlsplit(one.page.url).path == "/replays"
    one.page.locator("input[type=file]").set_input_files(LOGS / f"{name}.ndjson")
    one.page.get_by_role("slider").wait_for()
    assert one.page.get_by_role("slider").get_attribute("aria-valuetext")
    one.page.get_by_role("button", name={"en": "Verified", "de": "Geprüft"}[language]).wait_for()


def test_the_page_leads_back_once_there_is_a_connection_again(kept):
    one = kept()
    one.context.set_offline(True)
    one.visit("leaderboards?around=me")
    again = one.page.get_by_role("link", name="Try again")
    assert again.get_attribute("href") == f"{one.base}/leaderboards?around=me"
    one.context.set_offline(False)
    again.click()
    one.page.wait_for_url("**/leaderboards?around=me")
    one.page.locator("billet-leaderboard").wait_for()
    one.visit("replays?from=https://example.com/")
    one.page.get_by_role("link", name="To the start page").wait_for()
    assert one.page.get_by_role("link", name="Try again").count() == 0, "it leads to no other site"


def test_nothing_is_kept_but_the_page_for_files_and_what_it_needs(kept, api):
    one = kept()
    player = api.player("Ann")
    one.become(player)
    game = api.call("POST", "/games", ENDING | {"seats": [CREATOR, bot("random")]}, player["token"])["id"]
    one.visit(f"games/{game}")
    one.page.locator(".hand [data-option]").first.wait_for()
    api.call("POST", f"/games/{game}/actions", WON, player["token"])
    one.page.locator("[id=ending]").wait_for()
    (paths,) = one.page.evaluate(KEPT).values()
    editions = {f"/v1/editions/{edition}" for edition in ("standard", "classic", "premium", "lovecraft")}
    books = {f"{edition}?language={language}" for edition in editions for language in ("en", "de")}
    digest = next(path.split("/")[2] for path in paths if path.startswith("/web/"))
    assert {path for path in paths if not path.startswith(f"/web/{digest}/")} == {"/replays", *books}
    one.context.set_offline(True)
    for path in (f"/v1/games/{game}", "/v1/games", "/v1/editions", "/openapi.json"):
        assert one.page.evaluate(ASKED, path) is None, path
    assert one.page.evaluate(ASKED, "/v1/editions/premium") == [200, "de"]


def test_an_earlier_build_leaves_nothing_behind(kept):
    one = kept()
    one.page.evaluate("async () => { await (await caches.open('billet-before')).put('/old', new Response('')) }")
    one.page.evaluate(
        "async () => { for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister() }"
    )
    one.visit()
    one.page.wait_for_function("async () => !(await caches.keys()).includes('billet-before')")


def test_a_device_can_install_it(kept):
    one = kept()
    browser = one.context.new_cdp_session(one.page)
    found = browser.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert {"name", "short_name", "start_url", "display", "icons"} <= manifest.keys()
    assert manifest["display"] == "standalone"
    drawn = one.page.evaluate(ICONS, manifest)
    assert all(size == said for size, said in drawn)
    assert {"192x192", "512x512"} == {size for size, _ in drawn}
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert browser.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
