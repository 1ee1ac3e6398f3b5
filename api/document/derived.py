"""Derives documents for generators that misread a part of the published OpenAPI document."""

import copy
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

STREAMS: Final = {
    "/v1/games/{game_id}/events/stream": {
        "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Game", "GameEvent")]
    },
    "/v1/games/{game_id}/frames/stream": {"$ref": "#/components/schemas/Frame"},
    "/v1/lobby/stream": {"$ref": "#/components/schemas/LobbyChange"},
    "/v1/results/stream": {"$ref": "#/components/schemas/Result"},
    "/v1/players/me/events/stream": {"$ref": "#/components/schemas/Notice"},
}
"""The schema of the data of one message, by the path of a stream."""


def changed(part: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Changes each object of a document, the inner ones first."""
    if isinstance(part, list):
        return [changed(inner, change) for inner in part]
    if not isinstance(part, dict):
        return part
    return change({name: changed(inner, change) for name, inner in part.items()})


def without_discriminators(part: dict[str, Any]) -> dict[str, Any]:
    """Leaves the constants of variants alone to tell unions apart.

    openapi-generator's Rust reads the member that a `discriminator` names twice, once for the union and once for the
    variant, and fails.
    """
    return {name: inner for name, inner in part.items() if not (name == "discriminator" and "oneOf" in part)}


def with_untyped_gaps(part: dict[str, Any]) -> dict[str, Any]:
    """Leaves items of lists that may be null without a type.

    openapi-generator's Rust takes them for items that are never null, and fails at the first that is.
    """
    items = part.get("items")
    if isinstance(items, dict) and {"type": "null"} in items.get("anyOf", []):
        part["items"] = {"description": items["description"]}
    return part


def without_unused_schemas(derived: Any, document: Any) -> Any:
    """Leaves out the schemas to which only the original document refers."""
    now, before = json.dumps(derived), json.dumps(document)
    components = derived["components"]
    used = {}
    for name, schema in components["schemas"].items():
        reference = f'"#/components/schemas/{name}"'
        if reference in now or reference not in before:  # that of a stream's messages is referred to nowhere
            used[name] = schema
    return {**derived, "components": {**components, "schemas": used}}


def for_rust(document: Any) -> Any:
    """Derives the document for openapi-generator's Rust."""
    return without_unused_schemas(changed(changed(document, without_discriminators), with_untyped_gaps), document)


def with_typed_stream(document: Any) -> Any:
    """Gives each stream of events the type of the data of one message.

    A stream is text. @hey-api/openapi-ts reads it message by message, parses the data of each, and gives it the type
    that the document has for the whole. Other generators would parse the whole as JSON.
    """
    derived = copy.deepcopy(document)
    for path, schema in STREAMS.items():
        content = derived["paths"][path]["get"]["responses"]["200"]["content"]
        content["text/event-stream"]["schema"] = schema
    return derived


def with_enums(part: dict[str, Any]) -> dict[str, Any]:
    """Declares each constant as an enumeration of one word too.

    swagger-typescript-api, oazapfts and others know nothing of `const` and take the tags of variants for any text.
    """
    if part.get("type") == "string" and isinstance(part.get("const"), str):
        part["enum"] = [part["const"]]
    return part


def with_texts_in_lists_of_lists(part: dict[str, Any]) -> dict[str, Any]:
    """Declares words of a vocabulary in lists of lists as plain texts.

    openapi-generator's Python takes such words for objects: the client fails where it reads or sends them.
    """
    inner = part["items"] if part.get("type") in ("array", ["array", "null"]) else {}
    if inner.get("type") == "array" and "$ref" in inner["items"]:
        inner["items"] = {"type": "string", "description": inner["items"]["description"]}
    return part


DERIVED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "openapi.no-discriminator.json": for_rust,
    "openapi.plain.json": partial(changed, change=with_enums),
    "openapi.plain-lists.json": partial(changed, change=with_texts_in_lists_of_lists),
    "openapi.typed-stream.json": with_typed_stream,
}
"""By name: what makes each of them of the published one."""
