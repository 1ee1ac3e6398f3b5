"""Answers the health checks of containers with one line and an exit status."""

import urllib.error
import urllib.request

import service
from billet.processes.ports import base_url
from service.settings import Settings

PATH = "/healthz"
PATIENCE = 3.0  # seconds


def api(settings: Settings) -> bool:
    """Return whether the API process on the settings' port answers."""
    try:
        # Connects directly to this machine and ignores a proxy in the environment.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(base_url(settings.host, settings.port) + PATH, timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def worker(settings: Settings) -> bool:
    """Return whether Redis answers and lists a live worker."""
    ready = service.build(settings).health.ready()
    return ready.redis and ready.worker
