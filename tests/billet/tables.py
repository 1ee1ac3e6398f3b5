"""Views of made-up tables for the tests of the demo, with the members that the contract names."""

from billet.demo.names import TableNames
from games.texts.catalogue import catalogue
from games.views import editions


def seat(number, name, **more):
    return {
        "seat": number,
        "player": {"name": name},
        "tokens": 0,
        "in_round": True,
        "protected": False,
        "left": False,
        "away": False,
        "bank_ms": None,
        "hand": [None],
        "discards": [],
        "sane_tokens": None,
        "insane_tokens": None,
        "insane": None,
        **more,
    }


def view(*seats, to_act=0, winners=(), **now):
    now = {
        "number": 1,
        "seats": [one["seat"] for one in seats if not one["left"]],
        "tie_break": False,
        "deck_size": 9,
        "set_aside": None,
        "shown_aside": [],
        "scores": [0] * len(seats),
        "bound": None,
        "marks": [],
        "in_play": [],
        **now,
    }
    return {"seats": list(seats), "round": now, "to_act": to_act, "winners": list(winners)}


def names(language, edition, one):
    words = catalogue(language)
    return TableNames(words, editions.detail(edition, words), one)
