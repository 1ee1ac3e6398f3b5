"""An invited player is told so on the start page, at once or on coming back, and asked at the table."""

import pytest

from tests.web.browser import PHONE
from tools.players.tables import CREATOR, OPEN

SAID = {
    "en": ("Ophelia invites you", "a seat is kept for you", "Decline"),
    "de": ("Ophelia lädt dich ein", "ein Platz ist für dich reserviert", "Ablehnen"),
}


def invite(api, player):
    """Opens a table with a seat for a player and one for anybody; returns the game and the host's token."""
    host = api.player("Ophelia")["token"]
    table = {"edition": "standard", "seats": [CREATOR, {"kind": "invited", "player": player["id"]}, OPEN]}
    return api.call("POST", "/games", table | {"visibility": "unlisted"}, host)["id"], host


@pytest.mark.parametrize("locale", SAID)
def test_who_is_invited_is_told_on_the_start_page_and_may_decline_at_the_table(visitors, api, locale):
    by, kept, decline = SAID[locale]
    one, player = visitors(locale=locale, **PHONE), api.player("Margarethe von Österreich")
    game, host = invite(api, player)
    one.become(player)
    one.visit()
    row = one.page.locator(".invited li", has_text=by)
    row.wait_for()
    assert one.page.evaluate("document.documentElement.scrollWidth") == 360
    assert one.violations() == []
    row.get_by_role("link").tap()
    one.page.get_by_text(kept).wait_for()
    assert one.violations() == []
    one.page.get_by_role("button", name=decline).tap()
    one.page.locator(".play").wait_for()
    assert api.call("GET", f"/games/{game}", token=host)["seats"][1]["invited"] is None
    assert one.page.locator(".invited").count() == 0


def test_an_invitation_comes_and_goes_while_the_start_page_is_looked_at(visitors, api):
    one, player = visitors(), api.player("Margarethe")
    one.become(player)
    one.visit()
    one.page.locator(".play").wait_for()
    game, host = invite(api, player)
    row = one.page.locator(".invited li")
    row.wait_for()
    api.call("DELETE", f"/games/{game}/seats/1?invited={player['id']}", token=host)
    row.wait_for(state="detached")


def test_who_is_not_invited_is_asked_to_sit_or_to_watch(visitors, api):
    one = visitors()
    host = api.player("Ophelia")["token"]
    invited = {"kind": "invited", "player": api.player("Ben")["id"]}
    table = {"edition": "standard", "seats": [CREATOR, invited, OPEN], "visibility": "public"}
    one.visit(f"games/{api.call('POST', '/games', table, host)['id']}")
    one.page.get_by_text("Take a seat, or stay and watch.").wait_for()
    assert one.page.get_by_role("button", name="Decline").count() == 0
