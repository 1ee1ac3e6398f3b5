"""Players who wait for opponents: how long, how even their tables are, and that each ticket leads to one game.

The first part is reckoned with a clock of its own and ratings of its own. The second calls an installation on this
machine, whose Redis, workers and API processes are killed meanwhile.
"""

import random
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from games.queue.pairing import MET_MS, Pair, pairings
from games.queue.tickets import QueueTicket, Wishes
from tools.players.calls import NO_ANSWER, Client
from tools.testbed.fire import Fire
from tools.testbed.installation import Installation

PLAYERS = 500
TICKETS = 2_000
KILLS = 10
TARGETS = ("redis", "worker", "redis", "worker", "api-process")
PATIENCE = 120
"""Seconds after which a call without an answer, or a ticket that still waits, is a failure."""
PLAYED_SECONDS = 300
"""How long a game takes, where that is reckoned."""
RESTED_SECONDS = 120
"""How long a player rests on average before the next ticket, where that is reckoned."""

WISHES: Final[Sequence[tuple[int, dict[str, Any]]]] = (
    (5, {"edition": "standard", "seats": [2, 3, 4]}),
    (3, {"edition": "standard", "seats": [2]}),
    (2, {"edition": "standard", "seats": [4], "bots": "fill"}),
    (2, {"edition": "premium", "seats": [2, 4, 6], "bots": "fill"}),
    (1, {"edition": "classic", "seats": [3, 4], "bots": "fill"}),
)
"""What players wish for, with weights."""
PATIENT_SECONDS = 40
"""How long a player waits for people alone, and then lets bots fill: the last ones would wait for ever."""


class Broken(Exception):
    """A ticket was lost, or matched twice."""


@dataclass
class Told:
    """What a player was told of a ticket."""

    player: str
    ticket: str
    game: str
    waited: float


# --- reckoned ---


def reckon(players: int, tickets: int, seed: int = 1) -> None:
    """Prints how long players wait and how even their tables are, by a clock of its own."""
    chance = random.Random(seed)
    ratings = {f"p{number}": chance.gauss(1500, 300) for number in range(players)}
    free = {player: chance.expovariate(1 / RESTED_SECONDS) for player in ratings}
    kinds = [Wishes.of(body) for _, body in WISHES]
    weights = [weight for weight, _ in WISHES]
    waiting: dict[str, QueueTicket] = {}
    met: dict[Pair, int] = {}
    waits: list[float] = []
    gaps: list[float] = []
    sizes: Counter[str] = Counter()
    again, asked, now = 0, 0, 0
    while asked < tickets or waiting:
        now += 1
        for player, at in free.items():
            if at <= now and player not in waiting and asked < tickets:
                asked += 1
                wishes = chance.choices(kinds, weights)[0]
                waiting[player] = QueueTicket(f"t{asked}", player, "human", wishes, 1000 * now, ratings[player])
        for player, one in waiting.items():
            if one.waited(1000 * now) > 1000 * PATIENT_SECONDS:
                waiting[player] = replace(one, wishes=replace(one.wishes, bots="fill"))
        for found in pairings(waiting.values(), 1000 * now, (), met):
            together = [one.player for one in found.tickets]
            for one in found.tickets:
                del waiting[one.player]
                waits.append(now - one.since / 1000)
                free[one.player] = now + PLAYED_SECONDS + chance.expovariate(1 / RESTED_SECONDS)
            sizes[f"{len(together)} of {found.seats}"] += 1
            for pair in map(frozenset, combinations(together, 2)):
                again += 1000 * now - met.get(pair, -MET_MS) < MET_MS
                met[pair] = 1000 * now
                gaps.append(abs(ratings[min(pair)] - ratings[max(pair)]))
        if now > 3600 * 24:
            raise Broken(f"{len(waiting)} players wait for ever")
    print(f"queue, reckoned: {asked} tickets of {players} players: waited {spread(waits)} s")
    print(f"queue, reckoned: gap in rating {spread(gaps)}; {100 * again / len(gaps):.1f} % had met within the hour")
    print(f"queue, reckoned: people and seats of tables: {tables(sizes)}")


def spread(values: Sequence[float]) -> str:
    """Returns median, 90th and 99th percentile in words."""
    cuts = quantiles(values, n=100, method="inclusive")
    return f"{cuts[49]:.1f} (90 %: {cuts[89]:.1f}, 99 %: {cuts[98]:.1f}, most {max(values):.1f})"


def tables(sizes: Mapping[str, int]) -> str:
    """Returns the players and seats of tables in words."""
    return ", ".join(f"{size}: {count}" for size, count in sorted(sizes.items()))


# --- on an installation ---


