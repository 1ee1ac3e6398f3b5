"""`billet match` against a real service with workers: it makes, follows and steers matches."""

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from billet.errors import StartError
from billet.matches.connection import Connection
from billet.matches.report import lines, progress
from tools.players.calls import Client
from tools.testbed.installation import deaf_port

BILLET = [sys.executable, "-P", "-m", "billet", "match"]


@pytest.fixture
def match(served, tmp_path):
    """Runs the command to its end, as whoever has no token yet."""

    def match(*words, url=served.base):
        return subprocess.run(
            [*BILLET, *words, "--url", url], cwd=tmp_path, capture_output=True, text=True, timeout=280, check=False
        )

    return match


@contextmanager
def begun(served, folder, *words, stderr=subprocess.PIPE):
    """Yields the command while it runs."""
    process = subprocess.Popen(
        [*BILLET, *words, "--url", served.base], cwd=folder, stdout=subprocess.PIPE, stderr=stderr, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def made(process):
    """The id of the match that a command has made."""
    return re.fullmatch(r"billet: made match (\w+)\n", process.stderr.readline())[1]


@pytest.fixture
def asking(served):
    with closing(Client(served.base)) as client:
        yield client


def registered(asking, **more):
    """A player and the header that says who it is."""
    answer = asking.post("/v1/players", {"name": "Ada", **more}).json()
    return answer["player"]["id"], {"Authorization": f"Bearer {answer['token']}"}


def invites(asking):
    """The words that invite a program, which has not yet accepted; and the program."""
    program, me = registered(asking, kind="bot")
    return ["--entrants", program, "cautious", "--games", "2", "--clock", "60"], (program, me)


def test_a_match_is_made_and_followed_to_its_standings(match, tmp_path, asking):
    done = match("--entrants", "cautious", "random", "--games", "4", "--deals", "rotated", "--name", "Who?")
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0] == "Who?: ended, 4 of 4 games (rotated deals)"
    assert said[2].split() == ["entrant", "place", "games", "share", "95", "%", "interval"]
    assert {line.split()[0] for line in said[3:5]} == {"cautious", "random"}
    assert said[7].startswith("cautious - random ")
    assert f"[{30 * '#'}] 4 of 4 games, 0 running; ended\n" in done.stderr

    found = re.search(r"made match (\w+)", done.stderr)[1]
    again = match(found)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert json.loads(match(found, "--json").stdout) == asking.get(f"/v1/matches/{found}").json()
    table = list(csv.DictReader(io.StringIO(match(found, "--csv").stdout)))
    assert [(row["number"], row["seat"]) for row in table] == [(str(n), str(s)) for n in range(4) for s in range(2)]
    assert (tmp_path / "billet-match.token").stat().st_mode & 0o777 == 0o600


def test_all_that_a_match_has_is_asked_for(match, served, tmp_path, asking):
    words, (program, _) = invites(asking)
    more = ["--edition", "premium", "--seats", "4", "--deals", "reference", "--against", "random", "--at-once", "3"]
    with begun(served, tmp_path, *words, *more, "--option", "princess=ends_round") as process:
        told = process.stderr.readline()
    assert "princess" in told, told  # there is no such house rule, and so the service says
    with begun(served, tmp_path, *words, *more) as process:
        found = asking.get(f"/v1/matches/{made(process)}").json()
    asked = {
        "name": "",
        "edition": "premium",
        "seats": 4,
        "games": 2,
        "deals": "reference",
        "against": ["random"],
        "at_once": 3,
        "rated": False,
    }
    assert {name: found[name] for name in asked} == asked
    assert found["clock"]["seconds"] == 60
    assert [one["bot"] or one["id"] for one in found["entrants"]] == [program, "cautious"]


def test_ctrl_c_leaves_the_match_and_its_creator_can_steer_it(match, served, tmp_path, asking):
    words, (_, me) = invites(asking)
    with begun(served, tmp_path, *words) as process:
        name = made(process)
        assert "0 of 2 games, 0 running; not yet accepted by Ada" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(120) == 130
    assert said == f"billet: the match goes on. To follow it: billet match {name} --url {served.base}\n"
    assert asking.get(f"/v1/matches/{name}").json()["state"] == "invited"

    asking.post(f"/v1/matches/{name}/acceptance", headers=me)
    for step, state in (("pause", "paused"), ("resume", "running"), ("end", "ended")):
        assert match(name, f"--{step}").returncode == 0
        assert asking.get(f"/v1/matches/{name}").json()["state"] == state
    stranger = match(name, "--end", "--token-file", "other.token")
    assert (stranger.returncode, stranger.stdout) == (2, "")
    assert stranger.stderr.startswith("billet: ")


def test_the_service_may_go_away_and_come_back(installation, tmp_path, asking):
    words, (_, me) = invites(asking)
    with begun(installation, tmp_path, *words, "--json") as process:
        name = made(process)
        installation.kill_tree()
        said = wait_for(process, "so this tries again")
        installation.start()
        said += wait_for(process, "billet: the service answers again")
        assert asking.delete(f"/v1/matches/{name}/acceptance", headers=me).json()["state"] == "ended"
        assert json.loads(process.stdout.read())["state"] == "ended"
        assert process.wait(120) == 0
    assert said.count("so this tries again") == said.count("answers again") == 1


