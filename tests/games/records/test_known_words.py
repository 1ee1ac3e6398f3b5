"""The words that an edition knows are all that occur in its games, and no others."""

from engine.editions import rulebook
from engine.events import HandDiscarded
from engine.logs.codec import read_event
from games.records.known_words import unknown_word
from tests.engine.random_games import EVERY_TABLE
from tests.games.whole_logs import read_log, whole_log


@EVERY_TABLE
def test_no_game_has_a_word_that_its_edition_does_not_know(edition, seats):
    for seed in range(2):
        assert unknown_words(read_log(edition, seats, seed)) == []


def test_the_card_beside_the_deck_is_known():
    log = whole_log("lovecraft", 3, 17)
    assert "mi_go_braincase" in str(log["events"])
    assert unknown_words(log) == []


def test_a_card_of_another_edition_is_not_known():
    book = rulebook("classic", 2, {})
    assert unknown_word(HandDiscarded(1, ("guard",)), book) is None
    assert unknown_word(HandDiscarded(1, ("mi_go_braincase",)), book) == "cards"


def unknown_words(log):
    events = [read_event(stored) for stored in log["events"]]
    book = rulebook(events[0].edition, events[0].seats, events[0].options)
    return [event for event in events if unknown_word(event, book) is not None]
