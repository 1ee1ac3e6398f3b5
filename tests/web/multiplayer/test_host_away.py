"""Hosts who have gone away, as others see it: in the lobby, and at the table that waits."""

import json

import pytest

from tools.players.tables import CREATOR, OPEN

WORDS = {
    "en": ("host away", "The host is away right now.", "Sit down"),
    "de": ("Gastgeber abwesend", "Der Gastgeber ist gerade weg.", "Dazusetzen"),
}
STREAM = """window.EventSource = class extends EventTarget {
  constructor() {
    super();
    setTimeout(() => { this.#say("open"); for (const data of %s) this.#say("message", { data }); });
  }
  #say(type, more) {
    const event = new MessageEvent(type, more);
    this[`on${type}`]?.(event);
    this.dispatchEvent(event);
  }
  close() {}
}"""
"""A stream of the lobby that says so much and no more: in truth it takes a minute until a host counts as away."""
TABLE = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN]}


def absent(games):
    """Returns games as the service lists them, except that no host is there."""
    return [game | {"host_present": False if game["status"] == "open" else None} for game in games]


@pytest.mark.parametrize("language", WORDS)
def test_the_lobby_says_whose_host_is_away_and_shows_them_last(visitors, api, language):
    there, away = (api.call("POST", "/games", TABLE, api.player(name)["token"]) for name in ("Ophelia", "Horatio"))
    games = {game["id"]: game for game in api.call("GET", "/games?status=open")["items"]}
    sent = [absent([games[away["id"]]])[0], games[there["id"]]]
    one = visitors(locale=language)
    one.page.add_init_script(STREAM % json.dumps([json.dumps({"type": "opened", "game": game}) for game in sent]))
    one.visit()
    rows = one.page.locator(".lobby li")
    rows.nth(1).wait_for()
    assert "Ophelia" in rows.nth(0).text_content()
    assert WORDS[language][0] not in rows.nth(0).text_content()
    assert "Horatio" in rows.nth(1).text_content()
    assert WORDS[language][0] in rows.nth(1).text_content()


def test_games_of_house_bots_alone_come_after_those_of_anybody_else(visitors, api):
    game = api.call("POST", "/games", TABLE, api.player("Ophelia")["token"])
    people = api.call("GET", "/games?status=open")["items"]
    people = next(one for one in people if one["id"] == game["id"]) | {"status": "active"}
    bot = {"id": "bot-cautious", "name": "cautious", "kind": "bot"}
    seats = [seat | {"player": bot} for seat in people["seats"]]
    newer = [people | {"id": f"{n}", "seats": seats, "created_at": f"2999-01-0{n}T00:00:00Z"} for n in range(1, 10)]
    sent = [json.dumps({"type": "opened", "game": one}) for one in [*newer, people]]
    one = visitors()
    one.page.add_init_script(STREAM % json.dumps(sent))
    one.visit()
    rows = one.page.locator(".lobby h3 + ul li")
    rows.nth(7).wait_for()
    assert "Ophelia" in rows.first.text_content()


@pytest.mark.parametrize("language", WORDS)
def test_who_waits_at_a_table_is_told_that_the_host_is_away(visitors, api, language):
    _, sentence, sit_down = WORDS[language]
    game = api.call("POST", "/games", TABLE | {"visibility": "unlisted"}, api.player("Ophelia")["token"])
    guest = visitors(locale=language)

    def answer(route):
        listed = route.fetch().json()
        route.fulfill(json=listed | {"items": absent(listed["items"])})

    guest.page.route("**/v1/players/me/games*", answer)
    guest.visit(f"games/{game['id']}#code={game['join_code']}")
    guest.page.get_by_role("button", name=sit_down).click()
    guest.page.get_by_role("status").filter(has_text=sentence).wait_for()


def test_nobody_is_told_so_while_the_host_is_there(visitors, api):
    game = api.call("POST", "/games", TABLE, api.player("Ophelia")["token"])
    guest = visitors()
    guest.visit(f"games/{game['id']}")
    with guest.page.expect_response(lambda answer: "/players/me/games" in answer.url) as asked:
        guest.page.get_by_role("button", name="Sit down").click()
    assert [one["host_present"] for one in asked.value.json()["items"]] == [True]
    assert guest.page.get_by_text("The host is away").count() == 0
