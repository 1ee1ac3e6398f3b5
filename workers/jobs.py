"""The jobs: hints that name a game and a version, carried out by the service or found to be done already."""

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias

from service.log_lines import kind_of
from workers.runtime import service

Job: TypeAlias = Callable[[str, int], None]

SLICE_SECONDS = 0.25
"""How long one job plays consecutive bot turns before others have their turn."""


class Failed(Exception):
    """A job has failed, of which RQ may log and keep the kind of error; the error's text may name a card."""


def discreet(job: Job) -> Job:
    """Returns a job that fails without saying more than where and how."""

    @wraps(job)
    def run(game: str, version: int) -> None:
        try:
            job(game, version)
        except Exception as error:
            raise Failed(kind_of(error)).with_traceback(error.__traceback__) from None

    return run


@discreet
def play_bots(game: str, version: int) -> None:
    """Plays the turns of the service's own bots in a game, however many follow one another."""
    hint = service().play.bot_turns(game, SLICE_SECONDS)
    if hint is not None:
        service().jobs.ask([hint])


@discreet
def time_out(game: str, version: int) -> None:
    """Does what a clock that has run out demands; a job that comes too early or too late does nothing."""
    service().play.time_out(game)
