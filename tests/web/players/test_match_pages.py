"""Matches in a browser: the list, the page of each as it stands, and what its creator and its programs do there."""

import re
import urllib.request

import pytest

from tests.web.browser import SMALLEST
from tools.testbed.waiting import wait_until

BOTS = [{"bot": "cautious"}, {"bot": "random"}]
DUEL = {"name": "Is counting worth it?", "edition": "classic", "seats": 2, "games": 12, "deals": "rotated"}
WAITING = {"clock": {"seconds": 86400}, "edition": "classic", "seats": 2}
"""A match whose programs never act."""


def program(api, name):
    made = api.call("POST", "/players", {"name": name, "kind": "bot"})
    return {"id": made["player"]["id"], "name": name, "token": made["token"]}


def made(api, creator, **body):
    return api.call("POST", "/matches", {"games": 4, "deals": "fresh", **body}, creator["token"])["id"]


def percents(text):
    return [int(number) for number in re.findall(r"(\d+)\s*%", text)]


def accepted(api, match, *programs):
    for one in programs:
        api.call("POST", f"/matches/{match}/acceptance", token=one["token"])


@pytest.fixture(scope="module")
def duel(api):
    """The creator of a match of two bots that is over, and the match."""
    ann = api.player("Ann")
    match = made(api, ann, **DUEL, entrants=BOTS)
    return ann, wait_until(lambda: (found := api.call("GET", f"/matches/{match}"))["secret"] and found)


@pytest.mark.parametrize(("language", "theme", "viewport"), [("en", "dark", SMALLEST), ("de", "light", None)])
def test_a_page_says_who_is_stronger_and_leads_to_every_game(visitors, api, duel, language, theme, viewport):
    _, match = duel
    one = visitors(locale=language, color_scheme=theme, **({"viewport": viewport} if viewport else {}))
    one.visit(f"matches/{match['id']}")
    page = one.page
    page.get_by_role("heading", name=DUEL["name"]).wait_for()
    rows = page.locator(".standings tbody tr:not(.interval)").all_inner_texts()
    best = sorted(match["standings"], key=lambda standing: standing["place"])
    assert [row.split()[0] for row in rows] == [str(standing["place"]) for standing in best]
    # Rounded to whole percent, which a browser and Python do differently with halves.
    said = [percents(row)[-1] for row in rows] + [
        end for text in page.locator(".interval small").all_inner_texts() for end in percents(text)
    ]
    known = [standing["share"] for standing in best] + [end for standing in best for end in standing["interval"]]
    assert said == pytest.approx([100 * share for share in known], abs=0.51)
    difference = int(page.locator(".pairs li > b").inner_text().removeprefix("+"))
    assert difference == pytest.approx(abs(100 * match["pairs"][0]["difference"]), abs=0.51)
    assert page.locator("figure").count() == 2
    about = page.locator("section[aria-labelledby=games] > .quiet")
    assert about.count() == 0, "nothing of it is sealed any more"
    assert [text[:1] != "" for text in page.locator("figcaption").all_inner_texts()] == [True, True]
    links = page.locator(".played-games .button").evaluate_all("all => all.map(one => one.href)")
    games = api.call("GET", f"/matches/{match['id']}/games")["items"]
    assert links == [f"{one.base}/replays/{game['game']}" for game in games]
    assert page.get_by_role("button").count() == 1, "settings alone: nobody else steers a match"
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert one.violations() == []
    with urllib.request.urlopen(page.locator("a[download]").evaluate("one => one.href")) as table:
        assert len(table.read().splitlines()) == 1 + 2 * DUEL["games"]
    page.locator(".played-games .button").first.click()
    page.wait_for_url(lambda url: f"/replays/{games[0]['game']}" in url)  # the replay adds where it stands


@pytest.mark.parametrize(("language", "theme", "viewport"), [("en", "light", SMALLEST), ("de", "dark", None)])
def test_matches_are_listed_and_found_by_state_and_player(visitors, api, duel, language, theme, viewport):
    ann, match = duel
    sharp = program(api, "Sharper")
    invited = made(api, ann, **WAITING, name="Invited", entrants=[{"player": sharp["id"]}, BOTS[0]])
    one = visitors(locale=language, color_scheme=theme, **({"viewport": viewport} if viewport else {}))
    one.become(ann)
    one.visit()
    one.page.locator("a[href$='/matches']").click()
    listed = one.page.locator(".rows h2 a")
    hrefs = "all => all.map(one => one.href.split('/').at(-1))"
    listed.first.wait_for()
    assert {invited, match["id"]} <= {*listed.evaluate_all(hrefs)}
    assert one.page.evaluate("document.documentElement.scrollWidth") == one.page.viewport_size["width"]
    assert one.violations() == []
    ways = one.page.locator("nav .pill")
    for state in ("ended", "invited"):
        one.page.locator(f".pill[href$='state={state}']").click()
        one.page.wait_for_url(f"**?state={state}")
        listed.first.wait_for()
        assert ({invited, match["id"]} & {*listed.evaluate_all(hrefs)}) == {
            match["id"] if state == "ended" else invited
        }
        assert ways.locator("visible=true").count() == 6
    one.visit(f"players/{sharp['id']}")
    one.page.locator(".head a").click()
    one.page.wait_for_url(f"**/matches?player={sharp['id']}")
    listed.first.wait_for()
    assert listed.evaluate_all(hrefs) == [invited]
    assert one.page.locator(".pill[aria-current]").get_attribute("href").endswith(sharp["id"])


