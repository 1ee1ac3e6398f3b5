"""Every client of the table is generated, from documents that are there, and holds every operation.

Those that nothing but the soak plays with or compiles are generated there alone.
"""

import json
import subprocess
from importlib import metadata

import pytest

from tests.sdk.programs import PROGRAMS, TABLES
from tools.document.derive import PUBLISHED
from tools.sdk.clients import CLIENTS, Client, Tool, named
from tools.sdk.tools import PYTHON_COMMANDS, GenerationFailed, document_of, generate

NAMES = [client.name for client in CLIENTS]
PLAYED = {program.client for program in PROGRAMS if not program.soak}
SUFFIX = {"TypeScript": "ts", "Python": "py", "Java": "java", "Go": "go", "Rust": "rs", "Kotlin": "kt", "C#": "cs"}


@pytest.mark.parametrize(
    "client",
    [pytest.param(client, marks=[] if client.name in PLAYED else pytest.mark.soak) for client in CLIENTS],
    ids=NAMES,
)
def test_a_client_has_every_operation_and_every_event(client, workshop):
    document = json.loads(document_of(client).read_text())
    operations = {call["operationId"] for calls in document["paths"].values() for call in calls.values()}
    events = {variant["$ref"].rpartition("/")[2] for variant in document["components"]["schemas"]["GameEvent"]["oneOf"]}
    sources = (workshop.generated(client.name) / client.name).rglob(f"*.{SUFFIX[client.language]}")
    # Languages write names each in their own way, and some clients have a file for each operation.
    written = "\n".join(f"{path.stem}\n{path.read_text()}" for path in sources).replace("_", "").lower()
    assert [name for name in sorted(operations | events) if name.lower() not in written] == []


def test_clients_are_asked_for_by_name():
    assert named([]) == CLIENTS
    assert [client.name for client in named(["rust", "go"])] == ["go", "rust"]
    with pytest.raises(ValueError, match="no client is called cobol; there are openapi-fetch, hey-api"):
        named(["cobol", "go"])


def test_a_tool_that_fails_says_why(tmp_path):
    (tmp_path / "sound").mkdir()
    broken = Client("broken", "Nothing", Tool.OPENAPI_TYPESCRIPT, "", document="no-such-document.json")
    with pytest.raises(GenerationFailed, match="no-such-document"):
        generate([broken], tmp_path)
    assert (tmp_path / "sound").exists()


def test_openapi_generator_brings_its_java(tmp_path):
    done = subprocess.run(
        [PYTHON_COMMANDS / "openapi-generator-cli", "version"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == metadata.version("openapi-generator-cli")


def test_programs_play_through_clients_that_are_in_the_table():
    document = json.loads(PUBLISHED.read_text())
    assert {program.client for program in PROGRAMS} <= set(NAMES)
    assert set(TABLES) == set(document["components"]["schemas"]["EditionId"]["enum"])
