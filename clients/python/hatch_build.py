"""Adds what the sources lack to a build of the package: its version, and the core generated from the document.

The document is the checkout's; a source distribution carries its own copy, so that wheels can be built from it.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, TypeGuard

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CARRIED = "openapi.json"
CORE = "billet_client/core"
OPTIONS = {
    "post_hooks": [],  # what formats and lints code is not needed to build
}
REFERENCE = "#/components/schemas/"


class Version(MetadataHookInterface):
    """Gives the package the version of the document."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets the version."""
        metadata["version"] = json.loads(document_of(self.root).read_text("utf-8"))["info"]["version"]


class Core(BuildHookInterface[Any]):
    """Adds the core to a build: beside the sources for an editable install, else to the wheel alone."""

    _made: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generates the core, or adds the document to a source distribution."""
        document = document_of(self.root)
        if self.target_name == "sdist":
            build_data["force_include"][str(document)] = CARRIED
        elif version == "editable":
            generate(document, Path(self.root, "src", CORE))
        else:
            self._made = tempfile.mkdtemp()
            generate(document, Path(self._made, "core"))
            build_data["force_include"][str(Path(self._made, "core"))] = CORE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the generated core, which is in the wheel by now."""
        if self._made is not None:
            shutil.rmtree(self._made)


def document_of(root: str) -> Path:
    """Returns the path of the document: beside this file in a source distribution, above it in a checkout."""
    carried = Path(root, CARRIED)
    return carried if carried.exists() else Path(root).parents[1] / "openapi" / CARRIED


def generate(document: Path, place: Path) -> None:
    """Generates the core from the document into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "config.json")
        config.write_text(json.dumps(OPTIONS), "utf-8")
        command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
        files = ["--path", str(document), "--output-path", str(place), "--config", str(config), "--overwrite"]
        done = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the core cannot be generated:\n{done.stdout}{done.stderr}")
    for file in (place / "client.py", *place.glob("api/*/*.py")):
        file.write_text(synchronous(file.read_text("utf-8")), "utf-8")
    described = json.loads(document.read_text("utf-8"))
    Path(place, "unions.py").write_text(unions(described), "utf-8")
    for variant in described["components"]["schemas"]["GameAction"]["oneOf"]:
        name = re.sub("(?<!^)(?=[A-Z])", "_", variant["$ref"].removeprefix(REFERENCE)).lower()
        file = Path(place, "models", f"{name}.py")
        file.write_text(with_none(file.read_text("utf-8")), "utf-8")


def synchronous(module: str) -> str:
    """Returns the source of a module of the core without its asynchronous half, which would bypass this package.

    It has neither retries nor the token, which only the connection of this package sends.
    """
    lines = module.splitlines(keepends=True)
    found = [node for node in ast.walk(ast.parse(module)) if _is_asynchronous(node)]
    for node in sorted(found, key=lambda one: one.lineno, reverse=True):
        lines[node.lineno - 1 : node.end_lineno] = []
    return "".join(lines).replace(
        "``httpx.Client`` and ``httpx.AsyncClient`` constructor", "``httpx.Client`` constructor"
    )


def _is_asynchronous(node: ast.AST) -> TypeGuard[ast.stmt]:
    match node:
        case ast.AsyncFunctionDef():
            return True
        case ast.FunctionDef(name=name):
            return "async_httpx_client" in name
        case ast.AnnAssign(target=ast.Name("_async_client")):
            return True
        case ast.If(test=ast.Compare(left=ast.Attribute(attr="_async_client"), ops=[ast.IsNot()])):
            return True
    return False


def with_none(module: str) -> str:
    """Returns the source of a class that uses None for an absent member, in place of the generator's `UNSET`.

    No member of an action is ever null, so None can mean nothing else.
    """
    without_import = module.replace("from ..types import UNSET, Unset\n", "")
    asked = re.sub(r"not isinstance\(([\w.]+), +Unset\)", r"\1 is not None", without_import)
    asked = re.sub(r"isinstance\(([\w.]+), +Unset\)", r"\1 is None", asked)
    return asked.replace("UNSET", "None").replace("Unset", "None")


def unions(document: dict[str, Any]) -> str:
    """Returns the source of a module that names the document's unions, which the generator repeats at each use."""
    found = {name: schema for name, schema in document["components"]["schemas"].items() if "oneOf" in schema}
    classes = sorted({variant["$ref"].removeprefix(REFERENCE) for s in found.values() for variant in s["oneOf"]})
    lines = [
        '"""The unions of the document, and the class of each tag."""',
        "",
        "from collections.abc import Mapping",
        "from typing import Final, TypeAlias",
        "",
        "from .models import (",
        *(f"    {name}," for name in classes),
        ")",
    ]
    for name, schema in found.items():
        tags = {tag: ref.removeprefix(REFERENCE) for tag, ref in schema["discriminator"]["mapping"].items()}
        lines += ["", f"{name}: TypeAlias = {' | '.join(tags.values())}"]
        lines += [f"{constant(name)}_CLASSES: Final[Mapping[str, type[{name}]]] = {{"]
        lines += [*(f'    "{tag}": {class_name},' for tag, class_name in tags.items()), "}"]
    return "\n".join([*lines, ""])


def constant(name: str) -> str:
    """Returns a name in the form of constants: `GAME_EVENT` for `GameEvent`."""
    return re.sub("(?<!^)(?=[A-Z])", "_", name).upper()
