"""Real answers as examples for the document; they are noted from real games by `python -m tests.contract.examples`."""

from importlib.resources import files
from typing import Any, Final

import orjson

from api.kinds import KINDS
from service.texts.catalogue import LANGUAGES

EXAMPLES: Final[dict[str, dict[str, Any]]] = orjson.loads((files("api") / "examples.json").read_bytes())


def answer_example(operation_id: str) -> dict[str, Any]:
    """Returns the part of the document that shows what an operation answers, or nothing."""
    found = EXAMPLES["answers"].get(operation_id)
    return {} if found is None else {"example": found}


def refusal_examples(status: int) -> dict[str, Any]:
    """Returns the part of the document that shows the problems of a status, or nothing."""
    found = {
        code: {"summary": problem["title"], "value": problem}
        for code, problem in EXAMPLES["problems"][LANGUAGES[0]].items()
        if KINDS[code].status == status
    }
    return {"examples": found} if found else {}
