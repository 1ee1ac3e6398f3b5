"""Players and their tokens: shown once, stored hashed, compared in constant time, stopped at once by a new one."""

import hmac
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from service import players
from service.store import keys
from tests.service.at_table import EN, LONG, Game, body, guest, read


def everything_in(client):
    """Yields all names and values of a Redis as bytes; of what ends meanwhile, the name."""
    for name in client.scan_iter(count=1000):
        yield name
        yield from {
            b"hash": lambda n: [part for pair in client.hgetall(n).items() for part in pair],
            b"string": lambda n: [client.get(n) or b""],
            b"stream": lambda n: [part for _, fields in client.xrange(n) for pair in fields.items() for part in pair],
            b"zset": lambda n: client.zrange(n, 0, -1),
            b"list": lambda n: client.lrange(n, 0, -1),
            b"set": lambda n: client.smembers(n),
            b"none": lambda n: (),
        }[client.type(name)](name)


def check_unauthenticated(call):
    with pytest.raises(Refused) as refused:
        call()
    assert refused.value.code == "unauthenticated"


def test_registering_gives_a_player_and_a_token(service):
    made = service.players.register("Ann", "bot")
    assert made.player == (made.player.id, "Ann", "bot")
    assert service.players.me(made.token) == {**made.player._asdict(), "hidden": [], "program": None}


def test_a_token_names_its_player_and_holds_256_random_bits(service):
    tokens = [service.players.register("Ann", "human") for _ in range(50)]
    for made in tokens:
        player, secret = made.token.split(".")
        assert player == made.player.id
        assert re.fullmatch(r"[A-Za-z0-9_-]{43}", secret)
    assert len({made.token for made in tokens}) == 50
    assert len({made.player.id for made in tokens}) == 50


def test_the_text_of_a_token_is_nowhere_in_redis(service, client):
    game = Game.begin(service)
    seat = game.to_act()
    game.act(seat, game.legal(seat)[0], idempotency_key="a key")
    tokens = [guest.token for guest in game.guests.values()]
    tokens.append(service.players.rotate(tokens.pop()).token)
    stored = b"\n".join(everything_in(client))
    assert game.id.encode() in stored
    for token in tokens:
        secret = token.split(".")[1].encode()
        assert secret not in stored
        assert bytes(reversed(secret)) not in stored


def test_tokens_are_compared_in_constant_time(service, monkeypatch):
    compared = []
    compare = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda *pair: compared.append(pair) or compare(*pair))
    ann = guest(service)
    service.players.me(ann.token)
    check_unauthenticated(lambda: service.players.me(ann.token + "x"))
    check_unauthenticated(lambda: service.players.me("p0.x"))
    assert len(compared) == 3, "for a player who does not exist too"
    assert all(len(one) == 64 for one, _ in compared), "hashes, so that lengths say nothing"


def test_a_new_token_stops_the_old_one_at_once_everywhere(service, another):
    ann = guest(service)
    elsewhere = another()
    game = Game.open(service, "creator", "open")
    elsewhere.tables.take_seat(ann.token, game.id, {}, words=EN)
    rotated = elsewhere.players.rotate(ann.token)
    assert rotated.player.id == ann.id
    calls = (
        lambda one: one.players.me(ann.token),
        lambda one: one.players.rotate(ann.token),
        lambda one: one.games.view(ann.token, game.id, words=EN),
        lambda one: one.games.events(ann.token, game.id),
        lambda one: one.play.act(ann.token, game.id, read_action({"type": "redraw_hand", "redraw": True}), words=EN),
        lambda one: one.tables.create(ann.token, body("creator", "open"), words=EN),
        lambda one: one.tables.take_seat(ann.token, game.id, {}, words=EN),
        lambda one: one.tables.leave(ann.token, game.id, words=EN),
        lambda one: one.tables.rematch(ann.token, game.id, words=EN),
        lambda one: one.tables.abort(ann.token, game.id, words=EN),
        lambda one: one.lobby.mine(ann.token),
        lambda one: one.lobby.public(ann.token),
    )
    for one in (service, elsewhere, another()):
        for call in calls:
            check_unauthenticated(lambda call=call, one=one: call(one))
        assert one.players.me(rotated.token)["id"] == ann.id
        assert read(one.games.view(rotated.token, game.id, words=EN))["viewer"] == {"seat": 1}


def test_a_new_token_stops_actions_with_the_old_one_that_are_decided_without_reading(service, another):
    game = Game.begin(service, sandbox=LONG).play(random.Random(1), 4)  # so that this process has both in memory
    seat = game.to_act()
    action = game.legal(seat)[0]
    another().players.rotate(game.token(seat))
    version = game.view()["version"]
    check_unauthenticated(lambda: game.act(seat, action))
    assert game.view()["version"] == version


