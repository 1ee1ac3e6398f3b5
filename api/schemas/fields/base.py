"""The two kinds of object and the field types that all schemas use.

Requests are closed and strict: an unknown member, a string where a number belongs or a null is an error. Answers are
open and complete: every member is always there, and only those that say so can be null. Answers are described by these
schemas but never dumped through them; the tests hold real answers against the document instead.
"""

from dataclasses import dataclass
from typing import Any, Final

import marshmallow as ma

from api.schemas.fields.checks import (
    LENGTH_OF_LIST,
    LENGTH_OF_TEXT,
    Equal,
    FullMatch,
    Length,
    OneOf,
    Range,
    one_of,
    wrong,
)
from games.messages import Message

NO_OBJECT: Final = Message("fault.no_object")

MOST_FAULTS: Final = 50
"""How many faults of a request are named at most."""
MAX_SEAT = 7
"""The highest seat number of the largest table."""
MAX_VERSION = 2**31 - 1
"""The highest version that a request may name."""


class ClosedObject(ma.Schema):
    """An object that a client sends: unknown members are refused, and the known ones listed."""

    error_messages: dict[str, Any] = {"type": NO_OBJECT}  # noqa: RUF012  # marshmallow declares no ClassVar

    class Meta:
        """Refuses what is not declared."""

        unknown = ma.RAISE

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        known = [field.data_key or name for name, field in self.fields.items()]
        message = Message("fault.not_known", {"known": ", ".join(known)}) if known else Message("fault.no_query")
        self.error_messages["unknown"] = message


class OpenObject(ma.Schema):
    """An object the service answers with: every declared member is there, more may be added later."""

    class Meta:
        """Leaves room for later members."""

        unknown = ma.EXCLUDE

    def on_bind_field(self, field_name: str, field_obj: "ma.fields.Field[Any]") -> None:
        """Makes every field required."""
        field_obj.required = True


class Query(ClosedObject):
    """The parameters of a query: each at most once, and no others."""

    of_stream = False
    """Whether polyfills of `EventSource` may add theirs."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A closed set of words with a name of its own in the document."""

    name: str
    description: str
    words: tuple[str, ...]


class PlainField(ma.fields.Field[Any]):
    """A field with a description, which says in texts by key what is wrong with a value."""

    expected = Message("fault.not_expected")
    """What is wrong with a value of another kind."""

    def __init__(self, description: str | None, **options: Any) -> None:
        if description is not None:
            options["metadata"] = {"description": description, **options.get("metadata", {})}
        super().__init__(**options)

    def make_error(self, key: str, **values: Any) -> ma.ValidationError:
        """Returns the fault in a text by key, in place of marshmallow's words."""
        if key == "required":
            return wrong(Message("fault.required"))
        if key == "null":
            return wrong(Message("fault.null") if self.required else Message("fault.null_for_absent"))
        return wrong(self.expected)


class Text(PlainField, ma.fields.String):
    """A string."""

    expected = Message("fault.no_string")

    def __init__(self, description: str, *, least: int = 0, most: int | None = None, **options: Any) -> None:
        if most is not None:
            length = Length(least, most, LENGTH_OF_TEXT)
            options["validate"] = [length, *options.get("validate", [])]
        super().__init__(description, **options)

    def _validate(self, value: Any) -> None:
        """Raises the first error alone."""
        for check in self.validators:
            check(value)


class Words(PlainField, ma.fields.Dict):
    """An object whose members are words; for answers only."""

    def __init__(self, description: str, **options: Any) -> None:
        super().__init__(description, keys=ma.fields.String(), values=ma.fields.String(), **options)


class Word(PlainField, ma.fields.String):
    """One word of a vocabulary."""

    expected = Message("fault.no_string")

    def __init__(self, vocabulary: Vocabulary, description: str, **options: Any) -> None:
        self.vocabulary = vocabulary
        super().__init__(description, validate=OneOf(vocabulary.words), **options)


