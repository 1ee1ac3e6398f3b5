"""The game in the terminal among the examples, as a process that a person types into."""

import subprocess

import pytest

from tools.testbed.installed import ROOT, python_with_client


def typed(served, lines, *words):
    """Returns the finished example that got these lines as its input."""
    return subprocess.run(
        [python_with_client(), ROOT / "examples" / "terminal.py", served.base, *words],
        input=lines,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.mark.parametrize("edition", ["standard", "lovecraft"])
def test_a_whole_game_is_played_to_its_end(served, edition):
    done = typed(served, "1\n" * 2000, "--edition", edition, "--name", "Ann", "--bot", "random", "--seats", "2")
    assert (done.returncode, done.stderr) == (0, "")
    turns = done.stdout.count("or q to leave: ")
    assert turns
    assert done.stdout.count("\n> Ann") == turns
    assert " win the game" in done.stdout or " wins the game" in done.stdout


def test_what_is_no_number_of_an_action_is_asked_again_and_a_player_may_leave(served):
    done = typed(served, "0\nking\n99\nq\n", "--language", "de", "--seats", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("or q to leave: ") == 4
    assert "leave: Du gibst auf" in done.stdout


@pytest.mark.parametrize("words", [("--edition", "chess"), ("--bot", "deep-thought"), ()])
def test_a_refusal_and_the_end_of_the_input_are_one_line(served, words):
    done = typed(served, "", *words)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
