"""What was served live and what is served by replay are the same bytes, and where rounds and turns begin."""

import random

import orjson
import pytest

from engine.events import SecretRevealed
from tests.service.at_table import EN, Game, all_events, guest, nearly_won, read, refusal
from tests.service.play.recorded import TABLES, Recorded

MOST_STEPS = 12


@pytest.mark.parametrize(("edition", "seats", "number"), TABLES)
def test_a_replay_is_what_was_served_live_to_the_last_byte(service, another, clock, log, edition, seats, number):
    recorded = Recorded(service, clock, edition, seats, number).sit_down().play(MOST_STEPS)
    seen = {one.version for one in recorded.served}
    ends = recorded.ends(log)
    assert seen <= ends
    if recorded.limit is None or "kind" not in recorded.limit:
        assert seen == ends, "somebody looked after every step"
    assert {one.seat for one in recorded.served} == {None, *recorded.game.guests}
    assert recorded.replay(another()) > MOST_STEPS


def test_a_replay_of_a_game_that_was_called_off_is_what_was_served_live(service, another, clock):
    recorded = Recorded(service, clock, "standard", 4, 1).sit_down().abort()
    assert recorded.replay(another()) > 0


# --- events ---


@pytest.mark.parametrize("at", [0, -1, 10_000])
def test_events_up_to_a_version_there_never_was_are_invalid(service, at):
    game = Game.begin(service)
    refused = refusal(lambda: service.games.events(None, game.id, at=at))
    assert [refused.code, refused.faults[0].field] == ["invalid_request", "at"]


def test_events_up_to_a_version_end_there_and_nobody_waits_for_more(service):
    game = Game.begin(service)
    newest = game.view()["version"]
    for at in (1, 3, newest):
        page = read(service.games.events(None, game.id, at=at, wait=30))
        assert [event["version"] for event in page["events"]] == list(range(1, at + 1))
        assert (page["version"], page["finished"]) == (at, False)
        assert read(service.games.events(None, game.id, after=at, at=at, wait=30))["events"] == []
    refused = refusal(lambda: service.games.events(None, game.id, after=3, at=2))
    assert [refused.code, refused.faults[0].field] == ["invalid_request", "after"]


@pytest.mark.parametrize(("edition", "seats"), [("standard", 3), ("premium", 5), ("lovecraft", 2)])
def test_an_ended_game_is_told_whole_in_words_and_hides_nothing(service, log, edition, seats):
    game = Game.begin(service, seats, edition=edition).play(random.Random(edition))
    stranger = guest(service)
    whole = all_events(service, stranger.token, game.id, as_="all", words=EN)
    assert read(service.games.events(stranger.token, game.id, after=len(whole) - 1, as_="all", words=EN))["finished"]
    stored = log.entries(game.id, 0)
    assert isinstance(stored[-1].event, SecretRevealed)
    for told, entry in zip(whole, stored, strict=True):
        assert told["text"]
        for name, value in told["data"].items():
            assert value == orjson.loads(orjson.dumps(getattr(entry.event, name))), (told["type"], name)


# --- rounds ---


@pytest.mark.parametrize(("edition", "seats"), [("standard", 2), ("classic", 4), ("premium", 3), ("lovecraft", 4)])
def test_rounds_and_turns_begin_where_the_log_says(service, edition, seats):
    sandbox = nearly_won(edition, seats, rounds=2)
    game = Game.begin(service, seats, edition=edition, sandbox=sandbox).play(random.Random(edition))
    listed = read(service.games.rounds(None, game.id))
    assert (listed["finished"], listed["version"]) == (True, game.view()["version"])
    starts = [event["version"] for event in game.events() if event["type"] == "round_started"]
    turns = [event["version"] for event in game.events() if event["type"] == "turn_started"]
    assert [one["version"] for one in listed["rounds"]] == starts
    assert [turn["version"] for one in listed["rounds"] for turn in one["turns"]] == turns
    for number, one in enumerate(listed["rounds"], 1):
        first, last = game.view(at=one["version"]), game.view(at=one["end"])
        assert number == one["number"] == first["round"]["number"] == last["round"]["number"]
        assert [one[name] for name in ("starter", "seats", "scores")] == [
            first["round"][name] for name in ("starter", "seats", "scores")
        ]
        assert one["turns"][0]["seat"] == one["starter"]
        assert [game.view(at=turn["version"])["round"]["turn"] for turn in one["turns"]] == [
            turn["seat"] for turn in one["turns"]
        ]
        for turn in one["turns"][:3]:
            if turn["act_version"] is not None:
                then = game.view(turn["seat"], at=turn["act_version"])
                assert (then["to_act"], then["round"]["number"], then["decision"]) == (turn["seat"], number, None)
                assert then["legal_actions"]
        ends = [event for event in game.events(after=one["version"]) if event["type"] == "round_ended"][:1]
        if one["end"] is None:  # a card won the whole game
            assert (ends, number) == ([], len(starts))
        else:
            assert ends[0]["version"] == one["end"]
            assert (ends[0]["data"]["number"], ends[0]["data"]["winners"]) == (number, one["winners"])


def test_rounds_are_the_same_to_everybody_also_while_the_game_runs(service):
    game = Game.open(service, "creator", "open", "open")
    assert read(service.games.rounds(None, game.id))["rounds"] == []
    game.fill()
    answers = [service.games.rounds(game.token(viewer), game.id) for viewer in (None, 0, 1, 2)]
    assert all(answer == answers[0] for answer in answers)
    (only,) = read(answers[0])["rounds"]
    assert [only["end"], only["winners"], len(only["turns"])] == [None, None, 1]
    again = service.games.rounds(None, game.id, known=answers[0].tag.__eq__)
    assert (again.unchanged, again.body, again.tag) == (True, b"", answers[0].tag)
    game.play(random.Random(1), 3)
    assert not service.games.rounds(None, game.id, known=answers[0].tag.__eq__).unchanged
