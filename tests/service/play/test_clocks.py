"""Clocks: when a seat's time is up and what happens then, whoever notices it."""

import contextlib
import random
from itertools import pairwise

import pytest

from engine import views
from engine.bots import BOTS, Bot
from engine.events import RoundStarted
from engine.logs.codec import read_action
from games.bots.think_time import QUICK_SECONDS
from games.bots.turns import AT_ONCE, STAND_IN, choice
from games.errors import Refused
from games.records.portable import as_json, parsed
from games.records.verification import verify
from games.steps import SKEW_MS
from games.times import ms_of, text_of
from service.changing import changes
from service.jobs.schedule import Task
from tests.engine.given import timed_out
from tests.service.at_table import EN, Game, guest, nearly_won, read
from tests.service.states import folded
from tests.service.states import read as read_states

BOT_PLAYS = {"seconds": 10, "on_timeout": "bot_plays"}
FORFEIT = {"seconds": 10, "on_timeout": "forfeit"}
CHANCELLOR = {"rounds": [{"starter": 0, "order": ["spy", "chancellor", "guard", "guard", "priest", "baron", "king"]}]}


def deadline(game):
    text = game.view(creator=True)["deadline"]
    return None if text is None else ms_of(text)


def types(game):
    return [event["type"] for event in game.events()]


# --- times ---


@pytest.mark.parametrize("ms", [0, 1, 999, 1000, 1_700_000_000_123, 4_102_444_799_999])
def test_times_are_written_and_read_alike(ms):
    assert ms_of(text_of(ms)) == ms
    assert len(text_of(ms)) == len("2026-01-31T12:00:00.000Z")


# --- deadlines ---


def test_the_deadline_is_so_long_after_the_question(service, clock, another):
    game = Game.open(service, "creator", "open", "open", clock=BOT_PLAYS)
    assert deadline(game) is None
    clock.advance(100)
    game.fill()
    assert deadline(game) == clock.ms + 10_000
    for seconds in (1, 2.5, 9.999):
        clock.advance(seconds)
        before = deadline(game)
        game.service = another()
        assert deadline(game) == before, "another process says the same"
        assert before > clock.ms
        game.step(random.Random(1))
        assert deadline(game) == clock.ms + 10_000


def test_without_a_clock_and_after_the_end_there_is_no_deadline(service, clock):
    game = Game.begin(service)
    assert deadline(game) is None
    timed = Game.begin(service, clock=BOT_PLAYS)
    service.tables.leave(timed.token(0), timed.id, words=EN)
    assert deadline(timed) is None
    clock.advance(1_000_000)
    before = game.view()
    assert game.view() == before


def test_a_decision_has_a_deadline_of_its_own(service, clock):
    game = Game.begin(service, 3, clock=BOT_PLAYS, sandbox=CHANCELLOR)
    clock.advance(8)
    game.act(0, {"type": "play_card", "card": "chancellor", "targets": []})
    decision = game.view()["decision"]
    assert (decision["seat"], decision["card"], decision["kind"]) == (0, "chancellor", "keep_card")
    assert deadline(game) == clock.ms + 10_000


def test_somebody_else_who_leaves_gives_no_more_time(service, clock):
    game = Game.begin(service, 3, clock=BOT_PLAYS, sandbox={"rounds": [{"starter": 0}]})
    before = deadline(game)
    clock.advance(5)
    service.tables.leave(game.token(2), game.id, words=EN)
    assert deadline(game) == before


# --- what happens ---


def test_nothing_happens_a_moment_before_the_deadline(service, clock):
    game = Game.begin(service, clock=FORFEIT)
    clock.advance(9.999)
    service.play.time_out(game.id, 0)
    assert game.view()["status"] == "active"
    clock.advance(0.001)
    assert game.view()["status"] == "finished"


def test_a_bot_plays_for_a_seat_whose_time_is_up(service, clock, log):
    order = ["spy", "guard", "handmaid", "guard", "priest"]  # nothing that would ask the same seat again
    game = Game.begin(service, 3, clock=BOT_PLAYS, sandbox={"rounds": [{"starter": 1, "order": order}]})
    before = log.read(game.id).snapshot
    clock.advance(10)
    service.play.time_out(game.id, 0)
    events = [entry.event for entry in log.entries(game.id, before.version)]
    assert events[0].type == "seat_timed_out"
    assert events[0].seat == 1
    assert events[1].type == "card_played"
    assert events[1].seat == 1
    expected = timed_out(before.state, 1, choice(before, 1, STAND_IN, AT_ONCE, clock.ms)[0], before.chance())
    assert events == expected, "what the bot that stands in would do"
    assert deadline(game) == clock.ms + 10_000


