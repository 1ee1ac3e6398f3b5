"""The events, one shape per type, derived from the engine's registry so that the document cannot drift from it.

An event is an envelope around its data. Both have a name in the document: `CardPlayed` is the data, `CardPlayedEvent`
the envelope. What a viewer may not see is null in the same places, so one shape serves every viewer.
"""

import dataclasses
import types
import typing
from collections.abc import Callable
from typing import Any, Final

import marshmallow as ma

from api.schemas.fields.base import Constant, Flag, Integer, Items, OpenObject, Part, Text, Union, UtcTime, Word, Words
from api.schemas.fields.vocabulary import CARD
from api.schemas.games import Clock, ForkPoint, Game, MatchGame
from engine.audience import audience_of, doc_of
from engine.events import EVENTS, Event

CARD_FIELDS: Final = frozenset({"card", "cards", "deck", "guess", "hands", "set_aside", "shown_aside", "target_cards"})
"""The fields of events whose strings are cards."""


class SandboxRound(OpenObject):
    """How one round of a sandbox game was chosen to begin."""

    starter = Integer("The seat that begins; null when the rules decide.", allow_none=True)
    order = Items(Word(CARD, "A card."), "The chosen part of the shuffled deck, from the top.")


class Standing(OpenObject):
    """How a seat stands at the showdown of a round."""

    seat = Integer("The seat.")
    card = Word(CARD, "The card in its hand.")
    number = Integer("The number printed on the card.")
    counted = Integer(
        "What the card counts; null when it does not count, removed by an equal number or beaten by `changed_by`.",
        allow_none=True,
    )
    changed_by = Word(
        CARD,
        "The card that changes what it counts: a `count` that adds, the `princess` that beats a Bishop, a "
        "`liber_ivonis` that keeps the seat in despite an equal number. Otherwise null.",
        allow_none=True,
    )
    discard_sum = Integer(
        "The sum of its discards where they decide between equal numbers, else null.", allow_none=True
    )


class Marked(OpenObject):
    """A card that marks a seat for the rest of the round."""

    card = Word(CARD, "The card.")
    seat = Integer("The seat that played it.")
    target = Integer("The marked seat.")


def numbers(description: str) -> Items:
    """Returns a field for numbers."""
    return Items(Integer("One of them."), description)


class SandboxPosition(OpenObject):
    """The position that a round of a sandbox game was chosen to begin with; null where chance or the rules decide."""

    hands = Items(Items(Word(CARD, "A card."), "A hand."), "By seat, the hand.", allow_none=True)
    discards = Items(Items(Word(CARD, "A card."), "A pile."), "By seat, the discards.", allow_none=True)
    deck = Items(Word(CARD, "A card."), "What is left to draw, the top first.", allow_none=True)
    set_aside = Word(CARD, "The card set aside face down.", allow_none=True)
    shown_aside = Items(Word(CARD, "A card."), "The cards set aside face up.", allow_none=True)
    out = Items(Integer("A seat."), "The seats that are out.", allow_none=True)
    protected = Items(Integer("A seat."), "The seats that cannot be chosen.", allow_none=True)
    bound = Integer("The seat that the next card must choose, if it chooses.", allow_none=True)
    marks = Items(Part(Marked()), "The cards that mark a seat.", allow_none=True)
    tokens = Items(Integer("How many."), "By seat, the tokens of both kinds.", allow_none=True)
    insane_tokens = Items(Integer("How many."), "By seat, how many of the tokens are insane.", allow_none=True)
    turn = Integer("The seat whose turn it is.", allow_none=True)


class Lying(OpenObject):
    """What lies open in a round that begins with a chosen position."""

    discards = Items(Items(Word(CARD, "A card."), "A pile, the oldest card first."), "By seat, the discards.")
    out = numbers("The seats that are out of the round.")
    protected = numbers("The seats that cannot be chosen until their next turn.")
    bound = Integer("The seat that the next card played must choose, if it chooses; null for none.", allow_none=True)
    marks = Items(Part(Marked()), "The cards that mark a seat.")
    drawn = Flag("Whether the seat whose turn it is was given two cards: the one that it draws now is the second.")


class TakenBreak(OpenObject):
    """The last break of a seat, as in `break_taken`."""

    seat = Integer("The seat.")
    days = Integer("The days; 0 if it is over because the seat has acted.")
    until = Text("When it is over.")
    still_ms = Integer("For how long the clock stands still up to then, in milliseconds.")
    days_left = Integer("How many days off the player has left, in the year in which it begins.")


