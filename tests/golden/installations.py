"""Makes the backup of an installation by the present version, which later versions must be able to restore and play on.

`make release` writes `installations/VERSION.billet` and what was seen there. A file is never made again:
what an older version has written cannot be asked of a newer one.
"""

import json
import random
import tempfile
from pathlib import Path

from billet.redis import embedded
from games.version import VERSION
from service import Service, Settings, build
from service.upkeep.backup import backup
from tests.service.at_table import Game

FOLDER = Path(__file__).parent / "installations"


def games(service: Service) -> list[Game]:
    """Returns games of all editions: open, running and ended, two of these packed."""
    rng = random.Random(1)
    ended = [Game.begin(service, 2, edition=edition).play(rng) for edition in ("classic", "lovecraft")]
    for game in ended:
        service.packing.pack(game.id)
    return [
        *ended,
        Game.begin(service, 2).play(rng),
        Game.begin(service, 3, edition="premium").play(rng, 20),
        Game.begin(service, 2, edition="lovecraft").play(rng, 15),
        Game.open(service, "creator", "cautious", "open"),
        Game.open(service, "creator", "random", starter=0).play(rng, 6),
    ]


def seen(game: Game) -> dict:
    """Returns what everybody at a table sees of it."""
    view = game.view()
    return {
        "creator": game.creator,
        "seats": game.guests,
        "status": view["status"],
        "version": view["version"],
        "to_act": view["to_act"],
        "events": [game.events(viewer) for viewer in (None, 0)],
        "legal": [game.legal(seat) for seat in game.guests],
    }


def write(folder: Path, name: str) -> None:
    """Writes the backup of an installation, which must not be there, and what was seen of its games."""
    with tempfile.TemporaryDirectory() as data, embedded.running(Path(data), fsync="no") as server:
        settings = Settings(redis_url=server.url)
        service = build(settings)
        all_seen = {game.id: seen(game) for game in games(service)}
        service.notifier.settle()
        backup(settings, folder / f"{name}.billet")
        (folder / f"{name}.json").write_text(json.dumps(all_seen, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write(FOLDER, VERSION)
