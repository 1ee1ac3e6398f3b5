"""Projects of the TypeScript programs, each laid out as that of a reader: the program beside the client it imports.

Node.js 20 runs what `tsc` makes of them. The generated files import one another without file extensions, which Node.js
allows where modules are those of CommonJS.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).with_name("typescript")
NODE_MODULES: Final = Path(__file__).parents[2] / "tools" / "sdk" / "node_modules"
TSC: Final = NODE_MODULES / ".bin" / "tsc"


def lay_out(clients: Path, folder: Path, programs: Mapping[str, str]) -> Path:
    """Puts the program of each client and the client into a project in a folder, and returns the folder.

    They are compiled together: the compiler takes longer over what they share than over each.
    """
    for client, program in programs.items():
        shutil.copytree(clients / client, folder / client / "generated")
        for name in ("playing.ts", f"{program}.ts"):
            shutil.copy(SOURCES / name, folder / client)
    for name in ("package.json", "tsconfig.json", "tsconfig.apart.json", "tsconfig.generated.json"):
        shutil.copy(SOURCES / name, folder)
    (folder / "node_modules").symlink_to(NODE_MODULES, target_is_directory=True)
    return folder
