"""The jobs: hints that name a game and a version, carried out by the service or found to be done already."""

from workers.runtime import service

SLICE_SECONDS = 0.25
"""How long one job plays consecutive bot turns before others have their turn."""


def play_bots(game: str, version: int) -> None:
    """Plays the turns of the service's own bots in a game, however many follow one another."""
    hint = service().play.bot_turns(game, SLICE_SECONDS)
    if hint is not None:
        service().jobs.ask([hint])


def time_out(game: str, version: int) -> None:
    """Does what a clock that has run out demands; a job that comes too early or too late does nothing."""
    service().play.time_out(game)
