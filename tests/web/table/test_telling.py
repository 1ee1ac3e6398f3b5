"""What the others do is told sentence by sentence, also to who wants nothing to move."""

import pytest

from tests.web.table.test_card_texts import seated

COMPANY = {
    "edition": "standard",
    "seats": [{"kind": "creator"}] + [{"kind": "bot", "bot": "random"}] * 2,
    "sandbox": {
        "positions": [
            {
                "hands": [["handmaid", "princess"], ["spy"], ["spy"]],
                "deck": ["handmaid", "countess", "guard"],
                "turn": 0,
            }
        ]
    },
}
"""Whichever card the bots play, it touches nobody."""
LISTEN = """() => {
  const live = document.querySelector("billet-table").shadowRoot.querySelector("[aria-live]");
  window.heard = [];
  const said = {subtree: true, childList: true, characterData: true};
  new MutationObserver(() => heard.push(live.textContent)).observe(live, said);
}"""
TABLE = "document.querySelector('billet-table')"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_each_deed_of_the_others_is_announced(visitors, api, motion):
    page, _, _ = seated(visitors, api, COMPANY, reduced_motion=motion, tell=True)
    version = page.evaluate(f"{TABLE}.game.version")
    page.evaluate(LISTEN)
    page.locator(".hand [data-card=handmaid]").click()
    page.locator(".asking .send").click()
    page.wait_for_function(f"() => {TABLE}.game.version > {version} && {TABLE}.asked")
    deeds = page.evaluate(f"{TABLE}.lines.filter(({{type}}) => type === 'card_played').map(({{text}}) => text)")
    heard = page.evaluate("heard")
    assert len(deeds) == 3
    assert [text for text in heard if text in deeds] == deeds, "each once, in order"
