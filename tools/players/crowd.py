"""A crowd that plays through the Python package and writes down in a ledger what it was told; nothing is killed here.

Half of the calls that the package makes are its own affair, such as what it repeats and when; what it gives up on is
written down as lost.
"""

import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple, Protocol, Self

from tools.players.ledger import Ledger, Log
from tools.players.tables import together

PATIENCE = 20.0
HASTE = 0.8
"""The patience of those who give up soon, so that calls remain of which nobody ever hears."""
SILENCE = 2.0
"""How long an answer may be awaited until the call is repeated."""


class Table(NamedTuple):
    """A kind of table: an edition, how many of the crowd sit there, the bots beside them, and its clock."""

    edition: str
    people: int
    bots: tuple[str, ...] = ()
    seconds: int | None = None


TABLES = (
    Table("standard", 2, ("cautious",)),
    Table("premium", 3),
    Table("lovecraft", 2),
    Table("classic", 2, ("random",), seconds=2),
    Table("standard", 3, seconds=2),
    Table("premium", 2, ("cautious", "random", "random")),
    Table("lovecraft", 3, ("cautious",), seconds=2),
    Table("classic", 3),
)


class Over(Exception):
    """It is over, and nobody begins anything more."""


class Abandoned(Exception):
    """Somebody else of the crowd has failed."""


class Network(Protocol):
    """The way to the service."""

    @property
    def base(self) -> str:
        """The address to call."""

    def cut_off(self) -> None:
        """Ends all connections, and takes no more."""


