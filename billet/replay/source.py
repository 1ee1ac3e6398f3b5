"""Finds the game to replay: a log in a file, or a game on a server."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from billet.demo.server import CallRefused, ServerConnection
from billet.errors import StartError
from billet.logs.files import STANDARD_INPUT, FoundLog, found_in, opened
from billet.logs.verify import why_of
from engine.bots import BOTS
from engine.errors import MalformedEvent
from engine.logs import codec
from engine.logs.upcasts import version_of
from games.causes import Cause, read_cause
from games.ids import own_bot
from games.messages import Message
from games.player import Player
from games.records.import_check import examine
from games.records.portable import PortableLog, Unreadable
from games.snapshot import Entry
from games.texts.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Played:
    """The known part of a game."""

    entries: Sequence[Entry]
    causes: dict[int, Cause]
    """By the version of the first event of a step; empty for a game in progress."""
    ended: bool
    """Whether the viewer may see everything; of a game in progress, these are the events that a watcher sees."""
    names: dict[str, str]
    """Known players, by id."""
    log: PortableLog | None = None
    """The whole log, if the game has ended."""
    doubt: Message | None = None
    """Why the log is not verified, if it is not."""


class NumberedNames:
    """Names players whose names are not in a log: by number, in order of appearance.

    Bots have their names, unless they are unknown to this release: a log may call a bot anything.
    """

    def __init__(self, known: dict[str, str], words: Catalogue) -> None:
        self._known = dict(known)
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
            return _played_of_log(log, {})
    except Unreadable as error:
        raise StartError(f"{one.name}: {error.why.written(words)}") from None


def is_file(name: str) -> bool:
    """Returns whether a replay's argument is a file, existing or not, rather than the id of a game."""
    return name == STANDARD_INPUT or os.path.exists(name) or re.fullmatch("[a-z0-9]+", name) is None


def on_server(server: ServerConnection, game: str, join_code: str | None) -> Played:
    """Returns the game to replay from a server: its log after its end, and the events that a watcher sees before.

    Raises:
        StartError: the server or game does not exist, or the server refuses.
    """
    code = "" if join_code is None else f"join_code={join_code}"
    try:
        view = server.get(f"/games/{game}?{code}")
        names = {seat["player"]["id"]: seat["player"]["name"] for seat in view["seats"] if seat["player"] is not None}
        if view["status"] in ("finished", "aborted"):
            return _played_of_log(server.get(f"/games/{game}/log?{code}"), names)
        return Played(_watched_on_server(server, game, code), {}, False, names)
    except CallRefused as refused:
        if refused.code == "join_code_wrong":
            raise StartError(server.words.text("replay.join_code")) from refused
        raise StartError(server.words.text("demo.refused", why=refused)) from refused
    except Unreadable as error:
        raise StartError(error.why.written(server.words)) from None
    except MalformedEvent as error:
        raise StartError(server.words.text("import.unreadable", why=error)) from None


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


def _played_of_log(log: PortableLog, names: dict[str, str]) -> Played:
    found = examine(log)
    if (why := found.unreadable or found.unfit) is not None:
        raise Unreadable(why)
    assert found.verdict is not None, "what can be read has been verified"
    entries = [Entry(one["version"], one["at"], codec.read_event(one)) for one in log["events"]]
    causes = {one["version"]: read_cause(one["cause"]) for one in log["events"] if one["cause"] is not None}
    doubt = None if found.verdict.valid else why_of(found.verdict)
    return Played(entries, causes, True, names, log, doubt)


def _watched_on_server(server: ServerConnection, game: str, code: str) -> list[Entry]:
    entries: list[Entry] = []
    while True:
        page = server.get(f"/games/{game}/events?after={len(entries)}&{code}")["events"]
        if not page:
            return entries
        for one in page:
            event = codec.read_event({**one, "v": version_of(one["type"])})
            entries.append(Entry(one["version"], one["at"], event))
