"""Nobody reads anything of a try at a deal of the day before the day is over, but what its player's seat sees.

Two people and `expert` try a deal over HTTP while everybody asks for everything. Which tries there are, and what is
secret of them, is read from Redis.
"""

import random

import pytest

from games.tables.lifetimes import DAY_MS
from service import Settings, build
from service.inputs.clock import now_ms
from service.store import keys
from tests.contract.checked import METHODS
from tests.secrecy.left_behind import Eavesdropper, check_said
from tests.secrecy.probes import reading
from tests.secrecy.sealed import STREAMS, Overheard, Sealed, registered
from tests.secrecy.viewers import Viewer, Watched
from tests.service.daily.trying import begin, person, today
from tests.service.still_clock import still_clock
from tools.players.stored_events import event_in
from tools.testbed.waiting import wait_until

PRIED = 6
"""How many things are tried after each action."""
MOST_ACTIONS = 8
"""After so many in a try, its player resigns."""
MOMENT_MS = 60_000
"""So much is left of the day when its tries begin: all three have the same deal."""
SEATS = 4


class Try(Watched):
    """A try at a deal of the day."""

    @property
    def ended(self):
        return self.log[-1]["type"] == "secret_revealed"

    @property
    def deal(self):
        return self.log[0]["data"]["deal"]

    def seat_of(self, player):
        return 0 if player is not None and player == self.log[0]["data"]["creator"] else None


class Day(Sealed):
    """The day's deal of an edition, with two people who try it and everybody else who may look at them."""

    def __init__(self, served, redis_client, edition, generator):
        self.random, self.redis, self.edition, self.seats = generator, redis_client, edition, SEATS
        made = [registered(served.base, name, "human") for name in ("one", "other", "stranger")]
        made.append(registered(served.base, "program", "bot"))
        self.viewers = [Viewer(served.base, "nobody")]
        for one in reversed(made):
            player = one["player"]
            self.viewers.insert(0, Viewer(served.base, player["name"], token=one["token"], player=player["id"]))
        self.people = self.viewers[:2]
        self.tokens = {one["token"] for one in made}
        self.games = {}
        wait_until(lambda: DAY_MS - now_ms() % DAY_MS > MOMENT_MS)
        self.own = {viewer: self.begin(viewer) for viewer in self.people}
        wait_until(self.find_the_bots)

    def begin(self, viewer):
        """Lets one begin their try, or look at it once more."""
        answer = viewer.client.post(f"/v1/daily/{self.edition}")
        assert answer.status_code == 201, answer.text
        game = self.games.setdefault(answer.json()["id"], Try(answer.json()["id"], self.redis, self.tokens))
        self.check(answer, viewer, game)
        return game

    def find_the_bots(self):
        """Finds the try of `expert` at the same deal; returns whether it has begun."""
        wanted = self.own[self.people[0]].deal
        for name in self.redis.scan_iter("billet:{*}:log", count=1000):
            first = self.redis.xrange(name, count=1)
            data = event_in(first[0][1][b"e"])["data"] if first else {}
            if data.get("deal") == wanted and data["creator"].startswith("bot"):
                game = name.decode().split("{")[1].split("}")[0]
                self.games.setdefault(game, Try(game, self.redis, self.tokens))
                return True
        return False

    def secrets_in_use(self):
        installation = self.redis.get(keys.SECRET).decode()
        return {installation} | {game.meta["secret"] for game in self.games.values() if not game.ended}

    def may_name(self, viewer, answer):
        """Only to its player a try is named."""
        own = answer.path.startswith(("/v1/players/me", "/v1/daily"))
        return {one.id for one in self.games.values() if own and one.seat_of(viewer.player) is not None}

    def of_all(self, viewer):
        daily, date = f"/v1/daily/{self.edition}", self.own[self.people[0]].deal.rpartition("/")[2]
        asked = ["/v1/daily", daily, f"{daily}/{date}", f"{daily}/2999-01-01", f"{daily}/today"]
        for player in (*[one.player for one in self.people], "bot-expert", "bot-cautious"):
            asked += [f"/v1/players/{player}{more}" for more in ("", "/games", "/ratings")]
        asked += [f"/v1/players/me{more}" for more in ("", "/games", "/data", "/events", "/events?after=0")]
        asked += [f"/v1/games?{more}" for more in ("limit=50", "status=active", "status=finished", "status=aborted")]
        asked += ["/v1/results?after=0", "/v1/matches", "/v1/leaderboards", "/v1/bots", "/metrics", "/readyz"]
        codes = [game.meta["join_code"] for game in self.games.values() if game.meta.get("join_code")]
        games = [f"/v1/games/{game}?join_code={code}" for game in self.games for code in codes]
        return [("GET", path) for path in [*asked, *games]]

    def ask(self, viewer, method, path, game=None, **options):
        """Asks for something; a path with a join code is of one of the games."""
        named = path.removeprefix("/v1/games/").partition("?")[0]
        return super().ask(viewer, method, path, game or self.games.get(named), **options)

    def play(self, viewer):
        """Lets one try the deal to the end while everybody looks at everything."""
        game = self.own[viewer]
        for actions in range(MOST_ACTIONS + 1):
            view = wait_until(lambda: self.in_turn(viewer, game))
            if view["status"] != "active":
                return
            if actions == MOST_ACTIONS:
                answer = viewer.client.delete(f"/v1/games/{game.id}/seats/me")
            else:
                action = self.random.choice(view["legal_actions"])["action"]
                answer = viewer.client.post(f"/v1/games/{game.id}/actions?text=true", action)
            self.check(answer, viewer, game)
            for _ in range(PRIED):
                self.pry(self.random.choice(self.viewers), self.random.choice([*self.games.values()]))

    def in_turn(self, viewer, game):
        view = self.ask(viewer, "GET", f"/v1/games/{game.id}").json()
        return view if view["legal_actions"] or view["status"] != "active" else None

    def ask_everything(self):
        """Lets everybody ask everything."""
        for viewer in self.viewers:
            for question in self.of_all(viewer):
                self.ask(viewer, *question)
            for game in self.games.values():
                seat = game.seat_of(viewer.player)
                for one in reading(self.edition, SEATS, len(game.log), seat is not None):
                    if self.is_answered_at_once(one.path, seat, game):
                        self.ask(viewer, one.method, one.path, game, **one.options)


