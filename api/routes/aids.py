"""Helps players: what can be known of the hidden cards, and what a strong player would do."""

from collections.abc import Callable
from typing import Any

from api.document.operations import Reply
from api.request.current import address, current_request, limits, service, words
from api.request.threads import HINTING, READING
from api.responses import CompleteResponse, encoded
from api.routes.blueprint import Blueprint
from api.schemas.aids.deductions import Deduction
from api.schemas.aids.hints import GameHint
from api.schemas.aids.reviews import GameReview, ReviewProgress
from api.schemas.queries import HintQuery, ReviewQuery, ViewQuery
from service.aids.reviews import LOOK_AGAIN_SECONDS

aids = Blueprint("Aids", __name__, description="Help with a game: what can be known, and what to do.")


@aids.operation(
    "GET",
    "/v1/games/<id:game_id>/deductions",
    "getDeductions",
    Reply(200, Deduction(), "What the viewer can know.", ("ContentLanguage",)),
    token="optional",
    query=ViewQuery(),
    refusals=(
        *("join_code_wrong", "removed", "aids_off", "not_found", "game_not_started", "game_not_finished"),
        "archive_unavailable",
    ),
    runs=READING,
)
def deductions(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """See what can be known

    What each seat may hold, what may be set aside and in the deck, and what is certain, with the event that shows it:
    all from what the viewer has seen in this round, and nothing else. The viewer is chosen as for the view of the game,
    by `at`, `as` and `seat`.

    Every deal that fits counts the same, and so does every secret choice since: which of two cards was kept, in which
    order cards went under the deck. What the others would rather have played is not reckoned with.

    This is open in games with `aids`, in sandboxes, and in all games that have ended.
    """
    answer = service().deductions.read(
        token,
        game_id,
        at=query.get("at"),
        as_=query.get("as_", query.get("seat")),
        join_code=query.get("join_code"),
        words=words(),
    )
    return encoded(answer)


@aids.operation(
    "GET",
    "/v1/games/<id:game_id>/hint",
    "getHint",
    Reply(200, GameHint(), "What to do, and why.", ("ContentLanguage",)),
    token="required",
    query=HintQuery(),
    refusals=(
        *("not_seated", "join_code_wrong", "removed", "aids_off", "not_found"),
        *("not_your_turn", "game_not_started", "game_not_finished", "game_over"),
    ),
    bucket="acting",
    runs=HINTING,
)
def hint(game_id: str, token: str, query: dict[str, Any]) -> CompleteResponse:
    """Ask for a hint

    What the bot `expert` would do in your place, what its best actions are worth, and reasons that are true by
    counting. It knows what you know and nothing else: the same question has the same answer. Each decision for which
    you ask is counted once, in `hints` of your seat, which everybody sees.

    This is open where the game has `aids`, and in sandboxes, when it is your turn to act.
    """
    return encoded(service().hints.read(token, game_id, as_seat=query.get("seat"), words=words()))


@aids.operation(
    "GET",
    "/v1/games/<id:game_id>/review",
    "getReview",
    Reply(200, GameReview(), "What each choice was worth.", ("ContentLanguage",)),
    Reply(202, ReviewProgress(), "Workers are at it. Ask again after `Retry-After` seconds.", ("RetryAfter",)),
    token="optional",
    query=ReviewQuery(),
    refusals=(
        "join_code_wrong",
        "removed",
        "not_found",
        "game_not_started",
        "game_not_finished",
        "archive_unavailable",
    ),
    runs=READING,
)
def review(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Review an ended game

    What the bot `expert` thinks of each choice of each seat, from what that seat knew then, and how the chances to win
    the game changed. Who may read an ended game may ask. The first call has workers begin, and those who sat there get
    a notice `review_ready` when it is done. With `begin=false` nothing is begun: you learn whether there is one.

    A review follows from the events: it is the same whenever it is made. It is kept for four weeks.
    """
    found = service().reviews.read(
        token,
        game_id,
        join_code=query.get("join_code"),
        begin=query.get("begin", True),
        address=address(),
        admit=_admit(token),
        words=words(),
    )
    if found.done:
        return encoded(found.answer)
    return encoded(found.answer, 202, ("Retry-After", str(LOOK_AGAIN_SECONDS)))


def _admit(token: str | None) -> Callable[[], None]:
    """Returns what counts a review that a call begins."""
    limited, environ = limits(), current_request().environ
    return lambda: limited.count("reviewing", token, environ) if limited is not None else None
