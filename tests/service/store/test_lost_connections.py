"""What is answered when the connection to Redis breaks at the worst moments: the append is made once or not at all."""

import random
from functools import partial
from threading import Thread

import pytest

from engine import rules
from engine.logs.codec import read_action
from games.errors import Unavailable
from games.steps import step
from service import Settings, build
from service.inputs.chance import new_tag
from service.inputs.clock import now_ms
from service.store import keys
from service.store.log.event_log import EventLog, VersionConflict
from service.store.log.stored_answers import Answer, Kept, Key
from service.store.redis import client as clients
from service.store.redis.client import RedisClient, connect
from service.store.scripts import GRANT
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.states import folded
from tests.service.states import read as read_states
from tools.testbed.waiting import wait_until


def test_any_number_of_threads_may_ask_one_after_the_other(redis_url, monkeypatch):
    monkeypatch.setattr(clients, "CONNECTIONS", 3)
    redis_client, answers = RedisClient(connect(redis_url)), []
    for _ in range(10):
        thread = Thread(target=lambda: answers.append(redis_client.send(("PING",))))
        thread.start()
        thread.join()
    assert answers == [[b"PONG"]] * 10


@pytest.fixture
def distant(proxy):
    """The service of a process whose connections the proxy can cut; it lets go of them before the proxy does."""
    made = build(Settings(redis_url=proxy.url))
    yield made
    proxy.heal()
    made.settle()
    made.redis.hang_up()


@pytest.fixture
def game(distant):
    return Game.begin(distant, sandbox={"rounds": [{"starter": 0}]})


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_action_whose_connection_is_cut_once_is_made_once_and_answered(proxy, game, log, when):
    rng = random.Random(when)
    for _ in range(6):
        seat, before = game.to_act(), game.view()["version"]
        proxy.lose(when)
        done = game.act(seat, rng.choice(game.legal(seat)))
        assert proxy.lost == 1
        entries = log.entries(game.id, 0)
        assert [entry.version for entry in entries] == list(range(1, done["version"] + 1))
        assert [event["version"] for event in done["events"]] == list(range(before + 1, done["version"] + 1))
        assert done["game"] == game.view(seat)


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_is_made_after_a_connection_was_cut_is_told_though_the_process_dies(
    proxy, distant, client, service, clock, when
):
    order = ["princess", "spy", "king", "baron", "priest", "guard", "handmaid"]
    game = Game.begin(distant, sandbox={"rounds": [{"starter": 0, "order": order}]})
    distant.notifier.settle()
    cursor = service.notices.page(game.token(1))["cursor"]
    distant.notifier.queue = lambda step, told: None
    proxy.lose(when)
    done = game.act(0, {"type": "play_card", "card": "handmaid", "targets": []})
    assert proxy.lost == 1
    assert [name.decode() for name in client.zrange(keys.PENDING_NOTICES, 0, -1)] == [f"{game.id} {done['version']}"]
    clock.advance(1.1)
    for task in service.pending.tasks():
        service.notifier.send_pending(task.game)
    (notice,) = service.notices.page(game.token(1), after=cursor)["events"]
    assert (notice["type"], notice["game"]) == ("your_turn", game.id)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("when", ["before", "after"])
def test_every_change_whose_connection_is_cut_once_is_made_once(proxy, distant, client, when, keyed):
    ann, bob = guest(distant), guest(distant)

    def key(name):
        return (name,) if keyed else ()

    def lossy(call, *arguments):
        proxy.lose(when)
        answer = read(call(*arguments))
        assert proxy.lost == 1
        assert client.xlen(f"billet:{{{answer['id']}}}:log") == answer["version"]
        return answer

    made = lossy(partial(distant.tables.create, words=EN), ann.token, body("creator", "open"), *key("opening"))
    joined = lossy(partial(distant.tables.take_seat, words=EN), bob.token, made["id"], {}, *key("joining"))
    assert joined["status"] == "active"
    left = lossy(partial(distant.tables.leave, words=EN), bob.token, made["id"])
    assert left["status"] == "finished"
    again = lossy(partial(distant.tables.rematch, words=EN), ann.token, made["id"], *key("again"))
    assert again["previous_game"] == made["id"]
    assert read(distant.games.view(ann.token, made["id"], words=EN))["next_game"] == again["id"]
    aborted = lossy(partial(distant.tables.abort, words=EN), ann.token, again["id"])
    assert aborted["status"] == "aborted"
    assert len(client.keys("billet:*:log")) == 2


@pytest.mark.parametrize(("when", "replaced"), [("before", False), ("after", True)])
def test_a_token_whose_connection_is_cut_is_replaced_and_given_or_still_good(proxy, distant, when, replaced):
    ann = guest(distant)
    distant.players.rotate(guest(distant).token)  # Redis knows the script now
    proxy.lose(when, GRANT.digest)
    if replaced:
        assert distant.players.me(distant.players.rotate(ann.token).token)["id"] == ann.id
    else:
        with pytest.raises(Unavailable):
            distant.players.rotate(ann.token)
        assert distant.players.me(ann.token)["id"] == ann.id
    assert proxy.lost == 1


def test_an_action_that_cannot_reach_redis_is_unavailable_and_not_made(proxy, game):
    before, seat = game.view(), game.to_act()
    action = game.legal(seat)[0]
    proxy.lose("before", for_good=True)
    with pytest.raises(Unavailable):
        game.act(seat, action)
    proxy.heal()
    assert game.view() == before
    assert game.act(seat, action)["version"] > before["version"]


