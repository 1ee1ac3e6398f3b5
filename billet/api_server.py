"""Runs the HTTP server that holds the API; what the API answers belongs to `api`."""

import logging
import os
import resource
from functools import partial
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels

from billet.errors import StartError
from billet.parenthood import dies_with
from billet.ports import refuse_taken
from service.settings import Settings

MOST_CONNECTIONS = 8192  # of one process; the server's own 1024 are soon taken by clients that merely keep one open
STOP_TIMEOUT = 3  # seconds that requests under way get; a waiting long-poll is cut off and its client asks again


def run(settings: Settings) -> None:
    """Serve the API on the settings' address until SIGINT or SIGTERM. Raises StartError when the port is taken."""
    refuse_taken(settings.host, settings.port)
    _allow_open_files(2 * MOST_CONNECTIONS)
    server = Granian(
        "api:create_app",
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        websockets=False,
        workers=settings.api_processes,
        blocking_threads=settings.api_threads,
        backpressure=MOST_CONNECTIONS,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_TIMEOUT,
        log_level=LogLevels(settings.log_level),
    )
    logging.getLogger("_granian").addFilter(_is_news)
    try:
        server.serve(target_loader=partial(_load, settings, os.getpid()), wrap_loader=False)
    except SystemExit as end:
        if end.code:
            raise StartError("the API server's processes keep ending; the lines above say why") from end


def _load(settings: Settings, parent: int) -> Any:
    # Runs in each process of the server. A killed main process must not leave them behind, holding the port.
    dies_with(parent)()
    from api import create_app
    from api.pace import paced

    return paced(create_app(settings), settings.api_threads // 4)


def _allow_open_files(wanted: int) -> None:
    # Many systems start with 1024, which connections and threads together would exceed: then nothing can be opened.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _is_news(record: logging.LogRecord) -> bool:
    # Many blocking threads are the point: a long-poll sleeps in one.
    return not record.getMessage().startswith("Configuration allows spawning up to")
