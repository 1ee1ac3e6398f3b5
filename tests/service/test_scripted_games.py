"""The games with which the benchmarks measure actions."""

import orjson
import pytest

from engine.logs.codec import read_action
from games.tables.seats import MOST_SITTINGS
from service.store.log.event_log import EventLog
from tests.service.at_table import EN
from tools.benchmarks.http.scripted import scripted_game


@pytest.mark.parametrize("churn", [0, MOST_SITTINGS + 1])
def test_a_scripted_game_goes_to_its_end_however_often_its_table_was_left(service, churn):
    log = EventLog(service.redis) if churn else None
    course = scripted_game(service, 4, 1, log, churn)
    views = [
        orjson.loads(service.play.act(token, course.game, read_action(orjson.loads(action)), words=EN).body)["game"]
        for token, action in course.actions
    ]
    assert [view["status"] for view in views[-2:]] == ["active", "finished"]
