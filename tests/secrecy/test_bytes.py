"""What one may not know changes no byte of anything one can get at: games of one public course are compared.

Their hidden cards differ. All else must be the same for those who may not know them: answers with headers and lengths,
refusals in every language, lists of legal actions, the lines that the processes log, the jobs and what is left of them,
and the metrics.
"""

import logging
import random
import re
import threading
import zlib
from dataclasses import fields

import pytest
from rq.serializers import JSONSerializer

from api import create_app
from engine.bots import BOTS, Bot
from engine.editions import EDITIONS, rulebook
from games.texts.catalogue import LANGUAGES
from service import Settings
from service.jobs.form import QUEUES
from service.settings import OFF
from service.store.redis.client import connect
from tests.secrecy.probes import Probe, Question, everything, reading, stripped
from tests.service.at_table import Game, guest
from workers import runtime
from workers.main import WarmWorker

TABLES = [
    ("standard", 3, 0, "baron", ["handmaid", "handmaid", "spy"], ["princess", "guard"]),
    ("standard", 4, 2, "prince", ["handmaid", "handmaid", "spy"], ["chancellor", "countess"]),
    ("classic", 3, 0, "baron", ["handmaid", "handmaid", "countess"], ["princess", "guard"]),
    ("premium", 5, 2, "bishop", ["handmaid", "handmaid", "count"], ["cardinal", "princess"]),
    ("lovecraft", 4, 0, "great_race_of_yith", ["elder_sign", "elder_sign", "liber_ivonis"], ["cthulhu", "mi_go"]),
]
"""Edition, seats, the viewer's seat and card; what seats 0, 1 and 2 play; what the other person holds in each game."""
UNLISTED = "classic"
"""The edition whose table needs a join code here."""
FOURTH = {"lovecraft": "investigators"}
"""What is drawn after that; the Guard elsewhere."""
LEAVE = ("DELETE", "/v1/games/{game}/seats/me")
UNLIKE = [
    (re.compile(rb"(?<![0-9a-f])([0-9a-f]{32}|[0-9a-f]{8})(?![0-9a-f])"), b"<tag>"),
    (re.compile(rb"\d+\.\d+(e-\d+)?"), b"<seconds>"),
]
"""What differs between two jobs whatever they are about: what their ids end with, and how long they take."""
CREATOR = 0
"""The seat of whoever created the sandbox: as the viewer, they ask nothing that is open to them alone."""
OPEN_TO_CREATOR = re.compile(r"[?&]as=(all|1)\b")
"""What whoever created a sandbox reads of it by design while it runs: every hand, and those of a seat not their own."""
ZLIB = b"x\x9c"
WITHOUT_LIMITS = {field.name: OFF for field in fields(Settings) if field.name.startswith("limit_")}
"""How many calls are left depends on how fast they came."""
READERS = {
    b"hash": lambda client, name: sorted((field, plain(value)) for field, value in client.hgetall(name).items()),
    b"string": lambda client, name: client.get(name),
    b"list": lambda client, name: client.lrange(name, 0, -1),
    b"set": lambda client, name: sorted(client.smembers(name)),
    b"zset": lambda client, name: client.zrange(name, 0, -1),
    b"stream": lambda client, name: [fields for _, fields in client.xrange(name)],
}


def plain(value):
    """Returns what RQ keeps, which it may have compressed."""
    return zlib.decompress(value) if value.startswith(ZLIB) else value


class BriefWorker(WarmWorker):
    """A worker that takes no orders from elsewhere, which costs a second whenever it ends."""

    def subscribe(self):
        """Listens to nobody."""


