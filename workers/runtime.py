"""The service of this worker process, built once so that no job pays for it; jobs themselves belong to `jobs`."""

from service import Service, Settings, build
from workers.limit import limited

_services: list[Service] = []


def start(settings: Settings) -> Service:
    """Builds the service that the jobs of this process use, and returns it."""
    _services[:] = [build(settings, limited)]
    return _services[0]


def service() -> Service:
    """Returns the service of this process; one that nobody has started is built from the environment."""
    return _services[0] if _services else start(Settings.from_env())
