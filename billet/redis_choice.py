"""Decides which Redis a single part uses when it is started by hand; `serve` runs its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from billet.data_lock import locked
from billet.embedded_redis import has_data, running, url_in
from billet.errors import StartError
from service.settings import Settings


def with_redis(settings: Settings) -> Settings:
    """Return settings that name a Redis: the given one, else that of a `billet serve` on the same data directory.

    Raises StartError when there is neither.
    """
    if settings.redis_url:
        return settings
    url = url_in(settings.data_dir)
    if url is None:
        raise StartError("no Redis to use: set REDIS_URL, or start `billet serve` on the same DATA_DIR first")
    return replace(settings, redis_url=url)


@contextmanager
def some_redis(settings: Settings) -> Iterator[Settings]:
    """Yield settings that name a Redis, running one on the data directory for as long when there is no other."""
    if settings.redis_url or url_in(settings.data_dir) is not None:
        yield with_redis(settings)
        return
    if not has_data(settings.data_dir):
        raise StartError(f"no games below {settings.data_dir}: set DATA_DIR or REDIS_URL")
    with locked(settings.data_dir), running(settings.data_dir) as server:
        yield replace(settings, redis_url=server.url)
