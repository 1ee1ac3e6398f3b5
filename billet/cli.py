"""The `billet` command line: defines the commands and prints each error as one line."""

import argparse
import gc
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from textwrap import fill
from typing import Any

from billet.errors import StartError, outage_text
from billet.escaping import plain
from billet.logs import commands as log_commands
from games.errors import Unavailable
from games.texts.languages import LANGUAGES
from games.version import VERSION
from service.settings import API_SECRETS, COMMAND_SECRETS, Settings, SettingsError

RunCommand = Callable[[Settings, argparse.Namespace], int]

BROKEN_PIPE = 141
"""The exit status of a process that wrote to a closed pipe: 128 + SIGPIPE."""
NEW_OBJECTS = 10_000
"""How many are made before Python looks for unreachable ones. Its own 700 are made by one call; and looking again and
again through what a command imports would take a sixth of its start."""

EDITIONS = "standard, classic, premium or lovecraft"
SETTINGS = tuple(setting.name for setting in fields(Settings))
REDIS = ("redis_url", "redis_password_file", "redis_cluster", "queue_redis_url", "data_dir")
ADDRESS = ("host", "port", "data_dir")
"""What a command reads of the environment, for its help."""
FIRST = ("serve", "replay", "verify", "export", "status")
"""The commands that `billet --help` explains; it names the others."""
LANGUAGE = f"{' or '.join(LANGUAGES)} (default: %(default)s)"

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
    summary = "run everything: an embedded Redis (unless REDIS_URL is set), workers and the API"
    _add_command(commands, "serve", _serve_command, summary)
    _add_command(commands, "api", _api_command, "run the API alone")
    worker = _add_command(commands, "worker", _worker_command, "run one worker: timeouts and bot turns")
    worker.add_argument("--quick", action="store_true", help="leave the turns of bots that think to other workers")
    summary = "rebuild the lists and indexes from the logs of the games; exits with 1 if one is damaged"
    rebuild = _add_command(commands, "rebuild", _rebuild_command, summary, REDIS)
    rebuild.add_argument(
        "--call-off",
        action="store_true",
        help="first call off all games that have not ended: after a snapshot of Redis was loaded, their cards may be "
        "known",
    )
    summary = (
        "check the logs of all games while they are played, archived ones too; goes on where an interrupted check was, "
        "and exits with 1 if a game is damaged"
    )
    check = _add_command(commands, "check", _check_command, summary, (*REDIS, "archive_url"))
    check.add_argument("--anew", action="store_true", help="begin with the first game, also after an interrupted check")
    summary = "copy games and players out of Redis into a new file, while games go on"
    backup = _add_command(commands, "backup", _backup_command, summary, (*REDIS, "backup_key"))
    backup.add_argument("file", metavar="FILE", type=Path, help="the file to write; it holds the secrets of games")
    summary = (
        "put games and players of a backup into an empty Redis, or one that DATA_DIR does not hold yet; games that had "
        "not ended are called off"
    )
    restore = _add_command(commands, "restore", _restore_command, summary, (*REDIS, "backup_key"))
    restore.add_argument("file", metavar="FILE", type=Path, help="what `billet backup` wrote")
    restore.add_argument(
        "--trust",
        action="store_true",
        help="restore it although BACKUP_KEY does not prove who made it: they may have planted players, tokens, bans "
        "and games",
    )
    summary = (
        "move games that ended long ago from Redis into the archive, as workers do; exits with 1 if one could not be "
        "moved"
    )
    archive = _add_command(
        commands, "archive", _archive_command, summary, (*REDIS, "retain_finished_days", "archive_url")
    )
    either = archive.add_mutually_exclusive_group()
    either.add_argument("--days", type=int, metavar="N", help="those that ended N days ago (default: the setting)")
    either.add_argument(
        "--to",
        metavar="URL",
        help="copy the archive itself to another store, a directory that exists or s3://BUCKET/PREFIX; archives no "
        "game, removes nothing, and exits with 1 if a file is damaged",
    )
    _add_admin_command(commands)
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
    cards.add_argument("edition", metavar="EDITION", nargs="?", help=f"{EDITIONS}; without one: list the editions")
    cards.add_argument("--seats", type=int, metavar="N", help="only what a table of N seats plays with")
    cards.add_argument("--language", default=LANGUAGES[0], help=LANGUAGE)
    cards.add_argument("--full", action="store_true", help="also how a round goes, and all that the cards do")
    log_commands.add(commands, _add_command, LANGUAGE)
    _add_command(commands, "settings", _settings_command, "list the settings, which come from the environment", ())
    others = ", ".join(name for name in commands.choices if name not in FIRST)
    top.epilog = f"{fill(f'more commands: {others}', 78)}\n\n'billet COMMAND --help' explains a command."
    return top


