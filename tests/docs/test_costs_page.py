"""The table of costs knows every operation of the document, as does the tool that measures it.

That every case is answered is seen where all are called: in `called`.
"""

import json
import re
from pathlib import Path

from tools.benchmarks.costs import CASES

ROOT = Path(__file__).parents[2]


def operations():
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    return {one["operationId"] for path in document["paths"].values() for one in path.values() if "operationId" in one}


def test_every_operation_is_measured():
    assert {name.partition(",")[0] for name in CASES} == operations(), "add a case to tools/benchmarks/costs.py"


def test_every_operation_stands_in_the_table():
    page = (ROOT / "docs" / "costs.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)(?:, \w+)?` \|", page, re.MULTILINE)) == operations(), (
        "run `python -m tools.benchmarks.costs OPERATION`"
    )
