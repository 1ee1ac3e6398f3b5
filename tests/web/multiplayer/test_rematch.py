"""The end of a game says what decided it, and offers its replay to share and a rematch.

The others at the table are told who wants a rematch, which may be called off before they accept."""

import re

import pytest

from tests.web.browser import SMALL
from tests.web.tables import BOT, ENDING, WON, sandbox
from tools.players.tables import CREATOR

# The bot wins the round with the Princess, and Ann the game with her Spy.
SPIED = {"hands": [["spy", "guard"], ["princess"]], "deck": [], "protected": [1], "tokens": [5, 0], "turn": 0}
SAID = "billet-table [aria-live] >> nth=0"


@pytest.fixture
def company(visitors, api):
    """Two people at the end of a game."""
    ann, ben = api.player("Ann"), api.player("Ben")
    game = api.call("POST", "/games", ENDING, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    api.call("POST", f"/games/{game}/actions", WON, ann["token"])
    pages = []
    for player in (ann, ben):
        one = visitors()
        one.become(player)
        one.visit(f"games/{game}")
        one.page.get_by_role("button", name="Rematch").wait_for()
        pages.append(one.page)
    return pages


def test_the_end_says_what_decided_it_and_shares_the_replay(visitors, api):
    one = visitors(**SMALL)
    one.become(player := api.player("Ann"))
    game = api.call("POST", "/games", ENDING | {"seats": [CREATOR, BOT]}, player["token"])["id"]
    api.call("POST", f"/games/{game}/actions", WON, player["token"])
    one.visit(f"games/{game}")
    assert one.page.locator(".last").inner_text() == "You win round 1 as the last one in it: 6 of 6 tokens."
    for name, opened in (("Share", "p"), ("QR", "svg")):
        one.page.get_by_role("button", name=name).tap()
        last = one.page.locator(f"billet-share > {opened}:last-child").bounding_box()
        assert last["y"] + last["height"] <= SMALL["viewport"]["height"], name
    assert one.page.get_by_role("textbox", name="Link").input_value().startswith(f"{one.base}/replays/{game}")
    assert one.page.locator(".peek").count() == 0, "nothing is known to one alone any more"


def test_the_end_names_the_card_whose_token_decided_it(visitors, api):
    one = visitors()
    one.become(player := api.player("Ann"))
    game = api.call("POST", "/games", sandbox("standard", 2, SPIED), player["token"])["id"]
    api.call("POST", f"/games/{game}/actions", {"type": "play_card", "card": "spy"}, player["token"])
    one.visit(f"games/{game}")
    why = "Hanna wins round 1 with the highest number, 9; the token for the card Spy decides: 6 of 6."
    assert one.page.locator(".last").inner_text() == why


@pytest.mark.parametrize("late", [False, True])
def test_the_others_are_told_who_wants_a_rematch_and_accept_it(company, late):
    ann, ben = company
    ended = ben.url
    if late:
        ben.goto(ended.partition("games/")[0])
    ann.get_by_role("button", name="Rematch").click()
    ann.get_by_role("group", name="Ben (invited)").wait_for()
    if late:
        ben.goto(ended)
    ben.locator(SAID, has_text=re.compile("^Ann wants a rematch$")).wait_for(state="attached")
    assert ben.title().startswith("●")
    ben.get_by_role("button", name="Play again").click()
    ben.locator(".hand .held-card").first.wait_for()
    assert ben.url.partition("#")[0] == ann.url.partition("#")[0]
    assert "invited" not in ben.locator(".sentence").inner_text(), "that was the game before"


def test_who_asked_for_a_rematch_can_withdraw_the_invitation(company):
    ann, ben = company
    ann.get_by_role("button", name="Rematch").click()
    ben.get_by_role("button", name="Play again").wait_for()
    ann.get_by_role("button", name="Withdraw the invitation").click()
    ben.get_by_role("button", name="To the next game").wait_for()
    assert ben.locator(SAID).text_content() == ""
    ann.get_by_role("button", name="Add a bot").click()
    ann.locator(".hand .held-card, .hand .quiet").first.wait_for()
