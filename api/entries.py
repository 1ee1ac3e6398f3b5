"""What there is to say of each kind of problem, in a language; the pages of the catalogue and docs/ are made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from api.components import REFUSALS
from api.examples import EXAMPLES
from api.kinds import KINDS, sentences, type_of
from api.operations import PROBLEMS
from service.texts.catalogue import Catalogue

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
"""What stands over the parts of an entry, by key."""


class Place(NamedTuple):
    """An operation that may refuse with a code."""

    method: str
    path: str
    tag: str
    operation: str


@dataclass(frozen=True, slots=True)
class Entry:
    """All that is said of one kind of problem."""

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
    places: list[Place]
    everywhere: bool
    """Whether the places are all that there are."""
    example: str

    @property
    def type(self) -> str:
        """The `type` of such a problem, which is where its page is."""
        return type_of(self.code)

    @property
    def slug(self) -> str:
        """The last part of that path."""
        return self.type.rpartition("/")[2]


def entries(words: Catalogue, document: Mapping[str, Any]) -> list[Entry]:
    """Returns what there is to say of every kind of problem; where each comes is read from the document."""
    places = [(place, set(codes)) for place, codes in _operations(document)]
    return [_entry(code, words, [place for place, codes in places if code in codes], len(places)) for code in KINDS]


def labels(words: Catalogue) -> dict[str, str]:
    """Returns what stands over the parts of an entry."""
    return {name: words.text(f"page.{name}") for name in LABELS}


def _operations(document: Mapping[str, Any]) -> list[tuple[Place, list[str]]]:
    return [
        (Place(method.upper(), path, operation["tags"][0], operation["operationId"]), operation[PROBLEMS])
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]


def _entry(code: str, words: Catalogue, places: list[Place], all_places: int) -> Entry:
    kind = KINDS[code]
    example = EXAMPLES["problems"][words.language][code]
    return Entry(
        code=code,
        status=kind.status,
        title=words.text(f"problem.{code}.title"),
        meaning=words.text(f"problem.{code}.meaning"),
        person=words.text(f"problem.{code}.person"),
        program=words.text(f"problem.{code}.program"),
        again=words.text(f"again.{kind.again}"),
        members=[(member, words.text(f"member.{member}")) for member in kind.members],
        headers=list(REFUSALS[kind.status][2]),
        reasons=[(reason, sentences(words, reason)) for reason in kind.reasons],
        places=places,
        everywhere=len(places) == all_places,
        example=orjson.dumps(example, option=orjson.OPT_INDENT_2).decode(),
    )
