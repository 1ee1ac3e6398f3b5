"""Sentences address whoever reads a game from their own seat, and nobody else."""

import re

import pytest

from engine import events as e
from engine.editions import rulebook
from engine.views import redact_log
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.sentences.events import event_texts
from games.texts.sentences.past import Past
from games.views.events import NAMING
from tests.engine.random_games import EVERY_TABLE, random_game
from tests.games.texts.happenings import NAMES, OUT, PEOPLE, UNKNOWN, dealt, ended, played, stands

ADDRESSED = [
    # (the seat of the reader, what happens, in English, in German)
    (1, [e.SeatTaken(1, "player 1", "", "")], "Ben takes seat 2", "Ben setzt sich auf Platz 2"),
    (
        1,
        [e.GameStarted(("a", "b", "c", "d", "e"), ("",) * 5, (1, 3, 4), (1,))],
        "The game begins; the players are Ada, you, Cleo, Dora, and Emil. Your nonce was not revealed in time",
        "Das Spiel beginnt; es spielen Ada, du, Cleo, Dora und Emil. Nicht rechtzeitig aufgedeckt wurde deine "
        "Zufallszahl",
    ),
    (
        1,
        [e.RevealStarted((1,))],
        "Every seat is taken; the shuffle waits for your nonce",
        "Alle Plätze sind besetzt; das Mischen wartet auf deine Zufallszahl",
    ),
    (
        1,
        [e.RevealStarted((1, 3))],
        "Every seat is taken; the shuffle waits for the nonces of you and Dora",
        "Alle Plätze sind besetzt; das Mischen wartet auf die Zufallszahlen von dir und Dora",
    ),
    (1, [e.NonceRevealed(1, "x" * 32)], "You reveal a nonce", "Du deckst eine Zufallszahl auf"),
    (
        1,
        [dealt((None, "prince", None, None, None))],
        "Round 3 begins with you; you are dealt the Prince",
        "Runde 3 beginnt mit dir; du bekommst den Prinzen",
    ),
    (
        1,
        [dealt((None, "prince", None, None, None), position={"out": [3, 4], "protected": [1]})],
        "Round 3 begins in the middle, on your turn; you hold the Prince; out of the round: Dora and Emil; "
        "protected: you",
        "Runde 3 beginnt mittendrin, mit deinem Zug; du hast den Prinzen; ausgeschieden: Dora und Emil; geschützt: du",
    ),
    (
        1,
        [dealt((None,) * 5, scores=(4, 4, 3, 4, 1), seats=(0, 1, 3))],
        "Round 3 breaks the tie between Ada, you, and Dora and begins with you",
        "Runde 3 ist das Stechen zwischen Ada, dir und Dora und beginnt mit dir",
    ),
    (2, [e.TurnStarted(2)], "It is your turn", "Du bist am Zug"),
    (0, [e.CardDrawn(0, None, "deck")], "You draw a card", "Du ziehst eine Karte"),
    (0, [e.CardDrawn(0, "guard", "deck")], "You draw the Guard", "Du ziehst die Wächterin"),
    (1, [e.CardDrawn(0, None, "deck")], "Ada draws a card", "Ada zieht eine Karte"),
    (
        0,
        [e.CardDrawn(0, None, "set_aside")],
        "You take the card that was set aside",
        "Du nimmst die beiseitegelegte Karte",
    ),
    (
        0,
        [e.CardDrawn(0, "count", "set_aside")],
        "You take the card that was set aside: the Count",
        "Du nimmst die beiseitegelegte Karte: den Grafen",
    ),
    (0, [played("handmaid")], "You play the Handmaid", "Du spielst die Zofe"),
    (0, [played("king", 1)], "You play the King on Ben", "Du spielst den König auf Ben"),
    (1, [played("king", 1)], "Ada plays the King on you", "Ada spielt den König auf dich"),
    (
        0,
        [played("cardinal", 0, 2)],
        "You play the Cardinal on yourself and Cleo",
        "Du spielst den Kardinal auf dich selbst und Cleo",
    ),
    (
        2,
        [played("cardinal", 0, 2)],
        "Ada plays the Cardinal on themselves and you",
        "Ada spielt den Kardinal auf sich selbst und dich",
    ),
    (
        0,
        [played("guard", 1, value=9), OUT],
        "You play the Guard on Ben and guess 9 (Bishop): a miss",
        "Du spielst die Wächterin auf Ben und tippst auf die 9 (Bischof): daneben",
    ),
    (
        1,
        [played("guard", 1, value=9), OUT],
        "Ada plays the Guard on you and guesses 9 (Bishop): a miss",
        "Ada spielt die Wächterin auf dich und tippt auf die 9 (Bischof): daneben",
    ),
    (
        1,
        [
            played("guard", 1, value=9),
            e.KnockedOut(0, ("king",)),
            e.TokenAwarded(0, "constable", "favor"),
            e.HandDiscarded(1, ("assassin",)),
        ],
        "Ada plays the Guard on you and guesses 9 (Bishop), but you hold the Assassin",
        "Ada spielt die Wächterin auf dich und tippt auf die 9 (Bischof), doch du hast den Meuchelmörder",
    ),
    (
        0,
        [played("king")],
        "You play the King without effect, as nobody can be chosen",
        "Du spielst den König ohne Wirkung, da niemand gewählt werden kann",
    ),
    (
        0,
        [played("cardinal")],
        "You play the Cardinal without effect, as no two players can be chosen",
        "Du spielst den Kardinal ohne Wirkung, da keine zwei gewählt werden können",
    ),
    (
        1,
        [e.SeatProtected(1)],
        "You are protected until your next turn",
        "Du bist bis zu deinem nächsten Zug geschützt",
    ),
    (
        1,
        [e.SeatBound(1)],
        "If the next card chooses anybody, it must choose you",
        "Wählt die nächste Karte jemanden, musst du dabei sein",
    ),
    (
        0,
        [e.SeatMarked("jester", 0, 1)],
        "You mark Ben with the Jester for this round",
        "Du setzt für diese Runde den Hofnarren auf Ben",
    ),
    (
        1,
        [e.SeatMarked("jester", 0, 1)],
        "Ada marks you with the Jester for this round",
        "Ada setzt für diese Runde den Hofnarren auf dich",
    ),
    (0, [e.HandShown(1, 0, UNKNOWN)], "You look at the hand of Ben", "Du siehst dir die Hand von Ben an"),
    (1, [e.HandShown(1, 0, UNKNOWN)], "Ada looks at your hand", "Ada sieht sich deine Hand an"),
    (
        0,
        [e.HandShown(1, 0, ("baron",))],
        "You look at the hand of Ben and see the Baron",
        "Du siehst dir die Hand von Ben an: den Baron",
    ),
    (
        1,
        [e.HandShown(1, 0, ("baron",))],
        "Ada looks at your hand and sees the Baron",
        "Ada sieht sich deine Hand an: den Baron",
    ),
    (0, [e.HandShown(0, 0, UNKNOWN)], "You look at your own hand", "Du siehst dir deine eigene Hand an"),
    (
        0,
        [e.HandShown(0, 0, ("baron",))],
        "You look at your own hand and see the Baron",
        "Du siehst dir deine eigene Hand an: den Baron",
    ),
    (
        0,
        [e.HandsCompared(0, 1, UNKNOWN, UNKNOWN), OUT],
        "You and Ben compare hands: a tie",
        "Du und Ben vergleicht eure Hände: Gleichstand",
    ),
    (
        1,
        [e.HandsCompared(0, 1, UNKNOWN, UNKNOWN), OUT],
        "Ada and you compare hands: a tie",
        "Ada und du vergleicht eure Hände: Gleichstand",
    ),
    (
        0,
        [e.HandsCompared(0, 1, ("prince",), ("count",)), OUT],
        "You and Ben compare hands, the Prince against the Count: a tie",
        "Du und Ben vergleicht eure Hände, den Prinzen gegen den Grafen: Gleichstand",
    ),
    (
        1,
        [e.HandsCompared(0, 1, ("prince",), ("count",)), OUT],
        "Ada and you compare hands, the Prince against the Count: a tie",
        "Ada und du vergleicht eure Hände, den Prinzen gegen den Grafen: Gleichstand",
    ),
    (0, [e.HandsTraded(0, 1, UNKNOWN, UNKNOWN)], "You and Ben trade hands", "Du und Ben tauscht eure Hände"),
    (1, [e.HandsTraded(0, 1, UNKNOWN, UNKNOWN)], "Ada and you trade hands", "Ada und du tauscht eure Hände"),
    (
        0,
        [e.HandsTraded(0, 1, ("prince",), ("countess",))],
        "You and Ben trade hands; now you hold the Prince and Ben the Countess",
        "Du und Ben tauscht eure Hände; nun hast du den Prinzen und Ben die Gräfin",
    ),
    (
        1,
        [e.HandsTraded(0, 1, ("prince",), ("countess",))],
        "Ada and you trade hands; now Ada holds the Prince and you the Countess",
        "Ada und du tauscht eure Hände; nun hat Ada den Prinzen und du die Gräfin",
    ),
    (2, [e.HandDiscarded(2, ("jester",))], "You discard the Jester", "Du legst den Hofnarren ab"),
    (
        2,
        [e.CardsReturned(2, ("king", "spy"))],
        "You put the King, then the Spy under the deck",
        "Du legst den König, dann die Spionin unter den Nachziehstapel",
    ),
    (
        2,
        [e.CardsReturned(2, (None, None))],
        "You put 2 cards under the deck",
        "Du legst 2 Karten unter den Nachziehstapel",
    ),
    (2, [e.CardsReturned(2, UNKNOWN)], "You put a card under the deck", "Du legst eine Karte unter den Nachziehstapel"),
    (
        2,
        [e.KnockedOut(2, ("count",))],
        "You are out of the round and lay down the Count",
        "Du scheidest aus und legst den Grafen offen ab",
    ),
    (2, [e.KnockedOut(2, ())], "You are out of the round", "Du scheidest aus"),
    (
        2,
        [e.DecisionOpened(2, "chancellor", "keep_card", ())],
        "You must decide which card to keep",
        "Du musst entscheiden, welche Karte auf deiner Hand bleibt",
    ),
    (
        2,
        [e.DecisionOpened(2, "bishop", "redraw_hand", ())],
        "You must decide whether to keep your hand or to draw a new one",
        "Du musst entscheiden: deine Hand behalten oder neu ziehen",
    ),
    (
        2,
        [e.DecisionOpened(2, "baroness", "peek_hand", ())],
        "You may look at one of the two hands",
        "Du darfst dir eine der beiden Hände ansehen",
    ),
    (2, [e.DecisionTaken(2, "chancellor", "keep_card")], "You have decided", "Du hast dich entschieden"),
    (
        0,
        [e.HandsRevealed(("king", None, "princess", None, None))],
        "The hands are shown: you hold the King and Cleo holds the Princess",
        "Die Hände werden gezeigt: du hast den König und Cleo hat die Prinzessin",
    ),
    (
        0,
        [ended((0, 4), "highest_number", stands(0, "king", 6), stands(4, "constable", 6))],
        "You and Emil share the win of round 3 with the same highest number, 6",
        "Du und Emil gewinnt Runde 3 gemeinsam mit derselben höchsten Zahl, 6",
    ),
    (
        4,
        [ended((0, 4), "highest_number", stands(0, "king", 6), stands(4, "constable", 6))],
        "Ada and you share the win of round 3 with the same highest number, 6",
        "Ada und du gewinnt Runde 3 gemeinsam mit derselben höchsten Zahl, 6",
    ),
    (
        0,
        [ended((0,), "highest_number", stands(0, "countess", 7, 9, "count"), stands(4, "princess", 8))],
        "You hold the Countess (7), which counts as 9 thanks to the Count; you win round 3 with the highest number, 9",
        "Du hast die Gräfin (7), das zählt durch den Grafen als 9; du gewinnst Runde 3 mit der höchsten Zahl, 9",
    ),
    (
        0,
        [ended((4,), "highest_number", stands(0, "bishop", 9, None, "princess"), stands(4, "princess", 8))],
        "You hold the Bishop (9), which the Princess beats; Emil wins round 3 with the highest number that still "
        "counts, 8",
        "Du hast den Bischof (9), verlierst damit aber gegen die Prinzessin; Emil gewinnt Runde 3 mit der höchsten "
        "Zahl, die noch zählt, 8",
    ),
    (
        0,
        [ended((0,), "discard_sum", stands(0, "king", 6, discard_sum=14), stands(4, "constable", 6, discard_sum=9))],
        "You and Emil are level at 6, so the sums of your discards decide: you have 14 and Emil has 9; you win round 3 "
        "with the higher sum",
        "Du und Emil liegt mit 6 gleichauf, also entscheidet die Summe der abgelegten Karten: du hast 14 und Emil hat "
        "9; du gewinnst Runde 3 mit der höheren Summe",
    ),
    (
        4,
        [ended((4,), "last_seat")],
        "You win round 3 as the last one in it",
        "Du gewinnst Runde 3, denn sonst ist niemand mehr dabei",
    ),
    (
        4,
        [e.TokenAwarded(4, "round", "favor")],
        "You gain a token for winning the round",
        "Du erhältst einen Gunststein für die gewonnene Runde",
    ),
    (
        0,
        [e.SeatLeft(0, ("spy",), "resigned")],
        "You resign and lay down the Spy",
        "Du gibst auf und legst die Spionin offen ab",
    ),
    (
        0,
        [e.SeatLeft(0, ("spy",), "timed_out")],
        "You have run out of time, leave the game and lay down the Spy",
        "Du hast die Zeit überschritten, verlässt das Spiel und legst die Spionin offen ab",
    ),
    (0, [e.SeatTimedOut(0)], "You have run out of time", "Du hast die Zeit überschritten"),
    (0, [e.SeatTakenBack(0)], "You are back", "Du bist wieder da"),
    (0, [e.GameFinished((0,))], "You win the game", "Du gewinnst das Spiel"),
    (0, [e.GameFinished((0, 1))], "You and Ben win the game together", "Du und Ben gewinnt das Spiel gemeinsam"),
]


