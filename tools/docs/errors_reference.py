"""Makes the tables of `docs/errors.md`: all codes, and all reasons with what they say."""

from api.problems.kinds import KINDS, sentences
from games.texts.catalogue import catalogue
from tools.docs.markdown import table

WORDS = catalogue("en")


def codes() -> str:
    """Returns the table of all codes, each with a link to its section."""
    rows = [
        [f"[`{code}`](#{code})", str(kind.status), WORDS.text(f"problem.{code}.title")] for code, kind in KINDS.items()
    ]
    return table(["code", "status", "title"], rows)


def reasons() -> str:
    """Returns the table of all reasons."""
    rows = [
        [f"`{reason}`", f"[`{code}`](#{code})", " / ".join(sentences(WORDS, reason))]
        for code, kind in KINDS.items()
        for reason in kind.reasons
    ]
    return table(["reason", "code", "what it says"], rows)
