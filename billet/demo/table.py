"""Draws the table of a view, and its cards, as lines of text; what happened is told by `story`."""

from collections.abc import Iterator
from typing import Any

from billet.demo.names import Names


def lines(view: dict[str, Any], names: Names) -> Iterator[str]:
    """Yield the lines that show a view: the round, then one line a seat."""
    now = view["round"]
    if now is not None:
        aside = f"; face up beside it: {names.hand(now['shown_aside'])}" if now["shown_aside"] else ""
        yield f"Round {now['number']}, {_count(now['deck_size'], 'card')} in the deck{aside}"
    width = max(len(names.who(seat["seat"])) for seat in view["seats"])
    for seat in view["seats"]:
        marker = ">" if seat["seat"] == view["to_act"] else " "
        yield f"{marker} {names.who(seat['seat']):<{width}}  {', '.join(_facts(seat, names))}"


def cards(names: Names) -> Iterator[str]:
    """Yield the lines that say what every card does."""
    for card, text in names.texts.items():
        yield f"{names.card(card)}: {text}"


def result(view: dict[str, Any], names: Names) -> str:
    """Return one line that says how an ended game ended."""
    scores = ", ".join(f"{names.whom(seat['seat'])} {seat['tokens']}" for seat in view["seats"])
    winners = view["winners"] or []
    if not winners:
        return f"Nobody wins. Tokens: {scores}."
    who = names.all(winners)
    verb = "win" if len(winners) > 1 or names.mine in winners else "wins"
    return f"{who[:1].upper()}{who[1:]} {verb} the game. Tokens: {scores}."


def _facts(seat: dict[str, Any], names: Names) -> Iterator[str]:
    yield _count(seat["tokens"], "token")
    if not seat["in_round"]:
        yield "out"
    if seat["protected"]:
        yield "protected"
    if any(card is not None for card in seat["hand"]):
        yield f"hand: {names.hand(seat['hand'])}"
    if seat["discards"]:
        yield f"discards: {names.hand(seat['discards'])}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
