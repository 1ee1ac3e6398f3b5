"""Sentences address whoever reads a game from their own seat, and nobody else."""

import re

from engine import events as e
from engine.editions import rulebook
from engine.views import redact_log
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.sentences.events import event_texts
from games.texts.sentences.past import Past
from games.views.events import NAMING
from tests.engine.random_games import EVERY_TABLE, random_game
from tests.games.texts.happenings import NAMES, PEOPLE, played


def told(language, seat, happened, edition="premium", seats=5, past=None):
    """Returns the sentence about the first of some events, for the player of a seat."""
    more = {} if past is None else {"past": past}
    book = rulebook(edition, seats, {})
    return event_texts(catalogue(language), happened, NAMES[:seats], book, people=PEOPLE, reader=seat, **more)[0]


def test_where_a_bot_stands_in_its_player_is_told_so():
    again = Past(away=frozenset([0]))
    assert told("en", 0, [e.SeatTimedOut(0)], past=again) == "A bot plays for you"
    assert told("de", 0, [e.SeatTimedOut(0)], past=again) == "Ein Bot spielt für dich"


def test_a_player_whom_the_sycophant_binds_is_told_so():
    bound = Past(bound=0)
    assert told("en", 0, [played("guard")], past=bound).endswith("the Sycophant leaves nobody but you to be chosen")
    assert told("de", 0, [played("guard")], past=bound).endswith("da der Schmeichler nur dich als Ziel zulässt")


@EVERY_TABLE
def test_no_reader_finds_their_own_name_in_whole_games(edition, seats):
    """And whoever is not concerned reads what a watcher who sees the same would read."""
    state, log = random_game(edition, seats, 1, leaving=0.01)
    names = NAMES[:seats]
    for viewer in range(seats):
        seen = redact_log(log, viewer)
        for language in LANGUAGES:
            words = catalogue(language)
            by_name = event_texts(words, seen, names, state.book, people=PEOPLE)
            addressed = event_texts(words, seen, names, state.book, people=PEOPLE, reader=viewer)
            for event, plain, text in zip(seen, by_name, addressed, strict=True):
                if isinstance(event, NAMING):
                    assert text == plain
                    continue
                assert (plain == text) is (not named(names[viewer], plain)), text
                assert not named(names[viewer], text)
                assert text[0].isupper()


def named(name, text):
    return re.search(rf"\b{name}\b", text) is not None
