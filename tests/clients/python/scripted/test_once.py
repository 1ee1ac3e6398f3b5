"""A real service behind a network that loses answers and delivers requests twice: everything is done once."""

import random

import pytest

from tests.clients.python.scripted.server import Scripted, cut, lose, passed_on, problem

AFTER_THE_EFFECT = {"lost": {"then": lose}, "cut": {"then": cut}, "twice": {"times": 2}}
INSTEAD = [lose, cut, problem(503, "unavailable"), problem(429, "rate_limited")]


@pytest.fixture
def network(served):
    """What lies between the clients and the service; it passes everything on until a test says otherwise."""
    with Scripted(passed_on(served.base)) as server:
        yield server


@pytest.fixture
def ann(connected, register, network):
    return connected(network.url, register("Ann").token)


@pytest.fixture(params=AFTER_THE_EFFECT.values(), ids=AFTER_THE_EFFECT)
def mishap(request, served, network):
    """Lets the next call go wrong when it has been carried out."""
    return lambda: network.steps.insert(0, passed_on(served.base, **request.param))


def test_a_table_is_opened_left_and_played_again_once(ann, mishap):
    mishap()
    game = ann.create("standard", ["creator", "random"])
    assert [found.id for found in ann.my_games()] == [game.id]
    mishap()
    assert ann.leave(game).status == "finished"
    mishap()
    again = ann.rematch(game)
    assert {found.id for found in ann.my_games()} == {game.id, again.id}


def test_a_seat_is_taken_once(ann, register, mishap):
    opened = register("Ben").create("standard", ["open", "creator", "open"])
    mishap()
    joined = ann.join(opened)
    assert joined.viewer.seat == 0
    assert ann.view(opened).version == joined.version == opened.version + 1


def test_an_action_is_taken_once(ann, register, mishap):
    opened = ann.create("standard", ["creator", "open"], starter=0)
    register("Ben").join(opened)
    view = ann.view(opened)
    mishap()
    result = ann.act(view, view.legal_actions[0])
    assert ann.view(opened).version == result.version == result.game.version
    assert [event.version for event in result.events] == list(range(view.version + 1, result.version + 1))


def test_a_game_over_a_bad_network_holds_what_was_chosen_and_nothing_else(ann, register, served, network):
    rng = random.Random(7)

    def bad(handler):
        then = rng.choice([None, None, None, None, lose, cut])
        passed = passed_on(served.base, times=rng.choice([1, 1, 2]), then=then)
        (rng.choice(INSTEAD) if rng.random() < 0.15 else passed)(handler)

    network.steps[:] = [bad]
    chosen = []

    def choose(view):
        chosen.append(rng.choice(view.legal_actions).action.to_dict())
        return next(legal for legal in view.legal_actions if legal.action.to_dict() == chosen[-1])

    end = ann.play(ann.create("standard", ["creator", "cautious"]), choose)
    assert end.status == "finished"
    events = list(register("Watcher").events(end))
    assert list(ann.events(end)) != events, "the watcher sees no hands"
    own = [event for event in events if event.type_ in ("card_played", "decision_taken") and event.data.seat == 0]
    assert [event.data.card for event in own if event.type_ == "card_played"] == [
        action["card"] for action in chosen if action["type"] == "play_card"
    ]
    assert len(own) == len(chosen)
