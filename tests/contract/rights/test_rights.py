"""The matrix: every operation of the document, by everybody who may be about a game, with games of every kind.

Nobody is told a card that they may not know, and no log goes on unless `rights.py` says that they may. It says so of
every operation: one that is new in the document and not there fails.
"""

from dataclasses import fields

import pytest
import redis

from api import create_app
from service import Settings, build
from service.settings import OFF
from tests.contract.checked import Checked
from tests.contract.provider import AUDIENCE, ISSUER, Provider
from tests.contract.rights.calls import OPERATIONS, OTHERS, SHOWING
from tests.contract.rights.rights import ANYBODY, KINDS, RIGHTS, SEALED, VISIBILITIES, may_see_as
from tests.contract.rights.world import OPERATOR, World, heads
from tests.secrecy.viewers import Watched, check_answer
from tests.service.upkeep.archived import made

SPOILING = ("eraseMe", "adminBanPlayer", "adminErasePlayer", "createRematch", "endMatch", "declineMatch")
"""After these somebody, or the game, is not any more what it was, even if no log goes on."""


@pytest.fixture(scope="module")
def provider():
    provider = Provider()
    yield provider
    provider.server.shutdown()
    provider.server.server_close()


@pytest.fixture
def faults(redis_url, tmp_path, provider, monkeypatch):
    """Returns what is not as it should be when everybody calls operations for games of a kind."""
    monkeypatch.setattr("games.reveals.REVEAL_MS", 3_600_000)  # one that waits does so until everybody has called
    off = {field.name: OFF for field in fields(Settings) if field.name.startswith("limit_")}
    login = {"login_jwks": provider.url, "login_issuer": ISSUER, "login_audience": AUDIENCE}
    archive = {"archive_url": str(made(tmp_path / "archive")), "retain_finished_days": 1}
    settings = Settings(redis_url=redis_url, admin_token=OPERATOR, **archive, **login, **off)
    with redis.Redis.from_url(redis_url) as client:
        yield lambda kind, visibility, *names: Matrix(settings, client, provider, kind, visibility).faults(names)


class Matrix:
    """All calls for games of one kind."""

    def __init__(self, settings, client, provider, kind, visibility):
        self.asked, self.making = Checked(create_app(settings)), build(settings)
        self.client, self.provider = client, provider
        self.kind, self.visibility = kind, visibility
        self.world, self.heads = None, {}
        self.of_rules = {}

    def faults(self, names):
        """Lets everybody call the operations with these names, or all; returns what was not right."""
        found = []
        for operation in OPERATIONS:
            if names and operation.name not in names:
                continue
            if operation.name not in RIGHTS:
                found.append(f"`rights.py` does not say who may {operation.name}")
                continue
            if RIGHTS[operation.name].is_about_no_game and (self.kind, self.visibility) != ("active", "public"):
                continue
            for who in ANYBODY:
                for query in operation.queries(self.there()):
                    found += self.faults_of(operation, who, query)
        return found

    def there(self):
        """Returns a game with everybody, a new one if the last call has changed it."""
        if self.world is None:
            self.world = World(self.making, self.asked, self.client, self.provider, self.kind, self.visibility)
            self.heads = heads(self.client)
        return self.world

    def faults_of(self, operation, who, query):
        world, right = self.there(), RIGHTS[operation.name]
        actor = world.actors[who]
        answer = operation.call(self.asked, world, actor, query)
        before, self.heads = self.heads, heads(self.client)
        did = changed(world.id, before, self.heads)
        may = right.change(who, self.kind, self.visibility)
        said = f"{operation.name} {query} by {who}: {answer.status_code} {answer.text[:500]}"
        if did != may:
            yield f"{did} instead of {may}: {said}"
        seen = query.get("as", query.get("seat"))
        with_ticket = "ticket" in operation.parameters
        fine = may is not None or (
            right.may(who, self.kind, self.visibility, with_ticket=with_ticket)
            and may_see_as(seen, who, actor.seat, self.kind)
        )
        answered = answer.status_code < 400
        if answered != fine and (may or not right.does):  # else it is as it was already, which may be said
            yield f"{'answered' if answered else 'refused'}: {said}"
        if right.whole and answered:
            yield from (f"a secret: {said}" for secret in world.secrets if secret in answer.text)
        elif right.rules and self.of_rules.setdefault(operation.name, answer.content) != answer.content:
            yield f"not what others are told: {said}"
        elif not right.rules:
            yield from self.told(answer, actor, did, seen)
        self.go_on(operation.name, actor, answer, did)

    def told(self, answer, actor, did, seen):
        """Yields what an answer says that its reader may not know."""
        world, watched, seat = self.world, self.world.watched, actor.seat
        if did == "opens":
            new = answer.json()
            watched = Watched(new["id"], self.client, watched.secrets)
            seat = (new["viewer"] or {"seat": None})["seat"]
        elif did == "changes":
            watched.read()
            seat = world.seat_now(actor)
        if seen is not None:
            seen = None if answer.status_code >= 400 else seen if seen == "all" else int(seen)
        try:
            check_answer(answer, watched, actor._replace(seat=seat), seen)
        except AssertionError as error:
            yield str(error)[:1000]

    def go_on(self, name, actor, answer, did):
        """Makes things as they were before a call."""
        if answer.status_code >= 400:
            return
        if did == "opens":
            self.making.administration.delete(answer.json()["id"])
            del self.heads[answer.json()["id"]]
        if name == "rotateToken":
            self.world.actors[actor.name] = actor._replace(token=answer.json()["token"])
        if did in ("changes", "removes") or name in SPOILING:
            self.world = None


def changed(game, before, after):
    """Returns what has happened to a game between two looks at all logs; None for nothing."""
    if before == after:
        return None
    others = {one: head for one, head in after.items() if one in before and one != game}
    if others != {one: head for one, head in before.items() if one != game}:
        return "changes others"
    if game not in after:
        return "removes"
    return "changes" if after[game] != before[game] else "opens"


@pytest.mark.parametrize(
    ("kind", "visibility"),
    [(kind, visibility) for kind in KINDS for visibility in VISIBILITIES if (kind, visibility) != (SEALED, "unlisted")],
)
def test_everybody_may_do_what_is_said_of_them_and_is_told_what_they_may_know(kind, visibility, faults):
    found = faults(kind, visibility)
    assert not found, "\n\n".join(found)


def test_what_is_said_is_said_of_what_there_is():
    assert RIGHTS.keys() == {operation.name for operation in OPERATIONS}
    assert set().union(*(operation.parameters for operation in OPERATIONS)) == SHOWING | OTHERS
