"""Plays one game against bots: registers, opens a table, prints the events, and asks the player for actions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from billet import unknown_names
from billet.demo import table
from billet.demo.choice import Chooser, ask
from billet.demo.names import TableNames
from billet.demo.server import CallRefused, ServerConnection
from billet.errors import StartError

WAIT = 25  # seconds a long-poll waits for something to happen

SILENT = table.SILENT | {
    "game_created",
    "seat_taken",
    "seat_vacated",
    "seat_cleared",
    "seat_offered",
    "seat_declined",
    "offer_withdrawn",
    "game_started",
}
"""Events that add nothing for a reader of the others who sees the table fill and play."""

PrintLine = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DemoSetup:
    """The game that the player asks for."""

    edition: str
    seats: int
    bots: str
    name: str | None = None
    clock: dict[str, Any] | None = None


def run(server: ServerConnection, setup: DemoSetup, choose: Chooser, say: PrintLine) -> None:
    """Plays the demo's game to its end, or until `choose` wants to leave. Raises StartError when it cannot go on."""
    try:
        game, names = _open_demo_table(server, setup, by_hand=choose is ask)
        say(
            server.words.text("demo.game", game=game, url=server.url, edition=names.edition["title"], seats=setup.seats)
        )
        _DemoGame(server, game, names, say).go(choose)
    except CallRefused as refused:
        raise StartError(server.words.text("demo.refused", why=refused)) from refused


def _open_demo_table(server: ServerConnection, setup: DemoSetup, *, by_hand: bool) -> tuple[str, TableNames]:
    words = server.words
    edition = _fetch_edition(server, setup.edition)
    unknown_names.require_seats(words, edition, setup.seats)
    name = words.text("demo.guest") if setup.name is None else setup.name
    registered = server.post("/players", {"name": name, "kind": "human" if by_hand else "bot"})
    server.token = registered["token"]
    seats = [{"kind": "creator"}, *({"kind": "bot", "bot": setup.bots} for _ in range(setup.seats - 1))]
    clock = {} if setup.clock is None else {"clock": setup.clock}
    view = server.post("/games", {"edition": setup.edition, "seats": seats, **clock})
    return str(view["id"]), TableNames(words, edition, view)


def _fetch_edition(server: ServerConnection, wanted: str) -> dict[str, Any]:
    known = [edition["id"] for edition in server.get("/editions")["items"]]
    unknown_names.require_edition(server.words, wanted, known)
    edition: dict[str, Any] = server.get(f"/editions/{wanted}")
    return edition


@dataclass(slots=True)
class _DemoGame:
    """A game in progress, up to the last printed event."""

    server: ServerConnection
    game: str
    names: TableNames
    say: PrintLine
    version: int = 0

    def go(self, choose: Chooser) -> None:
        """Plays the demo's game to its end, and leaves when the player wants to or disconnects."""
        try:
            while self._goes_on(choose):
                pass
        except KeyboardInterrupt:
            self._leave()
            raise
        except BrokenPipeError:  # the reader has closed the pipe
            self.say = lambda line: None
            self._leave()
            raise

    def _goes_on(self, choose: Chooser) -> bool:
        """Prints new events of the demo's game, acts on the player's turn, and returns whether the game goes on."""
        self._print_new_events(f"&wait={WAIT}")
        view = self.server.get(f"/games/{self.game}")
        if view["version"] > self.version:
            return True  # print the events before asking for an action
        if view["status"] != "active":
            self._print_all(["", *table.standings(view, self.names)])
            return False
        if not view["legal_actions"]:
            return True
        self._print_all(["", *table.lines(view, self.names)])
        choice = choose(view["legal_actions"], self.names)
        if choice is None:
            self._leave()
            return False
        self._act(choice)
        return True

    def _print_new_events(self, wait: str = "") -> None:
        """Prints the events of the demo's game since the last time."""
        feed = self.server.get(f"/games/{self.game}/events?after={self.version}&text=true{wait}")
        self._print_all(table.event_lines(feed["events"], SILENT))
        self.version = feed["events"][-1]["version"] if feed["events"] else self.version

    def _print_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def _act(self, choice: dict[str, Any]) -> None:
        self.say("")
        try:
            self.server.post(f"/games/{self.game}/actions", choice["action"])
        except CallRefused as refused:
            if refused.status not in (409, 412):
                raise
            self.say(self.names.words.text("demo.too_late", why=refused))

    def _leave(self) -> None:
        words = self.names.words
        try:
            view = self.server.delete(f"/games/{self.game}/seats/me")
        except (CallRefused, StartError) as reason:
            self.say(words.text("demo.left.server_unaware", why=reason))
            return
        if view["status"] == "active":
            self.say(words.text("demo.left"))
            return
        self.say(words.text("demo.left.ended"))
        self._print_new_events()
        self._print_all(["", *table.standings(view, self.names)])
