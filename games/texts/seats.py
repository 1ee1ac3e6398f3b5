"""Names players in sentences."""

from collections.abc import Sequence

from games.texts.catalogue import Catalogue


def labels(words: Catalogue, names: Sequence[str]) -> list[str]:
    """Returns what texts call each seat's player: the name, with the seat number if two players share it.

    An empty name means an empty seat.
    """
    return [
        name if name and names.count(name) == 1 else with_seat(words, seat, name) for seat, name in enumerate(names)
    ]


def with_seat(words: Catalogue, seat: int, name: str) -> str:
    """Returns a player's name with the seat, for texts where the seat matters."""
    number = numbered(seat)
    return words.text("seat.named", name=name, seat=number) if name else words.text("seat.empty", seat=number)


def numbered(seat: int) -> int:
    """Returns the number of a seat in texts for people, who count from one; interfaces count from zero."""
    return seat + 1
