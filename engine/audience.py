"""Lets an event declare who may see each of its fields.

Redaction is closed by default: a field that declares nothing is an error when the module is imported, so no event can
be written whose audience was forgotten.
"""

import dataclasses
from typing import Any

_AUDIENCE = "audience"
_DOC = "doc"


@dataclasses.dataclass(frozen=True, slots=True)
class Audience:
    """Who may see a field: everybody, the seats named by other fields, each seat its own item, or nobody."""

    everybody: bool = False
    seats_in: tuple[str, ...] = ()
    own_item: bool = False


EVERYBODY = Audience(everybody=True)
NOBODY = Audience()


def public(doc: str) -> Any:
    """Declares an event's field that every viewer sees."""
    return _declared(EVERYBODY, doc)


def shown_to(*seat_fields: str, doc: str) -> Any:
    """Declares an event's field that only the seats held by the named fields see; everybody else sees null."""
    return _declared(Audience(seats_in=seat_fields), doc)


def shown_to_each(*seat_fields: str, doc: str) -> Any:
    """Declares an event's list with one item per seat, of which each seat sees its own and null for the rest.

    The seats held by the named fields see all of it.
    """
    return _declared(Audience(seats_in=seat_fields, own_item=True), doc)


def hidden(doc: str) -> Any:
    """Declares an event's field that nobody sees before the game has ended."""
    return _declared(NOBODY, doc)


def _declared(audience: Audience, doc: str) -> Any:
    return dataclasses.field(metadata={_AUDIENCE: audience, _DOC: doc})


def secrets_of(kind: Any) -> tuple[tuple[str, Audience], ...]:
    """Returns the fields of an event that not everybody sees, with those who do.

    Raises:
        TypeError: a field does not declare its audience, or names a field that is not there.
    """
    fields = dataclasses.fields(kind)
    names = {f.name for f in fields}
    for f in fields:
        if _AUDIENCE not in f.metadata:
            raise TypeError(f"{kind.__name__}.{f.name} does not declare who may see it")
        if not names.issuperset(audience_of(f).seats_in):
            raise TypeError(f"{kind.__name__}.{f.name} is shown to the seat of a field that does not exist")
    return tuple((f.name, audience_of(f)) for f in fields if not audience_of(f).everybody)


def audience_of(field: "dataclasses.Field[Any]") -> Audience:
    """Returns who may see an event's field."""
    audience: Audience = field.metadata[_AUDIENCE]
    return audience


def doc_of(field: "dataclasses.Field[Any]") -> str:
    """Returns the sentence that documents an event's field."""
    doc: str = field.metadata[_DOC]
    return doc
