"""Draws the table of a view as lines of text."""

import textwrap
from collections.abc import Iterator
from typing import Any

from billet.demo.names import UNBROKEN, TableNames
from billet.reference import WIDTH
from games.texts.durations import duration

SILENT = frozenset({"turn_started", "card_resolved", "seat_marked", "decision_taken", "time_spent", "secret_revealed"})
"""Events that add nothing for a reader of the others who sees the table."""


def lines(view: dict[str, Any], names: TableNames) -> Iterator[str]:
    """Yields the lines in which the demo's terminal shows a view: the round, then the seats."""
    if view["round"] is not None:
        yield from _wrapped("; ".join(_round_facts(view, names)), indent="  ")
    waiting = view["to_act"]
    heads = _aligned([[names.who(seat["seat"]), _tokens(seat, names)] for seat in view["seats"]])
    for seat, head in zip(view["seats"], heads, strict=True):
        start = f"{'>' if seat['seat'] == waiting else ' '} {head}  "
        yield from _wrapped("; ".join(_seat_facts(seat, view, names)), start, " " * len(start))


def standings(view: dict[str, Any], names: TableNames) -> Iterator[str]:
    """Yields the demo's lines for the terminal on the result of a game, with a star for the winners."""
    yield names.words.text("table.standings")
    for seat, line in enumerate(_aligned([[names.who(seat["seat"]), _tokens(seat, names)] for seat in view["seats"]])):
        yield f"{'*' if seat in view['winners'] else ' '} {line}".rstrip()


def event_lines(events: list[dict[str, Any]], silent: frozenset[str] = SILENT) -> Iterator[str]:
    """Yields the demo's lines for the terminal on events, but for those whose types are `silent`."""
    for event in events:
        if event["type"] == "round_started":
            yield ""
            yield f"--- {event['text']}."
        elif event["type"] not in silent:
            yield f"{event['text']}."


def _round_facts(view: dict[str, Any], names: TableNames) -> Iterator[str]:
    """Yields what the demo's terminal shows of the round."""
    now, words = view["round"], names.words
    number = now["number"]
    yield (
        words.text("table.tie_break", number=number) if now["tie_break"] else words.text("table.round", number=number)
    )
    yield words.text("table.deck", count=now["deck_size"])
    if now["shown_aside"]:
        yield words.text("table.shown_aside", cards=names.cards(now["shown_aside"]))
    if now["set_aside"] is not None:
        yield words.text("table.set_aside", card=names.card(now["set_aside"]))
    if now["in_play"]:
        yield words.text("table.in_play", cards=names.cards(now["in_play"]))


def _tokens(seat: dict[str, Any], names: TableNames) -> str:
    """Returns the demo's text for the terminal on how many tokens a seat has, and how many it needs to win."""
    table = names.table
    if seat["sane_tokens"] is None:
        return names.words.text("table.tokens", count=seat["tokens"], needed=table["tokens_to_win"])
    return names.words.text(
        "table.tokens.two_kinds",
        sane=seat["sane_tokens"],
        sane_needed=table["tokens_to_win"],
        insane=seat["insane_tokens"],
        insane_needed=table["insane_tokens_to_win"],
    )


def _seat_facts(seat: dict[str, Any], view: dict[str, Any], names: TableNames) -> Iterator[str]:
    """Yields what the demo's terminal shows of a seat besides its tokens."""
    words, now = names.words, view["round"]
    if seat["left"]:
        yield words.text("table.left")
    elif now is not None and not seat["in_round"]:
        yield words.text("table.not_dealt_in") if _sits_out(seat, view) else words.text("table.out")
    if seat["bank_ms"] is not None and not seat["left"]:
        yield words.text("table.bank", left=duration(seat["bank_ms"]))
    if seat["away"]:
        yield words.text("table.away")
    if seat["protected"]:
        yield words.text("table.protected")
    if seat["insane"]:
        yield words.text("face.insane.name")
    if now is not None:
        yield from _marks(seat["seat"], now, names)
    if hand := names.cards(seat["hand"]):
        yield words.text("table.hand", cards=hand)
    if seat["discards"]:
        yield words.text("table.discards", cards=names.cards(seat["discards"]))


def _sits_out(seat: dict[str, Any], view: dict[str, Any]) -> bool:
    """Returns whether the demo's terminal shows a seat as not dealt in, because the round belongs to others."""
    return view["round"]["tie_break"] and seat["seat"] not in view["round"]["seats"]


def _marks(seat: int, now: dict[str, Any], names: TableNames) -> Iterator[str]:
    """Yields what the demo's terminal shows of the lasting effects of played cards on a seat."""
    words = names.words
    if now["bound"] == seat:
        yield words.text("table.bound")
    for mark in now["marks"]:
        if mark["target"] == seat == mark["seat"]:
            yield words.text("table.mark.own", card=names.card(mark["card"]))
        elif mark["target"] == seat:
            yield words.text("table.mark", card=names.card(mark["card"]), who=names.who(mark["seat"]))


def _wrapped(text: str, start: str = "", indent: str = "") -> Iterator[str]:
    """Yields a text wrapped for the demo's terminal, even if empty: `start`, then `indent`, go before the lines."""
    for line in textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=indent) or [start.rstrip()]:
        yield line.replace(UNBROKEN, " ")


def _aligned(rows: list[list[str]]) -> list[str]:
    """Returns rows of cells as lines for the demo's terminal, with aligned columns."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]
