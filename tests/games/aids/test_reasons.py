"""What each kind of reason says, in both languages, at a table where it is plain to see."""

from collections import Counter
from dataclasses import replace

import pytest

from engine.actions import GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.bots.expert.search import Rating
from engine.editions import rulebook
from games.aids.hints import Advice, why
from games.aids.reasons import reasons
from games.texts.catalogue import catalogue
from tests.engine.editions.lovecraft_tables import (
    CARTER,
    CATS,
    CTHULHU,
    DEEP_ONES,
    HOUND,
    INVESTIGATORS,
    KEY,
    LIBER,
    MEAD,
    NECRONOMICON,
    NYARLATHOTEP,
    SIGN,
    TRAPEZOHEDRON,
    YITH,
    lovecraft,
)
from tests.engine.editions.premium_tables import premium
from tests.engine.given import given
from tests.games.aids.choices import Keys, choice_at, reasons_at

EN, DE = catalogue("en"), catalogue("de")
STANDARD = rulebook("standard", 2, {})
DECK = "guard priest guard guard"
LOOK = PlayCard("priest", (1,))


def table(*hands, deck=DECK, **more):
    return given(hands=hands, deck=deck, **more)


def after(table, *plays):
    """Returns a table after some plays: the card, whom it chooses and what it names."""
    for card, *targets in plays:
        names = targets.pop() if targets and isinstance(targets[-1], str) else None
        table.play(card, *targets, names=names)
    return table


def guess(named, target=1):
    return PlayCard("guard", (target,), named)


def known_hand():
    begun = table("priest guard", "king", "baron", deck="spy spy guard spy priest prince", set_aside="spy")
    return after(begun, ("priest", 1), ("spy",), ("spy",))


def nearly_all_seen(book, own, rival, deck, aside):
    """Returns a table at which three cards are hidden: the rival's, the one on the deck and the one aside."""
    out = ["guard"] * (book.seats - 2)  # what those who are out have laid down
    left = Counter(book.deck) - Counter([*own.split(), rival, deck, aside, *out])
    hands = [own, rival, *[None for _ in out]]
    return given(book.edition.id, hands=hands, deck=deck, set_aside=aside, discards={1: " ".join(left.elements())})


def won_a_comparison():
    return after(table("guard", "baron prince", "priest", deck="spy guard", turn=1), ("baron", 2))


def won_by_the_lower():
    hands = ["guard", "dowager_queen priest", "baron"]
    return after(premium(hands=hands, deck="guard guard guard", turn=1), ("dowager_queen", 2))


def guessed_wrong():
    return after(table("guard", "king", "guard spy", deck="priest guard", turn=2), ("guard", 1, "prince"))


def chancellor():
    return after(table("chancellor prince", "king", "spy", deck="princess guard guard handmaid"), ("chancellor",))


