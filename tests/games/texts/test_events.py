"""What has happened is told in whole sentences, from nothing but what the viewer may see."""

import random
from functools import partial

import pytest

from engine import events as e
from engine.editions import rulebook
from engine.events import EVENTS
from engine.views import ALL, WATCHER, redact, redact_log
from games.texts.catalogue import LANGUAGES, catalogue
from games.texts.sentences.events import LOOK_AHEAD, event_texts
from games.texts.sentences.past import BEGINNING
from tests.engine.random_games import OUTERMOST, random_game
from tests.games.texts.happenings import NAMES, OUT, PEOPLE, UNKNOWN, dealt, ended, played, stands

sentences = partial(event_texts, people=PEOPLE)


def told(language, happened, edition="premium", seats=5, options=None):
    """Returns the sentence about the first of some events."""
    book = rulebook(edition, seats, options or {})
    return sentences(catalogue(language), happened, NAMES[:seats], book)[0]


SENTENCES = [
    (
        [e.SeatTaken(1, "p1", "", "")],
        "Ivo takes seat 2",
        "Ivo setzt sich auf Platz 2",
    ),
    (
        [e.SeatCleared(1, "p1")],
        "Ivo is removed from seat 2",
        "Ivo wird von Platz 2 entfernt",
    ),
    (
        [e.SeatOffered(1, "p1")],
        "Seat 2 is kept for Ivo, who is invited",
        "Ivo ist eingeladen, und Platz 2 ist dafür reserviert",
    ),
    (
        [e.SeatDeclined(1, "p1", "later")],
        "Ivo declines the invitation to seat 2: not now, perhaps later",
        "Ivo lehnt die Einladung auf Platz 2 ab: nicht jetzt, vielleicht später",
    ),
    (
        [e.OfferWithdrawn(1, "p1")],
        "The invitation of Ivo to seat 2 is withdrawn",
        "Die Einladung an Ivo auf Platz 2 wird zurückgezogen",
    ),
    (
        [e.GameStarted(("a", "b", "c", "d", "e"), ("",) * 5, (), ())],
        "The game begins; the players are Ada, Ben, Cleo, Dora, and Emil",
        "Das Spiel beginnt; es spielen Ada, Ben, Cleo, Dora und Emil",
    ),
    (
        [e.GameStarted(("a", "b", "c", "d", "e"), ("",) * 5, (1, 3, 4), (1, 3))],
        "The game begins; the players are Ada, Ben, Cleo, Dora, and Emil. The nonces of Ben and Dora were not revealed "
        "in time",
        "Das Spiel beginnt; es spielen Ada, Ben, Cleo, Dora und Emil. Nicht rechtzeitig aufgedeckt wurden die "
        "Zufallszahlen von Ben und Dora",
    ),
    (
        [e.GameStarted(("a", "b", "c", "d", "e"), ("",) * 5, (1, 3, 4), (1,))],
        "The game begins; the players are Ada, Ben, Cleo, Dora, and Emil. The nonce of Ben was not revealed in time",
        "Das Spiel beginnt; es spielen Ada, Ben, Cleo, Dora und Emil. Nicht rechtzeitig aufgedeckt wurde die "
        "Zufallszahl von Ben",
    ),
    (
        [e.RevealStarted((1,))],
        "Every seat is taken; the shuffle waits for the nonce of Ben",
        "Alle Plätze sind besetzt; das Mischen wartet auf die Zufallszahl von Ben",
    ),
    (
        [e.RevealStarted((1, 3))],
        "Every seat is taken; the shuffle waits for the nonces of Ben and Dora",
        "Alle Plätze sind besetzt; das Mischen wartet auf die Zufallszahlen von Ben und Dora",
    ),
    (
        [e.NonceRevealed(1, "x" * 32)],
        "Ben reveals a nonce",
        "Ben deckt eine Zufallszahl auf",
    ),
    (
        [dealt((None, "prince", None, None, None))],
        "Round 3 begins with Ben; Ben is dealt the Prince",
        "Runde 3 beginnt mit Ben; Ben bekommt den Prinzen",
    ),
    (
        [dealt((None,) * 5, scores=(4, 4, 3, 4, 1), seats=(0, 1, 3), aside=("king", "guard"))],
        "Round 3 breaks the tie between Ada, Ben, and Dora and begins with Ben; "
        "face up beside the deck: King and Guard",
        "Runde 3 ist das Stechen zwischen Ada, Ben und Dora und beginnt mit Ben; "
        "offen neben dem Nachziehstapel: König und Wächterin",
    ),
    (
        [dealt((None, "prince", None, None, None), position={"out": [3, 4], "protected": [0]})],
        "Round 3 begins in the middle, on the turn of Ben; Ben holds the Prince; out of the round: Dora and Emil; "
        "protected: Ada",
        "Runde 3 beginnt mittendrin, mit dem Zug von Ben; Ben hat den Prinzen; ausgeschieden: Dora und Emil; "
        "geschützt: Ada",
    ),
    ([e.TurnStarted(2)], "Cleo is to play", "Cleo ist am Zug"),
    ([e.CardDrawn(0, None, "deck")], "Ada draws a card", "Ada zieht eine Karte"),
    ([e.CardDrawn(0, "priest", "deck")], "Ada draws the Priest", "Ada zieht den Priester"),
    (
        [e.CardDrawn(0, None, "set_aside")],
        "Ada takes the card that was set aside",
        "Ada nimmt die beiseitegelegte Karte",
    ),
    (
        [e.CardDrawn(0, "count", "set_aside")],
        "Ada takes the card that was set aside: the Count",
        "Ada nimmt die beiseitegelegte Karte: den Grafen",
    ),
    ([played("handmaid")], "Ada plays the Handmaid", "Ada spielt die Zofe"),
    (
        [played("guard", 1, value=4), e.KnockedOut(1, ("handmaid",))],
        "Ada plays the Guard on Ben and guesses 4 (Handmaid or Sycophant): a hit",
        "Ada spielt die Wächterin auf Ben und tippt auf die 4 (Zofe oder Schmeichler): ein Treffer",
    ),
    (
        [played("guard", 1, value=9), OUT],
        "Ada plays the Guard on Ben and guesses 9 (Bishop): a miss",
        "Ada spielt die Wächterin auf Ben und tippt auf die 9 (Bischof): daneben",
    ),
    (
        [played("guard", 1, value=9)],
        "Ada plays the Guard on Ben and guesses 9 (Bishop)",
        "Ada spielt die Wächterin auf Ben und tippt auf die 9 (Bischof)",
    ),
    (
        [
            played("guard", 1, value=9),
            e.KnockedOut(0, ("king",)),
            e.TokenAwarded(0, "constable", "favor"),
            e.HandDiscarded(1, ("assassin",)),
        ],
        "Ada plays the Guard on Ben and guesses 9 (Bishop), but Ben holds the Assassin",
        "Ada spielt die Wächterin auf Ben und tippt auf die 9 (Bischof), doch Ben hat den Meuchelmörder",
    ),
    (
        [played("bishop", 1, value=7), e.TokenAwarded(0, "bishop", "favor")],
        "Ada plays the Bishop on Ben and guesses 7 (Countess or Dowager Queen): a hit",
        "Ada spielt den Bischof auf Ben und tippt auf die 7 (Gräfin oder Königinmutter): ein Treffer",
    ),
    (
        [played("king")],
        "Ada plays the King without effect, as nobody can be chosen",
        "Ada spielt den König ohne Wirkung, da niemand gewählt werden kann",
    ),
    (
        [played("cardinal")],
        "Ada plays the Cardinal without effect, as no two players can be chosen",
        "Ada spielt den Kardinal ohne Wirkung, da keine zwei gewählt werden können",
    ),
    (
        [played("cardinal", 0, 2)],
        "Ada plays the Cardinal on themselves and Cleo",
        "Ada spielt den Kardinal auf sich selbst und Cleo",
    ),
    (
        [e.SeatProtected(1)],
        "Ben is protected until their next turn",
        "Ben ist bis zum nächsten eigenen Zug geschützt",
    ),
    (
        [e.SeatBound(1)],
        "If the next card chooses anybody, it must choose Ben",
        "Wählt die nächste Karte jemanden, muss Ben dabei sein",
    ),
    (
        [e.SeatMarked("jester", 0, 1)],
        "Ada marks Ben with the Jester for this round",
        "Ada setzt für diese Runde den Hofnarren auf Ben",
    ),
    (
        [e.HandShown(1, 0, UNKNOWN)],
        "Ada looks at the hand of Ben",
        "Ada sieht sich die Hand von Ben an",
    ),
    (
        [e.HandShown(1, 0, ("baron",))],
        "Ada looks at the hand of Ben and sees the Baron",
        "Ada sieht sich die Hand von Ben an: den Baron",
    ),
    (
        [e.HandShown(1, 0, ())],
        "Ada looks at the hand of Ben and sees nothing",
        "Ada sieht sich die Hand von Ben an: nichts",
    ),
    ([e.HandShown(0, 0, UNKNOWN)], "Ada looks at their own hand", "Ada sieht sich die eigene Hand an"),
    (
        [e.HandShown(0, 0, ("baron",))],
        "Ada looks at their own hand and sees the Baron",
        "Ada sieht sich die eigene Hand an: den Baron",
    ),
    (
        [e.HandsCompared(0, 1, UNKNOWN, UNKNOWN), e.KnockedOut(1, ("guard",))],
        "Ada and Ben compare hands",
        "Ada und Ben vergleichen ihre Hände",
    ),
    (
        [e.HandsCompared(0, 1, UNKNOWN, UNKNOWN), OUT],
        "Ada and Ben compare hands: a tie",
        "Ada und Ben vergleichen ihre Hände: Gleichstand",
    ),
    (
        [e.HandsCompared(0, 1, ("prince",), ("count",)), OUT],
        "Ada and Ben compare hands, the Prince against the Count: a tie",
        "Ada und Ben vergleichen ihre Hände, den Prinzen gegen den Grafen: Gleichstand",
    ),
    (
        [e.HandsTraded(0, 1, UNKNOWN, UNKNOWN)],
        "Ada and Ben trade hands",
        "Ada und Ben tauschen ihre Hände",
    ),
    (
        [e.HandsTraded(0, 1, ("prince",), ("countess",))],
        "Ada and Ben trade hands; now Ada holds the Prince and Ben the Countess",
        "Ada und Ben tauschen ihre Hände; nun hat Ada den Prinzen und Ben die Gräfin",
    ),
    ([e.HandDiscarded(2, ("jester",))], "Cleo discards the Jester", "Cleo legt den Hofnarren ab"),
    (
        [e.CardsReturned(2, ("king", "spy"))],
        "Cleo puts the King, then the Spy under the deck",
        "Cleo legt den König, dann die Spionin unter den Nachziehstapel",
    ),
    (
        [e.CardsReturned(2, (None, None))],
        "Cleo puts 2 cards under the deck",
        "Cleo legt 2 Karten unter den Nachziehstapel",
    ),
    (
        [e.CardsReturned(2, UNKNOWN)],
        "Cleo puts a card under the deck",
        "Cleo legt eine Karte unter den Nachziehstapel",
    ),
    (
        [e.KnockedOut(2, ("dowager_queen",))],
        "Cleo is out of the round and lays down the Dowager Queen",
        "Cleo scheidet aus und legt die Königinmutter offen ab",
    ),
    ([e.KnockedOut(2, ())], "Cleo is out of the round", "Cleo scheidet aus"),
    (
        [e.DecisionOpened(2, "bishop", "redraw_hand", ())],
        "Cleo must decide whether to keep the hand or to draw a new one",
        "Cleo muss entscheiden: die Hand behalten oder neu ziehen",
    ),
    (
        [e.HandsRevealed(("king", None, "princess", None, "count"))],
        "The hands are shown: Ada holds the King, Cleo holds the Princess, and Emil holds the Count",
        "Die Hände werden gezeigt: Ada hat den König, Cleo hat die Prinzessin und Emil hat den Grafen",
    ),
    (
        [ended((0, 4), "highest_number", stands(0, "king", 6), stands(4, "constable", 6))],
        "Ada and Emil share the win of round 3 with the same highest number, 6",
        "Ada und Emil gewinnen Runde 3 gemeinsam mit derselben höchsten Zahl, 6",
    ),
    (
        [ended((0,), "highest_number", stands(0, "king", 6), stands(4, "guard", 1))],
        "Ada wins round 3 with the highest number, 6",
        "Ada gewinnt Runde 3 mit der höchsten Zahl, 6",
    ),
    (
        [ended((0,), "highest_number", stands(0, "countess", 7, 9, "count"), stands(4, "princess", 8))],
        "Ada holds the Countess (7), which counts as 9 thanks to the Count; Ada wins round 3 with the highest number, "
        "9",
        "Ada hat die Gräfin (7), das zählt durch den Grafen als 9; Ada gewinnt Runde 3 mit der höchsten Zahl, 9",
    ),
    (
        [ended((4,), "highest_number", stands(0, "bishop", 9, None, "princess"), stands(4, "princess", 8))],
        "Ada holds the Bishop (9), which the Princess beats; Emil wins round 3 with the highest number that still "
        "counts, 8",
        "Ada hat den Bischof (9), verliert damit aber gegen die Prinzessin; Emil gewinnt Runde 3 mit der höchsten "
        "Zahl, die noch zählt, 8",
    ),
    (
        [ended((0,), "discard_sum", stands(0, "king", 6, discard_sum=14), stands(4, "constable", 6, discard_sum=9))],
        "Ada and Emil are level at 6, so the sums of their discards decide: "
        "Ada has 14 and Emil has 9; Ada wins round 3 "
        "with the higher sum",
        "Ada und Emil liegen mit 6 gleichauf, also entscheidet die Summe der abgelegten Karten: "
        "Ada hat 14 und Emil hat 9; "
        "Ada gewinnt Runde 3 mit der höheren Summe",
    ),
    (
        [ended((0, 4), "discard_sum", stands(0, "king", 6, discard_sum=9), stands(4, "constable", 6, discard_sum=9))],
        "Ada and Emil are level at 6, so the sums of their discards decide: "
        "Ada has 9 and Emil has 9; Ada and Emil share "
        "the win of round 3, for these sums are equal too",
        "Ada und Emil liegen mit 6 gleichauf, also entscheidet die Summe der abgelegten Karten: "
        "Ada hat 9 und Emil hat 9; "
        "Ada und Emil gewinnen Runde 3 gemeinsam, denn auch diese Summen sind gleich",
    ),
    (
        [ended((4,), "last_seat")],
        "Emil wins round 3 as the last one in it",
        "Emil gewinnt Runde 3, denn sonst ist niemand mehr dabei",
    ),
    ([ended((), "nobody_left")], "Nobody wins round 3", "Niemand gewinnt Runde 3"),
    (
        [e.TokenAwarded(4, "round", "favor")],
        "Emil gains a token for winning the round",
        "Emil erhält einen Gunststein für die gewonnene Runde",
    ),
    (
        [e.TokenAwarded(4, "constable", "favor")],
        "Emil gains a token for the Constable",
        "Emil erhält einen Gunststein für den Wachtmeister",
    ),
    (
        [e.TimeSpent(2, 12_999, 292_001)],
        "Cleo has thought for 0:12 and has 4:52 left",
        "Cleo hat 0:12 überlegt; es bleiben noch 4:52",
    ),
    (
        [e.TimeSpent(0, 93_600_000, 0)],
        "Ada has thought for 26:00:00 and has 0:00 left",
        "Ada hat 26:00:00 überlegt; es bleiben noch 0:00",
    ),
    ([e.SeatTakenBack(3)], "Dora is back", "Dora ist wieder da"),
    (
        [e.SeatLeft(4, (), "resigned")],
        "Emil resigns",
        "Emil gibt auf",
    ),
    (
        [e.SeatLeft(4, (), "timed_out")],
        "Emil has run out of time and leaves the game",
        "Emil hat die Zeit überschritten und verlässt das Spiel",
    ),
    (
        [e.SeatLeft(4, ("bishop",), "timed_out")],
        "Emil has run out of time, leaves the game and lays down the Bishop",
        "Emil hat die Zeit überschritten, verlässt das Spiel und legt den Bischof offen ab",
    ),
    ([e.GameFinished((4,))], "Emil wins the game", "Emil gewinnt das Spiel"),
    (
        [e.GameFinished((1, 4))],
        "Ben and Emil win the game together",
        "Ben und Emil gewinnen das Spiel gemeinsam",
    ),
    ([e.GameAborted("called_off")], "The game is called off", "Das Spiel wird abgesagt"),
    (
        [e.GameAborted("restored")],
        "The game is called off: the service was restored from a backup, and its cards may be known",
        "Das Spiel wird abgesagt: Der Dienst ist aus einer Sicherung wiederhergestellt, und die Karten könnten bekannt "
        "sein",
    ),
    (
        [e.GameAborted("expired")],
        "The game has expired: nothing has happened in it for too long",
        "Das Spiel ist abgelaufen: Es hat sich zu lange nichts getan",
    ),
]

