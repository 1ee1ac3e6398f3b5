"""The service of this worker process, built once for all jobs."""

from service import Service, Settings, build
from workers.limit import limited

_services: list[Service] = []


def start(settings: Settings) -> Service:
    """Builds and returns the service that the jobs of this worker process use."""
    _services[:] = [build(settings, limited)]
    return _services[0]


def service() -> Service:
    """Returns the service of this worker process, building it from the environment if needed."""
    return _services[0] if _services else start(Settings.from_env())
