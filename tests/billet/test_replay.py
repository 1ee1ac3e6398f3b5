"""Games once more in the terminal: as a viewer saw them and no more, whole, at a version, and by the arrow keys."""

import curses
import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

from billet import cli
from billet.replay import screen
from billet.replay.course import ReplayCourse, viewer_of
from billet.replay.show import ReplayPages
from billet.replay.source import NumberedNames, in_file
from engine.views import ALL
from games.bots.self_play import bot_game
from games.records.portable import as_json, as_ndjson, digest_of, packed
from games.records.scoresheets import print_sheet
from games.texts.catalogue import LANGUAGES, catalogue
from service import Settings, build
from tests.games.records.mutations import by_other_rules
from tests.games.whole_logs import TABLES, read_log, whole_log
from tests.service.at_table import Game

LOG = read_log("classic", 2, 33)
STEPS = sum(event["cause"] is not None for event in LOG["events"])


@pytest.fixture
def run(capsys):
    """Runs the command in this process and returns its exit status and what it has said."""

    def run(*words):
        status = cli.main(["replay", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def file(tmp_path):
    """Writes a log into a file, in a form."""

    def file(log=LOG, form=as_json):
        (tmp_path / "log").write_bytes(form(log))
        return str(tmp_path / "log")

    return file


def course_of(log, viewer, tmp_path, language="en"):
    (tmp_path / "log").write_bytes(as_json(log))
    words = catalogue(language)
    played = in_file(str(tmp_path / "log"), words)
    return ReplayCourse(played, viewer_of(played, viewer, words), words)


def told(view):
    """Returns what a view says of the game itself, whatever its players are called."""
    seats = [{**seat, "player": (seat["player"] or {}).get("id"), "invited": None} for seat in view["seats"]]
    legal = [one["action"] for one in view["legal_actions"]]
    decision = view["decision"] and view["decision"]["kind"]
    besides = {name: value for name, value in view.items() if name not in ("next_game", "join_code")}
    return {**besides, "seats": seats, "legal_actions": legal, "decision": decision}


@pytest.mark.parametrize("edition", ["standard", "lovecraft"])
def test_every_viewer_sees_what_the_service_shows_them_at_every_step(redis_url, tmp_path, edition):
    service = build(Settings(redis_url=redis_url))
    game = Game.begin(service, 3, edition=edition).play(random.Random(4))
    log = service.games.log(None, game.id)
    for viewer in ("all", "0", "2"):
        course = course_of(log, viewer, tmp_path)
        as_ = viewer if viewer == "all" else int(viewer)
        for step in range(0, len(course), 11):
            version = course.view(step)["version"]
            assert told(course.view(step)) == told(game.view(at=version, as_=as_)), (viewer, version)
    version = random.Random(1).randrange(2, course.version)
    assert told(course.view(course.step_at(version), version)) == told(game.view(at=version, as_=2))


def test_a_seat_is_never_shown_what_it_did_not_know(tmp_path):
    for edition, seats in TABLES[::6]:
        log = read_log(edition, seats, 1)
        course = course_of(log, "1", tmp_path)
        hidden = 0
        for step in range(len(course)):
            assert course.cause(step) is None
            for event in course.events(step):
                if event["type"] == "card_drawn" and event["data"]["seat"] != 1:
                    assert event["data"]["card"] is None
                    hidden += 1
        assert hidden
        assert course_of(log, "all", tmp_path).cause(0).startswith("open 0 join p0")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "seats"), TABLES[::7])
def test_a_whole_game_is_printed_in_every_language(run, file, edition, seats, language):
    status, said, error = run(file(read_log(edition, seats, 2)), "--language", language)
    assert (status, error) == (0, "")
    lines = said.splitlines()
    words = catalogue(language)
    begun = lines.index(words.text("table.standings"))
    assert len(lines) - begun - 1 == seats
    assert any(line.startswith("* ") for line in lines[begun:])
    assert sum(line.startswith("--- ") for line in lines) == max(
        event["data"]["number"] for event in read_log(edition, seats, 2)["events"] if event["type"] == "round_started"
    )


@pytest.mark.parametrize(
    "form",
    [as_json, as_ndjson, lambda log: packed(as_ndjson(log)), lambda log: print_sheet(log).encode()],
    ids=["json", "lines", "gzipped", "sheet"],
)
def test_a_file_may_have_any_form(run, file, form):
    assert run(file(form=form)) == run(file())


