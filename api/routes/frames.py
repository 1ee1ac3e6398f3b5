"""Serves a game as frames: what an action's answer is, for every step."""

from typing import Any

from flask import Response, request

from api.document.operations import Reply
from api.link import LINK
from api.messages import SSE_TYPE
from api.request.current import service
from api.request.languages import words
from api.request.threads import reading_without
from api.responses import CompleteResponse, encoded
from api.routes.blueprint import Blueprint
from api.routes.game_streams import game_stream
from api.schemas.events import FramePage
from api.schemas.queries import FrameQuery, FrameStreamQuery
from games.texts.catalogue import Catalogue, catalogue
from service.store.log.stored_answers import Answer

frames = Blueprint("Frames", __name__, description="Draw a game step by step, live and afterwards.")


@frames.operation(
    "GET",
    "/v1/games/<id:game_id>/frames",
    "listFrames",
    Reply(200, FramePage(), "The frames.", ("ContentLanguage",)),
    token="optional",
    query=FrameQuery(),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
    runs=reading_without("wait"),
)
def page(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Follow the game by frames

    A frame has the events of one step and the game after it, as the answer to an action has. These are the frames of
    the steps after a version. Each is the same to the byte as in the stream of frames and, with the same `text` and
    language, as the answer to the player who acted. With `wait` you get the answer as soon as there is a step, at the
    latest after so many seconds. The wait may be cut short: ask again with `after` set to the answer's `version`. With
    `until=turn` the wait lasts until you must act, or must reveal a nonce, or the game has ended; who has no seat waits
    for the end. Each frame has the `tag` of its view: send it as `If-Match`, and your action is refused if the game has
    moved on.

    Once a game has ended this is its replay: as any seat saw it (`as=0`) or whole (`as=all`). All frames show what you
    may see of the game now. `next_game` is null, as it was then.
    """
    link = request.environ.get(LINK)
    answer: Answer = service().frames.page(
        token,
        game_id,
        after=query.get("after", 0),
        as_=query.get("as_", query.get("seat")),
        limit=query.get("limit"),
        wait=query.get("wait", 0),
        until_turn="until" in query,
        waiter=link.wait_for_event if link is not None else None,
        join_code=query.get("join_code"),
        words=_words(query),
        texts=query.get("text", False),
    )
    return encoded(answer)


@frames.operation(
    "GET",
    "/v1/games/<id:game_id>/frames/stream",
    "streamFrames",
    Reply(200, {"type": "string"}, "Server-sent events until the game ends.", ("ContentLanguage",), SSE_TYPE),
    Reply(204, None, "The game has ended and nothing follows that version: `EventSource` does not come back."),
    token="optional",
    query=FrameStreamQuery(),
    headers=("LastEventID",),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
)
def stream(game_id: str, token: str | None, query: dict[str, Any]) -> Response:
    """Follow a game live by frames

    Server-sent events without a name, so `onmessage` gets them: `id` is the version after the step, `data` a frame, as
    in the list of frames. The first frame is the game as it is, without events. Each step follows as it happens. With
    `Last-Event-ID`, which browsers send when they reconnect, or else with `after`, you get instead a frame for each
    step in between, once and in order.

    Otherwise it is like the stream of events, with the same tickets, limits, comments and end. It ends before the step
    with which you take or leave a seat, or lose an invitation. Reconnect where it was, and you get that step as you may
    see it then.
    """
    return game_stream(game_id, token, query, _words(query), frames=True)


def _words(query: dict[str, Any]) -> Catalogue:
    """Returns the texts in the language that the call asks for."""
    return catalogue(query["lang"]) if "lang" in query else words()
