"""How an event declares who may see each of its fields; the events themselves belong to `events`.

Redaction is closed by default: a field that declares nothing is an error when the module is imported, so no event can
be written whose audience was forgotten.
"""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

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
    """Declares a field that every viewer sees."""
    return dataclasses.field(metadata={_AUDIENCE: EVERYBODY, _DOC: doc})


def shown_to(*seat_fields: str, doc: str) -> Any:
    """Declares a field that only the seats held by the named fields see; everybody else sees null."""
    return dataclasses.field(metadata={_AUDIENCE: Audience(seats_in=seat_fields), _DOC: doc})


def shown_to_each(*seat_fields: str, doc: str) -> Any:
    """Declares a list with one item per seat, of which each seat sees its own and null for the rest.

    The seats held by the named fields see all of it.
    """
    return dataclasses.field(metadata={_AUDIENCE: Audience(seats_in=seat_fields, own_item=True), _DOC: doc})


def hidden(doc: str) -> Any:
    """Declares a field that nobody sees before the game has ended."""
    return dataclasses.field(metadata={_AUDIENCE: NOBODY, _DOC: doc})


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(public, shown_to, shown_to_each, hidden))
def event(type_name: str) -> Callable[[type[T]], type[T]]:
    """Makes a class an event stored under `type_name`.

    Events are frozen: the type checker refuses an assignment. Run-time freezing would double the cost of every event.

    Raises:
        TypeError: a field does not declare its audience, or names a field that is not there.
    """

    def decorate(cls: type[T]) -> type[T]:
        made = dataclasses.dataclass(slots=True)(cls)
        fields = dataclasses.fields(made)  # type: ignore[arg-type]  # a dataclass since the line above
        names = tuple(f.name for f in fields)
        for f in fields:
            audience = f.metadata.get(_AUDIENCE)
            if audience is None:
                raise TypeError(f"{cls.__name__}.{f.name} does not declare who may see it")
            if not set(audience.seats_in) <= set(names):
                raise TypeError(f"{cls.__name__}.{f.name} is shown to the seat of a field that does not exist")
        made.type = type_name  # type: ignore[attr-defined]  # declared by every event as a ClassVar
        made.fields = names  # type: ignore[attr-defined]  # as above
        made.secrets = tuple(  # type: ignore[attr-defined]  # as above
            (f.name, f.metadata[_AUDIENCE]) for f in fields if not f.metadata[_AUDIENCE].everybody
        )
        return made

    return decorate


def audience_of(field: "dataclasses.Field[Any]") -> Audience:
    """Returns who may see an event's field."""
    audience: Audience = field.metadata[_AUDIENCE]
    return audience


def doc_of(field: "dataclasses.Field[Any]") -> str:
    """Returns the sentence that documents an event's field."""
    doc: str = field.metadata[_DOC]
    return doc
