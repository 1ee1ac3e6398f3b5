"""The event log: appends are all or nothing, and a process notices whatever happened to a log behind its back."""

import random
import sys
import threading
from functools import partial

import pytest
from redis.crc import key_slot

from engine import rules
from engine.editions import rulebook
from engine.events import RoundStarted
from engine.logs import codec
from games.causes import Join
from games.errors import Damaged, Refused
from games.steps import step, step_of
from games.times import ms_of
from service.inputs.chance import new_tag
from service.inputs.clock import now_ms
from service.store import keys
from service.store.lists.indexes import DueTimes
from service.store.log import event_log as log_module
from service.store.log.event_log import VersionConflict
from service.store.log.meta import SEATED_OR_ENDED
from service.store.log.stored_answers import Answer, Kept, Key
from tests.games.whole_logs import TABLES, whole_story
from tests.service.at_table import EN, LONG, Game, guest, read
from tests.service.states import folded
from tests.service.states import read as read_states
from tools.players.tables import together


def next_step(log, game, choice=0):
    """Returns the step that the seat to act would make with one of its legal actions."""
    snapshot = log.read(game.id).snapshot
    action = rules.legal_actions(snapshot.state)[choice]
    return step(
        snapshot, rules.decide(snapshot.state, snapshot.state.to_act, action, snapshot.chance()), now_ms(), new_tag()
    )


def kept_for(game, text="a key"):
    key = Key.of(game.creator.id, text, "a request")
    return key, Kept(key.fingerprint, Answer(b'{"first": true}'))


def dumps(client, game):
    """Returns all that Redis keeps of a game."""
    game.service.notifier.settle()
    return {name: client.dump(name) for name in client.keys(f"billet:{{{game.id}}}:*")}


def restore(client, game, copy):
    """Puts a game back as it was, as a Redis would that was restored from an older copy."""
    game.service.notifier.settle()
    client.delete(*client.keys(f"billet:{{{game.id}}}:*"))
    for name, dump in copy.items():
        client.restore(name, 0, dump)


# --- appending ---


def test_the_ids_of_a_log_are_its_versions_without_a_gap(service, client):
    game = Game.begin(service, 4).play(random.Random(7))
    ids = [entry_id.decode() for entry_id, _ in client.xrange(keys.log(game.id))]
    assert ids == [f"{version}-0" for version in range(1, game.view()["version"] + 1)]
    assert client.hget(keys.meta(game.id), "head").startswith(f"{len(ids)}:".encode())


def test_a_step_is_appended_whole_with_its_hash_and_its_answer(service, client, log):
    game = Game.begin(service)
    new = next_step(log, game)
    key, kept = kept_for(game)
    assert len(new.entries) > 1
    assert log.append(new, key=key, answer=kept) is None
    assert client.xlen(keys.log(game.id)) == new.after.version
    meta = {name.decode(): value.decode() for name, value in client.hgetall(keys.meta(game.id)).items()}
    assert meta["head"] == new.after.head
    assert meta["actor"] == game.guests[new.after.state.to_act].id
    assert log.read(game.id, None, key).kept == kept


def test_the_hash_says_who_plays_whatever_a_step_has_changed(service, client, log):
    said = []

    def look():
        snapshot = log.read(game.id).snapshot
        status, unattended, humans = client.hmget(keys.meta(game.id), "status", "unattended", "humans")
        assert status.decode() == snapshot.state.status
        assert unattended == (b"1" if snapshot.unattended else b"")
        assert tuple(humans.decode().split()) == snapshot.humans
        said.append((status, unattended, humans))

    game, passing = Game.open(service, "creator", *["open"] * 2, *["random"] * 2), guest(service, "Guest")
    look()
    service.tables.take_seat(passing.token, game.id, {"seat": 1}, words=EN)
    look()
    service.tables.leave(passing.token, game.id, words=EN)
    look()
    game.fill()
    look()
    for _ in range(8):
        game.step(random.Random(3))
        look()
    for seat in (1, 2, 0):
        service.tables.leave(game.token(seat), game.id, words=EN)
        look()
    game.play(random.Random(4))
    look()
    assert len(set(said)) == 7, "one waits, two wait, three play, two, one, bots alone, and the end"


def test_a_step_from_a_head_that_is_not_the_newest_changes_nothing(service, client, log, new_log):
    game = Game.begin(service)
    mine, theirs = next_step(new_log(), game, 0), next_step(log, game, -1)
    log.append(theirs)
    before = dumps(client, game)
    key, kept = kept_for(game)
    for arguments in ({}, {"key": key, "answer": kept}):
        with pytest.raises(VersionConflict):
            new_log().append(mine, **arguments)
    assert dumps(client, game) == before