STRANGE_SENTENCES = [
    (
        [played("deep_ones", 1, value=6, face="insane"), OUT],
        "Ada plays the Deep Ones (insane) on Ben and guesses 6 (Randolph Carter or Nyarlathotep): a miss",
        "Ada spielt die Tiefen Wesen (wahnsinnig) auf Ben und tippt auf die 6 (Randolph Carter oder Nyarlathotep): "
        "daneben",
    ),
    (
        [played("nyarlathotep", face="insane")],
        "Ada plays Nyarlathotep (insane)",
        "Ada spielt Nyarlathotep (wahnsinnig)",
    ),
    (
        [played("nyarlathotep", face="sane")],
        "Ada plays Nyarlathotep (sane) without effect, as nobody can be chosen",
        "Ada spielt Nyarlathotep (bei Verstand) ohne Wirkung, da niemand gewählt werden kann",
    ),
    (
        [e.CardResolved(0, "shining_trapezohedron")],
        "Ada lays the Shining Trapezohedron down in front of themselves",
        "Ada legt das Leuchtende Trapezoeder vor sich hin",
    ),
    (
        [e.CardRevealed(0, "golden_mead")],
        "Sanity check: Ada reveals the Golden Mead",
        "Verstandesprobe: Ada deckt den Goldenen Met auf",
    ),
    (
        [e.SeatMarked("liber_ivonis", 0, 0)],
        "Ada relies on the Liber Ivonis until the end of the round",
        "Ada stützt sich bis zum Ende der Runde auf das Liber Ivonis",
    ),
    ([e.HandTaken(0, 1, UNKNOWN)], "Ada takes the hand of Ben", "Ada nimmt die Hand von Ben"),
    (
        [e.HandTaken(0, 1, ("hound_of_tindalos",))],
        "Ada takes the Hound of Tindalos from the hand of Ben",
        "Ada nimmt den Hund von Tindalos von der Hand von Ben",
    ),
    (
        [e.CardReceived(1, "mi_go_braincase")],
        "Ben is given the Mi-Go Braincase instead",
        "Ben bekommt stattdessen den Gehirnbehälter der Mi-Go",
    ),
    (
        [e.HandsGiven(0, (1, 2), (None, "elder_sign", None, None, None))],
        "Ada gives Ben and Cleo a card each; Ben now holds the Elder Sign",
        "Ada gibt Ben und Cleo je eine Karte zurück; Ben hat nun das Ältere Zeichen",
    ),
    (
        [e.HandsGiven(0, (1,), (None, None, None, None, None))],
        "Ada gives Ben a card back",
        "Ada gibt Ben eine Karte zurück",
    ),
    (
        [e.HandsGiven(0, (), (None, None, None, None, None))],
        "Ada has nobody left to give a card to",
        "Ada kann niemandem mehr eine Karte zurückgeben",
    ),
    (
        [e.TokenAwarded(4, "round", "insane")],
        "Emil gains an insane token for winning the round",
        "Emil erhält einen Wahnsinnsstein für die gewonnene Runde",
    ),
    (
        [ended((4,), "card", card="shining_trapezohedron")],
        "Emil wins round 3 at once with the Shining Trapezohedron",
        "Emil gewinnt Runde 3 auf der Stelle durch das Leuchtende Trapezoeder",
    ),
    (
        [
            ended(
                (4,),
                "highest_number",
                stands(0, "silver_key", 7, None),
                stands(1, "shining_trapezohedron", 7, None),
                stands(4, "cats_of_ulthar", 2),
            )
        ],
        "Equal numbers remove Ada and Ben (7); Emil wins round 3 with the highest number that still counts, 2",
        "Gleiche Zahlen nehmen Ada und Ben (7) aus der Wertung; Emil gewinnt Runde 3 mit der höchsten Zahl, die noch "
        "zählt, 2",
    ),
    (
        [ended((), "equal_numbers", stands(0, "mi_go", 5, None), stands(1, "professor_henry_armitage", 5, None))],
        "Equal numbers remove Ada and Ben (5); nobody is left to win round 3",
        "Gleiche Zahlen nehmen Ada und Ben (5) aus der Wertung; niemand bleibt übrig, um Runde 3 zu gewinnen",
    ),
    (
        [
            ended(
                (0,),
                "highest_number",
                stands(0, "golden_mead", 2, changed_by="liber_ivonis"),
                stands(1, "cats_of_ulthar", 2, None),
            )
        ],
        "Equal numbers remove Ben (2); Ada stays in despite an equal number, thanks to the Liber Ivonis; Ada wins "
        "round 3 with the highest number that still counts, 2",
        "Gleiche Zahlen nehmen Ben (2) aus der Wertung; Ada bleibt durch das Liber Ivonis trotz "
        "gleicher Zahl in der Wertung; Ada gewinnt Runde 3 mit der höchsten Zahl, die noch zählt, 2",
    ),
    (
        [played("nyarlathotep", face="insane"), e.CardResolved(0, "nyarlathotep")],
        "Ada plays Nyarlathotep (insane) without effect, as nobody can be chosen",
        "Ada spielt Nyarlathotep (wahnsinnig) ohne Wirkung, da niemand gewählt werden kann",
    ),
    (
        [played("nyarlathotep", face="insane"), e.HandShown(1, 0, UNKNOWN)],
        "Ada plays Nyarlathotep (insane)",
        "Ada spielt Nyarlathotep (wahnsinnig)",
    ),
]


