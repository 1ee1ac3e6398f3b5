"""Writes the documents that are derived from the published one into `build/openapi/`; a running service has them too.

`python -m tools.document.derive` writes all of them.
"""

import json
import os
from pathlib import Path
from typing import Final

from api.document.derived import DERIVED as DERIVED

ROOT: Final = Path(__file__).parents[2]
PUBLISHED: Final = ROOT / "openapi" / "openapi.json"
MADE: Final = ROOT / "build" / "openapi"


def written(name: str) -> Path:
    """Writes one of the derived documents anew, and returns its path."""
    document = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    text = json.dumps(DERIVED[name](document), indent=2, ensure_ascii=False)
    MADE.mkdir(parents=True, exist_ok=True)
    part = MADE / f"{name}.{os.getpid()}"  # another process may be reading the one that is there
    part.write_text(f"{text}\n", encoding="utf-8")
    return part.replace(MADE / name)


if __name__ == "__main__":
    for each in DERIVED:
        written(each)
