"""The cards as the second model knows them, copied by hand from the rules; what may be done with them is elsewhere."""

NUMBERS = {
    "standard": {
        "spy": 0,
        "guard": 1,
        "priest": 2,
        "baron": 3,
        "handmaid": 4,
        "prince": 5,
        "chancellor": 6,
        "king": 7,
        "countess": 8,
        "princess": 9,
    },
    "classic": {
        "guard": 1,
        "priest": 2,
        "baron": 3,
        "handmaid": 4,
        "prince": 5,
        "king": 7,
        "countess": 8,
        "princess": 9,
    },
    "premium": {
        "guard": 1,
        "priest": 2,
        "baron": 3,
        "handmaid": 4,
        "prince": 5,
        "king": 6,
        "countess": 7,
        "princess": 8,
    },
    "lovecraft": {
        "mi_go_braincase": 0,
        "investigators": 1,
        "deep_ones": 1,
        "cats_of_ulthar": 2,
        "golden_mead": 2,
        "great_race_of_yith": 3,
        "hound_of_tindalos": 3,
        "elder_sign": 4,
        "liber_ivonis": 4,
        "professor_henry_armitage": 5,
        "mi_go": 5,
        "randolph_carter": 6,
        "nyarlathotep": 6,
        "silver_key": 7,
        "shining_trapezohedron": 7,
        "necronomicon": 8,
        "cthulhu": 8,
    },
}
"""Editions: the number of each card."""

MORE_NUMBERS_FROM_FIVE_SEATS = {
    "jester": 0,
    "assassin": 0,
    "cardinal": 2,
    "baroness": 3,
    "sycophant": 4,
    "count": 5,
    "constable": 6,
    "dowager_queen": 7,
    "bishop": 9,
}
"""Editions: what `premium` adds from five seats on."""

COPIES = {
    "standard": {
        "spy": 2,
        "guard": 6,
        "priest": 2,
        "baron": 2,
        "handmaid": 2,
        "prince": 2,
        "chancellor": 2,
        "king": 1,
        "countess": 1,
        "princess": 1,
    },
    "classic": {
        "guard": 5,
        "priest": 2,
        "baron": 2,
        "handmaid": 2,
        "prince": 2,
        "king": 1,
        "countess": 1,
        "princess": 1,
    },
    "premium": {
        "guard": 5,
        "priest": 2,
        "baron": 2,
        "handmaid": 2,
        "prince": 2,
        "king": 1,
        "countess": 1,
        "princess": 1,
    },
    "lovecraft": {
        "investigators": 5,
        "deep_ones": 1,
        "cats_of_ulthar": 2,
        "golden_mead": 1,
        "great_race_of_yith": 2,
        "hound_of_tindalos": 1,
        "elder_sign": 2,
        "liber_ivonis": 1,
        "professor_henry_armitage": 2,
        "mi_go": 1,
        "randolph_carter": 1,
        "nyarlathotep": 1,
        "silver_key": 1,
        "shining_trapezohedron": 1,
        "necronomicon": 1,
        "cthulhu": 1,
    },
}
"""Editions, in `docs/rules.md`: what each deck is made of; the Braincase lies beside it."""

MORE_COPIES_FROM_FIVE_SEATS = {
    "jester": 1,
    "assassin": 1,
    "guard": 3,
    "cardinal": 2,
    "baroness": 2,
    "sycophant": 2,
    "count": 2,
    "constable": 1,
    "dowager_queen": 1,
    "bishop": 1,
}
"""Editions: what the larger deck of `premium` has more."""

FACE_UP = {"standard": 3, "classic": 3, "premium": 3, "lovecraft": 5}
"""Editions: how many cards lie face up with two seats; with more there are none."""

INSANITY_CARDS = {
    "mi_go_braincase",
    "deep_ones",
    "golden_mead",
    "hound_of_tindalos",
    "liber_ivonis",
    "mi_go",
    "nyarlathotep",
    "shining_trapezohedron",
    "cthulhu",
}
"""Editions: the second of each pair, and the Braincase; the Necronomicon is not one."""

