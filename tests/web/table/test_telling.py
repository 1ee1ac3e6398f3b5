"""What the others do is told sentence by sentence, also to who wants nothing to move."""

import pytest

from tests.web.browser import TABLE
from tests.web.tables import sandbox, seated

COMPANY = sandbox(
    "standard",
    3,
    {"hands": [["handmaid", "princess"], ["spy"], ["spy"]], "deck": ["handmaid", "countess", "guard"], "turn": 0},
)
"""Whichever card the bots play, it touches nobody."""
WON = sandbox(
    "standard",
    2,
    {"hands": [["guard", "handmaid"], ["priest"]], "turn": 0},
    {"hands": [["handmaid", "king"], ["spy"]], "turn": 0},
)
"""The reader wins the first round with a Guard."""
LISTEN = """() => {
  const live = document.querySelector("billet-table").shadowRoot.querySelector("[aria-live]");
  window.heard = [];
  const said = {subtree: true, childList: true, characterData: true};
  new MutationObserver(() => heard.push(live.textContent)).observe(live, said);
}"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_each_action_of_the_others_is_announced(visitors, api, motion):
    page, _, _ = seated(visitors, api, COMPANY, reduced_motion=motion, tell=True)
    version = page.evaluate(f"{TABLE}.game.version")
    page.evaluate(LISTEN)
    page.locator(".hand [data-card=handmaid]").click()
    page.locator(".asking .send").click()
    page.wait_for_function(f"() => {TABLE}.game?.version > {version} && {TABLE}.asked")
    played = page.evaluate(f"{TABLE}.lines.filter(({{type}}) => type === 'card_played').map(({{text}}) => text)")
    heard = page.evaluate("heard")
    assert len(played) == 3
    assert [text for text in heard if text in played] == played, "each once, in order"


NEVER = f"""endless => {{
  const {{ setTimeout: soon }} = window;
  window.setTimeout = (go, ms) => ms >= endless && {TABLE}.telling ? 0 : soon(go);
}}"""
"""From now on a pause of so many milliseconds does not end by itself while something is told; others end at once."""


@pytest.mark.parametrize(("endless", "tokens"), [(0, "0"), (2000, "1")])
def test_the_result_of_a_round_stays_in_view_until_a_click_and_until_the_next_play(visitors, api, endless, tokens):
    page, _, _ = seated(visitors, api, WON, tell=True)
    sentence, middle = page.locator(".sentence"), page.locator(".middle")
    page.locator(".hand [data-card=guard]").click()
    page.locator(".asking [data-card=priest]").click()
    page.evaluate(NEVER, endless)
    page.locator(".asking .send").click()
    if not endless:
        sentence.filter(has_text="You play the Guard").wait_for()
        middle.click()  # to catch up leads no further than to the result
    sentence.filter(has_text="You win round 1").wait_for()
    page.locator(".mine .seal b", has_text=tokens).wait_for()
    assert page.evaluate(f"{TABLE}.telling")
    middle.click()
    page.wait_for_function(f"() => {TABLE}.asked")
    assert "You win round 1" in sentence.text_content()
    assert page.locator(".standing").text_content() == "Your turn"
    page.evaluate("localStorage['billet.tell'] = 'off'")
    page.locator(".hand [data-card=handmaid]").click()
    page.locator(".send").click()
    sentence.filter(has_not_text="You win round 1").wait_for()
