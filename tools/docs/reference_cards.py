"""Generates a page of reference cards in each language, from the editions as front ends read them."""

from typing import Any

from games.texts.catalogue import catalogue
from games.views import editions


def page(language: str) -> str:
    """Returns the reference cards of all editions in Markdown."""
    words = catalogue(language)
    ids = [edition["id"] for edition in editions.listing(words)]
    return "\n".join(line for edition in ids for line in _edition(editions.detail(edition, words)))


def _edition(edition: dict[str, Any]) -> list[str]:
    lines = [f"# {edition['title']}", "", edition["text"], ""]
    lines += [_short(card) for card in edition["cards"]]
    lines += ["", *[line for card in edition["cards"] for line in _full(card)]]
    if edition["faces"]:
        lines += [f"- *{face['name']}:* {face['text']}" for face in edition["faces"]] + [""]
    for option in edition["options"]:
        lines += [f"- *{option['title']}:* {option['text']}"]
        lines += [f"  - *{choice['title']}:* {choice['text']}" for choice in option["choices"]] + [""]
    return lines


def _short(card: dict[str, Any]) -> str:
    sane, *insane = card["faces"]
    line = f"- **{card['value']} {card['name']}** ({_copies(card)}): {sane['short_text']}"
    return line + "".join(f" / *{face['name']}:* {face['short_text']}" for face in insane)


def _copies(card: dict[str, Any]) -> str:
    """Returns how often a card is in the deck, as in "5x / 8x" where that depends on the number of seats."""
    counts = dict.fromkeys(row["copies"] for row in card["copies_by_seats"])
    return " / ".join(f"{count}x" for count in counts)


def _full(card: dict[str, Any]) -> list[str]:
    sane, *insane = card["faces"]
    lines = [f"**{card['name']}.** {sane['text']}", ""]
    for face in insane:
        lines += [f"**{card['name']}, {face['name']}.** {face['text']}", ""]
    return lines
