"""What is asked and drawn of what can be known, and a table to look at."""

from tests.web.tables import sandbox
from tools.players.tables import CREATOR, OPEN

SEEN = {"hands": [["priest", "baron"], ["king"], ["prince"]], "deck": ["spy", "spy", "guard", "guard"], "turn": 0}
SETUP = {**sandbox("standard", 3, SEEN), "seats": [CREATOR, OPEN, OPEN], "visibility": "public"}
DRAWN = """parts => parts.map((part) => [part.querySelector("h3").textContent, [...part.querySelectorAll(".chances li")]
  .map((one) => [one.querySelector("[data-card]").dataset.card, one.querySelector(":scope > b").textContent])])"""


def asked(one):
    return [url for _, url in one.requests if "/deductions" in url]


def drawn(page):
    return page.locator(".knowable section").evaluate_all(DRAWN)


def percent(chance):
    return f"{max(1, min(99, int(chance * 100 + 0.5))) if chance < 1 else 100}%"


def wanted(found):
    """What is to be drawn of an answer."""
    said = [("Ben", found["seats"][1]["cards"]), ("Cleo", found["seats"][2]["cards"])]
    said += [("Any card of the deck", found["deck"][0]["cards"]), ("Set aside", found["set_aside"])]
    return [[title, [[one["card"], percent(one["probability"])] for one in cards]] for title, cards in said]