def test_a_version_is_printed_with_its_table(run, file):
    version = next(event["version"] for event in LOG["events"] if event["type"] == "card_played")
    status, said, _ = run(file(), "--at", version)
    head, cause, played, empty, round_, *seats = said.splitlines()
    assert (status, empty, len(seats)) == (0, "", 2)
    assert re.fullmatch(rf"Step \d+ of {STEPS}, version {version} of {len(LOG['events'])}, everything is seen", head)
    assert re.fullmatch(r"caused by: [01] .+", cause)
    assert " plays " in played
    assert round_.startswith("Round 1; deck: ")
    assert "as Player 1 (seat 1) saw it" in run(file(), "--at", version, "--as", "0")[1]
    assert "caused by" not in run(file(), "--at", version, "--as", "0")[1]


def test_one_of_many_logs_is_named_by_its_line(run, file):
    name = file(form=lambda log: as_json(log) + b"\n" + as_json(whole_log("classic", 2, 29)) + b"\n")
    assert run(f"{name}:1") == run(file())
    name = file(form=lambda log: (as_json(log) + b"\n") * 2)
    assert run(name) == (2, "", f"billet: {name} holds many logs: name one by its line, as in {name}:1\n")
    assert run(f"{name}:3") == (2, "", f"billet: {name} has no log on line 3\n")


def test_a_log_that_is_not_proven_is_shown_and_said_to_be_so(run, file):
    status, _, error = run(file(by_other_rules(LOG)), "--at", "9")
    assert (status, error.count("\n")) == (0, 1)
    assert error.startswith("This log is not proven true: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as", "2"), "--as takes `all` or a seat from 0 to 1, not '2'"),
        (("--as", "me"), "--as takes `all` or a seat from 0 to 1, not 'me'"),
        (("--at", "99999"), f"--at takes a version from 1 to {len(LOG['events'])}, not 99999"),
        (("--language", "la"), "--language must be one of en, de, not 'la'"),
    ],
)
def test_what_cannot_be_shown_is_one_line(run, file, words, said):
    assert run(file(), *words) == (2, "", f"billet: {said}\n")


def test_what_is_no_log_is_one_line(run, tmp_path):
    assert run("no/such.json") == (2, "", "billet: no/such.json: It cannot be read: No such file or directory.\n")
    (tmp_path / "letter").write_bytes(b"Dear Ann")
    assert run(tmp_path / "letter")[::2] == (2, f"billet: {tmp_path}/letter: This is not valid JSON.\n")


@pytest.fixture
def server(installation, monkeypatch):
    """An installation whose port the command is given."""
    monkeypatch.setenv("PORT", str(installation.port))
    return installation


def test_a_game_on_a_server_is_shown_with_its_names_and_until_it_has_ended_as_to_a_watcher(server, run, capsys):
    assert cli.main(["demo", "--auto", "--seats", "2", "--bots", "random", "--name", "Ann"]) == 0
    played = capsys.readouterr().out
    status, said, error = run(re.search(r"Game (\w+) at", played)[1], "--as", "0")
    assert (status, error) == (0, "")
    assert played.splitlines()[-2:] == said.splitlines()[-2:]
    assert "; you are dealt the" in said
    status, player = server.call("POST", "/v1/players", {"name": "Ben"})
    seats = [{"kind": "creator"}, {"kind": "bot", "bot": "cautious"}]
    body = {"edition": "classic", "seats": seats, "starter": 0, "visibility": "unlisted"}
    status, running = server.call("POST", "/v1/games", body, player["token"])
    assert status == 201
    for code in ((), ("--join-code", "another")):
        status, said, error = run(running["id"], *code)
        assert (status, said) == (2, "")
        assert error.startswith("billet: this game is unlisted: add --join-code ")
    assert run("nosuchgame")[2].startswith("billet: the server refuses: ")
    code = ("--join-code", running["join_code"])
    status, said, error = run(running["id"], *code)
    assert (status, error) == (0, "")
    assert "Ben" in said
    assert "hand:" not in said
    status, said, error = run(running["id"], *code, "--as", "1")
    assert (status, said) == (2, "")
    assert error.startswith("billet: the game goes on; ")
    in_a_terminal_it_is_refused_alike(error, running["id"], "--url", server.base, *code, "--as", "1")


def test_a_log_gives_no_commands_to_the_terminal(run, file, capsys):
    bad = "\x1b]0;title\x07\x9b"
    text = json.dumps(whole_log("premium", 2, 1))
    log = json.loads(text.replace('"bot-cautious"', json.dumps(f"bot-{bad}")))
    log["package_version"] = bad
    log["digest"] = digest_of(log)
    for command in ("replay", "verify", "import-check"):
        cli.main([command, file(log)])
        said = capsys.readouterr()
        assert (said.out + said.err).replace("\n", "").isprintable(), command
        assert said.out + said.err


def test_a_bot_that_is_not_known_is_called_by_a_number():
    words = catalogue("en")
    names = NumberedNames({}, words).named(["p1", "bot-cautious", "bot-of-others", "p2"])
    assert [one.name for one in names.values()] == ["Player 1", "cautious", "Player 2", "Player 3"]


