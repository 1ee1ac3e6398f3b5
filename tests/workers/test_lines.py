"""Bots play for one address and one player after the other: who has many tables keeps nobody else waiting.

Every game waits once, with one job, and none is lost."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from billet.status import Measured, faults
from games.bots import turns as own_bots
from games.bots.turns import OVERDUE_MS
from games.causes import Act
from games.ids import address_hash_of
from games.records.verification import verify
from games.times import ms_of
from service.inputs.clock import now_ms
from service.jobs.form import THINKING, TURNS
from service.jobs.schedule import Task, bots_task
from service.store import keys
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.stored import add_poison
from tests.workers import patient_worker
from tools.testbed.waiting import wait_until

THINK_MS = 40


def ask(service, *tasks, kind="think", address=""):
    """Asks for bots' turns: each a game, for whom it is, and whether it is one of bots alone."""
    service.jobs.enqueue([Task(kind, game, 1, unattended, tuple(whose), address) for game, whose, unattended in tasks])


@pytest.fixture
def patient(monkeypatch):
    """Lets bots think however late it is, as `patient_worker` does."""
    monkeypatch.setattr(own_bots, "OVERDUE_MS", patient_worker.OVERDUE_MS)


def order(service, kind="think"):
    """Returns the games that wait, in the order in which they are played."""
    found = []
    while (due := service.jobs.next_in_line(kind)) is not None:
        found.append(due.game)
    return found


def jobs(client, queue=THINKING):
    """Returns how many jobs are queued."""
    assert client.llen(f"rq:queue:{queue}") == len(client.keys("rq:job:*")), "no job is kept that is not queued"
    return client.llen(f"rq:queue:{queue}")


# --- in turn ---


@pytest.mark.parametrize("kind", ["think", "bots"])
def test_addresses_have_their_turns_however_many_players_each_of_them_has(service, kind):
    ask(service, *[(f"flood-{i}", [f"p{i}"], False) for i in range(4)], kind=kind, address="f")
    ask(service, ("ann-0", ["ann"], False), ("ann-1", ["ann"], False), kind=kind, address="a")
    ask(service, ("ben-0", ["ben"], False), kind=kind, address="b")
    assert order(service, kind) == ["flood-0", "ann-0", "ben-0", "flood-1", "ann-1", "flood-2", "flood-3"]


def test_players_behind_one_address_have_their_turns_there(service):
    ask(service, *[(f"ann-{i}", ["ann"], False) for i in range(3)], address="school")
    ask(service, ("ben-0", ["ben"], False), ("cem-0", ["cem"], False), address="school")
    ask(service, ("dee-0", ["dee"], False), address="home")
    assert order(service) == ["ann-0", "dee-0", "ben-0", "cem-0", "ann-1", "ann-2"]


def test_players_have_their_thoughts_in_turn(service):
    ask(service, *[(f"ann-{i}", ["ann"], False) for i in range(4)])
    ask(service, ("ben-0", ["ben"], False), ("ben-1", ["ben"], False), ("cem-0", ["cem"], False))
    assert order(service) == ["ann-0", "ben-0", "cem-0", "ann-1", "ben-1", "ann-2", "ann-3"]


def test_who_comes_while_others_wait_has_the_turn_after_theirs(service):
    ask(service, *[(f"{who}-{i}", [who], False) for i in range(3) for who in ("ann", "ben")])
    assert service.jobs.next_in_line("think").game == "ann-0"
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
    client.delete(keys.line_turns(THINKING))
    assert order(service) == []
    ask(service, ("ann-0", ["ann"], False))
    assert order(service) == ["ann-0", "ann-1"]


def test_a_line_that_is_lost_holds_up_nobody(service, client):
    ask(service, ("ann-0", ["ann"], False), ("ben-0", ["ben"], False))
    client.delete(*client.keys(keys.line_prefix(THINKING) + "line:*:ann"))
    assert order(service) == ["ben-0"]


def test_nothing_stays_of_games_that_have_been_thought_about(service, client):
    ask(service, ("ann-0", ["ann"], False), ("ann-1", ["ann"], True), ("ben-0", ["ben"], False))
    assert len(order(service)) == 3
    assert [name for name in client.keys("billet:*") if b"lines" in name] == []


# --- once ---


@pytest.mark.parametrize(("kind", "queue"), [("think", THINKING), ("bots", TURNS)])
def test_a_game_has_one_job_however_often_it_is_asked_for(service, another, client, kind, queue):
    games = [(f"ann-{i}", ["ann"], False) for i in range(5)]
    for _ in range(40):
        ask(service, *games, kind=kind)
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(ask, one, *games, kind=kind) for one in [another() for _ in range(8)] * 5]:
            done.result()
    assert jobs(client, queue) == 5
    assert order(service, kind) == [game for game, _, _ in games]


