"""Days off in games by the day: the clock stands still, until the seat acts or they are over."""

import json
import threading
from itertools import pairwise

import pytest

from engine.logs.codec import read_action
from games.clocks.breaks import DAY_MS
from games.records.portable import as_json
from games.records.verification import verify
from games.times import ms_of
from tests.games.records.mutations import sealed
from tests.service.at_table import EN, Game, body, guest, read, refusal

DAY, HOUR = 86_400, 3600
DECISIONS, BANKS = {"seconds": 2 * DAY}, {"kind": "bank", "seconds": 2 * DAY, "increment": 60}
CLOCKS = {"decisions": DECISIONS, "banks": BANKS}


def take(service, game, seat, days, key=None):
    return read(service.tables.take_break(game.token(seat), game.id, days, key, words=EN))


def left(game, seat):
    return game.view()["seats"][seat]["break_days_left"]


def until(game, seat):
    found = game.view()["seats"][seat]["break_until"]
    return ms_of(found) if found is not None else None


def deadline(game):
    return ms_of(game.view()["deadline"])


def act(service, game, seat):
    return read(service.play.act(game.token(seat), game.id, read_action(game.legal(seat)[0]), words=EN))


@pytest.fixture
def then(clock):
    """A clock that stands in the middle of a year."""
    clock.ms = ms_of("2026-06-01T12:00:00.000Z")
    return clock


@pytest.fixture(params=CLOCKS)
def game(request, service, then):
    return Game.begin(service, 3, clock=CLOCKS[request.param], starter=0)


def test_the_clock_of_who_must_act_stands_still(service, game, then):
    before = deadline(game)
    then.advance(HOUR)
    view = take(service, game, 0, 3)
    assert deadline(game) == before + 3 * DAY_MS
    assert (until(game, 0), left(game, 0)) == (then.ms + 3 * DAY_MS, 4)
    assert [seat["break_days_left"] for seat in view["seats"]] == [4, 7, 7]
    assert game.events()[-1]["type"] == "break_taken"
    then.advance(5 * DAY - 2 * HOUR)
    assert game.to_act() == 0
    then.advance(2 * HOUR)
    assert game.view()["seats"][0]["away"], "the time that was left is up"
    assert until(game, 0) is None


def test_acting_ends_it_and_the_days_not_begun_come_back(service, game, then):
    take(service, game, 0, 5)
    then.advance(DAY + HOUR)
    act(service, game, 0)
    assert (until(game, 0), left(game, 0)) == (None, 5)
    assert "break_ended" in [event["type"] for event in game.events()]


def test_a_break_that_begins_before_the_turn_holds_up_the_clock_from_then_on(service, game, then):
    take(service, game, 1, 2)
    assert until(game, 1) == then.ms + 2 * DAY_MS
    before = deadline(game)
    then.advance(DAY)
    act(service, game, 0)
    assert before == then.ms - DAY_MS + 2 * DAY_MS, "it is nobody else's"
    assert deadline(game) == then.ms + DAY_MS + 2 * DAY_MS


def test_a_break_that_is_over_before_the_turn_changes_nothing(service, game, then):
    take(service, game, 1, 1)
    then.advance(DAY + HOUR)
    act(service, game, 0)
    assert deadline(game) == then.ms + 2 * DAY_MS


def test_one_break_follows_on_another_and_all_stand_still_exactly_so_long(service, game, then):
    before = deadline(game)
    take(service, game, 0, 1)
    take(service, game, 0, 2)
    assert deadline(game) == before + 3 * DAY_MS
    assert until(game, 0) == then.ms + 3 * DAY_MS
    then.advance(4 * DAY)
    take(service, game, 0, 4)
    assert deadline(game) == before + 7 * DAY_MS
    assert refusal(take, service, game, 0, 1).code == "no_breaks"


def test_several_may_be_on_a_break_at_once(service, game):
    before = deadline(game)
    take(service, game, 1, 1)
    take(service, game, 2, 2)
    assert deadline(game) == before
    take(service, game, 0, 1)
    assert [left(game, seat) for seat in range(3)] == [6, 6, 5]


