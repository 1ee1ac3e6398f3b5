"""Acting: what is taken, what is refused and why, and what many do at once."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import orjson
import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from service.store import keys
from tests.service.at_table import EN, LONG, Game, read, refusal, said
from tests.service.states import folded
from tests.service.states import read as read_states

TABLE = {"rounds": [{"starter": 0, "order": ["spy", "guard", "countess", "baron", "prince"]}]}
"""Three seats: seat 0 holds a Guard and draws the Prince, seat 1 holds the Countess, seat 2 a Baron."""


def arranged(service, **more):
    return Game.begin(service, 3, sandbox=TABLE, **more)


def guard(target, guess="priest"):
    return {"type": "play_card", "card": "guard", "targets": [target], "guess": guess}


def test_an_action_is_answered_with_its_events_and_the_new_view(service):
    game = arranged(service)
    before = game.view(0)
    answer = service.play.act(game.token(0), game.id, read_action(guard(1, "countess")), words=EN)
    done = read(answer)
    assert [event["version"] for event in done["events"]] == list(range(before["version"] + 1, done["version"] + 1))
    assert [event["type"] for event in done["events"]] == ["card_played", "knocked_out", "turn_started", "card_drawn"]
    assert done["events"][-1]["data"]["card"] is None, "what the next seat draws is its own"
    assert done["game"] == game.view(0)
    assert answer.tag == service.games.view(game.token(0), game.id, words=EN).tag
    assert done["events"] == game.events(0, after=before["version"])


def test_every_legal_action_posted_back_unchanged_is_taken(service):
    rng = random.Random(5)
    for seats in (2, 5):
        game = Game.begin(service, seats)
        while (seat := game.to_act()) is not None:
            for viewer in game.guests:
                view = game.view(viewer)
                assert bool(view["legal_actions"]) == (viewer == seat)
                for legal in view["legal_actions"]:
                    assert legal["text"]
            game.act(seat, rng.choice(game.legal(seat)))
        assert all(game.view(viewer)["legal_actions"] == [] for viewer in game.guests)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"type": "play_card", "card": "king", "targets": [1]}, "card_not_in_hand"),
        ({"type": "play_card", "card": "guard", "targets": [], "guess": "priest"}, "target_required"),
        (guard(0), "target_self"),
        (guard(3), "target_unknown"),
        (guard(1, "guard"), "guess_not_allowed"),
        ({"type": "play_card", "card": "guard", "targets": [1]}, "guess_required"),
        ({"type": "play_card", "card": "prince", "targets": [1], "guess": "spy"}, "guess_not_allowed"),
        ({"type": "redraw_hand", "redraw": True}, "wrong_action"),
    ],
)
def test_an_illegal_action_says_why_and_what_is_legal(service, action, reason):
    game = arranged(service)
    before = game.view(0)
    refused = refusal(lambda: game.act(0, action))
    assert (refused.code, refused.reason) == ("illegal_action", reason)
    assert list(refused.legal_actions) == before["legal_actions"]
    assert refused.version == before["version"]
    assert said(refused)[0]
    assert game.view(0) == before, "a refused call leaves the log as it was"


def test_a_countess_that_must_be_played_is_named(service):
    rounds = [{"starter": 0, "order": [*TABLE["rounds"][0]["order"], "king"]}]
    game = Game.begin(service, 3, sandbox={"rounds": rounds})
    game.act(0, guard(2, "spy"))
    assert game.legal(1) == [{"type": "play_card", "card": "countess", "targets": []}]
    refused = refusal(lambda: game.act(1, {"type": "play_card", "card": "king", "targets": [0]}))
    assert refused.reason == "must_play_countess"
    assert "Countess" in said(refused)[0]


def test_who_has_resigned_cannot_act(service):
    game = arranged(service)
    service.tables.leave(game.token(0), game.id, words=EN)
    refused = refusal(lambda: game.act(0, guard(1)))
    assert refused.code == "not_seated"
    assert said(refused)[0].startswith("You have left this game")


def test_a_refusal_says_nothing_of_what_others_hold(service):
    """The same call is refused in the same words whatever the other hands are."""
    texts = set()
    for other in ("princess", "baron", "king"):
        rounds = [{"starter": 0, "order": ["spy", "guard", other, "handmaid", "prince"]}]
        game = Game.begin(service, 3, sandbox={"rounds": rounds})
        refused = refusal(lambda game=game: game.act(0, guard(1, "guard")))
        texts.add((refused.code, refused.reason, *said(refused), orjson.dumps(list(refused.legal_actions))))
    assert len(texts) == 1


# --- tags of views ---


def test_the_tag_of_another_viewer_does_not_match(service):
    game = arranged(service)
    for token in (game.token(1), None):
        tag = service.games.view(token, game.id, words=EN).tag
        assert refusal(lambda tag=tag: game.act(0, guard(1), seen=tag.__eq__)).code == "stale_version"


def test_a_stale_tag_is_told_before_whose_turn_it_is(service):
    game = arranged(service)
    tag = service.games.view(game.token(0), game.id, words=EN).tag
    game.act(0, guard(1))
    assert refusal(lambda: game.act(0, guard(1), seen=tag.__eq__)).code == "stale_version"
    assert refusal(lambda: game.act(0, guard(1))).code == "not_your_turn"


# --- at once ---


def outcomes(calls):
    """Makes calls at once and returns `taken` for those that were answered and the codes of the others."""

    def outcome(call):
        try:
            call()
        except Refused as refused:
            return refused.code
        return "taken"

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(outcome, calls))


@pytest.mark.parametrize("tagged", [True, False])
@pytest.mark.parametrize("attempt", [1, 3])
def test_of_eight_actions_at_once_one_is_taken(service, another, client, log, tagged, attempt):
    rng = random.Random(attempt)
    # Without a tag an action may answer the seat's next question, if a round ends that it wins: not in the first turn.
    game = Game.begin(service, 3).play(rng, attempt * 3 if tagged else 0)
    seat = game.to_act()
    if seat is None:
        game = Game.begin(service, 3)
        seat = game.to_act()
    token, legal, before = game.token(seat), game.legal(seat), game.view()["version"]
    seen = service.games.view(token, game.id, words=EN).tag.__eq__ if tagged else None
    services = [another() for _ in range(4)] + [service] * 4
    calls = [partial(one.play.act, token, game.id, read_action(rng.choice(legal)), seen, words=EN) for one in services]
    found = outcomes(calls)
    assert found.count("taken") == 1
    assert set(found) - {"taken"} <= {"not_your_turn", "stale_version", "illegal_action", "game_over"}
    if tagged:
        assert found.count("stale_version") == 7
    entries = log.entries(game.id, before)
    assert sum(entry.event.type in ("card_played", "decision_taken") for entry in entries) == 1
    whole = folded(log, game.id)
    assert read_states(log, game.id) == whole
    for one in services:
        game.service = one
        assert game.view(seat) == read(another().games.view(token, game.id, words=EN)), "what was not taken is not seen"


def test_an_action_and_another_seats_resignation_at_once_are_both_taken(service, another, log):
    both = 0
    for attempt in range(10):
        game = arranged(service)
        calls = [
            lambda game=game: another().play.act(game.token(0), game.id, read_action(guard(1)), words=EN),
            lambda game=game: another().tables.leave(game.token(2), game.id, words=EN),
        ]
        found = outcomes(calls if attempt % 2 else calls[::-1])
        both += found == ["taken", "taken"]
        types = [entry.event.type for entry in log.entries(game.id, 0)]
        assert types.count("seat_left") == 1
        assert types.count("card_played") == 1, "the question was not another one because somebody left"
        assert read_states(log, game.id) == folded(log, game.id)
    assert both == 10


def test_an_action_on_the_very_seat_that_resigns_is_taken_or_refused(service, another, log):
    for _ in range(10):
        game = arranged(service)
        found = outcomes(
            [
                lambda game=game: another().play.act(game.token(0), game.id, read_action(guard(1)), words=EN),
                lambda game=game: another().tables.leave(game.token(1), game.id, words=EN),
            ]
        )
        assert found in (["taken", "taken"], ["illegal_action", "taken"])
        assert read_states(log, game.id) == folded(log, game.id)


def test_an_action_and_the_timeout_of_its_seat_at_once_are_one_course(service, another, log, clock):
    for _ in range(10):
        game = arranged(service, clock={"seconds": 10, "on_timeout": "bot_plays"})
        clock.advance(10)
        found = outcomes(
            [
                lambda game=game: another().play.act(game.token(0), game.id, read_action(guard(1)), words=EN),
                lambda game=game: another().play.time_out(game.id, 0),
                lambda game=game: another().play.time_out(game.id, 0),
            ]
        )
        assert found == ["not_your_turn", "taken", "taken"], "who reads the game first enforces the clock"
        types = [entry.event.type for entry in log.entries(game.id, 0)]
        assert types.count("seat_timed_out") == 1
        assert types.count("card_played") == 1
        assert read_states(log, game.id) == folded(log, game.id)


def test_an_action_that_is_overtaken_is_not_taken_for_the_seats_next_question(service, another, monkeypatch):
    game, own = Game.begin(service, sandbox=LONG), another()
    append = own.play._log.append

    def overtaken(new, **more):
        monkeypatch.undo()
        game.act(0, {"type": "play_card", "card": "prince", "targets": [1]})  # from another device
        game.act(1, {"type": "play_card", "card": "priest", "targets": [0]})
        return append(new, **more)

    monkeypatch.setattr(own.play._log, "append", overtaken)
    priest = {"type": "play_card", "card": "priest", "targets": [1]}
    refused = refusal(own.play.act, game.token(0), game.id, read_action(priest), words=EN)
    assert (refused.code, refused.version) == ("stale_version", game.view()["version"])
    assert game.act(0, priest), "nothing else keeps it from being taken"


def test_one_who_is_late_is_too_late_also_in_a_process_that_knows_game_and_player(service, clock):
    game = Game.begin(service, sandbox=LONG, clock={"seconds": 10, "on_timeout": "bot_plays"})
    for seat in (0, 1):
        game.act(seat, game.legal(seat)[0])
    legal = game.legal(0)[0]
    clock.advance(10)
    assert refusal(lambda: game.act(0, legal)).code == "not_your_turn"
    assert [event["data"]["seat"] for event in game.events() if event["type"] == "seat_timed_out"] == [0]


def test_seats_that_all_act_as_fast_as_they_can_play_one_game(service, another, log):
    game = Game.begin(service, 4, clock={"seconds": 600, "on_timeout": "bot_plays"})

    def insist(seat):
        own, rng, taken = another(), random.Random(seat), 0
        while True:
            view = read(own.games.view(game.token(seat), game.id, words=EN))
            if view["status"] == "finished":
                return taken
            action = rng.choice(view["legal_actions"])["action"] if view["legal_actions"] else guard((seat + 1) % 4)
            try:
                own.play.act(game.token(seat), game.id, read_action(action), words=EN)
                taken += 1
            except Refused as refused:
                if refused.code not in ("not_your_turn", "illegal_action", "stale_version", "game_over"):
                    raise

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(insist, range(4)))
    entries = log.entries(game.id, 0)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert sum(entry.event.type in ("card_played", "decision_taken") for entry in entries) == sum(taken)
    assert read_states(log, game.id) == folded(log, game.id)


def test_too_many_changes_of_others_are_unavailable_at_last(service, monkeypatch, client):
    """A change that is overtaken again and again is given up; the log is as the others left it."""
    game = arranged(service)
    log = service.play._log
    original = log.append

    def overtaken(new, **more):
        client.hset(keys.meta(game.id), "head", f"{new.before.version}:{random.getrandbits(32):08x}")
        return original(new, **more)

    monkeypatch.setattr(log, "append", overtaken)
    before = client.xlen(keys.log(game.id))
    with pytest.raises(Exception, match="too many callers"):
        game.act(0, guard(1))
    assert client.xlen(keys.log(game.id)) == before