def told(language, seat, happened, edition="premium", seats=5, past=None):
    """Returns the sentence about the first of some events, for the player of a seat."""
    more = {} if past is None else {"past": past}
    book = rulebook(edition, seats, {})
    return event_texts(catalogue(language), happened, NAMES[:seats], book, people=PEOPLE, reader=seat, **more)[0]


@pytest.mark.parametrize(("seat", "happened", "en", "de"), ADDRESSED)
def test_sentences(seat, happened, en, de):
    assert told("en", seat, happened) == en
    assert told("de", seat, happened) == de


STRANGE = [
    (
        0,
        [e.HandsGiven(0, (1, 2), (None, "elder_sign", None, None, None))],
        "You give Ben and Cleo a card each; Ben now holds the Elder Sign",
        "Du gibst Ben und Cleo je eine Karte zurück; Ben hat nun das Ältere Zeichen",
    ),
    (
        1,
        [e.HandsGiven(0, (1, 2), (None, "elder_sign", None, None, None))],
        "Ada gives you and Cleo a card each; you now hold the Elder Sign",
        "Ada gibt dir und Cleo je eine Karte zurück; du hast nun das Ältere Zeichen",
    ),
]


@pytest.mark.parametrize(("seat", "happened", "en", "de"), STRANGE)
def test_sentences_of_the_lovecraft_edition(seat, happened, en, de):
    assert told("en", seat, happened, "lovecraft") == en
    assert told("de", seat, happened, "lovecraft") == de


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
