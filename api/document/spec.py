"""Builds the OpenAPI document from blueprints and schemas."""

from typing import Any, Final

import flask_smorest
import marshmallow as ma
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_instance
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from babel import Locale
from flask import Flask

from api.document.components import HEADER_PARAMETERS, HEADERS, REFUSALS
from api.document.examples import refusal_examples
from api.problems.kinds import MEDIA_TYPE
from api.schemas.fields.base import Constant, Union, Word
from api.schemas.problems import Problem
from games.texts.catalogue import LANGUAGES, catalogue
from games.version import VERSION

ACCEPTED_LANGUAGES: Final = catalogue("en").listed(
    [f"{Locale(language).get_display_name('en')} (`{language}`)" for language in LANGUAGES], "or"
)
"""The languages and their codes, as in "English (`en`)"."""
ABOUT: Final = {
    "info": {
        "summary": "Turn-based card games as a service.",
        "description": (
            "Open a table, sit down, act: plain HTTP and JSON for games of the Love Letter family.\n\n"
            "Register to get a token and send it as `Authorization: Bearer TOKEN`. Look at a game, post the `action` "
            "of one of its `legal_actions` back, and follow its events with `wait`. Every error is a problem document "
            "(RFC 9457) with a stable `code`. The schema `Problem` lists the codes, and `x-problems` those of each "
            "operation. The `type` of a problem leads to what `/docs/errors` says of it.\n\n"
            f"Send `Accept-Language` to get names and texts, also those of problems, in {ACCEPTED_LANGUAGES}; ids, "
            "codes and reasons do not depend on it.\n\n"
            "Requests are closed: leave optional members out instead of sending null. Unknown members are refused, and "
            "so are strings with NUL or half a surrogate pair. Answers are open: every member is always there, null "
            "where there is nothing, and new members may appear.\n\n"
            "Every response has an `X-Request-ID`: quote it when you report a problem. Refusals report your remaining "
            "quota in `RateLimit` and `RateLimit-Policy`, as other responses do."
        ),
        "contact": {"name": "The Billet project"},
        "license": {"name": "MIT", "identifier": "MIT"},
    },
    "servers": [{"url": "/", "description": "Where this document came from."}],
    "security": [{"token": []}],
}
ORDER: Final = ("openapi", "info", "servers", "security", "tags", "paths", "components")


class Converter(OpenAPIConverter):
    """Turns schemas into the JSON Schema that most client generators understand."""

    def init_attribute_functions(self) -> None:
        """Adds our field types to those that apispec can describe."""
        super().init_attribute_functions()  # type: ignore[no-untyped-call]  # apispec types only in part
        self.attribute_functions += [self.word_reference, self.constant]

    def word_reference(self, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
        """Refers to the vocabulary: repeated at each use, generators would make a class of each."""
        if not isinstance(field, Word):
            return {}
        vocabulary = field.vocabulary
        if vocabulary.name not in self.spec.components.schemas:
            self.spec.components.schema(
                vocabulary.name,
                {"type": "string", "description": vocabulary.description, "enum": list(vocabulary.words)},
            )
        description = ret.get("description")
        ret.clear()
        reference = {"$ref": f"#/components/schemas/{vocabulary.name}"}
        shape = {"anyOf": [reference, {"type": "null"}]} if field.allow_none else reference
        return {**shape, "description": description} if description else shape

    def constant(self, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
        """Declares the discriminator of a variant as one fixed string."""
        if not isinstance(field, Constant):
            return {}
        ret.clear()
        return {"type": "string", "const": field.word}

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """Returns the JSON Schema of a marshmallow schema."""
        instance = resolve_schema_instance(schema)
        if isinstance(instance, Union):
            return self.union(instance)
        shape: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # as above
        shape["description"] = first_paragraph(instance) + (f"\n\n{instance.more}" if hasattr(instance, "more") else "")
        return shape

    def union(self, schema: Union) -> dict[str, Any]:
        """Returns the JSON Schema of a union: references, and a discriminator from words to variants."""
        references = {
            word: self.resolve_nested_schema(variant)  # type: ignore[no-untyped-call]  # as above
            for word, variant in schema.by_word.items()
        }
        return {
            "description": first_paragraph(schema),
            "oneOf": list(references.values()),
            "discriminator": {
                "propertyName": schema.tag,
                "mapping": {word: reference["$ref"] for word, reference in references.items()},
            },
        }


class Plugin(MarshmallowPlugin):
    """Uses the converter above."""

    Converter = Converter


def first_paragraph(schema: ma.Schema) -> str:
    """Returns the first paragraph of a schema's docstring on one line."""
    return " ".join((type(schema).__doc__ or "").split("\n\n")[0].split())


def component_name(schema: Any) -> str:
    """Returns the name of a schema, which is that of its class."""
    return (schema if isinstance(schema, type) else type(schema)).__name__


class Api(flask_smorest.Api):  # type: ignore[misc]  # flask-smorest is not typed
    """Registers blueprints and builds their document."""

    ERROR_SCHEMA = Problem
    DEFAULT_ERROR_RESPONSE_NAME = None  # every status is listed, without a "default"

    def _register_pagination_header(self) -> None:
        """Leaves out flask-smorest's own header and its schema: pages are in the body."""


def new_api(app: Flask) -> Api:
    """Returns the flask-smorest API that registers blueprints with an application and builds their document."""
    app.config.update(API_TITLE="Billet", API_VERSION=VERSION, OPENAPI_VERSION="3.1.0")
    api = Api(app, spec_kwargs={"marshmallow_plugin": Plugin(schema_name_resolver=component_name), **ABOUT})
    components = api.spec.components
    for name, header in HEADERS.items():
        components.header(name, header, lazy=True)
    for name, parameter in HEADER_PARAMETERS.items():
        components.parameter(name, "header", parameter, lazy=True)
    for status, (name, description, headers) in REFUSALS.items():
        content = {MEDIA_TYPE: {"schema": Problem(), **refusal_examples(status)}}
        headers = {"Content-Language": "ContentLanguage", **headers}
        components.response(name, {"description": description, "content": content, "headers": headers}, lazy=True)
    components.security_scheme(
        "token",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The token from your registration, or a JWT of the operator's identity provider.",
        },
    )
    return api


def arranged(spec: APISpec) -> dict[str, Any]:
    """Returns the document in a fixed order: components by name, the rest in registration order.

    Unions come last, because generators that write in reading order need the variants first. Path parameters come
    first among those of each operation.
    """
    found = spec.to_dict()
    for item in found["paths"].values():
        in_path = item.pop("parameters", [])
        for operation in item.values():
            # Repeated with each operation, because the page shows parameters of the path after all others.
            operation["parameters"] = [*in_path, *operation.get("parameters", [])]
    components = found["components"]
    found["components"] = {
        part: dict(sorted(components[part].items(), key=lambda named: ("oneOf" in named[1], named[0])))
        for part in sorted(components)
    }
    return {part: found[part] for part in ORDER}
