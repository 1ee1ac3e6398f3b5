"""A text that is read the quick way is read as any other."""

import json

import pytest

from games.records import portable
from games.records.portable import Unreadable, as_json, as_ndjson, parsed
from tests.games.whole_logs import whole_log


def came(raw):
    """Returns what is read, or why nothing is."""
    try:
        return parsed(raw)
    except Unreadable as error:
        return error.why


def test_logs_are_read_the_quick_way_and_give_the_same(monkeypatch):
    log = whole_log("standard", 3, 1)
    raws = [as_json(log), as_json(log) + b"\n", as_ndjson(log), as_ndjson(log)[:-1]]
    with monkeypatch.context() as patched:
        patched.setattr(portable, "_decoded", None)
        quick = [parsed(raw) for raw in raws]
    monkeypatch.setattr(portable, "LONGEST_QUICK", 0)
    assert quick == [parsed(raw) for raw in raws] == [json.loads(raws[0])] * len(raws)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"null",
        b"[1.5]",
        b"-0",
        b'{"a":1.0}',
        b'{"a":1e5}',
        b'{"a":NaN}',
        b'{"a":1,"a":1}',
        b'{"a":1,"a":2}',
        b'{"a":9007199254740991}',
        b'{"a":9007199254740992}',
        b'{"a":9007199254740993}',
        b'{"a":-9007199254740992}',
        b'{"a":99999999999999999}',
        b'{"a":99999999999999999999}',
        b'{"a":"\\ud800"}',
        b'{"a":"\\u0041"}',
        b'{"events":[]}\n{}',
        b'{"a":1}\n\n{"b":2}',
        b'{"a":1},{"b":2}',
        b'{"a":1},{"b":2}\n{"x":[{"y":1}\n{"z":1}]}',
        b'{"a":1\n"b":2}',
        b"[" * 33 + b"]" * 33,
        b"[" * 32 + b"]" * 32,
        b"[" * 2000 + b"]" * 2000,
        b'{"a":1}\n' + b"[" * 33 + b"]" * 33,
    ],
)
def test_what_could_be_read_in_two_ways_is_not_read_quickly(raw, monkeypatch):
    quick = came(raw)
    monkeypatch.setattr(portable, "LONGEST_QUICK", 0)
    slow = came(raw)
    assert (type(quick), repr(quick)) == (type(slow), repr(slow))
