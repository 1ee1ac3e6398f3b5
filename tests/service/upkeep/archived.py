"""Everything that is ever answered about an ended game, to be compared before and after it went into the archive."""

import random

from games.records.portable import as_json, as_ndjson
from games.texts.catalogue import catalogue
from service import Service
from tests.service.at_table import EN, Game

DE = catalogue("de")


def made(folder):
    """Returns a folder that it has made: Billet makes none for an archive."""
    folder.mkdir(exist_ok=True)
    return folder


def ended(service: Service, seed: int = 1, seats: int = 3, **more) -> Game:
    """Returns a game that was played to its end."""
    return Game.begin(service, seats, **more).play(random.Random(seed))


def answers(service: Service, game: Game) -> dict:
    """Returns everything that a process answers about a game: whole answers, with their bytes and tags."""
    reader = service.games
    code = reader_code(service, game)
    found = {}
    for viewer in (None, *list(game.guests)[:1]):
        token = game.token(viewer)
        door = {"join_code": code} if token is None else {}
        newest = service.follow.begin(token, game.id, words=EN, **door).version
        found[viewer, "rounds"] = reader.rounds(token, game.id, **door)
        found[viewer, "events as they were"] = reader.events(token, game.id, as_="all", at=newest // 2, **door)
        found[viewer, "now"] = reader.view(token, game.id, words=DE, **door)
        for version, as_ in ((1, None), (newest // 3, None), (newest // 2, "all"), (newest - 1, 0), (newest, "all")):
            found[viewer, version, as_] = reader.view(token, game.id, at=version, as_=as_, words=EN, **door)
        for after in (0, newest // 2, newest - 3):
            for words in (None, DE):
                found[viewer, "after", after, words and words.language] = reader.events(
                    token, game.id, after=after, limit=30, words=words, **door
                )
        for frames in (False, True):
            begun = service.follow.begin(token, game.id, after=newest // 2, words=EN, texts=True, frames=frames, **door)
            found[viewer, "rest", frames] = list(service.follow.rest(begun))
        found[viewer, "frames"] = service.frames.page(token, game.id, as_="all", words=DE, **door)
        log = service.logs.of(token, game.id, **door)
        found[viewer, "log"] = as_json(log), as_ndjson(log)
        if token is not None:
            found[viewer, "mine"] = service.lobby.mine(token)
    for status in ("finished", "aborted"):
        found[status] = service.lobby.public(None, status)
    return found


def reader_code(service: Service, game: Game) -> str | None:
    """Returns the join code of a game that is not public."""
    return game.view(creator=True)["join_code"]
