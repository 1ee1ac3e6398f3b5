"""What operators do: banned players are out everywhere and hold up nobody, and a removed game leaves nothing."""

import random
from contextlib import suppress

import pytest

from games.causes import Abort
from games.errors import ArchiveAway, Refused
from games.records.portable import portable
from games.records.verification import verify
from service import Settings, build
from service.lobby import page_cursor
from service.store import keys
from service.store.log.event_log import EventLog
from service.upkeep import administration
from service.upkeep.expiry import LEASE_MS
from tests.service.at_table import EN, Game, body, guest, read, refusal
from tests.service.stored import add_poison
from tests.service.upkeep.archived import ended, made

DAY = 24 * 3600


def test_a_banned_player_is_refused_by_every_process_until_pardoned(service, another):
    game, other = Game.begin(service, 3), another()
    banned = game.guests[1]
    assert other.players.me(banned.token)["id"] == banned.id  # which the other process has read before
    proof = service.players.proof(banned.token)
    ticket = service.tickets.issue(banned.token, game.id)["ticket"]
    assert service.administration.ban(banned.id)["banned"]
    assert service.administration.ban(banned.id)["banned"]
    for one in (service, other):
        for call in (one.players.me, one.players.rotate, one.lobby.mine, one.notices.page):
            assert refusal(call, banned.token).code == "banned"
        assert refusal(one.games.view, banned.token, game.id, words=EN).code == "banned"
        assert refusal(one.tables.create, banned.token, body("creator", "random"), words=EN).code == "banned"
        assert refusal(one.players.me, f"{banned.id}.another").code == "unauthenticated"
        assert one.players.replaced([proof]) == {proof}
    assert refusal(other.tickets.redeem, game.id, ticket).code == "unauthenticated"
    for _ in range(2):  # once more does no harm
        assert not service.administration.unban(banned.id)["banned"]
    assert other.players.me(banned.token)["id"] == banned.id
    for call in (service.administration.ban, service.administration.unban):
        assert [refusal(call, nobody).code for nobody in ("nobody", "bot-expert")] == ["not_found"] * 2


def test_nobody_waits_for_a_banned_player(service, clock):
    running, two = Game.begin(service, 3), Game.begin(service, 2)
    waiting = Game.open(service, "creator", "open", "open")
    nuisance = running.guests[running.to_act()]
    chosen = body("creator", "creator", "random", sandbox={"rounds": [{"starter": 0}]})
    sandbox = read(service.tables.create(nuisance.token, chosen, words=EN))["id"]
    host = guest(service)
    kept = body("creator", "open") | {"seats": [{"kind": "creator"}, {"kind": "invited", "player": nuisance.id}]}
    invited = read(service.tables.create(host.token, kept, words=EN))["id"]
    service.tables.take_seat(nuisance.token, waiting.id, {"seat": 1}, words=EN)
    service.administration.ban(nuisance.id)
    left = running.view()
    assert left["status"] == "active"
    assert left["seats"][left["to_act"]]["player"]["id"] != nuisance.id
    assert waiting.view()["seats"][1]["player"] is None
    assert read(service.games.view(host.token, invited, words=EN))["seats"][1]["invited"] is None
    assert read(service.games.view(None, sandbox, words=EN))["status"] == "finished"
    # A call that had read the token before the ban sits them down after it: a worker finds that.
    late = two.guests[1]
    fields = service.redis.send(("HGETALL", keys.player(late.id)))[0]
    service.administration.ban(late.id)
    assert two.view()["status"] == "finished"
    service.redis.send(("HSET", keys.player(late.id), *fields))
    service.tables.take_seat(late.token, waiting.id, {"seat": 2}, words=EN)
    aside = fields[fields.index(b"token") + 1]
    service.redis.send(("HSET", keys.player(late.id), "token", "banned", "banned", aside))
    clock.advance(administration.SETTLED_MS / 1000 + 1)
    assert [*service.expiry.expire_players()]
    assert waiting.view()["seats"][2]["player"] is None
    assert service.administration.players()["items"]


