"""What is heard and felt at the table: nothing until it is chosen; then four quiet sounds, and a call to one's turn."""

import pytest

from tests.web.browser import SMALL, TABLE
from tests.web.tables import ENDING, WON, sandbox
from tools.players.tables import CREATOR, bot

CALM = sandbox(
    "standard", 2, {"hands": [["prince", "handmaid"], ["spy"]], "deck": ["spy", "guard", "priest", "guard"], "turn": 0}
)
"""The bot has two Spies, and then the first seat a choice again."""
HEARD = """
window.heard = [];
window.felt = [];
const begin = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  if (value) heard.push(value);
  return begin.call(this, value, at);
};
Object.defineProperty(Navigator.prototype, "vibrate", {value: (pattern) => { felt.push(pattern); return true; }});
"""
"""Notes the pitch at which each tone begins, and each vibration, of which a machine without a motor has none."""
UNTOUCHED = "Object.defineProperty(navigator, 'userActivation', {value: {hasBeenActive: false}})"
"""What a test looks at counts as touched."""
RENDERED = """async () => {
  const {strike} = await import(new URL("../look/sound.js", document.querySelector("script[type=module]").src));
  const found = {};
  for (const name of ["deal", "play", "out", "token", "turn"]) {
    const context = new OfflineAudioContext(1, 48000, 48000);
    strike(context, name);
    const samples = (await context.startRendering()).getChannelData(0);
    const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    found[name] = [peak, samples.findLastIndex((one) => Math.abs(one) > 0.001)];
  }
  return found;
}"""
PITCHES = {"deal": 1500, "play": 260, "out": 294, "token": 1047, "turn": 523}
"""With which each begins."""


def seated(visitors, api, table=CALM, **more):
    one = visitors(**more)
    one.page.add_init_script(HEARD)
    one.open_table(api, table)
    return one.page


def heard(page):
    first = {pitch: name for name, pitch in PITCHES.items()}
    return {first[pitch] for pitch in page.evaluate("heard") if pitch in first}


def play_handmaid(page):
    """Plays the card that ends the turn, and waits for the next one."""
    page.locator(".hand [data-card=handmaid]").click()
    page.locator(".asking .send").click()
    page.wait_for_function(f"() => {TABLE}.lines.filter(({{type}}) => type === 'card_played').length >= 2")


def test_nothing_is_heard_until_it_is_chosen_and_the_choice_is_kept(visitors, api):
    page = seated(visitors, api)
    play_handmaid(page)
    assert page.evaluate("heard") == []
    page.get_by_role("button", name="Sound").click()
    assert heard(page) == {"turn"}, "what was chosen is heard at once"
    page.add_init_script(UNTOUCHED)
    page.reload()
    page.get_by_role("button", name="Sound", pressed=True).wait_for()
    page.locator(".hand [data-option]").first.wait_for()
    assert page.evaluate("heard") == [], "a page that nobody has touched is silent"


def test_a_play_a_knock_out_a_token_and_a_deal_are_heard(visitors, api):
    table = ENDING | {"seats": [CREATOR, bot("random")]}
    first = {**table["sandbox"]["positions"][0], "tokens": [4, 0]}
    second = {"hands": [["guard", "priest"]], "turn": 0}
    page = seated(visitors, api, table | {"sandbox": {"positions": [first, second]}})
    page.get_by_role("button", name="Sound").click()
    page.evaluate("heard.length = 0")
    for place in (
        ".hand [data-card=guard]",
        f".asking [data-card={WON['guess']}]",
        ".asking .send",
    ):
        page.locator(place).click()
    page.wait_for_function(f"() => {TABLE}.game.round.number === 2 && !{TABLE}.telling")
    page.locator(".hand [data-option]").first.wait_for()
    assert heard(page) == set(PITCHES)


def test_each_sound_is_there_quiet_and_short(visitors):
    one = visitors()
    one.visit()
    for name, (peak, last) in one.page.evaluate(RENDERED).items():
        assert 0.02 < peak < 0.25, name
        assert last < 48000 * 0.8, name


@pytest.mark.parametrize("chosen", [True, False])
def test_a_phone_vibrates_when_it_is_ones_turn_if_that_was_chosen(visitors, api, chosen):
    page = seated(visitors, api, **SMALL)
    if chosen:
        page.get_by_role("button", name="Settings").tap()
        page.get_by_label("Vibrate when it is your turn").check()
        page.get_by_role("dialog").get_by_role("button", name="Close").tap()
        page.get_by_role("dialog").wait_for(state="detached")
    assert page.evaluate("felt") == []
    page.locator(".hand [data-card=handmaid]").tap()
    page.locator(".asking .send").tap()
    page.wait_for_function(f"() => {TABLE}.lines.filter(({{type}}) => type === 'card_played').length >= 2")
    page.locator(".hand [data-option]").first.wait_for()
    assert page.evaluate("felt.length") == int(chosen)


def test_where_nothing_vibrates_nothing_is_offered(visitors):
    one = visitors()
    one.visit()
    one.page.get_by_role("button", name="Settings").click()
    one.page.get_by_label("Quiet sounds").wait_for()
    assert one.page.get_by_label("Vibrate").count() == 0
