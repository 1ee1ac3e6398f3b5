"""What each call costs and leaves: processor time beside an action's, commands, bytes in Redis and for how long.

The figures of Redis are its own: `INFO commandstats` and `MEMORY USAGE`. The application is called in this process, so
that no connection is measured; whatever a call lets be done after its answer counts too. What an action costs beside
another application, both behind their servers, is for `http_action` to say.
"""

import hashlib
import json
import random
import re
import resource
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import redis
from flask.testing import FlaskClient

from api import create_app
from billet.redis import embedded as embedded_redis
from games.daily.days import Day
from games.tables.lifetimes import DAY_MS
from service import Service
from service.inputs.clock import now_ms
from service.settings import Settings

PAGE: Final = Path(__file__).parents[2] / "docs" / "costs.md"
REPEATS: Final = 7
SEATS: Final = 3
ADMIN: Final = "0123456789abcdef0123456789abcdef"
MATCH: Final = {
    "name": "Who is better?",
    "edition": "standard",
    "entrants": [{"bot": "cautious"}, {"bot": "random"}],
    "seats": 2,
    "games": 100,
    "deals": "rotated",
}
ONCE: Final = "in all, however often it is called"
KEEPS: Final = "as long as the game or player"
OWN: Final = ("config", "info", "scan", "memory", "pttl", "flushall")
"""Commands of this tool itself, but for those that calls use too."""


class Call(NamedTuple):
    """A request."""

    method: str
    path: str
    token: str | None = None
    body: Any = None

    def headers(self) -> dict[str, str]:
        """Returns the headers that a careful client sends."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return sent if self.method == "GET" else {**sent, "Idempotency-Key": str(uuid.uuid4())}

    def size(self) -> int:
        """Returns its bytes on the connection, without what browsers add."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: localhost", *map(": ".join, self.headers().items())]
        body = json.dumps(self.body) if self.body is not None else ""
        lines += [f"Content-Type: application/json\r\nContent-Length: {len(body)}"] if body else []
        return len("\r\n".join(lines)) + 4 + len(body)


class World:
    """An installation of one process, and ways to what calls need."""

    def __init__(self, url: str) -> None:
        high = {field.name: "1000000/second" for field in fields(Settings) if field.name.startswith("limit_")}
        most = 1_000_000
        self.app = create_app(
            Settings(redis_url=url, admin_token=ADMIN, open_games=most, **high)  # type: ignore[arg-type]  # `high` has texts only
        )
        self.service: Service = self.app.extensions["billet.service"]
        self.http: FlaskClient = self.app.test_client()
        self.redis = redis.Redis.from_url(url)
        self.repeat = 0
        """Games differ from repeat to repeat, for Redis takes room for several events at once."""

    def send(self, call: Call) -> Any:
        """Sends a call, which must not be refused."""
        answer = self.http.open(call.path, method=call.method, json=call.body, headers=call.headers())
        assert answer.status_code < 400, (call, answer.status_code, answer.get_data(as_text=True))
        return answer.json if answer.is_json else None

    def player(self) -> dict[str, Any]:
        """Registers a player."""
        return {
            **(made := self.send(Call("POST", "/v1/players", None, {"name": "Ann"})))["player"],
            "token": made["token"],
        }

    def table(self, token: str) -> str:
        """Opens a table and returns its id."""
        return str(self.send(self.opening(token))["id"])

    def opening(self, token: str) -> Call:
        """Returns the call that opens a table."""
        seats = [{"kind": "creator"}] + [{"kind": "open"}] * (SEATS - 1)
        return Call("POST", "/v1/games", token, {"edition": "standard", "seats": seats})

    def game(self, steps: int = 8) -> tuple[str, list[str]]:
        """Begins a game, goes on with it for some actions, and returns its id and the tokens by seat."""
        tokens = [self.player()["token"] for _ in range(SEATS)]
        game = self.table(tokens[0])
        for token in tokens[1:]:
            self.send(Call("POST", f"/v1/games/{game}/seats", token, {}))
        rng = random.Random(self.repeat)
        for _ in range(steps):
            if (action := self.action(game, tokens, rng)) is None:
                break
            self.send(action)
        return game, tokens

    def action(self, game: str, tokens: list[str], rng: random.Random) -> Call | None:
        """Returns a legal action; None when the game has ended."""
        seat = self.send(Call("GET", f"/v1/games/{game}"))["to_act"]
        if seat is None:
            return None
        legal = self.send(Call("GET", f"/v1/games/{game}", tokens[seat]))["legal_actions"]
        return Call("POST", f"/v1/games/{game}/actions", tokens[seat], rng.choice(legal)["action"])


