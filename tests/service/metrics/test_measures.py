"""What is measured of games: each append, turn and timeout once, by edition and bot, and how long it took."""

import random
import threading

import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from tests.service.at_table import EN, Game, guest
from tests.service.metrics.measured import measured

PLAYS = {"seconds": 10, "on_timeout": "bot_plays"}
FORFEIT = {"seconds": 10, "on_timeout": "forfeit"}
ORDERS = {
    "play": ["spy", "guard", "priest", "baron", "king"],
    "decision": ["spy", "chancellor", "guard", "guard", "priest", "baron", "king"],
}


def started(kind):
    return {"rounds": [{"starter": 0, "order": ORDERS[kind]}]}


def test_every_append_counts_once_by_edition(service, log):
    games = {edition: Game.begin(service, edition=edition) for edition in ("classic", "premium")}
    games["premium"].play(random.Random(1))
    found = measured(service)
    assert found["appends_total classic"] == 2, "the table is opened, and somebody sits down"
    appends = {entry.at: entry for entry in log.entries(games["premium"].id, 0)}
    assert len(appends) <= found["appends_total premium"] < len(log.entries(games["premium"].id, 0))
    assert found["games_ended_total premium finished"] == 1
    assert "games_ended_total classic finished" not in found


def test_a_bots_turn_takes_from_the_action_before_it_to_what_it_does(service, clock):
    order = [*["guard"] * 4, "priest", "handmaid", "priest"]  # after the first action it is the bot's turn
    sandbox = {"rounds": [{"starter": 0, "order": order}]}
    game = Game.open(service, "creator", "cautious", edition="classic", sandbox=sandbox)
    game.act(0, game.legal(0)[0])
    clock.advance(0.3)
    service.play.bot_turns(game.id, 0)
    found = measured(service)
    assert found["turn_seconds_count cautious classic"] == 1
    assert found["turn_seconds_sum cautious classic"] == pytest.approx(0.3)
    assert found["bot_think_seconds_count cautious classic"] == 1
    assert 0 < found["bot_think_seconds_sum cautious classic"] < 60
    game.play(random.Random(2))
    bots = sum(event["type"] == "card_played" and event["data"]["seat"] == 1 for event in game.events())
    assert measured(service)["turn_seconds_count cautious classic"] == bots


def test_people_and_those_who_leave_are_no_turns_of_bots(service, clock):
    game = Game.open(service, "creator", "cautious", "open", starter=1).fill()
    service.tables.leave(game.token(2), game.id, words=EN)
    people = Game.begin(service)
    people.act(people.to_act(), people.legal(people.to_act())[0])
    assert not [name for name in measured(service) if "turn" in name or "think" in name or "timeout" in name]


@pytest.mark.parametrize("course", ["play", "decision"])
@pytest.mark.parametrize("rule", [PLAYS, FORFEIT], ids=["plays", "forfeit"])
def test_a_timeout_is_as_late_as_it_is_carried_out_after_the_deadline(service, clock, rule, course):
    game = Game.begin(service, 3, clock=rule, sandbox=started(course))
    if course == "decision":
        card = next(action for action in game.legal(0) if action["card"] == "chancellor")
        game.act(0, card)
    clock.advance(10.25)
    service.play.time_out(game.id, 0)
    service.play.time_out(game.id, 0)
    found = measured(service)
    assert found["timeout_lateness_seconds_count standard"] == 1
    assert found["timeout_lateness_seconds_sum standard"] == pytest.approx(0.25)


def test_a_bot_that_is_late_under_a_clock_is_a_turn_and_no_timeout(service, clock):
    game = Game.open(service, "creator", "random", clock=PLAYS, starter=1)
    clock.advance(11)
    game.view()
    found = measured(service)
    assert found["turn_seconds_sum random standard"] == pytest.approx(11)
    assert "timeout_lateness_seconds_count standard" not in found


def test_who_was_faster_is_a_conflict_of_the_others(service, another, monkeypatch):
    game = Game.begin(service, 3)
    other = another()
    seat = game.to_act()
    action = game.legal(seat)[0]
    read_once = type(other.play._log).read

    def overtaken(self, *arguments):
        reading = read_once(self, *arguments)
        if self is other.play._log and not done.is_set():
            done.set()
            game.act(seat, action)
        return reading

    done = threading.Event()
    monkeypatch.setattr(type(other.play._log), "read", overtaken)
    with pytest.raises(Refused):
        other.play.act(game.token(seat), game.id, read_action(action), words=EN)
    assert measured(other)["conflicts_total standard"] == 1


def test_an_action_that_is_refused_is_neither_an_append_nor_a_conflict(service):
    game = Game.begin(service)
    before = measured(service)
    with pytest.raises(Refused):
        service.play.act(guest(service).token, game.id, read_action({"type": "play_card", "card": "guard"}), words=EN)
    assert measured(service) == before
