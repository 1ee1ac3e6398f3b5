"""Collects the texts on each kind of problem in a language, for the problem pages and for docs/."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from api.document.components import REFUSALS
from api.document.examples import EXAMPLES
from api.document.operations import PROBLEMS
from api.problems.kinds import KINDS, sentences, type_of
from games.texts.catalogue import Catalogue

LABELS: Final = (
    "problems",
    "about",
    "person",
    "program",
    "again",
    "members",
    "headers",
    "reasons",
    "reasons_about",
    "operations",
    "everywhere",
    "example",
    "interface",
)
"""The headings of the parts of an entry, by key."""


class Occurrence(NamedTuple):
    """An operation that may respond with a code."""

    method: str
    path: str
    tag: str
    operation: str


@dataclass(frozen=True, slots=True)
class ProblemEntry:
    """All texts and places of one kind of problem."""

    code: str
    status: int
    title: str
    meaning: str
    person: str
    program: str
    again: str
    members: list[tuple[str, str]]
    headers: list[str]
    reasons: list[tuple[str, list[str]]]
    places: list[Occurrence]
    everywhere: bool
    """Whether every operation may respond with the code."""
    example: str

    @property
    def type(self) -> str:
        """The `type` of the problem that a problem page explains, which is the path of that page."""
        return type_of(self.code)

    @property
    def slug(self) -> str:
        """The last part of the path of a problem page."""
        return self.type.rpartition("/")[2]


def entries(words: Catalogue, document: Mapping[str, Any]) -> list[ProblemEntry]:
    """Returns what the problem pages say of each kind of problem; its places come from the OpenAPI document."""
    places = [(place, set(codes)) for place, codes in _operations_and_problems(document)]
    return [
        _problem_entry(code, words, [place for place, codes in places if code in codes], len(places)) for code in KINDS
    ]


def labels(words: Catalogue) -> dict[str, str]:
    """Returns the headings of a problem page in a language."""
    return {name: words.text(f"page.{name}") for name in LABELS}


def _operations_and_problems(document: Mapping[str, Any]) -> list[tuple[Occurrence, list[str]]]:
    return [
        (Occurrence(method.upper(), path, operation["tags"][0], operation["operationId"]), operation[PROBLEMS])
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]


def _problem_entry(code: str, words: Catalogue, places: list[Occurrence], all_places: int) -> ProblemEntry:
    kind = KINDS[code]
    example = EXAMPLES["problems"][words.language][code]
    return ProblemEntry(
        code=code,
        status=kind.status,
        title=words.text(f"problem.{code}.title"),
        meaning=words.text(f"problem.{code}.meaning"),
        person=words.text(f"problem.{code}.person"),
        program=words.text(f"problem.{code}.program"),
        again=words.text(f"again.{kind.again}"),
        members=[(member, words.text(f"member.{member}")) for member in kind.members],
        headers=[name for name in REFUSALS[kind.status][2] if kind.status != 409 or "retry_after" in kind.members],
        reasons=[(reason, sentences(words, reason)) for reason in kind.reasons],
        places=places,
        everywhere=len(places) == all_places,
        example=orjson.dumps(example, option=orjson.OPT_INDENT_2).decode(),
    )