def _act(world: World) -> Call:
    game, tokens = world.game(3 + world.repeat)
    found = world.action(game, tokens, random.Random(2))
    assert found is not None
    return found


def _hint(world: World) -> Call:
    turn = _act(world)
    return Call("GET", turn.path.removesuffix("actions") + "hint", turn.token)


def _review(world: World) -> Call:
    """Returns a call about the review of a whole game, which workers have made."""
    asked = _of_game(world, "GET", "/review", 1000)
    world.send(asked)
    while world.service.reviews.work(asked.path.split("/")[3]):
        pass
    return asked


def _take_break(world: World) -> Call:
    token = world.player()["token"]
    opening = world.opening(token)
    opening.body["clock"] = {"seconds": 86_400}
    game = world.send(opening)["id"]
    for _ in range(SEATS - 1):
        world.send(Call("POST", f"/v1/games/{game}/seats", world.player()["token"], {}))
    return Call("POST", f"/v1/games/{game}/break", token, {"days": 1})


def _of_game(world: World, method: str, rest: str, steps: int = 8, body: Any = None) -> Call:
    game, tokens = world.game(steps)
    return Call(method, f"/v1/games/{game}{rest}", tokens[0], body)


def _of_player(world: World, method: str, rest: str) -> Call:
    return Call(method, f"/v1/players/me{rest}", world.player()["token"], None)


def _seat(world: World) -> Call:
    return Call("POST", f"/v1/games/{world.table(world.player()['token'])}/seats", world.player()["token"], {})


def _abort(world: World) -> Call:
    token = world.player()["token"]
    return Call("DELETE", f"/v1/games/{world.table(token)}", token)


def _join(world: World) -> Call:
    opening = world.opening(world.player()["token"])
    opening.body["visibility"] = "unlisted"
    return Call("POST", "/v1/join", world.player()["token"], {"code": world.send(opening)["join_code"]})


def _sit_again(world: World) -> Call:
    token = world.player()["token"]
    return Call("POST", f"/v1/games/{world.table(token)}/seats", token, {})


def _reveal(world: World) -> Call:
    nonce = uuid.uuid4().hex
    token = world.player()["token"]
    opening = world.opening(token)
    opening.body["nonce_hash"] = hashlib.sha256(nonce.encode()).hexdigest()
    game = world.send(opening)["id"]
    for _ in range(SEATS - 1):
        # Somebody else has yet to reveal, so that the game does not start with this.
        hidden = {"nonce_hash": hashlib.sha256(uuid.uuid4().hex.encode()).hexdigest()}
        world.send(Call("POST", f"/v1/games/{game}/seats", world.player()["token"], hidden))
    return Call("POST", f"/v1/games/{game}/nonce", token, {"nonce": nonce})


def _withdraw(world: World) -> Call:
    token = world.player()["token"]
    game = world.table(token)
    world.send(Call("POST", f"/v1/games/{game}/seats", token, {"player": world.player()["id"], "seat": 1}))
    return Call("DELETE", f"/v1/games/{game}/seats/1", token)


def _verify(world: World) -> Call:
    game, tokens = world.game(1000)
    return Call("POST", "/v1/logs/verify", None, world.send(Call("GET", f"/v1/games/{game}/log", tokens[0])))


def _block(world: World) -> Call:
    return Call("PUT", f"/v1/players/me/blocks/{world.player()['id']}", world.player()["token"])


def _page(world: World, rest: str) -> Call:
    return Call("GET", f"/v1/players/{world.player()['id']}{rest}")


def _unblock(world: World) -> Call:
    block = _block(world)
    world.send(block)
    return block._replace(method="DELETE")


def _past_day(world: World) -> Call:
    """Returns a call about the deal of a day that is over, which one player has tried."""
    token, day = world.player()["token"], Day.at("standard", now_ms() - DAY_MS)
    with patch.object(Day, "at", lambda edition, now: Day(edition, day.date)):
        game = world.send(Call("POST", "/v1/daily/standard", token))["id"]
    world.send(Call("DELETE", f"/v1/games/{game}/seats/me", token))
    world.service.day_waves.run(day.id)
    return Call("GET", f"/v1/daily/standard/{day.date}", token)


