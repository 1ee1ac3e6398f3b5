"""What a table may be, checked against the editions when it is opened; shapes and types are for the api to check."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.bots import BOTS
from engine.editions import EDITIONS, rulebook
from engine.errors import UnknownEdition
from engine.rulebook import Rulebook
from service.errors import invalid


def check_table(body: Mapping[str, Any]) -> None:
    """Checks what a table is to be.

    Raises:
        Refused: `invalid_request`, with the field that cannot be.
    """
    seats = body["seats"]
    book = _rulebook(body["edition"], seats, body.get("options", {}))
    if sum(seat["kind"] == "creator" for seat in seats) > 1:
        raise invalid("seats", "At most one seat can be the creator's.")
    for i, seat in enumerate(seats):
        _check_seat(seat, f"seats.{i}")
    if body.get("starter", 0) not in range(len(seats)):
        raise invalid("starter", f"The table has seats 0 to {len(seats) - 1}.")
    if "sandbox" in body:
        _check_rounds(body["sandbox"].get("rounds", ()), book)


def check_bot(name: str, field: str) -> None:
    """Checks that the service has a bot of this name.

    Raises:
        Refused: `invalid_request`.
    """
    if name not in BOTS:
        raise invalid(field, f"There is no such bot; there are {', '.join(sorted(BOTS))}.")


def _rulebook(edition: str, seats: Sequence[Any], options: Mapping[str, str]) -> Rulebook:
    known = EDITIONS.get(edition)
    if known is None:
        raise invalid("edition", f"There is no such edition; there are {', '.join(EDITIONS)}.")
    if len(seats) not in known.seats:
        raise invalid("seats", f"This edition is for {known.seats[0]} to {known.seats[-1]} seats.")
    try:
        return rulebook(edition, len(seats), options)
    except UnknownEdition as error:
        raise invalid("options", f"{error}.") from None


def _check_seat(seat: Mapping[str, str], field: str) -> None:
    if seat["kind"] != "bot":
        if "bot" in seat:
            raise invalid(f"{field}.bot", "Only a seat of the kind `bot` names a bot.")
    elif "bot" not in seat:
        raise invalid(f"{field}.bot", "A seat of the kind `bot` names its bot.")
    else:
        check_bot(seat["bot"], f"{field}.bot")


def _check_rounds(rounds: Sequence[Mapping[str, Any]], book: Rulebook) -> None:
    for i, chosen in enumerate(rounds):
        field = f"sandbox.rounds.{i}"
        if chosen.get("starter", 0) not in range(book.seats):
            raise invalid(f"{field}.starter", f"The table has seats 0 to {book.seats - 1}.")
        surplus = Counter(chosen.get("order", ())) - Counter(book.deck)
        if surplus:
            raise invalid(f"{field}.order", f"The deck does not hold that many of: {', '.join(sorted(surplus))}.")
