"""Compares two JSON Schemas in the direction in which they are used, request or response.

A change accepts fewer or more values. Fewer breaks senders, more breaks readers. A difference in an unknown keyword
breaks both.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Final, TypeAlias

Shape: TypeAlias = dict[str, Any]
Report: TypeAlias = Callable[[str, str], None]


class Way(Enum):
    """Whether clients send a value or read it."""

    SENT = "sent"
    READ = "read"


class ChangeEffect(Enum):
    """The effect of a change on the set of valid values."""

    NARROWER = "narrower"
    WIDER = "wider"
    OTHER = "other"
    """Something else, or nobody knows."""

    def breaks(self, way: Way) -> bool:
        """Returns whether the change breaks clients that send, or read, the value."""
        return self is not (ChangeEffect.WIDER if way is Way.SENT else ChangeEffect.NARROWER)


Differences: TypeAlias = Iterator[tuple[ChangeEffect, str]]

WORDS: Final = frozenset({"description", "title", "example", "examples", "deprecated", "externalDocs", "$comment"})
"""The keywords that are for people alone."""
LEAST: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
MOST: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
CHOICES: Final = ("oneOf", "anyOf")
NAMED_KEYWORDS: Final = frozenset(
    {"$ref", "type", "enum", "const", "pattern", "properties", "required", "additionalProperties", "items"}
    | {"discriminator", *LEAST, *MOST, *CHOICES}
)
"""The keywords that have a rule below."""


def resolve(document: Shape, part: Any) -> Any:
    """Returns what a reference leads to, or the part itself."""
    while isinstance(part, dict) and "$ref" in part:
        found: Any = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found[step.replace("~1", "/").replace("~0", "~")]
        part = found
    return part


class Shapes:
    """Compares schemas of two documents and notes what breaks; each named one is compared once in each direction."""

    def __init__(self, old: Shape, new: Shape, say: Report) -> None:
        self.old, self.new, self.say = old, new, say
        self.done: set[tuple[str, Way]] = set()

    def compare(self, where: str, old: Any, new: Any, way: Way) -> None:
        """Notes what in a new schema breaks clients of the old one."""
        if not isinstance(old, dict) or not isinstance(new, dict):
            if old != new:
                self.say(where, f"{old!r} has become {new!r}")
            return
        if "$ref" in old and old.get("$ref") == new.get("$ref"):
            name = old["$ref"].rsplit("/", 1)[-1]
            if (name, way) in self.done:
                return
            self.done.add((name, way))
            where, old, new = name, resolve(self.old, old), resolve(self.new, new)
        for effect, text in self.differences(old, new):
            if effect.breaks(way):
                self.say(where, f"{text} ({way.value})")
        self.inside(where, old, new, way)

    def differences(self, old: Shape, new: Shape) -> Differences:
        """Yields the differences between two schemas, without those inside their members."""
        yield from types(old, new)
        yield from words(old, new)
        yield from bounds(old, new)
        yield from members(old, new)
        yield from choices(old, new)
        yield from tags(old, new)
        for keyword in sorted((old.keys() | new.keys()) - NAMED_KEYWORDS - WORDS):
            if old.get(keyword) != new.get(keyword) and not keyword.startswith("x-"):
                yield ChangeEffect.OTHER, f"`{keyword}` was {old.get(keyword)!r} and is {new.get(keyword)!r}"

    def inside(self, where: str, old: Shape, new: Shape, way: Way) -> None:
        """Compares the schemas inside two schemas, place by place."""
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before.keys() & after.keys():
            self.compare(f"{where}.{name}", before[name], after[name], way)
        for keyword, step in (("items", "[]"), ("additionalProperties", ".*")):
            if isinstance(old.get(keyword), dict) and isinstance(new.get(keyword), dict):
                self.compare(where + step, old[keyword], new[keyword], way)
        offered, offers = options(old), options(new)
        for name in offered.keys() & offers.keys():
            if name != NOT_A_CHOICE:
                self.compare(where, offered[name], offers[name], way)


def types(old: Shape, new: Shape) -> Differences:
    """Yields the differences of the type; a whole number is a number."""
    before, after = kinds(old), kinds(new)
    if before != after and not before & after and before and after:
        yield ChangeEffect.OTHER, f"type {listed(before)} has become {listed(after)}"
    elif before and (gone := before - after):
        yield (
            (ChangeEffect.NARROWER, f"can no longer be {listed(gone)}")
            if after
            else (ChangeEffect.WIDER, "can be of any type")
        )
    if after and (more := after - before):
        yield (
            (ChangeEffect.WIDER, f"can also be {listed(more)}")
            if before
            else (ChangeEffect.NARROWER, f"must be {listed(more)}")
        )


def kinds(shape: Shape) -> set[str]:
    """Returns the types that a schema allows; empty for all."""
    types = shape.get("type", [])
    found = {types} if isinstance(types, str) else set(types)
    return found | {"integer"} if "number" in found else found


def words(old: Shape, new: Shape) -> Differences:
    """Yields the differences of enumerations, constants and patterns."""
    before, after = old.get("enum"), new.get("enum")
    if before is None and after is not None:
        yield ChangeEffect.NARROWER, "is one of a list now"
    elif before is not None and after is None:
        yield ChangeEffect.WIDER, "is no longer one of a list"
    elif before is not None and after is not None:
        if gone := [word for word in before if word not in after]:
            yield ChangeEffect.NARROWER, f"has lost {listed(gone)}"
        if more := [word for word in after if word not in before]:
            yield ChangeEffect.WIDER, f"has gained {listed(more)}"
    for keyword in ("const", "pattern"):
        if old.get(keyword) != new.get(keyword):
            effect = (
                ChangeEffect.NARROWER
                if keyword not in old
                else ChangeEffect.WIDER
                if keyword not in new
                else ChangeEffect.OTHER
            )
            yield effect, f"`{keyword}` was {old.get(keyword)!r} and is {new.get(keyword)!r}"


def bounds(old: Shape, new: Shape) -> Differences:
    """Yields the differences of the bounds of numbers and lengths."""
    for keyword in (*LEAST, *MOST):
        before, after = old.get(keyword), new.get(keyword)
        if before == after:
            continue
        narrower = after is not None and (before is None or (after > before) is (keyword in LEAST))
        yield ChangeEffect.NARROWER if narrower else ChangeEffect.WIDER, f"`{keyword}` was {before} and is {after}"


def members(old: Shape, new: Shape) -> Differences:
    """Yields the differences of an object's members."""
    before, after = old.get("properties", {}), new.get("properties", {})
    for name in sorted(before.keys() - after.keys()):
        yield ChangeEffect.OTHER, f"member `{name}` is gone"
    needed, needs = set(old.get("required", [])), set(new.get("required", []))
    for name in sorted(needs - needed):
        yield ChangeEffect.NARROWER, f"member `{name}` is required now"
    for name in sorted((needed - needs) & after.keys()):
        yield ChangeEffect.WIDER, f"member `{name}` may be missing now"
    closed, closes = old.get("additionalProperties", True), new.get("additionalProperties", True)
    if closed is False:
        for name in sorted(after.keys() - before.keys()):
            yield ChangeEffect.WIDER, f"member `{name}` is new in a closed object"
    if closed != closes and not (isinstance(closed, dict) and isinstance(closes, dict)):
        effect = (
            ChangeEffect.NARROWER if closes is False else ChangeEffect.WIDER if closed is False else ChangeEffect.OTHER
        )
        yield effect, f"members beside the named ones: was {closed!r} and is {closes!r}"
    if ("items" in old) != ("items" in new):
        yield ChangeEffect.OTHER, "the items of a list are described now, or no longer"