def test_a_game_that_goes_on_has_no_second_job_for_its_next_version(service, client):
    service.jobs.enqueue([Task("think", "g", version, False, ("ann",)) for version in (1, 2, 3)])
    assert jobs(client) == 1
    assert order(service) == ["g"]


def test_jobs_that_are_lost_are_made_up_for_when_their_games_are_asked_for_again(service, client):
    games = [(f"ann-{i}", ["ann"], False) for i in range(5)]
    ask(service, *games)
    client.delete(f"rq:queue:{THINKING}", *client.keys("rq:job:*"))
    for _ in range(3):
        ask(service, *games)
    assert jobs(client) == 5


def test_jobs_that_have_waited_for_too_long_count_as_lost(service, client):
    games = [(f"ann-{i}", ["ann"], False) for i in range(5)]
    ask(service, *games)
    client.delete(*client.keys("rq:job:*"))  # as they do when their time is over; the queue still names them
    ask(service, *games)
    assert jobs(client) == 5


def test_a_worker_that_dies_with_a_job_leaves_the_game_to_the_next(service, client, work):
    game = Game.open(service, "creator", "expert", starter=1)
    client.lpop(f"rq:queue:{THINKING}")
    snapshot = service.play._log.read(game.id).snapshot
    service.jobs.enqueue([bots_task(snapshot, now_ms())])
    work()
    assert game.to_act() in (0, None)


# --- for whom ---


def test_the_address_from_which_a_game_was_opened_is_known_to_all_who_ask_and_shown_to_nobody(service, client, log):
    player = guest(service, "Ann")
    seats = body("creator", "expert", sandbox={"rounds": [{"starter": 1}]})
    answer = service.tables.create(player.token, seats, address="192.0.2.77", words=EN)
    game = read(answer)["id"]
    address_hash = address_hash_of("192.0.2.77")
    assert (
        log.read(game).snapshot.address_hash
        == bots_task(log.read(game).snapshot, now_ms()).address_hash
        == address_hash
    )
    client.zadd(keys.DUE, {game: 1})
    assert [task.address_hash for task in service.schedule.tasks()] == [address_hash]
    assert address_hash not in answer.body.decode()
    assert not any(b"192.0.2" in name for name in client.keys("*"))
    service.administration.abort(game)
    assert client.hget(keys.meta(game), "address_hash") == b"", "nothing of it stays when the game has ended"


@pytest.mark.parametrize("seats", [("creator", "expert", "expert"), ("open", "expert", "creator")])
def test_bots_think_for_the_people_at_their_table(service, log, seats):
    game = Game.open(service, *seats, starter=1)
    game.fill()
    snapshot = log.read(game.id).snapshot
    assert bots_task(snapshot, now_ms()).humans == tuple(game.guests[seat].id for seat in sorted(game.guests))
    service.tables.leave(game.token(0), game.id, words=EN)
    left = [game.guests[seat].id for seat in sorted(game.guests) if seat != 0]
    assert log.read(game.id).snapshot.humans == (tuple(left) or (game.creator.id,))


def test_bots_alone_think_for_who_has_opened_their_table(service, log):
    game = Game.open(service, "expert", "expert")
    assert log.read(game.id).snapshot.humans == (game.creator.id,)


def test_sweepers_know_for_whom_a_bot_thinks_and_make_do_where_it_was_not_kept(service, client, log, patient):
    known, unknown = (Game.open(service, "creator", "expert", starter=1) for _ in range(2))
    client.hdel(keys.meta(unknown.id), "humans")
    client.delete(*client.keys("rq:*"), *client.keys("billet:{lines}*"))
    client.zadd(keys.DUE, {known.id: 1, unknown.id: 1})
    tasks = {task.game: task for task in service.schedule.tasks()}
    assert tasks[known.id] == bots_task(log.read(known.id).snapshot, now_ms())
    assert tasks[unknown.id].humans == ()
    service.jobs.enqueue(tasks.values())
    assert sorted(order(service)) == sorted([known.id, unknown.id])


def test_a_thought_that_fails_is_logged_with_its_game_and_stops_nobody(service, client, work, own_service, caplog):
    poisoned = Game.open(service, "creator", "expert", starter=1)
    healthy = Game.open(service, "creator", "expert", starter=1)
    add_poison(client, poisoned.id)
    work()
    assert healthy.to_act() in (0, None)
    assert f"the job think has failed in game {poisoned.id}" in caplog.text


# --- beside a flood ---

ACTS = ("card_played", "decision_taken")


