"""Plays one game against bots: registers, opens a table, tells what happens, asks what to do; it knows no rules."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from billet.demo import story, table
from billet.demo.names import Names
from billet.demo.server import Refused, Server
from billet.errors import StartError

WAIT = 25  # seconds a long-poll waits for something to happen

Choose = Callable[[list[dict[str, Any]], Names], dict[str, Any] | None]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """The game somebody asks for."""

    edition: str
    seats: int
    bots: str
    name: str


def run(server: Server, wish: Wish, choose: Choose, say: Say) -> None:
    """Play a game to its end, or until `choose` wants to leave. Raises StartError when it cannot go on."""
    try:
        game, names = _sit_down(server, wish, by_hand=choose is ask)
    except Refused as refused:
        raise StartError(f"the server refuses: {refused}") from refused
    say(f"Game {game} at {server.url}: {wish.edition}, {wish.seats} seats.")
    try:
        _play(server, game, names, choose, say)
    except KeyboardInterrupt:
        _leave(server, game, names, say)
        raise
    except BrokenPipeError:  # nobody reads any more
        _leave(server, game, names, lambda line: None)
        raise
    except Refused as refused:
        raise StartError(f"the server refuses: {refused}") from refused


def ask(legal: list[dict[str, Any]], names: Names) -> dict[str, Any] | None:
    """Return the legal action that the person at the terminal names by its number, or None when they want to leave."""
    for number, choice in enumerate(legal, 1):
        print(f"  {number:>2}. {choice['text']}")
    numbers = "1" if len(legal) == 1 else f"1 to {len(legal)}"
    while True:
        try:
            said = input(f"Your choice, {numbers} (? tells the cards, q leaves): ").strip().lower()
        except EOFError:
            print()
            return None
        if said in ("q", "quit"):
            return None
        if said.isascii() and said.isdigit() and 1 <= int(said) <= len(legal):
            return legal[int(said) - 1]
        if said == "?":
            for line in table.cards(names):
                print(f"  {line}")
        elif said:
            print(f"  {said!r} is none of them.")
        else:
            print("  Say which one by its number.")


def take_any(legal: list[dict[str, Any]], names: Names) -> dict[str, Any]:
    """Return any legal action."""
    return random.choice(legal)


def _sit_down(server: Server, wish: Wish, *, by_hand: bool) -> tuple[str, Names]:
    registered = server.post("/players", {"name": wish.name, "kind": "human" if by_hand else "bot"})
    server.token = registered["token"]
    names = Names(mine=0)
    names.learn_edition(server.get(f"/editions/{wish.edition}"))
    seats = [{"kind": "creator"}, *({"kind": "bot", "bot": wish.bots} for _ in range(wish.seats - 1))]
    view = server.post("/games", {"edition": wish.edition, "seats": seats})
    names.learn_seats(view)
    return str(view["id"]), names


def _play(server: Server, game: str, names: Names, choose: Choose, say: Say) -> None:
    version = 0
    while True:
        feed = server.get(f"/games/{game}/events?after={version}&wait={WAIT}")
        for line in _told(feed["events"], names):
            say(line)
        version = feed["events"][-1]["version"] if feed["events"] else version
        view = server.get(f"/games/{game}")
        if view["version"] > version:
            continue  # what happened comes before what to do about it
        if view["status"] in ("finished", "aborted"):
            say(table.result(view, names))
            return
        if view["legal_actions"]:
            say("")
            for line in table.lines(view, names):
                say(line)
            choice = choose(view["legal_actions"], names)
            if choice is None:
                _leave(server, game, names, say)
                return
            _act(server, game, choice, say)


def _told(events: list[dict[str, Any]], names: Names) -> Iterator[str]:
    for event in events:
        line = story.sentence(event, names)
        if line is not None:
            yield line


def _act(server: Server, game: str, choice: dict[str, Any], say: Say) -> None:
    try:
        server.post(f"/games/{game}/actions", choice["action"])
    except Refused as refused:
        if refused.status not in (409, 412):
            raise
        say(f"Too late: {refused}")


def _leave(server: Server, game: str, names: Names, say: Say) -> None:
    try:
        view = server.delete(f"/games/{game}/seats/me")
    except (Refused, StartError) as reason:
        say(f"Leaving without a word: {reason}")
    else:
        if view["status"] == "active":
            say("You leave the game; the others play on.")
        else:
            say(f"You leave the game, and that ends it. {table.result(view, names)}")
