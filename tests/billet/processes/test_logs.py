"""The commands about logs in files: what they take, what they say and how they exit."""

import json
import os
import signal
import subprocess
import sys

import pytest

from billet import cli
from billet.logs import cores, verify
from billet.logs import files as log_files
from billet.logs.files import found_in
from games.records.portable import as_json, as_ndjson, packed, parsed
from games.texts.catalogue import catalogue
from service.store.archive import Archive
from tests.games.records.mutations import by_other_rules
from tests.games.whole_logs import whole_log
from tests.service.verifying.hostile_logs import texts
from tools.testbed.waiting import wait_until

LOG = parsed(as_json(whole_log("classic", 2, 33)))
ANOTHER = parsed(as_json(whole_log("classic", 2, 29)))
FORMS = {
    "json": as_json(LOG),
    "indented": json.dumps(LOG, indent=2).encode(),
    "lines": as_ndjson(LOG),
}


def changed():
    """Returns a log in which somebody else has played a card."""
    made = json.loads(as_json(LOG))
    i = next(i for i, event in enumerate(made["events"]) if event["type"] == "card_played")
    made["events"][i]["data"]["seat"] = 1 - made["events"][i]["data"]["seat"]
    return made, i + 1


@pytest.fixture
def run(capsys):
    """Runs a command in this process and returns its exit status and what it has said."""

    def run(*words):
        status = cli.main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.mark.parametrize("pack", [bytes, packed], ids=["plain", "gzipped"])
@pytest.mark.parametrize("form", FORMS)
def test_a_file_may_have_any_form(tmp_path, form, pack):
    (tmp_path / "log").write_bytes(pack(FORMS[form]))
    (found,) = found_in(str(tmp_path / "log"))
    assert (found.name, found.fault) == (str(tmp_path / "log"), None)
    assert as_json(parsed(found.raw)) == as_json(LOG)


@pytest.mark.parametrize("pack", [bytes, packed], ids=["plain", "gzipped"])
def test_a_file_may_have_many_logs_one_a_line(tmp_path, pack):
    # One gzip after the other is gzip, too.
    (tmp_path / "logs").write_bytes(b"".join(pack(as_json(log) + b"\n") for log in (LOG, ANOTHER)) + pack(b"\n"))
    found = [*found_in(str(tmp_path / "logs"))]
    assert [one.name.rpartition(":")[2] for one in found] == ["1", "2"]
    assert [parsed(one.raw) for one in found] == [LOG, ANOTHER]


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        (None, "log.no_file"),
        (packed(as_json(LOG))[:-9], "log.gzip_cut_off"),
        (b"\x1f\x8b" + b"x" * 99, "log.no_gzip"),
    ],
)
def test_what_cannot_be_read_is_said_of_the_file(tmp_path, raw, key):
    if raw is not None:
        (tmp_path / "log").write_bytes(raw)
    assert [one.fault.key for one in found_in(str(tmp_path / "log"))] == [key]


def test_of_a_log_on_a_line_of_its_own_the_line_of_the_file_is_named_and_no_other(tmp_path, run):
    (tmp_path / "logs").write_bytes(as_json(LOG) + b"\n\n{broken\n")
    (tmp_path / "log").write_bytes(as_ndjson(LOG) + b"{broken\n")
    status, said, _ = run("verify", "--jobs", "1", tmp_path / "logs", tmp_path / "log")
    first, second, third, *_ = said.splitlines()
    assert (status, first) == (1, f"{tmp_path}/logs:1: valid")
    assert second == f"{tmp_path}/logs:3: not valid. This is not valid JSON."
    assert third == f"{tmp_path}/log: not valid. Line {len(LOG['events']) + 2} is not valid JSON."


