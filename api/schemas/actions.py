"""The actions a seat may send, one closed shape per type."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import marshmallow as ma

from api.schemas.fields.base import (
    MAX_SEAT,
    ClosedObject,
    Constant,
    Flag,
    Integer,
    Items,
    OpenObject,
    Part,
    Text,
    Union,
    Word,
    seat_number,
)
from api.schemas.fields.checks import wrong
from api.schemas.fields.vocabulary import CARD, FACE, REACTION
from engine import actions
from engine.actions import ACTIONS, MEMBERS, Action, Member
from engine.errors import MalformedAction
from engine.logs import codec
from games.errors import invalid
from games.messages import Message

MAX_CARDS = 8
"""More cards than one action ever names."""
MAX_NUMBER = 9
"""The highest number of a card."""


class ReactionSetup(ClosedObject):
    """What you tell the others beside the game."""

    reaction = Word(REACTION, "The word.", required=True)


class HandGift(ClosedObject):
    """A card and who gets it."""

    seat = seat_number("Who gets the card.", required=True)
    card = Word(CARD, "The card.", required=True)


FIELDS: Final[Mapping[str, Callable[..., Any]]] = {
    actions.CARD: partial(Word, CARD),
    actions.CARDS: lambda doc, each, **more: Items(Word(CARD, each), doc, most=MAX_CARDS, **more),
    actions.SEAT: seat_number,
    actions.SEATS: lambda doc, each, **more: Items(seat_number(each), doc, most=MAX_SEAT + 1, **more),
    actions.NUMBER: partial(Integer, most=MAX_NUMBER),
    actions.FACE: partial(Word, FACE),
    actions.FLAG: Flag,
    actions.HANDS: partial(Items, Part(HandGift()), most=MAX_SEAT + 1),
}
"""By kind of member: makes its field."""


class _ActionSchema(ClosedObject):
    """The base of the shapes of actions."""

    @ma.post_load
    def read(self, data: Any, **options: Any) -> Action:
        """Returns the action that was read.

        Raises:
            Refused: `invalid_request`, it is malformed.
        """
        try:
            return codec.read_action(data)
        except MalformedAction:
            raise invalid("action", "fault.no_action") from None

    @ma.validates_schema
    def one_guess(self, data: Any, **options: Any) -> None:
        """Refuses to name both a character and a number."""
        if "guess" in data and "guess_value" in data:
            raise ma.ValidationError({"guess_value": [Message("fault.one_guess")]})


def _action_field(member: Member) -> Any:
    more: dict[str, Any] = {"required": True} if member.required else {}
    return FIELDS[member.kind](member.doc, **more, **({"each": member.each} if member.each else {}))


def _action_schema(name: str) -> ma.Schema:
    """Returns the marshmallow schema of a type of action, by its declaration in the engine."""
    kind = ACTIONS[name]
    members = {member.name: _action_field(member) for member in MEMBERS[name]}
    made: type[ma.Schema] = type(
        kind.__name__, (_ActionSchema,), {"__doc__": kind.__doc__, "type": Constant(name), **members}
    )
    return made()


class GameAction(Union):
    """What a seat asks for, told apart by `type`."""

    variants = tuple(map(_action_schema, ACTIONS))

    def load(self, data: Any, **options: Any) -> Any:
        """Returns an action as its variant reads it.

        Raises:
            ValidationError: it is no action; the likeliest mistake has a sentence of its own.
        """
        if isinstance(data, dict) and "action" in data and self.tag not in data:
            raise wrong(Message("fault.item_of_legal_actions"))
        return super().load(data, **options)


class LegalAction(OpenObject):
    """An action the viewer may take now."""

    action = Part(GameAction(), "The action; post it back unchanged.")
    text = Text("The same in words.")