def test_a_step_is_appended_once(service, client, log):
    game = Game.begin(service)
    new = next_step(log, game)
    log.append(new)
    before = dumps(client, game)
    assert log.append(new) is None, "it is there, and that is what was asked"
    assert dumps(client, game) == before


def test_a_key_used_before_gives_the_kept_answer_and_appends_nothing(service, client, log, new_log):
    game = Game.begin(service)
    other = new_log()
    late = next_step(other, game, -1)
    key, kept = kept_for(game)
    log.append(next_step(log, game, 0), key=key, answer=kept)
    before = dumps(client, game)
    again = Kept(key.fingerprint, Answer(b'{"first": false}'))
    assert other.append(late, key=key, answer=again) == kept
    assert other.append(next_step(other, game), key=key, answer=again) == kept
    assert dumps(client, game) == before


def test_a_log_that_disagrees_with_its_hash_is_not_appended_to(service, client, log):
    game = Game.begin(service)
    new = next_step(log, game)
    client.xadd(keys.log(game.id), {"e": "{}"}, id=f"{new.after.version}-0")
    before = dumps(client, game)
    with pytest.raises(Damaged):
        log.append(new)
    assert dumps(client, game) == before


def test_indexes_are_written_before_the_events(service, client, log):
    game, ann = Game.open(service, "creator", "open", "open"), guest(service)
    new = step_of(log.read(game.id).snapshot, Join(1, ann.id, ""), now_ms(), new_tag())
    with client.monitor() as monitor:
        log.append(new, due_times=DueTimes(turn=5))
        seen = []
        while "XADD" not in seen:
            seen.append(monitor.next_command()["command"].split()[0])
    assert seen.index("ZADD") < seen.index("XADD")
    assert seen.count("ZADD") == 3, "the due time, the player's games, and that followers of the lobby may not know it"
    assert client.zscore(keys.DUE, game.id) == 5
    assert client.zscore(keys.playing(ann.id), game.id) == ms_of(new.entries[-1].at)


# --- reading with a cache ---


def test_two_processes_follow_one_another(service, another, log):
    rng = random.Random(3)
    game = Game.begin(service, 3)
    services = [another() for _ in range(3)]
    while game.to_act() is not None:
        game.service = rng.choice(services)
        game.step(rng)
    assert folded(log, game.id) == read_states(log, game.id)
    for one in services:
        game.service = one
        assert [game.view(seat) for seat in range(3)] == [
            read(service.games.view(game.token(seat), game.id, words=EN)) for seat in range(3)
        ]


def test_a_process_that_is_ahead_of_a_restored_redis_notices(service, client, log, another):
    game = Game.begin(service, 2, sandbox={"rounds": [{"starter": 0}]})
    copy = dumps(client, game)
    earlier = [game.view(viewer) for viewer in (None, 0, 1)]
    game.play(random.Random(1), 5)
    restore(client, game, copy)
    assert [game.view(viewer) for viewer in (None, 0, 1)] == earlier
    game.play(random.Random(2))
    assert read_states(log, game.id) == folded(log, game.id)


@pytest.mark.parametrize("steps", [3, 4, 5, 30])
def test_a_process_whose_past_is_not_that_of_redis_any_more_notices(service, client, new_log, another, steps):
    game = Game.begin(service, 2, sandbox={"rounds": [{"starter": 0}]})
    copy = dumps(client, game)
    ours = new_log()
    game.play(random.Random(1), 4)
    read_states(ours, game.id)
    restore(client, game, copy)
    game.service = another()
    game.play(random.Random(2), steps)
    assert read_states(ours, game.id) == folded(new_log(), game.id)
    game.service = service
    assert game.view(0) == read(another().games.view(game.token(0), game.id, words=EN))


def test_an_append_in_the_middle_of_a_reading_is_noticed(service, log, new_log, monkeypatch):
    game = Game.begin(service)
    other = new_log()
    other.read(game.id)
    send = other._redis.send

    def send_slowly(*commands):
        replies = []
        for command in commands:
            replies += send(*[command])
            if command[0] == "HMGET":
                game.step(random.Random(1))
        return replies

    game.step(random.Random(2))
    monkeypatch.setattr(other._redis, "send", send_slowly)
    other.read(game.id)
    monkeypatch.undo()
    assert read_states(other, game.id) == folded(log, game.id)


def test_a_game_that_is_gone_is_not_found_by_a_process_that_knew_it(service, client):
    game = Game.begin(service)
    client.flushall()
    with pytest.raises(Refused) as refused:
        game.view()
    assert refused.value.code == "not_found"


