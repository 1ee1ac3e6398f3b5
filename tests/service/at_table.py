"""Players and games for tests, driven through the service's use cases alone."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson
import pytest

from engine.editions import rulebook
from engine.logs.codec import read_action
from games.errors import Refused
from games.texts.catalogue import Catalogue, catalogue
from games.views.page_limits import MOST_EVENTS
from service import Service
from service.store.log.stored_answers import Answer

Viewer = int | None
"""A seat, or None for a watcher."""


HARMLESS = [*("princess", "spy", "spy", "baron"), *("priest", "handmaid", "prince") * 2, "king", "countess"]
LONG = {"rounds": [{"starter": 0, "order": HARMLESS}] * 6}
"""For two seats of `standard`: nobody is knocked out or paid for a spy in the first four turns of six rounds, so that
twenty turns do not end the game, whatever is played."""


def nearly_won(edition: str, seats: int, rounds: int = 1) -> dict[str, Any]:
    """Returns a sandbox in which every seat wins the game with so many rounds, so that it is soon over."""
    tokens = rulebook(edition, seats, {}).tokens_to_win - rounds
    return {"positions": [{"tokens": [tokens] * seats}]}


class Guest(NamedTuple):
    """A registered player."""

    id: str
    token: str


def guest(service: Service, name: str = "Ann", kind: str = "human") -> Guest:
    """Registers a player."""
    made = service.players.register(name, kind)
    return Guest(made.player.id, made.token)


def body(*kinds: str, **more: Any) -> dict[str, Any]:
    """Returns a request for a table: `creator`, `open`, or the name of a bot for each seat."""
    seats = [{"kind": kind} if kind in ("creator", "open") else {"kind": "bot", "bot": kind} for kind in kinds]
    return {"edition": "standard", "seats": seats, **more}


def read(answer: Answer) -> Any:
    """Returns the body of an answer."""
    return orjson.loads(answer.body)


def all_events(service: Service, token: str | None, game: str, **more: Any) -> list[dict[str, Any]]:
    """Returns the events of a game, page after page; with a `limit`, one page."""
    page = read(service.games.events(token, game, **more))
    found = page["events"]
    while "limit" not in more and len(page["events"]) == MOST_EVENTS:
        page = read(service.games.events(token, game, **more | {"after": page["version"]}))
        found += page["events"]
    return found


EN = catalogue("en")
"""The language of the tests that do not care."""


def said(refused: Refused, words: Catalogue = EN) -> list[str]:
    """Returns everything that a refusal says, in a language."""
    detail = refused.detail
    faults = [f"{fault.field}: {fault.detail.written(words)}" for fault in refused.faults or ()]
    return [detail if isinstance(detail, str) else detail.written(words), *faults]


def refusal(call: Callable[..., object], *arguments: Any, **more: Any) -> Refused:
    """Returns what a call is refused with."""
    with pytest.raises(Refused) as refused:
        call(*arguments, **more)
    return refused.value


class Game:
    """A game and the guests on its seats."""

    def __init__(self, service: Service, game: str, creator: Guest, guests: dict[int, Guest]) -> None:
        self.service = service
        self.id = game
        self.creator = creator
        self.guests = guests

    @classmethod
    def open(cls, service: Service, *kinds: str, **more: Any) -> "Game":
        """Opens a table; its open seats stay open."""
        creator = guest(service)
        made = read(service.tables.create(creator.token, body(*kinds, **more), words=EN))
        return cls(service, made["id"], creator, {i: creator for i, kind in enumerate(kinds) if kind == "creator"})

    @classmethod
    def begin(cls, service: Service, seats: int = 2, **more: Any) -> "Game":
        """Opens a table, of the creator and guests, and lets everybody sit down."""
        return cls.open(service, "creator", *["open"] * (seats - 1), **more).fill()

    def fill(self) -> "Game":
        """Lets a guest take each open seat."""
        view = self.view(creator=True)
        for seat in view["seats"]:
            if seat["player"] is None:
                newcomer = guest(self.service, f"Guest {seat['seat']}")
                claim = {"seat": seat["seat"]}
                if view["join_code"] is not None:
                    claim["join_code"] = view["join_code"]
                self.service.tables.take_seat(newcomer.token, self.id, claim, words=EN)
                self.guests[seat["seat"]] = newcomer
        return self

    def token(self, viewer: Viewer) -> str | None:
        """Returns the token of a seat's guest; None for a watcher."""
        return None if viewer is None else self.guests[viewer].token

    def view(self, viewer: Viewer = None, *, creator: bool = False, **more: Any) -> dict[str, Any]:
        """Returns the game as a viewer sees it."""
        token = self.creator.token if creator else self.token(viewer)
        return read(self.service.games.view(token, self.id, **{"words": EN, **more}))

    def events(self, viewer: Viewer = None, **more: Any) -> list[dict[str, Any]]:
        """Returns the events as a viewer sees them."""
        return all_events(self.service, self.token(viewer), self.id, **more)

    def to_act(self) -> int | None:
        """Returns the seat that must act."""
        return self.view(creator=True)["to_act"]

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """Returns the legal actions of a seat."""
        return [legal["action"] for legal in self.view(seat, as_=seat)["legal_actions"]]

    def act(self, seat: int, action: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Acts for a seat's guest."""
        return read(self.service.play.act(self.token(seat), self.id, read_action(action), **{"words": EN, **more}))

    def step(self, rng: random.Random) -> bool:
        """Lets the seat to act take any legal action, or the bots their turns; whether there was anything to do."""
        seat = self.to_act()
        if seat is None:
            return False
        if seat in self.guests:
            self.act(seat, rng.choice(self.legal(seat)))
        else:
            self.service.play.bot_turns(self.id, 0)
        return True

    def play(self, rng: random.Random, steps: int = 10_000) -> "Game":
        """Plays at random, to the end or so many steps."""
        seat = self.to_act()
        for _ in range(steps):
            if seat is None:
                break
            if seat in self.guests and (legal := self.legal(seat)):
                seat = self.act(seat, rng.choice(legal))["game"]["to_act"]
            elif seat in self.guests:  # whose time is up
                seat = self.to_act()
            else:
                self.service.play.bot_turns(self.id, 0)
                seat = self.to_act()
        return self

    def cut_short(self) -> "Game":
        """Ends the game: everybody but one resigns."""
        for seat in list(self.guests)[1:]:
            if self.to_act() is not None:
                self.service.tables.leave(self.token(seat), self.id, words=EN)
        return self

    def play_while(self, seat: int, rng: random.Random) -> None:
        """Plays at random as long as it is another seat's turn to act."""
        while self.to_act() not in (seat, None):
            self.step(rng)


def told(service, player, after=None, **more):
    """Returns what a player is told after a cursor, when all that was to be told has been."""
    service.notifier.settle()
    return service.notices.page(player.token, after=after, **more)
