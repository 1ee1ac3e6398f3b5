"""Plays through the client that openapi-generator's `python` generates: problems are raised, unions are wrapped."""

from typing import Any, TypeVar

import billet_api
from billet_api import (
    ApiClient,
    ApiException,
    ApiResponse,
    Configuration,
    GameAction,
    GamesApi,
    PlayApi,
    PlayersApi,
    PlayerSetup,
    Problem,
    RedrawHand,
    SeatSetup,
)

from tools.sdk_games import models
from tools.sdk_games.playing import PAGE, WAIT, Player, Refusal, Seen, main

Wanted = TypeVar("Wanted")


class Person(Player[GameAction]):
    """A player whose calls are methods of the client's classes, one for each tag of the document."""

    def __init__(self, url: str, name: str) -> None:
        anybody = PlayersApi(ApiClient(Configuration(host=url)))
        access = self._read(anybody.register_player_with_http_info(PlayerSetup(name=name)))
        client = ApiClient(Configuration(host=url, access_token=access.token))
        self.games, self.play = GamesApi(client), PlayApi(client)

    def create(self, edition: str, people: int) -> str:
        setup = models.setup(billet_api, edition, people, SeatSetup)
        return self._read(self.games.create_game_with_http_info(setup)).id

    def join(self, game: str) -> None:
        self._read(self.games.take_seat_with_http_info(game))

    def look(self, game: str) -> Seen[GameAction]:
        answer = self.games.get_game_with_http_info(game)
        assert answer.headers is not None
        return models.seen(self._read(answer), answer.headers["etag"])

    def unchanged(self, game: str, tag: str) -> bool:
        return bool(self._raised(self.games.get_game, game, if_none_match=tag).status == 304)

    def act(self, game: str, action: GameAction, tag: str, key: str) -> tuple[int, bool]:
        answer = self.play.submit_action_with_http_info(game, action, if_match=tag, idempotency_key=key)
        result = self._read(answer)
        assert answer.headers is not None
        return models.taken(result, result.events[-1].actual_instance), "idempotent-replayed" in answer.headers

    def follow(self, game: str, after: int) -> tuple[list[int], bool]:
        page = self._read(self.play.list_events_with_http_info(game, after=after, limit=PAGE, wait=WAIT))
        events = [event.actual_instance for event in page.events]
        return [event.version for event in events if event is not None], page.finished

    def redraw(self) -> GameAction:
        return GameAction(RedrawHand(type="redraw_hand", redraw=True))

    def refused_look(self, game: str) -> Refusal:
        return self._refusal(self._raised(self.games.get_game, game))

    def refused_act(self, game: str, action: GameAction, tag: str) -> Refusal:
        return self._refusal(self._raised(self.play.submit_action, game, action, if_match=tag))

    def _refusal(self, raised: ApiException) -> Refusal:
        assert isinstance(raised.data, Problem)
        assert raised.status is not None
        return models.refusal(raised.data, raised.status)

    def _raised(self, call: Any, *arguments: Any, **more: Any) -> ApiException:
        self.calls += 1
        try:
            call(*arguments, **more)
        except ApiException as raised:
            return raised
        raise AssertionError("the call was not refused")

    def _read(self, answer: ApiResponse[Wanted]) -> Wanted:
        self.calls += 1
        return answer.data


if __name__ == "__main__":
    main(Person)
