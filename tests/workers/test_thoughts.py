"""Bots think for one player after the other: who has many tables keeps nobody else waiting, and no thought is lost."""

import random
from itertools import pairwise

import pytest

from service import keys
from service.due import Hint, bots_hint
from service.own_bots import OVERDUE_MS
from service.times import ms_of, now_ms
from tests.service.at_table import EN, Game, body, guest, read

THINK_MS = 40


def ask(service, *hints):
    """Asks for thoughts: each a game, for whom it is, and whether it is one of bots alone."""
    service.jobs.ask([Hint("think", game, 1, unattended, tuple(whose)) for game, whose, unattended in hints])


def order(service):
    """Returns the games that wait, in the order in which they are thought about."""
    found = []
    while (due := service.jobs.next_thought()) is not None:
        found.append(due[0])
    return found


def test_players_have_their_thoughts_in_turn(service):
    ask(service, *[(f"ann-{i}", ["ann"], False) for i in range(4)])
    ask(service, ("ben-0", ["ben"], False), ("ben-1", ["ben"], False), ("cem-0", ["cem"], False))
    assert order(service) == ["ann-0", "ben-0", "cem-0", "ann-1", "ben-1", "ann-2", "ann-3"]


def test_who_comes_while_others_wait_has_the_turn_after_theirs(service):
    ask(service, *[(f"{who}-{i}", [who], False) for i in range(3) for who in ("ann", "ben")])
    assert service.jobs.next_thought() == ("ann-0", 1)
    ask(service, ("cem-0", ["cem"], False))
    assert order(service)[:3] == ["ben-0", "ann-1", "cem-0"]


def test_a_game_waits_once_and_keeps_its_place(service):
    waiting = [(f"ann-{i}", ["ann"], False) for i in range(3)]
    ask(service, *waiting)
    ask(service, *reversed(waiting))
    assert order(service) == ["ann-0", "ann-1", "ann-2"]
    ask(service, waiting[1])
    assert order(service) == ["ann-1"], "and waits again when it is asked for again"


def test_a_table_of_several_is_in_the_line_of_the_one_who_has_least(service):
    ask(service, *[(f"ann-{i}", ["ann"], False) for i in range(3)])
    ask(service, ("both", ["ann", "ben"], False))
    ask(service, ("both", ["ann", "ben"], False), ("both", ["ben", "ann"], False))
    assert order(service) == ["ann-0", "both", "ann-1", "ann-2"]


def test_games_of_bots_alone_come_after_all_others_and_in_turn_too(service):
    ask(service, *[(f"ann-{i}", ["ann"], True) for i in range(3)])
    ask(service, ("ben-0", ["ben"], True), ("cem-0", ["cem"], False), ("cem-1", ["cem"], False))
    assert order(service) == ["cem-0", "cem-1", "ann-0", "ben-0", "ann-1", "ann-2"]


def test_a_turn_that_is_lost_comes_back_when_the_game_is_asked_for_again(service, client):
    ask(service, ("ann-0", ["ann"], False), ("ann-1", ["ann"], False))
    client.delete(keys.thought_turns(unattended=False))
    assert order(service) == []
    ask(service, ("ann-0", ["ann"], False))
    assert order(service) == ["ann-0", "ann-1"]


def test_a_line_that_is_lost_holds_up_nobody(service, client):
    ask(service, ("ann-0", ["ann"], False), ("ben-0", ["ben"], False))
    client.delete(keys.thought_line(False, "ann"))
    assert order(service) == ["ben-0"]


def test_nothing_stays_of_games_that_have_been_thought_about(service, client):
    ask(service, ("ann-0", ["ann"], False), ("ann-1", ["ann"], True), ("ben-0", ["ben"], False))
    assert len(order(service)) == 3
    assert [name for name in client.keys("billet:*") if b"thoughts" in name] == []


@pytest.mark.parametrize("seats", [("creator", "expert", "expert"), ("open", "expert", "creator")])
def test_bots_think_for_the_people_at_their_table(service, log, seats):
    game = Game.open(service, *seats, starter=1)
    game.fill()
    snapshot = log.read(game.id).snapshot
    assert bots_hint(snapshot, now_ms()).whose == tuple(game.guests[seat].id for seat in sorted(game.guests))
    service.tables.leave(game.token(0), game.id, words=EN)
    left = [game.guests[seat].id for seat in sorted(game.guests) if seat != 0]
    assert log.read(game.id).snapshot.whose == (tuple(left) or (game.creator.id,))


