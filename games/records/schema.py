"""Builds the JSON Schema of a portable log from the events and causes, and the checks from that.

The published file is `docs/log.schema.json`. `verification` verifies logs.
"""

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

import fastjsonschema

from engine import actions
from engine.actions import MEMBERS
from engine.audience import doc_of
from engine.editions import EDITIONS
from engine.events import EVENTS, Event
from engine.logs.upcasts import version_of
from games.causes import NAMES
from games.records.portable import FORMAT, FORMAT_VERSION

Schema: TypeAlias = dict[str, Any]
Check: TypeAlias = Callable[[Any], Any]

ANY_TEXT: Final[Schema] = {"type": "string", "maxLength": 200}
ASCII_TEXT: Final[Schema] = {**ANY_TEXT, "pattern": "^[ -~]*$"}
"""What is shown as it stands, so that it must be nothing that a terminal acts on."""
NUMBER: Final[Schema] = {"type": "integer", "minimum": 0}
SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": max(one.seats[-1] for one in EDITIONS.values()) - 1}
HEX: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
DIGEST_OR_NOTHING: Final[Schema] = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}
MOMENT: Final[Schema] = {
    "type": "string",
    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
}
FLAG: Final[Schema] = {"type": "boolean"}
VERSION: Final[Schema] = {"type": "integer", "minimum": 1}


def closed(members: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, **more: Any) -> Schema:
    """Returns the schema of an object in portable logs with these members and no others."""
    properties = {**members, **(optional or {})}
    return {**more, "type": "object", "properties": properties, "required": [*members], "additionalProperties": False}


def items(of: Schema, **more: Any) -> Schema:
    """Returns the schema of a list in portable logs."""
    return {**more, "type": "array", "items": of}


def or_null(schema: Schema, **more: Any) -> Schema:
    """Returns a schema for portable logs that null fits, too; said by the type, it costs the check no exception."""
    if "type" not in schema or "const" in schema or "enum" in schema:
        return {**more, "anyOf": [schema, {"type": "null"}]}
    return {**more, **schema, "type": [schema["type"], "null"]}


def word(text: str) -> Schema:
    """Returns the JSON Schema of one fixed word in a portable log."""
    return {"type": "string", "const": text}


# --- actions and causes ---

MEMBER_SCHEMAS: Final[Mapping[str, Schema]] = {
    actions.CARD: ANY_TEXT,
    actions.CARDS: items(ANY_TEXT),
    actions.SEAT: SEAT,
    actions.SEATS: items(SEAT),
    actions.NUMBER: NUMBER,
    actions.FACE: {"enum": ["sane", "insane"]},
    actions.FLAG: FLAG,
    actions.HANDS: items(closed({"seat": SEAT, "card": ANY_TEXT})),
}
"""By kind of member of an action."""


def action_schema(name: str) -> Schema:
    """Returns the schema of a type of action in portable logs."""
    members = {one.name: (one.written, MEMBER_SCHEMAS[one.kind]) for one in MEMBERS[name]}
    return closed(
        {"type": word(name), **{member: schema for member, (written, schema) in members.items() if written}},
        {member: schema for member, (written, schema) in members.items() if not written},
    )


ACTIONS: Final = {name: action_schema(name) for name in actions.ACTIONS}
ACTION: Final[Schema] = {"oneOf": [{"$ref": f"#/$defs/action_{name}"} for name in ACTIONS]}
THOUGHT: Final = closed({"bot": ANY_TEXT, "version": VERSION, "think_ms": NUMBER, "looks": NUMBER})
SEATED: Final[Mapping[str, Schema]] = {"seat": SEAT, "player": ASCII_TEXT}
JOIN: Final[Mapping[str, Schema]] = {**SEATED, "nonce": DIGEST_OR_NOTHING}
COMMITTING: Final[Mapping[str, Schema]] = {"nonce_hash": HEX}
CAUSES: Final[Mapping[str, tuple[Mapping[str, Schema], Mapping[str, Schema]]]] = {
    "open": ({"joining": items(closed(JOIN, COMMITTING))}, {"inviting": items(closed(SEATED), minItems=1)}),
    "join": (JOIN, COMMITTING),
    "invite": (SEATED, {}),
    "decline": ({**SEATED, "reason": ANY_TEXT}, {}),
    "withdraw": (SEATED, {}),
    "reveal": ({"seat": SEAT, "nonce": ANY_TEXT}, {}),
    "end_reveal": ({}, {}),
    "leave": ({"seat": SEAT}, {}),
    "remove": (SEATED, {}),
    "abort": ({}, {}),
    "expire": ({}, {}),
    "restore": ({}, {}),
    "unseal": ({}, {}),
    "act": ({"seat": SEAT, "action": ACTION}, {"thought": THOUGHT}),
    "time_out": ({"seat": SEAT}, {"action": ACTION, "thought": THOUGHT}),
    "come_back": ({"seat": SEAT}, {}),
    "take_break": ({"seat": SEAT, "days": VERSION}, {}),
    "repeat": ({"seat": SEAT}, {"action": ACTION, "leaves": {"enum": ["resigned", "timed_out"]}}),
}
"""By type: the members that a cause must have, and those that it may."""


