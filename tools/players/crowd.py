"""A crowd that plays through the Python package and writes down in a ledger what it was told; nothing is killed here.

Half of the calls that the package makes are its own affair, such as what it repeats and when; what it gives up on is
written down as lost.
"""

import random
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from typing import NamedTuple

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


class Crowd:
    """So many clients, in groups that play one game after another until it is over."""

    def __init__(self, package, network, ledger, count, seed=None) -> None:
        """`package` is `billet_client`, `network` the way to the service."""
        self.package, self.network, self.ledger = package, network, ledger
        self.random = random.Random(seed)
        self.rest = 0.0
        """Seconds before each action, so that less is played while processes start."""
        self.over, self.failed = threading.Event(), threading.Event()
        self.heard = {}  # game -> versions, as those who follow it heard of them
        self.given_up = 0
        self.groups = []
        while count:
            table = TABLES[len(self.groups) % len(TABLES)]
            people = min(table.people, count)
            count -= people
            self.groups.append(table._replace(people=people))

    def play(self, beside):
        """Lets all groups play while `beside` runs, which is given their threads, and their last games to the end.

        Raises what went wrong first.
        """
        with ThreadPoolExecutor(len(self.groups)) as pool:
            threads = [pool.submit(self._group, number, table) for number, table in enumerate(self.groups)]
            try:
                beside(threads)
            finally:
                self.over.set()
        errors = [thread.exception() for thread in threads if thread.exception() is not None]
        for error in sorted(errors, key=lambda error: isinstance(error, Abandoned)):
            raise error

    def _group(self, number, table) -> None:
        kind = member_of(self.package)
        game = None
        with ExitStack() as stack:
            members = [stack.enter_context(kind(self, f"{number}-{seat}")) for seat in range(table.people)]
            while not self.over.is_set():
                game = self._next(members, table, game)
                self._game(members, game)

    def _next(self, members, table, last):
        """The next game of a group: now and then all ask for a rematch, of which there is one."""
        host, *guests = members
        if last is not None and self.random.random() < 0.5:
            (game,) = set(self._together([partial(member.rematched, last) for member in members]))
            self.ledger.note_rematch(last, game)
            return game
        game = host.opened(table)
        for guest in guests:
            guest.seated(game)
        return game

    def _game(self, members, game) -> None:
        """Plays a game to its end, and follows it by stream and by long-poll."""
        followers = [partial(members[0].followed, game, "stream"), partial(members[-1].followed, game, "poll")]
        streamed, polled, *_ = self._together(followers + [partial(member.played, game) for member in members])
        assert streamed == polled
        self.heard[game] = streamed

    def _together(self, calls):
        """Runs calls at the same time; if one fails, everybody is told."""

        def told(call):
            try:
                return call()
            except BaseException:
                self.failed.set()
                self.network.cut_off()  # or those who follow the game would wait for its end
                raise

        return together([partial(told, call) for call in calls])


def member_of(package):
    """Returns the class of the crowd's members, which is the package's client with a ledger."""
    models = package.models

    class Member(package.Billet):
        """A client who tells the crowd's ledger what it was told."""

        def __init__(self, crowd, name) -> None:
            patience = HASTE if crowd.random.random() < 0.2 else PATIENCE
            super().__init__(crowd.network.base, patience=patience, timeout=SILENCE)
            self.crowd = crowd
            self.choose = random.Random(name).choice
            self.insist(lambda: self.register(name))

        def insist(self, call):
            """Makes a call until it is answered, beyond the package's patience."""
            while True:
                self.abandon()
                try:
                    return call()
                except (package.NoAnswer, package.Unavailable):
                    self.crowd.given_up += 1

        def abandon(self):
            """Leaves off if somebody has failed: who plays with them would wait for ever."""
            if self.crowd.failed.is_set():
                raise Abandoned

        def opened(self, table):
            key = str(uuid.uuid4())
            seats = ["creator", *["open"] * (table.people - 1), *table.bots]
            if len(seats) == 1:
                seats.append("random")
            clock = table.seconds and models.ClockSetup(table.seconds, on_timeout=models.TimeoutRule.BOT_PLAYS)
            game = self.insist(lambda: self.create(table.edition, seats, clock=clock, key=key)).id
            self.crowd.ledger.note_created(key, game)
            return game

        def seated(self, game) -> None:
            key = str(uuid.uuid4())
            self.insist(lambda: self.join(game, key=key))

        def rematched(self, game):
            key = str(uuid.uuid4())
            return self.insist(lambda: self.rematch(game, key=key)).id

        def played(self, game) -> None:
            """Plays to the end, or until it is over for all: then everybody resigns but the last."""
            try:
                self.insist(lambda: self.play(game, self.chosen))
            except Over:
                self.insist(lambda: self.left(game))

        def chosen(self, view):
            if self.crowd.over.is_set():
                raise Over
            time.sleep(self.crowd.rest)
            return self.choose(view.legal_actions)

        def left(self, game) -> None:
            with suppress(package.GameOver):
                self.leave(game)

        def followed(self, game, by):
            """The versions of a game's events, as they came."""
            heard = []

            def follow() -> None:
                for event in self.events(game, after=heard[-1] if heard else 0, by=by):
                    heard.append(event.version)
                    self.abandon()

            self.insist(follow)
            return heard

        def view(self, *arguments, **options):
            """Looks at a game, which is what `play` does between two actions, unless all is lost."""
            self.abandon()
            return super().view(*arguments, **options)

        def act(self, game, action, **options):
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

    return Member


def check_heard(heard, logs) -> None:
    """Checks that those who followed the games have heard of every event once and in order."""
    for game, versions in heard.items():
        assert versions == list(range(1, len(logs[game].entries) + 1)), f"{game} was heard as {versions}"
