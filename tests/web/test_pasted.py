"""Links as chats and mails hand them on, and addresses that lead nowhere."""

import pytest

from tools.players.tables import CREATOR, OPEN


@pytest.fixture
def table(api):
    """An unlisted table with a free seat, and its code."""
    host = api.player("Host")
    setup = {"edition": "standard", "seats": [CREATOR, OPEN], "visibility": "unlisted"}
    return api.call("POST", "/games", setup, host["token"])


@pytest.mark.parametrize(
    "link", ["games/{id}#code={code}.", "games/{id}/#code={code}),", "games/{id}%3E#code={code}%22"]
)
def test_a_link_with_more_behind_it_leads_to_the_table(visitors, table, link):
    one = visitors()
    one.visit(link.format(id=table["id"], code=table["join_code"]))
    one.page.get_by_role("button", name="Sit down").wait_for()
    assert one.page.url.startswith(f"{one.base}/games/{table['id']}#")


@pytest.mark.parametrize("text", ["{base}/games/{id}/#code={code}.", "{code}.", " {code}) "])
def test_what_is_pasted_into_the_field_may_have_more_behind_it(visitors, table, text):
    one = visitors()
    one.visit()
    one.page.get_by_label("Code or link").fill(text.format(base=one.base, id=table["id"], code=table["join_code"]))
    one.page.locator(".join button").click()
    one.page.wait_for_url(f"{one.base}/games/{table['id']}#code={table['join_code']}")


def test_a_link_of_a_player_with_more_behind_it_brings_them_along(visitors, api):
    one = visitors()
    player = api.player("Ann")
    one.visit(f"#player={player['token']}.")
    one.page.get_by_role("dialog").locator("button.main").click()
    one.page.locator("billet-bar .who").filter(has_text="Ann").wait_for()


def test_a_mistyped_address_says_so_and_leads_to_the_start(visitors):
    one = visitors(locale="de")
    one.visit("nonsense/x")
    assert one.page.locator("h1").inner_text() == "Nicht gefunden"
    one.page.get_by_role("link", name="Zur Startseite").click()
    one.page.wait_for_url(f"{one.base}/")
