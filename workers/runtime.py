"""The service of this worker process, built once so that no job pays for it; jobs themselves belong to `jobs`."""

from functools import lru_cache

from service import Service, Settings, build


@lru_cache(maxsize=1)
def service() -> Service:
    """Returns the service on the Redis that the environment names."""
    return build(Settings.from_env())
