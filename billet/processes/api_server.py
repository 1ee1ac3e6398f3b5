"""Runs the API's processes, which share one socket."""

import multiprocessing
import os
import resource
import signal
import socket
import time
from multiprocessing.process import BaseProcess

from api import create_asgi  # before a process is forked, so that none imports it again
from api.serve import MOST_CONNECTIONS, Server
from billet.errors import StartError
from billet.parent_death import dies_with
from billet.processes.ports import listening_on
from service.log_lines import configure
from service.settings import Settings

STOP_SECONDS = 5  # before a process that does not stop is killed
GROWN_UP = 2.0  # seconds of life after which an exit does not count as early
MOST_EARLY_ENDS = 5  # in a row, before giving up
PAUSE = 0.1  # seconds before a replacement starts

_STOP = {signal.SIGINT, signal.SIGTERM}
_FORK = multiprocessing.get_context("fork")


def run(settings: Settings) -> None:
    """Runs the API processes of `billet serve` on the settings' address until SIGINT or SIGTERM.

    Raises StartError when the port is taken or the processes keep ending by themselves.
    """
    # Bound once and shared: any free process takes the next connection, and a killed one loses none.
    with listening_on(settings.host, settings.port) as listening:
        _allow_open_files(2 * MOST_CONNECTIONS)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # sigwait never returns an ignored signal
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOP | {signal.SIGCHLD})
        ApiProcesses(settings, listening).run()


class ApiProcesses:
    """The processes of the API, each restarted when it ends."""

    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        self._settings = settings
        self._listening = listening
        self._running: dict[BaseProcess, float] = {}
        self._early_ends = 0

    def run(self) -> None:
        """Keeps the API processes running until a signal asks to stop. Raises StartError when they keep ending."""
        try:
            for _ in range(self._settings.api_processes):
                self._start()
            while signal.sigwait(_STOP | {signal.SIGCHLD}) not in _STOP:
                self._replace_ended()
        finally:
            self._stop()

    def _start(self) -> None:
        process = _FORK.Process(target=_serve_in_child, args=(self._settings, self._listening, os.getpid()))
        process.start()
        self._running[process] = time.monotonic()

    def _replace_ended(self) -> None:
        for process, born in list(self._running.items()):
            if process.is_alive():
                continue
            del self._running[process]
            by_itself = (process.exitcode or 0) >= 0
            self._early_ends = self._early_ends + 1 if by_itself and time.monotonic() - born < GROWN_UP else 0
            if self._early_ends >= MOST_EARLY_ENDS:
                raise StartError("the API server's processes keep ending; the lines above say why")
            if by_itself:
                time.sleep(PAUSE)
            self._start()

    def _stop(self) -> None:
        for process in self._running:
            process.terminate()
        until = time.monotonic() + STOP_SECONDS
        for process in self._running:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()


def _serve_in_child(settings: Settings, listening: socket.socket, parent: int) -> None:
    # A killed main process must not leave this one behind, holding the port.
    dies_with(parent)()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP | {signal.SIGCHLD})
    configure(settings.log_level, settings.log_format)
    for number in _STOP:
        signal.signal(number, lambda *_: None)  # uvicorn raises it again when it has stopped
    Server(create_asgi(settings), _most_connections()).run([listening])


def _most_connections() -> int:
    """Returns how many connections an API process takes: at most half of its open files.

    A process without a file to spare could not even accept a connection to make room for it.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files // 2)


def _allow_open_files(wanted: int) -> None:
    # Many systems default to 1024, which connections and threads together would exceed: nothing could be opened then.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
