"""How people come to a seat in a browser, whoever they are there."""

import json

from tests.web.tables import BOT
from tools.players.tables import CREATOR, OPEN

HELD = ".hand .held-card"
PLAYED = {"edition": "standard", "seats": [CREATOR, BOT]}


def keep(one, player):
    """Leaves a player in a visitor's browser, once: a page that forgets them finds nobody after it."""
    one.visit("readyz")
    one.page.evaluate("text => { localStorage['billet.player'] = text }", json.dumps(player))


def stored(one, name="player"):
    return json.loads(one.page.evaluate(f"localStorage['billet.{name}'] ?? 'null'"))


def erased(api, name="Ann"):
    player = api.player(name)
    api.call("DELETE", "/players/me", token=player["token"])
    return player


def replaced(api, name="Ann"):
    player = api.player(name)
    api.call("POST", "/players/me/token", token=player["token"])
    return player


def waiting(api, visibility="unlisted", seats=2):
    """A table with free seats, opened by a program, and the token of its host."""
    host = api.player("Ophelia")["token"]
    setup = {"edition": "standard", "seats": [CREATOR] + [OPEN] * (seats - 1), "visibility": visibility}
    return api.call("POST", "/games", setup, host), host


def press(one, name):
    one.page.get_by_role("button", name=name).click()


def play(one, api):
    one.visit()
    press(one, "Against bots")


def open_table(one, api):
    one.visit()
    press(one, "With people")
    press(one, "Open a table")


def by_code(one, api):
    one.visit()
    field = one.page.get_by_role("textbox", name="Code or link")
    field.fill(waiting(api)[0]["join_code"])
    field.press("Enter")


def by_pasted_link(one, api):
    game, _ = waiting(api)
    one.visit()
    field = one.page.get_by_role("textbox", name="Code or link")
    field.fill(f"Come! {one.base}/games/{game['id']}#code={game['join_code']}")
    field.press("Enter")


def from_the_lobby(one, api):
    game, _ = waiting(api, "public")
    one.visit()
    one.page.locator(f".lobby a[href$='{game['id']}']").click()


def by_link(one, api):
    game, _ = waiting(api)
    one.visit(f"games/{game['id']}#code={game['join_code']}")
    press(one, "Sit down")


def by_fork(one, api):
    host = api.player("Ophelia")["token"]
    game = api.call("POST", "/games", PLAYED | {"visibility": "public"}, host)["id"]
    api.call("DELETE", f"/games/{game}/seats/me", token=host)
    one.visit(f"replays/{game}")
    one.page.get_by_role("slider").wait_for()
    one.page.keyboard.press("Home")
    press(one, "Go on from here")


WAYS = [play, open_table, by_code, by_pasted_link, from_the_lobby, by_link, by_fork]
"""What leads to a seat: each with one click, and no more clicks behind it."""


def sits(one):
    one.page.locator(f"{HELD}, .waiting billet-share").first.wait_for()
    return one.page.evaluate("document.querySelector('billet-table').game.viewer.seat") is not None
