"""Plays through the client that openapi-python-client generates: problems come back in place of what was asked for."""

from typing import Any, TypeVar

import billet_api.models
from billet_api import AuthenticatedClient, Client
from billet_api.api.games import create_game, get_game, take_seat
from billet_api.api.play import list_events, submit_action
from billet_api.api.players import register_player
from billet_api.models import (
    ActionResult,
    EventPage,
    Game,
    GiveHands,
    KeepCard,
    PeekHand,
    PlayCard,
    PlayerAccess,
    PlayerSetup,
    Problem,
    RedrawHand,
)
from billet_api.types import Response

from tools.sdk_games import models
from tools.sdk_games.playing import PAGE, WAIT, Player, Refusal, Seen, main

Action = PlayCard | KeepCard | RedrawHand | PeekHand | GiveHands
Wanted = TypeVar("Wanted")


class Person(Player[Action]):
    """A player whose calls are the client's functions."""

    def __init__(self, url: str, name: str) -> None:
        answer = register_player.sync_detailed(client=Client(base_url=url), body=PlayerSetup(name=name))
        self.client = AuthenticatedClient(base_url=url, token=self._read(answer, PlayerAccess).token)

    def create(self, edition: str, people: int) -> str:
        setup = models.setup(billet_api.models, edition, people)
        return self._read(create_game.sync_detailed(client=self.client, body=setup), Game).id

    def join(self, game: str) -> None:
        self._read(take_seat.sync_detailed(game, client=self.client), Game)

    def look(self, game: str) -> Seen[Action]:
        answer = get_game.sync_detailed(game, client=self.client)
        return models.seen(self._read(answer, Game), answer.headers["ETag"])

    def unchanged(self, game: str, tag: str) -> bool:
        answer = get_game.sync_detailed(game, client=self.client, if_none_match=tag)
        self.calls += 1
        return answer.status_code == 304 and answer.parsed is None

    def act(self, game: str, action: Action, tag: str, key: str) -> tuple[int, bool]:
        answer = submit_action.sync_detailed(game, client=self.client, body=action, if_match=tag, idempotency_key=key)
        result = self._read(answer, ActionResult)
        return models.taken(result, result.events[-1]), "Idempotent-Replayed" in answer.headers

    def follow(self, game: str, after: int) -> tuple[list[int], bool]:
        answer = list_events.sync_detailed(game, client=self.client, after=after, limit=PAGE, wait=WAIT)
        page = self._read(answer, EventPage)
        return [event.version for event in page.events], page.finished

    def redraw(self) -> Action:
        return RedrawHand(type_="redraw_hand", redraw=True)

    def refused_look(self, game: str) -> Refusal:
        return self._refusal(get_game.sync_detailed(game, client=self.client))

    def refused_act(self, game: str, action: Action, tag: str) -> Refusal:
        return self._refusal(submit_action.sync_detailed(game, client=self.client, body=action, if_match=tag))

    def _refusal(self, answer: Response[Any]) -> Refusal:
        return models.refusal(self._read(answer, Problem), answer.status_code)

    def _read(self, answer: Response[Any], wanted: type[Wanted]) -> Wanted:
        self.calls += 1
        assert isinstance(answer.parsed, wanted), answer
        return answer.parsed


if __name__ == "__main__":
    main(Person)
