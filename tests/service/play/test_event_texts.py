"""Events in words on request: for every viewer in every language the same text wherever a page is cut."""

import random

import pytest

from engine.logs.codec import read_action
from games.texts.catalogue import catalogue
from tests.service.at_table import EN, LONG, Game, guest

DE = catalogue("de")
AIMED = {"type": "play_card", "card": "guard", "targets": [1]}
ROUND = {"rounds": [{"starter": 0, "order": ["spy", "guard", "king", "baron", "priest"]}]}


def texts(events):
    return [event["text"] for event in events]


def bare(events):
    return [{**event, "text": None} for event in events]


@pytest.mark.parametrize(
    ("guess", "english", "german"),
    [
        ("king", "the King: a hit", ": ein Treffer"),
        ("priest", "the Priest: a miss", ": daneben"),
    ],
)
def test_a_guess_is_told_with_its_outcome_wherever_a_page_ends(service, guess, english, german):
    game = Game.begin(service, 3, sandbox=ROUND)
    done = game.act(0, {**AIMED, "guess": guess}, texts=True)
    told = {
        None: f"Ann plays the Guard on Guest 1 and guesses {english}",
        0: f"You play the Guard on Guest 1 and guess {english}",
        1: f"Ann plays the Guard on you and guesses {english}",
    }
    assert done["events"][0]["text"] == told[0]
    before = done["events"][0]["version"] - 1
    for viewer in (None, 0, 1, 2):
        text = told.get(viewer, told[None])
        assert texts(game.events(viewer, after=before, limit=1, words=EN)) == [text]
        assert texts(game.events(viewer, after=before, limit=1, words=DE))[0].endswith(german)


def test_the_answer_to_an_action_tells_what_the_events_tell(service):
    rng = random.Random(7)
    game = Game.begin(service, 3, edition="lovecraft")
    while (seat := game.to_act()) is not None:
        words = rng.choice([EN, DE])
        done = game.act(seat, rng.choice(game.legal(seat)), words=words, texts=True)
        assert done["events"] == game.events(seat, after=done["events"][0]["version"] - 1, words=words)
    plain = game.events(0)
    assert bare(game.events(0, words=DE)) == plain, "nothing but the text differs"


def test_a_card_that_the_sycophant_voids_says_so_on_every_page_and_stream(service):
    order = ["count", "constable", "king", "priest", "handmaid", "princess", "sycophant", "guard"]
    game = Game.begin(service, 5, edition="premium", sandbox={"rounds": [{"starter": 0, "order": order}]})
    game.act(0, {"type": "play_card", "card": "sycophant", "targets": [1]})
    done = game.act(1, {"type": "play_card", "card": "king", "targets": []}, texts=True)
    told = done["events"][0]
    assert told["text"] == "You play the King without effect, as the Sycophant leaves nobody but you to be chosen"
    for limit in (1, 2, 50):
        assert game.events(1, after=told["version"] - 1, limit=limit, words=EN)[0]["text"] == told["text"]
    following = service.game_streams.begin(None, game.id, after=told["version"] - 1, words=DE, texts=True)
    assert next(service.game_streams.rest(following))["text"] == (
        "Guest 1 spielt den König ohne Wirkung, da der Schmeichler nur Guest 1 als Ziel zulässt"
    )


def test_a_bot_that_stands_in_is_told_of_on_every_page_and_stream(service, clock):
    game = Game.begin(service, 2, clock={"seconds": 60}, sandbox=LONG)
    while sum(event["type"] == "seat_timed_out" for event in game.events()) < 3:
        if game.to_act() == 0:
            clock.advance(60)
        else:
            game.act(1, game.legal(1)[0])
    events = game.events(None, words=EN)
    told = [(event["version"], event["text"]) for event in events if event["type"] == "seat_timed_out"]
    assert [text for _, text in told] == ["Ann has run out of time", *["A bot plays for Ann"] * 2]
    for version, text in told:
        assert texts(game.events(None, after=version - 1, limit=1, words=EN)) == [text]
        following = service.game_streams.begin(None, game.id, after=version - 1, words=EN, texts=True)
        assert next(service.game_streams.rest(following))["text"] == text


def test_players_who_have_gone_again_are_told_of_by_name(service):
    game = Game.open(service, "creator", "open", "open")
    ben = guest(service, "Ben")
    service.tables.take_seat(ben.token, game.id, {}, words=EN)
    service.tables.leave(ben.token, game.id, words=EN)
    assert texts(game.events(None, words=EN))[1:] == ["Ann takes seat 1", "Ben takes seat 2", "Seat 2 is free again"]


def test_bots_have_first_names_of_their_own(service):
    game = Game.open(service, "cautious", "cautious", "random", "open").fill()
    for words in (EN, DE):
        named = ["Emil", "Nora", "Nils", "Guest 3"]
        assert [seat["player"]["name"] for seat in game.view(words=words)["seats"]] == named
        (started,) = [e["text"] for e in game.events(None, words=words) if e["type"] == "game_started"]
        assert all(name in started for name in named)


def test_two_of_one_name_are_told_apart(service):
    game = Game.open(service, "open", "open", "open")
    for seat, name in enumerate(("Ann", "Ann", "Ben")):
        service.tables.take_seat(guest(service, name).token, game.id, {"seat": seat}, words=EN)
    told = "".join(texts(game.events(None, words=EN)))
    assert "Ann (seat 1)" in told
    assert "Ben (seat" not in told


def test_a_repeated_call_keeps_the_language_of_its_first_answer(service):
    game = Game.begin(service, 3, sandbox=ROUND)
    action = {**AIMED, "guess": "king"}
    first = service.play.act(game.token(0), game.id, read_action(action), None, "a key", words=DE, texts=True)
    again = service.play.act(game.token(0), game.id, read_action(action), None, "a key", words=EN)
    assert (again.body, again.language, again.tag) == (first.body, "de", first.tag)
    assert again.replayed
