"""Projects of the TypeScript programs, each laid out as that of a reader: the program beside the client it imports.

Node.js 20 runs what `tsc` makes of them. The generated files import one another without file extensions, which Node.js
allows where modules are those of CommonJS.
"""

import shutil
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).with_name("typescript")
NODE_MODULES: Final = Path(__file__).parents[2] / "tools" / "sdk" / "node_modules"
TSC: Final = NODE_MODULES / ".bin" / "tsc"


def project_of(clients: Path, client: str) -> Path:
    """Returns where the project of a client is."""
    return clients / f"{client}.project"


def lay_out(clients: Path, client: str, program: str) -> Path:
    """Puts a program and the generated client into a project; returns its folder."""
    project = project_of(clients, client)
    shutil.copytree(clients / client, project / "generated")
    shutil.copy(SOURCES / "tsconfig.generated.json", project / "generated" / "tsconfig.json")
    for name in ("package.json", "tsconfig.json", "playing.ts", f"{program}.ts"):
        shutil.copy(SOURCES / name, project)
    (project / "node_modules").symlink_to(NODE_MODULES, target_is_directory=True)
    return project
