"""Helps players: what can be known of the hidden cards, and what a strong player would do."""

from typing import Any

from api.document.operations import Reply
from api.request.current import service, words
from api.request.threads import HINTING, READING
from api.responses import CompleteResponse, encoded
from api.routes.blueprint import Blueprint
from api.schemas.aids.deductions import Deduction
from api.schemas.aids.hints import GameHint
from api.schemas.queries import HintQuery, ViewQuery

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
