"""Generates a page of reference cards in each language, from the editions as front ends read them."""

from typing import Any

from billet import reference
from games.texts.catalogue import Catalogue, catalogue
from games.views import editions


def page(language: str) -> str:
    """Returns the reference cards of all editions in Markdown."""
    words = catalogue(language)
    ids = [edition["id"] for edition in editions.listing(words)]
    return "\n".join(line for edition in ids for line in _edition(editions.detail(edition, words), words))


def _edition(edition: dict[str, Any], words: Catalogue) -> list[str]:
    _title, _, *sheet = reference.lines(edition, words)
    lines = [f"# {edition['title']}", "", edition["text"], "", "```text", *sheet, "```", ""]
    lines += [line for card in edition["cards"] for line in _full(card)]
    if edition["faces"]:
        lines += [f"- *{face['name']}:* {face['text']}" for face in edition["faces"]] + [""]
    for option in edition["options"]:
        lines += [f"- *{option['title']}:* {option['text']}"]
        lines += [f"  - *{choice['title']}:* {choice['text']}" for choice in option["choices"]] + [""]
    return lines


def _full(card: dict[str, Any]) -> list[str]:
    sane, *insane = card["faces"]
    lines = [f"**{card['name']}.** {sane['text']}", ""]
    for face in insane:
        lines += [f"**{card['name']}, {face['name']}.** {face['text']}", ""]
    return lines
