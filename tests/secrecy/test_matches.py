"""Nobody reads anything of a deck that several games of a match share before its last game has ended, and all after.

Matches are played over HTTP while everybody asks for everything. Which decks are in use is worked out from the rules of
matches, and from the logs and secrets in Redis, without any code of the project.
"""

import random
import re
import time

import pytest

from tests.contract.checked import METHODS
from tests.secrecy.left_behind import Eavesdropper, check_said
from tests.secrecy.sealed import STREAMS, Overheard, Sealed, registered
from tests.secrecy.viewers import Viewer, Watched

PRIED = 4
"""How many things are tried after each action."""
MOST_ACTIONS = 8
"""After so many in one game, a program resigns."""
PATIENCE = 400
"""Seconds after which a match must be over."""
REVEALED = (
    *("?as=all", "/events?as=0&text=true", "/events?as=1&limit=1000", "/frames?as=all&text=true"),
    *("/rounds", "/log", "?as=1&at=2"),
)
"""What anybody reads of a game whose deck is in use no more."""


KEEPS_SECRETS = re.compile(r'"billet:\{(match:[^}"]+\}:state|[^}:"]+\}:meta)"')
"""What is sent to Redis with a secret that is in use: to the hash of the match, or of a game."""


class Shared(Watched):
    """A game of a shared deal; it has ended as far as others know once its deck is in use no more."""

    def __init__(self, listed, match, secrets):
        self.match, self.number, self.deal = match, listed["number"], listed["deal"]
        super().__init__(listed["game"], match.redis, secrets)

    @property
    def ended(self):
        return not self.match.in_use(self.deal)

    @property
    def is_over(self):
        return self.meta["status"] in ("finished", "aborted")

    def seat_of(self, player):
        seats = {event["data"]["player"]: event["data"]["seat"] for event in self.log if event["type"] == "seat_taken"}
        return seats.get(player)


class Decks(Sealed):
    """A match of two programs, with everybody who may look at it, and its games as far as they are open."""

    def __init__(self, served, redis_client, generator, body, of_deal):
        self.random, self.redis, self.of_deal = generator, redis_client, of_deal
        self.edition, self.seats, self.planned = body["edition"], body["seats"], body["games"]
        self.creator, stranger, *self.programs = (
            Viewer(served.base, name, token=made["token"], player=made["player"]["id"])
            for name, made in [
                (name, registered(served.base, name, kind))
                for name, kind in (("creator", "human"), ("stranger", "human"), ("one", "bot"), ("other", "bot"))
            ]
        )
        self.viewers = [self.creator, stranger, *self.programs, Viewer(served.base, "nobody")]
        self.secrets = {viewer.token for viewer in self.viewers if viewer.token}
        for program in self.programs:
            accepts = {"version": "1", "accepts": {"at_once": 10}}
            assert program.client.request("PATCH", "/v1/players/me", {"program": accepts}).status_code == 200
        entrants = [{"player": program.player} for program in self.programs]
        made = self.creator.client.post("/v1/matches", {"name": "Decks", "entrants": entrants, **body})
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        self.secret = redis_client.hget(f"billet:{{match:{self.id}}}:state", "secret").decode()
        self.games = {}
        self.check(made, self.creator)
        for program in self.programs:
            self.check(program.client.post(f"/v1/matches/{self.id}/acceptance"), program)

    # --- what is so ---

    def read(self):
        """Catches up with the match and its games."""
        page = self.creator.client.get(f"/v1/matches/{self.id}/games?limit=50").json()
        for listed in page["items"]:
            if listed["game"] not in self.games and self.redis.exists(f"billet:{{{listed['game']}}}:meta"):
                self.games[listed["game"]] = Shared(listed, self, self.secrets)
        super().read()

    def in_use(self, deal):
        """Whether somebody is still dealt a deck."""
        dealt = [game for game in self.games.values() if game.deal == deal]
        return len(dealt) < self.of_deal or not all(game.is_over for game in dealt)

    @property
    def is_over(self):
        view = self.creator.client.get(f"/v1/matches/{self.id}").json()
        return view["state"] == "ended" and view["secret"] is not None

    def secrets_in_use(self):
        """What nobody may be told: the secret of the match, and those of its decks that are in use."""
        used = {game.meta["secret"] for game in self.games.values() if self.in_use(game.deal)}
        return used | {self.secret} if used or len(self.games) < self.planned else used

    def may_name(self, viewer, answer):
        """A match says which games it has, and a player's own pages which are theirs."""
        names = "/v1/matches" in answer.path or answer.path.startswith("/v1/players/me")
        return {*self.games} if names else set()

    # --- who asks for what ---

    def play(self):
        """Lets the programs play their games while everybody looks at everything."""
        actions = {}
        until = time.monotonic() + PATIENCE
        while not self.is_over:
            assert time.monotonic() < until, "the match is not over, or its secret is not revealed"
            self.read()
            for game in [one for one in self.games.values() if not one.is_over]:
                for program in [one for one in self.programs if game.seat_of(one.player) is not None]:
                    view = program.client.get(f"/v1/games/{game.id}").json()
                    if not view["legal_actions"]:
                        continue
                    count = actions[game.id] = actions.get(game.id, 0) + 1
                    if count > MOST_ACTIONS:
                        answer = program.client.delete(f"/v1/games/{game.id}/seats/me")
                    else:
                        action = self.random.choice(view["legal_actions"])["action"]
                        answer = program.client.post(f"/v1/games/{game.id}/actions?text=true", action)
                    self.check(answer, program, game)
                    for _ in range(PRIED):
                        self.pry(self.random.choice(self.viewers), self.random.choice([*self.games.values()]))
        self.read()

    def of_all(self, viewer):
        """What can be asked about a match, and what says something of games in general."""
        match, one = f"/v1/matches/{self.id}", self.programs[0].player
        asked = [
            *[("GET", path) for path in (match, f"{match}/games", f"{match}/games?limit=1", f"{match}/table")],
            *[("GET", path) for path in ("/v1/matches", f"/v1/matches?player={one}&state=running", "/v1/programs")],
            *[("GET", f"/v1/players/{one}{more}") for more in ("", "/games", "/ratings")],
            *[("GET", f"/v1/players/me{more}") for more in ("", "/games", "/data", "/events", "/events?after=0")],
            *[("GET", path) for path in ("/v1/games?limit=50", "/v1/games?status=active", "/v1/games?status=finished")],
            *[("GET", path) for path in ("/v1/results?after=0", "/v1/leaderboards", "/v1/bots", "/metrics", "/readyz")],
            ("GET", "/v1/admin/players?name=o"),
        ]
        if viewer is not self.creator:
            asked += [("DELETE", match), ("PATCH", match)]
        if viewer not in self.programs:
            asked += [("POST", f"{match}/acceptance"), ("DELETE", f"{match}/acceptance")]
        return asked