def test_a_person_beside_a_flood_of_many_players_of_one_address_has_their_bots_think(
    service, client, log, work, patient
):
    flood = []
    for i in range(20):
        player = guest(service, f"Flo {i}")
        setup = body("creator", "expert", sandbox={"rounds": [{"starter": 1}]})
        flood.append(read(service.tables.create(player.token, setup, address="192.0.2.66", words=EN))["id"])
    person = guest(service, "Ann")
    setup = body("creator", "expert", sandbox={"rounds": [{"starter": 1}]})
    game = read(service.tables.create(person.token, setup, address="192.0.2.1", words=EN))["id"]
    assert jobs(client) == 21
    versions = {one: log.read(one).snapshot.version for one in (game, *flood)}
    work(max_jobs=2)
    moved = [one for one, version in versions.items() if log.read(one).snapshot.version > version]
    assert moved == [game, flood[0]]
    service.tables.leave(person.token, game, words=EN)
    acts = [cause for cause in log.causes(log.read(game).snapshot).values() if isinstance(cause, Act)]
    assert acts[0].thought.bot == "expert"


def test_turns_that_no_worker_comes_to_think_about_are_taken_by_the_stand_in_and_their_logs_verify(
    service, client, log, start_worker
):
    """Workers that only do what is quick stand for those that have too much to think about."""
    player = guest(service, "Ann")
    setup = body("creator", "expert", sandbox={"rounds": [{"starter": 1}]})
    games = [read(service.tables.create(player.token, setup, words=EN))["id"] for _ in range(5)]
    versions = {game: log.read(game).snapshot.version for game in games}
    start_worker("billet", "worker", "--quick")
    wait_until(lambda: all(log.read(game).snapshot.version > version for game, version in versions.items()))
    for game in games:
        asked, acted = (entry for entry in log.entries(game, versions[game] - 1)[:2])
        assert ms_of(acted.at) - ms_of(asked.at) >= OVERDUE_MS
        service.tables.leave(player.token, game, words=EN)
        snapshot = log.read(game).snapshot
        acts = [cause for cause in log.causes(snapshot).values() if isinstance(cause, Act)]
        assert acts[0].thought.bot == "cautious"
    wait_until(lambda: Measured(service.survey.state().measured).count("bot_stand_ins", bot="expert") == 5)
    state = service.survey.state()
    assert "no worker is alive, only quick ones" in " ".join(faults(state)), "operators see why"
    assert state.processes["quick_worker"] == 1
    for game in games:
        assert verify(service.games.log(player.token, game)).valid


def test_a_person_beside_a_flood_waits_for_two_thoughts_at_most_and_nothing_of_the_flood_is_lost(
    service, start_worker, log, patient
):
    """What is thought between an action and its answer is counted, and not how long that takes."""
    flooder, person = guest(service, "Flo"), guest(service, "Ann")
    seats = ("creator", "expert", "expert", "expert")
    flood = [read(service.tables.create(flooder.token, body(*seats, starter=1), words=EN))["id"] for _ in range(8)]
    rng, between, worker = random.Random(3), [], None
    while len(between) < 4:
        game = opened(service, person)
        while game.to_act() == 0 and len(between) < 4:
            game.act(0, rng.choice(game.legal(0)))
            asked, version = now_ms(), game.view()["version"]
            # The flood is in line before the person.
            worker = worker or start_worker("tests.workers.patient_worker", BOT_THINK_MS=str(THINK_MS))
            if game.to_act() == 1:
                wait_until(lambda game=game: game.to_act() != 1)
                answered = next(entry for entry in log.entries(game.id, version) if entry.event.type in ACTS)
                between.append(thoughts(log, flood, asked, ms_of(answered.at)))
    assert max(between) <= 3, "one that was begun, one in turn, and one of the same millisecond"
    assert between[0] > 0, "nobody else was there"
    wait_until(lambda: all(at_rest(log, one) for one in flood))


def opened(service, person):
    """Opens a table of a person, who begins, and a bot that thinks."""
    setup = body("creator", "expert", sandbox={"rounds": [{"starter": 0, "order": ["guard", "king", "guard"]}]})
    made = read(service.tables.create(person.token, setup, words=EN))
    return Game(service, made["id"], person, {0: person})


def thoughts(log, games, since, until):
    """Returns how many turns were thought about in games within a time, in milliseconds since 1970."""
    steps = [(ms_of(one.at), ms_of(two.at), two.event) for game in games for one, two in pairwise(log.entries(game, 0))]
    return sum(since <= at <= until for _, at, event in steps if event.type in ACTS)


def at_rest(log, game):
    """Whether no bot has to act in a game any more."""
    return bots_task(log.read(game).snapshot, now_ms()) is None
