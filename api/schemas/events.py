"""What happened, one shape per type, made from the engine's registry so that the document cannot drift from it.

An event is an envelope around its data. Both have a name in the document: `CardPlayed` is the data, `CardPlayedEvent`
the envelope. What a viewer may not see is null in the same places, so one shape serves every viewer.
"""

import dataclasses
import types
import typing
from typing import Any

import marshmallow as ma

from api.schemas.base import Constant, Flag, Integer, Items, Moment, Open, Part, Text, Union, Word, Words
from api.schemas.games import Clock, ForkPoint, Game
from api.schemas.vocabulary import CARD
from engine.audience import audience_of, doc_of
from engine.events import EVENTS, Event
from service.known_words import CARD_FIELDS


class SandboxRound(Open):
    """How one round of a sandbox game was chosen to begin."""

    starter = Integer("The seat that begins; null when the rules decide.", allow_none=True)
    order = Items(Word(CARD, "A card."), "The chosen part of the shuffled deck, from the top.")


OBJECTS: dict[str, Any] = {
    "clock": lambda doc, **options: Part(Clock(), doc, **options),
    "forked_from": lambda doc, **options: Part(ForkPoint(), doc, **options),
    "options": Words,
    "sandbox_rounds": lambda doc, **options: Part(SandboxRound(), doc, **options),
}
"""The fields whose values are objects, by name."""


def event_field(field: "dataclasses.Field[Any]") -> "ma.fields.Field[Any]":
    """Returns the shape of one field of an event.

    Raises:
        TypeError: the field has a type that no shape is known for.
    """
    doc = doc_of(field)
    hidden_from_some = not audience_of(field).everybody
    kind, nullable = without_none(field.type)
    if typing.get_origin(kind) is tuple:
        item, item_nullable = without_none(typing.get_args(kind)[0])
        inner = plain_field(field.name, item, "One of them.", item_nullable or hidden_from_some)
        return Items(inner, doc, allow_none=nullable)
    return plain_field(field.name, kind, doc, nullable or hidden_from_some)


def plain_field(name: str, kind: Any, doc: str, nullable: bool) -> "ma.fields.Field[Any]":
    """Returns the shape of a value that is no list."""
    options: dict[str, Any] = {"allow_none": True} if nullable else {}
    if kind is str and name in CARD_FIELDS:
        return Word(CARD, doc, **options)
    if kind is str:
        return Text(doc, **options)
    if kind is int:
        return Integer(doc, **options)
    if kind is bool:
        return Flag(doc, **options)
    if name in OBJECTS:
        made: ma.fields.Field[Any] = OBJECTS[name](doc, **options)
        return made
    raise TypeError(f"no shape is known for {name}: {kind}")


def without_none(kind: Any) -> tuple[Any, bool]:
    """Returns a type without its None, and whether it had one."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        rest = [member for member in typing.get_args(kind) if member is not type(None)]
        if len(rest) == 1:
            return rest[0], True
    return kind, False


def data_schema(kind: type[Event]) -> ma.Schema:
    """Returns the shape of an event's data."""
    fields = {field.name: event_field(field) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]  # a dataclass
    made: ma.Schema = type(kind.__name__, (Open,), {"__doc__": kind.__doc__, **fields})()
    return made


def envelope(name: str, word: str, doc: str, data: ma.Schema) -> ma.Schema:
    """Returns the shape of an event around its data."""
    members = {
        "__doc__": doc,
        "version": Integer("The event's number in the log, from 1 without gaps; the same for every viewer.", least=1),
        "type": Constant(word),
        "at": Moment("When it happened."),
        "data": Part(data),
        "text": Text(
            "What happened, in words for the viewer and in the language of the answer; null unless the call says "
            "`text=true`. A sentence without a full stop.",
            allow_none=True,
        ),
    }
    made: ma.Schema = type(name, (Open,), members)()
    return made


class OtherHappening(Open):
    """Something this version of the document has no shape for."""

    kind = Text("What kind of thing it is.")
    data = ma.fields.Dict(metadata={"description": "Whatever there is to say about it.", "additionalProperties": True})


OTHER = envelope(
    "OtherEvent", "other", "Reserved for what may be added later: today no event is of this type.", OtherHappening()
)


class GameEvent(Union):
    """Something that happened, told apart by `type`."""

    variants = (
        *(
            envelope(f"{kind.__name__}Event", word, kind.__doc__ or "", data_schema(kind))
            for word, kind in EVENTS.items()
        ),
        OTHER,
    )


class EventPage(Open):
    """Events in order, without gaps."""

    events = Items(Part(GameEvent()), "The events.")
    version = Integer("The version of the last of them; ask for the events after it next.")
    finished = Flag("Whether the game has ended and no event will follow these.")


class ActionResult(Open):
    """What came of an action."""

    version = Integer("The version of the game now.")
    events = Items(Part(GameEvent()), "The events the action caused, as the caller may see them.")
    game = Part(Game(), "The game as the caller sees it now.")
