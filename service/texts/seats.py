"""What players are called in sentences; who they are and what they know is decided elsewhere."""

from collections.abc import Sequence

from service.texts.catalogue import Catalogue


def labels(words: Catalogue, names: Sequence[str]) -> list[str]:
    """Returns what to call the player of each seat: the name, with the seat where two bear the same one.

    An empty name stands for a seat where nobody sits.
    """
    return [_label(words, seat, name, names.count(name) > 1) for seat, name in enumerate(names)]


def _label(words: Catalogue, seat: int, name: str, alike: bool) -> str:
    if not name:
        return words.text("seat.empty", seat=seat)
    return words.text("seat.named_alike", name=name, seat=seat) if alike else name
