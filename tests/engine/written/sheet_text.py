"""Scoresheets as text, for the tests to read and write whole games.

    edition standard
    seats 2
    round 1 starter 0
    deck guard*2,spy,baron,priest,king,...
    0 guard>1:priest
    1 spy clock
    0 keep king/guard,spy
    1 leaves resigned
    won 0

A round of a sandbox that began with a position has a line `position` in place of the deck, with nothing left to chance:
`position hands guard,prince/priest deck none set_aside princess turn 0`, as in `notation`.

`clock` marks a move taken for a seat whose time was up. A seat that left while a decision waited for it has the answer
before the word: `0 keep king/guard,spy leaves resigned`. Empty lines and lines that begin with `#` mean nothing.
"""

import re

from engine.errors import MalformedNotation
from engine.scoresheets.notation import parse_action, parse_deck, parse_position, print_deck, print_position
from engine.scoresheets.scoresheet import Move, Scoresheet, SheetRound, print_move


def print_scoresheet(sheet: Scoresheet) -> str:
    """Returns a sheet as lines of text."""
    lines = [f"edition {sheet.edition}", f"seats {sheet.seats}"]
    lines += [f"option {name} {value}" for name, value in sheet.options.items()]
    for number, played in enumerate(sheet.rounds, start=1):
        lines += [f"round {number} starter {played.starter}", _print_dealt(played)]
        lines += [print_move(move) for move in played.moves]
    if sheet.winners:
        lines.append(f"won {','.join(map(str, sheet.winners))}")
    return "\n".join(lines) + "\n"


def _print_dealt(played: SheetRound) -> str:
    if played.position is not None:
        return f"position {print_position(played.position)}"
    return f"deck {print_deck(played.order)}"


def parse_scoresheet(text: str) -> Scoresheet:
    """Returns the sheet that a text stands for; whether it follows the rules is for `replay` to say.

    Raises:
        MalformedNotation: it is not in the notation.
    """
    lines = _Lines(text)
    edition = lines.take("edition ([a-z_]+)")[1]
    seats = int(lines.take(r"seats ([0-9]+)")[1])
    options = {found[1]: found[2] for found in lines.take_all("option ([a-z_]+) ([a-z_]+)")}
    rounds: list[SheetRound] = []
    while found := lines.match(rf"round {len(rounds) + 1} starter ([0-9]+)"):
        placed = lines.match("position (.+)")
        position = parse_position(placed[1]) if placed else None
        order = () if placed else parse_deck(lines.take("deck (.+)")[1])
        rounds.append(
            SheetRound(int(found[1]), order, tuple([_move(line) for line in lines.take_all(_MOVE)]), position)
        )
    won = lines.match(r"won ([0-9]+(?:,[0-9]+)*)")
    lines.end()
    winners = tuple([int(seat) for seat in won[1].split(",")]) if won else ()
    return Scoresheet(edition, seats, tuple(rounds), winners, options)


_MOVE = r"(?P<seat>[0-9]+)(?: (?P<action>(?!leaves ).+?))?(?:(?P<clock> clock)| leaves (?P<leaves>resigned|timed_out))?"


def _move(found: re.Match[str]) -> Move:
    if found["action"] is None and found["leaves"] is None:
        raise MalformedNotation(f"not a move: {found[0]!r}")
    action = parse_action(found["action"]) if found["action"] else None
    return Move(int(found["seat"]), action, found["clock"] is not None, found["leaves"])


class _Lines:
    """The lines of a text that mean something, read one after the other."""

    def __init__(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines()]
        self._lines = [line for line in lines if line and not line.startswith("#")][::-1]

    def match(self, pattern: str) -> re.Match[str] | None:
        """Takes the next line if it matches."""
        found = re.fullmatch(pattern, self._lines[-1]) if self._lines else None
        if found is not None:
            self._lines.pop()
        return found

    def take(self, pattern: str) -> re.Match[str]:
        """Takes the next line, which must match."""
        found = self.match(pattern)
        if found is None:
            raise MalformedNotation(f"{pattern!r} was expected, not {self._lines[-1:]}")
        return found

    def take_all(self, pattern: str) -> list[re.Match[str]]:
        """Takes lines as long as they match."""
        found = []
        while (match := self.match(pattern)) is not None:
            found.append(match)
        return found

    def end(self) -> None:
        """Makes sure that nothing is left."""
        if self._lines:
            raise MalformedNotation(f"not a line of a scoresheet: {self._lines[-1]!r}")
