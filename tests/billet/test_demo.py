"""The demo against a real installation."""

import os
import signal
import subprocess

import pytest

from tests.installation import all_gone

pytestmark = pytest.mark.timeout(180)


@pytest.mark.parametrize("edition", ["standard", "classic"])
@pytest.mark.parametrize("bots", ["random", "cautious"])
def test_it_plays_a_whole_game_by_itself(installation, edition, bots):
    done = installation.run("demo", "--auto", "--edition", edition, "--bots", bots, "--seats", "4")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Round 1" in done.stdout
    assert "the game. Tokens: " in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("tail", ["/", "/v1", "/v1/"])
def test_it_finds_its_server_by_url(installation, tail):
    environment = {**installation.environment, "PORT": "1"}
    done = subprocess.run(
        installation.command("demo", "--auto", "--seats", "2", "--url", f"{installation.url}{tail}"),
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_a_person_chooses_by_number_and_leaves_with_q(installation):
    done = installation.run("demo", "--seats", "2", "--name", "Ann", input="first\n0\n99\n1\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "   1. " in done.stdout
    assert "'first' is none of them." in done.stdout
    assert "'0' is none of them." in done.stdout
    assert "'99' is none of them." in done.stdout
    assert "the others play on" not in done.stdout
    assert " wins the game. Tokens: " in done.stdout or "You win the game. Tokens: " in done.stdout


def test_leaving_a_table_of_two_ends_the_game(installation):
    done = installation.run("demo", "--seats", "2", "--name", "Ann", input="q\n")
    assert (done.returncode, done.stderr) == (0, "")
    last = done.stdout.splitlines()[-1]
    assert "You leave the game, and that ends it. Cautious wins the game. Tokens: " in last


def test_a_reader_that_has_enough_ends_it_without_a_word(installation):
    with subprocess.Popen(
        installation.command("demo", "--auto"),
        env={**installation.environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as demo:
        game = demo.stdout.readline().split()[1]
        demo.stdout.close()
        errors = demo.stderr.read()
    assert (demo.returncode, errors) == (141, "")
    events = installation.call("GET", f"/v1/games/{game}/events")[1]["events"]
    assert "seat_left" in [event["type"] for event in events]


def test_the_end_of_input_leaves_politely(installation):
    done = installation.run("demo", input="")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("You leave the game; the others play on.\n")
    game = done.stdout.split()[1]
    view = installation.call("GET", f"/v1/games/{game}")[1]
    events = installation.call("GET", f"/v1/games/{game}/events")[1]["events"]
    assert {"seat": 0, "reason": "resigned"}.items() <= next(
        event["data"] for event in events if event["type"] == "seat_left"
    ).items()
    assert view["status"] in ("active", "finished")


def test_ctrl_c_leaves_politely(installation):
    with subprocess.Popen(
        installation.command("demo"),
        env={**installation.environment, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as demo:
        for line in demo.stdout:
            if "   1. " in line:
                break
        demo.send_signal(signal.SIGINT)
        rest, errors = demo.communicate(timeout=30)
    assert demo.returncode == 130
    assert errors == ""
    assert rest.endswith("You leave the game; the others play on.\n")


def test_it_goes_on_when_the_api_was_killed(installation):
    with subprocess.Popen(
        installation.command("demo", "--auto"),
        env={**installation.environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as demo:
        for line in demo.stdout:
            if line.startswith("You play"):
                break
        api = installation.part("billet", "api")
        os.kill(api, signal.SIGKILL)
        assert all_gone([api])
        rest, errors = demo.communicate(timeout=120)
    assert (demo.returncode, errors) == (0, "")
    assert "the game. Tokens: " in rest.splitlines()[-1]
    assert f"The server at {installation.url} is away" in rest
    assert "It is back." in rest


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--edition", "chess"], "the server refuses: "),
        (["--seats", "40"], "the server refuses: "),
        (["--bots", "psychic"], "the server refuses: "),
        (["--edition", "classic", "--seats", "5"], "seats: "),
        (["--seats", "1"], "seats: Must have 2 to 8 items."),
        (["--seats", "7"], "seats: "),
        (["--bots", "clever"], "seats.1.bot: Must be one of: "),
        (["--name", ""], "name: Must have 1 to 40 characters."),
        (["--url", "http://"], "and name a host"),
        (["--url", "http://127.0.0.1/?x=1"], "must be the server's address alone"),
        (["--url", "file:///etc/passwd"], "--url must start with http:// or https://"),
    ],
)
def test_what_cannot_be_played_is_one_line(installation, words, says):
    done = installation.run("demo", "--auto", *words)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert says in line


def test_without_a_server_it_says_how_to_start_one(installation):
    done = installation.run("demo", "--url", "http://127.0.0.1:9")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "no server answers at http://127.0.0.1:9" in line
    assert "make serve" in line
