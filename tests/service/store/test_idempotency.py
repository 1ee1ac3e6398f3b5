"""A call with an `Idempotency-Key` happens once, and its first answer is given again whatever happened in between."""

import hashlib
import random
import threading
from functools import partial

import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from service.store import keys
from service.store.log.event_log import MOST_NOOP_CALLS, EventLog
from service.store.log.stored_answers import KEEP_SECONDS, Answer, Kept, Key
from service.store.redis.client import RedisClient
from tests.service.at_table import EN, Game, body, guest, read
from tools.players.tables import at_once

KEY = "a key"
LONG_KEY, OTHER_KEY = "a key that nobody else would think of", "another one that nobody would think of"


def all_at_once(calls):
    """Makes calls at the same moment, and returns what they gave or were refused with."""

    def made(call):
        try:
            return call()
        except Refused as refused:
            return refused

    return at_once([partial(made, call) for call in calls])


def check_refused(code, call):
    with pytest.raises(Refused) as refused:
        call()
    assert refused.value.code == code


check_reused = partial(check_refused, "idempotency_key_reused")


def check_replays(call, other_request):
    """Checks that a call made again is answered as at first, also once `other_request` with its key is refused."""
    first = call()
    assert not first.replayed
    for _ in range(2):
        again = call()
        assert again.replayed
        assert (again.body, again.tag) == (first.body, first.tag)
        check_reused(other_request)
    return first


def test_how_a_kept_answer_lies_in_redis():
    kept = Kept("f", Answer(b'{"id":"g1"}', "3-seat0-de", language="de"))
    assert kept.stored() == b'["f","3-seat0-de","de"]\n{"id":"g1"}'
    assert Kept.read(kept.stored()) == kept


def test_sitting_down_again_with_a_key_is_answered_as_at_first(service, client):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    take = partial(service.tables.take_seat, words=EN)
    first = check_replays(
        lambda: take(bob.token, game.id, {"seat": 1}, KEY), lambda: take(bob.token, game.id, {"seat": 2}, KEY)
    )
    service.tables.leave(bob.token, game.id, words=EN)
    assert take(bob.token, game.id, {"seat": 1}, KEY).body == first.body
    assert game.view()["seats"][1]["player"] is None, "an answer given again seats nobody"


def test_a_call_that_changed_nothing_changes_nothing_again_with_its_key(service, client):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    service.tables.take_seat(bob.token, game.id, {}, words=EN)
    first = service.tables.take_seat(bob.token, game.id, {}, KEY, words=EN)
    service.tables.take_seat(game.creator.token, game.id, {"bot": "random"}, words=EN)
    again = service.tables.take_seat(bob.token, game.id, {}, KEY, words=EN)
    assert (first.replayed, again.replayed) == (False, True)
    assert not client.keys(f"billet:*:answer:{bob.id}:*"), "its answer is not kept, but made of the game as it is"
    service.tables.leave(bob.token, game.id, words=EN)
    before = game.events()
    late = service.tables.take_seat(bob.token, game.id, {}, KEY, words=EN)
    assert late.replayed
    assert game.events() == before, "nobody is seated by a call that has been answered"
    with pytest.raises(Refused) as refused:
        service.tables.take_seat(bob.token, game.id, {"seat": 1}, KEY, words=EN)
    assert refused.value.code == "idempotency_key_reused"


def test_of_calls_that_change_nothing_little_is_kept_and_for_a_day(service, client):
    game = Game.open(service, "creator", "open", "open")
    for number in range(3 * MOST_NOOP_CALLS):
        service.tables.take_seat(game.creator.token, game.id, {}, f"key {number}", words=EN)
    name = keys.noop_calls(game.id, game.creator.id)
    assert client.llen(name) == MOST_NOOP_CALLS
    assert client.memory_usage(name) < 3000
    assert 0 < client.ttl(name) <= 24 * 3600
    assert not client.keys("billet:*:answer:*")


