"""Somebody whom the host removes from a table that waits for players."""

import pytest

from tools.players.tables import CREATOR, OPEN

SENTENCES = {
    "en": ("Sit down", "You were removed from this table and cannot sit down here again."),
    "de": ("Dazusetzen", "Du wurdest von diesem Tisch entfernt und kannst dich hier nicht wieder setzen."),
}


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_who_is_removed_is_told_what_to_do_and_asked_no_more_to_sit_down(visitors, api, visibility, language):
    sit_down, sentence = SENTENCES[language]
    host, guest = visitors(), visitors(locale=language)
    ann = api.player("Ann")
    host.become(ann)
    table = {"edition": "standard", "seats": [CREATOR, OPEN, OPEN], "visibility": visibility}
    game = api.call("POST", "/games", table, ann["token"])
    code = f"#code={game['join_code']}" if game["join_code"] else ""
    host.visit(f"games/{game['id']}")
    host.page.get_by_role("button", name="Add a bot").click()
    host.page.get_by_role("button", name="Remove Nora from the table").click()
    guest.visit(f"games/{game['id']}{code}")
    guest.page.get_by_role("button", name=sit_down).click()
    guest.page.get_by_role("button", name=sit_down).wait_for(state="detached")
    name = "Gast" if language == "de" else "Guest"
    host.page.get_by_role("button", name=f"Remove {name} from the table").click()
    for again in (False, True):
        if again:
            guest.page.reload()
        guest.page.get_by_role("alert").filter(has_text=sentence).wait_for()
        assert guest.page.get_by_role("button", name=sit_down).count() == 0
    host.page.get_by_role("button", name=f"Remove {name} from the table").wait_for(state="detached")
    guest.page.locator(".waiting a").click()
    guest.page.wait_for_url(api.base + "/")


def test_who_came_by_invitation_is_told_too_and_not_asked_for_a_code(visitors, api):
    host, guest = api.player("Ann")["token"], visitors()
    ben = api.player("Ben")
    guest.become(ben)
    invited = {"kind": "invited", "player": ben["id"]}
    table = {"edition": "standard", "seats": [CREATOR, invited, OPEN], "visibility": "unlisted"}
    game = api.call("POST", "/games", table, host)["id"]
    guest.visit(f"games/{game}")
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.get_by_role("button", name="Leave").wait_for()
    api.call("DELETE", f"/games/{game}/seats/1", token=host)
    for again in (False, True):
        if again:
            guest.page.reload()
        guest.page.get_by_role("alert").filter(has_text="You were removed from this table").wait_for()
        assert guest.page.get_by_role("textbox", name="Code").count() == 0
