"""Decisions of logs as a table: what was known and done is what the log says, and nothing that the seat cannot know."""

import errno
import os
import random
import subprocess
import sys
from itertools import chain, pairwise

import pyarrow.parquet as pq
import pytest

from billet.cli import main
from billet.dataset import table, work
from billet.dataset.columns import GROUPS, KNOWN
from billet.dataset.decisions import NoDecisions, decisions
from engine import rules
from engine.editions import EDITIONS
from engine.events import GameFinished
from engine.logs.codec import read_event, store_event
from engine.notation import parse_action
from engine.rules import RULES_VERSION
from engine.state import FINISHED
from engine.views import ALL, view
from games.causes import Act, Open, read_cause, store_cause
from games.records.portable import as_json, as_ndjson, digest_of, packed
from games.times import ms_of
from tests.engine.random_games import EVERY_TABLE
from tests.engine.views.other_deals import again, random_round, replay, shuffled_deal, unseen_places
from tests.games.records.mutations import by_other_rules
from tests.games.whole_logs import read_log

COLUMNS = [column.name for column in chain.from_iterable(columns for _, columns in GROUPS)]
SHUFFLES = 3
ENOUGH = 25
MOST_ROUNDS = 60


def rows_of(logs, tmp_path):
    table.write(logs, tmp_path / "rows.parquet")
    return pq.read_table(tmp_path / "rows.parquet").to_pylist()


def billet(capsys, *words):
    """Runs the command in this process; returns its exit status, what it said, and what it complained of."""
    status = main(["dataset", *map(str, words)])
    said = capsys.readouterr()
    return status, said.out, said.err.splitlines()


# --- the rows ---


@EVERY_TABLE
def test_rows_are_what_the_log_says(edition, seats, tmp_path):
    log = read_log(edition, seats, seats)
    events = [read_event(stored) for stored in log["events"]]
    acted = [
        (version, read_cause(stored["cause"]), stored)
        for version, stored in enumerate(log["events"])
        if stored["cause"] is not None and "action" in stored["cause"]
    ]
    rows = rows_of([log], tmp_path)
    assert len(rows) == len(acted) >= 5
    ended = view(events, ALL)
    round_winners = {event.number: event.winners for event in events if event.type == "round_ended"}
    for row, (version, cause, stored) in zip(rows, acted, strict=True):
        seat, known, full = cause.seat, view(events[:version], cause.seat), view(events[:version], ALL)
        assert (row["game"], row["edition"], row["seats"]) == (log["game"], edition, seats)
        assert dict(row["options"]) == log["options"]
        assert (row["version"], row["seat"], row["round"]) == (version, seat, full.round_number)
        assert row["legal"][row["action_index"]] == row["action"]
        assert [parse_action(line) for line in row["legal"]] == list(rules.legal_actions(full))
        assert parse_action(row["action"]) == cause.action
        assert row["card"] == getattr(cause.action, "card", None)
        assert row["hand"] == full.seats[seat].hand == row["hands"][seat]
        assert row["hands"] == [one.hand for one in known.seats]
        assert row["discards"] == [one.discards for one in full.seats]
        assert row["tokens"] == [one.tokens for one in full.seats]
        assert row["in_round"] == [full.is_in_round(one) for one in range(seats)]
        assert row["protected"] == [full.is_protected(one) for one in range(seats)]
        assert (row["deck_size"], row["deck"]) == (len(full.deck), known.deck)
        assert row["banks_ms"] == (None if full.banks is None else list(full.banks))
        assert row["decision"] == ("turn" if full.decision is None else full.decision.kind)
        assert round(row["at"].timestamp() * 1000) == ms_of(stored["at"])
        assert row["player"] == log["players"][seat]
        late = stored["cause"]["type"] == "time_out"
        assert row["actor"] == ("stand_in" if late else "bot" if seat == seats - 1 else "player")
        assert row["bot"] == stored["cause"].get("thought", {}).get("bot")
        winners = round_winners.get(full.round_number)
        assert row["won_round"] == (None if winners is None else seat in winners)
        assert row["won_game"] == (seat in ended.winners if ended.status == FINISHED else None)
        assert row["tokens_at_end"] == [one.tokens for one in ended.seats]
    assert any(None in hand for row in rows for hand in row["hands"])


def test_turns_and_plays_are_those_of_the_round(tmp_path):
    rows = rows_of([read_log("standard", 3, 0)], tmp_path)
    assert rows[0]["turn"] == 1
    assert rows[0]["plays"] == []
    for before, after in pairwise(rows):
        if after["round"] > before["round"]:
            assert (after["turn"], after["plays"]) == (1, [])
        else:
            assert after["turn"] == before["turn"] + (after["decision"] == "turn")
            done = [f"{before['seat']} {before['action']}"] if before["card"] else []
            assert after["plays"] == before["plays"] + done


