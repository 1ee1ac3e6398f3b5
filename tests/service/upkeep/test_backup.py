"""A backup is made while games are played, and restored elsewhere: every game is whole and nothing is newer than it."""

import gzip
import os
import random
import stat
from hashlib import sha256

import pytest

from games.records.verification import verify
from service import Settings, build
from service.inputs.clock import now_ms
from service.store import keys
from service.store.redis.client import RedisClient
from service.store.upkeep import copies
from service.upkeep import backup as writing
from service.upkeep import restore as restoring
from service.upkeep.backup import backup
from service.upkeep.backup_file import FORMAT, BackupError, contents, whole
from service.upkeep.restore import restore
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.upkeep.archived import ended
from tests.service.upkeep.damaged_backups import held
from tests.service.upkeep.several_games import lists, several_games


def copy(here, there, file):
    backup(here, file)
    restore(there, whole(file))
    return build(there)


@pytest.fixture
def going_on(monkeypatch):
    """Restores games without calling off those that had not ended: for tests of what is copied."""
    monkeypatch.setattr(restoring, "call_off", lambda settings: (0, 0))


def test_what_is_copied_is_there_again_to_the_byte(service, going_on, here, there, file):
    for finished in several_games(service)[0]:
        service.recording.record(finished.id)
    game = Game.begin(service, 2)
    game.act(game.to_act(), game.legal(game.to_act())[0], idempotency_key="key")
    service.notifier.settle()
    before = held(here)
    copy(here, there, file)
    after = held(there)
    names = {one.name for line in contents(whole(file)) for one in line.saved}
    assert {name: after[name] for name in names} == {name: before[name] for name in names}
    assert not [name for name in after if name not in before]


def test_lists_are_as_they_were(going_on, here, there, file, service):
    _, guests = several_games(service)
    before = lists(service, guests)
    assert lists(copy(here, there, file), guests) == before


def test_while_games_are_played_no_game_is_torn_and_no_answer_is_newer(
    service, going_on, here, there, file, monkeypatch
):
    games = [Game.begin(service, 3), Game.begin(service, 2, edition="classic")]
    rng = random.Random(1)
    acted = []

    def act():
        for game in games:
            if (seat := game.to_act()) is not None:
                action, key = rng.choice(game.legal(seat)), f"key {len(acted)}"
                acted.append((game, seat, action, key, game.act(seat, action, idempotency_key=key)))

    def copied(redis_client, names):
        act()
        found = copied_at_once(redis_client, names)
        act()
        return found

    copied_at_once = writing.copied
    monkeypatch.setattr(writing, "copied", copied)
    act()
    backup(here, file)
    counts = restore(there, whole(file))
    other = build(there)
    again = {game.id: Game(other, game.id, game.creator, game.guests) for game in games}
    versions = {name: game.view()["version"] for name, game in again.items()}
    late = 0
    for game in games:
        assert again[game.id].events() == game.events()[: versions[game.id]]
    for game, seat, action, key, answer in acted:
        if answer["version"] <= versions[game.id]:
            assert again[game.id].act(seat, action, idempotency_key=key) == answer
        else:
            late += 1
            assert again[game.id].to_act() is not None
    assert 0 < counts["left out"] <= late
    for game in again.values():
        game.play(rng)
        assert verify(other.games.log(None, game.id)).valid


@pytest.mark.parametrize("damage", [("HSET", "head", "none"), ("SET", "no hash")], ids=["head", "kind"])
def test_answers_of_a_damaged_game_do_not_end_restoring(service, going_on, here, there, file, client, damage):
    damaged, game = Game.begin(service), Game.begin(service)
    for one in (damaged, game):
        one.act(one.to_act(), one.legal(one.to_act())[0], idempotency_key="a key")
    client.execute_command(damage[0], keys.meta(damaged.id), *damage[1:])
    backup(here, file)
    assert restore(there, whole(file))["left out"] == 1
    assert Game(build(there), game.id, game.creator, game.guests).events() == game.events()


def test_players_come_back_with_tokens_notices_and_blocks(service, going_on, here, there, file):
    ann, ben = guest(service), guest(service, "Ben")

    def known(of):
        return of.notices.page(ann.token, after=0), of.blocks.listed(ann.token), of.players.me(ben.token)

    known(service)  # from now on somebody reads her notices
    made = read(service.tables.create(ann.token, body("creator", "open", "open"), words=EN))
    service.tables.take_seat(ben.token, made["id"], {}, words=EN)
    service.blocks.block(ann.token, ben.id, words=EN)
    service.notifier.settle()
    assert known(copy(here, there, file)) == known(service)


def test_between_a_cluster_and_one_redis(going_on, nodes, redis_url, there, file, tmp_path):
    cluster = Settings(redis_url=nodes.url, redis_cluster=1, queue_redis_url=redis_url)
    game = ended(build(cluster), 2)
    open_one = Game.begin(game.service, 2).play(random.Random(1), 3)
    events = game.events(), open_one.events()
    one = copy(cluster, there, file)
    nodes.flush()
    back = copy(there, cluster, tmp_path / "again.billet")
    for service in (one, back):
        for played, seen in zip((game, open_one), events, strict=True):
            assert Game(service, played.id, played.creator, played.guests).events() == seen
        assert verify(service.games.log(None, game.id)).valid


def test_a_redis_with_games_or_players_is_left_as_it_is(service, here, there, file):
    backup(here, file)
    guest(build(there))
    before = held(there)
    with pytest.raises(BackupError, match="holds games or players"):
        restore(there, whole(file))
    assert held(there) == before


