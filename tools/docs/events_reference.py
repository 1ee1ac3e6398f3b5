"""Makes the reference of all events in `docs/events.md` from their declarations."""

import dataclasses
import inspect
import types
import typing
from typing import Any

from engine.audience import Audience, audience_of, doc_of
from engine.events import EVENTS, CardDrawn, Event
from engine.logs import codec
from engine.views import WATCHER, redact
from tools.docs.markdown import cell, table

PLAIN = {str: "string", int: "integer", bool: "boolean"}


def sections() -> str:
    """Returns links to all events, an example, and a section for each."""
    names = ", ".join(f"[`{name}`](#{name})" for name in EVENTS)
    return "\n\n".join([names, _example(), *(_event(name, kind) for name, kind in EVENTS.items())])


def _example() -> str:
    drawn = CardDrawn(1, "baron", "deck")
    lines = [
        f"    {who:<11} {codec.event_data(redact(drawn, viewer))}"
        for who, viewer in (("seat 1", 1), ("seat 0", 0), ("a watcher", WATCHER))
    ]
    shown = "\n".join(lines).replace("'", '"').replace("None", "null")
    return f"The same event for three viewers:\n\n{shown}"


def _event(name: str, kind: type[Event]) -> str:
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]  # every event is a dataclass
    text = f"### {name}\n\n{inspect.cleandoc(kind.__doc__ or '')}"
    if not fields:
        return f"{text} It has no fields."
    rows = [[f"`{f.name}`", _type_text(f.type), _seen_by(audience_of(f)), cell(doc_of(f))] for f in fields]
    return f"{text}\n\n{table(['field', 'type', 'who sees it', 'what it is'], rows)}"


def _type_text(kind: Any) -> str:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        members = [member for member in typing.get_args(kind) if member is not type(None)]
        return " or ".join([*(_type_text(member) for member in members), "null"])
    if typing.get_origin(kind) is tuple:
        return f"list of {_type_text(typing.get_args(kind)[0])}"
    return PLAIN.get(kind, "object")


def _seen_by(audience: Audience) -> str:
    seats = " and ".join(f"`{field}`" for field in audience.seats_in)
    if audience.everybody:
        return "everybody"
    if audience.own_item:
        return f"{seats}; others their own item" if seats else "each seat its own item"
    return seats or "nobody before the end"