@pytest.mark.parametrize("noticed", ["by a worker", "by a reader"])
@pytest.mark.parametrize("order", [["spy", "guard", "princess"], ["spy", "handmaid", "spy"]])
def test_the_bot_for_a_seat_whose_time_is_up_takes_as_long_for_any_hand(service, clock, monkeypatch, order, noticed):
    slept = []
    monkeypatch.setattr(changes.STAND_IN_BUDGET.clock, "monotonic", lambda: 0.0)
    monkeypatch.setattr(changes.STAND_IN_BUDGET.clock, "sleep", slept.append)
    game = Game.begin(service, 3, clock=BOT_PLAYS, sandbox={"rounds": [{"starter": 0, "order": order}]})
    clock.advance(10)
    if noticed == "by a worker":
        service.play.time_out(game.id, 0)
    assert "seat_timed_out" in types(game)
    assert slept == [pytest.approx(QUICK_SECONDS * 2 * 10)], "two rivals, ten kinds of cards"


def test_a_seat_whose_time_is_up_forfeits(service, clock):
    game = Game.begin(service, 3, clock=FORFEIT, sandbox={"rounds": [{"starter": 1}]})
    clock.advance(10)
    view = game.view()
    assert (view["seats"][1]["left"], view["status"], view["to_act"]) == (True, "active", 2)
    left = next(event for event in game.events() if event["type"] == "seat_left")
    assert (left["data"]["seat"], left["data"]["reason"]) == (1, "timed_out")
    clock.advance(10)
    assert (game.view()["status"], game.view()["winners"]) == ("finished", [0])


def test_a_bot_that_no_worker_plays_in_time_plays_late_and_loses_nothing(service, clock):
    game = Game.open(service, "creator", "cautious", clock=FORFEIT, sandbox={"rounds": [{"starter": 1}]})
    before = game.view()["version"]
    clock.advance(11)
    assert game.view(0)["version"] > before
    happened = types(game)[before:]
    assert happened[0] == "card_played"
    assert not {"seat_left", "seat_timed_out"} & set(happened)


@pytest.mark.parametrize(("on_timeout", "first"), [(BOT_PLAYS, "seat_timed_out"), (FORFEIT, "decision_taken")])
def test_an_open_decision_is_taken_when_the_time_is_up(service, clock, log, on_timeout, first):
    game = Game.begin(service, 3, clock=on_timeout, sandbox=CHANCELLOR)
    game.act(0, {"type": "play_card", "card": "chancellor", "targets": []})
    before = game.view()["version"]
    clock.advance(10)
    assert game.view()["decision"] is None
    happened = types(game)[before:]
    assert happened[0] == first
    assert "decision_taken" in happened
    assert ("seat_left" in happened) == (on_timeout is FORFEIT)
    assert read_states(log, game.id) == folded(log, game.id)


ASKED = [
    ("bishop", [1], 5, {"seat": 1, "card": "bishop", "kind": "redraw_hand"}, "hand_discarded"),
    ("cardinal", [1, 2], None, {"seat": 0, "card": "cardinal", "kind": "peek_hand"}, "hand_shown"),
]


@pytest.mark.parametrize("on_timeout", [BOT_PLAYS, FORFEIT])
@pytest.mark.parametrize(("card", "targets", "number", "decision", "otherwise"), ASKED)
def test_a_question_that_may_be_answered_with_nothing_is_when_the_time_is_up(
    service, clock, log, on_timeout, card, targets, number, decision, otherwise
):
    order = ["guard", card, "prince", "princess", "guard", "guard", "count"]
    sandbox = {"rounds": [{"starter": 0, "order": order}]}
    game = Game.begin(service, 5, edition="premium", clock=on_timeout, sandbox=sandbox)
    named = {} if number is None else {"guess_value": number}
    game.act(0, {"type": "play_card", "card": card, "targets": targets, **named})
    view = game.view()
    assert view["decision"].items() >= decision.items()
    assert deadline(game) == clock.ms + 10_000
    clock.advance(10)
    assert game.view()["decision"] is None
    happened = types(game)[view["version"] :]
    assert "decision_taken" in happened
    assert otherwise not in happened
    assert game.view()["seats"][decision["seat"]]["left"] == (on_timeout is FORFEIT)


