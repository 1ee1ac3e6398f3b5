"""Lessons as people play them: in both languages, by mouse, touch and keys alone; left, resumed, and chosen wrongly."""

import json

import pytest

from tests.web.browser import PHONE, SMALL, SMALLEST, WIDE
from tests.web.learn.scripts import NAMES, lessons, texts

LESSON = "document.querySelector('billet-lesson')"
STATE = f"""() => {{
  const lesson = {LESSON}, coach = lesson?.shadowRoot.querySelector(".coach");
  if (!coach || lesson.step === null || lesson.sending) return null;
  const {{step, read, wrong, chosen, talking}} = lesson;
  const asked = lesson.asked && {{kind: lesson.asked.kind ?? "send", chosen: chosen.length}};
  const drawn = coach.querySelector(".says").textContent, ready = talking || step === "end" || asked;
  return ready && {{step, read, wrong, talking, asked, says: drawn, version: lesson.game.version}};
}}"""
NEXT = ".coach [data-option]"
OFFERED = ".asking [data-option]:not([disabled]), .hand [data-option]"


def by_mouse(page, place):
    place.click()


def by_touch(page, place):
    place.tap()


def by_keys(page, place):
    """Focus is on the first thing offered; arrows lead to the wanted one, and Enter takes it."""
    wanted = place.evaluate_handle("one => one")
    for _ in range(10):
        if page.evaluate("one => one.getRootNode().activeElement === one", wanted):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


def standing(page, before=None):
    """Waits until something else is asked or said than before; returns it."""
    found = page.wait_for_function(
        f"before => {{ const now = ({STATE})(); return now && JSON.stringify(now) !== before && now }}",
        arg=before and json.dumps(before, ensure_ascii=False, separators=(",", ":")),
        polling=50,
    )
    return found.json_value()


def wanted(page, step):
    """Returns the option that leads to what a step asks for."""
    asked = page.evaluate(
        f"() => {{ const {{kind, options, cards}} = {LESSON}.asked; return {{kind, options, cards}} }}"
    )
    kind, right = asked["kind"], step["right"]
    if kind == "card":
        return page.locator(f".hand [data-option][data-card={right['card']}]")
    values = [option["value"] for option in asked["options"]]
    names = {"number": "guess_value"}
    value = right["bottom"][0] if kind == "bottom" else right.get(names.get(kind, kind), values[0])
    return page.locator(".asking [data-option]").nth(values.index(value))


def course(page, name, language, take, look=lambda now: None):
    """Plays a lesson to its end; returns the sentences that were said, and how often something was pressed."""
    said, pressed, now = [], 0, None
    steps = lessons()[name]["steps"]
    while True:
        now = standing(page, now)
        look(now)
        if not said or said[-1] != now["says"]:
            said.append(now["says"])
        if now["talking"]:
            take(page, page.locator(NEXT))
        elif now["step"] == "end":
            return said, pressed
        elif now["asked"]["kind"] == "send":
            take(page, page.locator(".asking .send"))
        else:
            take(page, wanted(page, steps[now["step"]]))
        pressed += 1


def all_sentences(name, language):
    said = texts(language)[name]
    return [*(one for step in said["steps"] for one in step["says"]), *said["end"]]


def begin(one, name="first"):
    one.visit(f"learn?lesson={name}")
    one.page.locator(".coach").wait_for()


WAYS = [
    ("en", by_mouse, {"viewport": WIDE, "color_scheme": "light"}),
    ("de", by_touch, SMALL | {"color_scheme": "dark"}),
    ("de", by_keys, {"viewport": WIDE, "color_scheme": "dark", "reduced_motion": "no-preference", "tell": True}),
]


@pytest.mark.parametrize(("language", "take", "screen"), WAYS)
def test_a_newcomer_plays_the_first_game_to_its_end_and_meets_every_idea(visitors, language, take, screen):
    one = visitors(locale=language, **screen)
    one.visit()
    take_link = one.page.locator(".first a.go")
    take_link.press("Enter") if take is by_keys else take(one.page, take_link)
    one.page.locator(".coach").wait_for()
    said, pressed = course(one.page, "first", language, take)
    assert said == all_sentences("first", language)
    assert pressed <= len(said) + 3 * len(lessons()["first"]["steps"])
    one.visit()
    link = one.page.locator(".first a.go")
    assert link.text_content() == {"en": "Your first game", "de": "Dein erstes Spiel"}[language]


