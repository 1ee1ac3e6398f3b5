"""Ended games and all answers about them, to be compared before and after a log is packed or archived, and crashes."""

import random
import threading
from contextlib import contextmanager

import redis

from games.records.portable import as_json, as_ndjson
from games.texts.catalogue import catalogue
from service import Service
from service.store import archive, keys
from service.store.redis.client import RedisClient
from tests.service.at_table import EN, Game, nearly_won
from tests.service.stored import put_game

DE = catalogue("de")
CLOCK = {"seconds": 1000, "on_timeout": "bot_plays"}


def made(folder):
    """Returns a folder that it has made: Billet makes none for an archive."""
    folder.mkdir(exist_ok=True)
    return folder


def ended(service: Service, seed: int = 1, seats: int = 3, **more) -> Game:
    """Returns a game that was played for some turns, until everybody but one resigned."""
    return Game.begin(service, seats, **more).play(random.Random(seed), 16).cut_short()


def won(service: Service, seed: int, seats: int, **more) -> Game:
    """Returns a game that was played until it had a winner."""
    return Game.begin(service, seats, **more).play(random.Random(seed))


def ways_to_end(service: Service) -> list[Game]:
    """Returns games that ended in every way."""
    rng = random.Random(3)
    games = [
        won(service, 2, 2, visibility="unlisted", clock=CLOCK),
        won(service, 3, 2, edition="classic", sandbox=nearly_won("classic", 2)),
        won(service, 4, 3, edition="premium", sandbox=nearly_won("premium", 3)),
        won(service, 5, 2, edition="lovecraft"),
        Game.open(service, "creator", "random", "cautious", sandbox=nearly_won("standard", 3)).play(rng),
        Game.open(service, "creator", "open"),
        Game.begin(service, 3),
        Game.begin(service, 2).play(rng, 9),
    ]
    for called_off in games[5:7]:
        service.administration.abort(called_off.id)
    service.tables.leave(games[7].token(1), games[7].id, words=EN)
    return games


def called_off(service: Service) -> Game:
    """Returns a table that was called off."""
    game = Game.open(service, "creator", "open")
    service.administration.abort(game.id)
    return game


def keys_of(client: redis.Redis, game: str) -> set[str]:
    """Returns the last parts of the names of a game's keys."""
    return {name.decode().rpartition(":")[2] for name in client.scan_iter(match=f"billet:{{{game}}}:*")}


def answers(service: Service, game: Game) -> dict:
    """Returns everything that a process answers about a game: whole answers, with their bytes and tags."""
    reader = service.games
    code = reader_code(service, game)
    found = {}
    for viewer in (None, *list(game.guests)[:1]):
        token = game.token(viewer)
        door = {"join_code": code} if token is None else {}
        newest = service.game_streams.begin(token, game.id, words=EN, **door).version
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
            start = service.game_streams.begin(
                token, game.id, after=newest // 2, words=EN, texts=True, frames=frames, **door
            )
            found[viewer, "rest", frames] = list(service.game_streams.rest(start))
        found[viewer, "frames"] = service.frames.page(token, game.id, as_="all", words=DE, **door)
        log = service.games.log(token, game.id, **door)
        found[viewer, "log"] = as_json(log), as_ndjson(log)
        if token is not None:
            found[viewer, "mine"] = service.lobby.mine(token)
    for status in ("finished", "aborted"):
        found[status] = service.lobby.public(None, status)
    return found


def reader_code(service: Service, game: Game) -> str | None:
    """Returns the join code of a game that is not public."""
    return game.view(creator=True)["join_code"]


class Crash(BaseException):
    """A process ends here."""


@contextmanager
def crashing_at(step, monkeypatch):
    """Ends what runs within it at a step: before or after something is sent to Redis, written, read or renamed."""
    count = 0

    def stepping(call):
        def made(*arguments, **more):
            nonlocal count
            if threading.current_thread() is not threading.main_thread():
                return call(*arguments, **more)  # who tells players is another
            count += 1
            if count == step:
                raise Crash
            outcome = call(*arguments, **more)
            count += 1
            if count == step:
                raise Crash
            return outcome

        return made

    with monkeypatch.context() as patch:
        patch.setattr(RedisClient, "send", stepping(RedisClient.send))
        for owner, names in ((archive.Directory, ("write", "read")), (archive.Path, ("mkdir", "replace"))):
            for name in names:
                patch.setattr(owner, name, stepping(getattr(owner, name)))
        patch.setattr(
            archive.Path, "unlink", lambda self, missing_ok=False: None
        )  # a process that is killed cleans not
        patch.setattr(archive.os, "fsync", stepping(archive.os.fsync))
        yield


def put(client, stored, ended_ms):
    """Writes a log into Redis as the service does, with the hash that it has beside it."""
    game = put_game(client, stored)
    client.zadd(keys.ENDED, {game: ended_ms})
    return game
