"""Games of bots in memory: played as the service plays them, so that their logs are valid, and the same for a seed."""

import time

import pytest

from engine.errors import UnknownEdition
from games.bots.self_play import bot_game
from games.bots.turns import ThinkBudget
from games.records.portable import as_json, parsed
from games.records.verification import verify
from tests.engine.random_games import EVERY_TABLE


@EVERY_TABLE
def test_their_logs_are_valid(edition, seats):
    log = parsed(as_json(bot_game(edition, ["random"] * (seats - 1) + ["cautious"], seats)))
    assert log["players"] == ["bot-random"] * (seats - 1) + ["bot-cautious"]
    assert verify(log).valid


def test_a_bot_that_thinks_says_how_long():
    log = bot_game("classic", ["expert", "random"], 1, budget=ThinkBudget(1, time))
    thoughts = [
        event["cause"]["thought"] for event in log["events"] if event["cause"] and event["cause"]["type"] == "act"
    ]
    assert {(thought["bot"], thought["think_ms"]) for thought in thoughts} == {("expert", 1), ("random", 0)}
    assert verify(parsed(as_json(log))).valid


def test_the_same_seed_is_the_same_game_and_another_another():
    one, same, other = (bot_game("standard", ["cautious", "random"], seed) for seed in (1, 1, 2))
    assert as_json(one) == as_json(same)
    assert one["game"] != other["game"]
    assert one["secret"] != other["secret"]


def test_an_edition_that_there_is_not_and_options_are_the_engines_to_judge():
    with pytest.raises(UnknownEdition):
        bot_game("nothing", ["random", "random"], 1)
    with pytest.raises(UnknownEdition):
        bot_game("standard", ["random", "random"], 1, {"nothing": "yes"})
