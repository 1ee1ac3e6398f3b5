"""Loads the document's examples, recorded from real games by `python -m tools.document.examples`."""

from importlib.resources import files
from typing import Any, Final

import orjson

from api.problems.kinds import KINDS
from games.texts.catalogue import LANGUAGES

EXAMPLES: Final[dict[str, dict[str, Any]]] = orjson.loads((files("api") / "examples.json").read_bytes())


def answer_example(operation_id: str, status: int) -> dict[str, Any]:
    """Returns the `example` of an operation's response, if there is one."""
    answers = EXAMPLES["answers"]
    found = answers.get(f"{operation_id}.{status}", answers.get(operation_id))
    return {} if found is None else {"example": found}


def refusal_examples(status: int) -> dict[str, Any]:
    """Returns the `examples` of a status's problems, if there are any."""
    found = {
        code: {"summary": problem["title"], "value": problem}
        for code, problem in EXAMPLES["problems"][LANGUAGES[0]].items()
        if KINDS[code].status == status
    }
    return {"examples": found} if found else {}