@pytest.mark.parametrize(("happened", "en", "de"), SENTENCES)
def test_sentences(happened, en, de):
    assert told("en", happened) == en
    assert told("de", happened) == de


@pytest.mark.parametrize(("happened", "en", "de"), STRANGE_SENTENCES)
def test_sentences_of_the_lovecraft_edition(happened, en, de):
    assert told("en", happened, "lovecraft") == en
    assert told("de", happened, "lovecraft") == de


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


def test_a_chancellor_on_an_empty_deck_says_that_it_has_no_effect():
    empty = [played("chancellor"), e.HandsRevealed(("guard", "king", "priest"))]
    drawing = [played("chancellor"), e.CardDrawn(0, None, "deck")]
    assert told("en", empty, "standard", 3) == "Ada plays the Chancellor without effect, as the deck is empty"
    assert told("de", empty, "standard", 3) == "Ada spielt den Kanzler ohne Wirkung, da der Nachziehstapel leer ist"
    assert told("en", drawing, "standard", 3) == "Ada plays the Chancellor"
    assert told("en", [played("chancellor")], "standard", 3) == "Ada plays the Chancellor"


def test_a_guess_of_a_character():
    happened = [played("guard", 1, guess="priest"), e.KnockedOut(1, ("priest",))]
    assert told("en", happened, "standard", 3) == "Ada plays the Guard on Ben and guesses the Priest: a hit"
    assert (
        told("de", happened, "classic", 3) == "Ada spielt die Wächterin auf Ben und tippt auf den Priester: ein Treffer"
    )