PLAIN: Final[dict[Any, Callable[..., "ma.fields.Field[Any]"]]] = {str: Text, int: Integer, bool: Flag}
OBJECTS: Final[dict[str, type[ma.Schema]]] = {
    "breaks": TakenBreak,
    "clock": Clock,
    "forked_from": ForkPoint,
    "match": MatchGame,
    "position": Lying,
    "sandbox_positions": SandboxPosition,
    "sandbox_rounds": SandboxRound,
    "standings": Standing,
}
"""The fields whose values are objects, by name."""


def event_field(field: "dataclasses.Field[Any]") -> "ma.fields.Field[Any]":
    """Returns the field for one field of an event.

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
    """Returns the field for a value that is no list."""
    options: dict[str, Any] = {"allow_none": True} if nullable else {}
    if kind is str and name in CARD_FIELDS:
        return Word(CARD, doc, **options)
    if kind in PLAIN:
        return PLAIN[kind](doc, **options)
    if name in OBJECTS:
        return Part(OBJECTS[name](), doc, **options)
    if name == "options":
        return Words(doc, **options)
    raise TypeError(f"no shape is known for {name}: {kind}")


def without_none(kind: Any) -> tuple[Any, bool]:
    """Returns a type without its None, and whether it had one."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        rest = [member for member in typing.get_args(kind) if member is not type(None)]
        if len(rest) == 1:
            return rest[0], True
    return kind, False


def data_schema(kind: type[Event]) -> ma.Schema:
    """Returns the marshmallow schema of an event's data."""
    fields = {field.name: event_field(field) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]  # a dataclass
    made: ma.Schema = type(kind.__name__, (OpenObject,), {"__doc__": kind.__doc__, **fields})()
    return made


def envelope(name: str, word: str, doc: str, data: ma.Schema) -> ma.Schema:
    """Returns the marshmallow schema of an event around its data."""
    members = {
        "__doc__": doc,
        "version": Integer("The event's number in the log, from 1 without gaps; the same for every viewer.", least=1),
        "type": Constant(word),
        "at": UtcTime("When it happened."),
        "data": Part(data),
        "text": Text(
            "What happened, as a sentence for the viewer in the language of the answer, without a full stop; null "
            "unless you send `text=true`.",
            allow_none=True,
        ),
    }
    made: ma.Schema = type(name, (OpenObject,), members)()
    return made


class OtherHappening(OpenObject):
    """Something this version of the document has no shape for."""

    kind = Text("What kind of thing it is.")
    data = ma.fields.Dict(metadata={"description": "Its members.", "additionalProperties": True})


OTHER = envelope("OtherEvent", "other", "Reserved for later additions: no event has this type today.", OtherHappening())


class GameEvent(Union):
    """Something that happened, told apart by `type`."""

    variants = (
        *(
            envelope(f"{kind.__name__}Event", word, kind.__doc__ or "", data_schema(kind))
            for word, kind in EVENTS.items()
        ),
        OTHER,
    )


class EventPage(OpenObject):
    """Events in order, without gaps."""

    events = Items(Part(GameEvent()), "The events.")
    version = Integer("The version of the last of them; ask for the events after it next.")
    finished = Flag("Whether the game has ended and no event will follow these.")


def _view_tag() -> Text:
    return Text(
        "The `ETag` that the view in `game` would have, quotes included: send it as `If-Match` when you act on it."
    )


class Frame(OpenObject):
    """One step of a game, as the caller may see it: the same as the answer to the action that caused it."""

    version = Integer("The version of the game after the step.")
    tag = _view_tag()
    events = Items(Part(GameEvent()), "The events of the step; none in the first frame of a stream.")
    game = Part(Game(), "The game after the step.")


class FramePage(OpenObject):
    """Frames in order, without gaps."""

    frames = Items(Part(Frame()), "The frames.")
    version = Integer("The version of the last of them; ask for the frames after it next.")
    finished = Flag("Whether the game has ended and no frame will follow these.")


class ActionResult(OpenObject):
    """The outcome of an action."""

    version = Integer("The version of the game now.")
    tag = _view_tag()
    events = Items(Part(GameEvent()), "The events the action caused, as the caller may see them.")
    game = Part(Game(), "The game as the caller sees it now.")
