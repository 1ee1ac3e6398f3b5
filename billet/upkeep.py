"""The commands that look after stored games and players: their arguments, and the functions they run."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from service.settings import Settings

Add = Callable[..., argparse.ArgumentParser]

REDIS = ("redis_url", "redis_password_file", "redis_cluster", "queue_redis_url", "data_dir")
"""What a command that uses Redis reads of the environment, for its help."""


def add(commands: Any, add_command: Add) -> None:
    """Adds the commands that look after stored games to the command line."""
    summary = "rebuild the lists and indexes from the logs of the games; exits with 1 if one is damaged"
    rebuild = add_command(commands, "rebuild", _rebuild_command, summary, REDIS)
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
    check = add_command(commands, "check", _check_command, summary, (*REDIS, "archive_url"))
    check.add_argument("--anew", action="store_true", help="begin with the first game, also after an interrupted check")
    _add_backups(commands, add_command)
    _add_archive(commands, add_command)
    _add_admin(commands, add_command)


def _add_backups(commands: Any, add_command: Add) -> None:
    summary = "copy games and players out of Redis into a new file, while games go on"
    backup = add_command(commands, "backup", _backup_command, summary, (*REDIS, "backup_key"))
    backup.add_argument("file", metavar="FILE", type=Path, help="the file to write; it holds the secrets of games")
    summary = (
        "put games and players of a backup into an empty Redis, or one that DATA_DIR does not hold yet; games that had "
        "not ended are called off"
    )
    restore = add_command(commands, "restore", _restore_command, summary, (*REDIS, "backup_key"))
    restore.add_argument("file", metavar="FILE", type=Path, help="what `billet backup` wrote")
    restore.add_argument(
        "--trust",
        action="store_true",
        help="restore it although BACKUP_KEY does not prove who made it: they may have planted players, tokens, bans "
        "and games",
    )


def _add_archive(commands: Any, add_command: Add) -> None:
    summary = (
        "move games that ended long ago from Redis into the archive, as workers do; exits with 1 if one could not be "
        "moved"
    )
    archive = add_command(
        commands, "archive", _archive_command, summary, (*REDIS, "retain_finished_days", "archive_url")
    )
    archive.add_argument("--days", type=int, metavar="N", help="those that ended N days ago (default: the setting)")


def _add_admin(commands: Any, add_command: Add) -> None:
    summary = "find and ban players, abort and remove games; exits with 1 if there is no such player or game"
    admin = add_command(commands, "admin", _admin_command, summary, (*REDIS, "archive_url"))
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


def _rebuild_command(settings: Settings, options: argparse.Namespace) -> int:
    from billet import backups
    from billet.redis.choice import some_redis
    from service.upkeep.calling_off import call_off
    from service.upkeep.rebuild import rebuild

    with some_redis(settings) as found:
        if options.call_off:
            print(f"called off: {call_off(found)[0]}")
        counts = rebuild(found)
    backups.print_counts(counts)
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


def _archive_command(settings: Settings, options: argparse.Namespace) -> int:
    import service
    from billet.logs import archive
    from billet.redis.choice import some_redis

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