@pytest.mark.parametrize(
    "edition", ["standard", *[pytest.param(one, marks=pytest.mark.soak) for one in ("classic", "premium", "lovecraft")]]
)
def test_nobody_reads_anything_of_a_try_before_the_day_is_over_but_its_player(served, edition, closed):
    before = served.output.stat().st_size
    overheard = [closed(Overheard(served, path)) for path in STREAMS]
    with served.redis() as client, Eavesdropper(served) as eavesdropper:
        day = closed(Day(served, client, edition, random.Random(edition)))
        for viewer in day.people:
            day.play(viewer)
        day.read()
        day.ask_everything()
        secrets = {game.meta["secret"] for game in day.games.values()}
        assert len(day.games) == 3
        for viewer, game in day.own.items():
            again = day.begin(viewer)
            assert again is game or again.deal != game.deal, "there is one try for each day"
    for one in overheard:
        assert not any(game.encode() in one.said for game in day.games), "it is in no feed of everybody's"
    check_said(served.said_since(before), *secrets, *day.tokens)
    stored = [line for line in eavesdropper.commands() if any(secret in line for secret in secrets)]
    assert all(":meta" in line or '"secret_revealed' in line.replace("\\", "") for line in stored)


def test_everything_that_the_document_offers_of_days_is_asked(served, closed):
    with served.redis() as client:
        day = closed(Day(served, client, "standard", random.Random(1)))
        asked = {path for _, path in day.of_all(day.people[0])}
        document = day.people[0].client.get("/openapi.json").json()
        offered = {
            (method.upper(), path.replace("{edition_id}", "standard").replace("{date}", "today"))
            for path, operations in document["paths"].items()
            for method in METHODS
            if method in operations and path.startswith("/v1/daily")
        }
        assert offered - {("GET", path) for path in asked} == {("POST", "/v1/daily/standard")}


def test_workers_reveal_a_day_that_is_over_to_everybody_and_a_try_to_its_player(served, closed, monkeypatch):
    """The tries begin by the clock of a process that is behind, and workers look once both have begun."""
    settings = Settings(redis_url=f"unix://{served.data_dir}/redis/redis.sock")
    with monkeypatch.context() as behind, served.redis() as client:
        clock = still_clock(behind)
        clock.ms = now_ms()  # the workers have that of the machine
        late = clock.ms + DAY_MS
        clock.ms = today(clock).begins - 1000
        service, day = build(settings), today(clock)
        client.zadd(keys.DAYS_DUE, {day.id: late})
        people = [person(service, clock, name) for name in ("Ann", "Bob")]
        tries = [begin(service, one)["id"] for one in people]
        client.zadd(keys.DAYS_DUE, {day.id: 1})
    viewers = [Viewer(served.base, name, token=one.token) for name, one in zip(("one", "other"), people, strict=True)]
    nobody = Viewer(served.base, "nobody")
    for viewer in (*viewers, nobody):
        closed(viewer)
    found = wait_until(lambda: past(nobody, day), seconds=120)
    assert (found["tried"], found["own"]) == (2, None)
    for viewer, other, game in zip(viewers, reversed(viewers), tries, strict=True):
        log = viewer.client.get(f"/v1/games/{game}/log").json()
        assert log["secret"] == found["secret"] == past(viewer, day)["secret"]
        assert viewer.client.get(f"/v1/games/{game}?as=all").status_code == 200
        assert {one.client.get(f"/v1/games/{game}").status_code for one in (other, nobody)} == {403}


def past(viewer, day):
    answer = viewer.client.get(f"/v1/daily/{day.edition}/{day.date}")
    return answer.json() if answer.status_code == 200 else None
