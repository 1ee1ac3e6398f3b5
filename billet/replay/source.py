"""Finds the game that is to be replayed: a log in a file, or a game on a server; how it is shown is elsewhere."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from billet.demo.server import Refused, Server
from billet.errors import StartError
from billet.log_files import STANDARD_INPUT, Found, found_in, read_log
from engine import codec
from engine.bots import BOTS
from engine.errors import MalformedEvent
from engine.upcasts import version_of
from service.causes import Cause, read_cause
from service.ids import own_bot
from service.import_check import examine
from service.players import Player
from service.portable import PortableLog, Unreadable
from service.said import Said
from service.snapshot import Entry
from service.texts.catalogue import Catalogue
from service.verdicts import sentence


@dataclass(frozen=True, slots=True)
class Played:
    """A game as far as it is known."""

    entries: Sequence[Entry]
    causes: dict[int, Cause]
    """By the version of the first event of a step; of a game that goes on none is known."""
    ended: bool
    """Whether everything may be seen of it; of a game that goes on, these are the events that a watcher sees."""
    names: dict[str, str]
    """Of players, by id, as far as they are known."""
    doubt: Said | None = None
    """Why it is not known to be true, if it is not."""


class Names:
    """What to call players whose names are not in a log: numbers, in the order in which they come up.

    Bots have their names, but for those that are not known here: a log may call one anything.
    """

    def __init__(self, known: dict[str, str], words: Catalogue) -> None:
        self._known = dict(known)
        self._words = words

    def named(self, ids: Iterable[str | None]) -> dict[str, Player]:
        """Returns the players with these ids."""
        return {one: self._player(one) for one in ids if one is not None}

    def _player(self, player: str) -> Player:
        bot = own_bot(player)
        if player not in self._known:
            strangers = sum(own_bot(one) not in BOTS for one in self._known)
            number = self._words.text("replay.player", number=strangers + 1)
            self._known[player] = bot if bot is not None and bot in BOTS else number
        return Player(player, self._known[player], "human" if bot is None else "bot")


def in_file(name: str, words: Catalogue) -> Played:
    """Returns the game of a log in a file, or of the line of one that holds many, as in `games.ndjson:7`.

    Raises:
        StartError: there is no such log, or it cannot be replayed.
    """
    one = _chosen(name, words)
    if one.fault is not None:
        raise StartError(f"{one.name}: {one.fault.written(words)}")
    try:
        return _of_log(read_log(one.raw), {})
    except Unreadable as error:
        raise StartError(f"{one.name}: {error.why.written(words)}") from None


def is_file(name: str) -> bool:
    """Whether a name is that of a file, there or not, rather than the id of a game."""
    return name == STANDARD_INPUT or os.path.exists(name) or re.fullmatch("[a-z0-9]+", name) is None


def on_server(server: Server, game: str, join_code: str | None) -> Played:
    """Returns a game on a server: its log once it has ended, and until then what a watcher sees.

    Raises:
        StartError: there is no such server or game, or the server refuses.
    """
    code = "" if join_code is None else f"join_code={join_code}"
    try:
        view = server.get(f"/games/{game}?{code}")
        names = {seat["player"]["id"]: seat["player"]["name"] for seat in view["seats"] if seat["player"] is not None}
        if view["status"] in ("finished", "aborted"):
            return _of_log(server.get(f"/games/{game}/log?{code}"), names)
        return Played(_watched(server, game, code), {}, False, names)
    except Refused as refused:
        if refused.code == "join_code_wrong":
            raise StartError(server.words.text("replay.join_code")) from refused
        raise StartError(server.words.text("demo.refused", why=refused)) from refused
    except Unreadable as error:
        raise StartError(error.why.written(server.words)) from None
    except MalformedEvent as error:
        raise StartError(server.words.text("import.unreadable", why=error)) from None


def _chosen(name: str, words: Catalogue) -> Found:
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


def _of_log(log: PortableLog, names: dict[str, str]) -> Played:
    found = examine(log)
    if (why := found.unreadable or found.unfit) is not None:
        raise Unreadable(why)
    assert found.verdict is not None, "what can be read has been verified"
    entries = [Entry(one["version"], one["at"], codec.read_event(one)) for one in log["events"]]
    causes = {one["version"]: read_cause(one["cause"]) for one in log["events"] if one["cause"] is not None}
    unproven = found.verdict.divergence is None and found.verdict.unchecked
    doubt = found.verdict.unchecked[0].why if unproven else sentence(found.verdict)
    return Played(entries, causes, True, names, None if found.verdict.valid else doubt)


def _watched(server: Server, game: str, code: str) -> list[Entry]:
    entries: list[Entry] = []
    while True:
        page = server.get(f"/games/{game}/events?after={len(entries)}&{code}")["events"]
        if not page:
            return entries
        entries += [Entry(one["version"], one["at"], _event(one)) for one in page]


def _event(told: dict[str, Any]) -> Any:
    return codec.read_event({**told, "v": version_of(told["type"])})
