"""How long a bot takes for its turn, warm, through everything there is: API, Redis and workers of a `billet serve`.

Each game is of one person and one bot. A turn is measured from the action before it to what the bot does, by the times
in the log, which the API and the workers write when they decide; and as the person sees it, from sending the action to
reading the bot's. A person at a table thinks between one and two seconds before each action; one in a hurry not at all.
"""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from engine.bots import BOTS
from tools.benchmarks.machine import load, tail
from tools.players.person import Person
from tools.players.tables import CREATOR, bot
from tools.testbed.installation import Installation

BOTS_MEASURED = ("cautious", "expert")
TURNS = 200
"""How many turns are measured of each bot in each way."""
GAMES = 10
WARM_UP = 10

Pause = Callable[[], None]


class Turns(NamedTuple):
    """Seconds from an action to the bot's, as the log has them and as the person saw them."""

    logged: list[float]
    seen: list[float]

    def __add__(self, other: Any) -> "Turns":
        return Turns(self.logged + other.logged, self.seen + other.seen)


def as_a_person() -> None:
    """Thinks as long as a person does who knows the game."""
    time.sleep(random.uniform(1, 2))


def at_once() -> None:
    """Thinks nothing."""


def run() -> None:
    """Prints the medians and the tails of each bot, alone and in ten games at once."""
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder), WORKERS="2")
        installation.start()
        try:
            print(f"bot turns: {installation.settings['WORKERS']} workers; {load()}")
            for name in BOTS_MEASURED:
                if name in BOTS:
                    measure(installation, name)
        finally:
            installation.close()


def measure(installation: Installation, name: str) -> None:
    """Prints how long a bot takes."""
    one_game(installation, name, WARM_UP, at_once)
    _print(f"{name}, one game, no pause", one_game(installation, name, TURNS // 2, at_once))
    _print(f"{name}, {GAMES} games, people who think", games_at_once(installation, name, TURNS, as_a_person))
    _print(f"{name}, {GAMES} games, no pause", games_at_once(installation, name, TURNS, at_once))


def games_at_once(installation: Installation, name: str, count: int, pause: Pause) -> Turns:
    """Plays ten games at the same time until so many turns of their bots are measured."""
    with ThreadPoolExecutor(GAMES) as pool:
        found = [pool.submit(one_game, installation, name, count // GAMES, pause) for _ in range(GAMES)]
        return sum((one.result() for one in found), Turns([], []))


def one_game(installation: Installation, name: str, count: int, pause: Pause) -> Turns:
    """Plays against a bot, one game after the other, until so many of its turns are measured."""
    person = Person.register(installation.base, "Ann")
    turns = Turns([], [])
    while len(turns.logged) < count:
        game = person.create("standard", [CREATOR, bot(name)])["id"]
        seen = list(_play(person, game, pause, count - len(turns.logged)))
        turns += Turns(_answered(person.events(game)["events"]), seen)
        person.delete(f"/games/{game}/seats/me")
    person.close()
    return turns


def _play(person: Person, game: str, pause: Pause, count: int) -> Iterator[float]:
    """Plays to the end or until the bot has answered so often; yields how long each of its answers took."""
    view = person.view(game)
    while view["status"] == "active" and count:
        if view["to_act"] != 0:
            person.events(game, view["version"], wait=5)
        else:
            pause()
            action = random.choice(view["legal_actions"])["action"]
            begun = time.monotonic()
            answer = person.act(game, action).json()
            if answer["game"]["to_act"] == 1:
                person.events(game, answer["version"], wait=5)
                yield time.monotonic() - begun
                count -= 1
        view = person.view(game)


def _answered(events: list[dict[str, Any]]) -> list[float]:
    """Returns how long the bot on seat 1 took for each of its turns that followed an action of seat 0."""
    found, asked, actor = [], 0.0, None
    for event in events:
        at = datetime.fromisoformat(event["at"]).timestamp()
        if event["type"] == "card_played":
            if event["data"]["seat"] == 1 and actor == 0:
                found.append(at - asked)
            actor = event["data"]["seat"]
        asked = at
    return found


def _print(name: str, turns: Turns) -> None:
    print(f"  {name:<40} by the log  {tail(turns.logged)} ({len(turns.logged)} turns)")
    print(f"  {'':<40} as seen     {tail(turns.seen)}")


if __name__ == "__main__":
    run()