def _of_match(world: World, method: str, rest: str, body: dict[str, Any] | None = None) -> Call:
    """Returns a call about a match of two bots, by whoever has made it."""
    token = world.player()["token"]
    match = world.send(Call("POST", "/v1/matches", token, MATCH))["id"]
    return Call(method, f"/v1/matches/{match}{rest}", token, body)


def _invited(world: World, method: str) -> Call:
    """Returns a call by a program that is invited to a match."""
    program = world.send(Call("POST", "/v1/players", None, {"name": "Pro", "kind": "bot"}))
    setup = {**MATCH, "entrants": [{"player": program["player"]["id"]}, {"bot": "random"}], "clock": {"seconds": 60}}
    match = world.send(Call("POST", "/v1/matches", world.player()["token"], setup))["id"]
    return Call(method, f"/v1/matches/{match}/acceptance", program["token"])


def _wait(world: World, method: str = "POST") -> Call:
    token = world.player()["token"]
    asking = Call("POST", "/v1/queue", token, {"edition": "standard", "seats": [2, 4], "clock": {"seconds": 60}})
    return asking if method == "POST" else Call(method, f"/v1/queue/{world.send(asking)['id']}", token)


def _decline(world: World) -> Call:
    inviter, invited = world.player(), world.player()
    game = world.table(inviter["token"])
    world.send(Call("POST", f"/v1/games/{game}/seats", inviter["token"], {"player": invited["id"]}))
    return Call("DELETE", f"/v1/players/me/invitations?from={inviter['id']}", invited["token"])


def _metrics(world: World) -> Call:
    world.game()
    world.send(Call("GET", "/metrics"))
    return Call("GET", "/metrics")


def _unban(world: World) -> Call:
    player = f"/v1/admin/players/{world.player()['id']}"
    world.send(Call("POST", f"{player}/ban", ADMIN))
    return Call("POST", f"{player}/unban", ADMIN)


def _of_operator(world: World, method: str, rest: str = "") -> Call:
    return Call(method, f"/v1/admin/players/{world.player()['id']}{rest}", ADMIN)


def _list_players(world: World) -> Call:
    world.player()
    return Call("GET", "/v1/admin/players?name=Ann", ADMIN)


