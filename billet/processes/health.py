"""Answers the health checks of containers with one line and an exit status."""

import socket
from functools import partial

import service
from billet.processes.ports import answers_ok, base_url
from games.errors import Unavailable
from service.settings import Settings

PATH = "/healthz"
PATIENCE = 3.0  # seconds


def api_process_lives(settings: Settings) -> bool:
    """Returns whether the installation's API process on the settings' port answers, for a container's health check."""
    return answers_ok(base_url(settings.host, settings.port) + PATH, PATIENCE)


def worker_process_lives(settings: Settings) -> bool:
    """Returns whether Redis and a worker process of this machine or container live, for its health check."""
    from service.metrics.latest import Latest  # takes longer to import than the whole check of an API process

    return Latest(partial(_worker_process_lives, service.build(settings)), False).get().outcome


def _worker_process_lives(built: "service.Service") -> bool:
    from service.metrics.reporting import QUICK_WORKER, WORKER

    ready = built.health.ready()
    if not ready.writes:
        return ready.redis and ready.worker  # no process can report to be alive
    try:
        alive = built.totals.processes()
    except Unavailable:
        return False
    return any(one.kind in (WORKER, QUICK_WORKER) and one.name.startswith(f"{socket.gethostname()}:") for one in alive)
