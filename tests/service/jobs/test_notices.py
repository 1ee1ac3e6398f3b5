"""What players are told of all their games: once, in order, without gap, whoever dies; and nothing not theirs."""

import random
from itertools import pairwise

import orjson
import pytest

from games.errors import Refused, Unavailable
from service.changing import changes
from service.jobs import notifier as notifier
from service.jobs import pending
from service.jobs.schedule import Task
from service.store import keys
from service.store.feeds import stored_notices
from service.store.log.meta import read_metas
from service.store.redis.client import ResponseError
from service.store.scripts import APPEND, NOTIFIED
from tests.service.at_table import EN, Game, guest, told
from tests.service.stored import add_poison
from tools.testbed.waiting import wait_until

ORDER = ["princess", "spy", "king", "baron", "priest", "guard", "handmaid", "prince"]
"""From the top: one set aside, three shown aside, a hand for each seat, the draw pile."""
OTHER_ORDER = ["princess", "spy", "king", "baron", "guard", "priest", "handmaid", "prince"]
HANDMAID = {"type": "play_card", "card": "handmaid", "targets": []}
CLOCK = {"seconds": 60, "on_timeout": "bot_plays"}


def kinds(page):
    return [notice["type"] for notice in page["events"]]


def test_one_is_told_of_the_start_of_ones_turns_and_of_the_end(service):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, clock=CLOCK, starter=0)
    game.play(random.Random(3))
    for seat, player in enumerate((ann, ben)):
        page = told(service, player, after=0)
        turns = [notice["version"] for notice in page["events"] if notice["type"] == "your_turn"]
        assert turns == [event["version"] for event in game.events(seat) if is_question(event, seat)]
        assert page["events"][0]["type"] == "game_started"
        end = page["events"][-1]
        assert (end["type"], end["status"]) == ("game_over", "finished")
        assert end["winners"] == game.view()["winners"]
        assert page["cursor"] == end["cursor"]


def is_question(event, seat):
    return event["type"] in ("turn_started", "decision_opened") and event["data"]["seat"] == seat


def opened(service, ann, ben, **more):
    """A game that two players have begun; both read what they are told from before its start."""
    for player in (ann, ben):
        service.notices.page(player.token)
    return begun(service, ann, ben, **more)


def begun(service, ann, ben, **more):
    game = Game.open(service, "open", "open", **more)
    for seat, player in enumerate((ann, ben)):
        service.tables.take_seat(player.token, game.id, {"seat": seat}, words=EN)
        game.guests[seat] = player
    return game


def test_a_notice_says_where_to_look(service):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, clock=CLOCK, starter=0, edition="classic")
    started, turn = told(service, ann, after=0)["events"]
    view = game.view(0)
    assert started["type"] == "game_started"
    assert turn == {
        "cursor": 2,
        "type": "your_turn",
        "at": view["started_at"],
        "game": game.id,
        "edition": "classic",
        "status": "active",
        "version": turn["version"],
        "seat": 0,
        "seats": [0],
        "deadline": view["deadline"],
        "player": None,
        "reason": None,
        "winners": [],
    }
    assert kinds(told(service, ben, after=0)) == ["game_started"]


def test_whoever_begins_is_told_what_is_open_now(service):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    games = [
        opened(service, ann, ben, sandbox={"rounds": [{"starter": seat, "order": order}]})
        for seat, order in ((0, ORDER), (1, OTHER_ORDER), (0, ORDER))
    ]
    page = told(service, ann)
    assert {notice["game"] for notice in page["events"]} == {games[0].id, games[2].id}
    assert {(notice["cursor"], notice["type"]) for notice in page["events"]} == {(None, "your_turn")}
    assert told(service, ann, after=page["cursor"])["events"] == []
    games[1].act(1, HANDMAID)
    assert kinds(told(service, ann, after=page["cursor"])) == ["your_turn"]


def test_pages_go_on_where_they_end(service):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    opened(service, ann, ben).play(random.Random(5))
    whole = told(service, ann, after=0)["events"]
    assert [notice["cursor"] for notice in whole] == list(range(1, len(whole) + 1))
    read, cursor = [], 0
    while (page := told(service, ann, after=cursor, limit=3))["events"]:
        read += page["events"]
        cursor = page["cursor"]
    assert read == whole