Prepare = Callable[[World], Call]
CASES: Final[dict[str, Prepare]] = {
    "registerPlayer": lambda world: Call("POST", "/v1/players", None, {"name": "Ann"}),
    "getMe": lambda world: _of_player(world, "GET", ""),
    "renamePlayer": lambda world: Call("PATCH", "/v1/players/me", world.player()["token"], {"name": "Ann"}),
    "getMyData": lambda world: _of_player(world, "GET", "/data"),
    "eraseMe": lambda world: _of_player(world, "DELETE", ""),
    "joinByCode": _join,
    "rotateToken": lambda world: _of_player(world, "POST", "/token"),
    "listMyGames": lambda world: Call("GET", "/v1/players/me/games", world.game()[1][0]),
    "listBlocks": lambda world: _of_player(world, "GET", "/blocks"),
    "blockPlayer": _block,
    "unblockPlayer": _unblock,
    "declineInvitations": _decline,
    "listEditions": lambda world: Call("GET", "/v1/editions"),
    "getEdition": lambda world: Call("GET", "/v1/editions/standard"),
    "listBots": lambda world: Call("GET", "/v1/bots"),
    "listGames": lambda world: Call("GET", "/v1/games", world.game()[1][0]),
    "joinQueue": _wait,
    "getQueueTicket": lambda world: _wait(world, "GET"),
    "leaveQueue": lambda world: _wait(world, "DELETE"),
    "createGame": lambda world: world.opening(world.player()["token"]),
    "getGame": lambda world: _of_game(world, "GET", ""),
    "abortGame": _abort,
    "takeSeat": _seat,
    "takeSeat, again": _sit_again,
    "takeBreak": _take_break,
    "leaveGame": lambda world: _of_game(world, "DELETE", "/seats/me"),
    "revealNonce": _reveal,
    "clearSeat": _withdraw,
    "createRematch": lambda world: _of_game(world, "POST", "/rematch", 1000),
    "forkGame": lambda world: _of_game(world, "POST", "/fork", 1000, {"version": 20}),
    "submitAction": _act,
    "listEvents": lambda world: _of_game(world, "GET", "/events"),
    "listFrames": lambda world: _of_game(world, "GET", "/frames?limit=1"),
    "streamFrames": lambda world: _of_game(world, "GET", "/frames/stream"),
    "listRounds": lambda world: _of_game(world, "GET", "/rounds", 1000),
    "getHint": _hint,
    "getReview": _review,
    "getDeductions": lambda world: _of_game(world, "GET", "/deductions"),
    "streamEvents": lambda world: _of_game(world, "GET", "/events/stream"),
    "sendReaction": lambda world: _of_game(world, "POST", "/reactions", 8, {"reaction": "ouch"}),
    "createTicket": lambda world: _of_game(world, "POST", "/tickets"),
    "getLog": lambda world: _of_game(world, "GET", "/log", 1000),
    "verifyLog": _verify,
    "listNotices": lambda world: _of_player(world, "GET", "/events"),
    "streamNotices": lambda world: _of_player(world, "GET", "/events/stream"),
    "streamLobby": lambda world: Call("GET", "/v1/lobby/stream"),
    "getPlayer": lambda world: _page(world, ""),
    "getRatings": lambda world: _page(world, "/ratings"),
    "listPlayerGames": lambda world: _page(world, "/games"),
    "createMatch": lambda world: Call("POST", "/v1/matches", world.player()["token"], MATCH),
    "listMatches": lambda world: Call("GET", "/v1/matches"),
    "getMatch": lambda world: _of_match(world, "GET", ""),
    "listMatchGames": lambda world: _of_match(world, "GET", "/games"),
    "getMatchTable": lambda world: _of_match(world, "GET", "/table"),
    "changeMatch": lambda world: _of_match(world, "PATCH", "", {"state": "paused"}),
    "endMatch": lambda world: _of_match(world, "DELETE", ""),
    "acceptMatch": lambda world: _invited(world, "POST"),
    "declineMatch": lambda world: _invited(world, "DELETE"),
    "listDailyDeals": lambda world: Call("GET", "/v1/daily", world.player()["token"]),
    "getDailyDeal": lambda world: Call("GET", "/v1/daily/standard", world.player()["token"]),
    "tryDailyDeal": lambda world: Call("POST", "/v1/daily/standard", world.player()["token"]),
    "getPastDailyDeal": _past_day,
    "listPrograms": lambda world: Call("GET", "/v1/programs"),
    "findPlayers": lambda world: Call("GET", "/v1/players?name=a"),
    "listLeaderboards": lambda world: Call("GET", "/v1/leaderboards"),
    "getLeaderboard": lambda world: Call("GET", "/v1/leaderboards/standard-3-4-days-people"),
    "listResults": lambda world: Call("GET", "/v1/results"),
    "streamResults": lambda world: Call("GET", "/v1/results/stream"),
    "createNoticeTicket": lambda world: _of_player(world, "POST", "/tickets"),
    "adminListPlayers": _list_players,
    "adminBanPlayer": lambda world: _of_operator(world, "POST", "/ban"),
    "adminUnbanPlayer": _unban,
    "adminErasePlayer": lambda world: _of_operator(world, "DELETE"),
    "adminAbortGame": lambda world: Call("POST", f"/v1/admin/games/{world.game()[0]}/abort", ADMIN),
    "adminDeleteGame": lambda world: Call("DELETE", f"/v1/admin/games/{world.game()[0]}", ADMIN),
    "getHealth": lambda world: Call("GET", "/healthz"),
    "getReadiness": lambda world: Call("GET", "/readyz"),
    "getMetrics": _metrics,
}
"""By operation of the document, and what of it costs otherwise: what has to be there, and the call."""


class Cost(NamedTuple):
    """What one call costs and leaves."""

    sent: int
    seconds: float
    commands: int
    left: dict[str, int]
    """Bytes by how long they stay."""


def run() -> None:
    """Prints the table."""
    print("| operation | request | processor, times an action | Redis commands | left in Redis |")
    print("|---|---:|---:|---:|---|")
    for row in rows(CASES):
        print(row, flush=True)


