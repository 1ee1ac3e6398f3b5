"""The demo against a real installation: in this process, but where it is killed, or its pipes are looked at."""

import io
import os
import re
import signal
import subprocess
from unittest.mock import patch

import pytest

from billet import cli
from engine.editions import EDITIONS
from games.texts.catalogue import LANGUAGES, catalogue
from tests.installation import BILLET
from tests.processes import kill, wait_until_gone

TABLES = [
    pytest.param(edition, edition.seats[end], language, marks=[pytest.mark.soak] * ((-end, n) != (number % 2,) * 2))
    for number, edition in enumerate(EDITIONS.values())
    for end in (0, -1)
    for n, language in enumerate(LANGUAGES)
]
"""The smallest and the greatest table of each edition in every language; all but one of each in the soak alone."""
SHORT = ("--auto", "--edition", "lovecraft", "--seats", "2")
WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{3,}")


@pytest.fixture
def demo(installation, monkeypatch, capsys):
    """Runs the command and returns its exit status, what it has said, and its errors."""

    def demo(*words, input="", **environment):
        monkeypatch.setattr("sys.stdin", io.StringIO(input))
        with patch.dict(os.environ, {**installation.environment, **environment}, clear=True):
            status = cli.main(["demo", *words])
        return status, *capsys.readouterr()

    return demo


def vocabulary(language):
    """All words of a language's texts."""
    return {word for text in catalogue(language).texts.values() for word in WORD.findall(text)}


@pytest.mark.parametrize(("edition", "seats", "language"), TABLES, ids=lambda part: getattr(part, "id", part))
def test_it_plays_every_edition_in_every_language_to_the_end(demo, edition, seats, language):
    bots = "random" if seats > 2 else "cautious"
    words = ("--edition", edition.id, "--seats", str(seats), "--language", language, "--bots", bots, "--name", "Anna")
    status, out, err = demo("--auto", *words)
    assert (status, err) == (0, "")
    first, *told = out.splitlines()
    assert title(edition, language) in first
    standings = told[told.index(catalogue(language).text("table.standings")) + 1 :]
    assert len(standings) == seats
    assert any(line.startswith("* ") for line in standings)
    # No word of another language, and no key: but for names, every word is one of the texts.
    others = {word for other in LANGUAGES if other != language for word in vocabulary(other)} - vocabulary(language)
    said = {word for line in told for word in WORD.findall(line.replace(bots, ""))}
    assert len(said) > 20
    assert said & others == set()
    assert said <= vocabulary(language) | {"Anna"}


def title(edition, language):
    return catalogue(language).text(f"edition.{edition.id}.title")


def test_a_game_with_a_clock_shows_what_is_left(demo):
    status, out, err = demo("--auto", "--seats", "2", "--clock", "300+5")
    assert (status, err) == (0, "")
    assert re.search(r"^> Guest .* [45]:\d\d left; hand: ", out, re.MULTILINE)
    status, _, err = demo("--auto", "--clock", "5 minutes")
    assert status == 2
    assert err == "billet: --clock takes SECONDS or SECONDS+MORE, such as 300+5, not '5 minutes'\n"


@pytest.mark.parametrize("tail", ["/", "/v1", "/v1/"])
def test_it_finds_its_server_by_url(installation, demo, tail):
    status, _, err = demo(*SHORT, "--url", f"{installation.base}{tail}", PORT="1")
    assert (status, err) == (0, "")


def test_a_person_chooses_by_number_and_leaves_with_q(demo):
    status, out, err = demo("--seats", "2", "--name", "Ann", input="first\n0\n99\n1\nq\ny\n")
    assert (status, err) == (0, "")
    assert "   1. " in out
    assert "None of them says 'first'." in out
    assert "'0' is none of them." in out
    assert "'99' is none of them." in out
    assert "the others play on" not in out
    assert "wins the game." in out
    assert "At the end:" in out


def test_leaving_a_table_of_two_ends_the_game(demo):
    status, out, err = demo("--seats", "2", "--name", "Ann", input="q\ny\n")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    rest = lines[next(i for i, line in enumerate(lines) if line.endswith("You leave the game, and that ends it.")) :]
    assert "Cautious bot wins the game." in rest
    assert rest[-3] == "At the end:"
    assert rest[-1].startswith("* Cautious bot  tokens ")


def test_a_reader_that_has_enough_ends_it_without_a_word(installation):
    with subprocess.Popen(
        [*BILLET, "demo", "--auto", "--seats", "6"],
        env={**installation.environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=4096,  # it takes no whole game, which could be over before anybody has enough
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
        [*BILLET, "demo"],
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
        rest, errors = demo.communicate(timeout=120)
    assert demo.returncode == 130
    assert errors == ""
    assert rest.endswith("You leave the game; the others play on.\n")


def test_it_goes_on_when_the_api_was_killed(installation):
    [api] = installation.part("api")  # before the game begins, which is soon over
    with subprocess.Popen(
        [*BILLET, "demo", "--auto", "--seats", "6"],
        env={**installation.environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pipesize=4096,  # so that the game goes on only while somebody reads of it
        text=True,
    ) as demo:
        for line in demo.stdout:
            if line.startswith("You play"):
                break
        installation.process.send_signal(signal.SIGSTOP)  # or the API could be back before anybody asks for it
        try:
            kill(api, signal.SIGKILL)
            assert wait_until_gone([api], 120) == []
            assert any(line.startswith(f"The server at {installation.base} is away") for line in demo.stdout)
        finally:
            installation.process.send_signal(signal.SIGCONT)
        rest, errors = demo.communicate(timeout=120)
    assert (demo.returncode, errors) == (0, "")
    assert "At the end:" in rest.splitlines()
    assert "It is back." in rest


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--edition", "chess"], "there is no edition 'chess', only standard, classic, premium, and lovecraft"),
        (["--edition", "chess", "--language", "de"], "eine Ausgabe 'chess' gibt es nicht, nur standard, classic"),
        (["--seats", "40"], "Standard (2019, 21 cards) is for 2 to 6 seats, not for 40"),
        (["--seats", "1", "--edition", "lovecraft"], "Lovecraft (24 cards, sane and insane) is for 2 to 6 seats, not"),
        (["--seats", "9", "--edition", "premium", "--language", "de"], " ist für 2 bis 8 Plätze, nicht für 9"),
        (["--language", "tlh"], f"--language must be one of {', '.join(LANGUAGES)}, not 'tlh'"),
        (["--bots", "psychic"], "the server refuses: "),
        (["--bots", "clever"], '"seats.1.bot". Must be one of: '),
        (["--name", ""], "the server refuses: "),
        (["--name", ""], '"name" is not valid. Must have 1 to 40 characters.'),
        (["--name", "", "--language", "de"], "der Server lehnt ab: "),
        (["--url", "http://"], "and name a host"),
        (["--url", "http://", "--language", "de"], "und einen Rechner nennen"),
        (["--url", "http://127.0.0.1/?x=1"], "must be the server's address alone"),
        (["--url", "file:///etc/passwd"], "--url must start with http:// or https://"),
    ],
)
def test_what_cannot_be_played_is_one_line(demo, words, says):
    status, _, err = demo("--auto", *words)
    assert status == 2
    (line,) = err.splitlines()
    assert says in line


def test_without_a_server_it_says_how_to_start_one(demo):
    status, _, err = demo("--url", "http://127.0.0.1:9")
    assert status == 2
    (line,) = err.splitlines()
    assert "no server answers at http://127.0.0.1:9" in line
    assert "make serve" in line
