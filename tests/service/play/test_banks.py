"""Clocks with a bank: what a decision costs, what is left, and that everybody and every log says the same."""

import random

import pytest

from engine import rules
from engine.events import TimeSpent
from engine.logs.codec import read_action
from engine.views import WATCHER
from games.errors import Refused
from games.times import ms_of
from service import Settings
from service.jobs.schedule import Task
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, LONG, Game, read
from tests.service.states import folded
from tests.service.states import read as read_states

BANK = {"kind": "bank", "seconds": 300, "increment": 5}
FORFEIT = BANK | {"on_timeout": "forfeit"}
FIRST = {"rounds": [{"starter": 0}]}
CALM = {"rounds": [{"starter": 0, "order": ["king", "handmaid", "handmaid", "spy", "spy", "countess", "prince"]}]}
"""Nobody is knocked out by the first cards of those who play what they were dealt."""


def banks(game):
    return [seat["bank_ms"] for seat in game.view()["seats"]]


def deadline(game):
    text = game.view()["deadline"]
    return None if text is None else ms_of(text)


def act(game):
    """Lets the seat to act take its first action; returns the seat."""
    seat = game.to_act()
    game.act(seat, game.legal(seat)[0])
    return seat


# --- what a decision costs ---


def test_every_seat_begins_with_a_full_bank(service, clock):
    game = Game.open(service, "creator", "open", clock=BANK)
    assert banks(game) == [300_000] * 2
    assert deadline(game) is None
    game.fill()
    assert game.view()["clock"] == {
        "kind": "bank",
        "seconds": 300,
        "increment": 5,
        "on_timeout": "bot_plays",
        "break_days": 0,
    }
    assert banks(game) == [300_000] * 2
    assert deadline(game) == clock.ms + 300_000


def test_a_decision_costs_what_it_took_to_the_millisecond_and_gains_the_increment(service, clock):
    game = Game.begin(service, 2, clock=BANK, sandbox=CALM)
    clock.ms += 12_345
    assert act(game) == 0
    assert banks(game) == [300_000 - 12_345 + 5_000, 300_000]
    (spent,) = [event for event in game.events() if event["type"] == "time_spent"]
    assert spent["data"] == {"seat": 0, "spent_ms": 12_345, "bank_ms": 292_655}
    assert deadline(game) == clock.ms + 300_000
    clock.ms += 1
    assert act(game) == 1
    assert banks(game) == [292_655, 304_999]
    assert deadline(game) == clock.ms + 292_655, "what is left in the bank of the seat to act"


def test_without_an_increment_there_is_none(service, clock):
    game = Game.begin(service, 2, clock={"kind": "bank", "seconds": 60}, sandbox=FIRST)
    assert game.view()["clock"]["increment"] == 0
    clock.advance(9)
    act(game)
    assert banks(game)[0] == 51_000


def test_somebody_else_who_leaves_costs_nothing_and_gives_nothing(service, clock):
    game = Game.begin(service, 3, clock=BANK, sandbox=FIRST)
    before = deadline(game)
    clock.advance(50)
    service.tables.leave(game.token(2), game.id, words=EN)
    assert (deadline(game), banks(game)) == (before, [300_000] * 3)
    clock.advance(50)
    act(game)
    assert banks(game)[0] == 205_000


def test_banks_go_on_from_round_to_round(service, clock, another):
    game = Game.begin(service, 2, clock=BANK)
    while game.view()["round"]["number"] == 1:
        clock.advance(1)
        act(game)
    (deal,) = [event["data"] for event in game.events() if event["type"] == "round_started"][1:]
    game.service = another()
    assert deal["banks"] == banks(game), "as a process says that reads from the newest round on"
    assert banks(game) != [300_000] * 2


# --- time that is up ---


def test_a_seat_whose_bank_is_used_up_is_stood_in_for_and_has_the_increment_left(service, clock):
    game = Game.begin(service, 2, clock=BANK, sandbox=CALM)
    clock.advance(299.999)
    service.play.time_out(game.id, 0)
    assert not game.view()["seats"][0]["away"]
    clock.advance(0.001)
    assert game.view()["seats"][0]["away"]
    assert banks(game) == [5_000, 300_000]
    types = [event["type"] for event in game.events()]
    assert types[types.index("time_spent") :][:3] == ["time_spent", "seat_timed_out", "card_played"]