def test_a_call_that_is_found_to_change_nothing_while_its_repeat_is_under_way_is_one(
    service, another, log, monkeypatch
):
    # The repeat has read the game before the first call was answered, and would change something now.
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    service.tables.take_seat(bob.token, game.id, {}, words=EN)
    slow, append = another(), EventLog.append

    def late(self, new, **more):
        log.note_noop(game.id, more["key"])
        return append(self, new, **more)

    service.tables.leave(bob.token, game.id, words=EN)
    before = game.events()
    monkeypatch.setattr(EventLog, "append", late)
    assert slow.tables.take_seat(bob.token, game.id, {}, KEY, words=EN).replayed
    assert game.events() == before


def test_acting_again_with_a_key_is_answered_as_at_first_even_after_the_end(service, client):
    game = Game.begin(service)
    seat = game.to_act()
    token, legal = game.token(seat), game.legal(seat)

    def act(token, game_id, action, seen, key):
        return service.play.act(token, game_id, read_action(action), seen, key, words=EN)

    first = check_replays(
        lambda: act(token, game.id, legal[0], None, KEY),
        lambda: act(token, game.id, {"type": "redraw_hand", "redraw": True}, None, KEY),
    )
    game.play(random.Random(2))
    version = client.xlen(f"billet:{{{game.id}}}:log")
    assert act(token, game.id, legal[0], None, KEY).body == first.body
    assert act(token, game.id, legal[0], '"1-seat0"', KEY).body == first.body, "what it was sent with is of no matter"
    assert client.xlen(f"billet:{{{game.id}}}:log") == version


def test_what_an_action_with_a_key_is_known_by_follows_from_the_contract(service, client):
    game = Game.begin(service)
    token, action = game.token(game.to_act()), game.legal(game.to_act())[0]
    service.play.act(token, game.id, read_action(action), None, KEY, words=EN)
    key = Key.of(token.split(".")[0], KEY, "act", game.id, action, None)
    kept = Kept.read(client.get(keys.answer(game.id, key.player, key.digest)))
    assert kept.fingerprint == key.fingerprint, "another version of the service would refuse the repeat"


def test_a_rematch_asked_for_again_with_a_key_is_answered_as_at_first(service, client):
    game = Game.begin(service).play(random.Random(1), 12).cut_short()
    rematch = lambda: service.tables.rematch(game.creator.token, game.id, KEY, words=EN)  # noqa: E731
    first = rematch()
    Game(service, read(first)["id"], game.creator, game.guests).play(random.Random(4), 3)
    again = rematch()
    assert again.replayed
    assert again.body == first.body
    assert len(client.keys("billet:*:log")) == 2


def test_a_key_whose_use_was_not_noted_serves_no_other_call_at_its_table(service, client):
    """On a cluster, the node that notes it may be away."""
    game = Game.open(service, "creator", "open", "open")
    take = partial(service.tables.take_seat, guest(service).token, game.id, words=EN)
    for key in (KEY, OTHER_KEY):  # the second one changes nothing
        take({}, key)
        client.delete(*client.keys("billet:*:used:*"))
        check_reused(lambda key=key: take({"seat": 2}, key))


def test_a_refused_call_leaves_its_key_unused(service):
    game = Game.begin(service)
    seat = game.to_act()
    legal = game.legal(seat)[0]
    with pytest.raises(Refused):
        service.play.act(game.token(seat), game.id, read_action(legal), {"1-seat0"}.__contains__, KEY, words=EN)
    assert not service.play.act(game.token(seat), game.id, read_action(legal), None, KEY, words=EN).replayed


def test_a_key_is_the_players_own(service):
    one, other = Game.open(service, "creator", "open"), Game.open(service, "creator", "open")
    bob, cid = guest(service), guest(service)
    for game, player in ((one, bob), (other, cid)):
        assert not service.tables.take_seat(player.token, game.id, {}, KEY, words=EN).replayed
    assert not service.tables.create(one.creator.token, body("creator", "open"), KEY, words=EN).replayed
    assert not service.tables.create(other.creator.token, body("creator", "open"), KEY, words=EN).replayed


