"""What has happened is told in whole sentences, from nothing but what the viewer may see."""

import random
from functools import partial

import pytest

from engine import events as e
from engine.editions import rulebook
from engine.views import ALL, WATCHER, redact, redact_log
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.sentences.events import LOOK_AHEAD, event_texts
from games.texts.sentences.past import BEGINNING
from tests.engine.random_games import OUTERMOST, random_game
from tests.games.texts.happenings import NAMES, PEOPLE, dealt, played

sentences = partial(event_texts, people=PEOPLE)


def told(language, happened, edition="premium", seats=5, options=None):
    """Returns the sentence about the first of some events."""
    book = rulebook(edition, seats, options or {})
    return sentences(catalogue(language), happened, NAMES[:seats], book)[0]


BOUND = [
    "Ada plays the Guard without effect, as the Sycophant leaves nobody but Ada to be chosen",
    "Ada spielt die Wächterin ohne Wirkung, da der Schmeichler nur Ada als Ziel zulässt",
]
PROTECTED = [
    "Ada plays the Guard without effect, as nobody can be chosen",
    "Ada spielt die Wächterin ohne Wirkung, da niemand gewählt werden kann",
]


def bound_by(*before):
    """Returns the last sentence about some events and a card that chooses nobody after them."""
    happened = [*before, played("guard")]
    return [sentences(catalogue(one), happened, NAMES[:5], rulebook("premium", 5, {}))[-1] for one in LANGUAGES]


def test_a_card_without_effect_says_whether_it_is_because_its_player_is_bound():
    binding = [played("sycophant", 0, seat=4), e.SeatBound(0), e.TurnStarted(0)]
    assert bound_by(*binding) == BOUND
    assert bound_by(played("sycophant", 1, seat=4), e.SeatBound(1)) == PROTECTED, "another seat is bound"
    assert bound_by(*binding, played("count")) == PROTECTED, "the next card only"
    assert bound_by(*binding, dealt((None,) * 5)) == PROTECTED, "in this round only"


@pytest.mark.parametrize("winners", [(), (0,), (0, 4)])
def test_a_round_that_was_stored_without_its_reasons_names_none(winners):
    stored = e.RoundEnded(3, winners, "showdown", None, None, ())
    assert (
        told("en", [stored])
        == {
            0: "Nobody wins round 3",
            1: "Ada wins round 3",
            2: "Ada and Emil share the win of round 3",
        }[len(winners)]
    )


def test_once_a_bot_stands_in_it_is_told_that_it_plays():
    out, back = e.SeatTimedOut(1), e.SeatTakenBack(1)
    away = e.RoundStarted(3, 0, (0, 1), (0, 0), (0, 0), (), (None, None), (), None, (), None, (1,), (), None)
    happened = [out, out, back, out, away, out, e.SeatTimedOut(0)]
    texts = sentences(catalogue("de"), happened, NAMES[:2], rulebook("standard", 2, {}))
    assert [texts[i] for i in (0, 3)] == ["Ben hat die Zeit überschritten"] * 2
    assert [texts[i] for i in (1, 5)] == ["Ein Bot spielt für Ben"] * 2
    assert texts[6] == "Ada hat die Zeit überschritten"
    english = sentences(catalogue("en"), happened[:2], NAMES[:2], rulebook("standard", 2, {}))
    assert english == ["Ben has run out of time", "A bot plays for Ben"]


@pytest.fixture(scope="module", params=OUTERMOST, ids=[f"{edition}-{seats}" for edition, seats in OUTERMOST])
def games(request):
    """Some whole games of one table: the rulebook and the log of each."""
    edition, seats = request.param
    played = [random_game(edition, seats, seed, leaving=0.01) for seed in range(3)]
    return [(state.book, log) for state, log in played]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_whole_games_has_a_sentence(games, language):
    for book, log in games:
        for viewer in (WATCHER, 0, book.seats - 1, ALL):
            texts = sentences(catalogue(language), redact_log(log, viewer), NAMES[: book.seats], book)
            assert len(texts) == len(log)
            for text in texts:
                assert text.strip(".") == text != ""
                assert "None" not in text
                assert "  " not in text


def test_what_is_hidden_makes_no_difference(games):
    """Other cards in the places that a viewer cannot see: the same sentences."""
    generator = random.Random(0)
    for book, log in games:
        for viewer in (WATCHER, 1):
            other = [with_other_secrets(event, viewer, book, generator) for event in log]
            assert other != log
            for language in LANGUAGES:
                assert texts_of(log, viewer, book, language) == texts_of(other, viewer, book, language)


def texts_of(log, viewer, book, language):
    return sentences(catalogue(language), redact_log(log, viewer), NAMES[: book.seats], book)


def with_other_secrets(event, viewer, book, generator):
    """Returns an event that looks the same to a viewer, with other cards where it does not see them."""
    seen = redact(event, viewer)
    values = {name: getattr(event, name) for name in event.fields}
    for name, _ in event.secrets:
        values[name] = other_cards(values[name], getattr(seen, name), book, generator)
    return type(event)(**values)


def other_cards(full, seen, book, generator):
    if isinstance(full, tuple):
        return tuple(other_cards(one, known, book, generator) for one, known in zip(full, seen, strict=True))
    return generator.choice(list(book.cards)) if isinstance(full, str) and seen is None else full


def test_a_page_reads_as_it_does_in_the_whole_log(games):
    for book, log in games:
        seen = redact_log(log, 0)
        names = NAMES[: book.seats]
        whole = sentences(catalogue("de"), seen, names, book)
        past = past_at(seen)
        for start in range(0, len(log), 7):
            page, following = seen[start : start + 7], seen[start + 7 : start + 7 + LOOK_AHEAD]
            assert sentences(catalogue("de"), page, names, book, following, past[start]) == whole[start : start + 7]


def past_at(events):
    """What has come before each event of those before it."""
    found = [BEGINNING]
    for event in events[:-1]:
        found.append(found[-1].after(event))
    return found


def test_the_sentences_of_a_page_depend_on_no_more_events_than_they_say(games):
    for book, log in games:
        seen = redact_log(log, WATCHER)
        one_by_one = [
            sentences(catalogue("en"), [event], NAMES[: book.seats], book, seen[i + 1 :], past)
            for i, (event, past) in enumerate(zip(seen, past_at(seen), strict=True))
        ]
        assert [texts[0] for texts in one_by_one] == sentences(catalogue("en"), seen, NAMES[: book.seats], book)
