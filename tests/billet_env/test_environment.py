"""How a game goes in the environment: who acts, what is masked, what is rewarded, what ends it."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import billet_env
from billet_env.environment import rewards_of
from engine.errors import UnknownEdition
from engine.events import RoundStarted
from engine.state import FINISHED
from engine.views import present
from tests.billet_env.play import positions
from tests.engine.given import given
from tests.engine.random_games import EVERY_TABLE

ROOT = Path(__file__).parents[2]


@EVERY_TABLE
class TestEveryTable:
    def test_only_the_seat_to_act_has_actions_and_all_that_are_legal(self, edition, seats):
        for environment in positions(edition, seats, 1):
            for agent in environment.agents:
                mask = environment.observe(agent)["action_mask"]
                if agent == environment.agent_selection:
                    view, numbering = environment.view(agent), environment.numbering
                    allowed = [numbering.action(view, number) for number in np.flatnonzero(mask)]
                    assert set(allowed) == set(environment.legal_actions(agent))
                else:
                    assert not mask.any()
                    assert environment.legal_actions(agent) == []

    def test_rewards_come_at_the_end_and_add_up_to_nothing(self, edition, seats):
        for environment in positions(edition, seats, 2):
            assert set(environment.rewards.values()) == {0.0}
        ended = environment
        assert ended.view("seat_0").status == FINISHED
        assert sum(ended.rewards.values()) == pytest.approx(0)
        winners = {f"seat_{seat}" for seat in ended.view("seat_0").winners}
        best = max(ended.rewards.values())
        assert {agent for agent, reward in ended.rewards.items() if reward == best} == winners

    def test_a_seat_has_the_events_of_the_round_as_it_saw_them(self, edition, seats):
        for environment in positions(edition, seats, 3):
            for seat, agent in enumerate(environment.agents):
                first, *_ = events = environment.events(agent)
                assert isinstance(first, RoundStarted)
                assert all(first.hands[other] is None for other in range(seats) if other != seat)
                assert all(None in (event.card, *first.deck) for event in events if event.type == "card_drawn")


def test_another_seed_is_another_game_and_none_goes_on_with_the_last():
    environment = billet_env.Environment("standard", 2)

    def dealt(seed):
        environment.reset(seed=seed)
        return [present(environment.view(agent)) for agent in environment.agents]

    first, other = dealt(1), dealt(2)
    assert first != other
    following = dealt(None)
    assert following != other
    assert (dealt(1), dealt(None) != following) == (first, True)


def test_an_action_that_is_not_legal_ends_the_game_of_learners():
    environment = billet_env.env("classic", 2)
    environment.reset(seed=1)
    agent = environment.agent_selection
    mask = environment.last()[0]["action_mask"]
    environment.step(int(np.flatnonzero(mask == 0)[0]))
    assert environment.rewards[agent] == -1
    assert all(environment.terminations.values())


def test_the_bare_environment_refuses_it_and_stays_as_it_was():
    environment = billet_env.Environment("classic", 2)
    environment.reset(seed=1)
    before = environment.last()[0]
    with pytest.raises(ValueError, match="not legal now"):
        environment.step(int(np.flatnonzero(before["action_mask"] == 0)[0]))
    after = environment.last()[0]
    assert np.array_equal(before["observation"], after["observation"])


@pytest.mark.parametrize("action", [1.7, 1.0, True, np.True_, np.float32(1), np.array([1, 2]), "1", None], ids=repr)
def test_what_is_no_whole_number_is_no_action(action):
    environment = billet_env.Environment("classic", 2)
    environment.reset(seed=1)
    before = environment.last()
    with pytest.raises(TypeError, match="by a whole number, not by"):
        environment.step(action)
    assert not environment.action_space(environment.agent_selection).contains(action)
    assert np.array_equal(environment.last()[0]["observation"], before[0]["observation"])
    learners = billet_env.env("classic", 2)
    learners.reset(seed=1)
    with pytest.raises((AssertionError, TypeError)):
        learners.step(action)


def test_a_whole_number_is_taken_however_a_library_writes_it():
    environment = billet_env.Environment("classic", 2)
    for kind in (int, np.int64, np.uint8, np.array):
        environment.reset(seed=1)
        agent = environment.agent_selection
        environment.step(kind(int(np.flatnonzero(environment.observe(agent)["action_mask"])[0])))
        assert len(environment.events(agent)) > 1


@pytest.mark.parametrize("number", [-1, 10_000])
def test_a_number_that_no_action_has_is_refused(number):
    environment = billet_env.Environment("classic", 2)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="is no action"):
        environment.step(number)


def test_winners_share():
    table = given(hands=["guard baron", "king", "king", "king"], deck="spy")
    state = table.state
    for winners, rewards in (
        ((0,), [1, -1 / 3, -1 / 3, -1 / 3]),
        ((0, 2), [1 / 3, -1 / 3, 1 / 3, -1 / 3]),
        ((0, 1, 2, 3), [0, 0, 0, 0]),
    ):
        state.winners = winners
        assert rewards_of(state) == pytest.approx(rewards)


def test_house_readings_can_be_chosen():
    environment = billet_env.env("lovecraft", 3, {"liber_ivonis": "published"})
    environment.reset(seed=1)
    assert environment.unwrapped.view("seat_0").book.options == {"liber_ivonis": "published"}
    with pytest.raises(UnknownEdition):
        billet_env.env("lovecraft", 3, {"liber_ivonis": "both"})


def test_a_misspelt_edition_is_refused_with_those_there_are():
    with pytest.raises(UnknownEdition, match="'premum', only standard, classic, premium, lovecraft"):
        billet_env.env("premum", 2)


def test_the_table_can_be_printed_as_the_seat_to_act_sees_it():
    environment = billet_env.env("standard", 3, render_mode="ansi")
    environment.reset(seed=1)
    first, *lines = environment.render().splitlines()
    assert first == "round 1, 16 cards to draw"
    [line] = [line for line in lines if line.startswith("> ")]
    assert f"> {environment.agent_selection}: 0 tokens, holds " in line
    assert [other.endswith("holds ?, has played -") for other in lines].count(True) == 2
    assert billet_env.Environment("standard", 3).render() is None


def test_the_example_plays_its_games():
    words = [sys.executable, ROOT / "examples/research/random_games.py", "--games", "10", "--edition", "lovecraft"]
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=240, cwd=ROOT).stdout
    first, *seats = said.splitlines()
    assert first.startswith("lovecraft, 4 seats: 10 games, ")
    rewards = [float(line.split(": ")[1].split()[0]) for line in seats]
    assert len(rewards) == 4
    assert sum(rewards) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(
    "words", [["--edition", "nope"], ["--edition", "classic", "--seats", "5"], ["--games", "0"]], ids=" ".join
)
def test_the_example_says_in_a_sentence_what_cannot_be_played(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["random_games.py", *words])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "examples/research/random_games.py"), run_name="__main__")
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert said.err.splitlines()[-1].startswith("random_games.py: error: ")


def test_the_page_plays_the_game_that_it_shows_and_the_same_again(capsys):
    page = (ROOT / "docs" / "research.md").read_text()
    blocks = re.findall(r"^<!-- executed -->\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    said, measured, moment = [
        subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=True, timeout=240).stdout
        for block in blocks
    ]
    for block, before in zip(blocks, (said, measured, moment), strict=True):
        exec(block, {"__name__": "__main__"})
        assert capsys.readouterr().out == before
    assert re.fullmatch(r"won \d\.0%, 95 % interval .*\n", measured)
    assert [line.split()[1:] for line in moment.splitlines()[:-1]] == [["guard"], ["prince", "0"]]
    assert f"The last line says `{moment.splitlines()[-1]}`" in page
    assert sorted(line.split()[0] for line in said.splitlines()) == ["seat_0", "seat_1", "seat_2"]
    assert sum(float(line.split()[1]) for line in said.splitlines()) == pytest.approx(0)
