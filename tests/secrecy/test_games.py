"""No answer of any path, in any format, to anybody, holds a card that they may not know.

Random games are played over HTTP while everybody looks at everything after every action. What each of them may know is
worked out in `oracle` from the full log, which is read from Redis beside the service.
"""

import random
import re
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest

from games.ratings.pools import POOLS
from tests.contract.checked import METHODS
from tests.contract.rights.rights import RIGHTS
from tests.second_model.model.cards import CARDS
from tests.secrecy.left_behind import Eavesdropper, check_said
from tests.secrecy.oracle import WATCHER, Table
from tests.secrecy.viewers import Follower, Viewer, Watched, cards_in, check_answer, said_in
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN, bot
from tools.testbed.waiting import wait_until

MOST_ACTIONS = 6
"""After so many all but one resign: the end of a game must be looked at too. At large tables, where all that are there
look at each action, after two thirds of that."""
PRIED = 3
"""How many things are tried after each action: `test_everything_that_the_document_offers_is_looked_at` tries all."""
PAST_VERSIONS = 2
"""As many as one looks back to when a game has ended, and the last."""

GAME = "/v1/games/{game_id}"
SHOWN_AND_PUT_AWAY = {"starter": 0, "order": [*["guard"] * 4, "priest", "baron", "handmaid", "chancellor"]}
"""A hand may be looked at before two of its three cards go back under the deck."""
NOT_YET = "/fork"
"""What the contract has and the document has not yet: whatever it answers is checked like everything else."""


@pytest.fixture
def redis_client(served):
    with served.redis() as client:
        yield client


@pytest.fixture
def gather(served, redis_client, closed):
    """Opens a table with everybody who may look at it."""
    return lambda *table, **more: closed(Gathering(served, redis_client, *table, **more))


