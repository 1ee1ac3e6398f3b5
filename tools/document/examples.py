"""Records real answers as the document's examples: `python -m tools.document.examples` writes api/examples.json.

The answers come from a small table played over the interface. What differs each time, such as ids and times, is
replaced, so that the file changes only when the interface does.
"""

import hashlib
import json
import logging
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import redis

from api import create_app
from api.request.bodies import LATE
from billet.redis import embedded as embedded_redis
from games.aids import judging
from games.daily.days import Day
from games.texts.catalogue import LANGUAGES
from service import Service, build
from service.settings import REPLICATED, Settings
from tools.readable_json import readable_json

FILE = Path(__file__).parents[2] / "api" / "examples.json"
NOWHERE = "redis://127.0.0.1:1/0"

CREATOR, OPEN = {"kind": "creator"}, {"kind": "open"}
NONCE = "6f1c0d5e9a3b47828e5d1f6a90c3b7e4"
ORDER = ["princess", "spy", "king", "baron", "priest", "guard", "handmaid", "prince"]
"""From the top: one set aside, three shown aside, a hand for each seat, the draw pile."""
COUNTESS_FIRST = ["princess", "spy", "guard", "baron", "countess", "guard", "king", "prince"]
SETUP = {
    "edition": "standard",
    "seats": [CREATOR, OPEN],
    "visibility": "unlisted",
    "clock": {"seconds": 300, "on_timeout": "bot_plays"},
    "sandbox": {"rounds": [{"starter": 0, "order": ORDER}]},
}
BOT = {"edition": "standard", "seats": [CREATOR, {"kind": "bot", "bot": "cautious"}]}
WISHES = {"edition": "standard", "seats": [2, 4], "clock": {"seconds": 60}, "bots": "fill"}
LOOK = {"type": "play_card", "card": "priest", "targets": [1]}
TRADE = {"type": "play_card", "card": "king", "targets": [1]}


