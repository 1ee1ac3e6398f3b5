"""Plays through the client that openapi-python-client generates: problems come back in place of what was asked for."""

from typing import Any, TypeVar

from billet_api import AuthenticatedClient, Client
from billet_api.api.games import create_game, get_game, take_seat
from billet_api.api.play import list_events, submit_action
from billet_api.api.players import register_player
from billet_api.models import (
    ActionResult,
    BotId,
    BotSeat,
    CreatorSeat,
    EditionId,
    EventPage,
    Game,
    GameSetup,
    GameStatus,
    GiveHands,
    KeepCard,
    OpenSeat,
    PeekHand,
    PlayCard,
    PlayerAccess,
    PlayerSetup,
    Problem,
    RedrawHand,
)
from billet_api.types import Response

from tools.sdk_games.playing import PAGE, WAIT, Player, Refusal, Seen, main

Action = PlayCard | KeepCard | RedrawHand | PeekHand | GiveHands
Wanted = TypeVar("Wanted")


class Person(Player[Action]):
    """A player whose calls are the client's functions."""

    def __init__(self, url: str, name: str) -> None:
        answer = register_player.sync_detailed(client=Client(base_url=url), body=PlayerSetup(name=name))
        self.client = AuthenticatedClient(base_url=url, token=self._read(answer, PlayerAccess).token)

    def create(self, edition: str, people: int) -> str:
        guests = [OpenSeat(kind="open")] * (people - 1)
        setup = GameSetup(
            edition=EditionId(edition),
            seats=[CreatorSeat(kind="creator"), *guests, BotSeat(kind="bot", bot=BotId.CAUTIOUS)],
        )
        return self._read(create_game.sync_detailed(client=self.client, body=setup), Game).id

    def join(self, game: str) -> None:
        self._read(take_seat.sync_detailed(game, client=self.client), Game)

    def look(self, game: str) -> Seen[Action]:
        answer = get_game.sync_detailed(game, client=self.client)
        view = self._read(answer, Game)
        return Seen(
            version=view.version,
            tag=answer.headers["ETag"],
            finished=view.status is GameStatus.FINISHED,
            to_act=view.to_act,
            deciding=view.decision is not None,
            legal=[legal.action for legal in view.legal_actions],
        )

    def unchanged(self, game: str, tag: str) -> bool:
        answer = get_game.sync_detailed(game, client=self.client, if_none_match=tag)
        self.calls += 1
        return answer.status_code == 304 and answer.parsed is None

    def act(self, game: str, action: Action, tag: str, key: str) -> tuple[int, bool]:
        answer = submit_action.sync_detailed(game, client=self.client, body=action, if_match=tag, idempotency_key=key)
        result = self._read(answer, ActionResult)
        assert result.version == result.game.version == result.events[-1].version
        return result.version, "Idempotent-Replayed" in answer.headers

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
        problem = self._read(answer, Problem)
        assert problem.status == answer.status_code
        return Refusal(problem.status, problem.code, problem.reason or None, len(problem.legal_actions or []))

    def _read(self, answer: Response[Any], wanted: type[Wanted]) -> Wanted:
        self.calls += 1
        assert isinstance(answer.parsed, wanted), answer
        return answer.parsed


if __name__ == "__main__":
    main(Person)
