"""An erased player's name is nowhere any more: not in Redis, the archive, any answer or any log line."""

import gzip
import logging
import random

import orjson
import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from games.texts.catalogue import catalogue
from service import Settings
from service.store import keys
from service.store.log import kept_names
from service.store.log.kept_names import without_name
from service.upkeep.administration import SETTLED_MS
from tests.service.at_table import EN, Game, body, guest, read
from tests.service.stored import values
from tests.service.upkeep.archived import made

DE = catalogue("de")
NAME = "Zerbinetta Quagliostro"


@pytest.fixture
def settings(redis_url, tmp_path):
    return Settings(redis_url=redis_url, archive_url=str(made(tmp_path / "archive")))


def holding(client, text):
    return [name for name, found in values(client) if text in f"{name}{found}"]


def with_name(service):
    """A player, known in every place: games of all states, stored answers, notices, lists, invitations and blocks."""
    player, other = guest(service, NAME), guest(service, "Other")
    service.blocks.block(other.token, player.id, words=EN)
    service.blocks.unblock(other.token, player.id)
    service.notices.page(other.token)
    games = []
    for _ in range(3):
        game = Game.open(service, "creator", "open")
        claim = {"seat": 1}
        service.tables.take_seat(player.token, game.id, claim, f"sit-{game.id}", words=EN)
        game.guests[1] = player
        for words in (EN, DE):
            seat, key = game.to_act(), f"act-{words.language}-{game.id}"
            service.play.act(
                game.token(seat), game.id, read_action(game.legal(seat)[0]), None, key, words=words, texts=True
            )
        games.append(game)
    for game in games[1:]:
        game.play(random.Random(5))
    service.tables.create(player.token, body("creator", "open"), "make-a-table", words=DE)
    invited = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "invited", "player": player.id}]}
    service.tables.create(other.token, invited, "invite", words=DE)
    snapshot = service.play._log.read(games[1].id).snapshot
    assert service.packing._streams.pack(snapshot, service.play._log.stored(snapshot))
    assert service.retention.archive(games[2].id) == "archived"
    service.notifier.settle()
    return player, other, games


@pytest.mark.parametrize("by", ["operator", "player"])
def test_the_name_of_an_erased_player_is_nowhere(service, another, client, tmp_path, caplog, by):
    caplog.set_level(logging.DEBUG)
    player, other, games = with_name(service)
    kept = [name for name in holding(client, NAME) if b":answer:" in name]
    assert len(kept) >= 8, "or nothing is proved"
    assert player.id in str(read(service.games.view(None, games[0].id, words=EN)))
    if by == "operator":
        service.administration.ban(player.id)
        service.administration.erase(player.id)
    else:
        service.administration.erase_me(player.token)
    service.notifier.settle()
    assert holding(client, NAME) == []
    archived = [*(tmp_path / "archive").rglob("*.gz")]
    assert archived
    for path in archived:
        assert NAME not in gzip.decompress(path.read_bytes()).decode()
    assert NAME not in caplog.text
    for one in (service, another()):
        for words, told in ((EN, "Deleted player"), (DE, "Gelöschter Spieler")):
            for game in games:
                seat = read(one.games.view(None, game.id, words=words))["seats"][1]
                assert seat["player"] == {"id": player.id, "name": told, "kind": "human"}
                texts = [event["text"] for event in read(one.games.events(None, game.id, words=words))["events"]]
                assert NAME not in str(texts)
                assert told in str(texts)
            assert told in str(one.lobby.public(None, words=words))
        with pytest.raises(Refused) as refused:
            one.players.me(player.token)
        assert refused.value.code == "unauthenticated"
    replayed = service.tables.take_seat(games[0].token(0), games[0].id, {}, "no-such-key", words=EN)
    assert "Deleted player" in replayed.body.decode()
    assert read(service.games.view(None, games[0].id, words=EN))["status"] == "finished"
    assert [one["id"] for one in service.administration.players()["items"] if one["id"] == player.id] == []
    service.administration.erase(player.id)  # again does no harm
    with pytest.raises(Refused):
        service.administration.ban(player.id)
    with pytest.raises(Refused):
        service.blocks.block(other.token, player.id, words=EN)


