"""`make audit` tells a lock without known vulnerabilities from one that nobody has audited."""

import json
import re
from pathlib import Path

import pytest

from tools.audit import NPM_LOCKS, PYTHON_LOCKS, Audit, of_npm, of_python, report

ROOT = Path(__file__).parents[2]
SOUND = {"name": "redis", "version": "8.1.0", "vulns": []}
VULNERABLE = SOUND | {"vulns": [{"id": "PYSEC-1", "fix_versions": ["8.1.1"]}]}
SKIPPED = {"name": "redis", "skip_reason": "not found"}


def python(*packages):
    return of_python(json.dumps({"dependencies": packages, "fixes": []}))


def npm(**vulnerable):
    found = {name: {"name": name, "range": "<2", "severity": severity} for name, severity in vulnerable.items()}
    return of_npm(json.dumps({"vulnerabilities": found}))


def test_what_auditors_say_is_understood():
    assert python(SOUND) == npm() == Audit([], "")
    assert python(SOUND, VULNERABLE).found == ["redis 8.1.0: PYSEC-1, fixed in 8.1.1"]
    assert npm(tar="high").found == ["tar <2: high"]


@pytest.mark.parametrize(
    ("audit", "why"),
    [
        (python(SOUND, SKIPPED), "1 of 2 packages, e.g. not found"),
        (python(), "pip-audit found no package"),
        (of_python(""), "pip-audit gave no answer"),
        (of_python("[]"), "pip-audit gave no answer"),
        (of_npm('{"message": "405 Method Not Allowed"}'), "405 Method Not Allowed"),
        (of_npm(""), "npm gave no answer"),
        (of_npm("[]"), "npm gave no answer"),
        (of_npm("7"), "npm gave no answer"),
    ],
)
def test_what_was_not_audited_is_said(audit, why, capsys):
    assert audit == Audit((), why) or audit == Audit([], why)
    assert report({"a lock": npm(), "another": audit}) == 2
    assert capsys.readouterr().out == f"a lock: no known vulnerability\nanother: NOT AUDITED: {why}\n"


def test_a_vulnerability_counts_more_than_silence(capsys):
    assert report({"a lock": npm(tar="high"), "another": of_npm("")}) == 1
    assert "a lock: VULNERABLE: tar <2: high\n" in capsys.readouterr().out
    assert report({"a lock": npm(), "another": python(SOUND)}) == 0


def test_every_lock_is_audited():
    assert {path.stem for path in PYTHON_LOCKS} == {"dev", "image", "image-s3"}
    makefile = (ROOT / "Makefile").read_text()
    [named] = re.findall(r"^NPM := (.*)$", makefile, re.MULTILINE)
    assert {*NPM_LOCKS} == {name.removesuffix("/node_modules") for name in named.split()}
    assert all((ROOT / name / "package-lock.json").is_file() for name in NPM_LOCKS)
