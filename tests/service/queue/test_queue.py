"""The queue: tickets that wait, are matched, cancelled and expire; what they say and to whom."""

import asyncio

import orjson
import pytest

from games.queue.pairing import FILL_MS
from games.queue.tickets import EXPIRES_MS, HERE_MS
from games.records.verification import verify
from service import build
from service.inputs.clock import now_ms
from service.live import hub
from service.settings import Settings
from service.store import keys
from service.store.queue.stored_queue import GATHERING_MS, LEASE_MS
from tests.service.at_table import EN, body, guest, read, refusal, told
from tests.service.live.followers import SECONDS
from tests.service.queue.waiting import DUEL, ask, asked, look, two, waves

BY_THE_DAY = {"clock": {"seconds": 86_400}}


@pytest.fixture
def due(service, clock):
    """Runs the next wave of each edition."""

    def due(seconds=LEASE_MS / 1000):
        clock.advance(seconds)
        waves(service)

    return due


def test_a_ticket_waits_and_says_what_for(service, clock):
    player = guest(service)
    ticket = ask(service, player, seats=[4, 2], clock={"seconds": 60}, bots="fill", rated=True)
    assert ticket["state"] == "waiting"
    assert ticket["game"] is None
    assert ticket["seats"] == [2, 4]
    assert ticket["bots"] == "fill"
    assert ticket["rated"] is True
    assert ticket["clock"] == {
        "kind": "decision",
        "seconds": 60,
        "increment": 0,
        "on_timeout": "bot_plays",
        "break_days": 0,
    }
    assert ticket["waiting"] == 1
    assert look(service, player, ticket["id"]) == ticket


def test_two_who_wait_get_one_game_and_it_has_begun(service, due):
    tickets = two(service)
    assert look(service, *next(iter(tickets.items())))["waiting"] == 2
    due()
    views = [look(service, *one) for one in tickets.items()]
    assert [view["state"] for view in views] == ["matched"] * 2
    assert views[0]["game"] == views[1]["game"]
    assert views[0]["waiting"] == 0
    game = read(service.games.view(None, views[0]["game"], words=EN))
    assert game["status"] == "active"
    assert game["visibility"] == "public"
    assert {seat["player"]["id"] for seat in game["seats"]} == {player.id for player in tickets}


def test_players_are_told_once_in_their_feed(service, due):
    player, other = two(service)
    cursors = [told(service, one)["cursor"] for one in (player, other)]
    due()
    service.notifier.settle()
    due()
    for one, cursor in zip((player, other), cursors, strict=True):
        notices = told(service, one, cursor)["events"]
        [matched] = [notice for notice in notices if notice["type"] == "matched"]
        assert matched["status"] == "active"
        assert matched["seats"] == [matched["seat"]]
        assert read(service.games.view(one.token, matched["game"], words=EN))["viewer"]["seat"] == matched["seat"]


def test_the_same_wishes_again_give_the_same_ticket(service, clock):
    player = guest(service)
    first = ask(service, player, seats=[2, 3], clock={"seconds": 60})
    clock.advance(5)
    again = ask(service, player, seats=[3, 2, 3], clock={"seconds": 60, "kind": "decision"})
    assert again == first


def test_other_wishes_take_the_place_of_the_ticket(service, due):
    player, other = guest(service), guest(service)
    first, second = ask(service, player), ask(service, player, edition="classic")
    assert look(service, player, first["id"])["state"] == "cancelled"
    assert look(service, player, second["id"])["state"] == "waiting"
    ask(service, other)
    due()
    assert look(service, player, second["id"])["state"] == "waiting"
    assert look(service, player, second["id"])["waiting"] == 1


def test_a_retry_finds_its_ticket_after_the_pairing(service, due):
    player, other = guest(service), guest(service)
    first = asked(service, player, "a key")
    ask(service, other)
    due()
    again = asked(service, player, "a key")
    assert again.replayed
    assert not first.replayed
    assert again.ticket["id"] == first.ticket["id"]
    assert again.ticket["state"] == "matched"
    assert refusal(ask, service, player, "a key", seats=[4]).code == "idempotency_key_reused"
    assert ask(service, player)["id"] != first.ticket["id"], "without the key it is another game"