def rows(names: Iterable[str]) -> Iterator[str]:
    """Yields the rows of operations in the table of costs."""
    with TemporaryDirectory() as folder, embedded_redis.running(Path(folder), fsync="no") as own:
        world = World(own.url)
        world.service.health.record_heartbeat()
        action = median(cost.seconds for cost in _costs(world, "submitAction"))
        print(f"an action: {1e6 * action:.0f} us of processor time\n")
        for name in names:
            costs = _costs(world, name)
            ratio = median(cost.seconds for cost in costs) / action
            sent = round(median(cost.sent for cost in costs))
            commands = round(median(cost.commands for cost in costs))
            yield f"| `{name}` | {_bytes(sent)} | {ratio:.2g} | {commands} | {_left_by(costs)} |"


def add(names: Sequence[str]) -> None:
    """Adds rows to the table in `docs/costs.md`: `python -m tools.benchmarks.costs OPERATION ...`."""
    text = PAGE.read_text(encoding="utf-8")
    for name, row in zip(names, rows(names), strict=True):
        text = with_row(text, name, row)
    PAGE.write_text(text, encoding="utf-8")


def with_row(page: str, name: str, row: str) -> str:
    """Returns the page with the row of an operation, below that of the case before its own."""
    cases = [*CASES]
    above = cases[cases.index(name) - 1]
    return re.sub(rf"^\| `{above}` \|.*\n", lambda found: f"{found[0]}{row}\n", page, count=1, flags=re.MULTILINE)


def _left_by(costs: Sequence[Cost]) -> str:
    """Returns what a call leaves on average, by how long it stays."""
    total: Counter[str] = Counter()
    for cost in costs:
        total.update(cost.left)
    left = [f"{_bytes(round(size / len(costs)))} {kept}" for kept, size in sorted(total.items())]
    return ", ".join(left) or "nothing"


def _costs(world: World, name: str) -> "list[Cost]":
    """Returns what an operation costs in each repeat."""
    found = []
    for world.repeat in range(REPEATS):
        found.append(_cost(world, CASES[name]))
    return found


def _cost(world: World, prepare: Prepare) -> Cost:
    """Returns what one call costs in an installation that holds no more than it needs."""
    world.redis.flushall()
    world.service.health.record_heartbeat()
    call = prepare(world)
    world.service.settle()
    before = _sizes(world.redis)
    world.redis.config_resetstat()
    begun = _processor()
    answer = world.http.open(call.path, method=call.method, json=call.body, headers=call.headers())
    answer.get_data()
    world.service.settle()
    seconds = _processor() - begun
    stats = world.redis.info("commandstats")
    assert answer.status_code < 400, (call, answer.status_code, answer.get_data(as_text=True))
    commands = sum(
        one["calls"] for name, one in stats.items() if name.removeprefix("cmdstat_").split("|")[0] not in OWN
    )
    return Cost(call.size(), seconds, commands, _left(before, _sizes(world.redis)))


def _processor() -> float:
    """Returns the processor time of this process, and of others that it has started and that have ended."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


def _sizes(client: "redis.Redis") -> dict[bytes, tuple[int, int]]:
    """Returns the bytes and the milliseconds to live of every key but those of the queues, which workers empty."""
    names = [name for name in client.scan_iter(count=1000) if not name.startswith((b"rq:", b"billet:{lines}"))]
    return {name: (client.memory_usage(name, samples=0) or 0, client.pttl(name)) for name in names}


def _left(before: dict[bytes, tuple[int, int]], after: dict[bytes, tuple[int, int]]) -> dict[str, int]:
    left: Counter[str] = Counter()
    for name, (size, ttl) in after.items():
        kept = ONCE if name.startswith(b"billet:{measured}") else _kept(ttl)
        left[kept] += max(0, size - before.get(name, (0, 0))[0])
    return {kept: size for kept, size in left.items() if size}


def _kept(ttl: int) -> str:
    if ttl < 0:
        return KEEPS
    seconds = round(ttl / 1000)
    for unit, length in (("days", 86_400), ("h", 3600), ("s", 1)):
        if seconds >= 0.99 * length and round(seconds / length) > (unit == "days"):
            return f"for {round(seconds / length)} {unit}"
    return "for a moment"


def _bytes(size: int) -> str:
    return f"{size / 1000:.1f} kB" if size >= 1000 else f"{size} B"


if __name__ == "__main__":
    add(sys.argv[1:])