class Notes:
    """Calls an application and keeps some of what it answers."""

    def __init__(self, app: Any) -> None:
        self.http = app.test_client()
        self.answers: dict[str, Any] = {}
        self.problems: dict[str, dict[str, Any]] = {language: {} for language in LANGUAGES}

    def call(self, note: str | None, method: str, path: str, token: str | None = None, **options: Any) -> Any:
        """Makes a call and returns its answer; notes that under an operation's id if there is one.

        A refused call is repeated in every language, which changes nothing, and noted in each.
        """
        headers = {**options.pop("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        answer = self.http.open(path, method=method, headers=headers, **options)
        if answer.status_code >= 400:
            assert note is None, answer.json
            for language, problems in self.problems.items():
                asking = {**headers, "Accept-Language": language}
                refused = self.http.open(path, method=method, headers=asking, **options).json
                assert refused["code"] == answer.json["code"]
                problems.setdefault(refused["code"], refused)
        elif note is not None:
            self.answers[note] = answer.json
        return answer.json


def noted(redis_url: str) -> dict[str, Any]:
    """Returns the examples, as they should be now."""
    app = create_app(Settings(redis_url=redis_url))
    app.extensions["billet.service"].health.record_heartbeat()
    notes = Notes(app)
    ann, bob, cleo = registered(notes)
    running: Service = app.extensions["billet.service"]
    answers(notes, ann, bob, running)
    refusals(notes, ann, bob, cleo)
    gone = notes.answers["getLog"]["game"]
    archive(redis_url, gone)
    notes.call(None, "GET", f"/v1/games/{gone}/log")
    with redis.Redis.from_url(redis_url) as client:
        client.hdel(f"billet:{{{gone}}}:meta", "head")
    notes.call(None, "GET", f"/v1/games/{gone}/log")
    others = [
        Notes(create_app(settings))
        for settings in (
            Settings(redis_url=NOWHERE),
            Settings(redis_url=redis_url, limit_reading="1/minute"),
            Settings(redis_url=redis_url, registration_key="k" * 16),
            Settings(redis_url=redis_url, durability=REPLICATED),  # it has no replica
        )
    ]
    for other in others:
        other.call(None, "GET", "/v1/players/me", ann)
        other.call(None, "GET", "/v1/players/me", ann)
    for other in others[-2:]:
        other.call(None, "POST", "/v1/players", json={"name": "Dot"})
    others.append(administered(redis_url, notes, bob))
    others.append(Notes(without_service(redis_url)))
    others[-1].call(None, "GET", "/v1/games")
    problems = {
        language: dict(
            sorted((code, refused) for one in [notes, *others] for code, refused in one.problems[language].items())
        )
        for language in LANGUAGES
    }
    return steady({"answers": notes.answers, "problems": problems})


def administered(redis_url: str, notes: Notes, bob: str) -> Notes:
    """Has an operator find, ban and unban a player, and abort a game; returns further notes."""
    operator = Notes(create_app(Settings(redis_url=redis_url, admin_token="t" * 32)))
    operator.answers = notes.answers
    player = operator.call(None, "GET", "/v1/players/me", bob)["id"]
    game = operator.call(None, "POST", "/v1/games", bob, json=SETUP)["id"]
    operator.call("adminListPlayers", "GET", "/v1/admin/players?name=bob", "t" * 32)
    operator.call("adminAbortGame", "POST", f"/v1/admin/games/{game}/abort", "t" * 32)
    operator.call("adminBanPlayer", "POST", f"/v1/admin/players/{player}/ban", "t" * 32)
    operator.call(None, "GET", "/v1/players/me", bob)
    operator.call("adminUnbanPlayer", "POST", f"/v1/admin/players/{player}/unban", "t" * 32)
    return operator


def archive(redis_url: str, game: str) -> None:
    """Puts a game into an archive that nobody can read."""
    with tempfile.TemporaryDirectory() as folder:
        assert build(Settings(redis_url=redis_url, archive_url=folder)).retention.archive(game) == "archived"


def without_service(redis_url: str) -> Any:
    """Returns an application in which every call that asks the service fails."""
    app = create_app(Settings(redis_url=redis_url))
    app.extensions["billet.service"] = None
    return app


def registered(notes: Notes) -> list[str]:
    """Registers three players, and returns their tokens."""
    tokens = [
        notes.call(note, "POST", "/v1/players", json={"name": name})["token"]
        for name, note in (("Ann", "registerPlayer"), ("Bob", None), ("Cleo", None))
    ]
    notes.call("getMe", "GET", "/v1/players/me", tokens[0])
    notes.call("renamePlayer", "PATCH", "/v1/players/me", tokens[0], json={"name": "Ann"})
    keyed = {"headers": {"Idempotency-Key": "to-replace-the-token-of-Cleo"}}
    replaced = notes.call("rotateToken", "POST", "/v1/players/me/token", tokens[2], **keyed)["token"]
    newest = notes.call(None, "POST", "/v1/players/me/token", replaced)["token"]
    notes.call(None, "POST", "/v1/players/me/token", tokens[2], **keyed)
    tokens[2] = newest
    return tokens


def answers(notes: Notes, ann: str, bob: str, running: Service) -> None:
    """Notes the answer of each operation in a game of two."""
    notes.call("getHealth", "GET", "/healthz")
    notes.call("getReadiness", "GET", "/readyz")
    notes.call("listEditions", "GET", "/v1/editions")
    notes.call("getEdition", "GET", "/v1/editions/classic")
    for bot in notes.call("listBots", "GET", "/v1/bots")["items"]:
        del bot["strengths"][1:]  # one shows what they look like
    notes.call(None, "GET", "/v1/players/me/events", ann)
    game = notes.call("createGame", "POST", "/v1/games", ann, json=SETUP)
    path = f"/v1/games/{game['id']}"
    notes.call("takeSeat", "POST", f"{path}/seats", bob, json={"join_code": game["join_code"]})
    notes.call("joinByCode", "POST", "/v1/join", bob, json={"code": game["join_code"]})
    notes.call("getGame", "GET", path, ann)
    notes.call("listMyGames", "GET", "/v1/players/me/games", ann)
    running.notifier.settle()
    notes.call("listNotices", "GET", "/v1/players/me/events?after=0", ann)
    notes.call("getMyData", "GET", "/v1/players/me/data", ann)
    notes.call("createNoticeTicket", "POST", "/v1/players/me/tickets", ann)
    acted = notes.call("submitAction", "POST", f"{path}/actions", ann, json=LOOK)
    notes.call("listEvents", "GET", f"{path}/events?after={acted['version'] - 4}", bob)
    notes.call("listFrames", "GET", f"{path}/frames?after={acted['version'] - 4}&limit=1", bob)
    notes.call("listRounds", "GET", f"{path}/rounds", bob)
    notes.call("getDeductions", "GET", f"{path}/deductions", ann)
    notes.call("getHint", "GET", f"{path}/hint", bob)
    slow = notes.call(None, "POST", "/v1/games", ann, json={**SETUP, "clock": {"seconds": 259_200}})
    code = {"join_code": slow["join_code"]}
    notes.call(None, "POST", f"/v1/games/{slow['id']}/seats", bob, json=code)
    notes.call("takeBreak", "POST", f"/v1/games/{slow['id']}/break", bob, json={"days": 2})
    notes.call(None, "POST", f"{path}/reactions", bob, json={"reaction": "thinking"})
    notes.call("createTicket", "POST", f"{path}/tickets", ann)
    notes.call("leaveGame", "DELETE", f"{path}/seats/me", bob)
    notes.call("getReview.202", "GET", f"{path}/review", ann)
    with patch.multiple(judging, SEARCH_MS=8, COMPARE_MS=15, CHANCES_MS=2):  # in tests, too, which judge briefly
        while running.reviews.work(game["id"]):
            pass
    notes.call("getReview", "GET", f"{path}/review", ann)
    notes.call("createRematch", "POST", f"{path}/rematch", ann)
    notes.call("forkGame", "POST", f"{path}/fork", ann, json={"version": acted["version"]})
    other = notes.call(None, "POST", "/v1/games", ann, json={**SETUP, "visibility": "public"})
    notes.call("listGames", "GET", "/v1/games")
    place = f"/v1/queue/{notes.call('joinQueue', 'POST', '/v1/queue', ann, json=WISHES)['id']}"
    notes.call("getQueueTicket", "GET", place, ann)
    notes.call("leaveQueue", "DELETE", place, ann)
    me = notes.call(None, "GET", "/v1/players/me", bob)["id"]
    notes.call(None, "POST", f"/v1/games/{other['id']}/seats", ann, json={"player": me})
    notes.call(None, "DELETE", f"/v1/games/{other['id']}/seats/1", ann)
    third = notes.call(None, "POST", "/v1/games", ann, json={"edition": "standard", "seats": [CREATOR, OPEN, OPEN]})
    notes.call(None, "POST", f"/v1/games/{third['id']}/seats", bob, json={})
    notes.call("clearSeat", "DELETE", f"/v1/games/{third['id']}/seats/1", ann)
    notes.call(None, "POST", f"/v1/games/{third['id']}/seats", bob, json={})
    notes.call(None, "DELETE", f"/v1/games/{third['id']}", ann)
    notes.call("abortGame", "DELETE", f"/v1/games/{other['id']}", ann)
    notes.call("blockPlayer", "PUT", f"/v1/players/me/blocks/{me}", ann)
    notes.call("listBlocks", "GET", "/v1/players/me/blocks", ann)
    her = notes.call(None, "GET", "/v1/players/me", ann)["id"]
    notes.call(None, "POST", "/v1/games", bob, json={**BOT, "seats": [CREATOR, invited(her)]})
    notes.call(None, "DELETE", f"/v1/players/me/blocks/{me}", ann)
    notes.call(None, "POST", "/v1/games", bob, json={**BOT, "seats": [CREATOR, invited(her)]})
    notes.call("declineInvitations", "DELETE", f"/v1/players/me/invitations?from={me}&reason=later", ann)
    revealing = {**SETUP, "visibility": "public", "nonce_hash": hashlib.sha256(NONCE.encode()).hexdigest()}
    last = notes.call(None, "POST", "/v1/games", ann, json=revealing)
    notes.call(None, "POST", f"/v1/games/{last['id']}/seats", bob, json={})
    notes.call(None, "POST", f"/v1/games/{last['id']}/nonce", ann, json={"nonce": "another, " * 4})
    notes.call("revealNonce", "POST", f"/v1/games/{last['id']}/nonce", ann, json={"nonce": NONCE})
    rated = {"edition": "standard", "seats": [CREATOR, OPEN], "rated": True}
    finished = notes.call(None, "POST", "/v1/games", ann, json=rated)
    notes.call(None, "POST", f"/v1/games/{finished['id']}/seats", bob, json={})
    notes.call(None, "DELETE", f"/v1/games/{finished['id']}/seats/me", bob)
    running.recording.record(finished["id"])
    notes.call("listResults", "GET", "/v1/results")
    pool = "standard-2-days-people"
    notes.call("getPlayer", "GET", f"/v1/players/{me}")
    notes.call("getRatings", "GET", f"/v1/players/{me}/ratings")
    notes.call("listPlayerGames", "GET", f"/v1/players/{me}/games")
    del notes.call("listLeaderboards", "GET", "/v1/leaderboards")["items"][2:]  # two show what they look like
    notes.call("getLeaderboard", "GET", f"/v1/leaderboards/{pool}")
    program = notes.call(None, "POST", "/v1/players", json={"name": "Deep Guard", "kind": "bot"})["token"]
    described = {"version": "1.2", "author": "Ann", "accepts": {"editions": ["standard"], "seats": [2], "at_once": 4}}
    notes.call(None, "PATCH", "/v1/players/me", program, json={"program": described})
    notes.call("listPrograms", "GET", "/v1/programs?edition=standard")
    notes.call("findPlayers", "GET", "/v1/players?name=deep")
    pro = notes.call(None, "GET", "/v1/players/me", program)["id"]
    setup = {"edition": "standard", "seats": 2, "games": 4, "deals": "rotated", "clock": {"seconds": 10}}
    entrants = [{"player": pro}, {"bot": "random"}]
    match = notes.call(
        "createMatch", "POST", "/v1/matches", ann, json={**setup, "name": "Any good?", "entrants": entrants}
    )
    place = f"/v1/matches/{match['id']}"
    notes.call(None, "PATCH", place, bob, json={"state": "paused"})
    notes.call("acceptMatch", "POST", f"{place}/acceptance", program)
    notes.call("listMatches", "GET", "/v1/matches")
    of_bots = {**setup, "name": "A duel of bots", "entrants": [{"bot": "cautious"}, {"bot": "random"}]}
    duel = notes.call(None, "POST", "/v1/matches", ann, json=of_bots)["id"]
    running.match_waves.run(duel)
    notes.call("getMatch", "GET", f"/v1/matches/{duel}")
    notes.call("listMatchGames", "GET", f"/v1/matches/{duel}/games?limit=1")
    notes.call("changeMatch", "PATCH", place, ann, json={"state": "paused"})
    notes.call("endMatch", "DELETE", place, ann)
    notes.call("declineMatch", "DELETE", f"{place}/acceptance", program)
    days(notes, running, ann)
    log = notes.call("getLog", "GET", f"/v1/games/{other['id']}/log")
    notes.call("verifyLog", "POST", "/v1/logs/verify", json={**log, "secret": "0" * 64})


def days(notes: Notes, running: Service, ann: str) -> None:
    """Notes calls about deals of the day, of a day and with a secret that are always the same."""
    day = Day("standard", "2026-01-02")
    with (
        patch.object(Day, "at", lambda edition, now: Day(edition, day.date)),
        patch.object(Day, "secret", lambda day, installation: bytes(32)),
    ):
        notes.call("listDailyDeals", "GET", "/v1/daily")
        game = notes.call("tryDailyDeal", "POST", f"/v1/daily/{day.edition}", ann)["id"]
        notes.call("getDailyDeal", "GET", f"/v1/daily/{day.edition}", ann)
        notes.call(None, "DELETE", f"/v1/games/{game}/seats/me", ann)
        running.day_waves.run(day.id)
        notes.call("getPastDailyDeal", "GET", f"/v1/daily/{day.edition}/{day.date}", ann)


def refusals(notes: Notes, ann: str, bob: str, cleo: str) -> None:
    """Notes one refusal of each kind."""
    setup = {**SETUP, "sandbox": {"rounds": [{"starter": 0, "order": COUNTESS_FIRST}]}}
    table = notes.call(None, "POST", "/v1/games", ann, json=setup, headers={"Idempotency-Key": "the-same-key"})
    path = f"/v1/games/{table['id']}"
    code = {"join_code": table["join_code"]}
    for method, place, token, options in (
        ("GET", "/v1/nothing", None, {}),
        ("PUT", path, None, {}),
        ("GET", "/v1/players/me", None, {}),
        ("GET", "/v1/players/me/events?after=999", ann, {}),
        ("GET", path, cleo, {}),
        ("POST", f"{path}/actions", cleo, {"json": LOOK}),
        ("POST", f"{path}/actions", ann, {"json": LOOK}),
        ("DELETE", path, bob, {}),
        ("POST", f"{path}/rematch", ann, {}),
        ("POST", "/v1/games", ann, {"json": BOT, "headers": {"Idempotency-Key": "the-same-key"}}),
        ("POST", "/v1/games", ann, {"json": {**BOT, "edition": "chess", "colour": "red"}}),
        ("POST", "/v1/games", ann, {"data": "{", "content_type": "application/json"}),
        ("POST", "/v1/games", ann, {"data": "x" * 70_000, "content_type": "application/json"}),
        ("POST", "/v1/games", ann, {"data": "a", "content_type": "text/plain"}),
        ("POST", "/v1/games", ann, {"json": BOT, "environ_overrides": {LATE: True}}),
    ):
        notes.call(None, method, place, token, **options)
    notes.call(None, "POST", f"{path}/seats", bob, json=code)
    notes.call(None, "POST", f"{path}/seats", cleo, json=code)
    notes.call(None, "POST", f"{path}/actions", bob, json=LOOK)
    notes.call(None, "POST", f"{path}/actions", ann, json=TRADE)
    notes.call(None, "POST", f"{path}/actions", ann, json=LOOK, headers={"If-Match": '"1"'})
    notes.call(None, "POST", f"{path}/break", bob, json={"days": 1})
    notes.call(None, "DELETE", f"{path}/seats/me", bob)
    notes.call(None, "POST", f"{path}/actions", ann, json=LOOK)
    me, you = (notes.call(None, "GET", "/v1/players/me", token)["id"] for token in (ann, bob))
    other = notes.call(None, "POST", "/v1/games", ann, json={**SETUP, "seats": [CREATOR, invited(you)]})
    notes.call(None, "POST", f"/v1/games/{other['id']}/seats", ann, json={"player": me})
    alone = notes.call(None, "POST", "/v1/games", ann, json={**BOT, "aids": False})
    notes.call(None, "GET", f"/v1/games/{alone['id']}/deductions", ann)


def invited(player: str) -> dict[str, str]:
    """Returns a seat that waits for a player."""
    return {"kind": "invited", "player": player}


def steady(found: Any) -> Any:
    """Returns the examples with a fixed text for everything that differs each time."""
    text = json.dumps(found)
    for pattern, sample in VARYING:
        for number, varying in enumerate(dict.fromkeys(re.findall(pattern, text)), 1):
            text = text.replace(varying, sample(number))
    return json.loads(text, object_hook=with_fixed_values)


def with_fixed_values(members: dict[str, Any]) -> dict[str, Any]:
    """Returns members with the values that differ from run to run replaced by fixed ones."""
    strength = "others" in members
    return {
        name: FIXED[name] if name in FIXED and value and (strength or name not in STRENGTH) else value
        for name, value in members.items()
    }


VARYING: tuple[tuple[str, Callable[[int], str]], ...] = (
    (r'"token": "([^"]+)"', lambda number: f"TOKEN-{number}-SHOWN-ONLY-ONCE"),
    (r'"ticket": "([^"]+)"', lambda number: f"TICKET-{number}-GOOD-FOR-ONE-STREAM"),
    (r'"(p[0-9a-f]{20})"', lambda number: f"player-{number}"),
    (r'"(q[a-z2-7]{16})"', lambda number: f"ticket-{number}"),
    (r'"(m[a-z2-7]{16})"', lambda number: f"match-{number}"),
    (r'(?<=["/])([a-z2-7]{16})(?=["/])', lambda number: f"game-{number}"),
    (r'"join_code": "([A-Z0-9]+)"', lambda number: f"JOINCOD{number}"),
    (r'"cursor": ([0-9]{13})', lambda number: str(1767348488000 + number)),
    (r'"([0-9a-f]{64})"', lambda number: hashlib.sha256(bytes([number])).hexdigest()),
)
"""Patterns of values that differ each time, each with its replacement."""
STRENGTH = {"games": 2000, "won": 0.934, "least": 0.9231, "most": 0.9449}
"""How strong a bot is."""
FIXED = {
    "waiting_since": "2026-01-02T10:04:00.000Z",
    "since": "2026-01-02T10:04:00.000Z",
    "created_at": "2026-01-02T10:00:00.000Z",
    "started_at": "2026-01-02T10:01:00.000Z",
    "at": "2026-01-02T10:02:00.000Z",
    "deadline": "2026-01-02T10:07:00.000Z",
    "break_until": "2026-01-04T10:02:00.000Z",
    "expires_at": "2026-01-02T10:03:00.000Z",
    "finished_at": "2026-01-02T10:08:00.000Z",
    "ended_at": "2026-01-02T10:08:00.000Z",
    **STRENGTH,
}
"""Times and figures, by their names."""


def main() -> None:
    """Writes the examples."""
    logging.disable()  # what fails here is made to fail, as an example
    with tempfile.TemporaryDirectory() as folder, embedded_redis.running(Path(folder), fsync="no") as server:
        FILE.write_text(readable_json(noted(server.url)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