@pytest.mark.parametrize(("when", "made"), [("before", False), ("after", True)])
def test_what_became_of_an_unavailable_action_is_told_to_its_key(proxy, game, when, made):
    seat, before = game.to_act(), game.view()["version"]
    action = game.legal(seat)[0]
    proxy.lose(when, for_good=True)
    with pytest.raises(Unavailable):
        game.act(seat, action, idempotency_key="a key")
    proxy.heal()
    assert (game.view()["version"] > before) == made
    again = game.service.play.act(game.token(seat), game.id, read_action(action), None, "a key", words=EN)
    assert again.replayed == made
    assert game.view()["version"] == read(again)["version"]
    assert read(again)["events"] == game.events(seat, after=before)


@pytest.mark.parametrize("keyed", [False, True])
def test_an_append_that_redis_carries_out_after_its_caller_has_given_up_on_it_is_made_once(
    proxy, log, game, keyed, monkeypatch
):
    impatient = EventLog(RedisClient(connect(proxy.url)))
    snapshot = impatient.read(game.id).snapshot
    seat = game.to_act()
    events = rules.decide(snapshot.state, seat, rules.legal_actions(snapshot.state)[0], snapshot.chance())
    new = step(snapshot, events, now_ms(), new_tag())
    key = Key.of(game.guests[seat].id, "a key", "a request")
    kept = Kept(key.fingerprint, Answer(b"{}"))
    game.service.notifier.settle()
    impatient._redis.channel("")  # so that the append is the next that is sent
    proxy.lose("late")
    given_up, reply_of = [], clients._reply_of

    def giving_up(waiting):
        if not given_up:
            given_up.append(waiting)
            wait_until(lambda: proxy.lost)
            waiting._sock.settimeout(0.1)
        return reply_of(waiting)

    monkeypatch.setattr(clients, "_reply_of", giving_up)
    outcome = impatient.append(new, **({"key": key, "answer": kept} if keyed else {}))
    assert outcome is None, "the second attempt made it"
    proxy.late.set()
    with pytest.raises(VersionConflict):
        log.append(new_beside(new))
    assert [entry.version for entry in log.entries(game.id, 0)] == list(range(1, new.after.version + 1))
    assert impatient.read(game.id).snapshot.entries is new.after.entries


def test_a_game_that_others_change_while_the_connection_breaks_is_told_apart_from_ones_own_change(proxy, game, log):
    far = EventLog(RedisClient(connect(proxy.url)))
    snapshot = far.read(game.id).snapshot
    legal = rules.legal_actions(snapshot.state)
    mine, theirs = (
        step(snapshot, rules.decide(snapshot.state, game.to_act(), action, snapshot.chance()), now_ms(), new_tag())
        for action in (legal[0], legal[-1])
    )
    log.append(theirs)
    proxy.lose("after")
    with pytest.raises(VersionConflict):
        far.append(mine)
    assert far.read(game.id).snapshot.entries[-1] == theirs.entries[-1]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 4))])
def test_whatever_is_lost_on_the_way_every_call_with_a_key_happens_once(proxy, distant, service, client, log, seed):
    """Any request may be lost, reads and indexes too; who is answered 503 asks again with the same key."""
    rng = random.Random(seed)
    lost = 0

    def insist(call, *arguments):
        """Calls until there is an answer, losing up to three requests at every attempt."""
        nonlocal lost
        key = f"key {rng.random()}"
        while True:
            if rng.random() < 0.5:
                proxy.lose(rng.choice(["before", "after"]), "*", rng.randrange(1, 4), for_good=rng.random() < 0.2)
            try:
                return read(call(*arguments, key))
            except Unavailable:
                continue
            finally:
                lost += proxy.lost
                proxy.heal()

    ann, bob = guest(service), guest(service)
    made = insist(partial(distant.tables.create, words=EN), ann.token, body("creator", "open"))
    insist(partial(distant.tables.take_seat, words=EN), bob.token, made["id"], {})
    game = Game(service, made["id"], ann, {0: ann, 1: bob})
    taken = 0
    while (seat := game.to_act()) is not None:
        action = rng.choice(game.legal(seat))
        done = insist(
            lambda *more: distant.play.act(*more[:3], None, more[3], words=EN),
            game.token(seat),
            game.id,
            read_action(action),
        )
        assert done["events"] == game.events(seat, after=done["events"][0]["version"] - 1, limit=len(done["events"]))
        taken += 1
    again, same = (insist(partial(distant.tables.rematch, words=EN), one.token, game.id) for one in (bob, ann))
    assert (again["id"], again["status"], same["status"]) == (same["id"], "open", "active")
    assert lost > taken / 3
    entries = log.entries(game.id, 0)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert sum(entry.event.type in ("card_played", "decision_taken") for entry in entries) == taken
    assert read_states(log, game.id) == folded(log, game.id)
    assert game.view()["next_game"] == again["id"]
    assert len(client.keys("billet:*:log")) == 2
    assert [item["id"] for item in service.lobby.mine(ann.token)["items"]] == [again["id"], game.id]


def test_a_change_whose_indexes_cannot_be_cleared_is_made_and_the_lists_are_right(proxy, distant, game, caplog):
    index = keys.lobby("active")
    proxy.lose("before", f"ZREM\r\n${len(index)}\r\n{index}\r\n")  # the notifier removes from its own at any time
    done = read(distant.tables.leave(game.token(0), game.id, words=EN))
    assert proxy.lost == 1
    assert done["status"] == "finished"
    assert "cannot clear the indexes" in caplog.text
    assert distant.lobby.public(None, "active")["items"] == []
    assert [item["status"] for item in distant.lobby.mine(game.token(1))["items"]] == ["finished"]


def new_beside(new):
    """Returns a step from the same beginning, as a twin would make it."""
    return step(new.before, [entry.event for entry in new.entries], now_ms(), new_tag())