# --- events ---

LONGEST_CLOCK: Final = 10**9
"""In seconds: what is in a bank, in milliseconds, can be written as a number of JSON then."""
CLOCK: Final = closed(
    {
        "kind": {"enum": ["decision", "bank"]},
        "seconds": {**VERSION, "maximum": LONGEST_CLOCK},
        "increment": {**NUMBER, "maximum": LONGEST_CLOCK},
        "on_timeout": {"enum": ["bot_plays", "forfeit"]},
        "break_days": NUMBER,
    }
)
MARK: Final = closed({"card": ANY_TEXT, "seat": SEAT, "target": SEAT})
OBJECTS: Final[Mapping[str, Schema]] = {
    "breaks": closed({"seat": SEAT, "days": NUMBER, "until": ANY_TEXT, "still_ms": NUMBER, "days_left": NUMBER}),
    "clock": CLOCK,
    "forked_from": closed({"game": ANY_TEXT, "version": VERSION}),
    "match": closed({"id": ANY_TEXT, "number": NUMBER}),
    "options": {"type": "object", "additionalProperties": ANY_TEXT},
    "position": closed(
        {
            "discards": items(items(ANY_TEXT)),
            "out": items(SEAT),
            "protected": items(SEAT),
            "bound": or_null(SEAT),
            "marks": items(MARK),
            "drawn": FLAG,
        }
    ),
    "sandbox_positions": closed(
        {
            name: or_null(schema)
            for name, schema in {
                "hands": items(items(ANY_TEXT)),
                "discards": items(items(ANY_TEXT)),
                "deck": items(ANY_TEXT),
                "set_aside": ANY_TEXT,
                "shown_aside": items(ANY_TEXT),
                "out": items(SEAT),
                "protected": items(SEAT),
                "bound": SEAT,
                "marks": items(MARK),
                "tokens": items(NUMBER),
                "insane_tokens": items(NUMBER),
                "turn": SEAT,
            }.items()
        }
    ),
    "sandbox_rounds": closed({}, {"starter": SEAT, "order": items(ANY_TEXT)}),
    "standings": closed(
        {
            "seat": SEAT,
            "card": ANY_TEXT,
            "number": NUMBER,
            "counted": or_null(NUMBER),
            "changed_by": or_null(ANY_TEXT),
            "discard_sum": or_null(NUMBER),
        }
    ),
}
"""The fields of events whose values are objects, by name."""
OF_PLAYERS: Final = frozenset({"creator", "player", "players"})
"""The fields of events that hold ids of players."""
PLAIN: Final[Mapping[Any, Schema]] = {str: ANY_TEXT, int: NUMBER, bool: FLAG}


def field_schema(name: str, kind: Any) -> Schema:
    """Returns the schema of a field of an event in portable logs, by its type."""
    if name == "visibility":
        return {"enum": ["public", "unlisted"]}
    if name in OF_PLAYERS and kind is str:
        return ASCII_TEXT
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return or_null(field_schema(name, next(one for one in typing.get_args(kind) if one is not type(None))))
    if typing.get_origin(kind) is tuple:
        return items(field_schema(name, typing.get_args(kind)[0]))
    return PLAIN[kind] if kind in PLAIN else OBJECTS[name]


def data_schema(kind: type[Event]) -> Schema:
    """Returns the schema of an event's data in portable logs."""
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]  # every event is a dataclass
    return closed({one.name: {**field_schema(one.name, one.type), "description": doc_of(one)} for one in fields})


def event_schema(kind: type[Event]) -> Schema:
    """Returns the schema of an event in portable logs."""
    members: dict[str, Schema] = {
        "version": VERSION,
        "v": {"type": "integer", "const": version_of(kind.type)},
        "data": data_schema(kind),
        "type": word(kind.type),
        "at": MOMENT,
        "cause": or_null({"$ref": "#/$defs/cause"}),
        "rules": or_null(VERSION),
    }
    return {"description": inspect.cleandoc(kind.__doc__ or ""), **closed(members)}


# --- the whole ---