def test_a_ticket_is_kept_for_a_minute_and_not_as_it_is(service, client):
    game = Game.begin(service)
    for issue, more in ((service.tickets.issue, [game.id]), (service.tickets.issue_own, [])):
        ticket = issue(game.token(0), *more)["ticket"]
        (name,) = client.keys("billet:*ticket*")
        assert 0 < client.ttl(name) <= 60
        assert ticket not in f"{name}{client.get(name)}"
        client.delete(name)


def test_of_streams_that_were_opened_with_one_ticket_at_once_one_goes_on(service):
    game = Game.begin(service)
    ticket = service.tickets.issue(game.token(0), game.id)["ticket"]
    first, second = (service.game_streams.begin(None, game.id, ticket=ticket, words=EN).ticket for _ in range(2))
    service.tickets.use_up(first)
    check_unauthenticated(lambda: service.tickets.use_up(second))


def test_a_new_token_stops_the_tickets_of_the_old_one(service):
    game = Game.begin(service)

    def ticket():
        return service.tickets.issue(game.token(0), game.id)["ticket"]

    def whose(ticket):
        return service.game_streams.begin(None, game.id, ticket=ticket, words=EN).caller

    before, creator = ticket(), game.guests[0]
    assert whose(ticket()) == creator.id
    game.guests[0] = creator._replace(token=service.players.rotate(creator.token).token)
    with pytest.raises(Refused) as refused:
        whose(before)
    assert refused.value.code == "unauthenticated"
    assert whose(ticket()) == creator.id


def test_of_callers_who_replace_the_same_token_at_once_one_is_given_a_new_one(another, monkeypatch):
    ann = guest(another())
    services = [another() for _ in range(8)]
    barrier = threading.Barrier(8)
    check = players.check_token

    def check_together(token, fields):
        player = check(token, fields)
        barrier.wait(60)
        return player

    monkeypatch.setattr(players, "check_token", check_together)

    def rotate(service):
        try:
            return service.players.rotate(ann.token).token
        except Refused:
            return None

    with ThreadPoolExecutor(8) as pool:
        tokens = [token for token in pool.map(rotate, services) if token is not None]
    monkeypatch.undo()
    assert len(tokens) == 1
    assert another().players.me(tokens[0])["id"] == ann.id


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "x",
        "no dot",
        ".secret",
        "pabc.",
        "bot-cautious.secret",
        "p0123456789abcdef0123.secret",
        "p:playing.secret",
        "{p}.secret",
        "pé.secret",
        "p\u0661.secret",
        "pabc.sécret",
        "pabc.\x00",
        "p" * 10_000 + "." + "s" * 10_000,
        "Bearer pabc.secret",
    ],
)
def test_a_text_that_is_no_token_is_refused(service, text):
    game = Game.open(service, "creator", "open")
    check_unauthenticated(lambda: service.players.me(text))
    check_unauthenticated(lambda: service.games.view(text, game.id, words=EN))
    check_unauthenticated(lambda: service.tables.take_seat(text, game.id, {}, words=EN))


def test_the_token_of_one_player_does_not_speak_for_another(service):
    ann, bob = guest(service), guest(service)
    mixed = f"{ann.id}.{bob.token.split('.')[1]}"
    check_unauthenticated(lambda: service.players.me(mixed))


def test_nobody_can_act_as_one_of_the_services_bots(service, client):
    client.hset(keys.player("bot-random"), mapping={"name": "Eve", "kind": "human", "token": "0" * 64})
    game = Game.open(service, "creator", "random")
    check_unauthenticated(lambda: service.players.me("bot-random." + "x" * 43))
    assert game.view()["seats"][1]["player"] == {"id": "bot-random", "name": "Hanna", "kind": "bot"}


def test_a_player_who_was_renamed_elsewhere_opens_a_table_by_the_new_name(service, another):
    made = service.players.register("Ann", "human")
    assert service.players.named([made.player.id])[made.player.id].name == "Ann"
    another().players.change(made.token, "Bea")
    game = read(service.tables.create(made.token, body("creator", "open"), words=EN))
    assert game["seats"][0]["player"]["name"] == "Bea"


def test_threads_that_know_too_many_names_forget_them_without_harm(service, another, monkeypatch):
    monkeypatch.setattr(players, "CACHED_NAMES", 1)
    games = [Game.begin(service, 3) for _ in range(6)]
    other = another()
    with ThreadPoolExecutor(8) as pool:
        views = list(pool.map(lambda i: read(other.games.view(None, games[i % 6].id, words=EN)), range(200)))
    for i, view in enumerate(views):
        assert [seat["player"]["id"] for seat in view["seats"]] == [games[i % 6].guests[seat].id for seat in range(3)]