@pytest.mark.parametrize("taken", [False, True])
def test_a_retry_finds_the_earlier_ticket_that_its_call_gave(service, due, monkeypatch, taken):
    player, other = guest(service), guest(service)
    ticket = ask(service, player)["id"]
    ask(service, other)
    if taken:
        with monkeypatch.context() as patch:
            patch.setattr(type(service.waves), "open", lambda *_: None)
            due()
    assert asked(service, player, "a key").ticket["id"] == ticket
    assert refusal(ask, service, player, "a key", seats=[4]).code == "idempotency_key_reused"
    due()
    again = asked(service, player, "a key")
    assert (again.replayed, again.ticket["id"], again.ticket["state"]) == (True, ticket, "matched")


def test_nobody_else_sees_or_cancels_a_ticket(service):
    player, other = guest(service), guest(service)
    ticket = ask(service, player)["id"]
    for call in (service.queue.read, service.queue.cancel):
        assert refusal(call, other.token, ticket).code == "not_found"
        assert refusal(call, None, ticket).code == "unauthenticated"
        assert refusal(call, player.token, "another").code == "not_found"
    assert refusal(service.queue.ask, None, DUEL).code == "unauthenticated"


def test_a_cancelled_ticket_is_not_matched(service, due):
    (player, ticket), (other, others) = two(service).items()
    assert service.queue.cancel(player.token, ticket)["state"] == "cancelled"
    assert service.queue.cancel(player.token, ticket)["state"] == "cancelled"
    due()
    assert look(service, other, others)["state"] == "waiting"
    assert ask(service, player)["id"] != ticket


def test_cancelling_after_the_pairing_says_so(service, due):
    (player, ticket), _ = two(service).items()
    due()
    assert service.queue.cancel(player.token, ticket)["state"] == "matched"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": [2, 9]}, "seats"),
        ({"edition": "classic", "seats": [6]}, "seats"),
        ({"options": {"nothing": "x"}}, "options.nothing"),
        ({"clock": {"seconds": 5, "increment": 1}}, "clock.increment"),
    ],
)
def test_impossible_wishes_are_refused(service, body, field):
    refused = refusal(ask, service, guest(service), **body)
    assert refused.code == "invalid_request"
    assert [fault.field for fault in refused.faults] == [field]


def test_a_player_with_too_many_open_games_cannot_wait(redis_url):
    service = build(Settings(redis_url=redis_url, open_games=1))
    player = guest(service)
    table = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
    service.tables.create(player.token, table, words=EN)
    refused = refusal(ask, service, player)
    assert (refused.code, refused.limit) == ("rate_limited", "open_games")


# --- who is here ---


def test_a_player_who_has_gone_is_not_matched_until_they_ask_again(service, due, clock):
    (gone, ticket), _ = two(service).items()
    clock.advance(HERE_MS / 1000)
    other = guest(service)
    service.queue.cancel(other.token, ask(service, other)["id"])
    others = ask(service, other)["id"]
    due()
    assert look(service, other, others)["waiting"] == 1
    assert look(service, other, others)["state"] == "waiting"
    look(service, gone, ticket)
    due()
    assert look(service, gone, ticket)["state"] == look(service, other, others)["state"] == "matched"


def test_a_player_with_an_open_stream_is_here(service, due, clock):
    (gone, ticket), (other, others) = two(service).items()
    clock.advance(HERE_MS / 1000)
    service.presence.note(gone.id)
    service.presence.note(other.id)
    service.presence.write()
    due()
    assert look(service, gone, ticket)["state"] == look(service, other, others)["state"] == "matched"


@pytest.mark.parametrize(
    ("clock_of_game", "state"), [({}, "waiting"), ({"clock": {"seconds": 60}}, "waiting"), (BY_THE_DAY, "matched")]
)
def test_a_player_who_plays_elsewhere_is_here_only_if_they_ask(service, due, clock, clock_of_game, state):
    (busy, ticket), (other, others) = two(service).items()
    table = service.tables.create(busy.token, body("creator", "random", **clock_of_game), words=EN)
    game = read(table)["id"]
    clock.advance(HERE_MS / 1000)
    look(service, other, others)
    service.presence.note(busy.id)
    service.presence.write()
    due()
    assert service.waves._stored.ticket(ticket).state == state
    if state == "waiting":
        service.tables.leave(busy.token, game, words=EN)
        due()
        assert look(service, other, others)["state"] == "matched", "the game is over for the player"


def test_a_player_who_plays_elsewhere_and_asks_is_matched(service, due, clock):
    (busy, ticket), (other, others) = two(service).items()
    service.tables.create(busy.token, body("creator", "random"), words=EN)
    clock.advance(HERE_MS / 1000)
    look(service, busy, ticket)
    look(service, other, others)
    due()
    assert look(service, busy, ticket)["state"] == look(service, other, others)["state"] == "matched"


