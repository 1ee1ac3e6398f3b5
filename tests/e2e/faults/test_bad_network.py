"""Every call that changes something happens once, whatever the network does to it: cut, delayed, silent or doubled.

The client repeats a call with its key until it is answered, as any client should; what has come of it stands in the
games, and the same call once more is answered as before.
"""

import itertools
import uuid
from functools import partial

import httpx
import pytest

from tests.e2e.faults.reconnecting import Reconnecting
from tools.players.ledger import Ledger
from tools.players.retrying import Retrying
from tools.players.tables import CREATOR, OPEN, at_once, together
from tools.testbed.bad_network import BadNetwork, Mishap

NO_ANSWER = (Mishap.CUT_BEFORE, Mishap.CUT_AFTER, Mishap.LOSE_ANSWER, Mishap.CUT_AMID, Mishap.SILENCE)
CARRIED_OUT = (Mishap.LOSE_ANSWER, Mishap.CUT_AMID)
"""What befalls a call whose answer was there already, so that a repeat must be answered with that."""
SECONDS = 1.5
"""How long a client of these tests bears silence that is sure to come, and any in a whole game."""
PATIENT = 40
"""How long it bears any other, for the server may be slow."""


@pytest.fixture
def network(served):
    """A good network before the shared installation, on which mishaps are ordered."""
    made = BadNetwork(served.port)
    yield made
    made.close()


@pytest.fixture
def newcomer(network, closed):
    """Registers players who repeat their calls through the network."""
    number = itertools.count()
    return lambda: closed(Retrying(network.base, f"Player {next(number)}", Ledger(), PATIENT))


# --- what the network does ---


def players_named(name, served):
    """How many players of a name there are."""
    with served.redis() as client:
        players = client.scan_iter(match="billet:player:p*", count=1000, _type="HASH")
        return sum(client.hget(player, "name") == name.encode() for player in players)


# --- one call, one mishap ---


TWO_GUARDS = ["priest", "priest", "baron", "baron", *["guard", "guard"], *["handmaid", "handmaid"], *["guard"] * 4]
"""A deck of which both players are dealt a guard and draw nothing for three turns that could put one of them out.

So the first has a choice, and who has acted may not do so again: a round that was over might begin with them.
"""


class Call:
    """A call that is made through the network, and how often it has had its effect."""

    def __init__(self, newcomer):
        self.host, self.guest = newcomer(), newcomer()
        self.caller = self.host
        self.method, self.path, self.body = "POST", "", None

    def open(self, *seats, **more):
        return self.host.create({"edition": "standard", "seats": [CREATOR, *seats], **more})

    def games_of_host(self):
        return len(self.host.ask("GET", "/v1/players/me/games").json()["items"])

    def events(self, game, *types):
        """How many events of some types a game has seen."""
        events = self.host.ask("GET", f"/v1/games/{game}/events").json()["events"]
        return sum(event["type"] in types for event in events)