SOAK = pytest.mark.soak
REFERENCE = {"deals": "reference", "games": 4, "against": [{"bot": "random"}], "clock": {"seconds": 600}}
ROTATED = {"deals": "rotated", "games": 3, "against": [{"bot": "cautious"}], "clock": {"seconds": 600}}


@pytest.mark.parametrize(
    ("body", "of_deal"),
    [
        ({"edition": "standard", "seats": 2, "at_once": 2, **REFERENCE}, 2),
        ({"edition": "premium", "seats": 3, "at_once": 2, **ROTATED}, 3),
        pytest.param({"edition": "lovecraft", "seats": 3, "at_once": 1, **REFERENCE}, 2, marks=SOAK),
        pytest.param(
            {"edition": "classic", "seats": 2, "at_once": 4, **ROTATED, "games": 4}, 2, marks=pytest.mark.soak
        ),
    ],
    ids=lambda value: f"{value['edition']}-{value['deals']}" if isinstance(value, dict) else "",
)
def test_nobody_reads_anything_of_a_deck_in_use_and_everybody_everything_afterwards(served, body, of_deal, closed):
    before = served.output.stat().st_size
    overheard = [closed(Overheard(served, path)) for path in STREAMS]
    with served.redis() as client, Eavesdropper(served) as eavesdropper:
        match = closed(Decks(served, client, random.Random(str(body)), body, of_deal))
        match.play()
        secrets = {game.meta["secret"] for game in match.games.values()} | {match.secret}
    assert len(match.games) == body["games"]
    assert len(secrets) == 1 + body["games"] // of_deal
    nobody = match.viewers[-1]
    for game in match.games.values():
        for path in REVEALED:
            assert match.ask(nobody, "GET", f"/v1/games/{{game}}{path}", game).status_code == 200
        listed = nobody.client.get(f"/v1/games/{game.id}/log").json()
        assert listed["secret"] == game.meta["secret"]
    for one in overheard:
        assert not any(game.encode() in one.said for game in match.games), "it is in no feed of everybody's"
    check_said(served.said_since(before), *secrets, *match.secrets)
    stored = [line for line in eavesdropper.commands() if any(secret in line for secret in secrets)]
    assert stored
    for line in stored:
        assert '"secret_revealed' in line.replace("\\", "") or KEEPS_SECRETS.search(line), line


def test_everything_that_the_document_offers_of_matches_is_asked(served, closed):
    with served.redis() as client:
        match = closed(Decks(served, client, random.Random(1), {"edition": "standard", "seats": 2, **REFERENCE}, 2))
        asked = {(method, path.partition("?")[0]) for viewer in match.viewers for method, path in match.of_all(viewer)}
        document = match.creator.client.get("/openapi.json").json()
        offered = {
            (method.upper(), path.replace("{match_id}", match.id))
            for path, operations in document["paths"].items()
            for method in METHODS
            if method in operations and path.startswith("/v1/matches/")
        }
        assert offered - asked == set()
        for viewer in match.viewers:
            for question in match.of_all(viewer):
                match.ask(viewer, *question)
        match.creator.client.delete(f"/v1/matches/{match.id}")