@pytest.mark.parametrize("block", [1, 3, log_module.BLOCK])
def test_a_round_is_read_from_its_start_however_many_events_it_has(service, monkeypatch, log, block):
    monkeypatch.setattr(log_module, "BLOCK", block)
    game, rng = Game.begin(service, sandbox=LONG), random.Random(2)
    while game.view()["round"]["number"] < 3:
        game.step(rng)
    entries = log.entries(game.id, 0)
    starts = [0, *(entry.version - 1 for entry in entries if isinstance(entry.event, RoundStarted))]
    for version in range(1, len(entries) + 1):
        begin = max(start for start in starts if start < version)
        assert log.entries_from_round(game.id, version) == entries[begin:version]


def test_games_that_were_not_used_for_long_are_forgotten_and_read_again(service, monkeypatch, log):
    monkeypatch.setattr(log_module, "CACHED_GAMES", 3)
    rng = random.Random(5)
    games = [Game.begin(service) for _ in range(6)]
    for _ in range(12):
        for game in rng.sample(games, 4):
            game.play(rng, 2)
            assert read_states(log, game.id) == folded(log, game.id)
            assert len(log._cache) <= 3
    assert list(log._cache)[-1] == game.id


def test_threads_that_use_more_games_than_are_kept_do_not_get_in_each_others_way(service, monkeypatch, log):
    monkeypatch.setattr(log_module, "CACHED_GAMES", 2)
    snapshots = [log.read(Game.begin(service).id).snapshot for _ in range(5)]

    def use(seed):
        rng = random.Random(seed)
        for _ in range(20_000):
            snapshot = rng.choice(snapshots)
            log._remember(snapshot.id, snapshot)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        together([partial(use, seed) for seed in range(4)])
    finally:
        sys.setswitchinterval(interval)
    assert len(log._cache) == 2


# --- cost ---


@pytest.fixture
def decoded(monkeypatch):
    """Counts the events that the test reads from Redis, not those that threads read to tell players."""
    count = [0]
    original = codec.read_event

    def counting(stored):
        count[0] += threading.current_thread() is threading.main_thread()
        return original(stored)

    monkeypatch.setattr(codec, "read_event", counting)
    return count


def test_the_cost_of_an_action_does_not_grow_with_the_log(service, new_log, decoded, monkeypatch):
    monkeypatch.setattr(rulebook("standard", 2, {}), "tokens_to_win", 20)
    rng = random.Random(11)
    game = Game.begin(service, 2)
    most_in_round, cold, warm = 0, [], []
    while (seat := game.to_act()) is not None:
        action = rng.choice(game.legal(seat))
        decoded[0] = 0
        game.act(seat, action)
        warm.append(decoded[0])
        decoded[0] = 0
        snapshot = new_log().read(game.id).snapshot
        cold.append(decoded[0])
        assert decoded[0] <= len(snapshot.entries) + 2
        most_in_round = max(most_in_round, len(snapshot.entries))
    assert game.view()["version"] > 400, "the game is long"
    assert set(warm) == {0}, "the head tells that nothing is new"
    assert max(cold) <= most_in_round + 2
    assert max(cold[-80:]) <= 2 * max(cold[:80])


def test_another_process_reads_only_what_is_new(service, new_log, decoded):
    rng = random.Random(12)
    game = Game.begin(service, 3)
    other = new_log()
    version = other.read(game.id).snapshot.version
    while game.step(rng):
        decoded[0] = 0
        now = other.read(game.id).snapshot.version
        assert decoded[0] == now - version + 1
        version = now


# --- one slot ---


def test_all_keys_of_a_game_lie_in_one_hash_slot(service, client):
    game = Game.begin(service, visibility="unlisted").play(random.Random(1), 3)
    seat = game.to_act()
    game.act(seat, game.legal(seat)[0], idempotency_key="a key")
    names = client.keys(f"*{game.id}*")
    assert {name.decode().split(":")[-1] if b":answer:" not in name else "answer" for name in names} >= {
        "log",
        "meta",
        "answer",
    }
    own = [name for name in names if name.startswith(b"billet:{" + game.id.encode())]
    assert {key_slot(name) for name in own} == {key_slot(game.id.encode())}


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_events_that_change_the_status_or_the_seats_are_named(edition, seats):
    for made in [made for seed in range(6) for made in whole_story(edition, seats, seed).steps]:
        before, after = made.before, made.after
        if before is None or seats_of(before) != seats_of(after):
            assert not SEATED_OR_ENDED.isdisjoint(made.kinds)


def seats_of(snapshot):
    return snapshot.state.status, snapshot.players, [seat.left for seat in snapshot.state.seats]
