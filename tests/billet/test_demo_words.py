import random

import pytest

from billet.demo import play, story, table
from billet.demo.names import Names
from billet.demo.server import Refused
from engine import codec, rules, views
from engine.events import EVENTS, GameCreated, GameStarted, SeatTaken
from engine.shuffle import LooseChance

CARDS = [
    {"card": "guard", "name": "Guard", "value": 1, "text": "Names a card."},
    {"card": "priest", "name": "Priest", "value": 2, "text": "Looks at a hand."},
]


@pytest.fixture
def names():
    known = Names(mine=0)
    known.learn_edition({"cards": CARDS})
    known.learn_seats({"seats": [{"player": {"name": name}} for name in ("Me", "Bob", "cautious", "cautious")]})
    return known


def told(names, kind, **data):
    return story.sentence({"type": kind, "data": data}, names)


def test_every_event_of_the_engine_has_words():
    assert set(story._TELLERS) == set(EVENTS)


def played_log(edition, seats, seed):
    """The log of a whole random game."""
    generator = random.Random(seed)
    chance = LooseChance(generator)
    players = tuple(f"p{seat}" for seat in range(seats))
    log = [
        GameCreated("g", edition, {}, seats, "public", None, None, "p0", None, "c", False, ()),
        *(SeatTaken(seat, player, "") for seat, player in enumerate(players)),
    ]
    state = rules.fold_log(log)
    log += rules.start(state, ("",) * seats, chance)
    state = rules.fold_log(log)
    assert any(isinstance(event, GameStarted) for event in log)
    while state.status == "active":
        actor = state.to_act
        happened = rules.decide(state, actor, generator.choice(rules.legal_actions(state)), chance)
        log += happened
        for event in happened:
            state.version += 1
            event.apply(state)
    return log


@pytest.mark.parametrize("edition", ["standard", "classic"])
@pytest.mark.parametrize("seats", [2, 4])
def test_whole_games_are_told_in_whole_sentences(edition, seats):
    for seed in range(3):
        log = played_log(edition, seats, seed)
        for viewer in range(seats):
            names = Names(mine=viewer, seats=[f"Player {seat}" for seat in range(seats)])
            for event in views.redact_log(log, viewer):
                data = codec.event_data(event)
                line = story.sentence({"type": event.type, "data": data}, names)
                if line is None:
                    continue
                assert line[:1].isupper() or line.startswith("\n---")
                assert "None" not in line
                assert f"Player {viewer}" not in line


def test_cards_are_named_with_their_values(names):
    assert told(names, "card_drawn", seat=0, card="guard", source="deck") == "You draw Guard (1)."
    assert told(names, "card_drawn", seat=1, card=None, source="deck") == "Bob draws a card."


def test_namesakes_are_told_apart_by_their_seats(names):
    assert told(names, "seat_protected", seat=2) == "Cautious (seat 2) is protected until the next turn."


def test_who_does_what_to_whom(names):
    play = {"card": "guard", "guess": None, "guess_value": None, "face": None}
    assert told(names, "card_played", seat=1, targets=[0], **play) == "Bob plays Guard (1) on you."
    assert told(names, "card_played", seat=0, targets=[0], **play) == "You play Guard (1) on yourself."
    assert told(names, "card_played", seat=1, targets=[1], **play) == "Bob plays Guard (1) on themselves."
    play["guess"] = "priest"
    assert told(names, "card_played", seat=0, targets=[1], **play) == "You play Guard (1) on Bob, naming Priest (2)."
    play |= {"guess": None, "guess_value": 5, "face": "insane"}
    assert told(names, "card_played", seat=0, targets=[1], **play) == "You play Guard (1) (insane) on Bob, naming 5."


def test_secrets_of_others_are_not_made_up(names):
    assert told(names, "hand_shown", seat=1, to=2, cards=[None]) == "Cautious (seat 2) looks at Bob's hand."
    assert told(names, "hand_shown", seat=0, to=1, cards=["priest"]) == "Bob looks at your hand: Priest (2)."
    assert (
        told(names, "hands_compared", seat=1, target=2, cards=[None], target_cards=[None])
        == "Bob and cautious (seat 2) compare hands."
    )


def test_a_trade_says_what_one_holds_now(names):
    line = told(names, "hands_traded", seat=1, target=0, cards=["guard"], target_cards=["priest"])
    assert line == "Bob and you trade hands; you now hold Priest (2)."


def test_winners_of_a_round(names):
    assert told(names, "round_ended", number=1, winners=[0], reason="last_seat") == (
        "You win round 1, as the last one in it."
    )
    assert told(names, "round_ended", number=2, winners=[1, 3], reason="showdown") == (
        "Bob and cautious (seat 3) win round 2, with the highest hand."
    )
    assert told(names, "round_ended", number=3, winners=[], reason="showdown") == "Round 3 ends without a winner."


def test_an_event_of_a_newer_server_is_told_in_its_own_words(names):
    assert told(names, "moon_rises", seat=1, phase="full") == "moon rises: seat 1, phase full"


def test_the_cards_are_told_with_their_texts(names):
    assert list(table.cards(names)) == ["Guard (1): Names a card.", "Priest (2): Looks at a hand."]


def typed(monkeypatch, capsys, names, legal, *lines):
    """What `ask` returns and prints when somebody types these lines."""
    said = iter(lines)
    monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or next(said))
    choice = play.ask(legal, names)
    return choice, capsys.readouterr().out


def test_a_person_may_ask_for_the_cards_and_press_return(monkeypatch, capsys, names):
    legal = [{"text": "Play the Guard"}, {"text": "Play the Priest"}]
    choice, out = typed(monkeypatch, capsys, names, legal, "?", "", " 2 ")
    assert choice == legal[1]
    assert "Your choice, 1 to 2 (? tells the cards, q leaves): " in out
    assert "  Guard (1): Names a card.\n  Priest (2): Looks at a hand.\n" in out
    assert "Say which one by its number." in out
    assert "none of them" not in out


def test_one_choice_is_no_range(monkeypatch, capsys, names):
    choice, out = typed(monkeypatch, capsys, names, [{"text": "Play the Guard"}], "q")
    assert choice is None
    assert "Your choice, 1 (" in out


def test_a_refusal_says_everything_that_is_wrong():
    faults = [{"field": "seats", "detail": "Too many."}, {"field": "", "detail": "Odd."}]
    refused = Refused(422, {"detail": "The body is not valid.", "errors": faults})
    assert str(refused) == "The body is not valid. seats: Too many. the body: Odd."
    assert str(Refused(418, {})) == "status 418"
