"""Checks the request for a table against the editions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.bots import BOTS
from engine.editions import EDITIONS, rulebook
from engine.errors import ImpossiblePosition
from engine.events import BANK
from engine.positions import check_position, given_of
from engine.rulebook import Edition, Rulebook
from engine.state import GameState
from games.clocks.breaks import is_by_the_day
from games.errors import Refused, invalid
from games.texts.plays import numbered


def check_table(body: Mapping[str, Any]) -> None:
    """Checks the request to open a table: what the table is to be.

    Raises:
        Refused: `invalid_request`, with the field that cannot be.
    """
    seats = body["seats"]
    book = _rulebook_of_table(body["edition"], seats, body.get("options", {}))
    if sum(seat["kind"] == "creator" for seat in seats) > 1 and "sandbox" not in body:
        raise invalid("seats", "fault.one_creator")
    for i, seat in enumerate(seats):
        _check_table_seat(seat, f"seats.{i}")
    if body.get("starter", 0) not in range(len(seats)):
        raise invalid("starter", "fault.no_such_seat", last=len(seats) - 1)
    check_contribution(body)
    if body.get("rated"):
        _check_rated(body)
    clock = body.get("clock", {})
    if "increment" in clock and clock.get("kind") != BANK:
        raise invalid("clock.increment", "fault.increment_without_bank")
    if clock.get("break_days", 0) and not is_by_the_day(clock):
        raise invalid("clock.break_days", "fault.break_days_of_a_short_clock")
    if "sandbox" in body:
        _check_sandbox(body["sandbox"], book)
        _check_starter(body.get("starter"), body["sandbox"])


def check_contribution(body: Mapping[str, Any]) -> None:
    """Checks the contribution to the shuffle of a player who takes a seat at a table.

    Raises:
        Refused: `invalid_request`, it is both a nonce and the hash of one, or the seat is not for the caller.
    """
    if "nonce_hash" not in body:
        return
    if "nonce" in body:
        raise invalid("nonce_hash", "fault.nonce_or_hash")
    if "bot" in body or "player" in body:
        raise invalid("nonce_hash", "fault.nonce_hash_of_others")


def check_bot(name: str, field: str) -> None:
    """Checks that the service has the bot that a request for a table names.

    Raises:
        Refused: `invalid_request`.
    """
    if name not in BOTS:
        raise invalid(field, "fault.no_such_bot", bots=", ".join(sorted(BOTS)))


def _rulebook_of_table(edition: str, seats: Sequence[Any], options: Mapping[str, str]) -> Rulebook:
    known = EDITIONS.get(edition)
    if known is None:
        raise invalid("edition", "fault.no_such_edition", editions=", ".join(EDITIONS))
    if len(seats) not in known.seats:
        raise invalid("seats", "fault.seats_of_edition", fewest=known.seats[0], most=known.seats[-1])
    _check_table_options(options, known)
    return rulebook(edition, len(seats), options)


def _check_table_options(options: Mapping[str, str], edition: Edition) -> None:
    for name, value in options.items():
        values = edition.options.get(name)
        if values is None:
            raise _no_such_table_option(name, edition)
        if value not in values:
            raise invalid(f"options.{name}", "fault.one_of", words=", ".join(values))


def _no_such_table_option(name: str, edition: Edition) -> Refused:
    field, options = f"options.{name}", ", ".join(f"`{option}`" for option in edition.options)
    if not options:
        return invalid(field, "fault.no_options", edition=edition.id)
    return invalid(field, "fault.no_such_option", edition=edition.id, options=options)


def _check_table_seat(seat: Mapping[str, str], field: str) -> None:
    if (seat["kind"] == "invited") != ("player" in seat):
        raise invalid(f"{field}.player", "fault.required" if "player" not in seat else "fault.player_not_allowed")
    if seat["kind"] != "bot":
        if "bot" in seat:
            raise invalid(f"{field}.bot", "fault.bot_not_allowed")
    elif "bot" not in seat:
        raise invalid(f"{field}.bot", "fault.bot_required")
    else:
        check_bot(seat["bot"], f"{field}.bot")


def _check_rated(body: Mapping[str, Any]) -> None:
    """Checks that the game of a table may count for ratings: anybody can see it, chance deals, and players compete."""
    if body.get("visibility", "public") != "public":
        raise invalid("rated", "fault.rated_is_public")
    if "sandbox" in body:
        raise invalid("rated", "fault.rated_is_no_sandbox")
    if sum(seat["kind"] != "bot" for seat in body["seats"]) < 2:
        raise invalid("rated", "fault.rated_needs_players")


def _check_sandbox(sandbox: Mapping[str, Any], book: Rulebook) -> None:
    """Checks that a table's sandbox chooses something, that it can be, and that no round is chosen twice."""
    rounds, positions = sandbox.get("rounds"), sandbox.get("positions")
    if rounds is None and positions is None:
        raise invalid("sandbox", "fault.sandbox_of_nothing")
    for name in ("rounds", "positions"):
        if name in sandbox and not sandbox[name]:
            raise invalid(f"sandbox.{name}", "fault.empty_list")
    _check_sandbox_rounds(rounds or (), book)
    _check_sandbox_positions(positions or (), book)
    for i, (chosen, position) in enumerate(zip(rounds or (), positions or (), strict=False)):
        if chosen and given_of(position):
            raise invalid(f"sandbox.positions.{i}", "fault.round_given_twice", number=i + 1)


def _check_sandbox_positions(positions: Sequence[Mapping[str, Any]], book: Rulebook) -> None:
    for i, position in enumerate(positions):
        if not given_of(position):
            continue  # a round by the rules
        try:
            check_position(GameState.empty(book), position)
        except ImpossiblePosition as fault:
            field = ".".join(part for part in (f"sandbox.positions.{i}", fault.field) if part)
            raise invalid(field, f"fault.position.{fault.reason}", **_as_people_count(fault.values)) from None


def _as_people_count(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of a refusal to open a table, with the seat that it names as people count it."""
    return {name: numbered(value) if name == "seat" else value for name, value in values.items()}


def _check_starter(starter: int | None, sandbox: Mapping[str, Any]) -> None:
    """Checks that the table's starting seat is given once, or the same twice."""
    for name, member in (("rounds", "starter"), ("positions", "turn")):
        chosen = [one.get(member) for one in sandbox.get(name, ())[:1]]
        if starter is not None and any(seat not in (None, starter) for seat in chosen):
            raise invalid(
                "starter", "fault.other_starter", place=f"sandbox.{name}.0.{member}", seat=numbered(chosen[0])
            )


def _check_sandbox_rounds(rounds: Sequence[Mapping[str, Any]], book: Rulebook) -> None:
    for i, chosen in enumerate(rounds):
        field = f"sandbox.rounds.{i}"
        if chosen.get("starter", 0) not in range(book.seats):
            raise invalid(f"{field}.starter", "fault.no_such_seat", last=book.seats - 1)
        surplus = Counter(chosen.get("order", ())) - Counter(book.deck)
        if surplus:
            raise invalid(f"{field}.order", "fault.not_in_deck", cards=", ".join(sorted(surplus)))