def test_a_match_without_a_name_is_called_by_who_plays_it(visitors, api):
    ann, sharp = api.player("Ann"), program(api, "Sharper")
    match = made(api, ann, **WAITING, entrants=[{"player": sharp["id"]}, BOTS[0]])
    one = visitors(locale="de")
    one.visit(f"matches/{match}")
    one.page.get_by_role("heading", name="Sharper, Klug", exact=True).wait_for()


def test_an_invited_program_accepts_and_whoever_looks_on_sees_it_begin(visitors, api):
    ann, sharp, deep = api.player("Ann"), program(api, "Sharper"), program(api, "Deep")
    match = made(api, ann, **WAITING, name="Duel", entrants=[{"player": one["id"]} for one in (sharp, deep)])
    accepted(api, match, deep)
    owner, reader = visitors(locale="de"), visitors()
    owner.become(sharp)
    for one in (owner, reader):
        one.visit(f"matches/{match}")
        one.page.locator(".mark.invited").wait_for()
    assert reader.page.get_by_text("has not accepted yet").count() == 1
    assert reader.page.get_by_role("button", name="Accept").count() == 0
    assert owner.violations() == []
    owner.page.get_by_role("button", name="Zusagen").click()
    for one in (owner, reader):
        one.page.locator(".mark.running").wait_for()
    links = reader.page.get_by_role("link", name="Watch")
    links.first.wait_for()
    assert reader.page.locator(".standings tr").count() == 5


def test_sealed_games_are_said_to_be_and_the_creator_steers(visitors, api):
    ann, sharp = api.player("Ann"), program(api, "Sharper")
    match = made(
        api, ann, **WAITING, name="Sealed", deals="reference", against=BOTS[:1], entrants=[{"player": sharp["id"]}]
    )
    accepted(api, match, sharp)
    creator, reader = visitors(), visitors(locale="de")
    creator.become(ann)
    for one in (creator, reader):
        one.visit(f"matches/{match}")
    creator.page.get_by_text("running, sealed").first.wait_for()
    assert creator.page.locator(".played-games .button").count() == 0
    creator.page.get_by_role("button", name="Pause").click()
    reader.page.locator(".mark.paused").wait_for()
    creator.page.get_by_role("button", name="Resume").click()
    reader.page.locator(".mark.running").wait_for()
    creator.page.get_by_role("button", name="End the match").click()
    creator.page.get_by_role("button", name="No", exact=True).click()
    creator.page.get_by_role("button", name="End the match").click()
    assert creator.violations() == []
    creator.page.get_by_role("button", name="Yes, end it for good").click()
    reader.page.locator(".mark.ended").wait_for()
    creator.page.locator(".mark.ended").wait_for()
    assert creator.page.get_by_role("button", name="End the match").count() == 0


def test_games_are_paged(visitors, api):
    match = made(api, api.player("Ann"), **{**DUEL, "games": 24, "edition": "standard"}, at_once=16, entrants=BOTS)
    wait_until(lambda: api.call("GET", f"/matches/{match}")["secret"])
    one = visitors()
    one.visit(f"matches/{match}")
    numbers = one.page.locator(".played-games .number b")
    numbers.first.get_by_text("24", exact=True).wait_for()
    one.page.get_by_role("button", name="Earlier").click()
    numbers.first.get_by_text("4", exact=True).wait_for()
    assert numbers.all_inner_texts() == ["4", "3", "2", "1"]
    one.page.get_by_role("button", name="Later").click()
    numbers.first.get_by_text("24", exact=True).wait_for()


def test_a_match_that_is_not_there_has_no_page(visitors):
    one = visitors(locale="de")
    one.visit("matches/mnone")
    one.page.get_by_role("heading", name="Diesen Wettkampf gibt es nicht").wait_for()
    assert one.violations() == []