def test_bots_alone_think_for_who_has_opened_their_table(service, log):
    game = Game.open(service, "expert", "expert")
    assert log.read(game.id).snapshot.whose == (game.creator.id,)


def test_sweepers_know_for_whom_a_bot_thinks_and_make_do_where_it_was_not_kept(service, client, log):
    known, unknown = (Game.open(service, "creator", "expert", starter=1) for _ in range(2))
    client.hdel(keys.meta(unknown.id), "whose")
    client.delete(*client.keys("rq:*"), *client.keys("billet:{thoughts}*"))
    client.zadd(keys.DUE, {known.id: 1, unknown.id: 1})
    hints = {hint.game: hint for hint in service.due.hints()}
    assert hints[known.id] == bots_hint(log.read(known.id).snapshot, now_ms())
    assert hints[unknown.id].whose == ()
    service.jobs.ask(hints.values())
    assert sorted(order(service)) == sorted([known.id, unknown.id])


def test_a_thought_that_fails_is_logged_with_its_game_and_stops_nobody(service, client, work, own_service, caplog):
    poisoned = Game.open(service, "creator", "expert", starter=1)
    healthy = Game.open(service, "creator", "expert", starter=1)
    client.xadd(keys.log(poisoned.id), {"e": '{"v":1,"type":"no_such","at":"","data":{}}'}, id="999-0")
    client.hset(keys.meta(poisoned.id), "head", "999:00000000")
    work()
    assert healthy.to_act() in (0, None)
    assert f"thinking in game {poisoned.id} at version" in caplog.text


# --- beside a flood ---

ACTS = ("card_played", "decision_taken")


def test_a_person_beside_a_flood_waits_for_two_thoughts_at_most_and_nothing_of_the_flood_is_lost(
    service, start_worker, wait_until, log
):
    """What is thought between an action and its answer is counted, and not how long that takes."""
    flooder, person = guest(service, "Flo"), guest(service, "Ann")
    seats = ("creator", "expert", "expert", "expert")
    flood = [read(service.tables.create(flooder.token, body(*seats, starter=1), words=EN))["id"] for _ in range(15)]
    rng, between, worker = random.Random(3), [], None
    while len(between) < 4:
        game = opened(service, person)
        while game.to_act() == 0 and len(between) < 4:
            game.act(0, rng.choice(game.legal(0)))
            asked, version = now_ms(), game.view()["version"]
            worker = worker or start_worker(BOT_THINK_MS=str(THINK_MS))  # the flood is in line before the person
            if game.to_act() == 1:
                wait_until(lambda game=game: game.to_act() != 1, 30)
                answered = next(entry for entry in log.entries(game.id, version) if entry.event.type in ACTS)
                between.append(thoughts(log, flood, asked, ms_of(answered.at)))
        service.tables.leave(person.token, game.id, words=EN)
    assert max(between) <= 3, "one that was begun, one in turn, and one of the same millisecond"
    assert between[0] > 0, "nobody else was there"
    wait_until(lambda: all(at_rest(log, one) for one in flood), 60)


def opened(service, person):
    """Opens a table of a person, who begins, and a bot that thinks."""
    setup = body("creator", "expert", sandbox={"rounds": [{"starter": 0, "order": ["guard", "king", "guard"]}]})
    made = read(service.tables.create(person.token, setup, words=EN))
    return Game(service, made["id"], person, {0: person})


def thoughts(log, games, since, until):
    """Returns how many turns were thought about in games within a time, in milliseconds since 1970.

    Where a bot has waited for so long that it is stood in for, as on a machine that has no time, nobody thinks.
    """
    steps = [(ms_of(one.at), ms_of(two.at), two.event) for game in games for one, two in pairwise(log.entries(game, 0))]
    thought = [at for asked, at, event in steps if event.type in ACTS and at < asked + OVERDUE_MS]
    return sum(since <= at <= until for at in thought)


def at_rest(log, game):
    """Whether no bot has to act in a game any more."""
    return bots_hint(log.read(game).snapshot, now_ms()) is None