def test_a_service_that_is_away_for_a_day_is_still_called(monkeypatch):
    pauses, said = [], []
    monkeypatch.setattr("time.sleep", lambda seconds: pauses.append(seconds))
    with answering(200, b"{}", fails=1100) as url:
        assert Connection(url, said.append).json("/matches/m1") == {}
    assert pauses[:4] == [0.25, 0.5, 1.0, 2.0]
    assert {*pauses[8:]} == {10.0}
    assert len(pauses) == 1100
    assert len(said) == 2


def test_who_is_to_wait_long_is_told_so_instead():
    with (
        answering(429, b'{"detail": "Too many."}', {"Retry-After": "60"}) as url,
        pytest.raises(StartError, match="Too many"),
    ):
        Connection(url, print).json("/matches/m1")


def wait_for(process, text):
    """Reads what a command says until a line has a text, and returns it."""
    said = ""
    while text not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    return said


def test_a_terminal_shows_one_line_that_grows(served, tmp_path):
    ours, theirs = pty.openpty()
    with begun(served, tmp_path, "--entrants", "random", "cautious", "--games", "2", stderr=theirs) as process:
        os.close(theirs)
        assert process.stdout.read()
        assert process.wait(120) == 0
        said = b""
        try:
            while more := os.read(ours, 4096):
                said += more
        except OSError:  # so ends what a terminal says, on Linux
            pass
        finally:
            os.close(ours)
    *drawn, rest = said.decode().split("\r\x1b[K")[1:]
    assert drawn[0].startswith("billet: made match ")
    assert all(line.count("\n") == 0 for line in drawn[1:])
    assert rest == f"[{30 * '#'}] 2 of 2 games, 0 running; ended\r\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name the match to follow, or who is to play one: billet match --entrants cautious random"),
        (["--end"], "name the match to end"),
        (["m1", "--entrants", "random"], "name either a match to follow, or the entrants of a new one"),
        (["../players"], "'../players' is no id of a match"),
        (["--entrants", "random", "cautious", "--option", "spy"], "--option takes NAME=CHOICE, not 'spy'"),
        (["m1"], "There is no such match, or it ended long ago and was removed."),
        (["--entrants", "random", "nobody", "--clock", "9"], "There is no such program"),
        (["--entrants", "random", "cautious", "--deals", "rotated", "--games", "3"], "multiple of 2"),
        (["--entrants", "random", "--seats", "1", "--games", "0", "--at-once", "0"], "seats: "),
        (["--entrants", "random", "cautious", "--token-file", "no/such/file"], "no/such/file: No such file"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(match, words, said):
    done = match(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("billet: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_token_of_another_service_is_said_to_be_one(match, tmp_path):
    (tmp_path / "billet-match.token").write_text("p0.none")
    done = match("--entrants", "random", "cautious")
    assert done.returncode == 2
    assert done.stderr.endswith(" The token is in the file that --token-file names.\n")


def test_what_is_no_service_is_said_to_be_none(match):
    with deaf_port() as port:
        away = match("m1", url=f"http://127.0.0.1:{port}")
    assert away.stderr == f"billet: nothing answers at http://127.0.0.1:{port}: Connection refused\n"
    assert match("m1", url="cards").stderr.startswith("billet: cards is not an address of a service")
    with answering(200, b"Hello") as url:
        assert match("m1", url=url).stderr == f"billet: what answers at {url} is not Billet\n"
    with answering(404, b"<html>") as url:
        assert match("m1", url=url).stderr == f"billet: what answers at {url} is not Billet\n"


@contextmanager
def answering(status, body, headers=(), fails=0):
    """Something else that answers every call so, after it has failed so often."""
    left = [fails]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            left[0] -= 1
            self.send_response(503 if left[0] >= 0 else status)
            for name, value in dict(headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_what_is_not_known_yet_is_a_dash():
    entrants = [{"id": one, "name": "Pro", "bot": None, "accepted": True} for one in ("p1", "p2")]
    nothing = {"place": None, "games": 0, "share": None, "interval": None}
    found = {
        "name": "",
        "state": "paused",
        "played": 0,
        "games": 8,
        "running": 1,
        "deals": "fresh",
        "entrants": entrants,
        "standings": [{"entrant": one, **nothing} for one in ("p1", "p2")],
        "pairs": [{"a": "p1", "b": "p2", "deals": 0, "difference": None, "interval": None, "more_needed": None}],
    }
    assert progress(found) == f"[{30 * '.'}] 0 of 8 games, 1 running; paused"
    said = list(lines(found))
    assert said[0].startswith("Pro, Pro: paused, ")
    assert said[3].split() == ["Pro", "(p1)", "-", "0", "-", "-"]
    assert said[7].split() == ["Pro", "(p1)", "-", "Pro", "(p2)", "0", "-", "-", "-"]