class Player:
    """One who waits, plays no card, and waits again; every call is repeated until it is answered."""

    def __init__(self, base: str, number: int, seed: int) -> None:
        self._chance = random.Random(f"{seed} {number}")
        # The address of each is its own, or one address would be held up.
        self._client = Client(base, timeout=60)
        self._client.headers["X-Forwarded-For"] = f"10.1.{number // 250}.{number % 250 + 1}"
        self._number = number

    def wait(self, tickets: int, told: list[Told]) -> None:
        """Waits with so many tickets, one after the other; tells what became of them."""
        with closing(self._client):
            made = self._call("POST", "/v1/players", {"name": f"Player {self._number}"}, key=self._key())
            self._client.headers["Authorization"] = f"Bearer {made['token']}"
            for _ in range(tickets):
                told.append(self._play(made["player"]["id"]))

    def _play(self, player: str) -> Told:
        wishes = self._chance.choices([body for _, body in WISHES], [weight for weight, _ in WISHES])[0]
        begun = time.monotonic()
        ticket = self._call("POST", "/v1/queue", wishes, key=self._key())
        while ticket["state"] == "waiting":
            if time.monotonic() - begun > PATIENCE:
                raise Broken(f"a ticket has waited for {PATIENCE} s: {ticket}")
            if time.monotonic() - begun > PATIENT_SECONDS and ticket["bots"] != "fill":
                # Other wishes take the place of the ticket, unless it was matched just now.
                ticket = self._call("POST", "/v1/queue", {**wishes, "bots": "fill"}, key=self._key())
            ticket = self._call("GET", f"/v1/queue/{ticket['id']}?wait=20")
        waited = time.monotonic() - begun
        if ticket["state"] != "matched":
            raise Broken(f"a ticket was lost: {ticket}")
        self._call("DELETE", f"/v1/games/{ticket['game']}/seats/me", key=self._key(), over=True)
        return Told(player, ticket["id"], ticket["game"], waited)

    def _key(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128)))

    def _call(self, method: str, path: str, body: Any = None, *, key: str | None = None, over: bool = False) -> Any:
        """Returns an answer; `over`: the game may have ended before."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                answer = self._client.request(method, path, body, headers={"Idempotency-Key": key} if key else {})
            except NO_ANSWER:
                time.sleep(0.3)
                continue
            if answer.status_code < 400:
                return answer.json()
            if over and answer.json()["code"] == "game_over":
                return None
            if answer.status_code not in (408, 429, 500, 502, 503):
                raise Broken(f"{method} {path}: {answer.status_code} {answer.text}")
            time.sleep(0.3)
        raise Broken(f"{method} {path} has had no answer for {PATIENCE} s")


def wait_together(
    installation: Installation, players: int, tickets: int, kills: int, seed: int = 1
) -> tuple[list[Told], list[str]]:
    """Lets players wait on an installation under fire; returns what they were told, and what was killed."""
    told: list[Told] = []
    fire = Fire(installation, seed)

    def targets() -> Iterator[str]:
        for number in range(kills):
            while len(told) < (number + 0.5) * tickets / kills and not any(one.done() for one in waiting):
                time.sleep(0.05)
            yield TARGETS[number % len(TARGETS)]

    shares = [tickets // players + (number < tickets % players) for number in range(players)]
    with ThreadPoolExecutor(players) as threads:
        waiting = [
            threads.submit(Player(installation.base, number, seed).wait, share, told)
            for number, share in enumerate(shares)
        ]
        fire.run(targets(), [])
        for one in waiting:
            one.result()
    return told, fire.killed


def check(told: Sequence[Told], tickets: int, people_of: Callable[[], Mapping[str, list[str]]]) -> None:
    """Checks that every ticket has led to one game, which the player is in, with all others who were told so.

    `people_of` returns the people in each game there is.
    """
    if len(told) != tickets or len({one.ticket for one in told}) != tickets:
        raise Broken(f"of {tickets} tickets {len({one.ticket for one in told})} have led to a game")
    by_game: dict[str, list[str]] = {}
    for one in told:
        by_game.setdefault(one.game, []).append(one.player)
    there = people_of()
    if there.keys() != by_game.keys():
        raise Broken(f"{len(there.keys() ^ by_game.keys())} games are not those that players were told of")
    for game, players in by_game.items():
        if sorted(players) != sorted(there[game]):
            raise Broken(f"in game {game} are {there[game]}, and {players} were told so")


def people_in_games(installation: Installation) -> dict[str, list[str]]:
    """Returns the people in each game of an installation, which are all public."""
    found: dict[str, list[str]] = {}
    with installation.redis() as client, closing(Client(installation.base, timeout=60)) as asking:
        for name in client.scan_iter("billet:{*}:meta", count=1000):
            game = name.decode().partition("{")[2].partition("}")[0]
            seats = asking.get(f"/v1/games/{game}").json()["seats"]
            found[game] = [seat["player"]["id"] for seat in seats if not seat["player"]["id"].startswith("bot-")]
    return found


def run(players: int, tickets: int, kills: int = KILLS) -> None:
    """Reckons, then lets players wait on an installation.

    Raises:
        Broken: a ticket was lost or matched twice.
    """
    reckon(players, tickets)
    begun = time.monotonic()
    off = {f"LIMIT_{name}": "0" for name in ("ACTING", "CREATING", "REGISTERING")}
    with tempfile.TemporaryDirectory() as folder:
        made = Installation(Path(folder), API_PROCESSES="2", WORKERS="2", TRUSTED_PROXIES="1", OPEN_GAMES="0", **off)
        made.start()
        with closing(made):
            told, killed = wait_together(made, players, tickets, kills)
            check(told, tickets, lambda: people_in_games(made))
    waits = spread([one.waited for one in told])
    print(f"queue: {tickets} tickets of {players} players, {len(killed)} kills: waited {waits} s")
    games = Counter(Counter(one.game for one in told).values())
    took = time.monotonic() - begun
    print(f"queue: tables by people {dict(sorted(games.items()))}, none lost or matched twice, {took:.0f} s")