HEAD: Final[Mapping[str, Schema]] = {
    "format": {**word(FORMAT), "description": "What this is."},
    "format_version": {
        "type": "integer",
        "const": FORMAT_VERSION,
        "description": "Counts up when a reader of the version before would misread the present one.",
    },
    "package_version": {**ASCII_TEXT, "description": "Of the Billet that wrote this."},
    "rules_version": {**VERSION, "description": "Of the rules when the table was opened."},
    "game": {**ANY_TEXT, "description": "The game's id."},
    "edition": {**ANY_TEXT, "description": "The rule set and deck."},
    "options": {**OBJECTS["options"], "description": "The house rules in force."},
    "seats": {"type": "integer", "minimum": 2, "description": "How many seats the table has."},
    "players": items(or_null(ASCII_TEXT), description="The ids of the players by seat; null where nobody sat."),
    "nonces": items(DIGEST_OR_NOTHING, description="The contributions to the shuffle by seat; empty for none."),
    "commitment": {**HEX, "description": "SHA-256 commitment to the secret."},
    "secret": {**HEX, "description": "The secret that all chance of the game comes from."},
    "digest": {**HEX, "description": "SHA-256 over the head without this member and all events, each canonical."},
}


def definitions() -> dict[str, Schema]:
    """Returns the schemas of the parts of a portable log, by name."""
    return {
        **{f"action_{name}": schema for name, schema in ACTIONS.items()},
        **{
            f"cause_{name}": closed({"type": word(name), **CAUSES[name][0]}, CAUSES[name][1]) for name in NAMES.values()
        },
        "cause": {"oneOf": [{"$ref": f"#/$defs/cause_{name}"} for name in NAMES.values()]},
        **{f"event_{name}": event_schema(kind) for name, kind in EVENTS.items()},
        "event": {"oneOf": [{"$ref": f"#/$defs/event_{name}"} for name in EVENTS]},
        "head": closed(HEAD, description="The first line of a log in lines."),
    }


def schema() -> Schema:
    """Returns the JSON Schema of a portable log as one object."""
    whole = closed(
        {
            **HEAD,
            "events": items({"$ref": "#/$defs/event"}, description="All events, in order.", minItems=1),
        }
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Billet portable log",
        "description": "A whole game that has ended. In lines of JSON: `$defs/head`, then one `$defs/event` a line.",
        **whole,
        "$defs": definitions(),
    }


# --- checking ---


@lru_cache(maxsize=1)
def checks() -> Mapping[str, Check]:
    """Returns the checks of parts of a portable log by definition; each raises `JsonSchemaValueException`.

    Causes have checks of their own, and so have actions: compiled into that of every event they would take a second,
    and to try one kind of action after the other costs an exception for each.
    """
    defined = {name: _to_check(schema) for name, schema in definitions().items() if name not in ("cause", "event")}
    names = [name for name in defined if name == "head" or name.startswith(("event_", "cause_", "action_"))]
    defined["cause"] = {}
    return {
        name: fastjsonschema.compile({"$ref": f"#/$defs/{name}", "$defs": defined}, use_default=False) for name in names
    }


def _to_check(schema: Any) -> Any:
    """Returns a schema of portable logs that any action fits; the rest is the same."""
    if isinstance(schema, list):
        return [_to_check(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {} if schema == ACTION else {name: _to_check(value) for name, value in schema.items()}


def fault(log: Mapping[str, Any]) -> str | None:
    """Returns the member of a portable log's head that is not as the schema has it, or None; skips `events`."""
    head = {name: value for name, value in log.items() if name != "events"}
    return _fault("head", head)


def event_fault(event: Any) -> str | None:
    """Returns the member of a portable log's event that is not as the schema has it, or None."""
    if not isinstance(event, dict):
        return "event"
    kind = event.get("type")
    if not isinstance(kind, str) or kind not in EVENTS:
        return "type"
    found = _fault(f"event_{kind}", event)
    return cause_fault(event["cause"]) if found is None and event["cause"] is not None else found


def cause_fault(cause: Any) -> str | None:
    """Returns the member of a cause in a portable log that is not as the schema has it, or None."""
    kind = cause.get("type") if isinstance(cause, dict) else None
    if not isinstance(kind, str) or kind not in CAUSES:
        return "cause.type"
    found = _fault(f"cause_{kind}", cause)
    if found is None and "action" in cause:
        return _action_fault(cause["action"])
    return found and ("cause" if found == "cause" else f"cause.{found}")


def _action_fault(action: Any) -> str | None:
    kind = action.get("type") if isinstance(action, dict) else None
    fits = isinstance(kind, str) and kind in ACTIONS and _fault(f"action_{kind}", action) is None
    return None if fits else "cause.action"


def _fault(name: str, value: Any) -> str | None:
    try:
        checks()[name](value)
    except fastjsonschema.JsonSchemaValueException as error:
        return ".".join(error.path[1:]) or name.partition("_")[0]
    return None
