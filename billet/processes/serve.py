"""Defines the parts of a whole installation and how each starts."""

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack

from billet.data_lock import locked
from billet.processes.child import Spec
from billet.processes.console_log import ConsoleLog
from billet.processes.ports import announced, answers_ok, base_url, refuse_taken
from billet.processes.supervisor import Supervisor
from billet.redis.choice import require_answer, require_safe
from billet.redis.embedded import EmbeddedRedis
from service.log_lines import JSON
from service.settings import API_SECRETS, COMMAND_SECRETS, Settings

PATIENCE = 2.0  # seconds for one answer
WITHOUT_SECRETS = dict.fromkeys((*API_SECRETS, *COMMAND_SECRETS), "")
"""What all parts but the API get in place of the secrets that they do not need."""


def run(settings: Settings) -> None:
    """Runs Redis (unless one is given), the workers and the API for `billet serve` until asked to stop.

    Raises StartError when a part cannot start.
    """
    refuse_taken(settings.host, settings.port)
    if settings.redis_url:
        require_answer(settings.redis_url)
        require_safe(settings)
    log = ConsoleLog(as_json=settings.log_format == JSON)
    with ExitStack() as stack:
        groups: list[list[Spec]] = []
        redis_url = settings.redis_url
        if not redis_url:
            lock = stack.enter_context(locked(settings.data_dir))
            server = EmbeddedRedis(settings.data_dir, max_memory_mb=settings.redis_max_memory_mb)
            stack.callback(server.clean)
            redis_url = server.url
            groups.append([redis_part(server, lock)])
            stack.enter_context(announced(settings.data_dir, base_url(settings.host, settings.port)))
            log.say("billet", f"the games are in {settings.data_dir.resolve()}")
        environment = {"REDIS_URL": redis_url, "PYTHONUNBUFFERED": "1"}
        groups += [worker_parts(settings, environment), [api_part(settings, environment)]]
        asyncio.run(Supervisor(groups, log).run(lambda: _announce_ready(settings, log)))
    log.say("billet", "stopped")


def redis_part(server: EmbeddedRedis, lock: int) -> Spec:
    """Returns the spec of `billet serve` for the embedded Redis, which holds the data directory's lock as it runs."""

    async def ready() -> bool:
        return server.answers()

    return Spec("redis", server.command, WITHOUT_SECRETS, ready=ready, inherited=(lock,), patience=10)


def worker_parts(settings: Settings, environment: Mapping[str, str]) -> list[Spec]:
    """Returns the specs of `billet serve` for its workers; of several, the first never waits for a thinking bot."""
    commands = [billet("worker")] * settings.workers
    if settings.workers > 1:
        commands[0] = billet("worker", "--quick")
    environment = {**environment, **WITHOUT_SECRETS}
    return [Spec(f"worker-{number}", command, environment) for number, command in enumerate(commands, 1)]


def api_part(settings: Settings, environment: Mapping[str, str]) -> Spec:
    """Returns the spec of `billet serve` for the API, which is ready when `/readyz` reports Redis and a worker too."""

    async def ready() -> bool:
        return await asyncio.to_thread(answers_ok, f"{base_url(settings.host, settings.port)}/readyz", PATIENCE)

    return Spec("api", billet("api"), {**environment, **dict.fromkeys(COMMAND_SECRETS, "")}, ready=ready)


def billet(*arguments: str) -> list[str]:
    """Returns the command line of another `billet` process, run by the same Python as `billet serve`."""
    # -P: a folder named `api` in the current directory must not shadow ours.
    return [sys.executable, "-P", "-m", "billet", *arguments]


def _announce_ready(settings: Settings, log: ConsoleLog) -> None:
    url = base_url(settings.host, settings.port)
    log.say("billet", f"ready, process {os.getpid()}")
    if settings.web:
        log.say("billet", f"  play       {url}/")
    log.say("billet", f"  API        {url}/v1")
    log.say("billet", f"  docs       {url}/docs  {url}/openapi.json")
    log.say("billet", f"  health     {url}/readyz  {url}/metrics")
    log.say("billet", "  Ctrl-C stops everything; the games stay")