def test_verifying_says_of_each_log_whether_it_is_valid_and_where_not(tmp_path, run):
    made, version = changed()
    logs = {"good": LOG, "bad": made, "other": by_other_rules(LOG)}
    for name, log in logs.items():
        (tmp_path / name).write_bytes(as_json(log))
    status, said, _ = run("verify", "--jobs", "2", tmp_path / "good", tmp_path / "bad", tmp_path / "other", "/no/log")
    good, bad, places, other, missing, every, unproven = said.splitlines()
    assert status == 2
    assert good == f"{tmp_path}/good: valid"
    assert bad.startswith(f"{tmp_path}/bad: not valid. At version {version}: A different event follows")
    assert '"type":"card_played"' in places
    assert "under version 2 of the rules" in other
    assert missing == "/no/log: It cannot be read: No such file or directory."
    assert every.startswith("1 of 4 logs are valid; ")
    claims = "package_version, at, visibility, starter, sandbox, rated, aids, clock, match, deal, thought"
    assert unproven == f"No log can prove these claims: {claims}."
    assert run("verify", "--jobs", "1", tmp_path / "good", tmp_path / "good")[0] == 0
    assert run("verify", "--jobs", "1", tmp_path / "good", tmp_path / "bad")[0] == 1


def test_quietly_verifying_says_only_which_logs_are_not_valid_and_how_many_are(tmp_path, run):
    made, version = changed()
    for name, log in {"good": LOG, "bad": made}.items():
        (tmp_path / name).write_bytes(as_json(log))
    status, said, _ = run("verify", "--quiet", "--jobs", "1", tmp_path / "good", tmp_path / "bad", "/no/log")
    bad, _, missing, every = said.splitlines()
    assert (status, bad.startswith(f"{tmp_path}/bad: not valid. At version {version}: ")) == (2, True)
    assert missing.startswith("/no/log: ")
    assert every.startswith("1 of 3 logs are valid; ")
    status, said, _ = run("verify", "--quiet", "--jobs", "1", tmp_path / "good")
    assert (status, said.count("\n"), said.startswith("1 of 1 logs are valid; ")) == (0, 1, True)


def test_a_log_on_which_verifying_fails_is_not_valid_and_keeps_no_other_from_being_judged(tmp_path, run, monkeypatch):
    def failing(log):
        raise ZeroDivisionError if "bad" in log else RecursionError

    monkeypatch.setattr(verify, "verify", failing)
    for name in ("bad", "deep"):
        (tmp_path / name).write_bytes(b'{"%s": 1}' % name.encode())
    status, said, _ = run("verify", "--jobs", "1", tmp_path / "bad", tmp_path / "deep")
    first, second, every = said.splitlines()
    assert (status, "ZeroDivisionError" in first, "RecursionError" in second) == (1, True, True)
    assert every.startswith("0 of 2 logs are valid; ")


def test_of_a_directory_all_logs_below_it_are_read(tmp_path, run):
    (tmp_path / "archive").mkdir()
    archive = Archive(str(tmp_path / "archive"))
    for log in (LOG, ANOTHER):
        archive.put(log)
    archive.mark("its id")
    (tmp_path / "archive" / "notes.txt").write_text("no log")
    status, said, _ = run("verify", tmp_path / "archive")
    assert status == 0
    names = [line.partition(":")[0] for line in said.splitlines() if line.startswith(str(tmp_path))]
    assert names == sorted(str(file) for file in tmp_path.rglob("*.gz"))
    assert len(names) == 2
    (tmp_path / "archive" / "more").mkdir()
    (tmp_path / "archive" / "more" / "bad.json").write_bytes(as_json({**LOG, "format": "another"}))
    (tmp_path / "empty").mkdir()
    status, said, _ = run("verify", tmp_path / "archive", tmp_path / "empty")
    assert status == 2
    assert "There are no logs below it: their names end in .json, " in said
    assert "more/bad.json:" in said


def test_of_a_directory_nothing_is_read_on_which_one_waits_for_ever(tmp_path, run):
    os.mkfifo(tmp_path / "pipe.json")
    assert "There are no logs below it" in run("verify", tmp_path)[1]
    (tmp_path / "log.json").write_bytes(as_json(LOG))
    (tmp_path / "also.json").symlink_to("log.json")
    assert run("verify", tmp_path)[0] == 0
    (tmp_path / "gone.json").symlink_to("nowhere")
    status, said, _ = run("verify", tmp_path)
    assert status == 2
    assert [name in said for name in ("pipe.json", "also.json", "log.json", "gone.json:")] == [False, True, True, True]


