"""The fields of every event in every version that was ever stored in short form, which must be known for ever.

The generator adds what is new and changes nothing else.
"""

import json
from pathlib import Path

from service.store.formats.short_events import FIELDS

PATH = Path(__file__).parent / "fields.json"


def kept():
    """Returns the names of fields by type and version."""
    found = json.loads(PATH.read_text())
    return {(kind, int(v)): tuple(names) for kind, versions in found.items() for v, names in versions.items()}


def write():
    """Adds the fields of new events and versions."""
    known = FIELDS | (kept() if PATH.exists() else {})
    lines = []
    for kind in sorted({kind for kind, _ in known}):
        versions = {str(v): names for (name, v), names in sorted(known.items()) if name == kind}
        lines.append(f'"{kind}": {json.dumps(versions)}')
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")
