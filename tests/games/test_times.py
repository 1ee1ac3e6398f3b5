"""A text is a time just if it is the one text that is written for a time."""

import pytest

from games.times import is_time, ms_of, text_of


@pytest.mark.parametrize("ms", [0, 1, 999, 1_900_000_000_123, 253_402_300_799_999, -1, -62_135_596_800_000])
def test_what_is_written_is_a_time(ms):
    assert is_time(text_of(ms))
    assert ms_of(text_of(ms)) == ms


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2030-01-31",
        "2030-01-31T12:00:00Z",
        "2030-01-31T12:00:00.00Z",
        "2030-01-31T12:00:00.0000Z",
        "2030-01-31T12:00:00.000",
        "2030-01-31T12:00:00,000Z",
        "2030-01-31 12:00:00.000Z",
        "2030-01-31T12:00:00.000z",
        "2030-01-31T12:00:60.000Z",
        "2030-01-31T24:00:00.000Z",
        "2030-02-30T12:00:00.000Z",
        "2030-13-01T12:00:00.000Z",
        "0000-01-01T12:00:00.000Z",
        "2030-W05-4T12:00:00.000Z",
        "2030-01-31T12:00:00.\u0660\u0660\u0660Z",
        "\u0662\u0660\u0663\u0660-01-31T12:00:00.000Z",
        "2030-01-31T12:00:00+00:00.000Z",
        "2030-01-31T12:00+00:00:00.000Z",
    ],
)
def test_nothing_else_is(text):
    assert not is_time(text)
