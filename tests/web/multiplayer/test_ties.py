"""Several who win together: the round that they share, the tie-break between them, and the game."""

import pytest

from tests.web.browser import LAPTOP, PHONE, TABLET, WIDE
from tests.web.tables import FELT, HELD, sandbox
from tools.players.tables import CREATOR, OPEN

LEVEL = {
    "hands": [["guard", "prince"], ["prince"], ["baron"]],
    "discards": [[], ["guard"], ["guard"]],
    "deck": [],
    "protected": [1, 2],
    "tokens": [4, 4, 1],
    "turn": 0,
}
"""The first and the second are level after the first one's Guard, by the sums of their discards too."""
PLAY = {"type": "play_card", "card": "guard", "targets": []}


def three(api, edition):
    """Opens a table for three people; returns the game and the players."""
    players = [api.player(name) for name in ("Margarethe von Österreich", "Ben", "Cleo")]
    table = sandbox(edition, 3, LEVEL) | {"seats": [CREATOR, OPEN, OPEN], "visibility": "public"}
    game = api.call("POST", "/games", table, players[0]["token"])["id"]
    for player in players[1:]:
        api.call("POST", f"/games/{game}/seats", {}, player["token"])
    return game, players


@pytest.mark.parametrize("viewport", [LAPTOP, TABLET])
def test_a_long_sentence_at_the_end_of_a_round_pushes_no_hand_out_of_view(visitors, api, viewport):
    game, (ann, *_) = three(api, "premium")
    one = visitors(viewport=viewport, tell=True, locale="de")
    one.page.add_init_script(HELD)
    one.become(ann)
    one.visit(f"games/{game}")
    one.page.locator(".held-card[data-card=guard]").click()
    one.page.locator(".send").click()
    one.page.locator(".next").wait_for()
    assert one.page.locator(".sentence").inner_text().startswith("Du und Ben liegt mit 5 gleichauf")
    assert one.page.evaluate(FELT)[0] <= 20
    hand = one.page.locator(".held-card").bounding_box()
    assert hand["y"] + hand["height"] <= viewport["height"]


@pytest.mark.parametrize(
    ("locale", "said", "left_out"),
    [
        ("en", "tie-break: the next token wins the game", "This tie-break is played without you"),
        ("de", "Stechen: Der nächste Gunststein gewinnt das Spiel", "In diesem Stechen spielst du nicht mit"),
    ],
)
def test_a_tie_break_says_what_it_is_for_and_nobody_who_sits_by_is_called_out(visitors, api, locale, said, left_out):
    game, (ann, _, cleo) = three(api, "premium")
    api.call("POST", f"/games/{game}/actions", PLAY, ann["token"])
    for player in (ann, cleo):
        one = visitors(locale=locale, **PHONE)
        one.become(player)
        one.visit(f"games/{game}")
        one.page.locator(".middle > .quiet", has_text=said).wait_for()
        assert one.page.locator(".hand").get_by_text(left_out).count() == (player == cleo)
        assert one.page.evaluate("document.documentElement.scrollWidth") == 360
        assert one.violations() == []


@pytest.mark.parametrize("viewport", [PHONE["viewport"], TABLET, WIDE])
def test_a_shared_victory_names_its_winners_in_full(visitors, api, viewport):
    game, (ann, _, cleo) = three(api, "standard")
    api.call("POST", f"/games/{game}/actions", PLAY, ann["token"])
    for player, said in ((ann, "You share the victory"), (cleo, "Margarethe von Österreich and Ben share the victory")):
        one = visitors(viewport=viewport)
        one.become(player)
        one.visit(f"games/{game}")
        assert one.page.locator("[id=ending]").inner_text() == said
        cut = "all => all.filter(name => name.scrollWidth > name.clientWidth).length"
        assert one.page.locator(".seat bdi").evaluate_all(cut) == 0
        assert one.violations() == []
