"""What every released version has stored is restored by this one, seen as it was, and played on."""

import json
import random

import pytest
import redis

from games.records.verification import verify
from service import Settings, build
from service.store.log.answers import Kept
from service.upkeep import restore as restoring
from service.upkeep.backup_file import whole
from service.upkeep.restore import restore
from tests.golden.installations import FOLDER, handed, seen
from tests.service.at_table import Game, Guest

VERSIONS = sorted(path.stem for path in FOLDER.glob("*.billet"))


def test_the_first_version_is_here():
    assert "0.1.0" in VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_an_installation_of_a_version_goes_on(redis_url, version, monkeypatch):
    settings = Settings(redis_url=redis_url)
    monkeypatch.setattr(restoring, "call_off", lambda settings: (0, 0))  # an upgrade goes on with the games
    restore(settings, whole(FOLDER / f"{version}.billet"))
    service = build(settings)
    rng = random.Random(1)
    statuses = []
    for name, before in json.loads((FOLDER / f"{version}.json").read_text()).items():
        guests = {int(seat): Guest(*guest) for seat, guest in before["seats"].items()}
        game = Game(service, name, Guest(*before["creator"]), guests)
        now = json.loads(json.dumps(seen(game)))
        assert now == before
        statuses.append(before["status"])
        if before["status"] == "open":
            game.fill()
        game.play(rng)
        assert verify(service.games.log(None, name)).valid
    assert set(statuses) == {"open", "active", "finished"}


@pytest.mark.parametrize("version", VERSIONS)
def test_processes_of_a_version_work_beside_this_one(redis_url, version):
    """If this fails, an old process cannot read what a new one writes: the changelog must say `upgrade in one go`."""
    before = json.loads((FOLDER / f"{version}.handed.json").read_text())
    with redis.Redis.from_url(redis_url) as client:
        now = json.loads(json.dumps(handed(build(Settings(redis_url=redis_url)), client)))
    assert now == before
    assert Kept.read(before["kept"].encode()).stored().decode() == before["kept"]