TWO_EFFECTS = INSANITY_CARDS - {"mi_go_braincase"}
"""The cards of lovecraft: the rows with an insane column of their own; the Braincase's says "the same"."""

TOKENS_TO_WIN = {
    "standard": {2: 6, 3: 5, 4: 4, 5: 3, 6: 3},
    "classic": {2: 6, 3: 5, 4: 4},
    "premium": {2: 7, 3: 5, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4},
}
"""Editions."""

SANE_TOKENS_TO_WIN = 2
INSANE_TOKENS_TO_WIN = 3
"""Editions, `lovecraft`: enough of one kind; the two do not add up."""

NOBODY = "nobody"
ONE_OTHER = "one other"
ONE_OF_ALL = "one, oneself included"
TWO_OF_ALL = "two, oneself included"
ONE_OR_TWO_OTHERS = "one or two others"

CHOOSES = {
    # The cards of standard and classic, The cards of premium
    "guard": ONE_OTHER,
    "priest": ONE_OTHER,
    "baron": ONE_OTHER,
    "prince": ONE_OF_ALL,
    "king": ONE_OTHER,
    # The cards of premium
    "jester": ONE_OTHER,
    "cardinal": TWO_OF_ALL,
    "baroness": ONE_OR_TWO_OTHERS,
    "sycophant": ONE_OF_ALL,
    "dowager_queen": ONE_OTHER,
    "bishop": ONE_OTHER,
    # The cards of lovecraft
    "investigators": ONE_OTHER,
    "deep_ones": ONE_OTHER,
    "cats_of_ulthar": ONE_OTHER,
    "golden_mead": ONE_OTHER,
    "great_race_of_yith": ONE_OTHER,
    "hound_of_tindalos": ONE_OTHER,
    "professor_henry_armitage": ONE_OF_ALL,
    "mi_go": ONE_OF_ALL,
    "randolph_carter": ONE_OTHER,
    "nyarlathotep": ONE_OTHER,
}
"""Whom a card chooses, in its only or its sane effect; the cards that are not listed choose nobody."""

INSANE_CHOOSES = {
    "mi_go": ONE_OTHER,  # "take another seat's card"
    "nyarlathotep": NOBODY,  # "the hands of all choosable others"
}
"""Whom the insane effect chooses where that differs from the sane one."""


def cards_of(edition: str, seats: int) -> dict[str, int]:
    """Returns the number of each card that a table of this size plays with."""
    more = MORE_NUMBERS_FROM_FIVE_SEATS if edition == "premium" and seats >= 5 else {}
    return NUMBERS[edition] | more


def chooses(card: str, face: str | None) -> str:
    """Returns whom a card chooses in one of its effects."""
    if face == "insane" and card in INSANE_CHOOSES:
        return INSANE_CHOOSES[card]
    return CHOOSES.get(card, NOBODY)


def may_be_named(edition: str, seats: int, card: str) -> set[str | int]:
    """Returns the characters or numbers that a card may name; nothing for the cards that name nothing."""
    if edition in ("standard", "classic") and card == "guard":
        # The cards of standard and classic: any character but the Guard, however many of it are visible already.
        return set(NUMBERS[edition]) - {"guard"}
    if edition == "premium" and card == "guard":
        # The cards of premium: any number but 1 that a card of the table has.
        return {2, 3, 4, 5, 6, 7, 8} if seats <= 4 else {0, 2, 3, 4, 5, 6, 7, 8, 9}
    if card == "bishop":
        # The cards of premium: the same; the card is in the larger deck only.
        return {0, 2, 3, 4, 5, 6, 7, 8, 9}
    if card in ("investigators", "deep_ones"):
        # The cards of lovecraft: any number but 1; the insane Deep Ones name one as well.
        return {0, 2, 3, 4, 5, 6, 7, 8}
    return set()


def deck_of(edition: str, seats: int) -> list[str]:
    """Returns the cards that a table of this size shuffles."""
    deck = [card for card, copies in COPIES[edition].items() for _ in range(copies)]
    if edition == "premium" and seats >= 5:
        deck += [card for card, copies in MORE_COPIES_FROM_FIVE_SEATS.items() for _ in range(copies)]
    return deck
