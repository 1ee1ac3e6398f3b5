"""Reads keys whole for a backup, and writes them back. What reaches Redis may raise `Unavailable`."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final

from games.errors import Damaged
from service.inputs.clock import now_ms
from service.store import keys
from service.store.archive import Archive
from service.store.damaged import leaving_out
from service.store.log.meta import read_meta
from service.store.log.stored_answers import Kept
from service.store.redis.client import Command, RedisClient
from service.store.redis.scans import scan, scan_pages
from service.store.scripts import COPY
from service.store.upkeep import saved_keys
from service.store.upkeep.inventory import days_in, games_in, players_in, without_hash
from service.store.upkeep.saved_keys import ALONE, ANSWERS, OF_MATCH, SavedKey, form_of, is_saved
from service.store.upkeep.whole_games import fold_copied, names_of, stored_game

VALUES: Final = 1000
"""The most fields or members in one command; an even number, because fields come in pairs."""

_log = logging.getLogger(__name__)


# --- reading ---


def of_game(game: str) -> list[str]:
    """Returns the Redis keys of a game that a backup copies at one moment."""
    return names_of(game)


def groups_to_copy(redis: RedisClient) -> Iterator[tuple[str, list[str]]]:
    """Yields what a backup copies at one moment each, as `games`, `players` or `others`, and its keys."""
    # Matches are copied before their games, so that no match counts a game's end that the game's copy lacks.
    for name in scan(redis, keys.match("*")):
        if form_of(name, OF_MATCH) is not None:
            yield "others", [name]
    for name in scan(redis, keys.meta("*")):
        yield "games", of_game(keys.game_of(name))
    for game in {*without_hash(redis)}:
        yield "games", of_game(game)
    more = (keys.notices, keys.approaches, keys.blocked, keys.notices_read)
    for player in players_in(redis):
        yield "players", [keys.player(player), *(name(player) for name in more)]
    for day in {*days_in(redis)}:  # after the games, of which each has been noted here before it began
        yield "others", [keys.day(day), keys.day_tries(day), keys.day_lines(day)]
    for name in scan(redis, "billet:*"):
        if form_of(name, ALONE) is not None:
            yield "others", [name]


def copied(redis: RedisClient, names: Sequence[str]) -> tuple[list[SavedKey], int]:
    """Reads Redis keys for a backup, those of them that are there, at one moment, and counts damaged ones.

    A key that is not of its form is damaged: it is logged and left out, because no backup may hold it.
    """
    now = now_ms()
    found: list[SavedKey] = []
    damaged = 0
    for name, (kind, left, held) in zip(names, redis.run(COPY, names, []), strict=True):
        if kind != b"none":
            one = SavedKey(name, kind.decode(), now + left if left >= 0 else None, _text(held))
            if is_saved(one):
                found.append(one)
            else:
                damaged += 1
                _log.error("the key %s is damaged and left out of the backup", name)
    return found, damaged


def _text(held: Any) -> Any:
    # Each byte becomes the character of its number, so that JSON can hold whatever Redis holds.
    return held.decode("latin-1") if isinstance(held, bytes) else [_text(one) for one in held]


def game_of(saved: Sequence[SavedKey]) -> str:
    """Returns the id of the game in a backup to which some keys belong."""
    return keys.game_of(saved[0].name)


def fault_of(saved: Sequence[SavedKey], archive: Archive) -> str:
    """Returns how a game in a backup is damaged, given its keys; "" if it is sound."""
    held = {one.name: (one.kind, _raw(one.held)) for one in saved}
    game = game_of(saved)
    try:
        fold_copied(game, stored_game([held.get(name, ("none", None)) for name in names_of(game)]), archive)
    except Damaged as error:
        return error.why
    return ""


def _raw(held: Any) -> Any:
    return _bytes(held) if isinstance(held, str) else [_raw(one) for one in held]


# --- writing ---


def begin_restoring(redis: RedisClient, digest: str) -> str:
    """Marks a Redis as one into which the backup with a digest is being restored; returns why it cannot be, or "".

    What an interrupted restore has left there is removed.
    """
    begun = redis.send(("GET", keys.RESTORING))[0]
    if begun is None and (_has_any(games_in(redis)) or _has_any(players_in(redis))):
        return "this Redis holds games or players: restore into one that is empty"
    if begun is not None and begun.decode() != digest:
        return "another backup was being restored into this Redis: restore that one, or empty the Redis"
    redis.send(("SET", keys.RESTORING, digest))
    for names in scan_pages(redis, "billet:*") if begun is not None else ():
        if rest := [name for name in names if name != keys.RESTORING]:
            redis.send(*[("UNLINK", name) for name in rest])
    return ""


def is_restored_in_part(redis: RedisClient) -> bool:
    """Returns whether this Redis holds only a part of a backup, because restoring was broken off or still goes on."""
    return bool(redis.send(("EXISTS", keys.RESTORING))[0])


def end_restoring(redis: RedisClient) -> None:
    """Removes from Redis the mark that a backup is being restored into it."""
    redis.send(("DEL", keys.RESTORING))


def _has_any(found: Iterator[str]) -> bool:
    return next(found, None) is not None


def write_back(redis: RedisClient, saved: Sequence[SavedKey]) -> int:
    """Writes a backup's keys to Redis as they were, also after an interrupted restore; returns how many.

    Answers to actions that the restored game has not seen are left out. Pass a game with its answers, or before them.
    """
    others = [one for one in saved if not ANSWERS.names.fullmatch(one.name)]
    _write(redis, others)  # first, because each answer is compared with its game
    answers = [one for one in saved if ANSWERS.names.fullmatch(one.name) and not _is_too_new(redis, one)]
    _write(redis, answers)
    return len(others) + len(answers)


def _write(redis: RedisClient, saved: Sequence[SavedKey]) -> None:
    redis.send(*[command for one in saved for command in _restoring_commands(one)])


def _is_too_new(redis: RedisClient, saved: SavedKey) -> bool:
    """Returns whether an answer in a backup is to an action that the restored game has not seen.

    Nobody can say what a damaged game has seen: its answers count as such.
    """
    game = keys.game_of(saved.name)
    with leaving_out(game, "the restored answers"):
        kept = Kept.read(_bytes(saved.held))
        head = read_meta(redis, game, "head")[0]
        if head is None or kept is None or kept.answer.tag is None:
            return head is None
        return int(kept.answer.tag.split("-")[0]) > int(head.split(b":")[0])
    return True


def _restoring_commands(saved: SavedKey) -> Iterator[Command]:
    """Yields the Redis commands that restore a key of a backup."""
    name, kind, ends, held = saved
    yield "DEL", name
    match kind:
        case saved_keys.STRING:
            yield "SET", name, _bytes(held)
        case saved_keys.HASH:
            yield from _in_parts("HSET", name, held)
        case saved_keys.LIST:
            yield from _in_parts("RPUSH", name, held)
        case saved_keys.ZSET:
            turned = [one for member, score in zip(held[::2], held[1::2], strict=True) for one in (score, member)]
            yield from _in_parts("ZADD", name, turned)
        case saved_keys.STREAM:
            for entry, fields in held:
                yield "XADD", name, entry, *map(_bytes, fields)
    if ends is not None:
        yield "PEXPIREAT", name, ends


def _in_parts(command: str, name: str, values: list[str]) -> Iterator[Command]:
    for begin in range(0, len(values), VALUES):
        yield command, name, *map(_bytes, values[begin : begin + VALUES])


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")
