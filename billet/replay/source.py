"""Finds the game to replay in a file."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from billet.errors import StartError
from billet.logs.files import FoundLog, found_in, opened
from billet.logs.verify import why_of
from engine.bots import BOTS
from engine.logs import codec
from games.ids import own_bot
from games.messages import Message
from games.player import Player
from games.records.portable import PortableLog, Unreadable
from games.records.verification import SCHEMA, UNFIT, verify
from games.snapshot import Entry, first_snapshot
from games.texts.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Played:
    """An ended game."""

    log: PortableLog
    entries: Sequence[Entry]
    doubt: Message | None
    """Why the log is not verified, if it is not."""


class NumberedNames:
    """Names players, whose names are not in a log: by number, in order of appearance.

    Bots have their names, unless they are unknown to this release: a log may call a bot anything.
    """

    def __init__(self, words: Catalogue) -> None:
        self._known: dict[str, str] = {}
        self._words = words

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns the players with these ids, as a replay names them."""
        return {one: self._player(one) for one in ids if one is not None}

    def _player(self, player: str) -> Player:
        bot = own_bot(player)
        if player not in self._known:
            strangers = sum(own_bot(one) not in BOTS for one in self._known)
            number = self._words.text("replay.player", number=strangers + 1)
            self._known[player] = bot if bot is not None and bot in BOTS else number
        return Player(player, self._known[player], "human" if bot is None else "bot")


def in_file(name: str, words: Catalogue) -> Played:
    """Returns the game to replay from a log in a file, or from a line of one that holds many, as in `games.ndjson:7`.

    Raises:
        StartError: the log does not exist, or cannot be replayed.
    """
    one = _chosen_log(name, words)
    try:
        with opened(one) as log:
            return _played_of_log(log)
    except Unreadable as error:
        raise StartError(f"{one.name}: {error.why.written(words)}") from None


def _chosen_log(name: str, words: Catalogue) -> FoundLog:
    file, _, line = name.rpartition(":")
    if line.isdecimal() and os.path.exists(file) and not os.path.exists(name):
        chosen = next((one for one in found_in(file) if one.name == name), None)
        if chosen is None:
            raise StartError(words.text("replay.no_line", name=file, line=line))
        return chosen
    found = found_in(name)
    first = next(found)
    if next(found, None) is not None:
        raise StartError(words.text("replay.many", name=name))
    return first


def _played_of_log(log: PortableLog) -> Played:
    verdict = verify(log)
    if verdict.divergence is not None and verdict.divergence.check == SCHEMA:
        raise Unreadable(why_of(verdict))
    try:
        entries = [
            Entry(one["version"], one["at"], codec.read_event(one), one["cause"] is not None) for one in log["events"]
        ]
        first_snapshot(entries[0], b"", "").after(entries[1:], "")
    except UNFIT:
        raise Unreadable(Message("log.does_not_fit") if verdict.divergence is None else why_of(verdict)) from None
    return Played(log, entries, None if verdict.valid else why_of(verdict))