class Create(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.path, self.body = "/v1/games", {"edition": "premium", "seats": [CREATOR, OPEN]}
        self.other = self.body | {"nonce": "another"}

    def effects(self):
        return self.games_of_host()


class Join(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.game = self.open(OPEN, OPEN)
        self.caller, self.path = self.guest, f"/v1/games/{self.game}/seats"
        self.body, self.other = {}, {"seat": 2}

    def effects(self):
        return self.events(self.game, "seat_taken") - 1


class AddBot(Join):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.caller = self.host
        self.body, self.other = {"bot": "random"}, {"bot": "cautious"}


class GetUp(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.game = self.open(OPEN, OPEN)
        self.guest.join(self.game)
        self.caller, self.method, self.path = self.guest, "DELETE", f"/v1/games/{self.game}/seats/me"

    def effects(self):
        return self.events(self.game, "seat_vacated")


class CallOff(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.game = self.open(OPEN)
        self.method, self.path = "DELETE", f"/v1/games/{self.game}"

    def effects(self):
        return self.events(self.game, "game_aborted")


class Act(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.game = self.open(OPEN, sandbox={"rounds": [{"starter": 0, "order": TWO_GUARDS}]})
        self.guest.join(self.game)
        self.path = f"/v1/games/{self.game}/actions"
        legal = self.host.view(self.game)["legal_actions"]
        self.body, self.other = legal[0]["action"], legal[-1]["action"]

    def effects(self):
        return self.events(self.game, "card_played", "decision_taken")


class Resign(Act):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.method, self.path, self.body = "DELETE", f"/v1/games/{self.game}/seats/me", None

    def effects(self):
        return self.events(self.game, "seat_left")


class Rematch(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        game = self.open(OPEN)
        self.host.ask("DELETE", f"/v1/games/{game}")
        self.path = f"/v1/games/{game}/rematch"

    def effects(self):
        return self.games_of_host() - 1


class NewToken(Call):
    def __init__(self, newcomer):
        super().__init__(newcomer)
        self.path = "/v1/players/me/token"

    def bear(self, token):
        self.caller.client.headers["Authorization"] = f"Bearer {token}"

    def effects(self):
        return 1  # each token ends the one before, so that the last one would be of no use


CALLS = [Create, Join, AddBot, GetUp, CallOff, Act, Resign, Rematch, NewToken]


def befalling(kind):
    """Returns a kind of call with what befalls it; of those that the same code answers `Act` stands for the others."""
    now = (Mishap.LOSE_ANSWER, Mishap.TWICE_AT_ONCE)
    if kind in (Act, Create, NewToken):
        now = Mishap if kind is Act else (*now, Mishap.CUT_AFTER, Mishap.TWICE_SECOND)
    return [pytest.param(kind, mishap, marks=[] if mishap in now else pytest.mark.soak) for mishap in Mishap]


@pytest.mark.parametrize(("kind", "mishap"), [pair for kind in CALLS for pair in befalling(kind)])
def test_a_call_that_is_repeated_until_it_is_answered_happens_once(kind, mishap, newcomer, network):
    call = kind(newcomer)
    key = str(uuid.uuid4())
    network.order(mishap, f"{call.method} {call.path}")
    if mishap is Mishap.SILENCE:
        call.caller.seconds = itertools.chain([SECONDS], call.caller.seconds)
    answer = call.caller.ask(call.method, call.path, call.body, key)
    assert answer.status_code in (200, 201), answer.text
    assert call.caller.repeats == (mishap in NO_ANSWER)
    if mishap in (*CARRIED_OUT, Mishap.TWICE_SECOND):
        assert answer.headers["Idempotent-Replayed"] == "true"
    if mishap in (Mishap.CUT_BEFORE, Mishap.DELAY, Mishap.TWICE_FIRST):
        assert "Idempotent-Replayed" not in answer.headers
    again = call.caller.ask(call.method, call.path, call.body, key)
    assert (again.status_code, again.content) == (answer.status_code, answer.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    if kind is NewToken:
        call.bear(answer.json()["token"])
    assert call.caller.ask("GET", "/v1/players/me").status_code == 200
    assert call.effects() == 1


@pytest.mark.parametrize("mishap", Mishap)
def test_registering_until_it_is_answered_makes_one_player(mishap, network, served, closed):
    network.order(mishap, "POST /v1/players")
    name = str(uuid.uuid4())[:20]
    player = closed(Retrying(network.base, name, Ledger(), SECONDS))
    found = player.ask("GET", "/v1/players/me").json()
    assert (found["id"], found["name"], found["kind"]) == (player.id, name, "human")
    assert players_named(name, served) == 1


@pytest.mark.parametrize("mishap", [Mishap.LOSE_ANSWER, Mishap.DELAY, Mishap.TWICE_AT_ONCE])
def test_a_ticket_that_is_asked_for_again_opens_a_stream(mishap, newcomer, network):
    """Tickets need no key: each opens one stream, and those that nobody gets to see pass within a minute."""
    call = Join(newcomer)
    path = f"/v1/games/{call.game}/tickets"
    network.order(mishap, f"POST {path}")
    ticket = call.host.ask("POST", path).json()["ticket"]
    with httpx.stream(
        "GET", f"{network.base}/v1/games/{call.game}/events/stream?ticket={ticket}", timeout=PATIENT
    ) as stream:
        assert stream.status_code == 200


@pytest.mark.parametrize("kind", [Create, Join, AddBot, Act])
def test_of_two_requests_with_one_key_one_is_carried_out_though_each_comes_twice(kind, newcomer, network):
    call = kind(newcomer)
    key = str(uuid.uuid4())
    for _ in range(2):
        network.order(Mishap.TWICE_AT_ONCE, f"POST {call.path}")
    bodies = (call.body, call.other)
    answers = at_once([partial(call.caller.ask, "POST", call.path, body, key) for body in bodies])
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    for answer, body in zip(answers, bodies, strict=True):
        again = call.caller.ask("POST", call.path, body, key)
        assert again.status_code == answer.status_code
        if answer.status_code == 409:
            assert again.json()["code"] == answer.json()["code"] == "idempotency_key_reused"
        else:
            assert again.content == answer.content
    assert call.effects() == 1


@pytest.mark.parametrize("tagged", [True, False])
def test_of_two_devices_of_a_player_one_acts_though_each_call_comes_twice(tagged, newcomer, network):
    call = Act(newcomer)
    for _ in range(6):
        player = (call.host, call.guest)[call.host.view(call.game)["to_act"]]
        looked = player.ask("GET", f"/v1/games/{call.game}")
        view, match = looked.json(), {"If-Match": looked.headers["ETag"]} if tagged else {}
        actions = [view["legal_actions"][n]["action"] for n in (0, -1)]
        for _ in actions:
            network.order(Mishap.TWICE_AT_ONCE, f"POST {call.path}")
        answers = at_once([partial(player.ask, "POST", call.path, one, str(uuid.uuid4()), **match) for one in actions])
        (taken,) = [answer.json() for answer in answers if answer.status_code == 201]
        (refused,) = [answer.json() for answer in answers if answer.status_code != 201]
        over = {"game_over"} if taken["game"]["status"] == "finished" else set()
        assert refused["code"] in {"stale_version"} | over | (set() if tagged else {"not_your_turn", "illegal_action"})
        events = player.ask("GET", f"/v1/games/{call.game}/events?after={view['version']}").json()["events"]
        assert events == taken["events"], "nothing but the taken action is in the log"
        if over:
            return


# --- many calls, whatever comes ---


# --- streams ---


def test_a_stream_through_a_bad_network_has_every_event_once_and_in_order(served, register, closed):
    rates = {Mishap.CUT_AMID: 0.7, Mishap.CUT_BEFORE: 0.1, Mishap.LOSE_ANSWER: 0.1, Mishap.DELAY: 0.1}
    network = closed(BadNetwork(served.port, rates, seed=5))
    ann, ben = register("Ann"), register("Ben")
    games = [ann.create("standard", [CREATOR, OPEN])["id"] for _ in range(2)]
    followers = [(game, Reconnecting(network.port, game, person.token)) for game in games for person in (ann, ben)]
    for game in games:
        ben.join(game)
    devices = [(game, closed(person.twin())) for game in games for person in (ann, ben)]
    play = [partial(one.play, game, stop=lambda view: view["round"]["number"] > 2) for game, one in devices]
    together(play)
    for game in games:
        ann.delete(f"/games/{game}/seats/me")
    for game, follower in followers:
        follower.join(240)
        assert follower.seen == list(range(ann.view(game)["version"] + 1))
    assert network.befell[Mishap.CUT_AMID] > 3
