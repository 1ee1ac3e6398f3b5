"""The deal of the day in a browser: one's try, what came of it, and what everybody chose when the day is over."""

import random
from unittest.mock import patch

import pytest

from engine.logs.codec import read_action
from games.daily.days import Day
from games.tables.lifetimes import DAY_MS
from service import Settings, build
from service.inputs.clock import now_ms
from service.store import keys
from tests.service.at_table import EN, read
from tests.web.browser import SMALLEST
from tools.testbed.waiting import wait_until

LATER = 2**52
PHONE = {"viewport": SMALLEST, "has_touch": True}


def playing(service, token, game, seed):
    """Plays a game to its end by the service itself, whether workers play the bots' turns or not."""
    rng = random.Random(seed)
    while (seen := read(service.games.view(token, game, words=EN)))["status"] == "active":
        if seen["to_act"] == 0:
            action = rng.choice(seen["legal_actions"])["action"]
            service.play.act(token, game, read_action(action), words=EN)
        else:
            service.play.bot_turns(game, 60)


@pytest.fixture(scope="module")
def yesterday(api, served):
    """A day that is over, and four who tried its deal: the first two chose the same."""
    service = build(Settings(redis_url=(served.data_dir / "redis" / "url").read_text()))
    day = Day.at("standard", now_ms() - DAY_MS)
    # Workers would end the day as soon as somebody tries it.
    service.redis.send(("ZADD", keys.DAYS_DUE, LATER, day.id))
    players = [api.player(name) for name in ("Ann", "Bob", "Cid", "Dora")]
    with patch.object(Day, "at", lambda edition, now: Day(edition, day.date)):
        for one, seed in zip(players, (1, 1, 2, 3), strict=True):
            service.redis.send(("HSET", keys.player(one["id"]), "created_at", day.begins - 1))
            game = read(service.daily.begin(one["token"], "standard", words=EN))["id"]
            playing(service, one["token"], game, seed)
    service.redis.send(("ZADD", keys.DAYS_DUE, 0, day.id))
    wait_until(lambda: over(service, day))
    service.settle()
    return day, players


def over(service, day):
    return service.redis.send(("HEXISTS", keys.day(day.id), "summary"))[0] == 1


def wide(visitor):
    """Returns how much of the page lies beside the screen."""
    page = visitor.page
    return page.evaluate("document.documentElement.scrollWidth") - page.viewport_size["width"]


@pytest.mark.parametrize(("language", "theme", "more"), [("en", "dark", PHONE), ("de", "light", {})])
def test_a_day_that_is_over_shows_ones_choices_beside_those_of_others(visitors, yesterday, language, theme, more):
    day, players = yesterday
    visitor = visitors(locale=language, color_scheme=theme, **more)
    visitor.become(players[0])
    visitor.visit(f"daily/{day.edition}/{day.date}")
    page = visitor.page
    own = page.locator("section.line")
    own.wait_for()
    # Until somebody chose otherwise, which depends on the deal, all four were in the same position.
    first = own.locator(".choices > li", has=page.locator(".share")).first
    assert first.locator(".asked").inner_text().startswith({"en": "4 people", "de": "4 haben"}[language])
    shares = first.locator(".share").all_inner_texts()
    assert sum(int(share.strip().removesuffix("%")) for share in shares) in (99, 100, 101)
    assert first.locator("li.mine .mark").first.inner_text() == {"en": "you", "de": "du"}[language]
    last = own.locator(".choices > li").last
    said = {"en": "All 2 chose the same", "de": "Alle 2 haben dasselbe gewählt"}[language]
    assert last.locator(".asked").inner_text().startswith(said), "to the end"
    link = first.get_by_role("link").get_attribute("href")
    assert wide(visitor) == 0
    assert visitor.violations() == []
    page.goto(link)
    page.get_by_role("button", name={"en": "Was the deal fair?", "de": "War die Verteilung fair?"}[language]).wait_for()


def test_whoever_did_not_try_sees_no_choices_of_their_own(visitors, yesterday):
    day, _ = yesterday
    visitor = visitors()
    visitor.visit(f"daily/{day.edition}/{day.date}")
    visitor.page.get_by_text("You did not try this deal.").wait_for()
    assert visitor.page.get_by_text("4 people tried it.").count() == 1
    assert visitor.page.locator("section.line").count() == 0
    visitor.page.get_by_text("Was it the same deal for all?").click()
    visitor.page.get_by_text("Secret", exact=True).wait_for()
    assert visitor.violations() == []


