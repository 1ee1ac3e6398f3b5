"""What the playing programs of Python have in common: how a table is played, told by what a client must be able to do.

How a client does it is for the programs, `play_*.py`; whether what they print is true, for the tests.
"""

import argparse
import json
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Action = TypeVar("Action")

WAIT = 20  # seconds of one long-poll
PAGE = 40  # events in an answer at most, so that there is more than one of them
BOT_SEATS = 1
NOWHERE = "no-such-game"


@dataclass(frozen=True)
class Seen(Generic[Action]):
    """What a player sees of a game, as far as playing needs it."""

    version: int
    tag: str
    finished: bool
    to_act: int | None
    deciding: bool
    legal: Sequence[Action]


@dataclass(frozen=True)
class Refusal:
    """A problem as the client has read it."""

    status: int
    code: str
    reason: str | None = None
    alternatives: int = 0  # how many legal actions it names


class Player(ABC, Generic[Action]):
    """A registered player: what it wants done, done through one client."""

    calls = 0
    """How many answers have been read, refusals too."""

    @abstractmethod
    def create(self, edition: str, people: int) -> str:
        """Opens a table for so many people, the creator first, and bots of the service; returns the game's id."""

    @abstractmethod
    def join(self, game: str) -> None:
        """Takes a seat."""

    @abstractmethod
    def look(self, game: str) -> Seen[Action]:
        """Returns what the player sees."""

    @abstractmethod
    def unchanged(self, game: str, tag: str) -> bool:
        """Whether the service says that the view is still that of a tag."""

    @abstractmethod
    def act(self, game: str, action: Action, tag: str, key: str) -> tuple[int, bool]:
        """Takes an action at the view of a tag; returns the version it leads to, and whether it was a replay."""

    @abstractmethod
    def follow(self, game: str, after: int) -> tuple[list[int], bool]:
        """Waits for events after a version; returns the versions of some, and whether the game ends with them."""

    @abstractmethod
    def redraw(self) -> Action:
        """Returns an action that is never due when a card is to be played."""

    @abstractmethod
    def refused_look(self, game: str) -> Refusal:
        """Looks at a game that cannot be seen."""

    @abstractmethod
    def refused_act(self, game: str, action: Action, tag: str) -> Refusal:
        """Takes an action that cannot be taken."""


class Feed(Generic[Action]):
    """The events of a game as one player reads them, each version once and none left out."""

    def __init__(self, player: Player[Action], game: str) -> None:
        self.player = player
        self.game = game
        self.version = 0
        self.finished = False

    def read_to(self, version: int) -> None:
        """Reads on until an event of this version, or of a later one, is there."""
        while self.version < version:
            versions, self.finished = self.player.follow(self.game, self.version)
            assert versions == list(range(self.version + 1, self.version + 1 + len(versions))), versions
            self.version += len(versions)


def play(people: Sequence[Player[Action]], edition: str, chance: random.Random) -> dict[str, object]:
    """Plays a game to its end, everybody through the client; returns its id, version and number of actions."""
    game = people[0].create(edition, len(people))
    for guest in people[1:]:
        guest.join(game)
    feeds = [Feed(player, game) for player in people]
    acted, tried = 0, False
    seen = people[0].look(game)
    while not seen.finished:
        if seen.to_act is None or seen.to_act >= len(people):  # a bot of the service
            feeds[0].read_to(seen.version + 1)
            seen = people[0].look(game)
            continue
        player, feed = people[seen.to_act], feeds[seen.to_act]
        feed.read_to(seen.version)
        seen = player.look(game)
        action, key = chance.choice(seen.legal), f"{chance.getrandbits(128):032x}"
        if not tried and not seen.deciding:
            before_a_card_is_played(people, game, seen)
            tried = True
        version, replayed = player.act(game, action, seen.tag, key)
        assert not replayed
        if not acted:
            assert player.act(game, action, seen.tag, key) == (version, True)
        acted += 1
        seen = player.look(game)
    for feed in feeds:
        feed.read_to(seen.version)
        assert feed.finished
        assert feed.version == seen.version
    return {"id": game, "version": seen.version, "actions": acted}


def before_a_card_is_played(people: Sequence[Player[Action]], game: str, seen: Seen[Action]) -> None:
    """Does on purpose what is refused, and reads why; nothing of it changes the game."""
    assert seen.to_act is not None
    player, other = people[seen.to_act], people[seen.to_act - 1]
    assert player.unchanged(game, seen.tag)
    assert player.refused_look(NOWHERE) == Refusal(404, "not_found")
    assert player.refused_act(game, seen.legal[0], '"an earlier one"') == Refusal(412, "stale_version")
    assert other.refused_act(game, seen.legal[0], other.look(game).tag) == Refusal(409, "not_your_turn")
    refusal = player.refused_act(game, player.redraw(), seen.tag)
    assert refusal == Refusal(409, "illegal_action", "wrong_action", len(seen.legal))
    assert player.unchanged(game, seen.tag)


REFUSALS = 4
"""How many calls are refused in a game."""


def main(register: Callable[[str, str], Player[Action]]) -> None:
    """Plays as the command line says and prints one line of JSON about it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--edition", required=True)
    parser.add_argument("--seats", type=int, required=True, help="the last one is a bot's")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    begun, chance = time.monotonic(), random.Random(asked.seed)
    people = [register(asked.url, f"Player {seat}") for seat in range(asked.seats - BOT_SEATS)]
    games = [play(people, asked.edition, chance) for _ in range(asked.games)]
    told = {
        "games": games,
        "calls": sum(player.calls for player in people),
        "refusals": REFUSALS * len(games),
        "seconds": round(time.monotonic() - begun, 3),
    }
    print(json.dumps(told))
