"""What a table may be, checked against the editions when it is opened; shapes and types are for the api to check."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.bots import BOTS
from engine.editions import EDITIONS, rulebook
from engine.events import BANK
from engine.rulebook import Edition, Rulebook
from service.errors import Refused, invalid


def check_table(body: Mapping[str, Any]) -> None:
    """Checks what a table is to be.

    Raises:
        Refused: `invalid_request`, with the field that cannot be.
    """
    seats = body["seats"]
    book = _rulebook(body["edition"], seats, body.get("options", {}))
    if sum(seat["kind"] == "creator" for seat in seats) > 1:
        raise invalid("seats", "fault.one_creator")
    for i, seat in enumerate(seats):
        _check_seat(seat, f"seats.{i}")
    if body.get("starter", 0) not in range(len(seats)):
        raise invalid("starter", "fault.no_such_seat", last=len(seats) - 1)
    clock = body.get("clock", {})
    if "increment" in clock and clock.get("kind") != BANK:
        raise invalid("clock.increment", "fault.increment_without_bank")
    if "sandbox" in body:
        _check_rounds(body["sandbox"].get("rounds", ()), book)


def check_bot(name: str, field: str) -> None:
    """Checks that the service has a bot of this name.

    Raises:
        Refused: `invalid_request`.
    """
    if name not in BOTS:
        raise invalid(field, "fault.no_such_bot", bots=", ".join(sorted(BOTS)))


def _rulebook(edition: str, seats: Sequence[Any], options: Mapping[str, str]) -> Rulebook:
    known = EDITIONS.get(edition)
    if known is None:
        raise invalid("edition", "fault.no_such_edition", editions=", ".join(EDITIONS))
    if len(seats) not in known.seats:
        raise invalid("seats", "fault.seats_of_edition", fewest=known.seats[0], most=known.seats[-1])
    _check_options(options, known)
    return rulebook(edition, len(seats), options)


def _check_options(options: Mapping[str, str], edition: Edition) -> None:
    for name, value in options.items():
        values = edition.options.get(name)
        if values is None:
            raise _no_such_option(name, edition)
        if value not in values:
            raise invalid(f"options.{name}", "fault.one_of", words=", ".join(values))


def _no_such_option(name: str, edition: Edition) -> Refused:
    field, options = f"options.{name}", ", ".join(f"`{option}`" for option in edition.options)
    if not options:
        return invalid(field, "fault.no_options", edition=edition.id)
    return invalid(field, "fault.no_such_option", edition=edition.id, options=options)


def _check_seat(seat: Mapping[str, str], field: str) -> None:
    if (seat["kind"] == "invited") != ("player" in seat):
        raise invalid(f"{field}.player", "fault.required" if "player" not in seat else "fault.player_not_allowed")
    if seat["kind"] != "bot":
        if "bot" in seat:
            raise invalid(f"{field}.bot", "fault.bot_not_allowed")
    elif "bot" not in seat:
        raise invalid(f"{field}.bot", "fault.bot_required")
    else:
        check_bot(seat["bot"], f"{field}.bot")


def _check_rounds(rounds: Sequence[Mapping[str, Any]], book: Rulebook) -> None:
    for i, chosen in enumerate(rounds):
        field = f"sandbox.rounds.{i}"
        if chosen.get("starter", 0) not in range(book.seats):
            raise invalid(f"{field}.starter", "fault.no_such_seat", last=book.seats - 1)
        surplus = Counter(chosen.get("order", ())) - Counter(book.deck)
        if surplus:
            raise invalid(f"{field}.order", "fault.not_in_deck", cards=", ".join(sorted(surplus)))
