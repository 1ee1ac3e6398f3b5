"""The bots as they are listed: each with its sentence, and with figures that were measured of it as it is now."""

import json
from importlib.resources import files

import pytest

from engine.bots import BOTS
from engine.editions import EDITIONS
from games.bots import offered as bots
from games.texts.catalogue import LANGUAGES, catalogue


def row(bot="cautious", others="random", edition="standard", seats=2, **more):
    return {
        "bot": bot,
        "others": others,
        "edition": edition,
        "seats": seats,
        "games": 100,
        "won": 60.0,
        "squares": 60.0,
    } | more


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """Gives the service other results of a tournament."""

    def put(*rows):
        (tmp_path / "strength.json").write_text(json.dumps(rows))
        monkeypatch.setattr(bots, "files", lambda package: tmp_path)
        bots.results.cache_clear()

    yield put
    bots.results.cache_clear()


def strengths(bot):
    return next(found for found in bots.listing(catalogue("en")) if found["id"] == bot)["strengths"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bot_is_listed_and_says_what_it_does(language):
    found = bots.listing(catalogue(language))
    assert [bot["id"] for bot in found] == list(BOTS)
    assert all(bot["text"].endswith(".") for bot in found)
    assert {bot["id"]: bot["think_ms"] > 0 for bot in found} == {name: bot.thinks for name, bot in BOTS.items()}


def test_figures_are_a_share_with_its_interval_and_what_is_even(measured):
    measured(row(seats=4))
    assert strengths("cautious") == [
        {
            "edition": "standard",
            "seats": 4,
            "others": "random",
            "think_ms": 0,
            "games": 100,
            "won": 0.6,
            "least": 0.504,  # 1.96 standard errors of 0.049
            "most": 0.696,
            "even": 0.25,
        }
    ]


def test_an_interval_does_not_leave_what_can_be(measured):
    measured(row(won=99.0, squares=99.0))
    assert strengths("cautious")[0]["most"] == 1.0


def test_they_come_in_the_order_of_editions_and_tables(measured):
    measured(row(edition="lovecraft"), row(seats=3), row(edition="classic"), row())
    assert [(found["edition"], found["seats"]) for found in strengths("cautious")] == [
        ("standard", 2),
        ("standard", 3),
        ("classic", 2),
        ("lovecraft", 2),
    ]


def test_figures_of_a_bot_that_played_otherwise_are_left_out(measured):
    version = BOTS["expert"].version
    now = row("expert", "cautious", version=version, think_ms=10)
    before = row("expert", "cautious", seats=3, version=version - 1, think_ms=10)
    measured(before, now)
    assert [(found["seats"], found["think_ms"]) for found in strengths("expert")] == [(2, 10)]


def test_what_is_published_was_measured_at_tables_that_there_are():
    rows = json.loads((files("games.bots") / "strength.json").read_text())
    assert rows
    for found in rows:
        assert found["seats"] in EDITIONS[found["edition"]].seats
        assert {found["bot"], found["others"]} <= set(BOTS)
        assert 0 <= found["squares"] <= found["won"] <= found["games"]
        assert found["games"] >= 100, "too few to say anything"
