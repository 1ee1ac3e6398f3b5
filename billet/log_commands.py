"""The commands about logs of whole games: their arguments and what they run; each command's work is elsewhere."""

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from typing import Any

from service.settings import Settings
from service.texts.languages import LANGUAGES

Add = Callable[..., argparse.ArgumentParser]

FILES = (
    "a portable log as JSON or lines of JSON, or many of them, one a line; or a scoresheet; gzipped or not; "
    "`-` for the standard input"
)


def add(commands: Any, add_command: Add, language: str) -> None:
    """Add the commands to the command line; `language` is the help of that option."""

    def command(name: str, run: Any, summary: str, reads: Sequence[str] = ()) -> argparse.ArgumentParser:
        made = add_command(commands, name, run, summary, reads)
        made.add_argument("--language", default=LANGUAGES[0], help=language)
        return made

    summary = "check logs: their deals, and that every event follows from its cause; exits with 0 only if all are valid"
    verify = command("verify", _verify, summary)
    verify.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    verify.add_argument("--jobs", type=_count, metavar="N", help="processes at once (default: as many as cores)")
    summary = "say what this release can do with logs from elsewhere; exits with 0 only if all can be replayed"
    check = command("import-check", _import_check, summary)
    check.add_argument("files", nargs="+", metavar="FILE", help=FILES)
    sheet = command("sheet", _sheet, "print a log as a scoresheet, or a scoresheet as a log")
    sheet.add_argument("file", metavar="FILE", help=FILES)
    sheet.add_argument("--json", action="store_true", help="print a portable log as JSON instead")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not {text!r}")
    return int(text)


def _verify(settings: Settings, options: argparse.Namespace) -> int:
    from billet import verify
    from billet.log_files import found_in
    from billet.wishes import words_in

    logs = (one for name in options.files for one in found_in(name))
    return 0 if _printed(verify.run(logs, options.jobs, words_in(options.language))) else 1


def _import_check(settings: Settings, options: argparse.Namespace) -> int:
    from billet import import_check
    from billet.log_files import found_in
    from billet.wishes import words_in

    logs = (one for name in options.files for one in found_in(name))
    return 0 if _printed(import_check.run(logs, words_in(options.language))) else 1


def _sheet(settings: Settings, options: argparse.Namespace) -> int:
    from billet.log_files import found_in, read_log
    from billet.wishes import words_in
    from service.portable import Unreadable, as_json
    from service.sheets import Unwritable, print_sheet

    words = words_in(options.language)
    for one in found_in(options.file):
        try:
            if one.fault is not None:
                raise Unreadable(one.fault)
            log = read_log(one.raw)
            print(as_json(log).decode() if options.json else print_sheet(log), end="\n" if options.json else "")
        except (Unreadable, Unwritable) as error:
            print(f"billet: {one.name}: {error.why.written(words)}", file=sys.stderr)
            return 1
    return 0


def _printed(lines: Generator[str, None, bool]) -> bool:
    """Print lines as they come, and return what their generator returns."""
    while True:
        try:
            line = next(lines)
        except StopIteration as end:
            return bool(end.value)
        print(line, flush=True)