KINDS = [
    (
        table("countess king", "guard", "spy"),
        PlayCard("countess"),
        "You hold the King, so you must play the Countess.",
        "Du hast den König auf der Hand, also musst du die Gräfin spielen.",
    ),
    (
        lovecraft((TRAPEZOHEDRON, CARTER), CATS, discards={0: DEEP_ONES}),
        PlayCard(TRAPEZOHEDRON, face="insane"),
        "It wins the round at once.",
        "Damit gewinnst du sofort die Runde.",
    ),
    (
        lovecraft((CTHULHU, CATS), CATS, discards={0: (DEEP_ONES, HOUND)}),
        PlayCard(CTHULHU, face="insane"),
        "It wins the game at once.",
        "Damit gewinnst du sofort das Spiel.",
    ),
    (
        table("princess priest", "guard", "spy"),
        LOOK,
        "If you discard the Princess, you are out of the round.",
        "Legst du die Prinzessin ab, scheidest du aus.",
    ),
    (
        known_hand(),
        guess("king"),
        "You know what Ben holds: the King.",
        "Du weißt, was Ben auf der Hand hat: den König.",
    ),
    (
        nearly_all_seen(STANDARD, "guard spy", "prince", "countess", "princess"),
        guess("prince"),
        "Ben can only hold the Prince, the Countess, or the Princess.",
        "Ben kann nur den Prinzen, die Gräfin oder die Prinzessin auf der Hand haben.",
    ),
    (
        table("guard spy", "king", "baron"),
        guess("prince"),
        "Ben holds the Prince in 11% of all deals that fit what you have seen; no other guess is likelier.",
        "In 11 % aller Verteilungen, die zu dem passen, was du gesehen hast, hat Ben den Prinzen auf der Hand; "
        "kein anderer Tipp ist wahrscheinlicher.",
    ),
    (
        table("guard spy", "king", "baron"),
        guess("king"),
        "Ben holds the King in 5% of all deals that fit what you have seen.",
        "In 5 % aller Verteilungen, die zu dem passen, was du gesehen hast, hat Ben den König auf der Hand.",
    ),
    (
        table("guard spy", "king", "baron", discards={2: "priest"}),
        guess("priest"),
        "You do not know where 1 of the 2 copies of the Priest went.",
        "Es gibt den Priester 2-mal, und 1-mal weißt du nicht, wo.",
    ),
    (
        premium(hands=["guard priest", "king", "baron"]),
        guess(5),
        "You do not know where any of the 4 copies of the Prince or the Count is.",
        "Es gibt den Prinzen oder den Grafen 4-mal, und du weißt nicht, wo.",
    ),
    (
        table("guard spy", "king", "baron"),
        guess("king"),
        "There is only one copy of the King, and you do not know where it is.",
        "Es gibt den König nur einmal, und du weißt nicht, wo.",
    ),
    (
        premium(hands=["guard priest", "king", "baron"]),
        guess(5),
        "It knocks you out in 4% of all deals that fit what you have seen.",
        "Damit scheidest du in 4 % aller Verteilungen aus, die zu dem passen, was du gesehen hast.",
    ),
    (
        table("baron prince", "king", "spy"),
        PlayCard("baron", (1,)),
        "It knocks Ben out in 68% of all deals that fit what you have seen, and you in 26%.",
        "Damit scheidet Ben in 68 % aller Verteilungen aus, die zu dem passen, was du gesehen hast, und du in 26 %.",
    ),
    (
        table("baron countess", "king", "spy", discards={2: "princess"}),
        PlayCard("baron", (1,)),
        "It is certain to knock Ben out.",
        "Damit scheidet Ben sicher aus.",
    ),
    (
        lovecraft((HOUND, NECRONOMICON), CATS, CATS),
        PlayCard(HOUND, (1,), face="sane"),
        "It knocks Ben out in 95% of all deals that fit what you have seen, and you in none.",
        "Damit scheidet Ben in 95 % aller Verteilungen aus, die zu dem passen, was du gesehen hast, und du in keiner.",
    ),
    (
        table("prince guard", "king", "spy"),
        PlayCard("prince", (1,)),
        "It knocks Ben out in 5% of all deals that fit what you have seen.",
        "Damit scheidet Ben in 5 % aller Verteilungen aus, die zu dem passen, was du gesehen hast.",
    ),
    (
        table("king handmaid", "prince", "spy"),
        PlayCard("king", (1,)),
        "Ben holds a higher card than the Handmaid in 32% of all deals that fit what you have seen.",
        "In 32 % aller Verteilungen, die zu dem passen, was du gesehen hast, hat Ben eine höhere Karte als die Zofe.",
    ),
    (
        table("prince handmaid", "king", "spy"),
        PlayCard("prince", (0,)),
        "You draw a higher card than the Handmaid in 32% of all deals that fit what you have seen.",
        "In 32 % aller Verteilungen, die zu dem passen, was du gesehen hast, ziehst du eine höhere Karte als die Zofe.",
    ),
    (
        table("prince handmaid", "king", "spy", deck="", discards={2: "princess"}),
        PlayCard("prince", (0,)),
        "You draw a higher card than the Handmaid in 28% of all deals that fit what you have seen.",
        "In 28 % aller Verteilungen, die zu dem passen, was du gesehen hast, ziehst du eine höhere Karte als die Zofe.",
    ),
    (
        table("handmaid king", "guard", "spy", deck=""),
        PlayCard("handmaid"),
        "The deck is empty: this is the last turn of the round.",
        "Der Stapel ist leer: Das ist der letzte Zug der Runde.",
    ),
    (
        table("handmaid king", "guard", "spy", deck="guard priest"),
        PlayCard("handmaid"),
        "Cards left in the deck: 2. If nobody goes out, you have no other turn in this round.",
        "Karten im Stapel: 2. Wenn niemand ausscheidet, kommst du in dieser Runde nicht mehr dran.",
    ),
    (
        won_by_the_lower(),
        guess(2),
        "Ben must hold 2 (Priest or Cardinal) or lower: what you have seen rules out all higher cards.",
        "Ben hat höchstens die 2 (Priester oder Kardinal) auf der Hand: "
        "Was du gesehen hast, schließt alle höheren Karten aus.",
    ),
    (
        table("baron prince", "king", "spy", discards={2: "princess"}),
        PlayCard("baron", (1,)),
        "Ben must hold the Countess or lower: what you have seen rules out all higher cards.",
        "Ben hat höchstens die Gräfin auf der Hand: Was du gesehen hast, schließt alle höheren Karten aus.",
    ),
    (
        won_a_comparison(),
        guess("prince"),
        "Ben must hold the Baron or higher: what you have seen rules out all lower cards.",
        "Ben hat mindestens den Baron auf der Hand: Was du gesehen hast, schließt alle niedrigeren Karten aus.",
    ),
    (
        guessed_wrong(),
        guess("king"),
        "What has happened shows that Ben does not hold the Prince.",
        "Was geschehen ist, zeigt, dass Ben den Prinzen nicht auf der Hand hat.",
    ),
    (
        table("priest prince", "king", "spy"),
        LOOK,
        "Ben may hold any of 10 different cards.",
        "Bei Ben kommen noch 10 verschiedene Karten infrage.",
    ),
    (
        premium(hands=["baroness priest", "king", "baron"], deck="guard guard guard"),
        PlayCard("baroness", (1, 2)),
        "Ben and Cleo may hold any of 17 different cards.",
        "Bei Ben und Cleo kommen noch 17 verschiedene Karten infrage.",
    ),
    (
        table("handmaid king", "prince", "spy", discards={2: "guard guard guard"}),
        PlayCard("handmaid"),
        "You do not know where 3 of the 6 copies of the Guard went, and each could guess the King in your hand.",
        "Es gibt die Wächterin 6-mal, und 3-mal weißt du nicht, wo: "
        "Jede davon könnte den König auf deiner Hand treffen.",
    ),
    (
        table("handmaid guard", "prince", "spy"),
        PlayCard("handmaid"),
        "Nobody can choose you until your next turn.",
        "Bis zu deinem nächsten Zug kann dich niemand wählen.",
    ),
    (
        table("chancellor prince", "king", "spy", deck="guard"),
        PlayCard("chancellor"),
        "You choose which of 2 cards you keep.",
        "Du wählst, welche von 2 Karten du behältst.",
    ),
    (
        table("spy prince", "king", "guard"),
        PlayCard("spy"),
        "None of the others in the round has played or discarded the Spy: "
        "if that stays so and you stay in, you gain a token.",
        "Von den anderen in der Runde hat niemand die Spionin gespielt oder abgelegt: "
        "Bleibt es dabei und bleibst du in der Runde, bekommst du einen Gunststein.",
    ),
    (
        table("priest prince", "king", "spy", protected=[2]),
        LOOK,
        "Of the others, only Ben can be chosen.",
        "Von den anderen kann nur Ben gewählt werden.",
    ),
    (
        table("priest prince", "king", "spy", tokens=[0, 4, 0]),
        LOOK,
        "The next token can win Ben the game.",
        "Schon der nächste Stein kann Ben den Sieg bringen.",
    ),
    (
        lovecraft((CATS, CARTER), CATS, MEAD, tokens=[0, 2, 0], insane_tokens=[0, 2, 0]),
        PlayCard(CATS, (1,)),
        "The next token can win Ben the game.",
        "Schon der nächste Stein kann Ben den Sieg bringen.",
    ),
    (
        table("handmaid princess", "king", "spy"),
        PlayCard("handmaid"),
        "You keep the Princess: nobody can hold a higher card.",
        "Du behältst die Prinzessin: Niemand kann eine höhere Karte haben.",
    ),
    (
        table("handmaid king", "prince", "spy"),
        PlayCard("handmaid"),
        "You keep the King. Higher cards among the 19 that are hidden from you: 2.",
        "Du behältst den König. Höhere Karten unter den 19, die du nicht kennst: 2.",
    ),
    (
        chancellor(),
        KeepCard("prince", ("princess", "guard")),
        "You put the Princess under the deck. Cards above it: 2.",
        "Du legst die Prinzessin unter den Stapel. Karten darüber: 2.",
    ),
]


