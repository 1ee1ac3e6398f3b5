"""Lets an event declare who may see each of its fields.

Redaction is closed by default: a field that declares nothing is an error when the module is imported, so no event can
be written whose audience was forgotten.
"""

import dataclasses
from typing import Any, TypeAlias, get_type_hints

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


Declared: TypeAlias = dict[str, Any]
"""The metadata of an event's field: who may see it, and the sentence that documents it."""


def public(doc: str) -> Declared:
    """Declares an event's field that every viewer sees."""
    return {_AUDIENCE: EVERYBODY, _DOC: doc}


def shown_to(*seat_fields: str, doc: str) -> Declared:
    """Declares an event's field that only the seats held by the named fields see; everybody else sees null."""
    return {_AUDIENCE: Audience(seats_in=seat_fields), _DOC: doc}


def shown_to_each(*seat_fields: str, doc: str) -> Declared:
    """Declares an event's list with one item per seat, of which each seat sees its own and null for the rest.

    The seats held by the named fields see all of it.
    """
    return {_AUDIENCE: Audience(seats_in=seat_fields, own_item=True), _DOC: doc}


def hidden(doc: str) -> Declared:
    """Declares an event's field that nobody sees before the game has ended."""
    return {_AUDIENCE: NOBODY, _DOC: doc}


def declare(kind: Any, type_name: str, names: dict[str, Any]) -> None:
    """Makes a dataclass an event stored under `type_name`; `names` are those of its module.

    Raises:
        TypeError: a field does not declare its audience, or names a field that is not there.
    """
    fields = dataclasses.fields(kind)
    kinds = get_type_hints(kind, names)
    kind.type = type_name
    kind.fields = tuple(f.name for f in fields)
    for f in fields:
        audience = f.metadata.get(_AUDIENCE)
        if audience is None:
            raise TypeError(f"{kind.__name__}.{f.name} does not declare who may see it")
        if not set(audience.seats_in) <= set(kind.fields):
            raise TypeError(f"{kind.__name__}.{f.name} is shown to the seat of a field that does not exist")
        f.type = kinds[f.name]
    kind.secrets = tuple((f.name, f.metadata[_AUDIENCE]) for f in fields if not f.metadata[_AUDIENCE].everybody)


def audience_of(field: "dataclasses.Field[Any]") -> Audience:
    """Returns who may see an event's field."""
    audience: Audience = field.metadata[_AUDIENCE]
    return audience


def doc_of(field: "dataclasses.Field[Any]") -> str:
    """Returns the sentence that documents an event's field."""
    doc: str = field.metadata[_DOC]
    return doc
