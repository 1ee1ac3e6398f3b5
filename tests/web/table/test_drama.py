"""The moments that matter: a card on the felt, the end of a round, waiting for the next one, the end of the game."""

import pytest

from tests.web.browser import SMALL, TABLE, WIDE
from tests.web.tables import ENDING, HELD, WON, sandbox, seated
from tools.players.tables import CREATOR, OPEN, bot

LAST = {"hands": [["guard", "countess"], ["priest"], ["baron"]], "deck": [], "protected": [1, 2], "tokens": [2, 1, 3]}
LAST_PLAY = sandbox("standard", 3, {**LAST, "turn": 0})
WINS = ".showdown .wins figcaption"


def last_play(visitors, api, **more):
    """Plays the last card of a round, which the visitor wins; it is told."""
    one = visitors(tell=True, **more)
    one.page.add_init_script(HELD)
    game, _ = one.open_table(api, LAST_PLAY)
    one.page.locator(".held-card[data-card=guard]").click()
    one.page.locator(".send").click()
    one.page.locator(".next").wait_for()
    return one, game


@pytest.mark.parametrize("more", [{"viewport": WIDE}, SMALL])
def test_the_end_of_a_round_shows_the_hands_and_the_token_and_waits_for_the_reader(visitors, api, more):
    one, _ = last_play(visitors, api, **more)
    page = one.page
    assert page.locator(WINS).inner_text() == "Ann"
    assert page.locator(".showdown .name").all_inner_texts() == ["Countess", "Priest", "Baron"]
    assert page.locator(".sentence").inner_text() == "You win round 1 with the highest number, 8"
    assert page.locator(".mine .pips .has").count() == 3
    assert page.locator(".mine .seals").inner_text().split() == ["3", "3", "of", "5", "tokens"]
    assert one.violations() == []
    assert page.locator(".turns").first.evaluate("card => getComputedStyle(card).animationName") == "none"
    page.keyboard.press("Enter")
    page.locator(".showdown").wait_for(state="detached")
    page.get_by_text("Round 2", exact=False).first.wait_for()


def test_the_next_round_begins_by_itself(visitors, api):
    one, _ = last_play(visitors, api)
    one.page.evaluate("() => goOn()")
    one.page.locator(".showdown").wait_for(state="detached")


def test_hands_turn_over_and_the_token_flies(visitors, api):
    one = visitors(tell=True, reduced_motion="no-preference")
    one.page.add_init_script(HELD)
    one.open_table(api, LAST_PLAY)
    one.page.evaluate(f"""() => {{
      const note = (one) => flown.push(one.querySelector(".flying-seal, .name, .back").className);
      const seen = new MutationObserver(changes => changes.forEach(({{addedNodes}}) => addedNodes.forEach(note)));
      window.flown = [];
      seen.observe({TABLE}.shadowRoot.querySelector(".layer"), {{childList: true}});
    }}""")
    one.page.locator(".held-card[data-card=guard]").click()
    one.page.locator(".send").click()
    one.page.locator(".next").wait_for()
    assert one.page.evaluate("() => flown") == ["name", "flying-seal"]
    assert one.page.locator(".turns").first.evaluate("card => getComputedStyle(card).animationName") == "turns"


PEOPLE = {"seats": [CREATOR, OPEN, OPEN], "visibility": "public"}


def three(visitors, api, position, **more):
    """Ann, who looks, and Ben and Cleo; returns the visitor, and how the others act or, without an action, leave."""
    one = visitors(**more)
    one.page.add_init_script(HELD)
    ann, *others = [api.player(name) for name in ("Ann", "Ben", "Cleo")]
    game = api.call("POST", "/games", {**sandbox("standard", 3, position), **PEOPLE}, ann["token"])["id"]
    for other in others:
        api.call("POST", f"/games/{game}/seats", {}, other["token"])
    one.become(ann)
    one.visit(f"games/{game}")
    one.page.locator(".hand .held-card").first.wait_for()

    def act(seat, action=None):
        way = ("POST", "actions") if action else ("DELETE", "seats/me")
        api.call(way[0], f"/games/{game}/{way[1]}", action, others[seat - 1]["token"])

    return one, act