@pytest.mark.parametrize(("table", "action", "english", "german"), KINDS)
def test_each_kind_of_reason_is_given_in_both_languages(table, action, english, german):
    assert action in table.legal()
    assert english in reasons_at(table, action, EN)
    assert german in reasons_at(table, action, DE)


def test_every_reason_but_those_of_the_search_stands_above():
    above = set()
    for table, action, english, _ in KINDS:
        keys = [key for key, _ in reasons_at(table, action, Keys())]
        above.add(keys[reasons_at(table, action, EN).index(english)])
    elsewhere = {"hint.only_one", "hint.sure", "hint.wins", "hint.wins_more"}
    assert above == {key for key in EN.texts if key.startswith("hint.")} - elsewhere


def test_what_is_sure_is_not_counted_again():
    nobody_saw = nearly_all_seen(STANDARD, "baron prince", "guard", "guard", "guard")
    told = reasons_at(nobody_saw, PlayCard("baron", (1,)), EN)
    assert told[:2] == [
        "Ben holds the Guard: what you have seen leaves no other card.",
        "It is certain to knock Ben out.",
    ]
    told = reasons_at(known_hand(), guess("king"), EN)
    assert not any("copies" in one or "copy" in one or "%" in one for one in told)


def test_a_number_is_sure_though_it_may_be_either_of_two_cards():
    begun = nearly_all_seen(rulebook("premium", 5, {}), "guard priest", "count", "prince", "prince")
    told = reasons_at(begun, guess(5), EN)
    assert told[0] == "Ben holds the Prince or the Count: what you have seen leaves no other card."
    assert told[-1] != told[0]