def test_a_restore_that_was_broken_off_is_taken_up_with_the_same_file_alone(
    service, going_on, here, there, file, monkeypatch
):
    games, guests = several_games(service)
    before = lists(service, guests)
    commands_of = copies._restoring_commands
    backup(here, file)
    backup(here, other := file.with_name("other.billet"))
    for lines in (3, 8, 20):
        with monkeypatch.context() as patch:
            patch.setattr(restoring, "AT_ONCE", 2)
            left = iter(range(lines))

            def commands(copied, left=left):
                next(left)  # raises
                return commands_of(copied)

            patch.setattr(copies, "_restoring_commands", commands)
            with pytest.raises(StopIteration):
                restore(there, whole(file))
        with pytest.raises(BackupError, match="another backup"):
            restore(there, whole(other))
    restore(there, whole(file))
    assert lists(build(there), guests) == before
    for game in games:
        assert Game(build(there), game.id, game.creator, game.guests).view(creator=True) == game.view(creator=True)


def test_a_damaged_file_is_refused(service, here, file, tmp_path):
    ended(service, 2, 2)
    backup(here, file)
    raw = file.read_bytes()
    text = gzip.decompress(raw)
    lines = text.splitlines(keepends=True)
    other = b"".join(lines[:-1]).replace(FORMAT.encode(), b"billet-backup-9")
    damaged = {
        "empty": b"",
        "not packed": text,
        "cut": raw[: len(raw) // 2],
        "cut between lines": gzip.compress(b"".join(lines[:-1])),
        "a line less": gzip.compress(b"".join(lines[:1] + lines[2:])),
        "a line more": gzip.compress(text + lines[1]),
        "another name": gzip.compress(text.replace(b'"Ann"', b'"Bob"').replace(b"Ann", b"Bob")),
        "of another kind": gzip.compress(other + b'{"sha256":"%b"}\n' % sha256(other).hexdigest().encode()),
        "something else": gzip.compress(b"[1, 2]\n"),
        "an object": gzip.compress(b"{}\n"),
        **{f"byte {at}": raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for at in range(30, len(raw), 1500)},
    }
    for said in damaged.values():
        (tmp_path / "damaged").write_bytes(said)
        with pytest.raises(BackupError):
            whole(tmp_path / "damaged")


def test_a_file_is_never_overwritten_and_appears_when_it_is_whole(service, here, file, monkeypatch):
    guest(service)
    backup(here, file)
    before = file.read_bytes()
    with pytest.raises(BackupError, match="exists already"):
        backup(here, file)
    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(writing, "copied", lambda client, names: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        backup(here, file.with_name("other.billet"))
    assert list(file.parent.iterdir()) == [file]


def test_of_two_backups_at_once_under_one_name_the_first_to_end_stays(service, here, file, monkeypatch):
    guest(service)
    groups, begun = writing.groups_to_copy, []

    def another_meanwhile(redis_client):
        yield from groups(redis_client)
        if not begun:
            begun.append(True)
            backup(here, file)
            begun.append(file.read_bytes())

    monkeypatch.setattr(writing, "groups_to_copy", another_meanwhile)
    with pytest.raises(BackupError, match="exists already"):
        backup(here, file)
    assert whole(file)
    assert [one.read_bytes() for one in file.parent.iterdir()] == begun[1:]


def test_a_disk_without_hard_links_and_synced_folders_will_do(service, here, file, monkeypatch):
    guest(service)
    sync = os.fsync

    def fsync(opened):
        if stat.S_ISDIR(os.fstat(opened).st_mode):
            raise OSError(22, "Invalid argument")
        sync(opened)

    def link(old, new):
        if made:
            new.write_bytes(b"another")
        raise PermissionError

    made = False
    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(os, "fsync", fsync)
    backup(here, file)
    assert whole(file)
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    made = True
    with pytest.raises(BackupError, match="exists already"):
        backup(here, file)
    assert [one.read_bytes() for one in file.parent.iterdir()] == [b"another"]


def test_its_folder_is_synced_once_it_is_there(service, here, file, monkeypatch):
    synced, sync = [], os.fsync

    def fsync(opened):
        synced.append((os.path.samestat(os.fstat(opened), os.stat(file.parent)), file.exists()))
        sync(opened)

    monkeypatch.setattr(os, "fsync", fsync)
    backup(here, file)
    assert synced == [(False, False), (True, True)]


def test_a_hundred_games_or_players_take_one_round_trip(service, here, there, file, monkeypatch):
    for _ in range(restoring.AT_ONCE + 1):
        guest(service)
    backup(here, file)
    sent, trips = RedisClient.ask, []

    def counted(redis_client, commands):
        trips.append(sum(command[0] == "DEL" and "player" in command[1] for command in commands))
        return sent(redis_client, commands)

    monkeypatch.setattr(RedisClient, "ask", counted)
    restore(there, whole(file))
    assert [players for players in trips if players] == [restoring.AT_ONCE, 1]


def test_what_ends_meanwhile_is_not_restored(service, going_on, here, there, file, monkeypatch):
    game = Game.begin(service, 2)
    game.act(game.to_act(), game.legal(game.to_act())[0], idempotency_key="key")
    backup(here, file)
    [ends] = [one.ends for line in contents(whole(file)) for one in line.saved if ":answer:" in one.name]
    assert ends is not None
    assert abs(ends - now_ms() - 24 * 3600 * 1000) < 3600 * 1000
    shorter = copies._restoring_commands
    monkeypatch.setattr(copies, "_restoring_commands", lambda one: shorter(one._replace(ends=one.ends and 1)))
    restore(there, whole(file))
    assert not [name for name, (*_, passes) in held(there).items() if passes]