@pytest.mark.parametrize("more", [{"viewport": WIDE}, SMALL])
def test_who_is_out_may_skip_to_the_end_of_the_round(visitors, api, more):
    position = {"hands": [["baron", "guard"], ["king"], ["prince"]], "deck": ["spy", "spy"], "turn": 0}
    one, act = three(visitors, api, position, tell=True, **more)
    one.page.locator(".held-card[data-card=baron]").click()
    one.page.locator(".seat.choosable", has_text="Ben").click()
    one.page.locator(".send").click()
    skip = one.page.get_by_role("button", name="Skip to the next round")
    skip.wait_for()
    assert one.violations() == []
    skip.click()
    act(1, {"type": "play_card", "card": "spy", "targets": []})
    act(2, {"type": "play_card", "card": "spy", "targets": []})
    one.page.locator(".next").wait_for()
    assert one.page.locator(WINS).inner_text() == "Ben"
    assert skip.count() == 0
    one.page.locator(".next").click()
    one.page.locator(".hand .held-card").first.wait_for()


def test_a_hand_stays_where_it_is_when_its_turn_comes_and_the_card_before_lies_on_the_felt(visitors, api):
    position = {"hands": [["king"], ["guard"], ["spy", "priest"]], "deck": ["baron"] + ["guard"] * 3, "turn": 2}
    one, act = three(visitors, api, position, viewport=WIDE)
    card, reading = one.page.locator(".held-card[data-card=king]"), one.page.locator(".reading")
    before, place = card.bounding_box(), reading.bounding_box()
    act(2, {"type": "play_card", "card": "spy", "targets": []})
    one.page.locator(".asking").wait_for()
    assert card.bounding_box() == before
    assert one.page.locator(".asking").bounding_box()["x"] == place["x"]
    assert one.page.locator("[data-place=felt] .name").inner_text() == "Spy"
    assert one.page.locator("[data-place=felt] figcaption").inner_text() == "Cleo"


def test_the_end_of_a_game_says_why_and_shows_all_hands_and_leads_to_its_last_card(visitors, api):
    one = visitors()
    ann, ben = api.player("Ann"), api.player("Ben")
    game = api.call("POST", "/games", ENDING, ann["token"])["id"]
    api.call("POST", f"/games/{game}/seats", {}, ben["token"])
    one.become(ben)
    one.visit(f"games/{game}")
    one.page.locator(".hand .held-card").first.wait_for()
    api.call("POST", f"/games/{game}/actions", WON, ann["token"])
    page = one.page
    assert page.locator(".last").inner_text() == "Ann wins round 1 as the last one in it: 6 of 6 tokens."
    page.locator(".seat .known [data-card=handmaid]").wait_for()
    assert page.locator(".strip a").inner_text().split()[0] == "1"
    assert one.violations() == []
    page.locator(".moment").click()
    page.locator("billet-replay .sentence", has_text="Ann plays the Guard on Ben").wait_for()
    assert page.url.startswith(f"{one.base}/replays/{game}?at=")


def test_the_end_of_a_game_names_the_first_token_that_was_enough(visitors, api):
    one = visitors()
    position = {**LAST, "discards": [["spy"]], "tokens": [4, 1, 1], "turn": 0}
    one.open_table(api, sandbox("standard", 3, position))
    one.page.locator(".held-card[data-card=guard]").click()
    one.page.locator(".send").click()
    one.page.locator(".ending").wait_for()
    assert one.page.locator(".last").inner_text() == "You win round 1 with the highest number, 8: 5 of 5 tokens."
    one.page.locator(".mine .who .backs [data-card=countess]").wait_for()


def test_a_game_that_others_have_left_says_so_also_after_a_round(visitors, api):
    position = {"hands": [["guard", "king"], ["priest"]], "out": [2], "turn": 0}
    one, act = three(visitors, api, position)
    one.page.locator(".held-card[data-card=guard]").click()
    one.page.locator(".option[data-card=priest]").click()
    one.page.locator(".send").click()
    one.page.get_by_text("Round 2", exact=False).first.wait_for()
    act(1)
    act(2)
    one.page.locator(".ending").wait_for()
    assert one.page.locator(".last").inner_text().startswith("Cleo resigns")


@pytest.mark.parametrize("kind", ["random", "cautious", "expert"])
def test_bots_of_one_strength_have_seals_of_their_own_colours(visitors, api, kind):
    one = visitors()
    setup = sandbox("standard", 4, {"hands": [["guard", "prince"]], "turn": 0}) | {"seats": [CREATOR] + [bot(kind)] * 3}
    one.open_table(api, setup)
    waxes = one.page.locator(".seat .wax > path:first-child").evaluate_all(
        "all => all.map((one) => one.getAttribute('fill'))"
    )
    assert len({*waxes}) == len(waxes) == 3


def test_a_visitor_at_a_table_sees_how_far_everybody_is(visitors, api):
    page, _, _ = seated(visitors, api, LAST_PLAY)
    assert [seals.locator(".has").count() for seals in page.locator(".seat .pips").all()] == [1, 3]