class Constant(PlainField, ma.fields.String):
    """The member that tells the variants of a union apart: always the same string."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(None, required=True, validate=Equal(word))


class Integer(PlainField, ma.fields.Integer):
    """A JSON integer: `6` and `6.0`, but not `"6"`, `true` or `6.5`."""

    expected = Message("fault.no_whole_number")

    def __init__(self, description: str, *, least: int = 0, most: int | None = None, **options: Any) -> None:
        super().__init__(description, validate=Range(least, most), **options)

    def _validated(self, value: Any) -> int:
        if type(value) is not int and not (type(value) is float and value.is_integer()):
            raise self.make_error("invalid", input=value)
        return int(value)


class Share(PlainField, ma.fields.Float):
    """A part of a whole, from 0 to 1, or the difference of two; for answers only."""

    def __init__(self, description: str, *, least: int = 0, **options: Any) -> None:
        super().__init__(description, validate=ma.validate.Range(least, 1), **options)


class Digits(PlainField, ma.fields.Integer):
    """A number in a query: decimal digits and nothing else."""

    expected = Message("fault.no_decimal_digits")

    def __init__(self, description: str, *, least: int = 0, most: int, **options: Any) -> None:
        super().__init__(description, validate=Range(least, most), **options)

    def _validated(self, value: Any) -> int:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16):
            raise self.make_error("invalid", input=value)
        return int(value)


class Flag(PlainField, ma.fields.Boolean):
    """A JSON boolean and nothing that merely resembles one."""

    expected = Message("fault.no_flag")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Switch(PlainField, ma.fields.Boolean):
    """A yes or no in a query: `true` or `false` and nothing else."""

    expected = Message("fault.no_flag")

    def __init__(self, description: str, **options: Any) -> None:
        super().__init__(description, truthy={"true"}, falsy={"false"}, **options)


class UtcTime(PlainField, ma.fields.DateTime):
    """A time in UTC, RFC 3339 with `Z`; for answers only."""


class Items(PlainField, ma.fields.List[Any]):
    """A list."""

    expected = Message("fault.no_array")

    def __init__(
        self, of: "ma.fields.Field[Any]", description: str, *, least: int = 0, most: int | None = None, **options: Any
    ) -> None:
        self.length = Length(least or None, most, LENGTH_OF_LIST) if most is not None else None
        if self.length is not None:
            options["validate"] = self.length
        super().__init__(description, cls_or_instance=of, **options)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        # First of all: else a long list of items that are all wrong is answered with one thirty times its size.
        if not isinstance(value, list):
            raise self.make_error("invalid")
        if self.length is not None:
            self.length(value)
        read, wrong_ones, found = [], {}, 0
        for place, one in enumerate(value):
            try:
                read.append(self.inner.deserialize(one, **kwargs))
            except ma.ValidationError as error:
                wrong_ones[place] = error.messages
                found += _number_of(error.messages)
                if found >= MOST_FAULTS:
                    break  # the rest may be thousands, and none of them would be named
        if wrong_ones:
            raise ma.ValidationError(wrong_ones)
        return read


def _number_of(messages: Any) -> int:
    """Returns how many faults marshmallow's nested messages name."""
    if isinstance(messages, dict):
        return sum(map(_number_of, messages.values()))
    return len(messages) if isinstance(messages, list) else 1


class Part(PlainField, ma.fields.Nested):
    """An object inside an object."""

    def __init__(self, schema: ma.Schema, description: str | None = None, **options: Any) -> None:
        super().__init__(description, nested=schema, **options)


class Union(ma.Schema):
    """One of several objects, told apart by a constant member that each of them declares itself."""

    tag = "type"
    variants: tuple[ma.Schema, ...] = ()
    description = ""

    def __init__(self) -> None:
        super().__init__()
        self.by_word = {word_of(variant, self.tag): variant for variant in self.variants}

    def load(self, data: Any, **options: Any) -> Any:
        """Returns an object as its variant reads it.

        Raises:
            ValidationError: it is no object, is of no known kind, or its variant refuses it.
        """
        if not isinstance(data, dict):
            raise wrong(NO_OBJECT)
        if self.tag not in data:
            raise ma.ValidationError({self.tag: [Message("fault.tag_required", {"words": ", ".join(self.by_word)})]})
        word = data[self.tag]
        variant = self.by_word.get(word) if isinstance(word, str) else None
        if variant is None:
            raise ma.ValidationError({self.tag: [one_of(self.by_word, word)]})
        return variant.load(data)


def word_of(variant: ma.Schema, tag: str) -> str:
    """Returns the constant by which a variant is told from the others."""
    field = variant.fields[tag]
    assert isinstance(field, Constant)
    return field.word


def seat_number(description: str, **options: Any) -> Integer:
    """Returns a field for the number of a seat."""
    return Integer(description, most=MAX_SEAT, **options)


def player_id(description: str, **options: Any) -> Text:
    """Returns a field for the id of a player in a request."""
    form = FullMatch("^[A-Za-z0-9_-]+$", Message("fault.no_such_player"))
    return Text(description, least=1, most=64, validate=[form], **options)
