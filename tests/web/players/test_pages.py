"""Players' pages and leaderboards in a browser: what they show, what one hides, and where they lead."""

import random
import re
import time

import pytest

from games.ratings.pools import RatedGame
from games.ratings.standing import DAY_MS
from service import Settings, build
from service.store.ratings.stored_pools import StoredPool
from tests.web.browser import SMALLEST
from tools.players.tables import CREATOR, OPEN
from tools.testbed.waiting import wait_until

POOL = "classic-2-days-people"
"""No other test has rated games of it."""
TABLE = {"edition": "classic", "seats": [CREATOR, OPEN], "visibility": "public", "rated": True}
MEANING = {"en": "What the figures mean", "de": "Was die Zahlen bedeuten"}
WINS = {"en": ["win", "wins"], "de": ["Sieg", "Siege"]}
SEAL = "part => [...part.querySelectorAll('.wax path')].map(one => one.getAttribute('d')).join(' ')"


def resigned(api, winner, loser):
    """A rated game that is over: the loser has resigned."""
    game = api.call("POST", "/games", TABLE, winner["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, loser["token"])
    api.call("DELETE", f"/games/{game}/seats/me", token=loser["token"])
    return game


def recorded(api, player, many):
    """Waits until a player's rated games are known with all that comes of them: each is rated last."""

    def rated():
        return sum(one["games"] for one in api.call("GET", f"/players/{player['id']}")["ratings"])

    wait_until(lambda: rated() == many)


@pytest.fixture(scope="module")
def pair(api):
    """Two namesakes, and their four games: the first has won three of them."""
    one, other = api.player("Ann"), api.player("Ann")
    games = [resigned(api, *players) for players in [(one, other), (one, other), (other, one), (one, other)]]
    recorded(api, other, 4)
    return one, other, games


@pytest.mark.parametrize(("language", "theme", "viewport"), [("en", "dark", SMALLEST), ("de", "light", None)])
def test_a_page_says_how_a_player_has_fared_and_leads_to_the_games(visitors, pair, language, theme, viewport):
    one, other, games = pair
    visitor = visitors(locale=language, color_scheme=theme, **({"viewport": viewport} if viewport else {}))
    visitor.become(other)
    visitor.visit(f"players/{one['id']}")
    page = visitor.page
    page.get_by_role("heading", name="Ann", exact=True).wait_for()
    assert page.title() == "Ann · Billet"
    rows = page.locator(".record tbody tr:not([aria-hidden])").all_inner_texts()
    assert [re.findall(r"\d+", row) for row in rows] == [["3", "0", "1"]]
    figure = page.locator("figcaption").inner_text()
    assert re.search(r" 4 .*1[6-9]\d\d", figure), "the plot in words"
    assert page.locator(".plot").get_attribute("aria-hidden") == "true"
    assert page.locator(".pool .mark").inner_text() in ("provisional", "vorläufig")
    page.locator(".pool summary").click()
    assert page.locator("details tbody tr").count() == 4
    links = page.locator("section[aria-labelledby=games] .played .button").evaluate_all(
        "all => all.map(one => one.href)"
    )
    assert links == [f"{visitor.base}/replays/{game}" for game in reversed(games)]
    between = page.locator("section[aria-labelledby=between]")
    assert between.locator(".versus b").all_inner_texts() == ["1", "3"], "of the reader first"
    assert re.findall(r"(?<=\d )\w+", " ".join(between.locator(".versus").inner_text().split())) == WINS[language]
    ends = page.locator(".plot .ends span").all_inner_texts()
    assert all(re.search(r"\d:\d\d", end) for end in ends), "games of one day are told apart by the hour"
    assert not re.search(r"\d[.,]\d", page.locator(".plot .scale").inner_text()), "as the rating itself is written"
    assert page.locator(".pool h3 a").get_attribute("href").endswith(f"/leaderboards/{POOL}")
    page.get_by_text(MEANING[language]).click()
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert visitor.violations() == []


def test_namesakes_are_told_apart_by_their_seals_wherever_they_stand(visitors, pair):
    one, other, games = pair
    visitor = visitors()
    seals = {}
    for player in (one, other):
        visitor.visit(f"players/{player['id']}")
        seals[player["id"]] = visitor.page.locator(".head").evaluate(SEAL)
    assert len({*seals.values()}) == 2
    for place, seat in (f"games/{games[0]}", ".seat"), (f"replays/{games[0]}", ".seat"):
        visitor.visit(place)
        visitor.page.locator(f"{seat} a").nth(1).wait_for()
        shown = visitor.page.locator(seat).evaluate_all(
            f"all => all.map(one => [one.querySelector('a').href.split('/').at(-1), ({SEAL})(one)])"
        )
        assert dict(shown) == seals, place


def test_what_one_hides_only_oneself_sees(visitors, api):
    one, other = api.player("Ophelia"), api.player("Ben")
    resigned(api, one, other)
    recorded(api, one, 1)
    owner, reader = visitors(), visitors()
    owner.become(one)
    owner.visit()
    owner.page.get_by_role("link", name="Ophelia", exact=True).click()
    owner.page.get_by_role("checkbox", name="Games and record").check()
    owner.page.get_by_role("status").get_by_text("Saved").wait_for()
    assert owner.violations() == []
    reader.visit(f"players/{one['id']}")
    reader.page.get_by_role("heading", name="Ophelia").wait_for()
    assert reader.page.get_by_text("This player does not show that.").count() == 2
    assert reader.page.locator(".played, .record").count() == 0
    owner.page.reload()
    owner.page.locator(".played").wait_for()
    assert owner.page.get_by_role("checkbox", name="Games and record").is_checked()


def program(api, version):
    """A program that describes itself, and is rated."""
    made = api.call("POST", "/players", {"name": "Sharper", "kind": "bot"})
    accepts = {"editions": ["classic"], "rated": True}
    described = {"version": version, "author": "Mara", "about": "Never sleeps.", "accepts": accepts}
    api.call("PATCH", "/players/me", {"program": described}, made["token"])
    return {"id": made["player"]["id"], "token": made["token"]}


def test_a_program_is_seen_to_be_one_and_by_which_version_it_was_rated(visitors, api):
    sharper, other = program(api, "2.3"), program(api, "1")
    for _ in range(3):
        resigned(api, sharper, other)
    recorded(api, sharper, 3)
    one = visitors(locale="de")
    one.visit(f"players/{sharper['id']}")
    one.page.locator(".pool summary").click()
    assert one.page.locator("details tbody td:last-child").all_inner_texts() == ["2.3"] * 3
    assert one.page.locator(".head").inner_text().split("\n")[0] == "Sharper"
    for said in ("Programm 2.3", "von Mara", "Never sleeps."):
        assert said in one.page.locator(".head").inner_text()
    assert one.violations() == []


def test_who_is_not_there_has_no_page(visitors):
    one = visitors(locale="de")
    one.visit("players/nobody")
    one.page.get_by_role("heading", name="Diese Person gibt es nicht").wait_for()
    assert one.violations() == []


def test_whoever_sits_down_sees_before_that_the_game_is_rated_and_that_a_seat_is_a_program(visitors, api):
    program = api.call("POST", "/players", {"name": "Sharper", "kind": "bot"})
    table = TABLE | {"seats": [CREATOR, OPEN, OPEN]}
    game = api.call("POST", "/games", table, api.player("Ann")["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, program["token"])
    one = visitors()
    one.visit(f"games/{game}")
    one.page.get_by_text("This game counts for ratings.").wait_for()
    assert one.page.get_by_role("group", name="Sharper").locator(".program small").inner_text() == "bot"


def test_own_games_say_what_came_of_them(visitors, api, pair):
    one, _, games = pair
    visitor = visitors(viewport=SMALLEST)
    visitor.become(one)
    visitor.visit()
    row = visitor.page.locator(".ended .played").nth(1)
    assert row.locator(".result").inner_text() == "Lost"
    assert row.locator(".tokens").inner_text().endswith("0 : 0")
    assert row.locator(".others a").inner_text().strip().endswith("Ann")
    row.locator(".button").click()
    visitor.page.wait_for_url(f"**/replays/{games[2]}**")


# --- leaderboards ---


def played(api, served, pool, many, days_ago=0):
    """Players who have played each other on ninety days: by id, and as the leaderboard has them."""
    service = build(Settings(redis_url=(served.data_dir / "redis" / "url").read_text()))
    stored, last = StoredPool(service.redis, pool), time.time_ns() // 1_000_000 // DAY_MS - days_ago
    players = {one["id"]: one for one in [api.player(f"P{n}") for n in range(many)]}
    drawn, ids = random.Random(1), [*players]
    for day in range(90):
        drawn.shuffle(ids)
        for at in range(0, many, 2):
            places = (1, 2) if drawn.random() < 0.6 else (2, 1)
            game = f"{pool[:9]}{days_ago}x{day:02}{at:02}"
            stored.add(RatedGame(game, (last - 90 + day) * DAY_MS, (*ids[at : at + 2],), places))
    assert service.ratings.fold(pool, 120)
    return players, stored.page(0, 100)[0]


@pytest.fixture(scope="module")
def ranked(api, served):
    return played(api, served, POOL, 40)


def shown(page):
    page.locator(".board tbody tr").first.wait_for()
    return page.locator(".board tbody a").evaluate_all("all => all.map(one => one.href.split('/').at(-1))")


@pytest.mark.parametrize(("language", "theme", "viewport"), [("en", "light", SMALLEST), ("de", "dark", None)])
def test_a_leaderboard_is_paged_both_ways_and_leads_to_its_players(visitors, ranked, language, theme, viewport):
    _, order = ranked
    assert len(order) == 40
    one = visitors(locale=language, color_scheme=theme, **({"viewport": viewport} if viewport else {}))
    one.visit("leaderboards/" + POOL)
    assert shown(one.page) == order[:25]
    heights = one.page.locator(".pill").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert len({*heights}) == 1, "no link is stretched by a row beside it that is broken"
    assert one.page.evaluate("document.documentElement.scrollWidth") == one.page.viewport_size["width"]
    assert one.violations() == []
    pages = one.page.get_by_role("navigation").last
    pages.get_by_role("link").first.click()
    one.page.wait_for_url("**cursor=**")
    assert shown(one.page) == order[25:]
    pages.get_by_role("link").nth(1).click()
    one.page.locator(".board tbody tr:first-child td:first-child").get_by_text("1", exact=True).wait_for()
    assert shown(one.page) == order[:25]
    one.page.locator(".board a").nth(2).click()
    one.page.wait_for_url(f"**/players/{order[2]}")


def test_one_finds_oneself_on_a_leaderboard_or_is_told_that_one_is_not_on_it(visitors, api, ranked):
    players, order = ranked
    one, other = visitors(), visitors()
    one.become(players[order[30]])
    one.visit("leaderboards/" + POOL)
    one.page.get_by_role("link", name="Around me").click()
    one.page.wait_for_url("**around=me")
    own = one.page.locator("tr[aria-current]")
    own.wait_for()
    assert own.inner_text().split()[:2] == ["31", players[order[30]]["name"]]
    assert shown(one.page)[0] == order[18]
    other.become(api.player("Ben"))
    other.visit(f"leaderboards/{POOL}?around=me")
    assert shown(other.page) == order[:25]
    assert other.page.locator(".box [role=status]").inner_text() != ""


@pytest.mark.parametrize(("language", "theme", "viewport"), [("en", "light", SMALLEST), ("de", "dark", None)])
def test_players_are_found_by_name_beside_the_leaderboards(visitors, api, language, theme, viewport):
    begin = f"Zoë {language}"  # both find their own
    players = [api.player(f"{begin} {number:02}") for number in range(11)]
    one = visitors(locale=language, color_scheme=theme, **({"viewport": viewport} if viewport else {}))
    one.visit("leaderboards")
    box = one.page.get_by_role("searchbox")
    box.fill(begin.upper())
    found = one.page.locator(".found a")
    found.nth(9).wait_for()
    assert found.count() == 10
    assert one.page.evaluate("document.documentElement.scrollWidth") == one.page.viewport_size["width"]
    assert one.violations() == []
    one.page.locator("billet-search").get_by_role("button").click()
    found.nth(10).wait_for()
    last = f"{begin} 10"
    box.fill(last)
    found.first.wait_for()
    assert [name.strip() for name in found.all_inner_texts()] == [last]
    box.fill(f"{begin} 99")
    one.page.get_by_role("status").filter(has_text=re.compile("Nobody|Kein Name")).wait_for()
    box.fill(last)
    found.first.click()
    one.page.wait_for_url("**/players/*")
    one.page.get_by_role("heading", name=last).wait_for()
    assert one.page.url.rpartition("/")[2] in {player["id"] for player in players}


def test_who_was_away_for_years_is_marked_as_provisional(visitors, api, served):
    pool = "classic-2-live-people"
    _, (strongest, _) = played(api, served, pool, 2, days_ago=3 * 365)
    one = visitors()
    for path in ("leaderboards/" + pool, f"players/{strongest}"):
        one.visit(path)
        one.page.get_by_text("provisional", exact=True).first.wait_for()
        assert one.violations() == []


def test_another_pool_is_a_link_away(visitors, ranked):
    one = visitors()
    one.visit("leaderboards/" + POOL)
    one.page.get_by_role("link", name="Programs").click()
    one.page.wait_for_url("**/leaderboards/classic-2-days-programs")
    one.page.get_by_text("Nobody yet").wait_for()
    one.page.get_by_role("link", name="5 or more").click()
    one.page.wait_for_url(re.compile(r"/leaderboards/\w+-5(\+|%2B)-days-programs"))
    one.page.get_by_text("Nobody yet").wait_for()
    assert one.violations() == []
