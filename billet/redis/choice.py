"""Chooses the Redis of a single part started by hand; `serve` runs its own."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from urllib.parse import urlsplit

import redis

from billet.data_lock import locked
from billet.errors import StartError
from billet.redis.embedded import has_data, running, url_in
from games.errors import Unavailable
from service.settings import Settings
from service.store.redis.client import connect
from service.store.redis.cluster import client_at
from service.store.redis.condition import UNSAFE, UNUSABLE, check
from service.store.upkeep.copies import is_restored_in_part


def with_redis(settings: Settings, *, soon: bool = False) -> Settings:
    """Returns settings that name a command's Redis: the given one, else that of a `billet serve` on the same data.

    It does not say whether that Redis answers; `soon` does not ask. Raises StartError when there is neither.
    """
    if settings.redis_url:
        return settings
    url = url_in(settings.data_dir, soon=soon)
    if url is None:
        raise StartError("no Redis to use: set REDIS_URL, or start `billet serve` on the same DATA_DIR first")
    return replace(settings, redis_url=url)


@contextmanager
def some_redis(settings: Settings, *, new: bool = False) -> Iterator[Settings]:
    """Yields settings that name a command's Redis, running one on the data directory when there is no other.

    Raises StartError when that Redis does not answer, or when the data directory holds no games, unless a `new` one
    will do.
    """
    if settings.redis_url or url_in(settings.data_dir) is not None:
        found = with_redis(settings)
        require_answer(found.redis_url)
        yield found
        return
    if not new and not has_data(settings.data_dir):
        raise StartError(f"no games below {settings.data_dir}: set DATA_DIR or REDIS_URL")
    with locked(settings.data_dir), running(settings.data_dir, max_memory_mb=settings.redis_max_memory_mb) as server:
        yield replace(settings, redis_url=server.url)


def require_answer(url: str) -> None:
    """Checks that a command's Redis answers. Raises StartError, without any password, if it does not."""
    why = why_no_answer(url)
    if why is not None:
        raise StartError(why)


def require_safe(settings: Settings) -> None:
    """Checks that a command's Redis is safe, as far as it answers; lets an empty one hold the newest storage format.

    Raises StartError when it cannot be used, when it may lose games and UNSAFE_REDIS does not allow that, or when a
    backup is restored in part.
    """
    refused = UNUSABLE if settings.unsafe_redis else (*UNUSABLE, *UNSAFE)
    redis_client = client_at(settings.redis_url, settings.redis_cluster)
    for one in check(redis_client):
        for code, says in one.faults.items():
            where = f"the node {one.node}" if one.node else "the Redis"
            if code in refused:
                insist = "; UNSAFE_REDIS=1 starts all the same" if code in UNSAFE else ""
                raise StartError(f"{where} {says}{insist}")
            print(f"billet: {where} {says}", file=sys.stderr, flush=True)
        if one.synced not in ("", "always"):
            lost = "a crash of the machine loses answered actions (docs/redis.md)"
            print(f"billet: Redis has appendfsync {one.synced}: {lost}", file=sys.stderr, flush=True)
    with suppress(Unavailable):  # which the check has reported
        if is_restored_in_part(redis_client):
            raise StartError("the Redis holds only a part of a backup: repeat `billet restore` with the same file")


def losses(settings: Settings) -> list[str]:
    """Returns why the Redis chosen for `billet export` may have lost games, a line each."""
    codes = ("evicted", *UNSAFE)
    conditions = check(client_at(settings.redis_url, settings.redis_cluster))
    return [f"the Redis {says}" for one in conditions for code, says in one.faults.items() if code in codes]


def why_no_answer(url: str) -> str | None:
    """Returns a line for a command to print on why its Redis does not answer, without any password; None if it does."""
    try:
        with closing(connect(url)) as client:
            client.ping()
    except (redis.RedisError, OSError) as error:
        return f"no Redis answers at {_url_without_secrets(url)}: {_connection_error(error)}"
    except ValueError:
        # The error's text would repeat the URL, which may hold a password.
        return "REDIS_URL is not an address of a Redis"
    return None


def _url_without_secrets(url: str) -> str:
    """Returns the address of a command's Redis to print if it is silent, without user, password and options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _connection_error(error: BaseException) -> str:
    system = error.__cause__ or error.__context__
    return system.strerror if isinstance(system, OSError) and system.strerror else str(error).rstrip(".")