@pytest.mark.parametrize("out", ["ban", "erase"])
def test_tables_of_a_player_who_is_gone_do_not_stay_open(service, out):
    """Nobody else could call them off or fill them with bots."""
    gone, guest_there = guest(service), guest(service)
    absent, seated, started = (
        read(service.tables.create(gone.token, body(*seats), words=EN))["id"]
        for seats in (("open", "open"), ("creator", "open", "open"), ("open", "open"))
    )
    service.tables.take_seat(guest_there.token, seated, {}, words=EN)
    for player in (guest_there, guest(service)):
        service.tables.take_seat(player.token, started, {}, words=EN)
    getattr(service.administration, out)(gone.id)
    status = {one: read(service.games.view(None, one, words=EN))["status"] for one in (absent, seated, started)}
    assert status == {absent: "aborted", seated: "aborted", started: "active"}
    assert service.lobby.public(None, status="open", words=EN)["items"] == []


def settle(service, clock):
    """Lets workers look again and again at players who are due after a ban, as often as removing one takes and more."""
    for _ in range(3):
        clock.advance((administration.SETTLED_MS + LEASE_MS) / 1000 + 1)
        outcomes = [*service.expiry.expire_players()]
    return outcomes


def test_a_table_that_waits_for_nonces_keeps_a_banned_creator_and_begins(service, clock):
    game = Game.open(service, "creator", "open", nonce_hash="ab" * 32).fill()
    waiting = game.view()
    assert waiting["reveal"]["seats"] == [0]
    service.administration.ban(game.creator.id)
    assert game.view() == waiting
    clock.advance(60)
    assert game.view()["status"] == "active"


def test_a_banned_player_without_games_stays_as_long_as_any_other(service, client, clock):
    banned = guest(service)
    service.administration.ban(banned.id)
    settle(service, clock)
    service.administration.ban(banned.id)  # again, which looks again
    settle(service, clock)
    assert client.zscore(keys.IDLE, banned.id) > clock.ms + 29 * DAY * 1000
    assert not service.administration.unban(banned.id)["banned"]
    assert service.players.me(banned.token)["id"] == banned.id
    service.administration.ban(banned.id)
    settle(service, clock)
    clock.advance(30 * DAY)
    assert settle(service, clock) == []
    assert not client.exists(keys.player(banned.id))
    assert client.zscore(keys.IDLE, banned.id) is None


def test_a_banned_player_keeps_what_they_were_notified_of(service, clock):
    game = Game.begin(service)
    banned = game.guests[1]
    service.notices.page(banned.token)
    service.tables.leave(game.token(0), game.id, words=EN)
    service.notifier.settle()
    before = service.notices.kept(banned.id)
    assert before[-1]["type"] == "game_over"
    service.administration.ban(banned.id)
    settle(service, clock)
    assert service.notices.kept(banned.id) == before


def test_whose_ban_is_lifted_at_once_is_not_removed_early(service, client, clock):
    banned = guest(service)
    service.administration.ban(banned.id)
    service.administration.unban(banned.id)
    assert settle(service, clock) == []
    assert service.players.me(banned.token)["id"] == banned.id
    clock.advance(30 * DAY)
    settle(service, clock)
    assert not client.exists(keys.player(banned.id))


def test_one_who_was_about_to_be_removed_is_not_once_they_are_banned(service, clock):
    banned = guest(service)
    clock.advance(30 * DAY)
    assert [*service.expiry.expire_players()] == ["kept"]
    assert refusal(service.players.me, banned.token).code == "unauthenticated"
    service.administration.ban(banned.id)
    settle(service, clock)
    assert not service.administration.unban(banned.id)["banned"]
    assert service.players.me(banned.token)["id"] == banned.id


@pytest.mark.parametrize("what", ["banned", "erased"])
def test_registering_again_with_the_same_key_puts_off_nothing_that_is_due(service, client, what):
    player = service.players.register("Ann", "human", idempotency_key="mine").player.id
    registered = client.zscore(keys.IDLE, player)
    service.administration.ban(player) if what == "banned" else service.administration.erase(player)
    due = client.zscore(keys.IDLE, player)
    assert due < registered
    assert refusal(service.players.register, "Ann", "human", idempotency_key="mine").code == "token_replaced"
    client.delete(*client.scan_iter(match="*grant*"))  # as when the key has not been kept so long
    assert refusal(service.players.register, "Ann", "human", idempotency_key="mine").code == "idempotency_key_reused"
    assert client.zscore(keys.IDLE, player) == due