def test_a_bank_pays_for_the_time_before_and_after_a_break_alone(service, then):
    game = Game.begin(service, 2, clock=BANKS, starter=0)
    then.advance(HOUR)
    take(service, game, 0, 2)
    then.advance(2 * DAY + HOUR)
    act(service, game, 0)
    assert game.view()["seats"][0]["bank_ms"] == (2 * DAY - 2 * HOUR + 60) * 1000
    then.advance(HOUR)
    take(service, game, 1, 2)
    then.advance(DAY)
    act(service, game, 1)
    assert game.view()["seats"][1]["bank_ms"] == (2 * DAY - HOUR + 60) * 1000


def test_a_new_year_brings_all_days_back(service, then):
    then.ms = ms_of("2026-12-20T12:00:00.000Z")
    game = Game.begin(service, 2, clock={"seconds": 14 * DAY}, starter=0)
    act(service, game, 0)
    take(service, game, 1, 7)
    assert left(game, 1) == 0
    then.ms = ms_of("2027-01-01T12:00:00.000Z")
    take(service, game, 1, 7)
    assert left(game, 1) == 0


@pytest.mark.parametrize("acting", ["2026-12-29", "2027-01-02", "2027-01-06"])
def test_days_over_the_new_year_count_in_the_year_in_which_they_begin(service, then, acting):
    then.ms = ms_of("2026-12-28T12:00:00.000Z")
    game = Game.begin(service, 2, clock={"seconds": 14 * DAY}, starter=0)
    take(service, game, 0, 7)
    assert until(game, 0) == ms_of("2027-01-04T12:00:00.000Z")
    assert left(game, 0) == 7, "more would begin in the next year"
    then.ms = ms_of(f"{acting}T12:00:00.000Z")
    act(service, game, 0)
    assert left(game, 0) == (6 if acting < "2027" else 7)


def test_days_that_follow_on_others_in_the_next_year_count_there(service, then):
    then.ms = ms_of("2026-12-28T12:00:00.000Z")
    game = Game.begin(service, 2, clock={"seconds": 14 * DAY}, starter=0)
    take(service, game, 0, 7)
    take(service, game, 0, 3)
    assert until(game, 0) == ms_of("2027-01-07T12:00:00.000Z")
    assert left(game, 0) == 4
    assert refusal(take, service, game, 0, 5).code == "no_breaks"
    then.ms = ms_of("2027-01-08T12:00:00.000Z")
    act(service, game, 0)
    assert left(game, 0) == 4


def test_a_clock_that_is_set_back_gives_no_more_days_than_there_are(service, game, then):
    take(service, game, 0, 2)
    then.advance(-3 * DAY)
    act(service, game, 0)
    assert left(game, 0) == 7


def test_days_are_kept_from_round_to_round_and_for_who_reads_from_there_on(service, another, then):
    positions = [{"hands": [["guard", "princess"], ["spy"]], "turn": 0}]
    game = Game.begin(service, 2, clock=DECISIONS, sandbox={"positions": positions})
    take(service, game, 1, 2)
    out = {"type": "play_card", "card": "guard", "targets": [1], "guess": "spy"}
    service.play.act(game.token(0), game.id, read_action(out), words=EN)
    assert game.view()["round"]["number"] == 2
    assert (left(game, 1), until(game, 1)) == (5, then.ms + 2 * DAY_MS)
    seen = read(another().games.view(None, game.id, words=EN))
    assert [seat["break_days_left"] for seat in seen["seats"]] == [7, 5]
    take(service, game, 1, 1)
    assert until(game, 1) == then.ms + 3 * DAY_MS


def test_who_is_away_comes_back_by_it(service, then):
    game = Game.begin(service, 3, clock=DECISIONS, starter=0)
    then.advance(2 * DAY)
    assert game.view()["seats"][0]["away"]
    take(service, game, 0, 1)
    assert not game.view()["seats"][0]["away"]
    assert [event["type"] for event in game.events()[-2:]] == ["seat_taken_back", "break_taken"]


