"""Ended games in words: as a seat saw them and no more, or whole."""

import json
import random

import pytest

from billet import cli
from billet.replay.frames import frames_of, viewer_of
from billet.replay.source import NumberedNames, in_file
from games.records.portable import as_json, as_ndjson, digest_of, packed
from games.texts.catalogue import LANGUAGES, catalogue
from service import Settings, build
from tests.games.records.mutations import by_other_rules
from tests.games.whole_logs import TABLES, read_log, whole_log
from tests.service.at_table import Game

LOG = read_log("classic", 2, 33)


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


def replayed(log, viewer, tmp_path, language="en"):
    (tmp_path / "log").write_bytes(as_json(log))
    words = catalogue(language)
    played = in_file(str(tmp_path / "log"), words)
    return frames_of(played, viewer_of(played, viewer, words), words)


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
    for seat in (None, "0", "2"):
        as_ = "all" if seat is None else int(seat)
        for frame in replayed(log, seat, tmp_path)[::11]:
            version = frame["version"]
            assert told(frame["game"]) == told(game.view(at=version, as_=as_)), (seat, version)


def test_a_seat_is_never_shown_what_it_did_not_know(tmp_path):
    for edition, seats in TABLES[::6]:
        log = read_log(edition, seats, 1)
        hidden = 0
        for frame in replayed(log, "1", tmp_path):
            for event in frame["events"]:
                if event["type"] == "card_drawn" and event["data"]["seat"] != 1:
                    assert event["data"]["card"] is None
                    hidden += 1
        assert hidden


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "seats"), TABLES[::7])
def test_a_whole_game_is_printed_in_every_language(run, file, edition, seats, language):
    status, said, error = run(file(read_log(edition, seats, 2)), "--language", language)
    assert (status, error) == (0, "")
    lines = said.splitlines()
    assert sum(line.startswith("--- ") for line in lines) == max(
        event["data"]["number"] for event in read_log(edition, seats, 2)["events"] if event["type"] == "round_started"
    )


@pytest.mark.parametrize(
    "form",
    [as_json, as_ndjson, lambda log: packed(as_ndjson(log))],
    ids=["json", "lines", "gzipped"],
)
def test_a_file_may_have_any_form(run, file, form):
    assert run(file(form=form)) == run(file())


def test_one_of_many_logs_is_named_by_its_line(run, file):
    name = file(form=lambda log: as_json(log) + b"\n" + as_json(whole_log("classic", 2, 29)) + b"\n")
    assert run(f"{name}:1") == run(file())
    name = file(form=lambda log: (as_json(log) + b"\n") * 2)
    assert run(name) == (2, "", f"billet: {name} holds many logs: name one by its line, as in {name}:1\n")
    assert run(f"{name}:3") == (2, "", f"billet: {name} has no log on line 3\n")


def test_a_log_that_is_not_proven_is_shown_and_said_to_be_so(run, file):
    status, said, error = run(file(by_other_rules(LOG)))
    assert (status, error.count("\n")) == (0, 1)
    assert error.startswith("This log is not proven true: ")
    assert " plays " in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as", "2"), "--as takes a seat from 0 to 1, not '2'"),
        (("--as", "me"), "--as takes a seat from 0 to 1, not 'me'"),
    ],
)
def test_what_cannot_be_shown_is_one_line(run, file, words, said):
    assert run(file(), *words) == (2, "", f"billet: {said}\n")


def test_what_is_no_log_is_one_line(run, tmp_path):
    assert run("no/such.json") == (2, "", "billet: no/such.json: It cannot be read: No such file or directory.\n")
    (tmp_path / "letter").write_bytes(b"Dear Ann")
    assert run(tmp_path / "letter")[::2] == (2, f"billet: {tmp_path}/letter: This is not valid JSON.\n")


def test_a_log_gives_no_commands_to_the_terminal(run, file, capsys):
    bad = "\x1b]0;title\x07\x9b"
    text = json.dumps(whole_log("premium", 2, 1))
    log = json.loads(text.replace('"bot-cautious"', json.dumps(f"bot-{bad}")))
    log["package_version"] = bad
    log["digest"] = digest_of(log)
    for command in ("replay", "verify"):
        cli.main([command, file(log)])
        said = capsys.readouterr()
        assert (said.out + said.err).replace("\n", "").isprintable(), command
        assert said.out + said.err


def test_a_bot_that_is_not_known_is_called_by_a_number():
    words = catalogue("en")
    names = NumberedNames(words).named(["p1", "bot-cautious", "bot-of-others", "p2"])
    assert [one.name for one in names.values()] == ["Player 1", "cautious", "Player 2", "Player 3"]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("card_played", "card", "zebra"),
        ("card_played", "face", "zebra"),
        ("card_drawn", "card", "assassin"),
        ("token_awarded", "kind", "spy"),
        ("turn_started", "seat", 8_000_000_000),
        ("turn_started", "seat", "one"),
        ("turn_started", "seats", []),
    ],
)
def test_a_log_with_what_nobody_knows_is_refused_in_words(tmp_path, capsys, kind, name, value):
    log = json.loads(as_json(whole_log("classic", 2, 33)))
    # A card that is drawn is missed where it is played: at once.
    steps = zip(log["events"], log["events"][1:], strict=False)
    told = [one for one, then in steps if kind != "card_drawn" or one["data"].get("card") == then["data"].get("card")]
    next(one for one in told if one["type"] == kind)["data"][name] = value
    (tmp_path / "log").write_bytes(as_json(log))
    for more in ([], ["--html", str(tmp_path / "film.html")]):
        assert cli.main(["replay", str(tmp_path / "log"), *more]) != 0
        assert "billet: " in (said := capsys.readouterr().err)
        assert said.count("\n") == 1
