"""How long a bot takes for its turn and how late a clock fires, with a warm worker, through everything there is.

Both are read from the times in the logs, which the API and the workers write when they decide.
"""

import json
import random
import statistics
import time
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import redis

from tests.e2e.installation import Installation
from tests.e2e.players import Person
from tests.e2e.tables import CREATOR, OPEN, bot

TURNS = 300
DEADLINES = 100
CLOCK = 1  # seconds, the shortest there is
WARM_UP = 20


def run() -> None:
    """Prints the medians and the tails."""
    with TemporaryDirectory() as folder:
        installation = Installation(Path(folder))
        installation.start()
        try:
            bot_turns(installation, WARM_UP)
            decided, seen = bot_turns(installation, TURNS)
            print(f"service latency: {len(decided)} bot turns, {installation.settings['WORKERS']} workers")
            _print("from the action to the bot's", decided)
            _print("from sending the action to reading the bot's", seen)
            late = lateness(installation, DEADLINES)
            print(f"service latency: {len(late)} deadlines that nobody looks at")
            _print("from the deadline to what it does", late)
        finally:
            installation.close()


def bot_turns(installation: Installation, count: int) -> tuple[list[float], list[float]]:
    """Plays against a bot; returns for so many turns the seconds from the action before it to its own.

    First as the log has them, then as a client sees them that sends its action and waits for the next event.
    """
    person = Person.register(installation.base, "Ann")
    decided: list[float] = []
    seen: list[float] = []
    while len(decided) < count:
        game = person.create("standard", [CREATOR, bot("cautious")])["id"]
        view = person.view(game)
        while view["status"] == "active":
            if view["to_act"] != 0:
                person.events(game, view["version"], wait=5)
            else:
                begun = time.monotonic()
                action = random.choice(view["legal_actions"])["action"]
                answer = person.act(game, action).json()
                if answer["game"]["to_act"] == 1:
                    person.events(game, answer["version"], wait=5)
                    seen.append(time.monotonic() - begun)
            view = person.view(game)
        decided += _answered(person.events(game)["events"])
    person.close()
    return decided[:count], seen[:count]


def _answered(events: list[dict[str, Any]]) -> list[float]:
    """Returns how long the bot on seat 1 took for each of its turns that followed an action of seat 0."""
    found, asked = [], None
    actor = None
    for event in events:
        if event["type"] == "card_played":
            if event["data"]["seat"] == 1 and asked is not None and actor == 0:
                found.append(_seconds(event["at"]) - asked)
            actor = event["data"]["seat"]
        asked = _seconds(event["at"])
    return found


def lateness(installation: Installation, count: int) -> list[float]:
    """Lets clocks run out in games that nobody looks at; returns for each how many seconds after its deadline."""
    host, guest = (Person.register(installation.base, name) for name in ("Ann", "Ben"))
    clock = {"seconds": CLOCK, "on_timeout": "bot_plays"}
    games = []
    for _ in range(count):
        game = host.create("standard", [CREATOR, OPEN], clock=clock)["id"]
        guest.join(game)
        games.append(game)
        time.sleep(0.01)  # deadlines all over the second
    time.sleep(CLOCK + 0.5)
    with installation.redis() as client:
        until = time.monotonic() + 20
        while any(not (late := _late(client, game)) for game in games):
            assert time.monotonic() < until, "a clock has not run out"
            time.sleep(0.1)
        late = [_late(client, game)[0] for game in games]
    for game in games:
        guest.delete(f"/games/{game}/seats/me")
    host.close()
    guest.close()
    return late


def _late(client: "redis.Redis", game: str) -> list[float]:
    """Returns by how much each deadline of a game was missed so far, read beside the API, which would look itself."""
    found, asked = [], 0.0
    for _, fields in client.xrange(f"billet:{{{game}}}:log"):
        event = json.loads(fields[b"e"])
        if event["type"] in ("turn_started", "decision_opened"):
            asked = _seconds(event["at"])
        elif event["type"] == "seat_timed_out":
            found.append(_seconds(event["at"]) - asked - CLOCK)
    return found


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _print(name: str, seconds: list[float]) -> None:
    ms = sorted(1000 * value for value in seconds)
    last = ms[min(len(ms) - 1, len(ms) * 99 // 100)]
    print(f"  {name:<46} median {statistics.median(ms):6.1f} ms, p99 {last:6.1f} ms, most {ms[-1]:6.1f} ms")


if __name__ == "__main__":
    run()
