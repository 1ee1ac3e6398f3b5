"""Streams that note what they are sent, and coroutines that wait for it."""

import asyncio

import orjson

from tests.service.at_table import EN

SECONDS = 60


class Noting:
    """A stream that notes what it is written."""

    def __init__(self, start):
        self.start = start
        self.follower_view = start.follower_view
        self.version = start.version
        self.caller = start.caller
        self.proof = start.proof
        self.told = []
        self.closed = False
        self.ending = asyncio.Event()

    def write(self, items):
        self.told += orjson.loads(orjson.dumps(list(items)))

    async def room(self):
        await asyncio.sleep(0)

    def end(self):
        self.closed = True
        self.ending.set()

    @property
    def versions(self):
        return [event["version"] for event in self.told]


class Reader:
    """A reader of notices, or of the lobby, that keeps what it is sent."""

    closed = False

    def __init__(self, version, caller=None, proof=None):
        self.version, self.caller, self.proof = version, caller, proof
        self.got = []

    def write(self, items):
        self.got += items

    async def room(self):
        pass

    def end(self):
        self.closed = True


async def until(true):
    async with asyncio.timeout(SECONDS):
        while not true():
            await asyncio.sleep(0.01)


async def follow(feeds, service, game, after=0, viewer=None, **more):
    start = service.game_streams.begin(game.token(viewer), game.id, after=after, words=EN, **more)
    stream = Noting(start)
    await feeds.games.join(start, stream)
    return stream


def sit(service, game, player, seat, **more):
    service.tables.take_seat(player.token, game.id, {"seat": seat, **more}, words=EN)