def test_the_services_own_bots_are_told_nothing(service, client):
    game = Game.open(service, "creator", "random", "cautious").play(random.Random(1), 20)
    service.notifier.settle()
    asked = [name.decode() for name in client.keys("*notices*")]
    assert asked == [], "nobody has asked for them"
    assert int(client.hget(keys.player(game.creator.id), "notices")) >= 1


def test_what_is_not_kept_any_more_is_said_and_never_passed_over(service, client, monkeypatch):
    monkeypatch.setattr(stored_notices, "KEPT", 1)
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    page = told(service, ann)
    for seed in range(12):  # a stream is cut by blocks of a hundred
        opened(service, ann, ben).play(random.Random(seed))
    service.notifier.settle()
    gone(service, ann, page["cursor"])
    newest = int(client.hget(keys.player(ann.id), "notices"))
    assert told(service, ann, after=newest - 1)["cursor"] == newest
    gone(service, ann, newest + 1)
    assert told(service, ann)["cursor"] == newest


@pytest.fixture
def exact(client):
    """Lets Redis cut streams where it is told to, and not by blocks of a hundred."""
    (before,) = client.config_get("stream-node-max-entries").values()
    client.config_set("stream-node-max-entries", 1)
    yield
    client.config_set("stream-node-max-entries", before)


