"""Takes actions and returns the events of a game; opening and joining tables is in `games`."""

from typing import Any

from flask import Response, request

from api.document.operations import Reply
from api.request.arguments import Body, idempotency_key, if_match, if_none_match
from api.request.current import current_request, service, waiter, words
from api.request.threads import READING, reading_with
from api.responses import CompleteResponse, encoded
from api.routes.blueprint import Blueprint
from api.schemas.actions import GameAction, ReactionSetup
from api.schemas.events import ActionResult, EventPage
from api.schemas.queries import ActionQuery, EventQuery, RoundsQuery
from api.schemas.rounds import GameRounds
from engine.actions import Action

play = Blueprint("Play", __name__, description="At the table: act, and follow what happens.")


ACTIONS = {
    "a_guess": {"type": "play_card", "card": "guard", "targets": [1], "guess": "priest"},
    "nobody_to_choose": {"type": "play_card", "card": "guard", "targets": []},
    "keep_one": {"type": "keep_card", "keep": "princess", "bottom": ["guard", "baron"]},
}


@play.operation(
    "POST",
    "/v1/games/<id:game_id>/actions",
    "submitAction",
    Reply(201, ActionResult(), "The outcome of the action.", ("ETag", "IdempotentReplayed", "ContentLanguage")),
    token="required",
    query=ActionQuery(),
    body=Body(GameAction(), ACTIONS, repeats=True),
    headers=("IfMatch",),
    refusals=("not_seated", "not_found", "illegal_action", "not_your_turn", "game_not_started", "game_over"),
)
def act(game_id: str, token: str, query: dict[str, Any], body: Action) -> CompleteResponse:
    """Act

    Post back the `action` of one of the view's `legal_actions`, or an action of your own. With `If-Match` the action is
    refused if the game has moved on since that view, in whatever language you read it. With `Idempotency-Key` you can
    repeat the call safely: a repeat gets the first answer again, in its language.
    """
    asked = current_request()
    seen, key = if_match(asked), idempotency_key(asked)
    texts = query.get("text", False)
    seat = query.get("seat")
    answer = service().play.act(token, game_id, body, seen, key, as_seat=seat, words=words(asked), texts=texts)
    return encoded(answer, 201)


@play.operation(
    "POST",
    "/v1/games/<id:game_id>/reactions",
    "sendReaction",
    Reply(204, None, "Everybody who follows the game with `reactions=true` is told."),
    token="required",
    body=Body(ReactionSetup(), {"a_reaction": {"reaction": "well_played"}}),
    refusals=("not_seated", "join_code_wrong", "removed", "not_found", "game_not_finished", "game_over"),
    bucket="acting",
)
def react(game_id: str, token: str, body: dict[str, Any]) -> Response:
    """React

    Tells everybody who follows the game live what you have to say: one of six words, as an event `reaction` beside
    those of the game. It is not part of the log and not stored anywhere, so a replay does not have it. Who has blocked
    you is not told.

    You need a seat, and may have left the game. You may react once in five seconds in each game (429 `rate_limited`),
    and until ten minutes after its end (409 `game_over`).
    """
    service().reactions.react(token, game_id, body["reaction"])
    return Response(b"", 204)


@play.operation(
    "GET",
    "/v1/games/<id:game_id>/events",
    "listEvents",
    Reply(200, EventPage(), "The events, as the caller may see them.", ("ContentLanguage",)),
    token="optional",
    query=EventQuery(),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
    runs=reading_with("at"),
)
def events(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Follow the events

    The log after a version. With `wait` you get the answer as soon as there is an event, at the latest after so many
    seconds. A restart, for example, may cut the wait short. Whatever you get, ask again with `after` set to the
    answer's `version`: you then follow the game without gap or repeat. With `until=turn` the wait lasts until you must
    act, or must reveal a nonce, or the game has ended; who has no seat waits for the end.

    With `text=true` each event says in words what happened, made only from what you may see.

    Once a game has ended you may read its events as any seat saw them (`as=0`) or whole (`as=all`). With `at` they end
    at that version, and the call does not wait.
    """
    answer = service().games.events(
        token,
        game_id,
        after=query.get("after", 0),
        at=query.get("at"),
        as_=query.get("as_", query.get("seat")),
        limit=query.get("limit"),
        wait=query.get("wait", 0),
        until_turn="until" in query,
        waiter=waiter("games"),
        join_code=query.get("join_code"),
        words=words() if query.get("text") else None,
    )
    return encoded(answer)


@play.operation(
    "GET",
    "/v1/games/<id:game_id>/rounds",
    "listRounds",
    Reply(200, GameRounds(), "The rounds that have begun, in order.", ("ETag",)),
    Reply(304, None, "Nothing has changed since the answer that `If-None-Match` names.", ("ETag",)),
    token="optional",
    query=RoundsQuery(),
    refusals=("join_code_wrong", "removed", "not_found", "game_not_finished", "archive_unavailable"),
    runs=READING,
)
def rounds(game_id: str, token: str | None, query: dict[str, Any]) -> CompleteResponse:
    """Find rounds and turns

    The versions at which each round of a game begins and ends, at which its turns begin, and at which seats can act.
    Use them as marks of a slider that steps through a game by `at`, or to choose where a fork begins. Every caller gets
    the same, also while the game runs. One page holds all rounds of any usual game.
    """
    return encoded(
        service().games.rounds(
            token,
            game_id,
            **query,
            known=if_none_match(request),
        )
    )