def test_a_log_of_which_no_decision_can_be_told_is_told_nothing_of():
    log = read_log("classic", 2, 0)
    acts = [event for event in log["events"] if event["cause"] and "action" in event["cause"]]
    acts[-1]["rules"] = RULES_VERSION + 1
    with pytest.raises(NoDecisions, match="other_rules"):
        table.rows_of(log)
    acts[-1] |= {
        "rules": RULES_VERSION,
        "cause": acts[-1]["cause"] | {"action": {"type": "redraw_hand", "redraw": True}},
    }
    with pytest.raises(NoDecisions, match="no_decisions"):
        table.rows_of(log)
    for nonsense in ({}, [], None, {"events": []}, {"events": [1]}, {**log, "players": []}):
        with pytest.raises(NoDecisions):
            table.rows_of(nonsense)


# --- what nobody may know ---


def told_last(events, seat, action):
    """Returns what is told of the knowledge of a seat that acts after some events."""
    stored = [store_event(event, "2030-01-01T00:00:00.000Z") | {"cause": None, "rules": None} for event in events]
    stored[0] |= {"cause": store_cause(Open(())), "rules": RULES_VERSION}
    last = store_event(GameFinished((seat,)), "2030-01-01T00:00:00.000Z")
    last |= {"cause": store_cause(Act(seat, action)), "rules": RULES_VERSION}
    log = {"players": ["p"] * events[0].seats, "events": [*stored, last]}
    [told] = [[repr(column.read(one.moment)) for column in KNOWN] for one in decisions(log)]
    return told


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_seat_cannot_see_makes_no_difference(edition):
    generator = random.Random(edition)
    compared = answers = 0
    for number in range(MOST_ROUNDS):
        if compared >= ENOUGH and answers >= bool(EDITIONS[edition].id != "classic"):
            break
        seats = generator.choice(EDITIONS[edition].seats)
        deal, steps = random_round(edition, seats, generator, number)
        for end, step in enumerate(steps):
            if step.action is None:
                continue
            before = steps[:end]
            log = [*deal, *chain.from_iterable(one.happened for one in before)]
            places = unseen_places(deal, before, step.seat)
            for _ in range(SHUFFLES):
                other = replay(deal, before, shuffled_deal(deal, places, generator))
                if other is None or other == log:
                    continue
                state, other_state = rules.fold_log(log), rules.fold_log(other)
                same = again(state, other_state, step)
                assert told_last(log, step.seat, step.action) == told_last(other, step.seat, same)
                compared += 1
                answers += state.decision is not None
    assert compared >= ENOUGH


def test_chosen_decks_and_secrets_are_in_no_row(tmp_path):
    log = read_log("standard", 3, 6)
    assert log["events"][0]["data"]["sandbox_rounds"]
    rows = rows_of([log], tmp_path)
    assert all(row["sandbox"] for row in rows)
    assert log["secret"] not in repr(rows)


# --- the file ---


def test_every_column_says_what_it_means_in_the_file(tmp_path):
    rows_of([read_log("classic", 2, 0)], tmp_path)
    schema = pq.read_schema(tmp_path / "rows.parquet")
    assert schema.names == COLUMNS
    assert all(schema.field(name).metadata[b"meaning"].endswith(b".") for name in COLUMNS)
    assert schema.metadata[b"format"] == b"billet-decisions"


def test_row_groups_are_as_large_whatever_comes_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "GROUP_ROWS", 50)
    logs = [read_log("classic", 2, seed) for seed in (0, 1, 2)]
    written = []
    for at_once in (1, 40, 1000):
        batch = table.batch_of([row for log in logs for row in table.rows_of(log)])
        with table.DatasetWriter(tmp_path / "rows.parquet") as writer:
            for first in range(0, len(batch), at_once):
                writer.write(batch.slice(first, at_once))
        written.append((tmp_path / "rows.parquet").read_bytes())
        groups = pq.ParquetFile(tmp_path / "rows.parquet").metadata
        sizes = [groups.row_group(i).num_rows for i in range(groups.num_row_groups)]
        assert (sizes[:-1], sum(sizes)) == ([50] * (len(sizes) - 1), len(batch))
        assert len(sizes) > 1
    assert written[0] == written[1] == written[2]


def test_a_file_bears_its_name_only_when_it_is_whole(tmp_path):
    path = tmp_path / "rows.parquet"
    path.write_text("what was there before")
    with pytest.raises(NoDecisions):
        table.write(iter([read_log("classic", 2, 0), None]), path)
    assert path.read_text() == "what was there before"
    assert os.listdir(tmp_path) == ["rows.parquet"]


# --- the command ---


@pytest.fixture
def logs(tmp_path):
    """A directory of logs in every form, one of them deeper down, and another file."""
    folder = tmp_path / "logs"
    (folder / "deeper").mkdir(parents=True)
    (folder / "b.json").write_bytes(as_json(read_log("standard", 2, 1)))
    (folder / "a.ndjson").write_bytes(as_ndjson(read_log("premium", 3, 2)))
    (folder / "deeper" / "c.ndjson.gz").write_bytes(packed(as_ndjson(read_log("lovecraft", 2, 3))))
    (folder / "d.json.gz").write_bytes(packed(as_json(read_log("classic", 4, 0))))
    (folder / "notes.txt").write_text("no log")
    return folder