def test_a_seat_that_is_away_keeps_its_bank_until_its_player_is_back(service, clock):
    game = Game.begin(service, 2, clock=BANK | {"seconds": 20, "increment": 8}, sandbox=LONG)
    clock.advance(20)
    for _ in range(10):
        assert game.view()["seats"][0] | {"away": True, "bank_ms": 8_000} == game.view()["seats"][0]
        if game.to_act() == 0:
            clock.advance(3)
        else:
            act(game)
    late = [event["data"]["seat"] for event in game.events() if event["type"] == "seat_timed_out"]
    assert late == [0] * len(late)
    assert len(late) > 3
    service.tables.take_seat(game.token(0), game.id, {}, words=EN)
    game.play_while(0, random.Random(1))
    clock.ms += 1_500
    act(game)
    assert banks(game)[0] == 14_500


def test_who_acts_in_the_moment_that_a_seat_is_waited_for_pays_for_it(service, clock):
    game = Game.begin(service, 2, clock=BANK | {"seconds": 20, "increment": 8}, sandbox=LONG)
    clock.advance(20)
    game.view()
    while game.to_act() != 0:
        act(game)
    clock.advance(2)
    act(game)
    assert banks(game)[0] == 14_000


def test_an_empty_bank_without_an_increment_stays_empty_and_its_turns_are_played_at_once(service, clock, log):
    game = Game.begin(service, 2, clock={"kind": "bank", "seconds": 10}, sandbox=FIRST)
    clock.advance(10)
    assert game.view()["seats"][0]["away"]
    before = game.view()["version"]
    back = read(service.tables.take_seat(game.token(0), game.id, {}, words=EN))
    assert (back["version"], back["seats"][0]["away"], back["seats"][0]["bank_ms"]) == (before, True, 0)
    for _ in range(50):
        if game.to_act() is None:
            break
        assert game.to_act() == 1, "nobody waits for the empty seat"
        act(game)
    assert read_states(log, game.id) == folded(log, game.id)


def test_a_game_of_empty_banks_ends_by_itself(service, clock, log):
    game = Game.begin(service, 3, clock={"kind": "bank", "seconds": 1})
    for _ in range(10):
        clock.advance(1)
        if game.view()["status"] == "finished":
            break
    assert game.view()["status"] == "finished"
    assert banks(game) == [0, 0, 0]
    assert read_states(log, game.id) == folded(log, game.id)


def test_a_seat_whose_bank_is_used_up_forfeits(service, clock):
    game = Game.begin(service, 3, clock=FORFEIT, sandbox=FIRST)
    clock.advance(300)
    view = game.view()
    assert (view["seats"][0]["left"], view["seats"][0]["away"], banks(game)) == (True, False, [0, 300_000, 300_000])
    types = [event["type"] for event in game.events()]
    assert types[types.index("time_spent") :][:2] == ["time_spent", "seat_left"]


# --- the service's own bots ---


@pytest.mark.parametrize("clock_setup", [BANK, FORFEIT], ids=["bot_plays", "forfeit"])
def test_the_services_bots_pay_nothing_however_late_they_are_played_and_lose_nothing(service, clock, clock_setup):
    game = Game.open(service, "creator", "random", clock=clock_setup, sandbox={"rounds": [{"starter": 1}]})
    assert deadline(game) == clock.ms + 300_000
    clock.advance(250)
    service.play.bot_turns(game.id, 0)
    game.play_while(1, random.Random(1))
    assert banks(game)[1] == 300_000
    for _ in range(3):
        if game.to_act() == 0:
            act(game)
        clock.advance(301 if game.to_act() == 1 else 0)
        game.view()
    seat = game.view()["seats"][1]
    assert (seat["away"], seat["left"], seat["bank_ms"]) == (False, False, 300_000)


# --- whatever happens ---


