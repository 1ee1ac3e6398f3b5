"""What the lessons promise: the bot has no choice, every right choice wins, and six minutes suffice."""

import pytest

from engine import options, rules
from engine.events import fold
from engine.logs.codec import action_data
from games.texts.cards import card_text
from games.texts.catalogue import catalogue
from tests.engine.given import chance, created
from tests.web.learn.scripts import NAMES, fits, lessons, texts

WORDS_A_MINUTE = 200
SECONDS_TO_CHOOSE = 5
"""For finding and pressing what is meant, and for the bot to answer: a bot of this kind takes less than one."""
CHOICES = 3
"""A card, a guess and the button that sends them."""
MOST_SECONDS = 360


def begun(setup):
    table = created(setup["edition"], len(setup["seats"]), positions=tuple(setup["sandbox"]["positions"]))
    state = rules.begin(table)
    players = tuple(f"player {seat}" for seat in range(len(setup["seats"])))
    fold(state, rules.start(state, players, ("",) * len(players), chance()))
    return state


def courses(state, steps):
    """Plays all that a lesson allows; yields the end of each course, and which steps were asked in it."""
    pending = [(state, ())]
    while pending:
        state, met = pending.pop()
        if state.winners:
            yield state, met
            continue
        legal = options.legal_actions(state)
        if state.to_act != 0:
            assert len(legal) == 1, f"the bot may choose among {legal}"
            right = legal
        else:
            asked = (state.round_number, sorted(state.seats[0].hand))
            step = [(one["round"], one["hand"]) for one in steps].index(asked)
            right = [one for one in legal if fits(steps[step]["right"], action_data(one))]
            assert 0 < len(right) < len(legal), "there is something to choose, and something right"
            met += (step,)
        for action in right:
            after = state.copy()
            fold(after, rules.decide(after, after.to_act, action, chance()))
            pending.append((after, met))


@pytest.mark.parametrize("name", NAMES)
def test_the_bot_has_one_legal_action_and_every_right_choice_wins_the_game(name):
    lesson = lessons()[name]
    ends = list(courses(begun(lesson["setup"]), lesson["steps"]))
    assert ends
    for state, met in ends:
        assert state.winners == (0,)
        assert met == tuple(range(len(lesson["steps"])))


def test_every_edition_has_its_lesson():
    assert {one["setup"]["edition"] for one in lessons().values()} == {"classic", "standard", "premium", "lovecraft"}
    assert tuple(lessons()) == NAMES


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_coach_has_words_for_every_step_and_every_wrong_choice(language):
    said = texts(language)
    assert tuple(said) == NAMES
    for name, lesson in lessons().items():
        assert len(said[name]["steps"]) == len(lesson["steps"])
        for step, words in zip(lesson["steps"], said[name]["steps"], strict=True):
            kinds = {"guess_value": "number"}
            assert set(words["no"]) == {kinds.get(kind, kind) for kind in step["right"]}
            assert all(words["says"])
        assert said[name]["end"]


def seconds(name, language):
    """How long a lesson takes, read at an even pace with the cards that one holds, without wrong choices."""
    lesson, said = lessons()[name], texts(language)[name]
    steps, edition = lesson["steps"], lesson["setup"]["edition"]
    sentences = [*(one for step in said["steps"] for one in step["says"]), *said["end"]]
    held = {card for step in steps for card in step["hand"]}
    cards = [card_text(catalogue(language), edition, card) for card in held]
    words = sum(len(text.split()) for text in (*sentences, *cards))
    pressed = len(sentences) + CHOICES * len(steps)
    return 60 * words / WORDS_A_MINUTE + SECONDS_TO_CHOOSE * pressed


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_game_takes_at_most_six_minutes_and_the_others_less(language):
    assert 60 < seconds("first", language) <= MOST_SECONDS
    assert all(seconds(name, language) <= MOST_SECONDS / 2 for name in NAMES[1:])
