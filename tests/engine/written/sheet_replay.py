"""Replays a scoresheet to the log of its game, for the tests to hold what is recorded against."""

from collections.abc import Sequence

from engine import rules
from engine.errors import MalformedNotation
from engine.events import Event, fold
from engine.positions import complete
from engine.scoresheets.replay import repeat
from engine.scoresheets.scoresheet import Scoresheet, SheetRound, print_move
from tests.engine.given import timed_out


def replay(sheet: Scoresheet) -> list[Event]:
    """Returns the log of the game on a sheet, with events of its own for all that a sheet does not say.

    Raises:
        UnknownEdition: there is no such table.
        MalformedNotation: a round is not dealt from the table's deck, begins where none does, or others have won.
        IllegalAction: a move is against the rules.
    """
    positions = tuple([complete(played.position or {}) for played in sheet.rounds])
    chosen = positions if any(played.position for played in sheet.rounds) else ()
    created = rules.bare_table(sheet.edition, sheet.seats, sheet.options, sandbox=True, sandbox_positions=chosen)
    state = rules.begin(created)
    chance = WrittenChance(sheet.rounds)
    log: list[Event] = [created, *rules.start(state, [""] * sheet.seats, chance)]
    fold(state, log[1:])
    for number, played in enumerate(sheet.rounds, start=1):
        for move in played.moves:
            if state.round_number != number:
                raise MalformedNotation(f"round {number} is not being played at {print_move(move)!r}")
            happened = timed_out(state, move.seat, move.action, chance) if move.clock else repeat(state, move, chance)
            fold(state, happened)
            log += happened
    if sheet.winners != state.winners:
        raise MalformedNotation(f"{state.winners} have won, not {sheet.winners}")
    return log


class WrittenChance:
    """Chance that repeats what is on the sheet."""

    def __init__(self, rounds: Sequence[SheetRound]) -> None:
        self._rounds = rounds

    def _written_round(self, number: int) -> SheetRound:
        if number > len(self._rounds):
            raise MalformedNotation(f"round {number} is not on the sheet")
        return self._rounds[number - 1]

    def order(self, cards: Sequence[str], round_number: int) -> list[str]:
        """Returns the order on the sheet."""
        order = list(self._written_round(round_number).order)
        if sorted(order) != sorted(cards):
            raise MalformedNotation(f"round {round_number} is not dealt from the table's deck")
        return order

    def starter(self, seats: Sequence[int], round_number: int) -> int:
        """Returns the starter on the sheet."""
        return self._written_round(round_number).starter
