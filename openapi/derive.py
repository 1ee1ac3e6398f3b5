"""Derives documents for generators that misread a part of the published one; that one itself is made in `api/`.

`python -m openapi.derive OPENAPI > openapi/openapi.no-discriminator.json`
"""

import json
import sys
from pathlib import Path
from typing import Any


def without_discriminators(part: Any) -> Any:
    """Returns a document in which unions are told apart by the constants of their variants alone.

    openapi-generator's Rust reads the member that a `discriminator` names twice, once for the union and once for the
    variant, and fails.
    """
    if isinstance(part, list):
        return [without_discriminators(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    kept = {name: inner for name, inner in part.items() if not (name == "discriminator" and "oneOf" in part)}
    return {name: without_discriminators(inner) for name, inner in kept.items()}


def main(arguments: list[str]) -> None:
    """Prints the derived document."""
    document = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    print(json.dumps(without_discriminators(document), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
