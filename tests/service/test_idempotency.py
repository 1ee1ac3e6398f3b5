"""A call with an `Idempotency-Key` happens once, and its first answer is given again whatever happened in between."""

import random
import threading
from functools import partial

import pytest

from service.answers import KEEP_SECONDS
from service.errors import Refused
from tests.service.at_table import EN, Game, body, guest, read

KEY = "a key"
LONG_KEY, OTHER_KEY = "a key that nobody else would think of", "another one that nobody would think of"


def at_once(calls):
    """Makes calls from a thread each, at the same moment, and returns what they gave or raised."""
    barrier = threading.Barrier(len(calls))
    results = [None] * len(calls)

    def run(i, call):
        barrier.wait()
        try:
            results[i] = call()
        except Refused as refused:
            results[i] = refused

    threads = [threading.Thread(target=run, args=(i, call)) for i, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


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
        assert (again.status, again.body, again.etag, again.location) == (
            first.status,
            first.body,
            first.etag,
            first.location,
        )
        check_reused(other_request)
    return first


def test_opening_a_table_again_with_a_key_opens_no_other(service, client):
    ann = guest(service)
    create = partial(service.tables.create, words=EN)
    first = check_replays(
        lambda: create(ann.token, body("creator", "open", nonce="x"), KEY),
        lambda: create(ann.token, body("creator", "open"), KEY),
    )
    assert first.location == f"/v1/games/{read(first)['id']}"
    assert len(client.keys("billet:*:log")) == 1
    assert read(create(ann.token, body("creator", "open"))) != read(first)


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


def test_sitting_down_twice_is_answered_alike_with_a_key_for_the_second(service):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    service.tables.take_seat(bob.token, game.id, {}, words=EN)
    first = service.tables.take_seat(bob.token, game.id, {}, KEY, words=EN)
    service.tables.take_seat(game.creator.token, game.id, {"bot": "random"}, words=EN)
    again = service.tables.take_seat(bob.token, game.id, {}, KEY, words=EN)
    assert not first.replayed
    assert again.replayed
    assert again.body == first.body


def test_acting_again_with_a_key_is_answered_as_at_first_even_after_the_end(service, client):
    game = Game.begin(service)
    seat = game.to_act()
    token, legal = game.token(seat), game.legal(seat)
    act = partial(service.play.act, words=EN)
    first = check_replays(
        lambda: act(token, game.id, legal[0], None, KEY),
        lambda: act(token, game.id, {"type": "redraw_hand", "redraw": True}, None, KEY),
    )
    game.play(random.Random(2))
    version = client.xlen(f"billet:{{{game.id}}}:log")
    assert act(token, game.id, legal[0], None, KEY).body == first.body
    assert act(token, game.id, legal[0], '"1-seat0"', KEY).body == first.body, "what it was sent with is of no matter"
    assert client.xlen(f"billet:{{{game.id}}}:log") == version


def test_getting_up_again_with_a_key_is_answered_as_at_first(service):
    game = Game.open(service, "creator", "open", "open")
    bob = guest(service)
    sit, leave = (partial(one, words=EN) for one in (service.tables.take_seat, service.tables.leave))
    sit(bob.token, game.id, {})
    first = check_replays(
        lambda: leave(bob.token, game.id, KEY), lambda: service.tables.abort(bob.token, game.id, KEY, words=EN)
    )
    assert first.status == 200
    sit(bob.token, game.id, {})
    assert leave(bob.token, game.id, KEY).body == first.body
    assert game.view()["seats"][1]["player"]["id"] == bob.id, "a call that comes once more gets nobody up"


def test_calling_off_again_with_a_key_is_answered_as_at_first(service):
    game = Game.open(service, "creator", "open")
    ann = game.creator.token
    first = check_replays(
        lambda: service.tables.abort(ann, game.id, KEY, words=EN),
        lambda: service.tables.leave(ann, game.id, KEY, words=EN),
    )
    assert read(first)["status"] == "aborted"


def test_a_rematch_asked_for_again_with_a_key_is_answered_as_at_first(service, client):
    game = Game.begin(service).play(random.Random(1))
    rematch = lambda: service.tables.rematch(game.creator.token, game.id, KEY, words=EN)  # noqa: E731
    first = rematch()
    new = Game(service, read(first)["id"], game.creator, game.guests).play(random.Random(4), 3)
    again = rematch()
    assert again.replayed
    assert (again.body, again.location) == (first.body, f"/v1/games/{new.id}")
    assert len(client.keys("billet:*:log")) == 2


def test_a_refused_call_leaves_its_key_unused(service):
    game = Game.begin(service)
    seat = game.to_act()
    legal = game.legal(seat)[0]
    with pytest.raises(Refused):
        service.play.act(game.token(seat), game.id, legal, '"1-seat0"', KEY, words=EN)
    assert not service.play.act(game.token(seat), game.id, legal, None, KEY, words=EN).replayed


def test_a_key_is_the_players_own_and_of_one_game(service):
    one, other = Game.open(service, "creator", "open"), Game.open(service, "creator", "open")
    bob, cid = guest(service), guest(service)
    for game, player in ((one, bob), (other, cid)):
        assert not service.tables.take_seat(player.token, game.id, {}, KEY, words=EN).replayed
    assert not service.tables.create(one.creator.token, body("creator", "open"), KEY, words=EN).replayed
    assert not service.tables.create(other.creator.token, body("creator", "open"), KEY, words=EN).replayed


def test_kept_answers_are_forgotten_after_a_day_and_hold_no_key(service, client):
    game = Game.open(service, "creator", "open")
    text = LONG_KEY
    service.tables.take_seat(guest(service).token, game.id, {}, text, words=EN)
    service.tables.take_seat(game.creator.token, game.id, {}, text, words=EN)
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


def test_eight_tables_opened_at_once_with_one_key_are_one(another, service, client):
    ann = guest(service)
    services = [another() for _ in range(8)]
    answers = at_once(
        [lambda s=s: s.tables.create(ann.token, body("creator", "random"), KEY, words=EN) for s in services]
    )
    assert len({answer.body for answer in answers}) == 1
    assert len({answer.location for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1
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
    assert len(client.keys("billet:player:*")) == 2


def test_a_token_replaced_again_with_a_key_is_replaced_once(service, another):
    old = guest(service).token
    first = service.players.rotate(old, LONG_KEY)
    again = another().players.rotate(old, LONG_KEY)
    assert (first.replayed, again.replayed) == (False, True)
    assert again[:2] == first[:2]
    assert service.players.me(first.token)["id"] == first.player.id
    newest = service.players.rotate(first.token)
    assert service.players.rotate(old, LONG_KEY).token == first.token, "whatever has happened in between"
    check_refused("unauthenticated", lambda: service.players.me(first.token))
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
    made = at_once([lambda s=s: s.players.register("Ann", "human", None, LONG_KEY) for s in services])
    assert len({access.token for access in made}) == 1
    assert sum(not access.replayed for access in made) == 1
    rotated = at_once([lambda s=s: s.players.rotate(made[0].token, OTHER_KEY) for s in services])
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
    answers = at_once([lambda s=s: s.play.act(token, game.id, action, None, KEY, words=EN) for s in services])
    assert {(answer.status, answer.body) for answer in answers} == {(201, answers[0].body)}
    assert sum(not answer.replayed for answer in answers) == 1
    assert client.xlen(f"billet:{{{game.id}}}:log") == read(answers[0])["version"] > version


def test_two_different_requests_at_once_with_one_key_are_one_and_a_refusal(another, service, client):
    ann = guest(service)
    bodies = [body("creator", "open"), body("creator", "open", "open")]
    answers = at_once([lambda b=b: another().tables.create(ann.token, b, KEY, words=EN) for b in bodies])
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert [one.code for one in refused] == ["idempotency_key_reused"]
    assert len(client.keys("billet:*:log")) == 1


def test_eight_calls_that_change_nothing_are_answered_alike_with_one_key(another, service):
    game = Game.open(service, "creator", *["open"] * 5)
    newcomers = iter([guest(service).token for _ in range(4)])
    ann = game.creator.token
    calls = [lambda: another().tables.take_seat(ann, game.id, {}, KEY, words=EN) for _ in range(4)]
    calls += [lambda token=token: another().tables.take_seat(token, game.id, {}, words=EN) for token in newcomers]
    answers = at_once(calls)[:4]
    assert len({answer.body for answer in answers}) == 1