def test_the_day_before_is_offered_where_there_is_something_to_look_at(visitors):
    visitor = visitors()

    def answer(route):
        response = route.fetch()
        deals = response.json()
        for deal, previous in zip(deals["items"], ["2020-01-01", None, None, None], strict=True):
            deal["previous"] = previous
        route.fulfill(response=response, json=deals)

    visitor.page.route("**/v1/daily", answer)
    visitor.visit("daily")
    visitor.page.locator(".deal").last.wait_for()
    links = visitor.page.get_by_role("link", name="Yesterday")
    assert [link.get_attribute("href").partition("/daily/")[2] for link in links.all()] == ["standard/2020-01-01"]


def test_a_day_that_nobody_tried_is_said_so(visitors):
    visitor = visitors()
    visitor.visit("daily/standard/2020-01-01")
    visitor.page.get_by_role("alert").wait_for()
    assert visitor.page.get_by_role("button", name="Try again").count() == 0
    visitor.page.get_by_role("link", name="Today").click()
    visitor.page.get_by_role("heading", name="The deal of the day").wait_for()


@pytest.mark.parametrize(("language", "theme", "more"), [("de", "dark", PHONE), ("en", "light", {})])
def test_a_try_begins_with_one_button_and_is_shown_and_shared(visitors, api, served, language, theme, more):
    said = {
        "en": ("Begin my try", "Go on", "Share your try"),
        "de": ("Meinen Versuch beginnen", "Weiter", "Versuch teilen"),
    }
    begin, go_on, share = said[language]
    visitor = visitors(locale=language, color_scheme=theme, accept_downloads=True, **more)
    visitor.visit()
    page = visitor.page
    page.get_by_role("link", name={"en": "Deal of the day", "de": "Partie des Tages"}[language]).click()
    page.get_by_role("button", name=begin).first.wait_for()
    assert page.locator(".deal").count() == 4
    assert wide(visitor) == 0
    assert visitor.violations() == []
    page.get_by_role("button", name=begin).first.click()
    page.locator("billet-table .hand").first.wait_for()
    game = page.url.rpartition("/")[2]
    page.goto(f"{visitor.base}/daily")
    page.get_by_role("link", name=go_on).wait_for()
    token = visitor.token()
    assert api.call("POST", "/daily/standard", token=token)["id"] == game
    api.call("DELETE", f"/games/{game}/seats/me", token=token)
    wait_until(lambda: api.call("GET", "/daily/standard", token=token)["try"]["status"] == "finished")
    page.reload()
    # Who plays on the day on which the account was made is not counted: it would be wrong that nobody has tried.
    assert page.locator(".numbers").count() == 0
    page.get_by_role("button", name=share).click()
    picture = page.get_by_role("img", name={"en": "The deal of the day: ", "de": "Die Partie des Tages: "}[language])
    picture.wait_for()
    assert picture.evaluate("canvas => canvas.toDataURL().length") > 10_000
    words = picture.get_attribute("aria-label")
    cards = {card["name"] for card in api.call("GET", "/editions/standard")["cards"]}
    assert not any(card in words for card in cards)
    assert visitor.violations() == []
    with page.expect_download() as saved:
        page.get_by_role("button", name={"en": "Save the picture", "de": "Bild sichern"}[language]).click()
    assert saved.value.suggested_filename.endswith(".png")
    assert wide(visitor) == 0


def test_a_try_that_has_ended_leads_back_to_the_day_and_to_what_its_seat_saw(visitors, api):
    visitor, player = visitors(), api.player("Ann")
    game = api.call("POST", "/daily/classic", token=player["token"])["id"]
    api.call("DELETE", f"/games/{game}/seats/me", token=player["token"])
    wait_until(lambda: api.call("GET", f"/games/{game}", token=player["token"])["status"] == "finished")
    visitor.become(player)
    visitor.visit(f"games/{game}")
    page = visitor.page
    ways = page.locator(".ending .row").first
    ways.get_by_role("link", name="Deal of the day").wait_for()
    assert ways.get_by_text("Review").count() == ways.get_by_text("Share").count() == 0
    with page.expect_response(lambda answer: "begin=false" in answer.url):
        ways.get_by_role("link", name="Watch again").click()
    page.locator("billet-replay .seat").first.wait_for()
    page.wait_for_function("() => document.querySelector('billet-replay').review?.sealed")
    page.get_by_role("slider").wait_for()
    refused = ["Review this game", "Was the deal fair?", "Go on from here", "Download the log", "Save as a page"]
    assert [one for one in refused if page.get_by_role("button", name=one).count()] == []
    assert page.get_by_label("As seen by").count() == 0, "the views of others are refused, too"
    page.goto(f"{visitor.base}/replays/{game}?as=all")
    page.get_by_text("This game's cards are dealt in other games, too.", exact=False).wait_for()