def test_long_after_the_deadline_one_question_is_answered_and_the_next_seat_has_its_time(service, clock):
    calm = {"rounds": [{"starter": 0, "order": ["spy", "handmaid", "priest", "king", "priest"]}]}
    game = Game.begin(service, 3, clock=BOT_PLAYS, sandbox=calm)
    clock.advance(100_000)
    game.view()
    assert types(game).count("seat_timed_out") == 1
    assert deadline(game) == clock.ms + 10_000


# --- who notices ---


def accesses(service, game):
    """Returns all calls that read or change a game, by name."""
    token, seat = game.creator.token, game.to_act()
    action = game.legal(seat)[0]
    return {
        "view": lambda: service.games.view(None, game.id, words=EN),
        "as": lambda: service.games.view(None, game.id, as_="all", words=EN),
        "events": lambda: service.games.events(None, game.id),
        "mine": lambda: service.lobby.mine(token),
        "act": lambda: service.play.act(game.token(seat), game.id, read_action(action), words=EN),
        "leave": lambda: service.tables.leave(guest(service).token, game.id, words=EN),
        "abort": lambda: service.tables.abort(token, game.id, words=EN),
        "join": lambda: service.tables.take_seat(token, game.id, {}, words=EN),
        "rematch": lambda: service.tables.rematch(token, game.id, words=EN),
        "time_out": lambda: service.play.time_out(game.id, 0),
    }


@pytest.mark.parametrize(
    "name",
    ["view", "as", "events", "mine", "act", "leave", "abort", "join", "rematch", "time_out"],
)
def test_whoever_comes_first_after_the_deadline_enforces_it(service, clock, log, name):
    game = Game.begin(service, 2, clock=FORFEIT)
    call = accesses(service, game)[name]
    clock.advance(10)
    with contextlib.suppress(Refused):
        call()  # what it is answered is for the game as it is then
    assert log.read(game.id).snapshot.state.status == "finished"


def test_an_action_after_the_deadline_is_refused_and_one_in_time_is_taken(service, clock):
    rounds = [{"starter": 0, "order": ["spy", "handmaid", "guard", "guard", "handmaid"]}]
    game = Game.begin(service, 3, clock=BOT_PLAYS, sandbox={"rounds": rounds})
    clock.advance(10)
    with pytest.raises(Refused) as refused:
        game.act(0, {"type": "play_card", "card": "handmaid", "targets": []})
    assert refused.value.code == "not_your_turn"
    clock.advance(9.999)
    assert game.act(1, game.legal(1)[0])


# --- clocks that jump ---


def test_a_clock_that_is_set_back_gives_more_time_and_harms_nothing(service, clock, log, another):
    game = Game.begin(service, 2, clock=BOT_PLAYS)
    asked = clock.ms
    clock.advance(-3600)
    assert deadline(game) == asked + 10_000
    service.play.time_out(game.id, 0)
    assert types(game).count("seat_timed_out") == 0
    service.schedule.tasks()
    game.step(random.Random(1))
    assert deadline(game) == clock.ms + 10_000, "from now on by the clock as it is"
    assert read(another().games.view(game.token(0), game.id, words=EN)) == game.view(0)
    clock.advance(10)
    assert types(game).count("seat_timed_out") == 1
    assert read_states(log, game.id) == folded(log, game.id)


@pytest.mark.parametrize("kind", ["decision", "bank"])
def test_a_game_is_valid_whatever_becomes_of_the_clock_of_its_machine(service, clock, kind):
    limits = {"kind": kind, "seconds": 60, "on_timeout": "bot_plays"}
    game, rng = Game.begin(service, 3, clock=limits), random.Random(1)
    jumps = [-1, -4.999, -5, -5.001, -60, -3600, -365 * 86_400, 3600, 61]
    for jump in jumps * 3:
        clock.advance(jump)
        service.play.time_out(game.id, 0)
        if game.to_act() is not None:
            game.step(rng)
    log = parsed(as_json(service.games.log(None, game.play(rng).id)))
    times = [ms_of(event["at"]) for event in log["events"]]
    back = [before - after for before, after in pairwise(times) if after < before]
    assert back, "the clock was followed"
    assert min(back) > SKEW_MS
    assert verify(log).valid


# --- the service's own bots ---


