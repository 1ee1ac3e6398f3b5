"""Whoever comes to a table, and however: everybody there sees their hand, and the one to act can act.

The host of each table looks at it in a browser and has committed to a nonce. Another person comes, and if theirs is not
the last seat, a program takes that. Host and person begin by turns."""

import itertools
import json
from hashlib import sha256

import pytest

from tests.web.browser import TABLE
from tests.web.table.hands import OFFERED
from tests.web.ways import erased, keep, press, stored
from tools.players.tables import CREATOR, OPEN

NONCE = "2a" * 32
HAND = ".mine .hand .held-card"
WITHOUT_HASHES = "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })"
"""A page that is not on https can commit to nothing: it gives its nonce with the seat."""
MINE = f"() => {TABLE}.game.to_act === {TABLE}.game.viewer?.seat"
ACTING = f"{TABLE}.sending || {TABLE}.lines.some(({{type}}) => type === 'card_played')"
ACTED = f"() => {TABLE}.lines.some(({{type}}) => type === 'card_played')"


class Table:
    """A table for two or three that a host opens, who looks at it in a browser."""

    def __init__(self, visitors, api, seats, starter):
        self.api, self.seats, self.starter = api, seats, starter
        self.watching = None
        self.third = api.player("Cia")["token"]
        self.host, self._ophelia = visitors(), api.player("Ophelia")
        self.host.become(self._ophelia)

    def open(self, first=OPEN, visibility="unlisted"):
        setup = {"edition": "standard", "starter": self.starter, "visibility": visibility}
        setup |= {
            "seats": [CREATOR, first] + [OPEN] * (self.seats - 2),
            "nonce_hash": sha256(NONCE.encode()).hexdigest(),
        }
        game = self.api.call("POST", "/games", setup, self._ophelia["token"])
        # What the browser keeps of a table that was opened there.
        nonces = json.dumps([{"game": game["id"], "nonce": NONCE}])
        self.host.page.add_init_script(f"localStorage['billet.nonces'] ??= {json.dumps(nonces)}")
        self.host.visit(f"games/{game['id']}")
        self.code = game["join_code"]
        self.link = f"{self.host.base}/games/{game['id']}" + (f"#code={self.code}" if self.code else "")
        self.host.page.locator("billet-share").wait_for()
        if self.watching:
            self.watching.goto(self.link)
            self.watching.locator(".waiting").wait_for()
        return self

    @property
    def game(self):
        return self.host.page.url.rpartition("/")[2].partition("#")[0]

    def view(self):
        return self.ask("GET", "", self._ophelia["token"])

    def ask(self, method, path, token, body=None):
        return self.api.call(method, f"/games/{self.game}{path}", body, token)

    def join(self, token):
        code = self.view()["join_code"]
        return self.ask("POST", "/seats", token, {"join_code": code} if code else {})

    def fill(self):
        """Has the program take the last seat, if the person has not taken that."""
        if self.seats == 3:
            self.join(self.third)

    def go_on(self):
        """Has the program act until the turn is one of the others'."""
        while (view := self.view())["to_act"] == 2:
            own = self.ask("GET", "", self.third)
            self.ask("POST", "/actions", self.third, own["legal_actions"][0]["action"])
        return view["to_act"]


def by_link(one, table, _):
    table.open()
    one.page.goto(table.link)
    press(one, "Sit down")


def by_code(one, table, _):
    table.open()
    one.visit()
    one.page.get_by_role("textbox", name="Code or link").fill(table.code)
    press(one, "Join")


def from_the_lobby(one, table, _):
    table.open(visibility="public")
    one.visit()
    one.page.locator(f".lobby a[href$='{table.game}']").click()


def by_invitation(one, table, player):
    """An invitation goes with the player who is erased, and the seat is anybody's again."""
    table.open({"kind": "invited", "player": player["id"]})
    if player["erase"]:
        table.api.call("DELETE", "/players/me", token=player["token"])
    one.page.goto(table.link)
    press(one, "Sit down")


