"""The linters of the document find what is wrong with one; that nothing is wrong with ours is for `make check`."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from api.app import published_document

FOLDER = Path(__file__).parents[3] / "openapi"


def lint(tool, path):
    assert (FOLDER / "node_modules").is_dir(), "make check installs the linters"
    # As `npm run` does it, which takes as long as one of them.
    script = json.loads((FOLDER / "package.json").read_text())["scripts"][tool]
    own = {"PATH": f"{FOLDER}/node_modules/.bin:{os.environ['PATH']}", "REDOCLY_TELEMETRY": "off"}
    return subprocess.run(
        [*script.split(), str(path)],
        cwd=FOLDER,
        env={**os.environ, **own, "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"},
        capture_output=True,
        text=True,
        timeout=250,
    )


@pytest.mark.soak
def test_both_fail_at_the_least_finding(tmp_path):
    document = json.loads(published_document())
    path = tmp_path / "openapi.json"
    lonely = {"Lonely": {"type": "object", "description": "Nobody refers to it."}}
    schemes = document["components"]["securitySchemes"]
    # Without operations: the smaller the document, the sooner it is read.
    document |= {"tags": [], "paths": {}, "components": {"securitySchemes": schemes, "schemas": lonely}}
    path.write_text(json.dumps(document))
    for tool, rule, alone in (
        ("spectral", "oas3-unused-component", "1 problem "),
        ("redocly", "no-unused-components", "failed with 1 error."),
    ):
        found = lint(tool, path)
        assert found.returncode == 1, found.stdout + found.stderr
        assert rule in found.stdout + found.stderr
        assert alone in found.stdout + found.stderr