class Course:
    """A game of a person on seat 0, a bot on seat 1 and a person on seat 2, with all that others can get at."""

    def __init__(self, redis_url, logged, edition, seats, viewer, order):
        self.edition, self.seats, self.logged = edition, seats, logged
        self.redis_url = redis_url
        with connect(redis_url) as client:
            client.flushall()
        logged.clear()
        self.settings = Settings(redis_url=redis_url, **WITHOUT_LIMITS)
        # What earlier tests have left running may still have something to say.
        for thread in threading.enumerate():
            if thread.name == "notifier":
                thread.join()
        self.before = {thread.ident for thread in threading.enumerate()} - {threading.get_ident()}
        self.app = create_app(self.settings)
        service = self.app.extensions["billet.service"]
        runtime._services[:] = [service]
        kinds = ["creator", "random", "open", *["random"] * (seats - 3)]
        chosen = {"rounds": [{"starter": 0, "order": order}]}
        visibility = "unlisted" if edition == UNLISTED else "public"
        self.game = Game.open(service, *kinds, edition=edition, visibility=visibility, sandbox=chosen).fill()
        stranger = guest(service, "Stranger")
        people = {"viewer": self.game.guests[viewer], "other": self.game.guests[2 - viewer], "stranger": stranger}
        self.names = {self.game.id: "<game>"} | {one.id: f"<{name}>" for name, one in people.items()}
        self.viewers = [
            Probe("viewer", self.app, self.game.id, people["viewer"].token, viewer),
            Probe("stranger", self.app, self.game.id, stranger.token),
            Probe("nobody", self.app, self.game.id, None),
        ]
        self.jobs, self.answers = [], {}

    # --- what happens ---

    def play(self, plays):
        """Lets the three seats play their cards while the viewer reads; then all ask everything.

        The viewer asks it in one language after the first card, those beside the table in the other at the end. Which
        is which depends on the edition.
        """
        turned = [*EDITIONS].index(self.edition) % len(LANGUAGES)
        asking, *_, last = [*LANGUAGES[turned:], *LANGUAGES[:turned]]
        self.look(reading, self.viewers[:1], [last])
        self.try_what_is_not_allowed()
        self.act(0, plays[0])
        self.note_jobs()
        self.work()
        self.note_jobs()
        self.look(everything, self.viewers[:1], [asking])
        self.try_what_is_not_allowed()
        self.act(2, plays[2])
        self.look(reading, self.viewers[:1], [last])
        self.look(everything, self.viewers[1:], [last])

    def act(self, seat, card):
        action = next(action for action in self.game.legal(seat) if action["card"] == card)
        self.game.act(seat, action)

    def try_what_is_not_allowed(self):
        """Lets the one whose turn it is be refused: whatever they are told, nobody else may notice."""
        seat = self.game.to_act()
        one = Probe("who acts", self.app, self.game.id, self.game.token(seat))
        action = {"type": "play_card", "card": FOURTH.get(self.edition, "guard"), "targets": [seat, seat + 1]}
        assert one.ask(Question("POST", "/v1/games/{game}/actions", {"json": action})).status_code == 409

    def work(self):
        """Lets a worker of this process do all the jobs there are."""
        queues = connect(self.redis_url)
        BriefWorker(list(QUEUES), connection=queues, serializer=JSONSerializer).work(burst=True, logging_level="DEBUG")

    # --- what can be got at ---

    @property
    def last(self):
        return self.game.view(creator=True)["version"]

    def look(self, questions, viewers, languages=LANGUAGES):
        """Lets viewers ask; what they may do is left out, for it would be done."""
        last = self.last
        for viewer in viewers:
            asked = questions(self.edition, self.seats, last, viewer.seat is not None)
            if viewer.seat is not None:
                may = self.game.legal(viewer.seat)
                asked = [one for one in asked if one.options.get("json") not in may and one[:2] != LEAVE]
            if viewer.seat == CREATOR:
                asked = [one for one in asked if not OPEN_TO_CREATOR.search(one.path)]
            for name, said in viewer.read(asked, languages).items():
                self.answers[f"at {last}, {name}"] = stripped(said, self.names)
        assert self.last == last, "what is asked changes nothing"

    def note_jobs(self):
        """Notes everything that RQ keeps in Redis."""
        with connect(self.redis_url) as client:
            kept = [(name, READERS[client.type(name)](client, name)) for name in client.keys("rq:*")]
        self.jobs += sorted(self.alike(repr(one).encode()) for one in kept)

    def alike(self, said):
        said = stripped(said, self.names)
        for pattern, name in UNLIKE:
            said = pattern.sub(name, said)
        return said

    def read(self):
        """Returns all that can be got at, by the way it comes."""
        formatter = logging.Formatter("%(name)s %(levelname)s %(message)s")
        # Nothing is left of earlier tasks, and the number of their thread may be given to that of this game's.
        records = [
            record
            for record in self.logged.records
            if record.thread not in self.before or record.threadName.startswith("tasks")
        ]
        lines = [self.alike(formatter.format(record).encode()) for record in records]
        metrics = self.app.test_client().get("/metrics").data.splitlines()
        counts = [line for line in metrics if re.match(rb"billet_.*(_count{|_total )", line)]
        return {"answers": self.answers, "log": lines, "jobs": self.jobs, "metrics": counts}