def everything_with_a_key(service, ann, over, fresh):
    """One call of each kind that takes a key, by a player with a game that is over and one that is open."""
    acting = Game.begin(service, starter=0)
    acting_token, action = acting.token(0), acting.legal(0)[0]
    token = ann.token
    idle, tables = Game(service, fresh, ann, {}), service.tables
    return {
        "create": (token, lambda key: tables.create(token, body("creator", "open"), key, words=EN)),
        "fork": (token, lambda key: tables.fork(token, over, {"version": 9}, key, words=EN)),
        "rematch": (token, lambda key: tables.rematch(token, over, key, words=EN)),
        "seat": (token, lambda key: tables.take_seat(token, fresh, {"bot": "random", "seat": 1}, key, words=EN)),
        "nothing": (token, lambda key: tables.take_seat(token, idle.id, {}, key, words=EN)),
        "abort": (token, lambda key: tables.abort(token, fresh, key, words=EN)),
        "act": (
            acting_token,
            lambda key: service.play.act(acting_token, acting.id, read_action(action), None, key, words=EN),
        ),
    }


@pytest.mark.parametrize("first", ["create", "fork", "rematch", "seat", "nothing", "abort"])
def test_one_key_serves_one_call_of_a_player_whatever_and_wherever_it_is(service, another, first):
    over = Game.begin(service).play(random.Random(1), 12).cut_short()
    ann = over.guests[0]
    fresh = read(service.tables.create(ann.token, body("creator", "open", "open"), words=EN))["id"]
    calls = everything_with_a_key(service, ann, over.id, fresh)
    elsewhere = everything_with_a_key(another(), ann, over.id, fresh)
    done = calls[first][1](KEY)
    assert not done.replayed
    for name in calls.keys() - {first, "act"}:
        check_reused(lambda name=name: elsewhere[name][1](KEY))
    assert elsewhere[first][1](KEY).replayed
    check_reused(lambda: service.players.rotate(ann.token, KEY))
    assert not calls["act"][1](KEY).replayed, "another player's key is another one"


def test_a_key_of_an_action_serves_no_action_elsewhere_and_none_of_a_token(service):
    one = Game.begin(service, starter=0)
    ann = one.guests[0]
    other = read(service.tables.create(ann.token, body("creator", "random", starter=0), words=EN))
    legal = other["legal_actions"][0]["action"]
    service.play.act(ann.token, one.id, read_action(one.legal(0)[0]), None, LONG_KEY, words=EN)
    check_reused(lambda: service.play.act(ann.token, other["id"], read_action(legal), None, LONG_KEY, words=EN))
    check_reused(lambda: service.players.rotate(ann.token, LONG_KEY))
    new = service.players.rotate(ann.token, OTHER_KEY).token
    check_reused(lambda: service.play.act(new, other["id"], read_action(legal), None, OTHER_KEY, words=EN))
    assert not service.play.act(new, other["id"], read_action(legal), None, KEY, words=EN).replayed


def test_a_key_with_which_one_registered_serves_nothing_else(service):
    made = service.players.register("Ann", "human", None, LONG_KEY)
    check_reused(lambda: service.tables.create(made.token, body("creator", "open"), LONG_KEY, words=EN))


def test_whether_a_key_was_used_is_told_to_its_player_alone(service):
    game = Game.open(service, "creator", "open")
    service.tables.create(game.creator.token, body("creator", "open"), KEY, words=EN)
    forged = f"{game.creator.id}.{'x' * 43}"
    check_refused("unauthenticated", lambda: service.tables.abort(forged, game.id, KEY, words=EN))
    check_refused("unauthenticated", lambda: service.tables.create(forged, body("creator", "open"), KEY, words=EN))


def test_an_action_with_a_key_takes_no_more_round_trips_than_one_without(service, monkeypatch):
    game = Game.begin(service)
    service.notifier.settle()
    trips, sent = [], RedisClient.ask

    def noting(self, commands):
        if threading.current_thread() is threading.main_thread():
            trips.append(len(commands))
        return sent(self, commands)

    def taken(key):
        seat = game.to_act()
        action = game.legal(seat)[0]
        trips.clear()
        service.play.act(game.token(seat), game.id, read_action(action), None, key, words=EN)
        return len(trips)

    monkeypatch.setattr(RedisClient, "ask", noting)
    assert taken(None) == taken(KEY) == 2


