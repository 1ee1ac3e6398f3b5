"""The `billet` command line: defines the commands and prints each error as one line."""

import argparse
import gc
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from textwrap import fill
from typing import Any, TypeAlias

from billet import upkeep
from billet.errors import StartError, outage_text
from billet.escaping import plain
from billet.logs import commands as log_commands
from billet.matches import arguments as match_arguments
from billet.upkeep import REDIS
from games.errors import Unavailable
from games.version import VERSION
from service.settings import API_SECRETS, COMMAND_SECRETS, Settings, SettingsError

RunCommand = Callable[[Settings, argparse.Namespace], int]
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

BROKEN_PIPE = 141
"""The exit status of a process that wrote to a closed pipe: 128 + SIGPIPE."""
NEW_OBJECTS = 10_000
"""How many are made before Python looks for unreachable ones. Its own 700 are made by one call; and looking again and
again through what a command imports would take a sixth of its start."""

SETTINGS = tuple(setting.name for setting in fields(Settings))
ADDRESS = ("host", "port", "data_dir")
"""What a command reads of the environment, for its help."""
FIRST = ("serve", "replay", "verify", "export", "status")
"""The commands that `billet --help` explains; it names the others."""

# Each command imports its code only when it runs, so that `billet --help` is fast.


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the `billet` command line in `arguments` (default: the process's) and returns its exit status."""
    gc.set_threshold(NEW_OBJECTS)
    try:
        try:
            return _run_command(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`billet openapi | head`) has closed the pipe. Flushing the rest must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _run_command(arguments: Sequence[str] | None) -> int:
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(Settings.from_env(), options)
    except (SettingsError, StartError, Unavailable) as error:
        says = outage_text(error) if isinstance(error, Unavailable) else str(error)
        print(*map(plain, f"billet: {says}".split("\n")), sep="\n", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the whole `billet` command line."""
    top = argparse.ArgumentParser(
        prog="billet",
        description="Turn-based card games as a service.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"billet {VERSION}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_parts(commands)
    upkeep.add(commands, _add_command)
    _add_questions(commands)
    log_commands.add(commands, _add_command)
    match_arguments.add(commands, _add_command)
    others = ", ".join(name for name in commands.choices if name not in FIRST)
    top.epilog = f"{fill(f'more commands: {others}', 78)}\n\n'billet COMMAND --help' explains a command."
    return top


def _add_parts(commands: Commands) -> None:
    """Adds the commands that run an installation or a part of it."""
    summary = "run everything: an embedded Redis (unless REDIS_URL is set), workers and the API"
    _add_command(commands, "serve", _serve_command, summary)
    _add_command(commands, "api", _api_command, "run the API alone")
    worker = _add_command(commands, "worker", _worker_command, "run one worker: timeouts and bot turns")
    worker.add_argument("--quick", action="store_true", help="leave the turns of bots that think to other workers")


def _add_questions(commands: Commands) -> None:
    """Adds the commands that only print something."""
    summary = "report the installation's health; exits with 0 if all is well, 1 if not, 2 if there is none to ask"
    status = _add_command(commands, "status", _status_command, summary, REDIS)
    status.add_argument(
        "--json", action="store_true", help="as an object for programs; `faults` is empty if all is well"
    )
    summary = "say whether a part is alive, for health checks"
    health = _add_command(commands, "health", _health_command, summary, (*ADDRESS, *REDIS))
    health.add_argument("part", choices=["api", "worker"], help="the API on this PORT, or a worker of this machine")
    _add_command(commands, "openapi", _openapi_command, "print the OpenAPI document", ())
    summary = "print the reference card of an edition; needs no server"
    cards = _add_command(commands, "cards", _cards_command, summary, ())
    cards.add_argument("edition", nargs="?", choices=log_commands.EDITIONS, help="without one: list the editions")
    log_commands.add_language(cards)
    _add_command(commands, "settings", _settings_command, "list the settings, which come from the environment", ())


def _add_command(
    commands: Commands,
    name: str,
    run: RunCommand,
    summary: str,
    reads: Sequence[str] = SETTINGS,
) -> argparse.ArgumentParser:
    listed: dict[str, Any] = {"help": summary} if name in FIRST else {}
    command = commands.add_parser(
        name,
        **listed,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=_settings_help(reads),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    return command


def _settings_help(names: Sequence[str]) -> str | None:
    if not names:
        return None
    lines = ["settings, from the environment:"]
    settings = [setting for setting in fields(Settings) if setting.name in names]
    width = max(len(setting.metadata["variable"]) for setting in settings)
    for setting in settings:
        known = [f"default: {setting.default}"] if str(setting.default) else []
        known += [bounds] if (bounds := setting.metadata["bounds"]) else []
        about = f" ({', '.join(known)})" if known else ""
        lines.append(f"  {setting.metadata['variable']:<{width}} {setting.metadata['doc']}{about}")
    return "\n".join(lines)


def _serve_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.processes import serve

    serve.run(settings)
    return 0


def _api_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.processes import api_server
    from billet.redis.choice import require_safe, why_no_answer, with_redis

    found = with_redis(settings)
    _warn_of_archive(settings)
    if why := why_no_answer(found.redis_url):
        # It answers 503 until Redis is available, and recovers by itself.
        print(f"billet: {why}; until one does, every call for games is refused", file=sys.stderr, flush=True)
    else:
        require_safe(found)
    api_server.run(found)
    return 0


def _worker_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.redis.choice import require_answer, require_safe, with_redis
    from service.jobs.form import QUEUES, QUICK_QUEUES
    from workers import main as worker

    if held := [name for name in (*API_SECRETS, *COMMAND_SECRETS) if os.environ.get(name)]:
        raise StartError(f"unset {' and '.join(held)} for workers, which need none of operators' secrets")
    found = with_redis(settings)
    _warn_of_archive(settings)
    require_answer(found.redis_url)
    require_safe(found)
    os.environ["REDIS_URL"] = found.redis_url  # jobs find their service through the environment
    worker.run(found, QUICK_QUEUES if options.quick else QUEUES)
    return 0


def _warn_of_archive(settings: Settings) -> None:
    """Warns of an archive's directory that is not there, which nothing else notices before the first game is due."""
    url = settings.archive_url
    if url and not url.startswith("s3://") and not Path(url.removeprefix("file://")).expanduser().is_dir():
        says = f"there is no directory {url}: mount or make it, or mend ARCHIVE_URL; until then no game is archived"
        print(f"billet: {says}", file=sys.stderr, flush=True)


def _health_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.processes import health

    if options.part == "api":
        alive = health.api_process_lives(settings)
    else:
        from billet.redis.choice import with_redis  # takes longer than the whole check of an API process

        alive = health.worker_process_lives(with_redis(settings, soon=True))
    print(f"{options.part}: {'alive' if alive else 'no answer'}")
    return 0 if alive else 1


def _status_command(settings: Settings, options: argparse.Namespace) -> int:
    import service
    from billet import status
    from billet.redis.choice import with_redis

    data = status.as_data(service.build(with_redis(settings, soon=True)).survey.latest().outcome)
    for line in [json.dumps(data)] if options.json else status.lines(data):
        print(line)
    return 1 if data["faults"] else 0


def _settings_command(settings: Settings, options: argparse.Namespace) -> int:
    print(_settings_help(SETTINGS))
    return 0


def _openapi_command(settings: Settings, options: argparse.Namespace) -> int:
    from api.published import published_document

    print(published_document(), end="")
    return 0


def _cards_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import reference
    from games.texts.catalogue import catalogue
    from games.views import editions

    _tolerate_terminal_encoding()
    words = catalogue(options.language)
    if options.edition is None:
        for edition in editions.listing(words):
            print(f"{edition['id']:<10} {edition['seats']['min']}-{edition['seats']['max']}  {edition['title']}")
        return 0
    for line in reference.lines(editions.detail(options.edition, words), words):
        print(line)
    return 0


def _tolerate_terminal_encoding() -> None:
    # A terminal without umlauts shows question marks instead.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
