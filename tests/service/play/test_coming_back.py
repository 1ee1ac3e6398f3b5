"""A seat whose time has run out is away: a bot stands in and keeps nobody waiting until the player is back."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from games.clocks.time_limits import AWAY_MS
from games.errors import Refused
from games.times import ms_of
from tests.service.at_table import EN, LONG, Game, read
from tests.service.states import folded
from tests.service.states import read as read_states

CLOCK = {"seconds": 60, "on_timeout": "bot_plays"}
FIRST = {"rounds": [{"starter": 0}]}
AWAY_SECONDS = AWAY_MS / 1000


def away(game):
    return [seat["seat"] for seat in game.view()["seats"] if seat["away"]]


def left_ms(game, clock):
    """Returns for how long the seat to act may still think."""
    return ms_of(game.view()["deadline"]) - clock.ms


def act(game):
    """Lets the seat to act take its first action."""
    seat = game.to_act()
    return game.act(seat, game.legal(seat)[0])


def come_back(game, seat, **more):
    return game.service.tables.take_seat(game.token(seat), game.id, {}, **{"words": EN, **more})


def count(game, kind):
    return sum(event["type"] == kind for event in game.events())


@pytest.fixture
def game(service, clock):
    """A game of two people of whom the first is away and to act again."""
    made = Game.begin(service, 2, clock=CLOCK, sandbox=LONG)
    clock.advance(60)
    made.view()
    for _ in range(50):
        if made.to_act() == 0:
            return made
        act(made)
    raise AssertionError("it is never seat 0's turn")


# --- away ---


def test_a_seat_is_away_from_when_its_time_is_up(service, clock):
    game = Game.begin(service, 2, clock=CLOCK, sandbox=FIRST)
    assert away(game) == []
    clock.advance(59.999)
    assert away(game) == []
    clock.advance(0.001)
    assert away(game) == [0]
    if game.to_act() == 1:
        assert left_ms(game, clock) == 60_000


def test_others_wait_a_moment_only_for_a_seat_that_is_away(game, clock):
    assert left_ms(game, clock) == AWAY_MS
    clock.advance(AWAY_SECONDS - 0.001)
    before = game.view()["version"]
    clock.advance(0.001)
    assert game.view()["version"] > before
    assert count(game, "seat_timed_out") == 2
    assert away(game) == [0]


def test_who_is_away_is_known_in_the_next_round_and_to_every_process(game, clock, another, log):
    number = game.view()["round"]["number"]
    while game.view()["round"]["number"] == number:
        clock.advance(AWAY_SECONDS) if game.to_act() == 0 else act(game)
    assert game.view()["round"] is not None
    game.service = another()
    assert away(game) == [0]
    deals = [event["data"]["away"] for event in game.events() if event["type"] == "round_started"]
    assert (deals[0], deals[-1]) == ([], [0])
    assert read_states(log, game.id) == folded(log, game.id)


def test_where_nobody_waits_a_seat_that_is_away_has_its_time(service, clock):
    alone = Game.open(service, "creator", "random", clock=CLOCK, sandbox=FIRST)
    clock.advance(60)
    assert away(alone) == [0]
    alone.play_while(0, random.Random(1))
    if alone.to_act() == 0:
        assert left_ms(alone, clock) == 60_000, "bots do not mind waiting"


def test_who_has_left_the_game_does_not_wait(service, clock):
    game = Game.open(service, "creator", "open", "random", clock=CLOCK, sandbox=LONG).fill()
    service.tables.leave(game.token(1), game.id, words=EN)
    clock.advance(60)
    assert away(game) == [0]
    game.play_while(0, random.Random(1))
    assert game.to_act() == 0
    assert left_ms(game, clock) == 60_000


def test_a_game_is_not_played_to_its_end_in_a_rush_while_everybody_is_away(service, clock):
    game = Game.begin(service, 2, clock=CLOCK, sandbox=LONG)
    while away(game) != [0, 1]:
        clock.ms = ms_of(game.view()["deadline"])
    assert left_ms(game, clock) == 60_000


def test_the_first_who_is_back_does_not_wait_for_the_others(service, clock):
    game = Game.begin(service, 2, clock=CLOCK, sandbox=LONG)
    while away(game) != [0, 1]:
        clock.ms = ms_of(game.view()["deadline"])
    waited_for = game.to_act()
    clock.advance(1)
    come_back(game, 1 - waited_for)
    assert left_ms(game, clock) == AWAY_MS - 1_000
    told = []
    while not told:
        clock.ms += max(1, service.schedule.pause_ms(1_000))
        told = service.schedule.tasks()
    assert clock.ms <= ms_of(game.view()["deadline"]) or game.to_act() != waited_for
    assert told[0].kind == "time_out"


def test_a_seat_that_forfeits_has_left_and_is_not_away(service, clock):
    game = Game.begin(service, 3, clock=CLOCK | {"on_timeout": "forfeit"}, sandbox=FIRST)
    clock.advance(60)
    before = game.view()
    assert (before["seats"][0]["left"], before["seats"][0]["away"]) == (True, False)
    assert read(come_back(game, 0))["version"] == before["version"], "left for good"


# --- back ---


def test_sitting_down_again_takes_the_seat_back(game, clock):
    before = game.view()["version"]
    answer = come_back(game, 0)
    view = read(answer)
    assert (view["version"], view["seats"][0]["away"], view["viewer"]) == (before + 1, False, {"seat": 0})
    (back,) = [event for event in game.events() if event["version"] == before + 1]
    assert (back["type"], back["data"]) == ("seat_taken_back", {"seat": 0})
    assert left_ms(game, clock) == 60_000, "and it has its whole time for what it was asked"
    assert act(game)["version"] > before + 1


def test_sitting_down_twice_is_answered_alike_and_noted_once(game):
    first, second = come_back(game, 0), come_back(game, 0)
    assert (first.body, first.tag) == (second.body, second.tag)
    assert count(game, "seat_taken_back") == 1


def test_a_repeated_call_is_answered_as_before_whatever_has_happened(game, clock):
    first = come_back(game, 0, idempotency_key="a key")
    clock.advance(60)
    assert away(game) == [0]
    again = come_back(game, 0, idempotency_key="a key")
    assert (again.replayed, again.body) == (True, first.body)
    assert away(game) == [0], "it is the call of then"


def test_acting_in_the_moment_takes_the_seat_back(game, clock):
    clock.advance(AWAY_SECONDS - 0.001)
    done = act(game)
    back, acted = (event["type"] for event in done["events"][:2])
    assert back == "seat_taken_back"
    assert acted in ("card_played", "decision_taken")
    assert not done["game"]["seats"][0]["away"]
    assert away(game) == []


def test_what_is_refused_takes_nothing_back(game):
    before = game.view()["version"]
    with pytest.raises(Refused):
        game.act(0, {"type": "redraw_hand", "redraw": True})
    assert (game.view()["version"], away(game)) == (before, [0])


def test_looking_takes_nothing_back(service, game):
    before = game.view(0)["version"]
    game.events(0)
    service.lobby.mine(game.token(0))
    service.game_streams.begin(game.token(0), game.id, words=EN)
    assert (game.view(0)["version"], away(game)) == (before, [0])


def test_who_is_not_away_or_has_ended_the_game_changes_nothing(service, game):
    before = game.view()["version"]
    assert read(come_back(game, 1))["version"] == before
    service.tables.leave(game.token(1), game.id, words=EN)
    before = game.view()["version"]
    assert read(come_back(game, 0))["version"] == before


def test_who_comes_back_late_finds_the_turn_played_and_has_the_next_one(game, clock):
    clock.advance(AWAY_SECONDS)
    view = read(come_back(game, 0))
    types = [event["type"] for event in game.events()]
    assert types.count("seat_timed_out") == 2
    assert types[-1] == "seat_taken_back"
    assert not view["seats"][0]["away"]
    while game.to_act() == 1:
        act(game)
    if game.to_act() == 0:
        assert left_ms(game, clock) == 60_000


# --- at once ---


def test_coming_back_while_the_bot_plays_follows_its_turn(service, game, clock, another, monkeypatch):
    slow = another()
    write = slow.tables._changes._write

    def late(new, *more):
        monkeypatch.setattr(slow.tables._changes, "_write", write)
        clock.advance(AWAY_SECONDS)
        service.play.time_out(game.id, 0)
        return write(new, *more)

    monkeypatch.setattr(slow.tables._changes, "_write", late)
    view = read(slow.tables.take_seat(game.token(0), game.id, {}, words=EN))
    assert not view["seats"][0]["away"]
    types = [event["type"] for event in game.events()]
    assert types.count("seat_timed_out") == 2
    assert types[-1] == "seat_taken_back"


def test_the_bot_does_not_play_for_one_who_is_back_before_it_has(game, clock, another, monkeypatch):
    slow = another()
    write = slow.play._changes._write
    before = count(game, "seat_timed_out")

    def late(new, *more):
        monkeypatch.setattr(slow.play._changes, "_write", write)
        clock.advance(-1)
        come_back(game, 0)
        clock.advance(1)
        return write(new, *more)

    monkeypatch.setattr(slow.play._changes, "_write", late)
    clock.advance(AWAY_SECONDS)
    slow.play.time_out(game.id, 0)
    assert count(game, "seat_timed_out") == before
    assert (game.to_act(), away(game)) == (0, [])


def test_many_who_come_back_and_look_at_once_are_noted_once(service, game, clock, another, log):
    for turn in range(4):
        clock.advance(AWAY_SECONDS if turn else AWAY_SECONDS - 0.001)
        services = [another() for _ in range(8)]
        with ThreadPoolExecutor(8) as pool:
            pool.map(lambda one: one.tables.take_seat(game.token(0), game.id, {}, words=EN), services[:4])
            pool.map(lambda one: one.play.time_out(game.id, 0), services[4:])
        assert count(game, "seat_taken_back") == turn + 1
        assert away(game) == []
        while not away(game):
            act(game) if game.to_act() == 1 else clock.advance(60)
        while game.to_act() == 1:
            act(game)
        if game.to_act() is None:
            break
    assert read_states(log, game.id) == folded(log, game.id)
