"""`billet verify`: verifies many logs on all cores."""

import time
from collections.abc import Generator, Iterable, Sequence
from typing import Any, Final, NamedTuple

import orjson

from billet.logs.cores import in_order
from billet.logs.files import TOO_COSTLY, FoundLog, opened
from games.messages import Message
from games.records.portable import Unreadable
from games.records.verdicts import sentence
from games.records.verification import Verdict, verify
from games.texts.catalogue import Catalogue

AHEAD: Final = 4
"""How many logs to read ahead per process: enough to keep it busy, few enough to keep memory flat."""
SHOWN: Final = 300
"""How much to show of the expected and of the found value, in characters."""


class Judged(NamedTuple):
    """The verdict on one log."""

    name: str
    valid: bool
    why: Message
    expected: Any
    found: Any
    seconds: float
    """CPU time taken."""
    unproven: Sequence[str] = ()
    """Claims of the log that no log can prove."""
    read: bool = True
    """Whether there was anything to judge."""


ALL_VALID, SOME_NOT, UNREAD = 0, 1, 2
"""Exit statuses, as those of `verify.mjs`: all logs are valid, some are not, or something cannot be read."""


def run(
    logs: Iterable[FoundLog], jobs: int | None, words: Catalogue, *, quiet: bool = False
) -> Generator[str, None, int]:
    """Yields the lines of `billet verify` on each log, in order, and a summary; returns the exit status at last.

    A `quiet` one says nothing of valid logs, but counts them.
    """
    count = valid = unread = 0
    spent = 0.0
    unproven: dict[str, None] = {}
    begun = time.perf_counter()
    for one in in_order(judged, logs, jobs, ahead=AHEAD, size=_length):
        count += 1
        valid += one.valid
        unread += not one.read
        spent += one.seconds
        unproven |= dict.fromkeys(one.unproven)
        if one.valid and not quiet:
            yield words.text("verify.valid", name=one.name)
        elif not one.valid:
            why = one.why.written(words)
            yield words.text("verify.not_valid" if one.read else "verify.unreadable", name=one.name, why=why)
        if one.expected is not None or one.found is not None:
            places = words.text(
                "verify.places", expected=_shown_in_verdict(one.expected), found=_shown_in_verdict(one.found)
            )
            yield f"    {places}"
    rate = count / spent if spent else 0.0
    took = time.perf_counter() - begun
    yield words.text("verify.all", valid=valid, count=count, rate=f"{rate:.1f}", seconds=f"{took:.1f}")
    if unproven and not quiet:
        yield words.text("verify.unproven", names=", ".join(unproven))
    if unread:
        return UNREAD
    return ALL_VALID if valid == count else SOME_NOT


def _length(one: FoundLog) -> int:
    return len(one.raw)


def judged(one: FoundLog) -> Judged:
    """Returns the verdict of `billet verify` on a log in a file."""
    begun = time.process_time()
    try:
        with opened(one) as log:
            verdict = verify(log)
    except Unreadable as error:
        read = one.fault in (None, TOO_COSTLY)
        return Judged(one.name, False, error.why, None, None, time.process_time() - begun, read=read)
    except Exception as error:  # one log must not stop the verification of the others
        why = Message("log.not_judged", {"why": type(error).__name__})
        return Judged(one.name, False, why, None, None, time.process_time() - begun)
    divergence = verdict.divergence
    places = (divergence.expected, divergence.found) if divergence is not None else (None, None)
    return Judged(one.name, verdict.valid, why_of(verdict), *places, time.process_time() - begun, verdict.unproven)


def why_of(verdict: Verdict) -> Message:
    """Returns a log's verdict in a sentence for `billet verify`; of an unproven log, why a check could not be made."""
    return verdict.unchecked[0].why if verdict.divergence is None and verdict.unchecked else sentence(verdict)


def _shown_in_verdict(value: Any) -> str:
    text = orjson.dumps(value).decode() if value is not None else "-"
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
