"""`billet import-check`: says of logs from elsewhere what this release can do with them; what that is, is elsewhere."""

from collections.abc import Generator, Iterable, Iterator

from billet.log_files import Found, read_log
from service.import_check import Findings, examine
from service.portable import FORMAT_VERSION, Unreadable
from service.said import Said
from service.texts.catalogue import Catalogue
from service.verdicts import sentence


def run(logs: Iterable[Found], words: Catalogue) -> Generator[str, None, bool]:
    """Yields lines on each log; returns by the generator's value whether all can be read and replayed."""
    usable = True
    for one in logs:
        findings = _examined(one)
        usable &= findings.replays
        yield f"{one.name}:"
        for line in _lines(findings, words):
            yield f"  {line}"
    return usable


def _examined(one: Found) -> Findings:
    if one.fault is not None:
        return Findings(unreadable=one.fault)
    try:
        return examine(read_log(one.raw))
    except Unreadable as error:
        return Findings(unreadable=error.why)


def _lines(found: Findings, words: Catalogue) -> Iterator[str]:
    if found.written_by is not None:
        yield words.text("import.written_by", package=found.written_by)
    if found.unreadable is not None:
        yield words.text("import.unreadable", why=found.unreadable.written(words))
        return
    yield words.text("import.readable", format=FORMAT_VERSION)
    for (kind, version, today), count in sorted(found.upcasts.items()):
        yield words.text("import.upcast", count=count, type=kind, version=version, today=today)
    for rules, count in found.rules.items():
        if rules is None:
            yield words.text("import.no_rules", count=count)
        else:
            yield words.text("import.rules", count=count, rules=rules)
    yield words.text("import.verified", why=_verdict(found).written(words))
    if found.unfit is None:
        yield words.text("import.replayable")
    else:
        yield words.text("import.unfit", why=found.unfit.written(words))


def _verdict(found: Findings) -> Said:
    assert found.verdict is not None, "what can be read has been verified"
    unproven = found.verdict.divergence is None and found.verdict.unchecked
    return found.verdict.unchecked[0].why if unproven else sentence(found.verdict)
