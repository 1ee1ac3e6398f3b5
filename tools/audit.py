"""Audits all locks against known vulnerabilities, and lists what they hold as CycloneDX; `make audit` runs it.

A registry that does not answer audits must not look like one that knows of nothing: what could not be audited is said.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
PYTHON_LOCKS: Final = tuple(sorted(ROOT.glob("locks/*.txt")))
NPM_LOCKS: Final = ("clients/typescript", "openapi", "tests/web", "tools/pictures", "tools/sdk", "web")
LISTS: Final = ROOT / "build" / "audit"
SECONDS: Final = 600
"""For one program, which may wait for a registry."""
VULNERABLE, NOT_AUDITED = 1, 2
"""Exit statuses; the first counts more."""


@dataclass(frozen=True)
class Audit:
    """What is known of a lock's packages."""

    found: Sequence[str]
    """A line for each vulnerability."""
    unaudited: str
    """Why some of it was not audited; "" if all was."""


def of_python(said: str) -> Audit:
    """Returns what `pip-audit --format json` says of a lock."""
    try:
        packages = json.loads(said)["dependencies"]
    except (ValueError, LookupError, TypeError):
        return Audit((), "pip-audit gave no answer")
    skipped = [one["skip_reason"] for one in packages if "skip_reason" in one]
    found = [
        f"{one['name']} {one['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions']) or 'no version'}"
        for one in packages
        for fault in one.get("vulns", ())
    ]
    why = f"{len(skipped)} of {len(packages)} packages, e.g. {skipped[0]}" if skipped else ""
    return Audit(found, why if packages else "pip-audit found no package")


def of_npm(said: str) -> Audit:
    """Returns what `npm audit --json` says of a lock."""
    try:
        answer: Any = json.loads(said)
        if "vulnerabilities" not in answer:
            return Audit((), str(answer["message"]))
        vulnerable = answer["vulnerabilities"].values()
        return Audit([f"{one['name']} {one['range']}: {one['severity']}" for one in vulnerable], "")
    except (ValueError, LookupError, TypeError, AttributeError):
        return Audit((), "npm gave no answer")


def main(programs: Path) -> int:
    """Audits all locks with pip-audit and cyclonedx-py, which are in a folder, and npm; returns the exit status."""
    LISTS.mkdir(parents=True, exist_ok=True)
    audits = {}
    for lock in PYTHON_LOCKS:
        words = [programs / "pip-audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
        audits[str(lock.relative_to(ROOT))] = of_python(_said([*words, "--format", "json", "--requirement", lock]))
        listed = LISTS / f"python-{lock.stem}.json"
        _said([programs / "cyclonedx-py", "requirements", lock, "--output-file", listed], must=True)
    for folder in NPM_LOCKS:
        with tempfile.TemporaryDirectory() as copy:
            _copy_with_version(ROOT / folder, Path(copy))
            words = ["npm", "--prefix", copy, "--package-lock-only"]
            audits[f"{folder}/package-lock.json"] = of_npm(_said([*words, "audit", "--json"]))
            listed = LISTS / f"npm-{folder.replace('/', '-')}.json"
            listed.write_text(_said([*words, "sbom", "--sbom-format", "cyclonedx"], must=True))
    return report(audits)


def _copy_with_version(folder: Path, copy: Path) -> None:
    """Copies what npm must know of a folder; it lists no package that has no version, as those that only serve here."""
    for name in ("package.json", "package-lock.json"):
        said = {"version": "0.0.0"} | json.loads((folder / name).read_text(encoding="utf-8"))
        if "packages" in said:
            said["packages"][""] = {"version": "0.0.0"} | said["packages"][""]
        (copy / name).write_text(json.dumps(said), encoding="utf-8")


def report(audits: dict[str, Audit]) -> int:
    """Prints what is known of each lock, and returns the exit status."""
    status = 0
    for lock, audit in audits.items():
        for line in audit.found:
            print(f"{lock}: VULNERABLE: {line}")
        if audit.unaudited:
            print(f"{lock}: NOT AUDITED: {audit.unaudited}")
        elif not audit.found:
            print(f"{lock}: no known vulnerability")
    if any(audit.unaudited for audit in audits.values()):
        status = NOT_AUDITED
    return VULNERABLE if any(audit.found for audit in audits.values()) else status


def _said(words: Sequence[str | Path], *, must: bool = False) -> str:
    """Runs a program and returns what it has said; auditors also end with 1 if they have found something."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=ROOT)
    if must and done.returncode:
        raise SystemExit(f"{words[0]} has failed: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))