class Terminal:
    """A terminal in which the command runs."""

    def __init__(self, *words, rows=40, columns=120):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "billet", "replay", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)

    def read_until(self, text, seconds=240):
        """Returns what is shown until a text comes."""
        shown = b""
        deadline = time.monotonic() + seconds
        something = select.poll()  # `select.select` knows no descriptor beyond 1023
        something.register(self.master, select.POLLIN)
        while text.encode() not in shown:
            assert time.monotonic() < deadline, shown
            if something.poll(1000):
                shown += os.read(self.master, 65536)
        return shown.decode("utf-8", "replace")

    def page(self):
        """Returns what is drawn, up to its last line."""
        return self.read_until("q: leave")

    def press(self, keys):
        os.write(self.master, keys)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=120)
        os.close(self.master)


RIGHT, LEFT, DOWN, UP, HOME, END = b"\x1bOC", b"\x1bOD", b"\x1bOB", b"\x1bOA", b"\x1bOH", b"\x1bOF"


def test_the_arrow_keys_step_through_a_game(file):
    terminal = Terminal(file())
    try:
        assert f"Step 1 of {STEPS}, " in terminal.page()
        for keys, step in ((RIGHT, 2), (b" ", 3), (LEFT, 2), (b"p", 1), (LEFT, 1), (END, STEPS), (RIGHT, STEPS)):
            terminal.press(keys)
            assert f"Step {step} of {STEPS}, " in terminal.page()
        for keys, shown in (
            (HOME, "Step 1 of"),
            (DOWN, "Round 1"),
            (DOWN, "Round 2"),
            (b"x", "Round 2"),
            (UP, "Round 1"),
        ):
            terminal.press(keys)
            assert shown in terminal.page()
        terminal.press(b"q")
        assert terminal.process.wait(timeout=240) == 0
    finally:
        terminal.close()


def test_keys_pressed_before_the_screen_is_up_count_and_unknown_ones_do_not(file):
    terminal = Terminal(file())
    try:
        # The arrow as a terminal sends it before it is told that it serves a screen, and keys that it has not.
        terminal.press(b"\x1b[C\x1b[77~\x1bz")
        terminal.read_until(f"Step 2 of {STEPS}, ")
        terminal.press(RIGHT)
        terminal.read_until(f"Step 3 of {STEPS}, ")
        terminal.press(b"\x1b")
        assert terminal.process.wait(timeout=240) == 0
    finally:
        terminal.close()


def in_a_terminal_it_is_refused_alike(said, *words):
    """Checks that where there are keys the command says so too, and begins no screen."""
    terminal = Terminal(*words)
    try:
        assert terminal.process.wait(timeout=240) == 2
        assert terminal.read_until("\n") == said.replace("\n", "\r\n")
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("follows", "key"),
    [
        ("", 27),
        ("\x1b", 27),
        ("[C", curses.KEY_RIGHT),
        ("OD", curses.KEY_LEFT),
        ("[1;5C", -1),
        ("[15~", -1),
        ("[", -1),
        ("z", -1),
    ],
)
def test_an_escape_stands_for_itself_only_if_nothing_follows(follows, key):
    coming = iter([*map(ord, follows), -1])
    assert screen.after_escape(lambda: next(coming)) == key
    assert next(coming, None) in (-1, None), "all of it has been read"


def test_whose_eyes_it_is_seen_with_is_said_once_where_names_are_alike(tmp_path):
    for language, said in (
        ("en", "as Cautious bot 2 (seat 2) saw it"),
        ("de", "wie Zählbot 2 (Platz 2) es sah"),
    ):
        log = bot_game("classic", ["cautious"] * 2, 1)
        assert ReplayPages(course_of(log, "1", tmp_path, language)).head(0).endswith(f", {said}")


def test_a_small_terminal_shows_what_fits_and_an_interrupt_ends_it(file):
    terminal = Terminal(
        file(read_log("premium", 8, 1)), "--at", "60", "--as", "3", "--language", "de", rows=6, columns=50
    )
    try:
        shown = terminal.read_until("Pfeiltasten")
        assert "..." in shown
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.wait(timeout=240) == 130
    finally:
        terminal.close()


def test_everything_is_shown_of_an_ended_game_by_default(tmp_path):
    assert course_of(LOG, None, tmp_path).viewer == ALL


def test_a_log_with_a_word_that_nobody_knows_is_refused_in_words(tmp_path, capsys):
    log = json.loads(as_json(whole_log("classic", 2, 33)))
    next(one for one in log["events"] if one["type"] == "token_awarded")["data"]["kind"] = "spy"
    (tmp_path / "log").write_bytes(as_json(log))
    assert cli.main(["replay", str(tmp_path / "log")]) != 0
    assert "says something in `data.kind` that its edition does not know" in capsys.readouterr().err