class Gathering:
    """A table with everybody who may look at it."""

    def __init__(self, served, redis_client, edition, seats, generator, **more):
        self.random = generator
        self.probed = set()
        host, *people = [Person.register(served.base, f"P{i}") for i in range(seats + 2)]
        sits = generator.random() < 0.5
        seated = [host, *people[: seats - 1]] if sits else people[:seats]
        body = {"edition": edition, "seats": [CREATOR if sits else OPEN, *[OPEN] * (seats - 1)], **more}
        view = host.create(edition, body["seats"], **more)
        code = {"join_code": view["join_code"]} if view["join_code"] else {}
        for seat, person in enumerate(seated):
            if person is not host:
                person.join(view["id"], seat=seat, **code)
        base = served.base
        self.seats = [Viewer(base, f"seat {n}", n, p.token, p.id) for n, p in enumerate(seated)]
        self.viewers = [*self.seats, Viewer(base, "watcher"), stranger(base, people[-1])]
        if not sits:
            self.viewers.append(Viewer(base, "creator beside the table", WATCHER, host.token, host.id))
        for person in (host, *people):
            person.close()
        self.watched = Watched(view["id"], redis_client, {viewer.token for viewer in self.viewers if viewer.token})
        self.code = view["join_code"]
        stream = f"/v1/games/{view['id']}/events/stream?after=0&text=true"
        self.followers = [Follower(viewer, stream + self.unlisted(viewer, "&")) for viewer in self.viewers]
        steps, drawn = stream.replace("/events/", "/frames/"), generator.choice(self.viewers)
        self.drawn = Follower(drawn, steps + self.unlisted(drawn, "&"))

    def close(self):
        for viewer in self.viewers:
            viewer.close()

    # --- asking ---

    def ask(self, viewer, method, path, seen_as=None, **options):
        """Asks for something and checks the answer; `path` is as the document writes it."""
        self.probed.add((method, path.partition("?")[0]))
        named = {"game_id": self.watched.id, "seat": "1", "player_id": self.seats[0].player, "pool": POOLS[0]}
        for name, value in named.items():
            path = path.replace(f"{{{name}}}", value)
        answer = viewer.client.request(method, path, **options)
        assert answer.status_code < 500, answer.text
        self.watched.read()
        check_answer(answer, self.watched, viewer, seen_as)
        return answer

    def glance(self, viewer, query, way="events"):
        """Looks into a stream and checks what it has sent."""
        self.probed.add(("GET", f"{GAME}/{way}/stream"))
        self.watched.read()
        path = f"{GAME}/{way}/stream{query}" + self.unlisted(viewer, "&" if query else "?")
        answer = viewer.glance(path.replace("{game_id}", self.watched.id), len(self.watched.log))
        assert answer.status_code in (200, 204, 422)
        self.watched.read()
        check_answer(answer, self.watched, viewer)

    def glance_at(self, path, viewer):
        """Looks at what the stream of the lobby or of results begins with and checks it."""
        self.probed.add(("GET", path.partition("?")[0]))
        answer = viewer.glance(path, r"\d+")
        assert answer.status_code == 200
        assert self.code is None or self.watched.id not in answer.text, "the game is unlisted"
        self.watched.read()
        check_answer(answer, self.watched, viewer)

    def unlisted(self, viewer, separator="?"):
        """What a viewer from beside the table adds to the path of an unlisted game."""
        needed = self.code is not None and viewer.seat is WATCHER
        return f"{separator}join_code={self.code}" if needed else ""

    def look(self, viewer, since):
        """What a client does after every event."""
        answer = self.ask(viewer, "GET", GAME + self.unlisted(viewer))
        assert answer.status_code == 200
        version = answer.json()["version"]
        page = self.ask(viewer, "GET", f"{GAME}/events?after={since}&text=true" + self.unlisted(viewer, "&")).json()
        assert all(event["text"] for event in page["events"])
        assert [event["version"] for event in page["events"]] == list(range(since + 1, version + 1))
        return answer

    def pry(self, viewer):
        """Tries one of the things that a curious client may try."""
        self.random.choice(self.tries(viewer))()

    def tries(self, viewer):
        """Everything that a curious client may try."""
        last = len(self.watched.log)
        at, other = self.random.randint(0, last + 1), self.random.randrange(len(self.seats) + 1)
        more = self.unlisted(viewer, "&")
        tries = [
            lambda: self.ask(viewer, "GET", f"{GAME}?at={at}" + more),
            lambda: self.ask(viewer, "GET", f"{GAME}?as=all" + more, seen_as="all"),
            lambda: self.ask(viewer, "GET", f"{GAME}?as={other}&at={at}" + more, seen_as=other),
            lambda: self.ask(viewer, "GET", f"{GAME}?join_code=WRONG"),
            lambda: self.ask(viewer, "GET", f"{GAME}?nonsense={at}" + more),
            lambda: self.ask(viewer, "HEAD", GAME + self.unlisted(viewer)),
            lambda: self.ask(viewer, "OPTIONS", GAME),
            lambda: self.ask(viewer, "GET", f"{GAME}/events?after={at}&limit=3" + more),
            lambda: self.ask(viewer, "GET", f"{GAME}/events?after={at}&limit=1&text=true" + more),
            lambda: self.ask(viewer, "GET", f"{GAME}/events?after={max(0, last - 1)}&wait=1" + more),
            lambda: self.ask(viewer, "GET", f"{GAME}/events?as={other}&at={at}&text=true" + more, seen_as=other),
            lambda: self.ask(viewer, "GET", f"{GAME}/rounds" + self.unlisted(viewer)),
            lambda: self.glance(viewer, ""),
            lambda: self.glance(viewer, "?text=true"),
            lambda: self.glance(viewer, f"?after={max(0, min(at, last - 1))}&text=true"),
            lambda: self.glance(viewer, f"?after={last + 5}"),
            lambda: self.glance(viewer, "?text=true", "frames"),
            lambda: self.glance(viewer, f"?after={max(0, min(at, last - 1))}", "frames"),
            lambda: self.ask(viewer, "GET", f"{GAME}/frames?after={at}&limit=3&text=true" + more),
            lambda: self.ask(viewer, "GET", f"{GAME}/frames?as={other}&limit=3" + more, seen_as=other),
            lambda: self.ask(viewer, "GET", f"{GAME}/frames?as=all&after={at}&text=true" + more, seen_as="all"),
            lambda: self.ask(viewer, "GET", f"{GAME}/deductions" + self.unlisted(viewer)),
            lambda: self.ask(viewer, "GET", f"{GAME}/deductions?at={at}" + more),
            lambda: self.ask(viewer, "GET", f"{GAME}/deductions?as=all&at={at}" + more, seen_as="all"),
            lambda: self.ask(viewer, "GET", f"{GAME}/deductions?as={other}&at={at}" + more, seen_as=other),
            lambda: self.ask(viewer, "GET", f"{GAME}/hint"),
            lambda: self.ask(viewer, "POST", f"{GAME}/break", json={"days": 1}),
            lambda: self.ask(viewer, "POST", f"{GAME}/tickets", json={"join_code": self.code or "X"}),
            lambda: self.ask(viewer, "POST", f"{GAME}/actions", json=self.made_up_action()),
            lambda: self.ask(viewer, "POST", f"{GAME}/actions", json={"type": "play_card", "card": "joker"}),
            lambda: self.ask(viewer, "POST", f"{GAME}/actions", content=b"{", headers={"Content-Type": "text/html"}),
            lambda: self.act_on_an_old_view(viewer),
            lambda: self.ask(viewer, "POST", f"{GAME}/seats", json={"seat": other}),
            lambda: self.ask(viewer, "POST", f"{GAME}/seats", json={"bot": "cautious"}),
            lambda: self.ask(viewer, "POST", "/v1/join", json={"code": self.code or "X"}),
            lambda: self.ask(viewer, "DELETE", f"{GAME}/seats/{{seat}}"),
            lambda: self.ask(viewer, "POST", f"{GAME}/nonce", json={"nonce": "n" * 32}),
            lambda: self.ask(viewer, "GET", "/v1/players/me/blocks"),
            lambda: self.ask(viewer, "GET", "/v1/games?limit=50&status=active"),
            lambda: self.ask(viewer, "GET", "/v1/games?limit=2"),
            lambda: self.glance_at("/v1/lobby/stream", viewer),
            lambda: self.glance_at("/v1/results/stream?after=0", viewer),
            lambda: self.ask(viewer, "GET", "/v1/results?limit=2"),
            lambda: self.ask(viewer, "GET", "/v1/players/{player_id}"),
            lambda: self.ask(viewer, "GET", "/v1/players/{player_id}/ratings"),
            lambda: self.ask(viewer, "GET", "/v1/players/{player_id}/games"),
            lambda: self.ask(viewer, "GET", "/v1/leaderboards"),
            lambda: self.ask(viewer, "GET", "/v1/leaderboards/{pool}"),
            lambda: self.ask(viewer, "GET", "/v1/players/me"),
            lambda: self.ask(viewer, "GET", "/v1/players/me/games"),
            lambda: self.ask(viewer, "GET", "/v1/players/me/data"),
            lambda: self.ask(viewer, "GET", "/v1/players/me/events"),
            lambda: self.ask(viewer, "GET", "/v1/players/me/events?after=0"),
            # A stream of notices has the same ones and does not end: it is only refused here.
            lambda: self.ask(viewer, "GET", "/v1/players/me/events/stream?after=1000000"),
            lambda: self.ask(viewer, "POST", "/v1/players/me/tickets"),
            lambda: self.ask(viewer, "GET", "/metrics"),
            lambda: self.ask(viewer, "GET", "/readyz"),
            lambda: self.ask(viewer, "GET", "/healthz"),
            lambda: self.ask_for_log(viewer),
            lambda: self.ask(viewer, "POST", f"{GAME}/log", json={"version": at}),
            lambda: self.ask(viewer, "GET", GAME + NOT_YET),
            lambda: self.ask(viewer, "POST", GAME + NOT_YET, json={"version": at}),
            lambda: self.ask(viewer, "POST", "/v1/logs/verify", json={"events": []}),
        ]
        if not self.watched.ended:
            tries.append(lambda: self.ask(viewer, "POST", f"{GAME}/rematch"))
            tries.append(lambda: self.ask(viewer, "DELETE", GAME))  # too late for the creator
        if viewer.seat is WATCHER:
            tries.append(lambda: self.ask(viewer, "DELETE", f"{GAME}/seats/me"))
        return tries

    def ask_for_log(self, viewer):
        """Asks for the whole log: nobody has it before the end, and afterwards it hides nothing but tokens."""
        path = f"{GAME}/log" + self.unlisted(viewer)
        if not self.watched.ended:
            assert self.ask(viewer, "GET", path).status_code == 409
            return
        answer = viewer.client.get(path.replace("{game_id}", self.watched.id))
        assert answer.status_code == 200, answer.text
        assert not any(secret in answer.text for secret in self.watched.secrets)

    def made_up_action(self):
        cards = list(CARDS[self.watched.log[0]["data"]["edition"]])
        targets = self.random.sample(range(len(self.seats)), self.random.choice([0, 1, 1]))
        if self.random.random() < 0.3:
            keep, *bottom = self.random.choices(cards, k=3)
            return {"type": "keep_card", "keep": keep, "bottom": bottom}
        action = {"type": "play_card", "card": self.random.choice(cards), "targets": targets}
        return action | ({"guess": self.random.choice(cards)} if self.random.random() < 0.4 else {})

    def act_on_an_old_view(self, viewer):
        headers = {"If-Match": f'"1-seat{viewer.seat}"', "Idempotency-Key": str(uuid.uuid4())}
        self.ask(viewer, "POST", f"{GAME}/actions", json=self.made_up_action(), headers=headers)

    def act(self, seat):
        """The seat takes an offered action; half of the time the answer is asked for once more."""
        offers = self.ask(self.seats[seat], "GET", GAME).json()["legal_actions"]
        by_card = {}
        for offer in offers:
            by_card.setdefault(offer["action"].get("card"), []).append(offer["action"])
        # Not the Guard most of the time, only because she has the most names to offer.
        action = self.random.choice(self.random.choice(list(by_card.values())))
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self.ask(self.seats[seat], "POST", f"{GAME}/actions?text=true", json=action, headers=headers)
        assert answer.status_code == 201, answer.text
        if self.random.random() < 0.5:
            again = self.ask(self.seats[seat], "POST", f"{GAME}/actions", json=action, headers=headers)
            assert again.content == answer.content


