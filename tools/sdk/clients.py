"""The clients known to generate well: by which tool, with which options, and what to know about each.

The table in `openapi/README.md` is made from this one by `make docs`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

PUBLISHED: Final = "openapi.json"
WITHOUT_DISCRIMINATORS: Final = "openapi.no-discriminator.json"
TYPED_STREAM: Final = "openapi.typed-stream.json"
PLAIN: Final = "openapi.plain.json"
PLAIN_LISTS: Final = "openapi.plain-lists.json"


class Tool(Enum):
    """A tool that generates clients."""

    OPENAPI_TYPESCRIPT = "openapi-typescript"
    HEY_API = "@hey-api/openapi-ts"
    SWAGGER_TYPESCRIPT_API = "swagger-typescript-api"
    OAZAPFTS = "oazapfts"
    OPENAPI_PYTHON_CLIENT = "openapi-python-client"
    OPENAPI_GENERATOR = "openapi-generator"


@dataclass(frozen=True)
class Client:
    """A client to generate; `name` is its folder, and its name on the command line."""

    name: str
    language: str
    tool: Tool
    note: str
    generator: str = ""  # which one, of a tool that has many
    options: Mapping[str, object] = field(default_factory=dict)
    document: str = PUBLISHED


CLIENTS: Final = (
    Client(
        "openapi-fetch",
        "TypeScript",
        Tool.OPENAPI_TYPESCRIPT,
        'types alone, for the package `openapi-fetch`; unions narrow by `type`; read streams with `parseAs: "stream"`',
    ),
    Client(
        "hey-api",
        "TypeScript",
        Tool.HEY_API,
        "the only one that reads server-sent events: an iterator that reconnects by itself; "
        "disconnect with the `signal`, because the connection stays open when you leave the loop",
        document=TYPED_STREAM,
    ),
    Client(
        "hey-api-zod",
        "TypeScript",
        Tool.HEY_API,
        "as `hey-api`, and checks requests, answers and messages of streams with zod",
        options={"plugins": ["@hey-api/client-fetch", "zod", {"name": "@hey-api/sdk", "validator": True}]},
        document=TYPED_STREAM,
    ),
    Client(
        "swagger-typescript-api",
        "TypeScript",
        Tool.SWAGGER_TYPESCRIPT_API,
        "without the option, words become enums of TypeScript; pass headers by name in "
        "the last argument; refusals are thrown with the problem as `.error`, and so is a 304",
        options={"generate-union-enums": True},
        document=PLAIN,
    ),
    Client(
        "oazapfts",
        "TypeScript",
        Tool.OAZAPFTS,
        "functions for the package `@oazapfts/runtime`; every answer is returned and narrows by `status`; pass the "
        "token in `opts.headers`",
        document=PLAIN,
    ),
    Client(
        "typescript-fetch",
        "TypeScript",
        Tool.OPENAPI_GENERATOR,
        "errors are thrown, and so is a 304; `ProblemFromJSON` reads their bodies; strict, but not under "
        "`noUncheckedIndexedAccess`",
        generator="typescript-fetch",
    ),
    Client(
        "openapi-python-client",
        "Python",
        Tool.OPENAPI_PYTHON_CLIENT,
        "passes `mypy --strict` if ruff does not rewrite it; problems are returned, not raised; a 304 has no body",
        options={"post_hooks": ["ruff format --isolated ."]},
    ),
    Client(
        "python",
        "Python",
        Tool.OPENAPI_GENERATOR,
        "passes mypy as its own `pyproject.toml` sets it; unions are wrappers with `.actual_instance`; raises "
        "at 304; names of headers are in lower case; lists of lists of cards hold strings",
        generator="python",
        document=PLAIN_LISTS,
    ),
    Client(
        "java",
        "Java",
        Tool.OPENAPI_GENERATOR,
        "unions are wrappers; a problem is a string to be parsed; raises at 304; an optional body that is left out is "
        "sent as null, which is refused: send an empty one; the last option must go with the one before it",
        generator="java",
        options={
            "library": "native",
            "openApiNullable": "false",
            "useJakartaEe": "true",
            "enumUnknownDefaultCase": "true",
            "useOneOfDiscriminatorLookup": "true",
        },
    ),
    Client(
        "go",
        "Go",
        Tool.OPENAPI_GENERATOR,
        "without the first option unions match more than one variant, without the last it does not compile; an "
        "optional body that is left out is sent as null, which is refused: send an empty one",
        generator="go",
        options={
            "useOneOfDiscriminatorLookup": "true",
            "disallowAdditionalPropertiesIfNotPresent": "false",
            "enumClassPrefix": "true",
        },
    ),
    Client(
        "rust",
        "Rust",
        Tool.OPENAPI_GENERATOR,
        "with discriminators the tag is read twice, and fails; hands and other lists of cards that may be hidden hold "
        "`serde_json::Value`; an optional body that is left out is sent as null, which is refused: send an empty one",
        generator="rust",
        document=WITHOUT_DISCRIMINATORS,
    ),
    Client(
        "kotlin",
        "Kotlin",
        Tool.OPENAPI_GENERATOR,
        "the default library merges all variants into one class",
        generator="kotlin",
        options={
            "library": "jvm-retrofit2",
            "serializationLibrary": "kotlinx_serialization",
            "generateOneOfAnyOfWrappers": "true",
        },
    ),
    Client(
        "csharp",
        "C#",
        Tool.OPENAPI_GENERATOR,
        "one property for each variant",
        generator="csharp",
        options={"library": "generichost"},
    ),
)


def named(names: Iterable[str]) -> tuple[Client, ...]:
    """Returns the clients of these names, all of them for no name.

    Raises:
        ValueError: there is no client of one of the names.
    """
    wanted = set(names)
    unknown = wanted - {client.name for client in CLIENTS}
    if unknown:
        known = ", ".join(client.name for client in CLIENTS)
        raise ValueError(f"no client is called {', '.join(sorted(unknown))}; there are {known}")
    return tuple(client for client in CLIENTS if not wanted or client.name in wanted)
