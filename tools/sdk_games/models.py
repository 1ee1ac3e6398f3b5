"""What clients have in common whose answers are models: classes made from the document, with its names."""

from collections.abc import Callable
from typing import Any

from tools.sdk_games.playing import Refusal, Seen


def setup(models: Any, edition: str, people: int, wrapped: Callable[[Any], Any] = lambda seat: seat) -> Any:
    """Returns the setup of a table for so many people and a bot, made of the classes of a client."""
    guests = [models.OpenSeat(kind="open")] * (people - 1)
    seats = [models.CreatorSeat(kind="creator"), *guests, models.BotSeat(kind="bot", bot=models.BotId.CAUTIOUS)]
    return models.GameSetup(edition=models.EditionId(edition), seats=[wrapped(seat) for seat in seats])


def seen(view: Any, tag: str) -> Seen[Any]:
    """Returns what a player sees of a game in a view with a tag."""
    return Seen(
        version=view.version,
        tag=tag,
        finished=view.status == "finished",
        to_act=view.to_act,
        deciding=view.decision is not None,
        legal=[legal.action for legal in view.legal_actions],
    )


def taken(result: Any, last: Any) -> int:
    """Returns the version to which an action has led, by the result and by the last of its events."""
    assert result.version == result.game.version == last.version
    return int(result.version)


def refusal(problem: Any, status: int) -> Refusal:
    """Returns what a problem says that came with a status."""
    assert problem.status == status
    return Refusal(problem.status, problem.code, problem.reason or None, len(problem.legal_actions or []))