@pytest.mark.parametrize("clock", [None, {"seconds": DAY - 1}, {"seconds": DAY, "break_days": 0}])
def test_other_games_give_none(service, clock):
    game = Game.begin(service, **({"clock": clock} if clock is not None else {}))
    assert left(game, 0) == 0
    assert refusal(take, service, game, 0, 1).code == "no_breaks"


def test_a_table_says_how_many(service):
    game = Game.begin(service, clock={"seconds": DAY, "break_days": 2}, rated=True, visibility="public")
    assert game.view()["clock"]["break_days"] == left(game, 0) == 2
    assert refusal(take, service, game, 0, 3).code == "no_breaks"
    take(service, game, 0, 2)


def test_only_who_plays_may_take_one(service):
    game = Game.open(service, "creator", "open", "open", clock=DECISIONS)
    assert refusal(take, service, game, 0, 1).code == "game_not_started"
    game.fill()
    stranger = guest(service)
    assert refusal(service.tables.take_break, stranger.token, game.id, 1, words=EN).code == "not_seated"
    service.tables.leave(game.token(1), game.id, words=EN)
    assert refusal(take, service, game, 1, 1).code == "not_seated"
    service.tables.leave(game.token(2), game.id, words=EN)
    assert refusal(take, service, game, 0, 1).code == "game_over"


def test_of_several_seats_the_one_that_must_act_has_a_break(service, then):
    game = Game.open(service, "creator", "creator", clock=DECISIONS, sandbox={"positions": [{"turn": 1}]})
    before = deadline(game)
    take(service, game, 1, 2)
    assert [left(game, seat) for seat in range(2)] == [7, 5]
    assert deadline(game) == before + 2 * DAY_MS


def test_a_repeat_with_its_key_takes_no_more_days(service, game):
    assert take(service, game, 0, 2, "a-key")["version"] == take(service, game, 0, 2, "a-key")["version"]
    assert left(game, 0) == 5


def test_a_timeout_that_was_due_before_it_does_nothing(service, game, then):
    due = game.view()["version"]
    then.advance(DAY)
    take(service, game, 0, 2)
    then.advance(2 * DAY)
    tasks = service.schedule.tasks()
    assert all(task.kind != "time_out" for task in tasks)
    service.play.time_out(game.id, due)
    assert game.to_act() == 0
    then.advance(DAY)
    assert any(task.kind == "time_out" for task in service.schedule.tasks()), "sweepers know the new deadline"


def test_a_break_and_a_timeout_at_once_do_not_both_count(service, another, game, then):
    """Whichever is appended first is decided; the other is decided again on that."""
    then.advance(2 * DAY - 1)
    other, start = another(), threading.Barrier(2)
    found = []

    def late():
        start.wait()
        then.advance(0.001)
        other.play.time_out(game.id, game.view()["version"])

    thread = threading.Thread(target=late)
    thread.start()
    start.wait()
    found.append(take(service, game, 0, 1))
    thread.join()
    types = [event["type"] for event in game.events()]
    assert types.count("break_taken") == 1
    assert not game.view()["seats"][0]["away"]
    at = [event["at"] for event in game.events()]
    assert all(one <= two for one, two in pairwise(at))


def test_a_log_with_breaks_verifies_and_one_with_more_than_there_were_does_not(service, game, then):
    take(service, game, 0, 2)
    then.advance(DAY)
    act(service, game, 0)
    take(service, game, 1, 7)
    for seat in (1, 2):
        service.tables.leave(game.token(seat), game.id, words=EN)
    log = json.loads(as_json(service.games.log(game.token(0), game.id)))
    assert verify(log).valid
    taken = next(event for event in log["events"] if event["type"] == "break_taken")
    taken["cause"]["days"] = 8
    found = verify(sealed(log)).divergence
    assert (found.version, found.why.values["why"].key) == (taken["version"], "log.no_break")


def test_a_shorter_clock_cannot_give_any(service):
    clock = {"seconds": DAY - 1, "break_days": 1}
    refused = refusal(service.tables.create, guest(service).token, body("creator", "open", clock=clock), words=EN)
    assert [fault.field for fault in refused.faults] == ["clock.break_days"]
