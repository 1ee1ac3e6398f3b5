"""The `billet` command line: names the commands and turns errors into one line; each command's work is elsewhere."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from importlib.metadata import version

from billet import log_commands
from billet.errors import StartError
from billet.plain import plain
from service.settings import Settings, SettingsError
from service.texts.languages import LANGUAGES

Command = Callable[[Settings, argparse.Namespace], int]

BROKEN_PIPE = 141
"""The exit status by which shells know a process that wrote to nobody: 128 and SIGPIPE."""

EDITIONS = "standard, classic, premium or lovecraft"
BOTS = "random, cautious or expert"
SETTINGS = tuple(setting.name for setting in fields(Settings))
REDIS = ("redis_url", "redis_cluster", "queue_redis_url", "data_dir")
ADDRESS = ("host", "port")
"""What a command reads of the environment, for its help."""
LANGUAGE = f"{' or '.join(LANGUAGES)} (default: %(default)s)"

# Each command imports what it runs only when it runs: `billet --help` needs none of it.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that `arguments` (default: the process's) name and return its exit status."""
    try:
        try:
            return _main(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read (`billet openapi | head`) has enough. What is left unwritten must not fail again at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _main(arguments: Sequence[str] | None) -> int:
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(Settings.from_env(), options)
    except (SettingsError, StartError) as error:
        print(*map(plain, f"billet: {error}".split("\n")), sep="\n", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="billet",
        description="Turn-based card games as a service.",
        epilog=_settings_help(SETTINGS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"billet {version('billet')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add(commands, "serve", _serve, "run everything: an embedded Redis (unless REDIS_URL is set), workers and the API")
    _add(commands, "api", _api, "run the API alone")
    worker = _add(commands, "worker", _worker, "run one worker: timeouts and bot turns")
    worker.add_argument("--quick", action="store_true", help="leave the turns of bots that think to other workers")
    _add(commands, "rebuild", _rebuild, "rebuild the lists and indexes from the logs of the games", REDIS)
    summary = "move games that ended long ago from Redis into the archive, as workers do; exits with 1 if one stays"
    archive = _add(commands, "archive", _archive, summary, (*REDIS, "retain_finished_days", "archive_url"))
    archive.add_argument("--days", type=int, metavar="N", help="those that ended N days ago (default: the setting)")
    summary = "say how an installation is doing; exits with 0 if all is well, 1 if not, 2 if there is none to ask"
    _add(commands, "status", _status, summary, REDIS)
    health = _add(commands, "health", _health, "say whether a part is alive, for health checks", (*ADDRESS, *REDIS))
    health.add_argument("part", choices=["api", "worker"], help="the API on this PORT, or any worker on this Redis")
    _add(commands, "openapi", _openapi, "print the OpenAPI document", ())
    demo = _add(commands, "demo", _demo, "play a game against bots in the terminal, over HTTP", ADDRESS)
    demo.add_argument("--url", help="server to play on (default: the one on this machine's PORT)")
    demo.add_argument("--edition", default="standard", help=f"edition to play: {EDITIONS} (default: %(default)s)")
    demo.add_argument("--seats", type=int, default=3, metavar="N", help="seats at the table (default: %(default)s)")
    demo.add_argument(
        "--bots", default="cautious", metavar="BOT", help=f"bots to play against: {BOTS} (default: %(default)s)"
    )
    demo.add_argument(
        "--clock",
        metavar="SECONDS[+MORE]",
        help="a bank of so many seconds for the game and so many more with each decision (default: no clock)",
    )
    demo.add_argument("--name", help="your name at the table (default: Guest)")
    demo.add_argument("--language", default=LANGUAGES[0], help=LANGUAGE)
    demo.add_argument("--auto", action="store_true", help="play by itself, taking any legal action")
    cards = _add(commands, "cards", _cards, "print the reference card of an edition; needs no server", ())
    cards.add_argument("edition", metavar="EDITION", help=EDITIONS)
    cards.add_argument("--seats", type=int, metavar="N", help="only what a table of N seats plays with")
    cards.add_argument("--language", default=LANGUAGES[0], help=LANGUAGE)
    cards.add_argument("--full", action="store_true", help="also how a round goes, and all that the cards do")
    log_commands.add(commands, _add, LANGUAGE)
    return top


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Command,
    summary: str,
    reads: Sequence[str] = SETTINGS,
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=summary,
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
        default = f" (default: {setting.default})" if str(setting.default) else ""
        lines.append(f"  {setting.metadata['variable']:<{width}} {setting.metadata['doc']}{default}")
    return "\n".join(lines)


def _serve(settings: Settings, options: argparse.Namespace) -> int:
    from billet import serve

    serve.run(settings)
    return 0


def _api(settings: Settings, options: argparse.Namespace) -> int:
    from billet import api_server
    from billet.redis_choice import silence_of, with_redis

    found = with_redis(settings)
    if silence := silence_of(found.redis_url):
        # It answers 503 until there is one, and goes on by itself then.
        print(f"billet: {silence}; until one does, every call for games is refused", file=sys.stderr, flush=True)
    api_server.run(found)
    return 0


def _worker(settings: Settings, options: argparse.Namespace) -> int:
    from billet.redis_choice import demand_answer, with_redis
    from service.jobs import QUEUES, QUICK_QUEUES
    from workers import main as worker

    found = with_redis(settings)
    demand_answer(found.redis_url)
    os.environ["REDIS_URL"] = found.redis_url  # a job finds its service by the environment
    worker.run(found, QUICK_QUEUES if options.quick else QUEUES)
    return 0


def _rebuild(settings: Settings, options: argparse.Namespace) -> int:
    from billet.redis_choice import some_redis
    from service.rebuild import rebuild

    with some_redis(settings) as found:
        for what, count in rebuild(found).items():
            print(f"{what}: {count}")
    return 0


def _archive(settings: Settings, options: argparse.Namespace) -> int:
    import service
    from billet import archive
    from billet.redis_choice import some_redis

    days = archive.days_of(settings, options.days)
    with some_redis(settings) as found:
        return archive.run(service.build(found), days)


def _health(settings: Settings, options: argparse.Namespace) -> int:
    from billet import health
    from billet.redis_choice import with_redis

    alive = health.api(settings) if options.part == "api" else health.worker(with_redis(settings))
    print(f"{options.part}: {'alive' if alive else 'no answer'}")
    return 0 if alive else 1


def _status(settings: Settings, options: argparse.Namespace) -> int:
    import service
    from billet import status
    from billet.redis_choice import with_redis

    standing = service.build(with_redis(settings)).survey.standing()
    for line in status.lines(standing):
        print(line)
    return 1 if status.faults(standing) else 0


def _openapi(settings: Settings, options: argparse.Namespace) -> int:
    from api import document

    print(document.render().rstrip("\n"))
    return 0


def _demo(settings: Settings, options: argparse.Namespace) -> int:
    from billet.demo import choice, play
    from billet.demo.server import Server
    from billet.ports import base_url
    from billet.wishes import bank, words_in

    _print_anything()
    words = words_in(options.language)
    clock = None if options.clock is None else bank(words, options.clock)
    server = Server(options.url or base_url(settings.host, settings.port), words)
    wish = play.Wish(options.edition, options.seats, options.bots, options.name, clock)
    play.run(server, wish, choice.take_any if options.auto else choice.ask, print)
    return 0


def _cards(settings: Settings, options: argparse.Namespace) -> int:
    from billet import reference, wishes
    from service import editions

    _print_anything()
    words = wishes.words_in(options.language)
    wishes.demand_edition(words, options.edition, [edition["id"] for edition in editions.listing(words)])
    edition = editions.detail(options.edition, words)
    if options.seats is not None:
        wishes.demand_seats(words, edition, options.seats)
    for line in reference.lines(edition, words, seats=options.seats, full=options.full):
        print(line)
    return 0


def _print_anything() -> None:
    # A terminal that knows no umlauts shows question marks in their place.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