def test_what_is_kept_of_the_use_of_a_key_passes_and_holds_neither_key_nor_call(service, client):
    ann = guest(service)
    service.tables.create(ann.token, body("creator", "open"), KEY, words=EN)
    (name,) = client.keys("billet:*:used:*")
    assert KEY.encode() not in name
    assert len(client.get(name)) == 32
    assert KEEP_SECONDS - 60 < client.ttl(name) <= KEEP_SECONDS


def test_kept_answers_are_forgotten_after_a_day_and_hold_no_key(service, client):
    game = Game.open(service, "creator", "open", "open")
    text = LONG_KEY
    newcomer = guest(service)
    service.tables.take_seat(newcomer.token, game.id, {}, text, words=EN)
    service.tables.leave(newcomer.token, game.id, LONG_KEY + " again", words=EN)
    names = client.keys("billet:*:answer:*")
    assert len(names) == 2
    for name in names:
        assert text.encode() not in name
        assert KEEP_SECONDS - 60 < client.ttl(name) <= KEEP_SECONDS


def test_a_key_that_opened_a_table_is_never_used_for_another_when_its_answer_is_forgotten(service, client):
    ann = guest(service)
    service.tables.create(ann.token, body("creator", "open"), KEY, words=EN)
    client.delete(*client.keys("billet:*:answer:*"))
    with pytest.raises(Refused) as refused:
        service.tables.create(ann.token, body("creator", "open"), KEY, words=EN)
    assert refused.value.code == "idempotency_key_reused"
    assert len(client.keys("billet:*:log")) == 1


# --- tokens ---


def test_registering_again_with_a_key_gives_the_same_player_and_token(service, another, client):
    first = service.players.register("Ann", "human", None, LONG_KEY)
    again = another().players.register("Ann", "human", None, LONG_KEY)
    assert (first.replayed, again.replayed) == (False, True)
    assert again[:2] == first[:2]
    assert service.players.me(first.token)["id"] == first.player.id
    for name, kind in (("Ben", "human"), ("Ann", "bot")):
        check_reused(lambda name=name, kind=kind: service.players.register(name, kind, None, LONG_KEY))
    assert service.players.register("Ann", "human", None, LONG_KEY + "x").player.id != first.player.id
    # Notices of an earlier test may still come in.
    assert sum(client.hexists(name, "token") for name in client.keys("billet:player:*")) == 2


def test_the_id_of_a_player_says_nothing_about_the_key_and_differs_between_installations(service, another, client):
    here = service.players.register("Ann", "human", None, LONG_KEY).player.id
    plain = hashlib.sha256(f"player\n{LONG_KEY}".encode()).hexdigest()[:20]
    client.flushall()
    there = another().players.register("Ann", "human", None, LONG_KEY).player.id
    assert len({here, there, f"p{plain}"}) == 3
    assert LONG_KEY.encode() not in b"".join(client.keys("*"))


def test_registering_again_after_a_new_token_gives_no_token_that_is_good_for_nothing(service, another):
    first = service.players.register("Ann", "human", None, LONG_KEY)
    new = service.players.rotate(first.token)
    check_refused("token_replaced", lambda: another().players.register("Ann", "human", None, LONG_KEY))
    check_reused(lambda: service.players.register("Ben", "human", None, LONG_KEY))
    assert service.players.me(new.token)["id"] == first.player.id


def test_a_token_replaced_again_with_a_key_is_replaced_once(service, another):
    old = guest(service).token
    first = service.players.rotate(old, LONG_KEY)
    again = another().players.rotate(old, LONG_KEY)
    assert (first.replayed, again.replayed) == (False, True)
    assert again[:2] == first[:2]
    assert service.players.me(first.token)["id"] == first.player.id
    newest = service.players.rotate(first.token)
    check_refused("unauthenticated", lambda: service.players.me(first.token))
    check_refused("token_replaced", lambda: service.players.rotate(old, LONG_KEY))
    assert service.players.me(newest.token)["id"] == first.player.id


