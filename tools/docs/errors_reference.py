"""Makes the reference of all errors in `docs/errors.md`: the entries that the interface serves at each `type`.

Its content comes from the operations and the catalogues of texts, through `api/document/problem_entries.py`.
"""

from api.app import document
from api.document.problem_entries import ProblemEntry, entries, labels
from games.texts.catalogue import catalogue
from tools.docs.markdown import table

WORDS = catalogue("en")
LABELS = labels(WORDS)


def sections() -> str:
    """Returns the table of all errors and a section for each."""
    found = entries(WORDS, document())
    rows = [[f"[`{one.code}`](#{one.code})", str(one.status), one.title] for one in found]
    return "\n\n".join([table(["code", "status", "title"], rows), *map(_section, found)])


def _section(one: ProblemEntry) -> str:
    parts = [
        f"## {one.code}",
        f"{one.status}. {one.meaning}",
        f"- {LABELS['person']}: {one.person}\n- {LABELS['program']}: {one.program}\n- {LABELS['again']} {one.again}",
    ]
    if one.members:
        members = "; ".join(f"`{name}`, {text}" for name, text in one.members)
        parts[-1] += f"\n- {LABELS['members']}: {members}."
    if one.headers:
        parts[-1] += f"\n- {LABELS['headers']}: {', '.join(f'`{name}`' for name in one.headers)}."
    if one.reasons:
        rows = [[f"`{reason}`", " / ".join(texts)] for reason, texts in one.reasons]
        parts.append(table(["reason", "what it says"], rows))
    parts.append("\n".join(f"    {line}" for line in one.example.splitlines()))
    return "\n\n".join(parts)
