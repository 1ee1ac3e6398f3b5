"""Deals of the day: one try for each player, the same cards and bots for all, and what the crowd chose afterwards."""

import pytest

from engine.shuffle import commitment
from games.records.portable import as_json, parsed
from games.records.verification import verify
from service.store import keys
from tests.service.at_table import EN, guest, read, refusal
from tests.service.daily.trying import WINS, at_noon, begin, end, let_the_bot_try, person, play, today

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def noon(clock, client):
    at_noon(clock, client)


def shown(service, player, edition="standard"):
    return service.daily.one(player.token if player is not None else None, edition)


def past(service, player, day):
    return service.daily.past(player.token if player is not None else None, day.edition, day.date, EN)


def test_the_same_choices_lead_everybody_through_the_same_game(service, clock):
    ann, bob, cid = (person(service, clock, name) for name in ("Ann", "Bob", "Cid"))
    seen = [play(service, one, begin(service, one)["id"], "same") for one in (ann, bob)]
    assert seen[0]["id"] != seen[1]["id"]
    others = play(service, cid, begin(service, cid)["id"], "other")
    day = today(clock)
    end(service, clock, day)
    lines = [past(service, one, day)["own"] for one in (ann, bob, cid)]
    assert lines[0]["choices"] == lines[1]["choices"] != lines[2]["choices"]
    assert lines[0]["tokens"] == lines[1]["tokens"] == [seat["tokens"] for seat in seen[0]["seats"]]
    first = lines[0]["choices"][0]
    assert sum(one["tries"] for one in first["crowd"]) == 3, "all three were in the first position"
    assert first["text"][0].isupper()
    assert [line["game"] for line in lines] == [seen[0]["id"], seen[1]["id"], others["id"]]


def test_a_day_tells_numbers_alone_and_then_its_secret(service, clock):
    ann, bob = person(service, clock), person(service, clock, "Bob")
    before = shown(service, None)
    assert (before["tried"], before["won"], before["try"], before["streak"]) == (0, 0, None, None)
    game = begin(service, ann)
    assert game["commitment"] == before["commitment"]
    assert shown(service, bob)["tried"] == 1
    over = play(service, ann, game["id"])
    won = 0 in over["winners"]
    assert shown(service, ann)["try"] == {
        "game": game["id"],
        "status": "finished",
        "won": won,
        "tokens": [seat["tokens"] for seat in over["seats"]],
    }
    assert (shown(service, bob)["tried"], shown(service, bob)["won"], shown(service, bob)["try"]) == (1, int(won), None)
    assert not {"secret", "own", "best"} & {*shown(service, ann)}
    day = today(clock)
    assert refusal(lambda: past(service, ann, day)).code == "game_not_finished"
    end(service, clock, day)
    found = past(service, bob, day)
    assert (found["tried"], found["won"], found["own"]) == (1, int(won), None)
    assert commitment(bytes.fromhex(found["secret"])) == found["commitment"] == before["commitment"]


def test_a_log_of_a_day_verifies(service, clock):
    ann, late = person(service, clock), person(service, clock, "Bob")
    day = today(clock)
    played = begin(service, ann)["id"]
    play(service, ann, played)
    clock.ms = day.ends - 30_000
    called_off = begin(service, late)["id"]
    end(service, clock, day)
    for player, game in ((ann, played), (late, called_off)):
        log = service.games.log(player.token, game)
        assert verify(parsed(as_json(log))).valid
        assert log["secret"] == past(service, None, day)["secret"]
    assert read(service.games.view(late.token, called_off, words=EN))["abort_reason"] == "called_off"