def test_strangers_push_nothing_out_but_what_strangers_have_caused(service, client, exact, monkeypatch):
    monkeypatch.setattr(stored_notices, "KEPT", 5)
    monkeypatch.setattr(stored_notices, "KEPT_APPROACHES", 3)
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    host = Game.open(service, "open", "open")
    for _ in range(8):
        stranger = guest(service, "Cleo")
        service.tables.take_seat(stranger.token, host.id, {}, words=EN)
        service.tables.take_seat(host.creator.token, host.id, {"player": ann.id}, words=EN)
        service.tables.leave(ann.token, host.id, words=EN)
        service.tables.leave(stranger.token, host.id, words=EN)
        host = Game.open(service, "open", "open")
    page = told(service, ann, after=0)
    assert kinds(page) == ["game_started", "your_turn"] + ["invited"] * 3
    assert [notice["cursor"] for notice in page["events"]] == [1, 2, 8, 9, 10]
    assert told(service, ann, after=5)["events"] == page["events"][2:], (
        "what is passed over is nothing to begin anew for"
    )
    assert told(service, ann, after=0, limit=3)["cursor"] == 8
    assert told(service, ann, after=10)["events"] == []
    service.tables.leave(ben.token, game.id, words=EN)
    assert kinds(told(service, ann, after=10)) == ["game_over"]
    for _ in range(3):
        opened(service, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    service.notifier.settle()
    gone(service, ann, 2)


def test_what_is_open_now_begins_with_what_is_most_urgent(service):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    first = {"rounds": [{"starter": 0, "order": ORDER}]}
    slow, none, fast = (
        begun(service, ann, ben, sandbox=first, **more)
        for more in ({"clock": CLOCK | {"seconds": 900}}, {}, {"clock": CLOCK})
    )
    inviting = Game.open(service, "open", "open")
    service.tables.take_seat(inviting.creator.token, inviting.id, {"player": ann.id}, words=EN)
    ordered = [fast.id, slow.id, none.id, inviting.id]
    for limit in (1, 2, 4, 1000, None):
        page = told(service, ann, limit=limit)
        assert [notice["game"] for notice in page["events"]] == ordered[:limit]
        assert told(service, ann, after=page["cursor"])["events"] == []


def gone(service, player, after):
    with pytest.raises(Refused) as refused:
        service.notices.page(player.token, after=after)
    assert refused.value.code == "cursor_gone"


def test_who_has_not_asked_for_long_finds_no_gap_unseen(service, client):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    cursor = told(service, ann)["cursor"]
    client.delete(keys.notices_read(ann.id))
    begun(service, ann, ben, starter=0)
    service.notifier.settle()
    gone(service, ann, cursor)
    cursor = told(service, ann)["cursor"]
    begun(service, ann, ben, starter=0)
    assert kinds(told(service, ann, after=cursor)) == ["game_started", "your_turn"]


def test_a_feed_that_has_passed_goes_on_with_higher_cursors(service, client):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    opened(service, ann, ben)
    cursor = told(service, ann)["cursor"]
    client.delete(keys.notices(ann.id))
    gone(service, ann, cursor - 1)
    opened(service, ann, ben)
    assert told(service, ann, after=cursor)["events"][0]["cursor"] == cursor + 1


# --- a process that dies between the append and the telling ---


@pytest.fixture
def mute(another):
    """A service whose process dies before it tells anybody anything."""
    made = another()
    made.notifier.queue = lambda step, told: None
    return made


def test_what_nobody_came_to_tell_is_asked_for_and_told_once(service, mute, clock):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(mute, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    game.act(0, HANDMAID)
    assert told(service, ann, after=0)["events"] == []
    assert service.pending.tasks() == []
    clock.advance(1.1)
    tasks = service.pending.tasks()
    assert {task.game for task in tasks} == {game.id}
    for task in tasks:
        assert task == Task("notify", game.id, game.view()["version"])
        service.notifier.send_pending(task.game)
    assert kinds(told(service, ben, after=0)) == ["game_started", "your_turn"]
    assert kinds(told(service, ann, after=0)) == ["game_started"], "a turn that is over is not told of"
    clock.advance(5)
    assert service.pending.tasks() == []
    service.notifier.send_pending(game.id)
    assert kinds(told(service, ben, after=0)) == ["game_started", "your_turn"]


def test_the_next_to_tell_tells_first_what_was_not_told(service, mute):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(mute, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    game.service = service
    game.act(0, HANDMAID)
    assert kinds(told(service, ben, after=0)) == ["game_started", "your_turn"]
    assert kinds(told(service, ann, after=0)) == ["game_started"]


def test_with_a_step_nothing_is_told_of_later_ones(service, mute, log):
    game = Game.begin(mute)
    game.play(random.Random(2), 1)
    before = log.read(game.id).snapshot
    game.play(random.Random(2), 1)
    assert service.notifier._unnotified_entries(before)[-1].version == before.version


def test_a_death_between_telling_and_noting_it_doubles_nothing(service, another, client):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, starter=0)
    before = told(service, ben, after=0)
    client.hset(keys.meta(game.id), "told", 0)
    another().notifier.send_pending(game.id)
    assert told(service, ben, after=0) == before
    assert kinds(told(service, ann, after=0)) == ["game_started", "your_turn"]


def test_an_append_that_was_never_made_is_forgotten(service, client, clock):
    game = Game.begin(service)
    service.notifier.settle()
    client.zadd(keys.PENDING_NOTICES, {f"{game.id} 99": clock.ms, "no-such-game 3": clock.ms})
    for looks in range(3):
        assert service.pending.tasks() == []
        clock.advance(1.1)
        assert client.zcard(keys.PENDING_NOTICES) == (0 if looks else 2), "at first it may be about to be made"


def test_a_game_of_which_all_have_been_told_is_not_looked_at_any_more(service, client, clock):
    game = Game.begin(service)
    service.notifier.settle()
    client.zadd(keys.PENDING_NOTICES, {f"{game.id} {game.view()['version']}": clock.ms})
    assert service.pending.tasks() == []
    assert client.zcard(keys.PENDING_NOTICES) == 0


def test_a_service_that_has_nothing_to_tell_keeps_no_thread_and_tells_what_comes_later(service, client):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    if thread := service.notifier._sender:
        thread.join(60)
    assert service.notifier._sender is None
    before = told(service, ben, after=0)
    game.act(0, HANDMAID)
    assert kinds(told(service, ben, after=before["cursor"])) == ["your_turn"]


def test_a_thread_that_waits_for_something_to_tell_is_woken(service, monkeypatch):
    monkeypatch.setattr(notifier, "IDLE_SECONDS", 100_000)
    game = Game.begin(service)
    service.notifier.settle()
    game.play(random.Random(2), 1)
    wait_until(lambda: not service.notifier._waiting)


def test_what_is_too_much_to_wait_in_a_process_is_left_to_the_sweepers(service, clock, monkeypatch):
    game = Game.begin(service)
    service.notifier.settle()
    monkeypatch.setattr(notifier, "MOST_WAITING", 0)
    game.play(random.Random(2), 1)
    service.notifier.settle()
    clock.advance(1.1)
    assert service.pending.tasks() == [Task("notify", game.id, game.view()["version"])]


def test_a_redis_that_fails_leaves_it_to_the_sweepers(service, clock, monkeypatch, caplog):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    before = told(service, ben, after=0)
    send = service.redis.send

    def fail(*commands):
        if any(command[0] == "EVALSHA" and command[1] != APPEND.digest for command in commands):
            raise Unavailable("away")
        return send(*commands)

    with monkeypatch.context() as failing:
        failing.setattr(service.redis, "send", fail)
        game.act(0, HANDMAID)
        service.notifier.settle()
    assert told(service, ben, after=0) == before
    clock.advance(1.1)
    for task in service.pending.tasks():
        service.notifier.send_pending(task.game)
    assert kinds(told(service, ben, after=before["cursor"])) == ["your_turn"]


def test_telling_that_fails_is_asked_for_more_and_more_rarely_and_never_given_up(service, mute, client, clock):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben, sandbox={"rounds": [{"starter": 0, "order": ORDER}]})
    service.notifier.settle()
    game.service = mute
    game.act(0, HANDMAID)
    began, asked = clock.ms, []
    while clock.ms < began + 3_600_000:
        ((_, due),) = client.zrange(keys.PENDING_NOTICES, 0, 0, withscores=True)
        clock.ms = int(due) + 1
        assert service.pending.tasks() == [Task("notify", game.id, game.view()["version"])]  # nobody can
        asked.append(clock.ms)
    pauses = [(later - earlier) / 1000 for earlier, later in pairwise([began, *asked])]
    assert pauses == pytest.approx([1, 1, 2, 4, 8, 16, 32, *[60] * (len(pauses) - 7)], abs=0.01)
    clock.advance(60.1)
    for task in service.pending.tasks():
        service.notifier.send_pending(task.game)
    assert kinds(told(service, ben, after=0))[-1] == "your_turn"
    assert client.zcard(keys.PENDING_NOTICES) == 0


def test_appends_that_nobody_could_tell_of_are_asked_for_together(service, mute, clock):
    game = Game.begin(mute)
    game.play(random.Random(2), 4)
    clock.advance(1.1)
    assert service.pending.tasks() == [Task("notify", game.id, game.view()["version"])]


def test_what_is_stored_holds_no_card_and_no_name(service, client):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    game = opened(service, ann, ben).play(random.Random(4))
    service.notifier.settle()
    stored = [orjson.loads(fields[b"n"]) for _, fields in client.xrange(keys.notices(ann.id))]
    assert len(stored) > 5
    cards = {card for event in game.events(0) for card in event["data"].get("hands", []) if card}
    text = orjson.dumps(stored).decode()
    for word in (*cards, "Ann", "Ben"):
        assert f'"{word}"' not in text


def test_who_tells_later_takes_back_nothing(service, another, log, client):
    """A slower process notes that it has told of an earlier version."""
    game = Game.begin(service)
    service.notifier.settle()
    newest = log.read(game.id).snapshot
    assert newest.notified_version == newest.version
    client.eval(NOTIFIED.text, 1, keys.meta(game.id), newest.version - 1)

    assert log.read(game.id).snapshot.notified_version == newest.version


def test_a_damaged_game_keeps_no_other_players_from_being_told(service, mute, client, clock, caplog):
    damaged, sound = Game.begin(mute), Game.begin(mute)
    client.hset(keys.meta(damaged.id), "head", "garbage")
    clock.advance(1.1)

    assert {task.game for task in service.pending.tasks()} == {sound.id}
    assert damaged.id in caplog.text
    left = client.zrange(keys.PENDING_NOTICES, 0, -1)
    assert {member.decode().partition(" ")[0] for member in left} == {sound.id}, "it is not looked at for ever"


def test_what_is_damaged_keeps_no_other_players_from_being_told(service, mute, log, client):
    """A single Redis gets the notices of several games in one script."""
    games = [Game.begin(mute) for _ in range(3)]
    damaged, *sound = [game.creator.id for game in games]
    stored = stored_notices.StoredNotices(service.redis)
    counted = stored.counts(sound)
    client.set(keys.player(damaged), "no hash")
    notice = {"type": "your_turn", "version": 1, "player": None}
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        stored.add([(game.id, game.creator.id, [notice]) for game in games])
    assert stored.counts(sound) == [count + 1 for count in counted]

    snapshots = [log.read(game.id).snapshot for game in games]
    client.delete(keys.meta(games[0].id))
    client.set(keys.meta(games[0].id), "no hash")
    stored.notified(snapshots)
    assert [log.read(game.id).snapshot.notified_version for game in games[1:]] == [one.version for one in snapshots[1:]]


def test_a_node_that_is_away_keeps_no_players_of_others_from_being_told(service, mute, client, clock, monkeypatch):
    away, sound = Game.begin(mute), Game.begin(mute)

    def read(redis_client, games, *names):
        metas = zip(games, read_metas(redis_client, games, *names), strict=True)
        return [meta if game != away.id else None for game, meta in metas]

    monkeypatch.setattr(pending, "read_metas", read)
    clock.advance(1.1)
    assert {task.game for task in service.pending.tasks()} == {sound.id}
    assert client.zcard(keys.PENDING_NOTICES) == 2, "it is looked at again"


@pytest.fixture(params=["log", "hash", "fields", "clock"])
def damaged(request, service, client, monkeypatch):
    """A function that damages a game."""

    def harm(game):
        if request.param == "log":
            add_poison(client, game)
        elif request.param == "hash":
            client.delete(keys.meta(game))
            client.set(keys.meta(game), "no hash")
        elif request.param == "fields":
            client.hset(keys.meta(game), mapping={"head": "garbage", "notify": "x", "told": "x", "deadline": "x"})
        else:
            sound = changes.timed_out

            def timed_out(snapshot, now, patience):
                return sound(snapshot, now, patience) if snapshot.id != game else {}["no such deadline"]

            monkeypatch.setattr(changes, "timed_out", timed_out)

    return harm


def test_a_damaged_game_leaves_the_rest_of_ones_feed_as_it_was(service, another, damaged):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    first = {"sandbox": {"rounds": [{"starter": 0, "order": ORDER}]}, "clock": CLOCK}
    bad, sound = (opened(service, ann, ben, **first) for _ in range(2))
    tables = [Game.open(service, "open", "open") for _ in range(2)]
    for one in tables:
        service.tables.take_seat(one.creator.token, one.id, {"player": ann.id}, words=EN)
    cursor = told(service, ann)["cursor"]
    for harmed in (bad, tables[0]):
        damaged(harmed.id)
    for one in (service, another()):
        seen = [notice["game"] for notice in told(one, ann)["events"]]
        assert {sound.id, tables[1].id} <= set(seen)
        assert seen.count(bad.id) <= 1
        assert kinds(told(one, ann, after=cursor)) == []
    for hub in (service, another()):
        heads = hub.game_streams.heads([bad.id, sound.id])
        assert heads[1].version == sound.view()["version"]
        hub.game_streams.apply_clock(bad.id)
    sound.act(0, HANDMAID)
    assert kinds(told(service, ben, after=0))[-1] == "your_turn"


def test_the_keys_that_are_built_at_once_are_those_that_readers_use():
    ours = keys.for_notifying("ann", "game")
    each = [keys.player, keys.notices, lambda player: keys.notified_of(player, "game"), keys.notices_read]
    assert ours == [key("ann") for key in (*each, keys.approaches, keys.blocked)]


def test_of_games_that_are_told_of_together_a_damaged_one_keeps_none_back(service, mute, another, monkeypatch, caplog):
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    made, telling = [], another()
    mute.notifier.queue = lambda step, told: made.append((step, told))
    damaged_one, sound = (opened(mute, ann, ben, starter=0) for _ in range(2))
    read = telling.notifier._event_log.entries

    def entries(game, after):
        return read(game, after) if game == sound.id else {}["no such entry"]

    monkeypatch.setattr(telling.notifier, "_has_missed_notices", lambda step, handled: True)
    monkeypatch.setattr(telling.notifier._event_log, "entries", entries)
    telling.notifier._notify_of_steps(made)
    assert {notice["game"] for notice in told(service, ann, after=0)["events"]} == {sound.id}
    assert damaged_one.id in caplog.text


def test_who_calls_off_a_table_without_sitting_at_it_is_not_told_so(service):
    game = Game.open(service, "open", "open")
    cursor = service.notices.page(game.creator.token)["cursor"]
    service.tables.abort(game.creator.token, game.id, words=EN)
    service.notifier.settle()
    assert service.notices.page(game.creator.token, after=cursor)["events"] == []
