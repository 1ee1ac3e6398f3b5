"""Games of the environment that begin in the middle of a round."""

import random

import pytest

import billet_env
from engine.views import present
from tests.engine.random_games import EVERY_TABLE
from tests.engine.random_positions import as_position, in_part, random_state

MOMENT = {"hands": [["guard", "prince"], ["handmaid"]], "protected": [1], "deck": [], "set_aside": "princess"}


def play_on(environment, generator, steps=30):
    """Plays at random; checks that every row lies in its space, and every action has a number."""
    for _ in range(steps):
        if any(environment.terminations.values()):
            break
        for agent in environment.agents:
            assert environment.observe(agent) in environment.observation_space(agent)
        agent = environment.agent_selection
        view = environment.view(agent)
        number = environment.numbering.number(view, generator.choice(environment.legal_actions(agent)))
        assert environment.observe(agent)["action_mask"][number]
        environment.step(number)


@EVERY_TABLE
def test_a_game_begins_with_the_position_and_goes_on(edition, seats):
    generator = random.Random(f"{edition} {seats}")
    for seed in range(3):
        state = random_state(edition, seats, seed)
        whole = as_position(state)
        environment = billet_env.Environment(edition, seats, state.book.options)
        environment.reset(seed=seed, options={"position": whole})
        for seat, agent in enumerate(environment.agents):
            seen = environment.view(agent)
            assert seen.turn == whole["turn"]
            assert seen.seats[seat].hand == whole["hands"][seat]
            assert [list(one.discards) for one in seen.seats] == whole["discards"]
            assert [one.tokens for one in seen.seats] == whole["tokens"]
            assert not any(seen.deck)
        play_on(environment, generator)
        environment.reset(seed=seed, options={"position": in_part(whole, generator)})
        play_on(environment, generator)


def test_what_is_left_out_is_drawn_by_the_seed():
    environment = billet_env.Environment("premium", 5)

    def drawn(seed):
        environment.reset(seed=seed, options={"position": {"discards": [["guard"]], "turn": 2}})
        return [present(environment.view(agent)) for agent in environment.agents]

    assert drawn(1) == drawn(1) != drawn(2)


def test_a_game_without_a_position_is_dealt_again():
    environment = billet_env.Environment("standard", 2)
    environment.reset(seed=1)
    dealt = present(environment.view("seat_0"))
    environment.reset(seed=1, options={"position": MOMENT})
    assert environment.view("seat_0").deck == []
    for options in (None, {}, {"position": None}, {"position": {}}, {"anything": 1}):
        environment.reset(seed=1, options=options)
        assert present(environment.view("seat_0")) == dealt


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"hands": [["princess", "princess"]]}, "position: excess, card princess, count 2, copies 1"),
        ({"hands": [["dragon"]]}, "position: no_such_card, card dragon"),
        ({"hands": [[], ["spy"]], "out": [1]}, "position.out: alone"),
        ({"turn": 5}, "position.turn: seat, last 1"),
        ({"tokens": [9]}, "position.tokens: won"),
        ({"cards": []}, "and not 'cards'"),
        ([["guard"]], "a position is a mapping"),
        ("guard", "a position is a mapping, not 'guard'"),
        ({"hands": 3}, "is malformed"),
        ({"marks": [{}]}, "is malformed"),
        ({"tokens": ["many"]}, "is malformed"),
    ],
)
def test_a_position_that_cannot_be_is_refused_and_changes_nothing(position, said):
    environment = billet_env.Environment("standard", 2)
    environment.reset(seed=1)
    before = [present(environment.view(agent)) for agent in environment.agents]
    with pytest.raises(ValueError, match=said):
        environment.reset(seed=2, options={"position": position})
    with pytest.raises(ValueError, match="give one `position`"):
        environment.reset(seed=2, options={"positions": [MOMENT]})
    assert [present(environment.view(agent)) for agent in environment.agents] == before
    environment.reset()
    again = billet_env.Environment("standard", 2)
    again.reset(seed=1)
    again.reset()
    assert present(environment.view("seat_0")) == present(again.view("seat_0")), "its chance goes on as if not asked"


def test_a_position_that_ends_the_game_as_it_begins_rewards_at_once():
    position = {
        "hands": [["investigators"], ["elder_sign"]],
        "discards": [["deep_ones"]],
        "deck": ["golden_mead", "cats_of_ulthar"],
        "tokens": [0, 1],
    }
    game = billet_env.env("lovecraft", 2)
    game.reset(seed=1, options={"position": position})
    rewards = {}
    for agent in game.agent_iter():
        _, rewards[agent], terminated, _, _ = game.last()
        assert terminated
        game.step(None)
    assert rewards == {"seat_0": -1.0, "seat_1": 1.0}
