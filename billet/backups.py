"""`billet backup` and `billet restore`: say what was done, and what an operator has to do after a restore."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from billet.errors import StartError, outage_text
from billet.redis.choice import some_redis
from games.errors import Unavailable
from games.times import text_of
from service.inputs.clock import now_ms
from service.settings import Settings
from service.store.metrics.counts import record_backup
from service.store.redis.cluster import client_at
from service.upkeep import restore as restoring
from service.upkeep.backup import backup as write_backup
from service.upkeep.backup_file import BackupError, WholeBackup, whole

AFTERWARDS: Final = """\
everything is now as of {at}, when the backup was begun:
- games that had not ended are called off, because their secrets may have been shown since
- tokens replaced since then are valid again, and newer ones are not: ask who lost one to replace it again
- bans, unbans and erasures since then are undone: repeat them (`billet.audit` in the logs of API and `billet admin`)
- players who registered since then are gone: they must register again
"""


def backup(settings: Settings, file: Path) -> int:
    """Runs `billet backup`: writes a backup, and prints what it holds; returns the exit status."""
    with some_redis(settings) as found, _naming(file):
        began = now_ms()
        counts = write_backup(found, file)
        try:
            record_backup(client_at(found.redis_url, found.redis_cluster), began)
        except Unavailable as error:  # it may be full or a replica: the backup is as good
            print(f"billet: metrics do not show this backup: {outage_text(error)}", file=sys.stderr)
    print_counts(counts)
    if not settings.backup_key:
        print("signed: no, because BACKUP_KEY is not set")
    return 1 if counts["damaged"] else 0


def restore(settings: Settings, file: Path, *, trust: bool) -> int:
    """Runs `billet restore`: restores a backup that is signed or trusted, and prints what to do; returns the status."""
    with _naming(file):
        saved = whole(file)  # before a Redis starts, which would leave an installation without games
        if not (trust or saved.is_signed(settings.backup_key)):
            raise BackupError(_why_not_trusted(settings, saved))
    with some_redis(settings, new=True) as found, _naming(file):
        counts = restoring.restore(found, saved)
    print_counts(counts)
    print(AFTERWARDS.format(at=text_of(saved.at)), end="")
    return 1 if counts["damaged"] else 0


def _why_not_trusted(settings: Settings, saved: WholeBackup) -> str:
    if saved.signature is None:
        why = f"{saved.path} is not signed"
    elif settings.backup_key:
        why = f"{saved.path} is signed with another key than BACKUP_KEY"
    else:
        why = f"{saved.path} is signed, but BACKUP_KEY is not set to check it"
    planted = "whoever made it may have planted players, tokens, bans and games"
    return f"{why}: {planted}; if you know where it comes from, restore it with --trust"


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Raises StartError, which names the file, if a `with` block of a command cannot read or write a backup."""
    try:
        yield
    except BackupError as error:
        raise StartError(str(error)) from error
    except OSError as error:
        raise StartError(f"{file}: {error.strerror}") from error


def print_counts(counts: Mapping[str, int]) -> None:
    """Prints what a command on stored games has counted."""
    for what, count in counts.items():
        print(f"{what}: {count}")