def test_the_coach_helps_and_no_hint_does(visitors):
    one = visitors()
    begin(one)
    now = standing(one.page)
    while now["talking"]:
        one.page.locator(NEXT).click()
        now = standing(one.page, now)
    one.page.keyboard.press("h")
    one.page.locator(".asking").wait_for()
    assert one.page.evaluate(f"{LESSON}.game.unseen") is not None
    assert one.page.locator(".hint-button").count() == 0


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", NAMES[1:])
def test_each_edition_has_a_round_for_what_is_new_in_it(visitors, name, language):
    one = visitors(locale=language)
    begin(one, name)
    said, _ = course(one.page, name, language, by_mouse)
    assert said == all_sentences(name, language)


@pytest.mark.parametrize(("language", "theme", "name"), [("en", "dark", "first"), ("de", "light", "lovecraft")])
def test_every_state_has_no_violations_and_fits_the_smallest_screen(visitors, language, theme, name):
    one = visitors(locale=language, color_scheme=theme, viewport=SMALLEST, has_touch=True)
    begin(one, name)
    found = {}

    def look(now):
        asked = now["asked"]["kind"] if now["asked"] else "talking" if now["talking"] else "end"
        assert one.page.evaluate("document.documentElement.scrollWidth") == SMALLEST["width"], now
        if asked not in found:
            found[asked] = one.violations()

    course(one.page, name, language, by_mouse, look)
    assert set(found) >= {"talking", "card", "send", "end"}
    assert not any(found.values()), json.dumps(found, indent=1)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", NAMES)
def test_the_end_fits_a_phone_and_says_only_what_comes_next(visitors, name, language):
    one = visitors(locale=language, **PHONE)
    begin(one, name)
    course(one.page, name, language, by_touch)
    assert one.page.evaluate("document.documentElement.scrollHeight") == PHONE["viewport"]["height"]
    assert one.page.locator(".coach .row > *").count() == 3
    assert one.page.locator(".ending button, .ending a").count() == 0
    again = {"en": "Begin once more", "de": "Noch einmal beginnen"}[language]
    one.page.get_by_role("button", name=again).tap()
    one.page.wait_for_function(f"() => {LESSON}.game?.status === 'active'")
    assert standing(one.page)["step"] == 0


def test_a_wrong_choice_is_explained_and_may_be_tried_again(visitors):
    one = visitors()
    begin(one)
    page, steps, told, now = one.page, lessons()["first"]["steps"], set(), None
    while True:
        now = standing(page, now)
        if now["step"] == "end":
            break
        if now["talking"]:
            page.locator(NEXT).click()
            continue
        if now["asked"]["kind"] == "send":
            page.locator(".send").click()
            continue
        step, kind = steps[now["step"]], now["asked"]["kind"]
        if not now["wrong"] and kind in step["right"] and (now["step"], kind) not in told:
            right = step["right"][kind]
            page.locator(f":is(.hand, .asking) [data-option]:not([data-card={right}])").first.click()
            said = texts("en")["first"]["steps"][now["step"]]["no"][kind]
            now = standing(page, now)
            assert (now["says"], now["wrong"]) == (said, said)
            told.add((now["step"], kind))
        wanted(page, step).click()
    assert told == {(place, kind) for place, step in enumerate(steps) for kind in step["right"]}


def test_it_is_left_and_resumed_at_the_very_sentence(visitors, api):
    one = visitors()
    begin(one)
    now = standing(one.page)
    for sentence in (1, 2):
        one.page.locator(NEXT).click()
        now = standing(one.page, now)
        assert (now["step"], now["read"]) == (0, sentence)
    one.page.get_by_role("link", name="Go on later").click()
    link = one.page.locator(".first a.go")
    assert link.text_content() == "Go on learning"
    # Its game is among one's own, and leads to the coach as well.
    assert one.page.locator(".own a.button").get_attribute("href") == link.get_attribute("href")
    link.click()
    assert standing(one.page) == now
    game = one.page.evaluate(f"{LESSON}.game.id")
    api.call("DELETE", f"/games/{game}/seats/me", token=one.token())
    one.page.get_by_role("button", name="Begin once more").click()
    one.page.wait_for_function(f"game => {LESSON}?.game && {LESSON}.game.id !== game", arg=game)
    assert standing(one.page)["read"] == 0


def test_a_lesson_of_nobody_here_begins_anew(visitors, api):
    one = visitors()
    game = api.call("POST", "/games", lessons()["first"]["setup"], api.player("Ophelia")["token"])["id"]
    one.visit("readyz")
    for kept in (game, "gone"):
        text = json.dumps({"first": {"game": kept, "step": 3, "read": 2}})
        one.page.evaluate("text => { localStorage['billet.learn'] = text }", text)
        one.visit("learn")
        one.page.wait_for_function(f"kept => {LESSON}?.game?.viewer && {LESSON}.game.id !== kept", arg=kept)
        assert (standing(one.page)["step"], standing(one.page)["read"]) == (0, 0)