class Crowd:
    """So many clients, in groups that play one game after another until it is over."""

    def __init__(
        self, package: ModuleType, network: Network, ledger: Ledger, count: int, seed: int | None = None
    ) -> None:
        """`package` is `billet_client`, `network` the way to the service."""
        self.package, self.network, self.ledger = package, network, ledger
        self.random = random.Random(seed)
        self.rest = 0.0
        """Seconds before each action, so that less is played while processes start."""
        self.over, self.failed = threading.Event(), threading.Event()
        self.heard: dict[str, list[int]] = {}
        """By game, the versions of which those who follow it have heard."""
        self.given_up = 0
        self.groups: list[Table] = []
        while count:
            table = TABLES[len(self.groups) % len(TABLES)]
            people = min(table.people, count)
            count -= people
            self.groups.append(table._replace(people=people))

    def abandon(self) -> None:
        """Stops if another player has failed: their opponents would wait for ever."""
        if self.failed.is_set():
            raise Abandoned

    def play(self, beside: Callable[[list[Future[None]]], object]) -> None:
        """Lets all groups play while `beside` runs, which is given their threads, and their last games to the end.

        Raises what went wrong first.
        """
        with ThreadPoolExecutor(len(self.groups)) as pool:
            threads = [pool.submit(self._group, number, table) for number, table in enumerate(self.groups)]
            try:
                beside(threads)
            finally:
                self.over.set()
        errors = [error for thread in threads if (error := thread.exception()) is not None]
        for error in sorted(errors, key=lambda error: isinstance(error, Abandoned)):
            raise error

    def _group(self, number: int, table: Table) -> None:
        kind = noting_client(self.package)
        game = None
        with ExitStack() as stack:
            members = [stack.enter_context(Member(self, kind, f"{number}-{seat}")) for seat in range(table.people)]
            while not self.over.is_set():
                game = self._next(members, table, game)
                self._game(members, game)

    def _next(self, members: "list[Member]", table: Table, last: str | None) -> str:
        """The next game of a group: now and then all ask for a rematch, of which there is one."""
        host, *guests = members
        if last is not None and self.random.random() < 0.5:
            game: str
            (game,) = set(self._together([partial(member.rematched, last) for member in members]))
            self.ledger.note_rematch(last, game)
            return game
        game = host.opened(table)
        for guest in guests:
            guest.seated(game)
        return game

    def _game(self, members: "list[Member]", game: str) -> None:
        """Plays a game to its end, and follows it by stream and by long-poll."""
        followers: list[Callable[[], Any]] = [
            partial(members[0].followed, game, "stream"),
            partial(members[-1].followed, game, "poll"),
        ]
        streamed, polled, *_ = self._together([*followers, *(partial(member.played, game) for member in members)])
        assert streamed == polled
        self.heard[game] = streamed

    def _together(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        """Runs calls at the same time; if one fails, everybody is told."""

        def told(call: Callable[[], Any]) -> Any:
            try:
                return call()
            except BaseException:
                self.failed.set()
                self.network.cut_off()  # or those who follow the game would wait for its end
                raise

        return together([partial(told, call) for call in calls])


class Member:
    """One of the crowd, who plays through a client of the package and tells the ledger what they were told."""

    def __init__(self, crowd: Crowd, kind: Callable[..., Any], name: str) -> None:
        """`kind` is what `noting_client` returns."""
        patience = HASTE if crowd.random.random() < 0.2 else PATIENCE
        self.crowd = crowd
        self.client = kind(crowd, patience)
        self.choose = random.Random(name).choice
        self.insist(lambda: self.client.register(name))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.client.__exit__(*error)

    def insist(self, call: Callable[[], Any]) -> Any:
        """Makes a call until it is answered, beyond the package's patience."""
        while True:
            self.crowd.abandon()
            try:
                return call()
            except (self.crowd.package.NoAnswer, self.crowd.package.Unavailable):
                self.crowd.given_up += 1

    def opened(self, table: Table) -> str:
        """Opens a table; returns its game."""
        key, models = str(uuid.uuid4()), self.crowd.package.models
        seats = ["creator", *["open"] * (table.people - 1), *table.bots]
        if len(seats) == 1:
            seats.append("random")
        clock = table.seconds and models.ClockSetup(table.seconds, on_timeout=models.TimeoutRule.BOT_PLAYS)
        game: str = self.insist(lambda: self.client.create(table.edition, seats, clock=clock, key=key)).id
        self.crowd.ledger.note_created(key, game)
        return game

    def seated(self, game: str) -> None:
        """Takes a seat."""
        key = str(uuid.uuid4())
        self.insist(lambda: self.client.join(game, key=key))

    def rematched(self, game: str) -> str:
        """Asks for a rematch; returns its game."""
        key = str(uuid.uuid4())
        again: str = self.insist(lambda: self.client.rematch(game, key=key)).id
        return again

    def played(self, game: str) -> None:
        """Plays to the end, or until it is over for all: then everybody resigns but the last."""
        try:
            self.insist(lambda: self.client.play(game, self.chosen))
        except Over:
            self.insist(lambda: self.left(game))

    def chosen(self, view: Any) -> Any:
        """Returns an action that is legal in a view."""
        if self.crowd.over.is_set():
            raise Over
        time.sleep(self.crowd.rest)
        return self.choose(view.legal_actions)

    def left(self, game: str) -> None:
        """Leaves a game, if it is not over."""
        with suppress(self.crowd.package.GameOver):
            self.client.leave(game)

    def followed(self, game: str, by: str) -> list[int]:
        """Returns the versions of a game's events, as they came."""
        heard: list[int] = []

        def follow() -> None:
            for event in self.client.events(game, after=heard[-1] if heard else 0, by=by):
                heard.append(event.version)
                self.crowd.abandon()

        self.insist(follow)
        return heard


def noting_client(package: ModuleType) -> type:
    """Returns a class of clients that note in the crowd's ledger what comes of each action."""
    base: Any = package.Billet

    class Noting(base):  # type: ignore[misc]  # the package is known when it is installed, at run time only
        """A client of the package, made for a crowd."""

        def __init__(self, crowd: Crowd, patience: float) -> None:
            super().__init__(crowd.network.base, patience=patience, timeout=SILENCE)
            self.crowd = crowd

        def view(self, *arguments: Any, **options: Any) -> Any:
            """Looks at a game, which is what `play` does between two actions, unless all is lost."""
            self.crowd.abandon()
            return super().view(*arguments, **options)

        def act(self, game: Any, action: Any, **options: Any) -> Any:
            """Acts as `play` wants it, with a key that the ledger knows."""
            key, seat = str(uuid.uuid4()), game.viewer.seat
            try:
                result = super().act(game, action, **options, key=key)
            except package.BilletError as error:
                if error.maybe_done:
                    self.crowd.ledger.note_lost(game.id, seat, game.version, action.action.to_dict())
                raise
            self.crowd.ledger.note_taken(game.id, seat, key, result.to_dict())
            return result

    return Noting


def check_heard(heard: Mapping[str, list[int]], logs: Mapping[str, Log]) -> None:
    """Checks that those who followed the games have heard of every event once and in order."""
    for game, versions in heard.items():
        assert versions == list(range(1, len(logs[game].entries) + 1)), f"{game} was heard as {versions}"