def deck(edition, seats, viewer, held, plays, other, rng):
    """An order of all cards of which the viewer and everybody else knows no more than the cards that are given."""
    fourth = FOURTH.get(edition, "guard")
    rest = list(rulebook(edition, seats, {}).deck)
    for card in (held, other, fourth, *plays):
        rest.remove(card)
    rng.shuffle(rest)
    aside, *rest = rest
    hands = {viewer: held, 2 - viewer: other}
    dealt = [hands.get(seat) or rest.pop() for seat in range(seats)]
    return [aside, *dealt, *plays, fourth, *rest]


@pytest.fixture
def logged(caplog, monkeypatch):
    """Every line that is logged, of whatever level."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(runtime, "_services", [])
    return caplog


@pytest.fixture
def courses(redis_url, logged, monkeypatch):
    """Plays games of a table that differ in nothing but what the viewer does not know, and returns what can be got."""

    def courses(edition, seats, viewer, held, plays, others):
        monkeypatch.setitem(BOTS, "random", Bot(lambda asked, rng: playing(asked.legal, plays[1])))
        found = []
        for number, other in enumerate(others):
            order = deck(edition, seats, viewer, held, plays, other, random.Random(number))
            course = Course(redis_url, logged, edition, seats, viewer, order)
            course.play(plays)
            found.append(course.read())
        return found

    return courses


def playing(legal, card):
    return next(action for action in legal if action.card == card)


@pytest.mark.parametrize(
    "table",
    [TABLES[0], pytest.param(TABLES[1], marks=pytest.mark.soak), *TABLES[2:]],
    ids=lambda table: f"{table[0]}-{table[1]}",
)
def test_what_one_cannot_know_changes_nothing_that_one_can_get_at(courses, table):
    first, *others = courses(*table)
    assert all(first.values()), "something comes every way"
    for other in others:
        assert differences(first, other) == []


def differences(first, other):
    """Returns what is not the same in two games, with the way it came."""
    found = []
    for way, got in first.items():
        here, there = (dict(one if isinstance(one, dict) else enumerate(one)) for one in (got, other[way]))
        found += [
            (way, name, here.get(name), there.get(name)) for name in here | there if here.get(name) != there.get(name)
        ]
    return found


def test_what_an_action_was_is_read_by_nobody_else(redis_url):
    """Games that differ only in which cards a seat has put back are the same to the others, whatever the log keeps."""
    seen = []
    order = ["spy", "chancellor", "guard", "handmaid", "priest", "king", "baron", "countess"]
    for keep, bottom in (("king", ["priest", "baron"]), ("priest", ["king", "baron"]), ("priest", ["baron", "king"])):
        with connect(redis_url) as client:
            client.flushall()
        app = create_app(Settings(redis_url=redis_url, **WITHOUT_LIMITS))
        game = Game.begin(app.extensions["billet.service"], 3, sandbox={"rounds": [{"starter": 0, "order": order}]})
        game.act(0, {"type": "play_card", "card": "chancellor", "targets": []})
        game.act(0, {"type": "keep_card", "keep": keep, "bottom": bottom})
        names = {game.id: "<game>"} | {one.id: f"<{seat}>" for seat, one in game.guests.items()}
        asked = reading("standard", 3, game.view()["version"], True)
        seen.append({})
        for seat in (None, 1, 2):
            said = Probe(str(seat), app, game.id, seat and game.token(seat), seat).read(asked)
            seen[-1] |= {name: stripped(one, names) for name, one in said.items()}
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]
    assert b'"cause"' not in b"".join(seen[0].values())
