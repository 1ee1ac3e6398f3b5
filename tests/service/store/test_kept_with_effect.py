"""An answer is kept in the same step as its effect: whenever Redis dies, both are there afterwards or neither is.

What a machine leaves that is lost in the middle of a call is a beginning of the file that Redis writes; so the file is
cut where commands end, and in the middle of the last one, and Redis is asked what it makes of it.
"""

import re
import shutil
from typing import NamedTuple

import pytest
import redis

from billet.redis import embedded as embedded_redis
from engine.logs.codec import read_action
from service import Settings, build
from tests.service.at_table import EN, body, guest, read

KEY = "a key that nobody else would think of"
WRITTEN_BY = re.compile(rb"\*\d+\r\n\$")
"""How each command begins in the file."""
MULTI, EXEC = b"*1\r\n$5\r\nMULTI\r\n", b"*1\r\n$4\r\nEXEC\r\n"


class Once(NamedTuple):
    """A call with a key that was made once: what is kept of it, what it has changed, and the file before and after."""

    kept: bytes
    changed: bytes
    field: str
    value: bytes | None
    before: int
    after: int

    def is_kept(self, client):
        return client.exists(self.kept) == 1

    def is_done(self, client):
        return client.hget(self.changed, self.field) == self.value


def calls(service):
    """Yields every call that takes a key: its name, the call, and what of it changes which hash."""
    registered = service.players.register("Ann", "human", None, KEY)
    yield "register", f"billet:player:{registered.player.id}", "token"
    ann, bob = service.players.rotate(registered.token, "x" + KEY), guest(service)
    yield "rotate", f"billet:player:{ann.player.id}", "token"
    table = body("creator", "open", "open", sandbox={"rounds": [{"starter": 0}]})
    opened = read(service.tables.create(ann.token, table, "create" + KEY, words=EN))["id"]
    meta = f"billet:{{{opened}}}:meta"
    yield "create", meta, "head"
    service.tables.take_seat(bob.token, opened, {}, KEY, words=EN)
    yield "take a seat", meta, "head"
    service.tables.leave(bob.token, opened, "x" + KEY, words=EN)
    yield "get up", meta, "head"
    service.tables.take_seat(ann.token, opened, {"bot": "random"}, "bot" + KEY, words=EN)
    yield "seat a bot", meta, "head"
    service.tables.abort(ann.token, opened, "y" + KEY, words=EN)
    yield "call off", meta, "head"
    again = read(service.tables.rematch(ann.token, opened, "rematch" + KEY, words=EN))["id"]
    meta = f"billet:{{{again}}}:meta"
    yield "rematch", meta, "head"
    service.tables.take_seat(bob.token, again, {}, words=EN)
    action = read(service.games.view(ann.token, again, words=EN))["legal_actions"][0]["action"]
    service.play.act(ann.token, again, read_action(action), None, KEY + "x", words=EN)
    yield "act", meta, "head"
    service.tables.leave(bob.token, again, "resign" + KEY, words=EN)
    yield "resign", meta, "head"


def appended(folder):
    """The file to which a Redis appends its commands; newer ones keep others beside it."""
    (file,) = (
        file
        for file in (folder / "redis").glob("**/appendonly.aof*")
        if not file.name.endswith((".base.rdb", ".base.aof", ".manifest"))
    )
    return file


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder of a Redis in which every call was made once, and the calls by name."""
    folder = tmp_path_factory.mktemp("written")
    made = {}
    with embedded_redis.running(folder) as server, redis.Redis.from_url(server.url) as client:
        file = appended(folder)
        known, before = set(), file.stat().st_size
        for name, changed, field in calls(build(Settings(redis_url=server.url))):
            kept = set(client.keys("billet:*:answer:*")) | set(client.keys("billet:*:grant:*"))
            (new,) = kept - known
            after = file.stat().st_size
            made[name] = Once(new, changed.encode(), field, client.hget(changed, field), before, after)
            known, before = kept, after
    return folder, made


def apart(raw, begins):
    """Returns where the commands begin between which Redis could die: all of one transaction are done or none is."""
    inside, found = False, []
    for begin in begins:
        if not inside or len(found) == 1:
            found.append(begin)
        if raw.startswith(MULTI, begin):
            inside = True
        elif raw.startswith(EXEC, begin):
            inside = False
    return found


@pytest.mark.parametrize(
    "name",
    [
        *("register", "rotate", "create", "take a seat", "call off", "rematch", "act"),
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("get up", "seat a bot", "resign")),
    ],
)
def test_an_answer_is_there_if_and_only_if_its_effect_is(name, written, tmp_path):
    """Looks for the cut where the effect appears: neither disappears again, so both appear there or nowhere."""
    folder, made = written
    once = made[name]
    file = appended(folder)
    raw = file.read_bytes()
    begins = [match.start() for match in WRITTEN_BY.finditer(raw[: once.after]) if match.start() >= once.before]
    cuts = [*apart(raw, begins), begins[-1] + 9, once.after]

    def is_done_at(n):
        copied = tmp_path / str(n)
        shutil.copytree(folder / "redis", copied / "redis", ignore=shutil.ignore_patterns("*.sock", "url"))
        (copied / file.relative_to(folder)).write_bytes(raw[: cuts[n]])
        with embedded_redis.running(copied, fsync="no") as server, redis.Redis.from_url(server.url) as client:
            assert once.is_kept(client) == once.is_done(client), f"cut after {cuts[n] - once.before} bytes of the call"
            return once.is_done(client)

    without, done = 0, len(cuts) - 1
    assert [is_done_at(without), is_done_at(done)] == [False, True]
    while done - without > 1:
        middle = (without + done) // 2
        without, done = (without, middle) if is_done_at(middle) else (middle, done)