def _add_admin_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    summary = "find and ban players, abort and remove games; exits with 1 if there is no such player or game"
    admin = _add_command(commands, "admin", _admin_command, summary, (*REDIS, "archive_url"))
    does = admin.add_subparsers(title="what to do", dest="what", metavar="WHAT", required=True)
    players = does.add_parser("players", help="list the players whose names begin with NAME, in upper or lower case")
    players.add_argument("on", metavar="NAME", nargs="?", default="")
    for what, on, says in (
        ("ban", "PLAYER", "refuse all calls of a player, who leaves all games"),
        ("unban", "PLAYER", "lift a ban"),
        ("erase", "PLAYER", "remove name and token of a player for good; ended games stay"),
        ("abort", "GAME", "end a game without a result"),
        ("delete", "GAME", "remove a game with its log, also from the archive"),
    ):
        does.add_parser(what, help=says, description=f"{says[0].upper()}{says[1:]}.").add_argument("on", metavar=on)


def _add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
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


def _rebuild_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet.redis.choice import some_redis
    from service.upkeep.calling_off import call_off
    from service.upkeep.rebuild import rebuild

    with some_redis(settings) as found:
        if options.call_off:
            print(f"called off: {call_off(found)[0]}")
        counts = rebuild(found)
    _print_counts(counts)
    return 1 if counts["damaged"] else 0


def _check_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import check
    from billet.redis.choice import some_redis

    with some_redis(settings) as found:
        return check.run(found, anew=options.anew)


def _backup_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import backups

    return backups.backup(settings, options.file)


def _restore_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import backups

    return backups.restore(settings, options.file, trust=options.trust)


def _print_counts(counts: Mapping[str, int]) -> None:
    for what, count in counts.items():
        print(f"{what}: {count}")


def _archive_command(settings: Settings, options: argparse.Namespace) -> int:
    import service
    from billet.logs import archive
    from billet.redis.choice import some_redis

    if options.to is not None:
        return archive.move(settings, options.to)
    days = archive.days_of(settings, options.days)
    with some_redis(settings) as found:
        return archive.run(service.build(found), days)


def _admin_command(settings: Settings, options: argparse.Namespace) -> int:
    import service
    from billet import administration
    from billet.redis.choice import some_redis

    with some_redis(settings) as found:
        return administration.run(
            service.build(found), options.what, options.on, settings.log_level, settings.log_format
        )


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

    state = service.build(with_redis(settings, soon=True)).survey.latest().outcome
    for line in [json.dumps(status.as_data(state))] if options.json else status.lines(state):
        print(line)
    return 1 if status.faults(state) else 0


def _settings_command(settings: Settings, options: argparse.Namespace) -> int:
    print(_settings_help(SETTINGS))
    return 0


def _openapi_command(settings: Settings, options: argparse.Namespace) -> int:
    from api.published import published_document

    print(published_document(), end="")
    return 0


def _cards_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import reference, unknown_names
    from games.views import editions

    _tolerate_terminal_encoding()
    words = unknown_names.words_in(options.language)
    if options.edition is None:
        for edition in editions.listing(words):
            print(f"{edition['id']:<10} {edition['seats']['min']}-{edition['seats']['max']}  {edition['title']}")
        return 0
    unknown_names.require_edition(words, options.edition, [edition["id"] for edition in editions.listing(words)])
    edition = editions.detail(options.edition, words)
    if options.seats is not None:
        unknown_names.require_seats(words, edition, options.seats)
    for line in reference.lines(edition, words, seats=options.seats, full=options.full):
        print(line)
    return 0


def _tolerate_terminal_encoding() -> None:
    # A terminal without umlauts shows question marks instead.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
