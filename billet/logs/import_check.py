"""`billet import-check`: reports whether this release can read and replay logs from elsewhere."""

from collections.abc import Generator, Iterable, Iterator

from billet.logs.files import FoundLog, opened
from billet.logs.verify import why_of
from games.records.import_check import Findings, examine
from games.records.portable import FORMAT_VERSION, Unreadable
from games.texts.catalogue import Catalogue


def run(logs: Iterable[FoundLog], words: Catalogue) -> Generator[str, None, bool]:
    """Yields the lines of `billet import-check` on each log; the generator returns whether all can be replayed."""
    usable = True
    for one in logs:
        findings = _findings_on(one)
        usable &= findings.replays
        yield f"{one.name}:"
        for line in _finding_lines(findings, words):
            yield f"  {line}"
    return usable


def _findings_on(one: FoundLog) -> Findings:
    try:
        with opened(one) as log:
            return examine(log)
    except Unreadable as error:
        return Findings(unreadable=error.why)


def _finding_lines(found: Findings, words: Catalogue) -> Iterator[str]:
    if found.written_by is not None:
        yield words.text("import.written_by", package=found.written_by)
    if found.unreadable is not None:
        yield words.text("import.unreadable", why=found.unreadable.written(words))
        return
    assert found.verdict is not None, "what can be read has been verified"
    yield words.text("import.readable", format=FORMAT_VERSION)
    for rules, count in found.rules.items():
        yield words.text("import.rules", count=count, rules=rules)
    yield words.text("import.verified", why=why_of(found.verdict).written(words))
    if found.unfit is None:
        yield words.text("import.replayable")
    else:
        yield words.text("import.unfit", why=found.unfit.written(words))