def test_after_a_ban_nobody_is_looked_at_again_where_nobody_is_removed(redis_url, client, clock):
    service = build(Settings(redis_url=redis_url, idle_player_days=0))
    banned, pardoned = guest(service), guest(service)
    for one in (banned, pardoned):
        service.administration.ban(one.id)
    service.administration.unban(pardoned.id)
    assert client.zscore(keys.IDLE, pardoned.id) is None
    settle(service, clock)
    assert client.zscore(keys.IDLE, banned.id) is None
    assert client.exists(keys.player(banned.id))


def test_a_damaged_game_keeps_a_banned_player_in_no_other(service, another, client):
    player = guest(service)
    tables = [opened_by(service, player) for _ in range(3)]
    add_poison(client, tables[1])
    another().administration.ban(player.id)
    assert [client.hget(keys.meta(game), "status") for game in tables] == [b"aborted", b"open", b"aborted"]


def opened_by(service, player):
    return read(service.tables.create(player.token, body("creator", "open"), words=EN))["id"]


@pytest.fixture
def put_away(redis_url, tmp_path, clock):
    """A service with an archive, and a game that is there."""
    service = build(Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")), retain_finished_days=1))
    game = ended(service)
    assert service.retention.archive(game.id) == "archived"
    return service, game


@pytest.mark.parametrize(
    "damage",
    [
        lambda client, game: client.xdel(keys.log(game), "3-0"),
        lambda client, game: client.delete(keys.log(game)),
        lambda client, game: client.delete(keys.meta(game)),
        lambda client, game: client.set(keys.meta(game), "no hash"),
    ],
    ids=["an event", "the log", "the hash", "no hash"],
)
@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_of_a_damaged_game_that_is_removed_nothing_is_left(service, another, client, damage, visibility):
    before = Game.begin(service).play(random.Random(1), 3)
    game = Game.open(service, "creator", "open", "open", visibility=visibility)
    claim = {"join_code": game.view(creator=True)["join_code"]} if visibility == "unlisted" else {}
    service.tables.take_seat(guest(service).token, game.id, claim, words=EN)
    service.settle()
    kept = dict(client.hgetall(keys.meta(before.id)))
    damage(client, game.id)
    fresh = another()
    fresh.administration.delete(game.id)
    assert left_of(client, game.id) == []
    assert client.hgetall(keys.meta(before.id)) == kept
    assert refusal(fresh.administration.delete, game.id).code == "not_found"


def test_of_a_damaged_game_in_the_archive_no_file_is_left(put_away, client, tmp_path):
    service, game = put_away
    client.set(keys.summary(game.id), "nothing")
    service.administration.delete(game.id)
    assert left_of(client, game.id) == []
    assert list((tmp_path / "archive").glob("*/*.gz")) == []


def left_of(client, game):
    """Returns the keys in which a game is still named, but what expires and what the lobby has told."""
    names = [name.decode() for name in client.keys("*")]
    own = [name for name in names if f"{{{game}}}" in name]
    lists = [name for name in names if client.type(name) == b"zset" and client.zscore(name, game) is not None]
    return own + lists + (["listed"] if client.hexists(keys.LISTED, game) else [])


@pytest.mark.parametrize("place", [(0, -1), (1, 0)])
def test_a_cursor_of_another_list_of_players_is_refused(service, place):
    cursor = page_cursor(*place, "")
    assert refusal(service.administration.players, "", None, cursor).code == "invalid_request"


def test_players_are_found_by_the_beginning_of_their_names_page_by_page(service, monkeypatch):
    wanted = {guest(service, name).id for name in ("Ärger", "ärgerlich", *(f"ÄRG{i}" for i in range(30)))}
    for name in ("Anna", "Kärger", "Är"):
        guest(service, name)
    Game.begin(service)
    monkeypatch.setattr(administration, "SCANNED", 7)
    monkeypatch.setattr(administration, "MOST_SCANS", 2)
    found, cursor = [], None
    while True:
        page = service.administration.players("äRg", limit=3, cursor=cursor)
        assert len(page["items"]) <= 3
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert sorted({one["id"] for one in found}) == sorted(wanted)
    assert refusal(service.administration.players, cursor="x").code == "invalid_request"


def test_no_player_is_passed_over_while_other_keys_go_between_pages(service, client, monkeypatch):
    wanted = {guest(service, f"Ann {i}").id for i in range(200)}
    passing = [f"passing:{i}" for i in range(3000)]
    client.mset(dict.fromkeys(passing, ""))
    monkeypatch.setattr(administration, "SCANNED", 200)
    found, cursor, pages = set(), None, 0
    while cursor is not None or not pages:
        page = service.administration.players("ann", limit=5, cursor=cursor)
        assert len(page["items"]) <= 5
        found |= {one["id"] for one in page["items"]}
        cursor, pages = page["next_cursor"], pages + 1
        if passing:
            client.delete(*passing[:100])
            del passing[:100]
    assert sorted(found) == sorted(wanted)


def test_an_aborted_game_is_over_for_everybody_and_its_log_is_valid(service, another):
    game = Game.begin(service, 3)
    game.step(random.Random(1))
    assert game.view()["status"] == "active"
    aborted = another().administration.abort(game.id)
    assert (aborted.state.status, game.view()["abort_reason"]) == ("aborted", "called_off")
    log = [one for _, one in service.play._log.stored(service.play._log.read(game.id).snapshot)]
    assert verify(portable(log)).valid
    assert log[-1]["type"] == "secret_revealed"
    assert Abort in [type(cause) for cause in service.play._log.causes(aborted).values()]
    assert refusal(service.administration.abort, game.id).code == "game_over"
    assert refusal(service.administration.abort, "nothing").code == "not_found"


@pytest.mark.parametrize("where", ["running", "ended", "packed", "archived", "archived meanwhile"])
def test_of_a_removed_game_nothing_is_left(redis_url, client, tmp_path, monkeypatch, where):
    service = build(Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive"))))
    game = Game.begin(service, 2) if where == "running" else ended(service, visibility="unlisted")
    service.tables.take_seat(game.token(0), game.id, {}, "a-key", words=EN) if where == "running" else None
    if where == "packed":
        snapshot = service.play._log.read(game.id).snapshot
        assert service.packing._streams.pack(snapshot, service.play._log.stored(snapshot))
    if where == "archived":
        assert service.retention.archive(game.id) == "archived"
        away = build(Settings(redis_url=redis_url, archive_url=str(tmp_path / "nowhere")))
        with pytest.raises(ArchiveAway):
            away.administration.delete(game.id)
        assert game.view(0)["status"] == "finished"
    with monkeypatch.context() as meanwhile:
        if where == "archived meanwhile":
            meanwhile.setattr(EventLog, "archived", lambda log, game: service.retention.archive(game) and None)
        service.administration.delete(game.id)
    service.notifier.settle()
    assert not [*(tmp_path / "archive").rglob("*.gz")]
    assert refusal(service.games.view, None, game.id, words=EN).code == "not_found"
    assert refusal(service.administration.delete, game.id).code == "not_found"
    assert not [name for name in client.scan_iter(match=f"billet:*{game.id}*") if b":told:" not in name]
    for name in client.scan_iter(match="billet:*", _type="zset"):
        if not name.startswith((b"billet:{lines}", b"billet:untold")):
            assert game.id.encode() not in client.zrange(name, 0, -1), name


def test_a_removal_that_ends_at_any_step_leaves_nothing_once_it_is_repeated(service, another, client, monkeypatch):
    class Ended(BaseException):
        pass

    def end_at(step, call):
        steps = iter(range(step))

        def ending(*arguments):
            if next(steps, None) is None:
                raise Ended
            return call(*arguments)

        return ending

    ends = 0
    while True:
        game = Game.begin(service, 2)
        service.tables.take_seat(game.token(0), game.id, {}, "a-key", words=EN)
        service.administration.abort(game.id)
        service.notifier.settle()
        with monkeypatch.context() as patch:
            patch.setattr(service.redis, "send", end_at(ends, service.redis.send))
            with suppress(Ended):
                service.administration.delete(game.id)
                break
        with suppress(Refused):  # the game is gone
            another().administration.delete(game.id)
        assert not [name for name in client.scan_iter(match=f"billet:*{game.id}*") if b":told:" not in name], ends
        ends += 1
    assert ends > 2