def test_an_export_without_a_game_is_valid_and_a_file_with_something_else_is_not(tmp_path, run):
    (tmp_path / "empty").write_bytes(b"")
    status, said, _ = run("verify", "--jobs", "1", tmp_path / "empty")
    assert (status, said.startswith("0 of 0 ")) == (0, True), said
    (tmp_path / "other").write_bytes(b"\n")
    status, said, _ = run("verify", "--jobs", "1", tmp_path / "other")
    assert (status, said.startswith(f"{tmp_path}/other: not valid. ")) == (1, True)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
@pytest.mark.parametrize(
    ("command", "form"),
    [
        (["verify", "--jobs", "1"], "on one line"),
        pytest.param(["verify"], "on two lines", marks=pytest.mark.soak),
        (["replay"], "on two lines"),
    ],
)
def test_a_log_that_takes_too_much_is_refused(tmp_path, command, form):
    raw = texts()["lists in lists"]
    lines = {"on one line": raw, "on two lines": raw.replace(b',"events"', b',\n"events"')}
    (tmp_path / "log").write_bytes(packed(lines[form]))
    with billet(*command, str(tmp_path / "log")) as done:  # what is free in this process would count
        out, err = done.communicate(timeout=240)
    assert done.returncode == (2 if command == ["replay"] else 1)
    assert b"more memory or time than any valid log" in out + err


def test_empty_lines_without_end_are_not_read_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(log_files, "MOST", 100_000)
    line = as_json(LOG) + b"\n"
    (tmp_path / "logs").write_bytes(packed(line + line + b"\n" * 99_999 + line + b"\n" * 200_000 + line))
    found = [*found_in(str(tmp_path / "logs"))]
    assert [one.fault and one.fault.key for one in found] == [None, None, None, "log.too_long"]


def test_long_logs_are_not_read_far_ahead(monkeypatch):
    monkeypatch.setattr(cores, "MOST_AHEAD", 100)
    read = []
    logs = (read.append(number) or verify.FoundLog(str(number), b"{}" + b" " * 99) for number in range(9))
    said = verify.run(logs, 2, catalogue("en"))
    assert next(said).startswith("0: not valid.")
    assert len(read) == 2
    assert sum("not valid." in line for line in said) == 8


def test_what_is_verified_is_not_read_far_ahead():
    read = []
    logs = (read.append(number) or verify.FoundLog(str(number), b"{}") for number in range(99))
    said = verify.run(logs, 2, catalogue("en"))
    assert next(said).startswith("0: not valid.")
    assert len(read) <= 2 * verify.AHEAD + 1
    assert sum("not valid." in line for line in said) == 98


def test_jobs_is_a_number(run):
    with pytest.raises(SystemExit) as end:
        run("verify", "--jobs", "0", "log")
    assert end.value.code == 2


def billet(*words, **more):
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "billet", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin"},
        **more,
    )


def test_logs_come_by_the_standard_input_too(tmp_path, run, monkeypatch):
    (tmp_path / "logs").write_bytes(packed(as_json(LOG) + b"\n" + as_json(ANOTHER)))
    with (tmp_path / "logs").open() as given:
        monkeypatch.setattr(sys, "stdin", given)
        status, out, err = run("verify", "--jobs", "1", "-")
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == ["-:1: valid", "-:2: valid"]


def test_an_interrupt_ends_it_and_its_processes_without_a_word():
    with billet("verify", "--jobs", "2", "-", start_new_session=True) as done:
        line = as_json(LOG) + b"\n"
        done.stdin.write(line * 2)
        done.stdin.flush()
        for _ in range(40):  # until something has been said, all its processes run
            done.stdin.write(line)
            done.stdin.flush()
        assert done.stdout.readline() == b"-:1: valid\n"
        os.killpg(done.pid, signal.SIGINT)
        assert done.wait(timeout=240) == 130
        assert done.stderr.read() == b""
    # What tracks resources for Python ends a moment later.
    wait_until(lambda: not _lives(done.pid), lambda: "a process of the command lives on")


def _lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