def test_what_was_written_meanwhile_is_found_later(service, another, client, clock):
    player, late = guest(service, NAME), another()
    game = Game.open(late, "creator", "open")
    late.tables.take_seat(player.token, game.id, {}, words=EN)
    seat = game.creator
    service.administration.erase(player.id)
    answer = late.tables.take_seat(seat.token, game.id, {}, words=EN)
    stored = keys.answer(game.id, seat.id, "0" * 32)
    kept = b'["f",null,"en"]\n' + answer.body.replace(b"Deleted player", NAME.encode())
    client.set(stored, kept, ex=1000)
    assert holding(client, NAME) == [stored.encode()]
    clock.advance(SETTLED_MS / 1000 + 1)
    assert [*service.expiry.expire_players()]
    assert holding(client, NAME) == []
    assert 0 < client.ttl(stored) <= 1000
    assert without_name(client.get(stored), player.id) is None


def notices_of(client, player):
    return [*client.scan_iter(match=f"*{player}*:notices"), *client.scan_iter(match=f"*{player}*:approaches")]


def test_an_erased_player_is_sent_no_notice_of_the_games_they_leave_and_blocks_nobody(service, client):
    player, other = guest(service), guest(service)
    game = Game.open(service, "creator", "open", "open")
    service.tables.take_seat(player.token, game.id, {}, words=EN)
    invited = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "invited", "player": player.id}]}
    service.tables.create(other.token, invited, words=EN)
    service.notices.page(player.token)
    service.blocks.block(player.token, guest(service).id, words=EN)
    service.notifier.settle()
    service.administration.erase(player.id)
    service.notifier.settle()
    assert notices_of(client, player.id) == []
    assert not client.exists(keys.notices_read(player.id), keys.blocked(player.id))


def test_notices_that_were_asked_for_meanwhile_are_removed_later(service, client, clock):
    player = guest(service)
    service.administration.erase(player.id)
    client.set(keys.notices_read(player.id), 1, ex=1000)  # by a call that had read the token
    client.xadd(keys.notices(player.id), {"n": "a notice"})
    client.xadd(keys.approaches(player.id), {"n": "a notice"})
    clock.advance(SETTLED_MS / 1000 + 1)
    assert [*service.expiry.expire_players()]
    assert notices_of(client, player.id) == []
    assert not client.exists(keys.notices_read(player.id))


def test_an_erased_player_cannot_be_renamed_by_a_call_under_way(service, another, client, monkeypatch):
    player = guest(service, NAME)
    players = another().players
    fields = players.stored.fields

    def erased_meanwhile(of):
        found = fields(of)
        service.administration.erase(player.id)
        return found

    monkeypatch.setattr(players.stored, "fields", erased_meanwhile)
    with pytest.raises(Refused):
        players.change(player.token, NAME)
    assert holding(client, NAME) == []


def test_a_name_is_replaced_as_a_whole_word_alone():
    head = b'["f",null,"de"]\n'
    seats = '{"seats":[{"player":{"id":"p1","name":"%s"}}],"text":"%s: has a card"}'
    told = "Gelöschter Spieler"
    kept = head + (seats % ("ha", "ha")).encode()
    assert without_name(kept, "p1") == head + (seats % (told, told)).encode()
    assert without_name(kept, "p2") is None
    both = '{"seats":[{"player":{"id":"p1","name":"%s"}},{"player":{"id":"p1","name":"%s"}}],"text":"%s: has a card"}'
    kept = head + (both % ("ha", "ha ha", "ha ha")).encode()
    assert without_name(kept, "p1") == head + (both % (told, told, told)).encode()


def test_a_kept_answer_that_expires_meanwhile_is_not_kept_for_ever(service, client, monkeypatch):
    player = guest(service, NAME)
    stored = keys.answer("game", player.id, "0" * 32)
    client.set(stored, b'["f",null,"en"]\n' + orjson.dumps({"id": player.id, "name": NAME}), ex=1000)

    def expired(raw, erased):
        client.delete(stored)
        return without_name(raw, erased)

    monkeypatch.setattr(kept_names, "without_name", expired)
    kept_names.remove_name(service.redis, player.id)
    assert not client.exists(stored)
