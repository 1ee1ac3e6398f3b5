"""What every release and the present version have stored is restored, seen as it was, and played on."""

import json
import random

import pytest

from games.records.verification import verify
from service import Settings, build
from service.upkeep import restore as restoring
from service.upkeep.backup_file import whole
from service.upkeep.restore import restore
from tests.golden import installations
from tests.service.at_table import Game, Guest

RELEASED = sorted(path.stem for path in installations.FOLDER.glob("*.billet"))


@pytest.mark.parametrize("version", [*RELEASED, "present"])
def test_an_installation_of_a_version_goes_on(redis_url, version, monkeypatch, tmp_path):
    folder = installations.FOLDER
    if version == "present":
        folder = tmp_path
        installations.write(folder, version)
    settings = Settings(redis_url=redis_url)
    monkeypatch.setattr(restoring, "call_off", lambda settings: (0, 0))  # an upgrade goes on with the games
    restore(settings, whole(folder / f"{version}.billet"))
    service = build(settings)
    rng = random.Random(1)
    statuses = []
    for name, before in json.loads((folder / f"{version}.json").read_text()).items():
        guests = {int(seat): Guest(*guest) for seat, guest in before["seats"].items()}
        game = Game(service, name, Guest(*before["creator"]), guests)
        now = json.loads(json.dumps(installations.seen(game)))
        assert now == before
        statuses.append(before["status"])
        if before["status"] == "open":
            game.fill()
        game.play(rng)
        assert verify(service.games.log(None, name)).valid
    assert set(statuses) == {"open", "active", "finished"}
