"""The jobs: hints that name games and versions, carried out by the service or found to be done already."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial, wraps
from typing import TypeAlias

from service.log_lines import kind_of
from workers.runtime import service

Task: TypeAlias = Callable[[str, int], None]
"""What is to be done in a game at a version."""
Job: TypeAlias = Callable[..., None]
"""What RQ runs: a task in each of its games, which come as pairs of game and version."""

_log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(20, "job")

SLICE_SECONDS = 0.25
"""How long one job plays consecutive bot turns before others have their turn."""


class Failed(Exception):
    """A job has failed, of which RQ may log and keep the kind of error; the error's text may name a card."""


def job(task: Task) -> Job:
    """Returns the job of a task, which fails without saying more than where and how, after it has tried every game."""

    @wraps(task)
    def run(*asked: tuple[str, int]) -> None:
        try:
            if len(asked) == 1:
                task(*asked[0])
            else:
                _at_once([partial(task, game, version) for game, version in asked])
        except Exception as error:
            raise Failed(kind_of(error)).with_traceback(error.__traceback__) from None

    return run


def _at_once(calls: Sequence[Callable[[], None]]) -> None:
    """Makes calls at the same time and raises what one raises when all have ended, or RQ ends the job.

    Redis writes what comes together to the disk together, and a timeout is mostly waiting for that.
    """
    made = [_threads.submit(call) for call in calls]
    wait(made)
    for one in made:
        one.result()


@job
def play_bots(game: str, version: int) -> None:
    """Plays the turns of the service's own quick bots in a game, however many follow one another."""
    hint = service().play.bot_turns(game, SLICE_SECONDS)
    if hint is not None:
        service().jobs.ask([hint])


@job
def think(game: str, version: int) -> None:
    """Plays one turn of a bot that thinks, and asks for what follows: nobody else waits for more than one thought.

    It is played where it is due, and that may be in another game than the one for which the job was asked for.
    """
    due = service().jobs.next_thought()
    if due is None:
        return
    try:
        hint = service().play.think(*due)
    except Exception:
        _log.error("thinking in game %s at version %d has failed", *due)
        raise
    if hint is not None:
        service().jobs.ask([hint])


@job
def tell(game: str, version: int) -> None:
    """Tells the players of a game what they have not been told; those who have been are not told again."""
    service().teller.now(game)


@job
def time_out(game: str, version: int) -> None:
    """Does what a clock that has run out demands; a job that comes too early or too late does nothing."""
    service().play.time_out(game)
