"""The two kinds of object and the field types all schemas are made of; no shape of a particular resource belongs here.

Requests are closed and strict: an unknown member, a string where a number belongs or a null is an error. Answers are
open and complete: every member is always there, and only those that say so can be null. Answers are described by these
schemas but never dumped through them; the tests hold real answers against the document instead.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import marshmallow as ma

MAX_SEAT = 7
"""The highest seat number of the largest table."""


class Closed(ma.Schema):
    """An object a client sends: unknown members are refused."""

    error_messages = {"type": "Must be an object.", "unknown": "Is not known here."}  # noqa: RUF012

    class Meta:
        """Refuses what is not declared."""

        unknown = ma.RAISE


class Open(ma.Schema):
    """An object the service answers with: every declared member is there, more may be added later."""

    class Meta:
        """Leaves room for later members."""

        unknown = ma.EXCLUDE

    def on_bind_field(self, field_name: str, field_obj: "ma.fields.Field[Any]") -> None:
        """Makes the member required."""
        field_obj.required = True


class Query(ma.Schema):
    """The parameters of a query: each at most once, and no others."""

    error_messages = {"unknown": "Is not known here."}  # noqa: RUF012

    class Meta:
        """Refuses what is not declared."""

        unknown = ma.RAISE


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A closed set of words with a name of its own in the document."""

    name: str
    description: str
    words: tuple[str, ...]


def described(description: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the keyword arguments of a field with its description among the metadata."""
    more = dict(options)
    more["metadata"] = {"description": description, **more.pop("metadata", {})}
    return more


class Whole(ma.validate.Validator):
    """Demands that a pattern matches a string from end to end; `$` alone would let a line break follow."""

    def __init__(self, pattern: str, *, error: str) -> None:
        self.regex = re.compile(pattern)  # where apispec finds it
        self.message = error

    def __call__(self, value: str) -> str:
        """Returns the value.

        Raises:
            ValidationError: the pattern does not match.
        """
        if self.regex.fullmatch(value) is None:
            raise ma.ValidationError(self.message)
        return value


class Text(ma.fields.String):
    """A string."""

    def __init__(self, description: str, *, least: int = 0, most: int | None = None, **options: Any) -> None:
        if most is not None:
            options["validate"] = [ma.validate.Length(least, most), *options.get("validate", [])]
        super().__init__(**described(description, options))


class Words(ma.fields.Dict):
    """An object whose members are words; for answers only."""

    def __init__(self, description: str, **options: Any) -> None:
        super().__init__(keys=ma.fields.String(), values=ma.fields.String(), **described(description, options))


class Word(ma.fields.String):
    """One word of a vocabulary."""

    def __init__(self, vocabulary: Vocabulary, description: str, **options: Any) -> None:
        self.vocabulary = vocabulary
        error = "Must be one of: " + ", ".join(vocabulary.words) + "."
        super().__init__(validate=ma.validate.OneOf(vocabulary.words, error=error), **described(description, options))


class Constant(ma.fields.String):
    """The member that tells the variants of a union apart: always the same string."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(required=True, validate=ma.validate.Equal(word))


class Integer(ma.fields.Integer):
    """A JSON integer: `6` and `6.0`, but not `"6"`, `true` or `6.5`."""

    def __init__(self, description: str, *, least: int = 0, most: int | None = None, **options: Any) -> None:
        super().__init__(validate=ma.validate.Range(least, most), **described(description, options))

    def _validated(self, value: Any) -> int:
        if type(value) is not int and not (type(value) is float and value.is_integer()):
            raise self.make_error("invalid", input=value)
        return int(value)


class Digits(ma.fields.Integer):
    """A number in a query: decimal digits and nothing else."""

    def __init__(self, description: str, *, least: int = 0, most: int, **options: Any) -> None:
        super().__init__(validate=ma.validate.Range(least, most), **described(description, options))

    def _validated(self, value: Any) -> int:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16):
            raise self.make_error("invalid", input=value)
        return int(value)


class Flag(ma.fields.Boolean):
    """A JSON boolean and nothing that merely resembles one."""

    def __init__(self, description: str, **options: Any) -> None:
        super().__init__(**described(description, options))

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Moment(ma.fields.DateTime):
    """A time in UTC, RFC 3339 with `Z`; for answers only."""

    def __init__(self, description: str, **options: Any) -> None:
        super().__init__(**described(description, options))


class Items(ma.fields.List[Any]):
    """A list."""

    def __init__(
        self, of: "ma.fields.Field[Any]", description: str, *, least: int = 0, most: int | None = None, **options: Any
    ) -> None:
        if most is not None:
            options["validate"] = ma.validate.Length(least or None, most)
        super().__init__(of, **described(description, options))


class Part(ma.fields.Nested):
    """An object inside an object."""

    def __init__(self, schema: ma.Schema, description: str | None = None, **options: Any) -> None:
        super().__init__(schema, **(described(description, options) if description else options))


class Union(ma.Schema):
    """One of several objects, told apart by a constant member that each of them declares itself."""

    tag = "type"
    variants: tuple[ma.Schema, ...] = ()
    description = ""

    def __init__(self) -> None:
        super().__init__()
        self.by_word = {word_of(variant, self.tag): variant for variant in self.variants}

    def load(self, data: Any, **options: Any) -> Any:
        """Returns the object as its variant reads it.

        Raises:
            ValidationError: it is no object, is of no known kind, or its variant refuses it.
        """
        if not isinstance(data, dict):
            raise ma.ValidationError("Must be an object.")
        if self.tag not in data:
            raise ma.ValidationError({self.tag: [f"Is required; one of: {', '.join(self.by_word)}."]})
        word = data[self.tag]
        variant = self.by_word.get(word) if isinstance(word, str) else None
        if variant is None:
            raise ma.ValidationError({self.tag: [f"Must be one of: {', '.join(self.by_word)}."]})
        return variant.load(data)


def word_of(variant: ma.Schema, tag: str) -> str:
    """Returns the constant by which a variant is told from the others."""
    field = variant.fields[tag]
    assert isinstance(field, Constant)
    return field.word


def seat_number(description: str, **options: Any) -> Integer:
    """Returns a field that holds a seat."""
    return Integer(description, most=MAX_SEAT, **options)