def by_rematch(one, table, player):
    """The game before ends by the host's resignation. Where the player is erased by then, their seat is anybody's."""
    table.open(visibility="public")
    table.join(player["token"])
    table.fill()
    table.host.page.locator(HAND).first.wait_for()
    before = table.game
    if table.seats == 3:
        table.ask("DELETE", "/seats/me", table.third)
    one.visit(f"games/{before}")
    one.page.locator(HAND).first.wait_for()
    press(table.host, "Resign")
    table.host.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    one.page.get_by_role("button", name="Rematch").wait_for()
    if player["erase"]:
        table.api.call("DELETE", "/players/me", token=player["token"])
    press(table.host, "Rematch")
    table.host.page.wait_for_url(lambda url: before not in url)
    table.host.page.locator("billet-share").wait_for()
    if player["erase"]:
        one.visit(f"games/{before}")
        press(one, "To the next game")
        press(one, "Sit down")
    else:
        press(one, "Play again")
    one.page.wait_for_url(lambda url: before not in url)


WAYS = {"link": by_link, "code": by_code, "lobby": from_the_lobby, "rematch": by_rematch, "invitation": by_invitation}
WHO = ["guest", "returning", "erased", "other tab"]


def somebody(one, api, who, way):
    """Has a visitor be somebody; returns the player, if there is one by then."""
    known = way in (by_rematch, by_invitation)  # nobody else can be asked
    if who == "guest" and not known:
        return None
    gone = who == "erased" and not known  # the others are erased once they are asked
    player = erased(api) if gone else api.player("Guest" if who == "guest" else "Ann")
    keep(one, player)
    return player | {"erase": who == "erased"}


def case(who, way, seats, commits):
    """One field of the matrix, with the seat that begins. Of each person by each way one is not for the soak, so that
    any two values of different columns meet in what is left.
    """
    person, how = WHO.index(who), list(WAYS).index(way)
    starter = (person + person // 2 + how // 2) % 2
    left = (seats, commits) == (2 + (person + how) % 2, bool((person // 2 + how) % 2))
    names = ("last" if seats == 2 else "not-last", "commits" if commits else "gives")
    return pytest.param(
        *(who, way, seats, commits, starter), id="-".join((who, way, *names)), marks=() if left else pytest.mark.soak
    )


MATRIX = [case(*fields) for fields in itertools.product(WHO, WAYS, (2, 3), (True, False))]


@pytest.mark.parametrize(("who", "way", "seats", "commits", "starter"), MATRIX)
def test_everybody_sees_their_hand_and_the_one_to_act_can_act(visitors, api, who, way, seats, commits, starter):
    table, one = Table(visitors, api, seats, starter), visitors()
    if not commits:
        one.page.add_init_script(WITHOUT_HASHES)
    player = somebody(one, api, who, WAYS[way])
    other = table.watching = one.another_tab() if who == "other tab" else None
    WAYS[way](one, table, player)
    one.page.locator(".waiting, .mine").first.wait_for()
    if seats == 3:
        one.page.get_by_role("button", name="Leave the table").wait_for()
        if way == "rematch":
            table.api.call("POST", f"/games/{table.view()['previous_game']}/rematch", token=table.third)
        else:
            table.fill()
    people = [table.host.page, one.page]
    if other:
        if way == "rematch":
            other.goto(one.page.url)
        people.append(other)
    for page in people:
        page.locator(HAND).first.wait_for()
    assert [page.evaluate(f"{TABLE}.game.viewer.seat") for page in people] == [0, 1, 1][: len(people)]
    assert one.shuffled(api) == ([0, 1] if commits else [0], []), "nobody could choose this deal"
    actor = people[table.go_on()]
    actor.wait_for_function(MINE)
    while not actor.evaluate(ACTING):
        actor.locator(f".asking {OFFERED}, .hand {OFFERED}").first.click()
    for page in people:
        page.wait_for_function(ACTED)
    if who != "guest":
        assert (stored(one)["id"] == player["id"]) == (who != "erased")
