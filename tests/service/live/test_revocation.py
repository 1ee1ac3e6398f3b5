"""Streams end with the token that has opened them: heard or not, and in the middle of opening."""

import asyncio
import random

import pytest

from service.live import hub
from service.live.revocation import StreamsByToken
from service.players import Players
from service.store import channels
from service.store.players import stored_players
from tests.service.at_table import EN, Game
from tests.service.live.followers import SECONDS, Noting, Reader, follow, until

NEVER = 1000.0


@pytest.fixture
def game(service):
    return Game.begin(service, 3)


def rotate(service, game, seat):
    """Gives a seat's guest another token."""
    game.guests[seat] = game.guests[seat]._replace(token=service.players.rotate(game.token(seat)).token)


def ticket(service, game, seat):
    return service.tickets.issue(game.token(seat), game.id)["ticket"]


async def heard(service, client, game, *streams):
    """Waits until streams have all there is, and Redis tells their one feeds everything that is said from now on."""
    newest = game.view()["version"]
    await until(lambda: all(stream.version == newest for stream in streams))
    names = [service.redis.channel(name) for name in (channels.TOKENS, channels.feed(game.id))]
    await until(lambda: [hubs for _, hubs in client.pubsub_numsub(*names)] == [1, 1])


def reads_nothing(monkeypatch):
    monkeypatch.setattr(Players, "replaced", lambda self, proofs: set())


async def check_goes_on(feeds, service, game, ended, others):
    """Streams that have ended are written nothing more; the new token goes on where they were, and so do the others."""
    newest = game.view()["version"]
    again = await follow(feeds, service, game, newest, 1)
    await asyncio.to_thread(game.step, random.Random(1))
    await until(lambda: all(stream.version == game.view()["version"] for stream in [again, *others]))
    assert again.told == game.events(1, after=newest)
    assert not any(stream.closed for stream in [again, *others])
    for stream in ended:
        assert stream.closed
        assert stream.versions == list(range(1, newest + 1))


async def test_a_new_token_ends_the_streams_of_the_old_one_in_every_process(
    service, another, client, game, monkeypatch
):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", NEVER)

    feeds = another().feeds()
    old = [await follow(feeds, service, game, 0, 1), await follow(feeds, service, game, 0, 1)]
    old.append(await follow(feeds, service, game, 0, ticket=ticket(service, game, 1)))
    others = [await follow(feeds, service, game, 0, viewer) for viewer in (None, 0, 2)]
    await heard(service, client, game, *old, *others)
    reads_nothing(monkeypatch)
    rotate(service, game, 1)
    for stream in old:
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
    await check_goes_on(feeds, service, game, old, others)
    feeds.close()


async def test_what_was_not_heard_is_found_by_the_sweep(service, client, game, feeds_of, monkeypatch):
    feeds = feeds_of(service)
    old, other = await follow(feeds, service, game, 0, 1), await follow(feeds, service, game, 0, 0)
    await heard(service, client, game, old, other)
    with monkeypatch.context() as patch:
        patch.setattr(channels, "TOKENS", "billet:nothing")  # nothing is said
        rotate(service, game, 1)
    await asyncio.wait_for(old.ending.wait(), SECONDS)
    await check_goes_on(feeds, service, game, [old], [other])
    feeds.close()


async def test_after_a_lost_connection_tokens_are_read_before_anything_is_written(service, client, game, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", NEVER)

    feeds = service.feeds()
    old, other = await follow(feeds, service, game, 0, 1), await follow(feeds, service, game, 0, 0)
    await heard(service, client, game, old, other)
    before = game.view()["version"]
    # The feeds's loop stands still until all of it has happened.
    assert client.client_kill_filter(_type="pubsub") == 1
    rotate(service, game, 1)
    game.step(random.Random(1))
    await asyncio.wait_for(old.ending.wait(), SECONDS)
    await until(lambda: other.version == game.view()["version"])
    assert old.versions == list(range(1, before + 1))
    assert not other.closed
    feeds.close()


@pytest.mark.parametrize("by", ["token", "ticket"])
async def test_a_token_that_is_replaced_while_its_stream_opens_opens_none(service, game, feeds_of, by):
    feeds = feeds_of(service)
    way = {"ticket": ticket(service, game, 1)} if by == "ticket" else {}
    start = service.game_streams.begin(None if way else game.token(1), game.id, after=0, words=EN, **way)
    rotate(service, game, 1)
    late = Noting(start)
    await feeds.games.join(start, late)
    assert late.closed
    assert late.told == []
    feeds.leave(late)
    assert not (await follow(feeds, service, game, 0, 1)).closed
    feeds.close()


async def test_what_was_doubted_is_doubted_until_it_has_been_read_and_a_new_token_is_none_of_it():
    found = iter([set(), set(), hub.Unavailable("away"), {"ann:old"}])

    async def replaced(proofs):
        said = next(found)
        if isinstance(said, Exception):
            raise said
        return said

    streams, old, new = StreamsByToken(replaced), Reader(0, "ann", "ann:old"), Reader(0, "ann", "ann:new")
    await streams.add(old)
    await streams.add(new)
    streams.note_gap()
    with pytest.raises(hub.Unavailable):
        await streams.end_revoked()
    assert not old.closed
    await streams.end_revoked()
    assert (old.closed, new.closed) == (True, False)
    streams.heard("ann:new")
    assert not new.closed


async def test_streams_that_have_gone_are_not_asked_about(service, game, feeds_of, monkeypatch):
    asked = []

    feeds = feeds_of(service)
    gone, stays = await follow(feeds, service, game, 0, 1), await follow(feeds, service, game, 0, 0)
    feeds.leave(gone)
    monkeypatch.setattr(Players, "replaced", lambda self, proofs: asked.append(proofs) or set())
    await until(lambda: len(asked) >= 2)
    assert asked[-1] == [stays.proof]
    feeds.leave(stays)
    seen = len(asked)
    await asyncio.sleep(1)
    assert len(asked) <= seen + 1, "with nobody there is nothing to ask"
    feeds.close()


def test_many_tokens_are_read_some_at_once(service, game, monkeypatch):
    monkeypatch.setattr(stored_players, "AT_ONCE", 2)
    proofs = [service.players.proof(game.token(seat)) for seat in (0, 1, 2)]
    assert service.players.replaced(proofs) == set()
    unknown = "p0123456789abcdef0123:0"
    rotate(service, game, 2)
    assert service.players.replaced([*proofs, unknown]) == {proofs[2], unknown}
    assert service.players.replaced([service.players.proof(game.token(2))]) == set()


async def test_a_redis_that_is_away_for_a_moment_ends_no_stream_that_may_stay(
    service, client, game, feeds_of, monkeypatch
):
    failed = []

    def failing(self, proofs):
        failed.append(proofs)
        raise hub.Unavailable("away")

    feeds = feeds_of(service)
    old, other = await follow(feeds, service, game, 0, 1), await follow(feeds, service, game, 0, 0)
    await heard(service, client, game, old, other)
    with monkeypatch.context() as away:
        away.setattr(Players, "replaced", failing)
        await until(lambda: failed)  # now no reading is under way that began before
        with monkeypatch.context() as patch:
            patch.setattr(channels, "TOKENS", "billet:nothing")
            rotate(service, game, 1)
        seen = len(failed)
        await until(lambda: len(failed) >= seen + 2)
        assert not old.closed
    await asyncio.wait_for(old.ending.wait(), SECONDS)
    assert not other.closed
    feeds.close()
