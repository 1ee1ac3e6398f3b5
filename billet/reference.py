"""Lays out the reference card of an edition for a terminal, from the edition as front ends read it."""

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from games.texts.catalogue import Catalogue

WIDTH = 100
"""The longest line, in characters."""


def lines(edition: dict[str, Any], words: Catalogue) -> Iterator[str]:
    """Yields the reference card of an edition in lines for a terminal."""
    tables, cards = edition["tables"], edition["cards"]
    yield edition["title"]
    yield ""
    yield from _sizes(tables, words)
    yield ""
    yield from _short(cards, _counts(cards, [table["seats"] for table in tables]), words)
    if any(card["insanity"] for card in cards):
        yield ""
        yield words.text("sheet.insanity")


def _sizes(tables: list[dict[str, Any]], words: Catalogue) -> Iterator[str]:
    """Yields the reference card's table of what depends on the number of seats, with a column for each number."""
    rows = [
        (words.text("sheet.seats"), [table["seats"] for table in tables]),
        (words.text("sheet.deck"), [table["deck_size"] for table in tables]),
        (words.text("sheet.shown_aside"), [table["shown_aside"] for table in tables]),
    ]
    needed = [table["tokens_to_win"] for table in tables]
    if tables[0]["insane_tokens_to_win"] is None:
        rows += [(words.text("sheet.tokens"), needed)]
    else:
        insane = [table["insane_tokens_to_win"] for table in tables]
        rows += [(words.text("sheet.tokens.sane"), needed), (words.text("sheet.tokens.insane"), insane)]
    width = max(len(label) for label, _ in rows)
    for label, numbers in rows:
        yield f"{label:<{width}}" + "".join(f"{number or '-':>4}" for number in numbers)


def _counts(cards: list[dict[str, Any]], sizes: list[int]) -> dict[str, dict[str, int]]:
    """Returns the reference card's copies of every card in each different deck, by the range of seats that uses it."""
    decks = {
        size: {
            card["card"]: next(row["copies"] for row in card["copies_by_seats"] if row["seats"] == size)
            for card in cards
        }
        for size in sizes
    }
    found = {}
    for deck, group in groupby(sizes, key=lambda size: decks[size]):
        same = list(group)
        found[str(same[0]) if len(same) == 1 else f"{same[0]}-{same[-1]}"] = deck
    return found


def _short(cards: list[dict[str, Any]], counts: dict[str, dict[str, int]], words: Catalogue) -> Iterator[str]:
    """Yields the reference card's table of the cards: number, name, copies, short text."""
    heads = [words.text("sheet.copies", seats=seats) for seats in counts]
    names = [f"{card['name']}{' *' if card['insanity'] else ''}" for card in cards]
    wide = max(map(len, names))
    yield f"{'':<4}{'':<{wide}}" + "".join(f"  {head}" for head in heads)
    for card, name in zip(cards, names, strict=True):
        copies = "".join(
            f"  {deck[card['card']] or '-':>{len(head)}}" for head, deck in zip(heads, counts.values(), strict=True)
        )
        start = f"{card['value']:>2}  {name:<{wide}}{copies}  "
        for face in card["faces"]:
            text = face["short_text"]
            if face["face"] == "insane":
                text = words.text("sheet.face", face=face["name"], text=text)
            yield from textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
            start = " " * len(start)