def test_a_replaced_token_is_good_for_nothing_but_the_same_call_with_the_same_key(service):
    ann, bob = guest(service), guest(service)
    new = service.players.rotate(ann.token, LONG_KEY)
    for call in (
        lambda: service.players.me(ann.token),
        lambda: service.players.rotate(ann.token),
        lambda: service.players.rotate(ann.token, LONG_KEY + "x"),
        lambda: service.players.rotate(f"{ann.id}.{'x' * 43}", LONG_KEY),
    ):
        check_refused("unauthenticated", call)
    check_reused(lambda: service.players.rotate(new.token, LONG_KEY))
    assert not service.players.rotate(bob.token, LONG_KEY).replayed, "a key is the player's own"


def test_what_is_kept_of_a_token_is_not_enough_to_make_it_and_is_forgotten_after_a_day(service, client):
    ann = service.players.register("Ann", "human", None, LONG_KEY)
    check_reused(lambda: service.players.rotate(ann.token, LONG_KEY))
    new = service.players.rotate(ann.token, OTHER_KEY)
    names = client.keys("billet:*:grant:*")
    assert len(names) == 2
    stored = b"".join(names + [client.get(name) for name in names])
    for text in (LONG_KEY, OTHER_KEY, ann.token.split(".")[1], new.token.split(".")[1]):
        assert text.encode() not in stored
    assert all(KEEP_SECONDS - 60 < client.ttl(name) <= KEEP_SECONDS for name in names)
    client.delete(*names)
    check_refused("unauthenticated", lambda: service.players.rotate(ann.token, OTHER_KEY))
    check_reused(lambda: service.players.register("Ann", "human", None, LONG_KEY))
    assert service.players.me(new.token)["id"] == ann.player.id


def test_of_eight_calls_at_once_with_one_key_all_are_given_the_same_token(another):
    services = [another() for _ in range(8)]
    made = all_at_once([lambda s=s: s.players.register("Ann", "human", None, LONG_KEY) for s in services])
    assert len({access.token for access in made}) == 1
    assert sum(not access.replayed for access in made) == 1
    rotated = all_at_once([lambda s=s: s.players.rotate(made[0].token, OTHER_KEY) for s in services])
    assert len({access.token for access in rotated}) == 1
    assert sum(not access.replayed for access in rotated) == 1
    assert another().players.me(rotated[0].token)["id"] == made[0].player.id


# --- at once ---


@pytest.mark.parametrize("attempt", range(4))
def test_eight_equal_actions_at_once_with_one_key_are_one(another, service, client, attempt):
    game = Game.begin(service)
    seat, version = game.to_act(), game.view()["version"]
    action = game.legal(seat)[0]
    services = [another() for _ in range(8)]
    token = game.token(seat)
    answers = all_at_once(
        [lambda s=s: s.play.act(token, game.id, read_action(action), None, KEY, words=EN) for s in services]
    )
    assert {answer.body for answer in answers} == {answers[0].body}
    assert sum(not answer.replayed for answer in answers) == 1
    assert client.xlen(f"billet:{{{game.id}}}:log") == read(answers[0])["version"] > version


def test_two_different_requests_at_once_with_one_key_are_one_and_a_refusal(another, service, client):
    ann = guest(service)
    bodies = [body("creator", "open"), body("creator", "open", "open")]
    answers = all_at_once([lambda b=b: another().tables.create(ann.token, b, KEY, words=EN) for b in bodies])
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert [one.code for one in refused] == ["idempotency_key_reused"]
    assert len(client.keys("billet:*:log")) == 1


def test_eight_calls_that_change_nothing_are_answered_alike_with_one_key(another, service):
    game = Game.open(service, "creator", *["open"] * 5)
    newcomers = iter([guest(service).token for _ in range(4)])
    ann = game.creator.token
    calls = [lambda: another().tables.take_seat(ann, game.id, {}, KEY, words=EN) for _ in range(4)]
    calls += [lambda token=token: another().tables.take_seat(token, game.id, {}, words=EN) for token in newcomers]
    answers = all_at_once(calls)[:4]
    assert {read(answer)["seats"][0]["player"]["id"] for answer in answers} == {game.creator.id}
    assert sum(event["type"] == "seat_taken" for event in game.events()) == 5
