"""The commands about logs of whole games: their arguments, and the functions they run."""

import argparse
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from games.texts.languages import LANGUAGES
from service.settings import Settings

Add = Callable[..., argparse.ArgumentParser]
Status = TypeVar("Status", bool, int)

EDITIONS = ("standard", "classic", "premium", "lovecraft")
"""As in `engine.editions`, which takes longer to import than `billet --help` to print."""
REDIS = ("redis_url", "redis_password_file", "redis_cluster", "data_dir", "archive_url")

FILES = "a portable log as JSON or lines of JSON, or many, one a line; gzipped or not; `-` for the standard input"
DIRECTORY = "a directory, for all logs below it: an archive, or what `billet export` has written"


def add_language(command: argparse.ArgumentParser) -> None:
    """Adds the option that says in which language a command prints."""
    command.add_argument("--language", default=LANGUAGES[0], choices=LANGUAGES, help="default: %(default)s")


def add(commands: Any, add_command: Add) -> None:
    """Adds the commands about logs to the command line."""

    def command(name: str, run: Any, summary: str, reads: Sequence[str] = ()) -> argparse.ArgumentParser:
        made = add_command(commands, name, run, summary, reads)
        add_language(made)
        return made

    replay = command("replay", _replay_command, "print a finished game in words")
    replay.add_argument("file", metavar="FILE", help=f"{FILES}; FILE:7 is the seventh log in a file")
    replay.add_argument("--as", dest="seat", metavar="SEAT", help="only what this seat saw (default: everything)")
    replay.add_argument(
        "--html",
        metavar="FILE",
        help="write the finished game, a viewer and a verifier into one page that works offline",
    )
    summary = (
        "check logs: their deals, and that every event follows from its cause; exits with 0 only if all are valid, "
        "with 1 if one is not, and with 2 if a file cannot be read"
    )
    verify = command("verify", _verify_command, summary)
    verify.add_argument("files", nargs="+", metavar="FILE|DIRECTORY", help=f"{FILES}; or {DIRECTORY}")
    verify.add_argument("--jobs", type=_count_option, metavar="N", help="processes at once (default: as many as cores)")
    verify.add_argument("--quiet", action="store_true", help="print only logs that are not valid, and the count")
    summary = "write the decisions in logs as a Parquet table, for studies; exits with 1 if a log is left out"
    dataset = command("dataset", _dataset_command, summary)
    dataset.add_argument("logs", nargs="+", metavar="LOGS", help=f"{FILES}; or a directory of logs")
    dataset.add_argument("-o", "--output", required=True, metavar="FILE", help="the Parquet file to write")
    dataset.add_argument("--verified", action="store_true", help="skip verification: the logs have been verified")
    dataset.add_argument(
        "--jobs", type=_count_option, metavar="N", help="processes at once (default: as many as cores)"
    )
    summary = "write the logs of ended games, in the order in which they ended; exits with 1 if one is damaged or lost"
    export = add_command(commands, "export", _export_command, summary, REDIS)
    export.add_argument(
        "--since", type=_since_option, default=0, metavar="DATE", help="only games that ended then or later"
    )
    export.add_argument("--edition", choices=EDITIONS, help="only games of this edition")
    export.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help="a folder for a file each, to which those are added that are missing (default: the standard output)",
    )


def _since_option(text: str) -> int:
    from billet.logs.export import since_of

    try:
        return since_of(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be a date such as 2026-01-31, or one with a time, not {text!r}"
        ) from None


def _export_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.errors import StartError
    from billet.logs import export
    from billet.redis.choice import losses, some_redis
    from games.errors import ArchiveAway, Unavailable

    with some_redis(settings) as found, export.goal_of(options.output) as goal:
        try:
            written, damaged = export.run(found, goal, options.since, options.edition)
        except ArchiveAway as error:
            why = "the archive cannot be read" if found.archive_url else "some games are archived: set ARCHIVE_URL"
            raise StartError(f"{why}; repeat the command to continue") from error
        except Unavailable as error:
            raise StartError("lost the connection to Redis; repeat the command to continue") from error
        lost = losses(found)
    print(f"games: {written} written, {damaged} damaged", file=sys.stderr)
    for why in lost:
        print(f"billet: {why}", file=sys.stderr)
    return 1 if damaged or lost else 0


def _count_option(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not {text!r}")
    return int(text)


def _replay_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import replay
    from billet.replay import source
    from games.texts.catalogue import catalogue

    words = catalogue(options.language)
    played = source.in_file(options.file, words)
    if options.html is not None:
        replay.write(played, options.html, words)
    else:
        replay.run(played, options.seat, words)
    return 0


def _verify_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.logs import verify
    from billet.logs.files import found_by
    from games.texts.catalogue import catalogue

    logs = found_by(options.files)
    return _printed(verify.run(logs, options.jobs, catalogue(options.language), quiet=options.quiet))


def _dataset_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.errors import StartError
    from billet.logs.files import found_by
    from games.messages import Message
    from games.texts.catalogue import catalogue

    words = catalogue(options.language)
    try:
        from billet.dataset import work
    except ModuleNotFoundError as missing:
        if missing.name != "pyarrow":
            raise
        raise StartError(
            "the table needs the package pyarrow: install it with the pip beside billet, or in the checkout with "
            ".venv/bin/pip install '.[dataset]'"
        ) from None

    def report(name: str, why: Message) -> None:
        print(words.text("dataset.left_out", name=name, why=why.written(words)), file=sys.stderr)

    try:
        count = work.write(
            found_by(options.logs), Path(options.output), verified=options.verified, jobs=options.jobs, report=report
        )
    except OSError as error:
        raise StartError(f"cannot write {options.output}: {error.strerror or error}") from error
    print(words.text("dataset.written", file=options.output, **count._asdict()))
    return 1 if count.left_out else 0


def _printed(lines: Generator[str, None, Status]) -> Status:
    """Prints the lines of a command about logs as they arrive, and returns the generator's return value."""
    from billet.escaping import plain

    while True:
        try:
            line = next(lines)
        except StopIteration as end:
            return cast(Status, end.value)
        print(plain(line), flush=True)
