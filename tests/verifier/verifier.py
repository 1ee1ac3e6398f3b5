"""Runs `examples/verify/verify.mjs` on logs, many at once."""

import json
import subprocess
from pathlib import Path

from games.records.portable import as_json, as_ndjson, packed

FOLDER = Path(__file__).parents[2] / "examples" / "verify"
SCRIPT = FOLDER / "verify.mjs"
SECONDS = 120
FORMS = {"json": as_json, "ndjson": as_ndjson, "ndjson.gz": lambda log: packed(as_ndjson(log))}


def written(folder, logs):
    """Writes logs into a folder, each in one of the forms, and returns their paths."""
    paths = []
    for number, log in enumerate(logs):
        ending = list(FORMS)[number % len(FORMS)]
        paths.append(folder / f"{number:04}.{ending}")
        paths[-1].write_bytes(FORMS[ending](log))
    return paths


def run(*words):
    """Runs the verifier, and returns how it ended and what it said."""
    words = ["node", SCRIPT, *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)


def verdicts(folder, logs):
    """Returns the verdicts on logs, in order."""
    done = run("--json", *written(folder, logs))
    assert not done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