def stranger(base, person):
    return Viewer(base, "stranger with a token", WATCHER, person.token, person.id)


def check_all_along(gathering):
    """Plays a game while everybody looks at everything."""
    watched, generator = gathering.watched, gathering.random
    for actions in range(10_000):
        since = len(watched.log)
        table = Table(watched.log)
        if watched.ended:
            break
        if actions < (MOST_ACTIONS if len(gathering.seats) <= 4 else MOST_ACTIONS * 2 // 3):
            waiting = generator.choice(gathering.viewers)
            with ThreadPoolExecutor(1) as pool:
                # Somebody waits while the action is taken.
                path = f"{GAME}/events?after={since}&wait=30" + gathering.unlisted(waiting, "&")
                polled = pool.submit(waiting.client.get, path.replace("{game_id}", watched.id))
                if generator.random() < 0.5:
                    time.sleep(0.01)
                gathering.act(table.to_act)
            watched.read()
            check_answer(polled.result(), watched, waiting)
            assert polled.result().json()["events"]
        else:
            left = {event["data"]["seat"] for event in watched.log if event["type"] == "seat_left"}
            leaver = generator.choice([viewer for viewer in gathering.seats if viewer.seat not in left])
            assert gathering.ask(leaver, "DELETE", f"{GAME}/seats/me").status_code == 200
        tags = {viewer: gathering.look(viewer, since).headers["ETag"] for viewer in gathering.viewers}
        viewer = generator.choice(gathering.viewers)
        old = {"If-None-Match": tags[viewer].replace(f'"{len(watched.log)}-', f'"{since}-')}
        assert gathering.ask(viewer, "GET", GAME + gathering.unlisted(viewer), headers=old).status_code == 200
        same = {"If-None-Match": tags[viewer]}
        unchanged = gathering.ask(viewer, "GET", GAME + gathering.unlisted(viewer), headers=same)
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        for _ in range(PRIED):
            gathering.pry(generator.choice(gathering.viewers))


def check_the_past(gathering):
    """Looks at every kind of past view of an ended game, as everybody and from everywhere."""
    watched = gathering.watched
    last = len(watched.log)
    for version in [*gathering.random.sample(range(1, last + 1), min(last, PAST_VERSIONS)), last]:
        for viewer in gathering.viewers:
            gathering.ask(viewer, "GET", f"{GAME}?at={version}" + gathering.unlisted(viewer, "&"))
        seen_as = gathering.random.choice(["all", *range(len(gathering.seats))])
        viewer = gathering.random.choice(gathering.viewers)
        path = f"{GAME}?at={version}&as={seen_as}" + gathering.unlisted(viewer, "&")
        assert gathering.ask(viewer, "GET", path, seen_as=seen_as).status_code == 200
    counts = set()
    for viewer in gathering.viewers:
        page = gathering.ask(viewer, "GET", f"{GAME}/events?limit=1000" + gathering.unlisted(viewer, "&")).json()
        counts.add(len(page["events"]))
    assert counts == {last}
    for follower in gathering.followers:
        follower.join(60)
        assert follower.answer is not None, f"the stream of {follower.viewer} has not ended with the game"
        check_answer(follower.answer, watched, follower.viewer)
        sent = said_in(follower.answer)
        assert [event["version"] for event in sent] == list(range(1, last + 1))
        assert all(event["text"] for event in sent)
        path = f"{GAME}/events?limit=1000&text=true" + gathering.unlisted(follower.viewer, "&")
        assert gathering.ask(follower.viewer, "GET", path).json()["events"] == sent
        check_replay(gathering, follower)
    check_frames(gathering)


def check_replay(gathering, follower):
    """Reads as anybody what a seat was streamed live, once more and to the byte."""
    if follower.viewer.seat is WATCHER:
        return
    reader = gathering.random.choice(gathering.viewers)
    path = f"{GAME}/events?limit=1000&text=true&as={follower.viewer.seat}" + gathering.unlisted(reader, "&")
    language = {"Accept-Language": follower.viewer.client.headers["Accept-Language"]}
    page = gathering.ask(reader, "GET", path, seen_as=follower.viewer.seat, headers=language)
    streamed = [line.removeprefix("data: ") for line in follower.answer.text.split("\n") if line.startswith("data: ")]
    assert page.text.startswith('{"events":[' + ",".join(streamed) + "]")


def check_frames(gathering):
    """Reads page by page, as the same viewer and as anybody, the frames that one was streamed live."""
    viewer, reader = gathering.drawn.viewer, gathering.random.choice(gathering.viewers)
    gathering.drawn.join(60)
    check_answer(gathering.drawn.answer, gathering.watched, viewer)
    streamed = [line.removeprefix("data: ") for line in gathering.drawn.answer.text.split("\n") if line[:5] == "data:"]
    language = viewer.client.headers["Accept-Language"]
    asked = f"text=true&lang={language}"
    assert all_frames(gathering, viewer, asked) == streamed
    if viewer.seat is not WATCHER:
        frames = all_frames(gathering, reader, f"{asked}&as={viewer.seat}", seen_as=viewer.seat)
        assert without_code(frames) == without_code(streamed)


def all_frames(gathering, reader, asked, **more):
    """Returns each frame of the game as it is written, page after page."""
    found, page = [], {"version": 0, "finished": False}
    while not page["finished"]:
        path = f"{GAME}/frames?{asked}&after={page['version']}" + gathering.unlisted(reader, "&")
        page = gathering.ask(reader, "GET", path, **more).json()
        found += [orjson.dumps(frame).decode() for frame in page["frames"]]
    return found


def without_code(lines):
    """Frames but for the code to join by, which those at a table read and others do not, as whoever they look."""
    without = [re.sub(r'"join_code": ?("[^"]*"|null)', '"join_code"', line) for line in lines]
    return [re.sub(r'("tag": ?"[^,]*?)-code', r"\1", line) for line in without]  # a tag says whether the code is shown


@pytest.mark.parametrize(
    ("edition", "seats", "more"),
    [
        pytest.param("standard", 2, {}, marks=pytest.mark.soak),
        pytest.param("standard", 3, {"visibility": "unlisted"}, marks=pytest.mark.soak),
        pytest.param("standard", 4, {"clock": {"seconds": 600, "on_timeout": "forfeit"}}, marks=pytest.mark.soak),
        pytest.param("standard", 6, {"nonce": "salt"}, marks=pytest.mark.soak),
        pytest.param("classic", 2, {"visibility": "unlisted"}, marks=pytest.mark.soak),
        ("classic", 4, {"visibility": "unlisted"}),
        pytest.param("premium", 2, {}, marks=pytest.mark.soak),
        ("premium", 5, {"clock": {"seconds": 600, "on_timeout": "bot_plays"}}),
        pytest.param("premium", 8, {"visibility": "unlisted"}, marks=pytest.mark.soak),
        ("lovecraft", 2, {"nonce": "salt"}),
        pytest.param("lovecraft", 4, {"visibility": "unlisted"}, marks=pytest.mark.soak),
        pytest.param("lovecraft", 6, {}, marks=pytest.mark.soak),
        ("standard", 2, {"sandbox": {"rounds": [SHOWN_AND_PUT_AWAY] * 20}}),
        pytest.param(
            *("classic", 3, {"sandbox": {"rounds": [{"starter": 1, "order": ["king", "baron", "priest", "prince"]}]}}),
            marks=pytest.mark.soak,
        ),
    ],
)
def test_nobody_reads_what_they_may_not_know(edition, seats, more, gather, served):
    before = served.output.stat().st_size
    gathering = gather(edition, seats, random.Random(f"{edition} {seats}"), **more)
    check_all_along(gathering)
    check_the_past(gathering)
    check_said(served.said_since(before), gathering.watched.meta["secret"], gathering.code, *gathering.watched.secrets)


def test_everything_that_the_document_offers_is_looked_at(gather):
    gathering = gather("standard", 3, random.Random(1))
    first = gathering.watched.log[-2]["data"]["seat"]
    gathering.act(first)
    for viewer in gathering.viewers:
        for attempt in gathering.tries(viewer):
            attempt()
    # What begins a game answers with its view, too.
    person = gathering.seats[0]
    for seats in ([CREATOR, bot("random")], [CREATOR, OPEN]):
        answer = person.client.post("/v1/games", json={"edition": "classic", "seats": seats})
        check_new_game(answer, person, gathering)
    answer = person.client.post(f"/v1/games/{answer.json()['id']}/seats", json={"bot": "cautious"})
    check_new_game(answer, person, gathering)
    for viewer in gathering.seats[1:]:
        gathering.ask(viewer, "DELETE", f"{GAME}/seats/me")
    answer = person.client.post(GAME.replace("{game_id}", gathering.watched.id) + "/rematch")
    check_new_game(answer, person, gathering)
    document = person.client.get("/openapi.json").json()
    offered = {
        (method.upper(), path)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method in METHODS and not RIGHTS[operation["operationId"]].rules
    }
    assert offered - gathering.probed - SAYS_NOTHING - BEGINS == set()
    for path in ("/openapi.json", "/docs", "/v1/editions", "/v1/editions/standard"):
        assert gathering.watched.id not in person.client.get(path).text


SAYS_NOTHING = {
    ("POST", "/v1/players"),
    ("POST", "/v1/players/me/token"),
    ("PATCH", "/v1/players/me"),
    ("PUT", "/v1/players/me/blocks/{player_id}"),
    ("DELETE", "/v1/players/me/blocks/{player_id}"),
    ("DELETE", "/v1/players/me/invitations"),
    ("GET", "/v1/programs"),
    ("GET", "/v1/players"),
    ("POST", "/v1/queue"),
    ("GET", "/v1/queue/{ticket_id}"),
    ("DELETE", "/v1/queue/{ticket_id}"),
    ("DELETE", "/v1/players/me"),
    # `test_days.py` looks at what deals of the day say.
    ("GET", "/v1/daily"),
    ("GET", "/v1/daily/{edition_id}"),
    ("POST", "/v1/daily/{edition_id}"),
    ("GET", "/v1/daily/{edition_id}/{date}"),
    # `tests/service/live/test_reactions.py` looks at what reactions say: a seat and one of six words.
    ("POST", "/v1/games/{game_id}/reactions"),
    # Refused until the game has ended, as the matrix of rights tests.
    ("GET", "/v1/games/{game_id}/review"),
    # `test_matches.py` looks at what matches say.
    ("POST", "/v1/matches"),
    ("GET", "/v1/matches"),
    ("GET", "/v1/matches/{match_id}"),
    ("PATCH", "/v1/matches/{match_id}"),
    ("DELETE", "/v1/matches/{match_id}"),
    ("GET", "/v1/matches/{match_id}/games"),
    ("GET", "/v1/matches/{match_id}/table"),
    ("POST", "/v1/matches/{match_id}/acceptance"),
    ("DELETE", "/v1/matches/{match_id}/acceptance"),
    # Off in this installation, as it is wherever there is no token for it.
    ("GET", "/v1/admin/players"),
    ("POST", "/v1/admin/players/{player_id}/ban"),
    ("POST", "/v1/admin/players/{player_id}/unban"),
    ("DELETE", "/v1/admin/players/{player_id}"),
    ("POST", "/v1/admin/games/{game_id}/abort"),
    ("DELETE", "/v1/admin/games/{game_id}"),
}
"""What is the same whatever games there are."""
BEGINS = {("POST", "/v1/games")}


def check_new_game(answer, viewer, gathering):
    """Checks an answer with the view of another game, which it has just begun."""
    assert answer.status_code == 201, answer.text
    assert answer.json()["viewer"] == {"seat": 0}
    watched = Watched(answer.json()["id"], gathering.watched.redis, gathering.watched.secrets)
    check_answer(answer, watched, viewer, seen_as=0)


# --- what the processes leave behind ---


def test_jobs_hold_ids_and_versions_and_nothing_else(served, redis_client, ann):
    with Eavesdropper(served) as eavesdropper:
        seats = [CREATOR, *[bot(name) for name in ("cautious", "random", "cautious")]]
        view = ann.create("standard", seats, clock={"seconds": 1, "on_timeout": "bot_plays"})
        for job in ("time_out", "play_bots"):
            wait_until(lambda job=job: any(job in line and view["id"] in line for line in eavesdropper.commands()))
        ann.delete(f"/games/{view['id']}/seats/me")
    watched = Watched(view["id"], redis_client, {ann.token})
    jobs = [line for line in eavesdropper.commands() if '"rq:' in line and view["id"] in line]
    assert any("play_bots" in line for line in jobs)
    assert any("time_out" in line for line in jobs)
    for line in jobs:
        assert not cards_in(line), line
        assert watched.meta["secret"] not in line
    for line in eavesdropper.commands():
        assert ann.token not in line
        assert ann.token.partition(".")[2] not in line, "a token is sent to Redis as it is"


def test_the_processes_say_nothing_of_the_cards_of_bots(served, ann):
    before = served.output.stat().st_size
    for edition in CARDS:
        view = ann.create(edition, [CREATOR, *[bot(name) for name in ("cautious", "random", "cautious")]])
        ann.play(view["id"], stop=lambda view: view["round"]["number"] == 2)
    said = served.said_since(before)
    assert "DEBUG" in said or "debug" in said, "the installation was asked to say everything"
    check_said(said, ann.token)


def test_tokens_are_stored_nowhere(served, ann):
    ann.create("classic", [CREATOR, OPEN])
    proof = ann.token.partition(".")[2]
    assert len(proof) >= 43, "256 bits"
    parts = (served.data_dir / "redis").glob("**/appendonly.aof*")
    stored = b"".join(part.read_bytes() for part in parts)
    assert ann.id.encode() in stored
    assert proof.encode() not in stored