NOT_A_CHOICE: Final = "a schema of its own"


def options(shape: Shape) -> dict[str, Shape]:
    """Returns the alternatives of a schema by name; a reference is a single one."""
    if "$ref" in shape:
        return {shape["$ref"].rsplit("/", 1)[-1]: {"$ref": shape["$ref"]}}
    for keyword in CHOICES:
        if keyword in shape:
            found = {}
            for option in shape[keyword]:
                kind = option.get("type")
                name = option["$ref"].rsplit("/", 1)[-1] if "$ref" in option else kind if isinstance(kind, str) else ""
                found[name if name and name not in found else repr(sorted(option.items()))] = option
            return found
    return {NOT_A_CHOICE: {}}


def choices(old: Shape, new: Shape) -> Differences:
    """Yields the differences of a union, or of the name of a schema."""
    before, after = options(old), options(new)
    if not before.keys() & after.keys():
        yield ChangeEffect.OTHER, f"{listed(before)} has become {listed(after)}"
        return
    if gone := before.keys() - after.keys():
        yield ChangeEffect.NARROWER, f"can no longer be {listed(gone)}"
    if more := after.keys() - before.keys():
        yield ChangeEffect.WIDER, f"can also be {listed(more)}"


def tags(old: Shape, new: Shape) -> Differences:
    """Yields the differences of a discriminator's words; new words come with new variants."""
    before, after = old.get("discriminator", {}), new.get("discriminator", {})
    if before.get("propertyName") != after.get("propertyName"):
        yield ChangeEffect.OTHER, f"told apart by {before.get('propertyName')}, now by {after.get('propertyName')}"
    for word, target in before.get("mapping", {}).items():
        now = after.get("mapping", {}).get(word)
        if now is not None and now != target:
            yield ChangeEffect.OTHER, f"`{word}` was {target} and is {now}"
    lost = before.get("mapping", {}).keys() - after.get("mapping", {}).keys()
    if lost:
        yield ChangeEffect.NARROWER, f"no longer knows {listed(lost)}"


def listed(items: Any) -> str:
    """Returns names in a fixed order."""
    return ", ".join(sorted(f"`{item}`" for item in items))
