"""What helps to choose: what is ringed, how many copies a guess may meet, and that nothing to choose is hidden."""

import pytest

from tests.web.browser import SMALL
from tests.web.tables import PLAY, sandbox, seated
from tools.players.tables import CREATOR, OPEN

DISCARDS = [["priest", "handmaid"], ["king", "baron"], ["guard"]]
GUESS = sandbox("standard", 3, {"hands": [["guard", "prince"]], "discards": DISCARDS, "turn": 0})
PILES = sandbox("standard", 2, {"hands": [["prince", "handmaid"], ["spy"]], "deck": ["guard", "guard"], "turn": 0})
"""Whatever the bot plays, the round goes on."""
UPRIGHT = {"viewport": {"width": 768, "height": 1024}, "has_touch": True}
RING = """() => getComputedStyle(document.querySelector("billet-table").shadowRoot.activeElement).outlineStyle"""
HIDDEN = """() => {
  const [table, bar] = ["billet-table", "billet-bar"].map((name) => document.querySelector(name));
  const under = bar.getBoundingClientRect().bottom;
  return [...table.shadowRoot.querySelectorAll(".choosable, [data-option]")].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top < under || bottom > innerHeight;
  }).map((one) => one.textContent.trim());
}"""


def test_the_ring_around_what_is_asked_is_for_those_who_use_keys(visitors, api):
    page, _, _ = seated(visitors, api, GUESS)
    assert page.evaluate(RING) == "none"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(RING) == "solid"
    page.mouse.click(5, 400)
    page.locator(".held-card").nth(1).focus()
    assert page.evaluate(RING) == "none"


def guess(page, rival):
    page.locator(".held-card[data-card=guard]").click()
    page.locator(".seat.choosable", has_text=rival).click()
    page.locator(".kind-guess").wait_for()
    return dict(zip(*(page.locator(f".kind-guess .option {of}").all_inner_texts() for of in WORDS), strict=True))


WORDS = ("span > span:not(.unseen)", "small")


def test_a_guess_says_how_many_copies_are_left_and_dims_what_cannot_be(visitors, api):
    page, _, _ = seated(visitors, api, GUESS)
    left = guess(page, "Hanna")
    assert left == {
        "Spy": "2 left",
        "Priest": "1 left",
        "Baron": "1 left",
        "Handmaid": "1 left",
        "Prince": "1 left",
        "Chancellor": "2 left",
        "King": "0 left",
        "Countess": "1 left",
        "Princess": "1 left",
    }
    assert page.locator(".option.none").all_inner_texts() == [page.locator(".option", has_text="King").inner_text()]


def test_a_guess_says_nothing_of_copies_at_a_table_without_aids(visitors, api):
    page, _, _ = seated(visitors, api, GUESS)
    page.evaluate("""document.querySelector("billet-table").game.unseen = null""")
    page.locator(".held-card[data-card=guard]").click()
    page.locator(".seat.choosable", has_text="Hanna").click()
    page.locator(".kind-guess .option").first.wait_for()
    assert page.locator(".kind-guess .option small, .option.none").count() == 0


def test_what_is_known_to_be_there_is_said_and_the_rest_cannot_be(visitors, api):
    # The bot must play the Countess beside its King, which it keeps.
    hands = {"hands": [["priest", "guard"], ["king"]], "deck": ["countess", "spy"], "turn": 0}
    setup = sandbox("standard", 2, hands)
    page, _, _ = seated(visitors, api, setup)
    page.locator(".held-card[data-card=priest]").click()
    page.locator(".send").click()
    page.locator(".seat .discards [data-card=countess]").wait_for()
    page.locator(".held-card.may[data-card=guard]").click()
    page.locator(".kind-guess").wait_for()
    assert page.locator(".option:not(.none) small").all_inner_texts() == ["known to you"]


@pytest.mark.parametrize("edition", ["standard", "lovecraft", "premium"])
def test_nothing_to_choose_is_hidden_on_an_upright_tablet(visitors, api, edition):
    setup = {
        "standard": GUESS,
        "premium": sandbox("premium", 8, {"hands": [["guard", "prince"]], "turn": 0}),
        "lovecraft": sandbox("lovecraft", 5, {"hands": [["investigators", "deep_ones"]], "turn": 0}),
    }[edition]
    page, _, _ = seated(visitors, api, setup, locale="de", **UPRIGHT)
    page.locator(".held-card").first.tap()
    page.locator(".choosable").nth(1).wait_for()
    assert page.evaluate(HIDDEN) == []
    page.locator(".seat.choosable").nth(1).tap()
    page.locator(".options").wait_for()
    assert page.evaluate(HIDDEN) == []


def test_the_head_of_the_page_stays_with_eight_seats_on_a_phone(visitors, api):
    setup = sandbox("premium", 8, {"hands": [["guard", "prince"]], "turn": 0})
    page, _, _ = seated(visitors, api, setup, **SMALL | {"viewport": {"width": 360, "height": 580}})
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("() => scrollY > 0")
    assert page.locator("billet-bar").bounding_box()["y"] == 0


def test_the_log_leaves_out_that_somebody_draws_a_card(visitors, api):
    page, _, _ = seated(visitors, api, GUESS)
    page.locator(".log .line.card_drawn", has_text="You draw the Prince").wait_for()
    page.locator(".held-card[data-card=prince]").click()
    page.locator(".seat.choosable").first.click()
    page.locator(".send").click()
    page.locator(".log .line.turn_started").nth(1).wait_for()
    assert page.locator(".log").get_by_text("draws a card").count() == 0


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_names_of_the_piles_are_whole_on_a_phone(visitors, api, language):
    one = visitors(locale=language, **SMALL)
    game, token = one.open_table(api, PILES)
    api.call("POST", f"/games/{game}/actions", PLAY, token)
    one.page.locator(".felt-card .face").wait_for()
    captions = one.page.locator(".piles figcaption")
    assert captions.count() == 4
    lines = captions.evaluate_all(
        "all => all.map(one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))"
    )
    assert max(lines) < 2.5, lines


def test_a_clock_of_hours_says_hours(visitors, api):
    setup = {"edition": "standard", "seats": PILES["seats"], "clock": {"kind": "decision", "seconds": 36_000}}
    page, _, _ = seated(visitors, api, setup | {"starter": 0})
    assert page.locator("billet-clock").first.inner_text().split(":")[0] in ("9", "10")


PACES = {
    "en": "Time to think: 1 day for each decision, 7 days off a year.",
    "de": "Bedenkzeit: 1 Tag für jede Entscheidung, 7 freie Tage im Jahr.",
}


@pytest.mark.parametrize("language", PACES)
def test_whoever_comes_to_a_table_by_the_day_learns_its_pace_before_sitting_down(visitors, api, language):
    setup = {"edition": "standard", "seats": [CREATOR, OPEN], "visibility": "public", "clock": {"seconds": 86_400}}
    game = api.call("POST", "/games", setup, api.player("Ann")["token"])["id"]
    one = visitors(locale=language)
    one.visit(f"games/{game}")
    one.page.locator(".waiting").get_by_text(PACES[language]).wait_for()