def test_a_ticket_that_nobody_asks_for_expires(service, due, clock):
    player = guest(service)
    ticket = ask(service, player)["id"]
    due(EXPIRES_MS / 1000 - 1)
    assert look(service, player, ticket)["state"] == "waiting"
    due(EXPIRES_MS / 1000 - 1)
    assert look(service, player, ticket)["state"] == "waiting", "asking has kept it waiting"
    due(EXPIRES_MS / 1000)
    assert look(service, player, ticket)["state"] == "expired"
    assert ask(service, player)["id"] != ticket


def test_waves_end_when_nobody_waits(service, client, due):
    for player, ticket in two(service).items():
        service.queue.cancel(player.token, ticket)
    assert client.zcard(keys.WAVES) == 1
    due()
    assert client.zcard(keys.WAVES) == 0


def test_waves_go_on_after_a_clock_was_set_back(service, due, clock):
    tickets = two(service)
    clock.advance(-3600)
    waves(service)
    assert {look(service, *one)["state"] for one in tickets.items()} == {"matched"}


def test_a_wave_waits_a_moment_for_those_who_come_together(service, due, clock):
    two(service)
    assert service.waves.tasks() == []
    clock.advance(GATHERING_MS / 1000)
    assert [task.game for task in service.waves.tasks()] == ["standard"]
    assert service.waves.tasks() == [], "another sweeper has it"


def test_bots_fill_a_table_after_a_while(service, due, clock):
    player = guest(service)
    ticket = ask(service, player, seats=[3], bots="fill", rated=True)["id"]
    due()
    assert look(service, player, ticket)["state"] == "waiting"
    due(FILL_MS / 1000)
    view = look(service, player, ticket)
    seats = read(service.games.view(player.token, view["game"], words=EN))["seats"]
    assert sorted(seat["player"]["kind"] for seat in seats) == ["bot", "bot", "human"]
    assert read(service.games.view(None, view["game"], words=EN))["rated"] is False, "nobody else played"


def test_blocked_players_never_meet(service, due, clock):
    (player, ticket), (other, others) = two(service).items()
    service.blocks.block(other.token, player.id, words=EN)
    for _ in range(2):
        due(HERE_MS / 2000)
        assert look(service, player, ticket)["state"] == look(service, other, others)["state"] == "waiting"
    service.blocks.unblock(other.token, player.id)
    due()
    assert look(service, player, ticket)["state"] == "matched"


def test_the_same_two_do_not_meet_again_at_once(service, due):
    player, other = two(service)
    due()
    tickets = {one: ask(service, one)["id"] for one in (player, other)}
    due()
    assert {look(service, *one)["state"] for one in tickets.items()} == {"waiting"}
    third = guest(service)
    third_ticket = ask(service, third)["id"]
    due()
    assert look(service, third, third_ticket)["state"] == "matched"


@pytest.mark.parametrize(("wished", "state"), [(False, "waiting"), (True, "matched")])
def test_people_meet_programs_only_if_they_wish_it(service, due, wished, state):
    person, program = guest(service), guest(service, kind="bot")
    tickets = {person: ask(service, person, programs=wished)["id"], program: ask(service, program)["id"]}
    assert look(service, person, tickets[person])["programs"] is wished
    due()
    assert {look(service, *one)["state"] for one in tickets.items()} == {state}


# --- ratings ---


def known(service, player, pool, rating, deviation=60.0):
    """Stores a player's rating in a pool."""
    standing = [rating, deviation, 100, now_ms(), 0]
    service.redis.send(("HSET", keys.of_pool(pool, "latest"), player.id, orjson.dumps(standing)))


def test_those_near_in_rating_meet(service, due):
    players = [guest(service) for _ in range(4)]
    for player, rating in zip(players, (1900, 1100, 1110, 1890), strict=True):
        known(service, player, "standard-2-live-people", rating)
    tickets = {one: ask(service, one, clock={"seconds": 60}, rated=True)["id"] for one in players}
    due()
    games = [look(service, *one)["game"] for one in tickets.items()]
    assert games[0] == games[3] != games[1] == games[2]


def test_of_several_pools_the_most_certain_rating_counts(service):
    player = guest(service)
    known(service, player, "standard-2-days-people", 1700, deviation=200.0)
    known(service, player, "standard-3-4-days-people", 1900, deviation=60.0)
    known(service, player, "standard-3-4-days-programs", 100, deviation=50.0)
    wanted = {(2,): 1700, (2, 4): 1900, (3, 4): 1900, (5,): 1500}
    for seats, rating in wanted.items():
        ticket = ask(service, player, seats=[*seats])["id"]
        assert service.waves._stored.ticket(ticket).rating == rating


