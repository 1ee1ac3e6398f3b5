"""The jobs that workers run: each calls the service, which does nothing if the work is already done."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeAlias

from games.errors import kind_of
from service.jobs.schedule import Task
from workers.runtime import service

P = ParamSpec("P")
Asked: TypeAlias = tuple[str, int]
"""A game, and the version at which something was to be done in it; or an edition, a match, a deal of the day."""

_log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(20, "job")

SLICE_SECONDS = 0.25
"""How long one job plays consecutive bot turns, or goes on with a review, before other games get their turn."""


class Failed(Exception):
    """A job failed; RQ may log and keep the kind of error, but not its text, which may name a card."""


def job(run: Callable[P, None]) -> Callable[P, None]:
    """Has a function that RQ runs fail with an error's place and kind only."""

    @wraps(run)
    def run_or_fail(*asked: P.args, **none: P.kwargs) -> None:
        try:
            run(*asked, **none)
        except Exception as error:
            raise Failed(kind_of(error)).with_traceback(error.__traceback__) from None

    return run_or_fail


@job
def play_bots() -> None:
    """Runs as a job: plays the consecutive turns of quick bots in the next game in line."""
    _serve_next_in_line("bots", lambda due: service().play.bot_turns(due, SLICE_SECONDS))


@job
def think() -> None:
    """Runs as a job: plays one turn of a thinking bot in the next game in line; no game waits for more than that."""
    _serve_next_in_line("think", lambda due: service().play.think(due))


@job
def review() -> None:
    """Runs as a job: judges a choice of the next game in line that is reviewed."""
    _serve_next_in_line("review", lambda due: service().reviews.work(due))


def _serve_next_in_line(kind: str, serve: Callable[[str], Task | None]) -> None:
    """Has a job serve the next game in line, and enqueues what follows for those for whom it waited."""
    due = service().jobs.next_in_line(kind)
    if due is None:
        return
    try:
        task = serve(due.game)
    except Exception as error:
        _log.error("the job %s has failed in game %s: %s", kind, due.game, kind_of(error))
        raise
    if task is not None:
        if not task.humans:
            task = replace(task, humans=(due.player,), address_hash=due.address_hash)
        service().jobs.enqueue([task])


@job
def notify(asked: Asked) -> None:
    """Runs as a job: sends the players of a game the notices they have not been sent, each once."""
    game, _ = asked
    service().notifier.send_pending(game)


@job
def record(*asked: Asked) -> None:
    """Runs as a job: records the results of games that have ended, each once."""
    _at_once(lambda game, _: service().recording.record(game), asked)


@job
def pair(asked: Asked) -> None:
    """Runs as a job: pairs the players who wait for an edition, and opens their games."""
    edition, _ = asked
    try:
        service().waves.run(edition)
    finally:
        service().jobs.settle()  # a bot may be first


@job
def play_match(asked: Asked) -> None:
    """Runs as a job: takes in what came of a match's games, and opens further ones."""
    match, _ = asked
    try:
        service().match_waves.run(match)
    finally:
        service().jobs.settle()  # a bot may be first


@job
def end_day(asked: Asked) -> None:
    """Runs as a job: lets the bot try a deal of the day, and ends the day when it is over."""
    day, _ = asked
    try:
        service().day_waves.run(day)
    finally:
        service().jobs.settle()  # a bot may be first


@job
def time_out(*asked: Asked) -> None:
    """Runs as a job: applies expired clocks; does nothing in games where it comes too early or too late."""
    try:
        _at_once(service().play.time_out, asked)
    finally:
        service().jobs.settle()  # a bot may be next


def _at_once(work: Callable[[str, int], None], asked: Sequence[Asked]) -> None:
    """Does a work for several games at the same time; after all have ended, or RQ ends the job, raises one error.

    Redis writes simultaneous appends to disk together, and a timeout is mostly waiting for the disk.
    """
    if len(asked) == 1:
        work(*asked[0])
        return
    begun = [_threads.submit(work, game, version) for game, version in asked]
    wait(begun)
    for one in begun:
        one.result()
