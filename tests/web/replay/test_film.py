"""A replay in one file: it opens from a disk without a network, shows every step, and shows where it was changed."""

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from billet.replay.film import film
from billet.replay.frames import frames_of
from billet.replay.source import in_file
from engine.views import ALL
from games.records.portable import as_json, parsed
from games.texts.catalogue import catalogue
from tests.games.records.mutations import by_other_rules
from tests.golden.whole_games import paths
from tests.web.browser import Visitor

LOG = "tests/golden/logs/rules1/standard-2.ndjson"
PART = re.compile(r'(?<=id="film">)[^<]+')
REPLAY = "document.querySelector('billet-replay')"


@pytest.fixture(scope="module")
def played():
    return in_file(LOG, catalogue("en"))


@pytest.fixture(scope="module")
def page(played):
    return film(played, catalogue("en"))


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a page from a file, in a browser without a network."""
    made = []

    def opened(text, at=""):
        (tmp_path / "game.html").write_text(text)
        one = Visitor(chromium, "file://", offline=True)
        made.append(one)
        one.page.goto(f"file://{tmp_path}/game.html{at}")
        return one

    yield opened
    for one in made:
        one.close()
        assert one.troubles == []


def changed(text, change):
    """Returns the page with something else in it, packed as before."""

    def repacked(part):
        shown = json.loads(gzip.decompress(base64.b64decode(part[0])))
        change(shown)
        return base64.b64encode(gzip.compress(json.dumps(shown).encode())).decode()

    return PART.sub(repacked, text)


def test_it_is_verified_and_shows_each_step_as_each_viewer_saw_it(opened, page, played):
    one = opened(page, "#at=30&as=1")
    one.page.get_by_role("button", name="Verified: the deal was fair").click()
    one.page.get_by_text("This deal was fixed before the first card").wait_for()
    assert one.violations() == []
    one.page.get_by_role("button", name="Close").click()
    views = {frame["version"]: frame["game"] for frame in frames_of(played, 1, catalogue("en"))}
    versions = one.page.evaluate(f"{REPLAY}.source.steps")
    assert one.page.evaluate(f"{REPLAY}.version") == min(version for version in versions if version >= 30)
    shown = one.page.evaluate(f"{REPLAY}.source.games")
    assert shown == json.loads(json.dumps([views[version] for version in versions]))


def test_a_changed_card_is_shown_as_a_break(opened, page):
    def change(shown):
        next(event for event in shown["log"]["events"] if event["type"] == "round_started")["data"]["deck"].reverse()

    one = opened(changed(page, change))
    stopped = one.page.get_by_role("dialog")
    stopped.get_by_text("Something in this log does not fit").wait_for()
    assert one.violations() == []
    stopped.get_by_role("button", name="Look anyway").click()
    stopped.wait_for(state="detached")
    one.page.get_by_role("button", name="Something does not fit").click()
    stopped.get_by_role("button", name="Close").click()


def test_a_film_whose_log_does_not_fit_stops_and_names_the_event(opened, page):
    drawn = []

    def change(shown):
        drawn[:] = [event for event in shown["log"]["events"] if event["type"] == "card_drawn"]
        drawn[3]["data"]["card"] = "princess" if drawn[3]["data"]["card"] != "princess" else "guard"
        same = next(one for one in shown["viewers"]["all"]["events"] if one["version"] == drawn[3]["version"])
        same["data"] = drawn[3]["data"]

    one = opened(changed(page, change))
    said = f"Event {drawn[3]['version']}: A card is not where it should be."
    one.page.get_by_role("dialog").get_by_text(said).wait_for()
    one.page.keyboard.press("ArrowRight")
    assert one.page.evaluate(f"{REPLAY}.at") == 0, "what is asked comes first"
    one.page.keyboard.press("Escape")
    one.page.get_by_role("dialog").wait_for(state="detached")
    one.page.keyboard.press("ArrowRight")
    one.page.wait_for_function(f"() => {REPLAY}.at === 1")


def test_a_story_that_is_not_the_logs_is_shown_as_a_break(opened, page):
    def change(shown):
        drawn = [event for event in shown["viewers"]["all"]["events"] if event["type"] == "card_drawn"]
        drawn[3]["data"]["card"] = "princess" if drawn[3]["data"]["card"] != "princess" else "guard"

    one = opened(changed(page, change))
    one.page.get_by_text("What is shown here is not what the log holds").wait_for()


def test_a_log_by_other_rules_is_neither_called_fair_nor_broken(opened, tmp_path):
    log = tmp_path / "log"
    log.write_bytes(as_json(by_other_rules(parsed(Path(LOG).read_bytes()))))
    one = opened(film(in_file(str(log), catalogue("en")), catalogue("en")))
    one.page.wait_for_function(f"() => {REPLAY}?.verified === null")
    one.page.get_by_role("button", name="Was the deal fair?").click()
    said = one.page.get_by_role("status").filter(has_text="Not all of this log can be checked here.")
    said.get_by_text("From event 1 on, it follows rules that are not known here.").wait_for()


def test_a_changed_byte_says_that_the_file_is_damaged(opened, page):
    one = opened(PART.sub(lambda part: part[0][:2000] + ("A" if part[0][2000] != "A" else "B") + part[0][2001:], page))
    one.page.get_by_text("This file is damaged or was changed").wait_for()
    one.troubles.clear()


def test_it_says_where_another_game_can_be_opened(opened, page):
    one = opened(page)
    one.page.get_by_role("button", name="Verified: the deal was fair").wait_for()
    one.drop("{}")
    one.page.get_by_role("alert").get_by_text("billet replay FILE --html").wait_for()
    one.page.evaluate(f"{REPLAY}.step(1)")
    one.page.get_by_role("alert").wait_for(state="detached")


def test_a_page_around_it_steers_it_by_messages(opened, page, tmp_path):
    (tmp_path / "film.html").write_text(page)
    listening = "<script>const heard = []; addEventListener('message', ({data}) => heard.push(data));</script>"
    one = opened(f"<!doctype html><title>Around</title>{listening}<iframe src=film.html></iframe>")
    one.page.wait_for_function("() => heard.length")
    for order in (
        {"billet": "goto", "version": 40},
        {"billet": "constructor"},
        {"billet": "goto", "version": "x"},
        None,
    ):
        one.page.evaluate("order => frames[0].postMessage(order, '*')", order)
    one.page.wait_for_function("() => heard.at(-1).version >= 40")
    there = one.page.evaluate("heard.at(-1).version")
    assert one.page.frames[1].evaluate(f"{REPLAY}.version") == there
    one.page.evaluate("frames[0].postMessage({billet: 'play'}, '*')")
    one.page.wait_for_function("there => heard.at(-1).version > there", arg=there)


@pytest.mark.soak
@pytest.mark.parametrize("log", paths(), ids=str)
def test_every_golden_log_is_shown_as_the_service_sees_it(opened, log):
    played = in_file(str(log), catalogue("en"))
    one = opened(film(played, catalogue("en")))
    one.page.wait_for_function(f"() => {REPLAY}?.verified !== undefined")
    assert one.page.evaluate(f"{REPLAY}.source.difference()") is None
    for viewer in (ALL, *range(len(one.page.evaluate(f"{REPLAY}.game.seats")))):
        name = "all" if viewer == ALL else str(viewer)
        one.page.evaluate(f"async (as) => {{ {REPLAY}.see(as); }}", name)
        one.page.wait_for_function(f"(as) => {REPLAY}.source.as === as", arg=name)
        views = {frame["version"]: frame["game"] for frame in frames_of(played, viewer, catalogue("en"))}
        shown = one.page.evaluate(f"{REPLAY}.source.games")
        assert shown == json.loads(json.dumps([views[view["version"]] for view in shown]))