def test_logs_of_every_form_are_read_in_the_order_of_their_names(capsys, logs, tmp_path):
    status, said, complaints = billet(capsys, logs, "-o", tmp_path / "rows.parquet")
    assert (status, complaints) == (0, [])
    rows = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    assert said == f"{tmp_path}/rows.parquet: decisions: {len(rows)}; games: 4; logs left out: 0\n"
    assert list(dict.fromkeys(row["edition"] for row in rows)) == ["premium", "standard", "classic", "lovecraft"]
    status, _, _ = billet(capsys, logs / "deeper", logs / "b.json", "-o", tmp_path / "rows.parquet")
    editions = pq.read_table(tmp_path / "rows.parquet", columns=["edition"])["edition"].to_pylist()
    assert list(dict.fromkeys(editions)) == ["lovecraft", "standard"]


def test_processes_beside_each_other_write_the_same_bytes(capsys, logs, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "LOGS", 1)
    (logs / "bad.json").write_text("{")
    for jobs in (1, 2):
        status, _, complaints = billet(capsys, logs, "-o", tmp_path / f"{jobs}.parquet", "--jobs", jobs)
        assert (status, len(complaints)) == (1, 1)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()


def test_what_is_no_true_log_is_named_and_left_out(capsys, logs, tmp_path):
    changed = read_log("standard", 2, 1)
    dealt = next(event for event in changed["events"] if event["type"] == "round_started")
    dealt["data"]["set_aside"] = "princess" if dealt["data"]["set_aside"] == "guard" else "guard"
    changed["digest"] = digest_of(changed)
    (logs / "changed.json").write_bytes(as_json(changed))
    (logs / "by_other_rules.json").write_bytes(as_json(by_other_rules(read_log("standard", 2, 1))))
    (logs / "cut.ndjson.gz").write_bytes((logs / "deeper" / "c.ndjson.gz").read_bytes()[:-50])
    (logs / "other.json").write_text('{"any": "thing"}')
    status, said, complaints = billet(capsys, logs, "-o", tmp_path / "rows.parquet")
    assert status == 1
    assert said.endswith("; games: 4; logs left out: 4\n")
    assert all(": left out. " in line for line in complaints)
    assert [line.split(": ")[0].removeprefix(f"{logs}/") for line in complaints] == [
        "by_other_rules.json",
        "changed.json",
        "cut.ndjson.gz",
        "other.json",
    ]
    assert f"version {dealt['version']}" in complaints[1]
    status, said, complaints = billet(capsys, logs, "-o", tmp_path / "rows.parquet", "--verified")
    assert (status, len(complaints)) == (1, 3), "a deal that was changed is found by verifying alone"


@pytest.mark.parametrize("place", ["nowhere", "empty"])
def test_without_one_log_to_tell_of_a_file_is_left_as_it_is(capsys, tmp_path, place):
    (tmp_path / "rows.parquet").write_bytes(b"rows")
    (tmp_path / "empty").mkdir()
    status, said, complaints = billet(capsys, tmp_path / place, "-o", tmp_path / "rows.parquet")
    assert (status, said, len(complaints)) == (2, "", 2)
    assert complaints[0].startswith(f"{tmp_path / place}: left out. ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "rows.parquet"]
    assert (tmp_path / "rows.parquet").read_bytes() == b"rows"


def test_a_folder_that_cannot_be_read_is_named(capsys, logs, tmp_path, monkeypatch):
    scandir = os.scandir

    def closed(path):
        if path == str(logs / "deeper"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    status, said, complaints = billet(capsys, logs, "-o", tmp_path / "rows.parquet", "--jobs", 1)
    assert said.endswith("; games: 3; logs left out: 1\n")
    assert (status, complaints) == (1, [f"{logs}/deeper: left out. It cannot be read: Permission denied."])


def test_many_logs_in_one_file_are_told_of(capsys, logs, tmp_path):
    many = b"".join(as_json(read_log("classic", 2, seed)) + b"\n" for seed in (0, 1)) + b'{"events": []}\n'
    (tmp_path / "many").write_bytes(packed(many))
    status, said, [complaint] = billet(capsys, tmp_path / "many", "-o", tmp_path / "rows.parquet", "--language", "de")
    assert (status, complaint.split(" ")[0]) == (1, f"{tmp_path}/many:3:")
    assert said.endswith("; Spiele: 2; ausgelassene Protokolle: 1\n")


def test_what_cannot_be_done_is_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_bytes(as_json(read_log("classic", 2, 0)))
    status, said, [complaint] = billet(capsys, "a.json", "-o", "no/such/rows.parquet")
    assert (status, said) == (2, "")
    assert complaint == "billet: cannot write no/such/rows.parquet: No such file or directory"


def test_without_pyarrow_it_is_said_what_to_install(tmp_path):
    absent = "import sys; sys.modules['pyarrow'] = None; from billet.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", absent, "dataset", str(tmp_path), "-o", str(tmp_path / "rows.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "billet: the table needs the package pyarrow: install it with the pip beside billet, or in the checkout with "
        ".venv/bin/pip install '.[dataset]'\n"
    )
