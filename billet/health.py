"""Answers the health checks of containers with one line and an exit status; what health means is said by the parts."""

import urllib.error
import urllib.request

import service
from billet.ports import base_url
from service.settings import Settings

PATH = "/healthz"
PATIENCE = 3.0  # seconds


def api(settings: Settings) -> bool:
    """Return whether the API process on the settings' port answers."""
    try:
        # Straight to this machine: a proxy of the environment has no part in it.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(base_url(settings.host, settings.port) + PATH, timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def worker(settings: Settings) -> bool:
    """Return whether Redis answers and knows of a worker that is alive."""
    return all(service.build(settings).health.ready().values())
