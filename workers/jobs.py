"""The jobs that workers run: each calls the service for a game at a version, and does nothing if it is already done."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial, wraps
from typing import TypeAlias

from games.log_lines import kind_of
from service.jobs.schedule import Hint
from workers.runtime import service

Task: TypeAlias = Callable[[str, int], None]
"""A task for a game at a version."""
Job: TypeAlias = Callable[..., None]
"""A function RQ runs: a task for each of its games, given as pairs of game and version."""

_log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(20, "job")

SLICE_SECONDS = 0.25
"""How long one job plays consecutive bot turns before other games get their turn."""


class Failed(Exception):
    """A job failed; RQ may log and keep the kind of error, but not its text, which may name a card."""


def job(task: Task) -> Job:
    """Returns the workers' RQ job of a task. It tries every game, then fails with an error's place and kind."""

    @wraps(task)
    def run(*asked: tuple[str, int]) -> None:
        try:
            if len(asked) == 1:
                task(*asked[0])
            else:
                _run_tasks_at_once([partial(task, game, version) for game, version in asked])
        except Exception as error:
            raise Failed(kind_of(error)).with_traceback(error.__traceback__) from None

    return run


def _run_tasks_at_once(calls: Sequence[Callable[[], None]]) -> None:
    """Makes the calls of a job at the same time; after all have ended, or RQ ends the job, raises one of their errors.

    Redis writes simultaneous appends to disk together, and a timeout is mostly waiting for the disk.
    """
    made = [_threads.submit(call) for call in calls]
    wait(made)
    for one in made:
        one.result()


@job
def play_bots(game: str, version: int) -> None:
    """Runs as a job: plays the consecutive turns of quick bots in the next game in line.

    That may be another game than the one for which the job was enqueued.
    """
    _play_next_in_line("bots", lambda due: service().play.bot_turns(due, SLICE_SECONDS))


@job
def think(game: str, version: int) -> None:
    """Runs as a job: plays one turn of a thinking bot in the next game in line; no game waits for more than that."""
    _play_next_in_line("think", lambda due: service().play.think(due))


def _play_next_in_line(kind: str, play: Callable[[str], Hint | None]) -> None:
    """Has a job play in the next game in line, and enqueues what follows."""
    due = service().jobs.next_in_line(kind)
    if due is None:
        return
    try:
        hint = play(due)
    except Exception as error:
        _log.error("a bot's turn has failed in game %s: %s", due, kind_of(error))
        raise
    if hint is not None:
        service().jobs.ask([hint])


@job
def tell(game: str, version: int) -> None:
    """Runs as a job: sends the players of a game the notices they have not been sent, each once."""
    service().notifier.send_pending(game)


@job
def time_out(game: str, version: int) -> None:
    """Runs as a job: applies an expired clock; does nothing if it comes too early or too late."""
    service().play.time_out(game, version)