def test_a_bot_chooses_from_what_its_seat_sees(service, log, monkeypatch):
    seen = []
    monkeypatch.setitem(BOTS, "random", Bot(lambda asked, rng: seen.append(asked) or rng.choice(asked.legal)))
    game = Game.open(service, "random", "random", "random").play(random.Random(1), 20)
    assert len(seen) > 5
    events = [entry.event for entry in log.entries(game.id, 0)]
    for asked in seen:
        known = events[: asked.view.version]
        begun = max(place for place, event in enumerate(known) if isinstance(event, RoundStarted))
        assert asked.view == views.view(known, asked.view.to_act)
        assert list(asked.events) == views.redact_log(known[begun:], asked.view.to_act)


def broken(asked, rng):
    view = asked.view
    raise RuntimeError(f"I hold the {view.seats[view.to_act].hand}")


def thief(asked, rng):
    chosen = asked.legal[0]
    asked.view.seats[0].hand.append("princess")
    asked.legal.clear()
    asked.events.clear()
    return chosen


@pytest.mark.parametrize(
    "bot",
    [broken, thief, lambda asked, rng: None, lambda asked, rng: "guard", lambda asked, rng: asked.legal],
    ids=["raises", "spoils what it is given", "none", "a text", "a list"],
)
def test_whatever_a_bot_does_its_seat_acts(service, clock, log, monkeypatch, bot):
    monkeypatch.setitem(BOTS, "random", Bot(bot))
    monkeypatch.setitem(BOTS, "cautious", Bot(bot))
    game = Game.open(service, "random", "cautious", sandbox=nearly_won("standard", 2)).play(random.Random(1))
    assert game.view()["status"] == "finished"
    timed = Game.begin(service, 2, clock=BOT_PLAYS)
    clock.advance(10)
    assert types(timed).count("seat_timed_out") == 1
    assert read_states(log, game.id) == folded(log, game.id)


@pytest.fixture
def no_random_bot():
    """Takes a bot away; afterwards all are there in their order, in which lists show them to later tests."""
    bots = dict(BOTS)
    yield lambda: BOTS.pop("random")
    BOTS.clear()
    BOTS.update(bots)


def test_a_bot_that_is_no_more_is_stood_in_for(service, no_random_bot):
    game = Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]})
    no_random_bot()
    before = game.view()["version"]
    service.play.bot_turns(game.id, 0)
    assert game.view()["version"] > before


def test_the_same_bot_in_the_same_game_at_the_same_version_chooses_alike(service, another, log):
    game = Game.open(service, "random", "cautious", "random")
    for _ in range(10):
        snapshot = log.read(game.id).snapshot
        if snapshot.state.to_act is None:
            break
        bot = snapshot.players[snapshot.state.to_act].removeprefix("bot-")
        choices = {repr(choice(snapshot, snapshot.state.to_act, bot, AT_ONCE, 0)) for _ in range(5)}
        assert len(choices) == 1
        service.play.bot_turns(game.id, 0)


def test_bots_play_on_until_somebody_else_must_act(service):
    game = Game.open(service, "creator", *["random"] * 5, sandbox={"rounds": [{"starter": 1}]})
    assert service.play.bot_turns(game.id, 60) is None
    assert game.view()["to_act"] in (0, None)
    assert service.play.bot_turns(game.id, 60) is None, "there is nothing to do"
    assert service.play.bot_turns("no-such-game", 60) is None


def test_bots_that_run_out_of_time_say_where_they_stopped(service):
    game = Game.open(service, "random", "random")
    before = game.view()["version"]
    stopped = service.play.bot_turns(game.id, 0)
    version = game.view()["version"]
    assert stopped == Task("bots", game.id, version, unattended=True, humans=(game.creator.id,))
    assert stopped.version > before
    while service.play.bot_turns(game.id, 0.05) is not None:
        pass
    assert game.view()["status"] == "finished"


def test_a_bots_turn_that_somebody_else_has_taken_is_not_taken_again(service, another, monkeypatch, log):
    game = Game.open(service, "random", "random")
    slow = another()
    write = slow.play._changes._write

    def late(step, **more):
        service.play.bot_turns(game.id, 0)
        return write(step, **more)

    monkeypatch.setattr(slow.play._changes, "_write", late)
    before = types(game).count("card_played")
    assert slow.play.bot_turns(game.id, 0).version == game.view()["version"], "what is left to do"
    assert types(game).count("card_played") == before + 1
    assert read_states(log, game.id) == folded(log, game.id)