def times_checked(log, game):
    """Checks every bank of a log against the times of its events, and returns how many decisions were paid for."""
    entries = log.entries(game.id, 0)
    state = rules.begin(entries[0].event)
    paid = 0
    for version, entry in enumerate(entries[1:], 2):
        if isinstance(entry.event, TimeSpent):
            paid += 1
            seat, asked = entry.event.seat, ms_of(entries[state.since - 1].at)
            assert seat == state.to_act
            assert entry.event.spent_ms == min(state.banks[seat], max(0, ms_of(entry.at) - asked))
            left = state.banks[seat] - entry.event.spent_ms
            leaves = entries[0].event.clock["on_timeout"] == "forfeit" and left == 0
            assert entry.event.bank_ms == (left if leaves else left + 5_000)
        state.version = version
        entry.event.apply(state)
        assert min(state.banks) >= 0
    return paid


@pytest.mark.parametrize("seed", [0, 1, 5, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2, 3, 4))])
def test_banks_are_what_the_times_of_the_log_say_whoever_reads_it_from_where(
    service, clock, log, another, redis_url, seed
):
    rng = random.Random(seed)
    edition = rng.choice(["standard", "premium", "lovecraft"])
    own = ["random"] if seed % 3 == 0 else []
    clock_setup = BANK | {"seconds": rng.choice([6, 30]), "on_timeout": rng.choice(["bot_plays", "forfeit"])}
    paid = 0
    while paid <= 3:  # now and then seats forfeit one after the other
        game = Game.open(service, "creator", "open", "open", *own, edition=edition, clock=clock_setup).fill()
        for _ in range(400):
            clock.ms += rng.choice([0, 1, 999, 2_500, 7_001, 40_000, -3_000])
            if rng.random() < 0.2:
                service.tables.take_seat(game.token(rng.choice([0, 1, 2])), game.id, {}, words=EN)
            try:
                if not game.step(rng):
                    break
            except Refused:
                pass  # its time was up at that moment
            if rng.random() < 0.1:
                game.service = another()
        paid = times_checked(log, game)
    assert read_states(log, game.id) == folded(log, game.id)
    shown = [{"seats": view["seats"], "at": view["deadline"]} for view in (game.view(), game.view(0), game.view(1))]
    rebuild(Settings(redis_url=redis_url))
    game.service = another()
    for viewer, one in zip((None, 0, 1), shown, strict=True):
        view = game.view(viewer)
        assert [seat["bank_ms"] for seat in view["seats"]] == [seat["bank_ms"] for seat in one["seats"]]
        assert view["deadline"] == one["at"]
    snapshot = log.read(game.id).snapshot
    assert snapshot.view(WATCHER).banks == snapshot.state.banks


# --- when somebody must look ---


def test_a_seat_with_less_time_than_the_one_before_is_looked_at_in_time(service, clock):
    game = Game.begin(service, 2, clock=BANK, sandbox=CALM)
    clock.advance(290)
    act(game)  # seat 0 has 15 s left
    clock.advance(1)
    act(game)
    due = clock.ms + 15_000
    assert deadline(game) == due
    told = []
    while not told:
        clock.ms += max(1, service.schedule.pause_ms(1_000))
        told = service.schedule.tasks()
    assert told == [Task("time_out", game.id, game.service.play._log.read(game.id).snapshot.version)]
    assert due <= clock.ms <= due + 1


def test_who_loses_a_race_leaves_no_later_look_behind(service, clock, another, monkeypatch):
    game = Game.begin(service, 3, clock=BANK | {"seconds": 100}, sandbox=CALM)
    clock.advance(90)
    act(game)
    clock.advance(90)
    act(game)
    clock.advance(1)
    slow = another()
    append = slow.play._changes.log.append

    def late(new, **more):
        monkeypatch.setattr(slow.play._changes.log, "append", append)
        game.act(2, game.legal(2)[0])  # seat 0 has 15 s left
        return append(new, **more)

    monkeypatch.setattr(slow.play._changes.log, "append", late)
    with pytest.raises(Refused):
        slow.play.act(game.token(2), game.id, read_action(game.legal(2)[0]), words=EN)
    assert service.schedule.pause_ms(1_000) == 0, "somebody looks at once, and finds when it is really due"
    assert service.schedule.tasks() == []
    assert service.schedule.pause_ms(100_000) <= 15_000


# --- what may be asked for ---