def test_the_bot_tries_it_too(service, clock):
    ann = person(service, clock)
    play(service, ann, begin(service, ann)["id"])
    day = today(clock)
    game = let_the_bot_try(service, day)
    assert shown(service, ann)["tried"] == 1, "the bot does not count"
    assert refusal(lambda: service.games.view(ann.token, game, words=EN)).code == "game_not_finished"
    end(service, clock, day)
    found = past(service, ann, day)
    assert (found["tried"], found["expert"]["game"]) == (1, game)
    own, expert = found["own"]["choices"], found["expert"]["choices"]
    assert own[0]["expert"]["action"] == expert[0]["action"]
    parted = next(i for i, (one, two) in enumerate(zip(own, expert, strict=False)) if one["action"] != two["action"])
    assert [one["expert"] for one in own[parted + 1 :]] == [None] * len(own[parted + 1 :])
    assert read(service.games.view(None, game, as_="all", words=EN))["status"] == "finished", "its replay is for all"


def test_the_best_lines_are_those_that_won_and_name_nobody(service, clock):
    tried = {}
    for number, seed in enumerate((WINS, "0", WINS, "1")):
        player = person(service, clock, f"Player {number}")
        tried[player.id] = play(service, player, begin(service, player)["id"], seed)
    day = today(clock)
    end(service, clock, day)
    found = past(service, None, day)
    assert (found["tried"], found["won"]) == (4, 2)
    [best] = found["best"]
    assert (best["won"], best["game"]) == (True, None)
    assert [sum(one["tries"] for one in choice["crowd"]) for choice in best["choices"]][-1] == 2
    text = str(found)
    assert not any(player in text or one["id"] in text for player, one in tried.items())


def test_streaks_follow_from_the_games(service, clock):
    ann = person(service, clock)
    for length in range(1, 4):
        assert shown(service, ann)["streak"] == length - 1
        play(service, ann, begin(service, ann)["id"])
        assert shown(service, ann)["streak"] == length
        clock.advance(24 * 3600)
    assert shown(service, ann)["streak"] == 3, "today is not over"
    assert shown(service, ann, "classic")["streak"] == 0
    clock.advance(24 * 3600)
    assert shown(service, ann)["streak"] == 0


def test_the_day_before_is_named_once_its_deal_can_be_looked_at(service, clock):
    ann, day = person(service, clock), today(clock)
    play(service, ann, begin(service, ann)["id"])
    assert shown(service, None)["previous"] is None, "nobody tried it"
    clock.ms = day.ends
    assert shown(service, None)["previous"] is None, "workers have not looked at its tries"
    end(service, clock, day)
    assert shown(service, None)["previous"] == day.date == past(service, None, day)["date"]
    assert shown(service, None, "classic")["previous"] is None


def test_an_account_younger_than_the_day_does_not_count(service, clock):
    ann = person(service, clock)
    young = guest(service, "Young")
    for one in (ann, young):
        play(service, one, begin(service, one)["id"])
    assert shown(service, young)["tried"] == 1
    assert shown(service, young)["streak"] == 1
    day = today(clock)
    end(service, clock, day)
    found = past(service, young, day)
    assert found["tried"] == 1
    assert found["own"] is not None


def test_programs_and_unknown_days_are_refused(service, clock):
    assert refusal(lambda: begin(service, guest(service, "Bot", "bot"))).code == "not_accepted"
    ann = guest(service)
    assert refusal(lambda: begin(service, ann, "unknown")).code == "not_found"
    assert refusal(lambda: service.daily.begin(None, "standard", words=EN)).code == "unauthenticated"
    for date in ("2020-01-01", "2020-1-1", "20200101", "today", "2020-02-30"):
        assert refusal(lambda date=date: service.daily.past(None, "standard", date, EN)).code == "not_found"


def test_who_has_tried_is_not_kept_when_the_day_is_over(service, clock, client):
    ann = person(service, clock)
    play(service, ann, begin(service, ann)["id"])
    day = today(clock)
    end(service, clock, day)
    assert [key for key in client.keys("billet:{day:*") if key != keys.day(day.id).encode()] == []
    assert ann.id not in str(client.hgetall(keys.day(day.id)))
    assert client.zcard(keys.DAYS_DUE) == 0
    assert client.ttl(keys.day(day.id)) > 0
