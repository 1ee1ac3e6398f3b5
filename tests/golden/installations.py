"""Makes the backup of an installation by the present version, which later versions must be able to restore and play on.

At each release, `python -m tests.golden.installations` writes `installations/VERSION.billet`, what was seen there, and
what processes of that version hand to each other. A file is never made again: what an older version has written cannot
be asked of a newer one.
"""

import json
import random
import tempfile
from importlib.metadata import version
from pathlib import Path

import redis

from billet.redis import embedded
from service import Service, Settings, build
from service.jobs.form import KINDS, job_of
from service.jobs.schedule import Hint
from service.store import channels, keys
from service.store.log.answers import Answer, Kept
from service.upkeep.backup import backup
from service.upkeep.finalize import finalize_if_empty
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


def handed(service: Service, client: redis.Redis) -> dict:
    """Returns what a process hands to another, which may be of an older or a newer version, beside logs.

    These are a kept answer, the jobs, and the fields beside a log. Followers are told a version and the new entries.
    """
    jobs = {kind: job_of([Hint(kind, "GAME", 7), Hint(kind, "OTHER", 8)]) for kind in KINDS}
    game = Game.open(service, "creator", "open")
    with client.pubsub() as followed:
        followed.subscribe(service.exchange.channel(channels.feed(game.id)))
        followed.get_message(timeout=60)
        game.fill()
        first, *entries = followed.get_message(timeout=60)["data"].split(b"\n")
    service.notifier.settle()
    stored = [fields[b"e"] for _, fields in client.xrange(keys.log(game.id), f"{int(first)}-0", count=len(entries))]
    assert entries == stored
    return {
        "kept": Kept("FINGERPRINT", Answer(b'{"version": 7}', "7", language="en")).stored().decode(),
        "jobs": {
            kind: [job.func, job.args, sorted(job.meta), KINDS[kind].queue, KINDS[kind].unattended]
            for kind, job in jobs.items()
        },
        "meta": sorted(field.decode() for field in client.hkeys(keys.meta(game.id))),
    }


def write() -> None:
    """Writes the files of the present version, which must not be there."""
    name = FOLDER / version("billet-server")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, embedded.running(Path(folder), fsync="no") as server:
        settings = Settings(redis_url=server.url)
        finalize_if_empty(settings)  # as a process does that finds an empty Redis
        service = build(settings)
        all_seen = {game.id: seen(game) for game in games(service)}
        service.notifier.settle()
        backup(settings, name.with_name(f"{name.name}.billet"))
        with redis.Redis.from_url(server.url) as client:
            between = json.dumps(handed(service, client))
        name.with_name(f"{name.name}.handed.json").write_text(f"{between}\n")
        name.with_name(f"{name.name}.json").write_text(json.dumps(all_seen, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write()