def test_two_cards_that_force_each_other_leave_the_choice():
    begun = lovecraft((KEY, TRAPEZOHEDRON), CATS)
    assert len(begun.legal()) == 2
    assert not any("must play" in one for one in reasons_at(begun, PlayCard(KEY), EN))


@pytest.mark.parametrize("action", [PlayCard(NECRONOMICON), PlayCard(CTHULHU, face="sane")])
def test_of_two_cards_that_put_their_owner_out_neither_is_a_danger_or_kept(action):
    begun = lovecraft((NECRONOMICON, CTHULHU), CATS)
    assert action in begun.legal()
    assert not reasons_at(begun, action, EN)


def test_a_card_that_can_win_at_once_is_no_danger():
    begun = lovecraft((CTHULHU, CATS), CATS, discards={0: (DEEP_ONES, HOUND)})
    assert not any("Cthulhu" in one and "out" in one for one in reasons_at(begun, PlayCard(CATS, (1,)), EN))


def test_nothing_is_a_danger_to_whom_nothing_knocks_out():
    deck = (SIGN, CATS, SIGN, HOUND, CARTER, CATS)
    hands = [(LIBER, NECRONOMICON), INVESTIGATORS, YITH]
    begun = lovecraft(*hands, deck=deck, set_aside=KEY, discards={0: MEAD}, options={LIBER: "published"})
    begun.play(LIBER, face="insane")
    begun.play(SIGN)
    begun.play(CATS, 0)
    assert not any("discard" in one for one in reasons_at(begun, PlayCard(CARTER, (2,)), EN))


def test_an_answer_has_its_reasons():
    swapped = premium(hands=["cardinal priest", "king", "baron"], deck="guard guard guard")
    swapped.play("cardinal", 1, 2)
    assert reasons_at(swapped, PeekHand(1), EN)[0] == "Ben may hold any of 17 different cards."
    assert not any("different" in one for one in reasons_at(swapped, PeekHand(None), EN))

    hit = premium(hands=["bishop priest", "baron", "king"], deck="guard princess guard")
    hit.play("bishop", 1, names=3)
    draws = "You draw a higher card than the Baron in"
    assert [one.startswith(draws) for one in reasons_at(hit, RedrawHand(True), EN)] == [True]
    assert reasons_at(hit, RedrawHand(False), EN)[0].startswith(draws)

    collected = lovecraft((NYARLATHOTEP, NECRONOMICON), CATS, HOUND, discards={0: DEEP_ONES})
    collected.play(NYARLATHOTEP, face="insane")
    given_back = GiveHands(((1, HOUND), (2, CATS)))
    assert reasons_at(collected, given_back, EN) == ["You keep the Necronomicon: nobody can hold a higher card."]


def test_nothing_is_said_of_hands_where_there_were_too_many_ways_to_count_all():
    begun = table("guard king", "prince", "baron")
    counted = choice_at(begun.log, 0, guess("prince"))
    drawn = replace(counted, known=replace(counted.known, deals=None))
    assert reasons(drawn)[0] == "You do not know where any of the 2 copies of the Prince is."
    assert reasons(counted)[1:] == reasons(drawn)


def test_a_card_is_not_hidden_where_counting_leaves_no_other():
    begun = nearly_all_seen(STANDARD, "baron prince", "guard", "guard", "guard")
    assert choice_at(begun.log, 0, PlayCard("baron", (1,))).hidden == {}


def alone_with(table):
    """Returns what a hint says where the rules leave one action."""
    (action,) = table.legal()
    choice = choice_at(table.log, table.state.to_act, action)
    return why(choice.view, choice.seat, Advice((Rating(action, 0, 0, 0),), choice.known), choice.called, EN)


def test_the_rules_alone_are_the_reason_where_they_leave_no_choice():
    assert alone_with(table("countess king", "guard", "spy")) == ["You hold the King, so you must play the Countess."]
    assert alone_with(table("guard guard", "king", "spy", protected=[1, 2])) == ["The rules leave you nothing else."]
