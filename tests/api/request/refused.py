"""Bodies and queries that the interface refuses, with what it says of each."""

import functools

MALFORMED = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b'{"type":"redraw_hand","redraw":true}{}', "not JSON"),
    (b"{'type':1}", "not JSON"),
    (b'{"type":"redraw_hand","type":"peek_hand"}', "same member twice"),
    (b'{"type":NaN}', "NaN"),
    (b'{"type":-Infinity}', "-Infinity"),
    (b'{"type":"\xff"}', "UTF-8"),
    (b'{"type":"\xed\xa0\x80"}', "UTF-8"),
    ('{"type":"redraw_hand"}'.encode("utf-16"), "UTF-8"),
    ('{"type":"redraw_hand"}'.encode("utf-8-sig"), "byte order mark"),
    (b'{"type":' + b"9" * 5000 + b"}", "20 digits"),
    (b"[" * 30_000 + b"]" * 30_000, "nested"),
    (b"[" * 60_000, ""),  # nested or not JSON: not every Python says the same first
    (b"[" * 33 + b"]" * 33, "nested"),
    (b'{"a":' * 33 + b"1" + b"}" * 33, "nested"),
]
"""Bodies, and words of the sentence with which each is refused."""

NO_ACTIONS = [
    ([], [""]),
    (functools.reduce(lambda inner, _: [inner], range(31), []), [""]),  # no deeper than it may be
    ("play_card", [""]),
    ({}, ["type"]),
    ({"type": "fold"}, ["type"]),
    ({"type": ["play_card"]}, ["type"]),
    ({"type": None}, ["type"]),
    ({"type": "play_card"}, ["card"]),
    ({"type": "play_card", "card": "joker"}, ["card"]),
    ({"type": "play_card", "card": None}, ["card"]),
    ({"type": "play_card", "card": "guard", "targets": None}, ["targets"]),
    ({"type": "play_card", "card": "guard", "targets": 1}, ["targets"]),
    ({"type": "play_card", "card": "guard", "targets": ["1"]}, ["targets.0"]),
    ({"type": "play_card", "card": "guard", "targets": [True]}, ["targets.0"]),
    ({"type": "play_card", "card": "guard", "targets": [0.5]}, ["targets.0"]),
    ({"type": "play_card", "card": "guard", "targets": [-1]}, ["targets.0"]),
    ({"type": "play_card", "card": "guard", "targets": [8]}, ["targets.0"]),
    ({"type": "play_card", "card": "guard", "guess": 4}, ["guess"]),
    ({"type": "play_card", "card": "guard", "guess_value": "4"}, ["guess_value"]),
    ({"type": "play_card", "card": "guard", "seat": 1}, ["seat"]),
    ({"type": "redraw_hand", "redraw": "true"}, ["redraw"]),
    ({"type": "redraw_hand", "redraw": 1}, ["redraw"]),
    ({"type": "keep_card", "keep": "king"}, ["bottom"]),
    ({"type": "give_hands", "hands": [{"seat": 1}]}, ["hands.0.card"]),
]
"""Actions that cannot be, and where."""

NO_TABLES = [
    ({}, {"edition", "seats"}),
    ({"edition": "chess"}, {"edition"}),
    ({"seats": []}, {"seats"}),
    ({"seats": [{"kind": "creator"}]}, {"seats"}),
    ({"seats": [{"kind": "creator"}, {"kind": "bot"}]}, {"seats.1.bot"}),
    ({"seats": [{"kind": "creator"}, {"kind": "bot", "bot": "nobody"}]}, {"seats.1.bot"}),
    ({"seats": [{"kind": "creator", "bot": "random"}, {"kind": "open"}]}, {"seats.0.bot"}),
    ({"seats": [{"kind": "human"}, {}]}, {"seats.0.kind", "seats.1.kind"}),
    ({"clock": None}, {"clock"}),
    ({"clock": {"seconds": 0, "on_timeout": "bot_plays"}}, {"clock.seconds"}),
    ({"clock": {"seconds": 60, "on_timeout": "wait"}}, {"clock.on_timeout"}),
    ({"options": {"no_such": "x"}}, {"options.no_such"}),
    ({"sandbox": {"rounds": [{"order": ["joker"]}]}}, {"sandbox.rounds.0.order.0"}),
    ({"nonce": "x" * 201}, {"nonce"}),
    ({"visibility": "secret", "colour": "red"}, {"visibility", "colour"}),
]
"""What of a table cannot be, and where; an empty one is a body without a table."""

NO_QUERIES = [
    ("/v1/games/g1?at=-1", ["at"]),
    ("/v1/games/g1?at=0", ["at"]),
    ("/v1/games/g1?at=1.0", ["at"]),
    ("/v1/games/g1?at=%2B1", ["at"]),
    ("/v1/games/g1?at=%D9%A1", ["at"]),
    ("/v1/games/g1?at=", ["at"]),
    ("/v1/games/g1?at=1&at=2", ["at"]),
    ("/v1/games/g1?at=99999999999999999999", ["at"]),
    ("/v1/games/g1?as=me", ["as"]),
    ("/v1/games/g1?as=8", ["as"]),
    ("/v1/games/g1?as=all%0A", ["as"]),
    ("/v1/games/g1?join_code=%00", ["join_code"]),
    ("/v1/games/g1?join_code=%ED%A0%80", ["join_code"]),
    ("/v1/games/g1?join_code=a%ED%B0%80b", ["join_code"]),
    ("/v1/games/g1?join_code=%FF", ["join_code"]),
    ("/v1/games/g1?join_code=a&join%ED%A0%80=1", ["join\ufffd\ufffd\ufffd"]),
    ("/v1/games/g1?at%00=1", ["at\x00"]),
    ("/v1/games/g1?version=1", ["version"]),
    ("/v1/games/g1/events?wait=31", ["wait"]),
    ("/v1/games/g1/events?limit=0", ["limit"]),
    ("/v1/games/g1/events?text=1", ["text"]),
    ("/v1/games/g1/events?text=", ["text"]),
    ("/v1/games?status=lost", ["status"]),
    ("/v1/games?edition=chess", ["edition"]),
    ("/v1/games?limit=101", ["limit"]),
]
"""Paths with queries that cannot be, and the parameters that are wrong."""
