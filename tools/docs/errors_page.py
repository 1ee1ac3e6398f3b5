"""Generates the page of all errors: the catalogue that the interface serves at each `type`, and tables made from it.

Its content comes from the operations and the catalogues of texts, through `api/document/problem_entries.py`.
"""

from api.app import described
from api.document.problem_entries import ProblemEntry, entries, labels
from api.request.languages import codes
from games.texts.catalogue import LANGUAGES, catalogue

WORDS = catalogue("en")
LABELS = labels(WORDS)

HEAD = f"""# Errors

<!-- Made by tools/docs/errors_page.py of api/problems/kinds.py and problems.po: change those and run `make docs`. -->

Look up a refused call by its `code`. Every error on every path is `application/problem+json` (RFC 9457):

    {{"type": "/problems/not-found", "title": "Not found", "status": 404, "detail": "There is no such game. ...",
     "instance": "/v1/games/game-1", "code": "not_found"}}

- Decide by `code`, which is stable. Later versions of Billet may add codes and reasons: go by the status for those you
  do not know.
- Show `detail` to people. It says why and what to do.
- `title`, `detail` and the texts in `errors` are in the language of `Accept-Language` ({codes()}; by default
  `{LANGUAGES[0]}`), and `Content-Language` names it. Codes, reasons and fields are the same in all languages.
- `instance` is the path of the call. `type` is the path of a page about the error, on the service; `/problems` lists
  them.
- A call that is refused with a status below 500 has changed nothing.
- The document lists the codes of each operation as `x-problems`.
- If a request is not valid HTTP, the answer is in English.
"""


def page() -> str:
    """Returns the page."""
    found = _entries()
    rows = [f"| [`{one.code}`](#{one.code}) | {one.status} | {one.meaning} | {one.again} |" for one in found]
    table = "\n".join(["| code | status | when | repeat the call? |", "| --- | --- | --- | --- |", *rows])
    return "\n\n".join([HEAD.rstrip(), table, *map(_section, found)]) + "\n"


def handling() -> str:
    """Returns the table of what a program does about each error, for other pages."""
    rows = [f"| [`{one.code}`](errors.md#{one.code}) | {one.status} | {one.program} |" for one in _entries()]
    return "\n".join([f"| code | status | {LABELS['program'].lower()} |", "| --- | --- | --- |", *rows])


def _entries() -> list[ProblemEntry]:
    return entries(WORDS, described())


def _section(one: ProblemEntry) -> str:
    parts = [
        f"## {one.code}",
        f"{one.status}, *{one.title}*. {one.meaning}",
        f"- {LABELS['person']}: {one.person}\n- {LABELS['program']}: {one.program}\n- {LABELS['again']} {one.again}",
    ]
    if one.members:
        members = "; ".join(f"`{name}`, {text}" for name, text in one.members)
        parts[-1] += f"\n- {LABELS['members']}: {members}."
    if one.headers:
        parts[-1] += f"\n- {LABELS['headers']}: {', '.join(f'`{name}`' for name in one.headers)}."
    parts[-1] += f"\n- {LABELS['operations']}: {_places(one)}"
    if one.reasons:
        rows = [f"| `{reason}` | {' / '.join(texts)} |" for reason, texts in one.reasons]
        parts.append("\n".join(["| reason | what it says |", "| --- | --- |", *rows]))
    parts.append("\n".join(f"    {line}" for line in one.example.splitlines()))
    return "\n\n".join(parts)


def _places(one: ProblemEntry) -> str:
    if one.everywhere:
        return LABELS["everywhere"]
    return ", ".join(f"`{place.method} {place.path}`" for place in one.places) + "."