def test_a_card_that_wins_the_game_says_so_and_no_other():
    won = [e.CardResolved(0, "cthulhu"), e.CardResolved(0, "mi_go"), e.GameFinished((0,))]
    last = [played("cthulhu", face="insane"), *won]
    assert told("en", last, "lovecraft") == "Ada plays Cthulhu (insane) and wins the game at once"
    assert told("de", last, "lovecraft") == "Ada spielt Cthulhu (wahnsinnig) und gewinnt damit auf der Stelle das Spiel"
    for other in (e.KnockedOut(0, ("elder_sign",)), e.HandsRevealed((None,) * 5), OUT):
        happened = [played("cthulhu", face="insane"), won[0], other, won[2]]
        assert told("en", happened, "lovecraft") == "Ada plays Cthulhu (insane)"


def test_a_guess_that_was_turned_away_says_so_once_the_card_is_seen():
    happened = [played("guard", 1, value=9), e.KnockedOut(0, ("king",))]
    assert told("en", happened) == "Ada plays the Guard on Ben and guesses 9 (Bishop)"


def test_where_a_seat_may_be_spared_nobody_learns_whether_a_guess_was_right():
    options = {"liber_ivonis": "published"}
    guess = [played("investigators", 1, value=2), e.CardResolved(0, "investigators")]
    assert told("en", guess, "lovecraft", 5, options).endswith("(Cats of Ulthar or Golden Mead): nothing happens")
    assert told("de", guess, "lovecraft", 5, options).endswith(": Nichts geschieht")
    compared = [e.HandsCompared(0, 1, UNKNOWN, UNKNOWN), OUT]
    assert told("en", compared, "lovecraft", 5, options) == "Ada and Ben compare hands: nothing happens"


def test_two_sane_tokens_and_one_insane_are_no_tie():
    start = e.RoundStarted(3, 0, (0, 1), (2, 2), (1, 1), (), (None, None), (), None, (), None, (), None)
    assert told("en", [start], "lovecraft", 2) == "Round 3 begins with Ada"


def test_once_a_bot_stands_in_it_is_told_that_it_plays():
    out, back = e.SeatTimedOut(1), e.SeatTakenBack(1)
    away = e.RoundStarted(3, 0, (0, 1), (0, 0), (0, 0), (), (None, None), (), None, (), None, (1,), None)
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


def test_every_event_is_told_in_some_test():
    """The sentences above, with those events that carry nothing worth one of their own."""
    shown = {type(happened[0]).type for happened, *_ in SENTENCES + STRANGE_SENTENCES}
    plain = {"game_created", "seat_vacated", "decision_taken", "seat_timed_out", "secret_revealed"}
    assert shown | plain == set(EVENTS)
    assert not shown & plain