@pytest.mark.parametrize("seats", [2, 4])
def test_the_log_of_a_game_of_the_queue_is_valid(service, due, seats):
    tickets = {one: ask(service, one, seats=[seats])["id"] for one in (guest(service) for _ in range(seats))}
    due()
    game = look(service, *next(iter(tickets.items())))["game"]
    for player in [*tickets][1:]:
        service.tables.leave(player.token, game, words=EN)
    assert verify(service.games.log(None, game)).divergence is None


def test_two_who_wish_it_play_for_their_ratings(service, due):
    tickets = {one: ask(service, one, rated=True)["id"] for one in (guest(service), guest(service))}
    due()
    (winner, ticket), (loser, _) = tickets.items()
    game = look(service, winner, ticket)["game"]
    assert read(service.games.view(None, game, words=EN))["rated"] is True
    service.tables.leave(loser.token, game, words=EN)
    service.recording.record(game)
    [won], [lost] = [service.pages.ratings(None, one.id)["items"] for one in (winner, loser)]
    assert won["rating"] > 1500 > lost["rating"]
    assert service.waves._stored.ticket(ask(service, winner)["id"]).rating > 1500


# --- banned and erased ---


@pytest.mark.parametrize("how", ["ban", "erase"])
def test_a_banned_or_erased_player_waits_no_more(service, due, client, how):
    (player, ticket), (other, others) = two(service).items()
    getattr(service.administration, how)(player.id)
    due()
    assert look(service, other, others)["state"] == "waiting"
    assert client.hget(keys.queue_ticket(ticket), "state") == b"cancelled"


@pytest.mark.parametrize("how", ["ban", "erase"])
def test_a_player_who_is_banned_or_erased_between_pairing_and_game_leaves_the_game(service, due, monkeypatch, how):
    (player, _), (other, others) = two(service).items()
    with monkeypatch.context() as patch:
        patch.setattr(type(service.waves), "open", lambda *_: None)
        due()
    assert look(service, other, others)["state"] == "waiting", "the game is not open yet"
    getattr(service.administration, how)(player.id)
    view = look(service, other, others)
    assert view["state"] == "matched"
    assert read(service.games.view(other.token, view["game"], words=EN))["status"] == "finished"


# --- waiting for it ---


async def test_a_long_poll_ends_with_the_pairing_or_the_end_of_the_ticket(service, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 1000.0)  # nothing but messages can bring it
    (player, ticket), (_, others) = two(service).items()
    cancelled = guest(service)
    third = ask(service, cancelled, edition="classic")["id"]
    feeds = service.feeds()
    waiting = [asyncio.create_task(feeds.queue_tickets.wait(one, 0, 10 * SECONDS)) for one in (ticket, others, third)]
    await asyncio.sleep(0.5)
    assert not any(one.done() for one in waiting)
    await asyncio.to_thread(service.queue.cancel, cancelled.token, third)
    await asyncio.wait_for(waiting[2], SECONDS)
    assert not waiting[0].done()
    await asyncio.to_thread(service.waves.run, "standard")
    await asyncio.wait_for(asyncio.gather(*waiting), SECONDS)
    feeds.close()
    assert look(service, player, ticket)["state"] == "matched"


async def test_a_long_poll_finds_what_it_has_missed(service, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.3)
    (player, ticket), _ = two(service).items()
    feeds = service.feeds()
    waiting = asyncio.create_task(feeds.queue_tickets.wait(ticket, 0, 10 * SECONDS))
    await asyncio.sleep(0.1)
    service.redis.send(("HSET", keys.queue_ticket(ticket), "state", "cancelled"))
    await asyncio.wait_for(waiting, SECONDS)
    await asyncio.wait_for(feeds.queue_tickets.wait(ticket, 0, 10 * SECONDS), SECONDS)  # it is over already
    await asyncio.wait_for(feeds.queue_tickets.wait("nothing", 0, 10 * SECONDS), SECONDS)
    feeds.close()
    assert look(service, player, ticket)["state"] == "cancelled"


def test_reading_waits_and_looks_again(service):
    (player, ticket), _ = two(service).items()

    def waiter(whose, after, seconds):
        assert (whose, after, seconds) == (ticket, 0, 30)
        service.waves.run("standard")

    assert service.queue.read(player.token, ticket, 99, waiter)["state"] == "matched"
