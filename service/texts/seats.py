"""What players are called in sentences; who they are and what they know is decided elsewhere."""

from collections.abc import Sequence

from service.texts.catalogue import Catalogue


def labels(words: Catalogue, names: Sequence[str]) -> list[str]:
    """Returns what to call the player of each seat: the name, with the seat where two bear the same one.

    An empty name stands for a seat where nobody sits.
    """
    return [_label(words, seat, name, names.count(name) > 1) for seat, name in enumerate(names)]


def with_seat(words: Catalogue, seat: int, name: str) -> str:
    """Returns what to call the player of a seat where it matters which one it is."""
    return words.text("seat.named", name=name, seat=seat) if name else words.text("seat.empty", seat=seat)


def _label(words: Catalogue, seat: int, name: str, alike: bool) -> str:
    return name if name and not alike else with_seat(words, seat, name)
