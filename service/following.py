"""What one who follows a game gets to read of it: where they stand, and further events as they may see them.

How events reach a process is for `feeds`, how they leave it for the api.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.events import GameAborted, GameFinished, OfferWithdrawn, SeatDeclined, SeatTaken, SeatVacated
from engine.views import Viewer
from service import keys
from service.admission import Admission
from service.changes import Changes
from service.connection import Exchange
from service.damage import leaving_out
from service.earlier import past_of
from service.event_list import event_list
from service.game_view import game_view
from service.log import EventLog
from service.players import Players
from service.snapshot import Entry, Snapshot
from service.texts.catalogue import Catalogue, catalogue
from service.texts.events import LOOK_AHEAD
from service.tickets import Tickets
from service.viewpoints import check_after, version_at, viewer_as

PAGE: Final = 1000
"""How many events are read at once."""


class Lens(NamedTuple):
    """As whom, and with words in which language if any, events are read: equal lenses show the same."""

    viewer: Viewer
    language: str | None


@dataclass(frozen=True, slots=True)
class Following:
    """One who follows a game, from a version on."""

    snapshot: Snapshot
    lens: Lens
    version: int
    """Up to which they know it; what follows is for them."""
    last: int
    """Up to which version there is something for them now."""
    view: dict[str, Any] | None
    """The game as they see it at that version, if they did not know it."""
    caller: str | None
    proof: str | None
    """What shows which token the caller has come with; None without one."""

    @property
    def game(self) -> str:
        """The game's id."""
        return self.snapshot.id

    @property
    def complete(self) -> bool:
        """Whether the game has ended and they know all of it."""
        return self.snapshot.ended and self.version >= self.last


class Head(NamedTuple):
    """How far a game is, and when it is late, in milliseconds since 1970."""

    version: int
    deadline: int | None


class Follow:
    """Lets callers follow games."""

    def __init__(
        self,
        exchange: Exchange,
        log: EventLog,
        players: Players,
        changes: Changes,
        admission: Admission,
        tickets: Tickets,
    ) -> None:
        self._exchange = exchange
        self._log = log
        self._players = players
        self._changes = changes
        self._admission = admission
        self._tickets = tickets

    def begin(
        self,
        token: str | None,
        game: str,
        *,
        after: int | None = None,
        named: str = "after",
        at: int | None = None,
        as_: str | int | None = None,
        join_code: str | None = None,
        ticket: str | None = None,
        words: Catalogue,
        texts: bool = False,
    ) -> Following:
        """Returns where a caller begins to follow a game: after a version, or else with the view of the present.

        `named` is what the caller gave the version as. `at` ends what there is at an earlier version, `as_` is another
        seat or `all`, as which a game that has ended may be read: both for those who read and do not follow.

        Raises:
            Refused: the token or the ticket is not valid, there is no such game or version, the join code is missing,
                or the game has not ended.
        """
        if ticket is not None:
            caller: str | None
            proof: str | None
            caller, proof, with_code = self._tickets.redeem(game, ticket)
            snapshot = self._admission.by_ticket(game, caller, with_code=with_code)
        else:
            snapshot, caller = self._admission.open(token, game, join_code)
            proof = self._players.proof(token) if caller is not None else None
        viewer, last = viewer_as(snapshot, as_, caller), version_at(snapshot, at)
        lens = Lens(viewer, words.language if texts else None)
        if after is not None:
            check_after(after, last, named)
            if snapshot.ended and after < last:
                self._log.entries(game, after, 1)  # what cannot be read is refused now: later there is no way to say so
            return Following(snapshot, lens, after, last, None, caller, proof)
        seen = game_view(snapshot, viewer, self._players, caller, words)
        return Following(snapshot, lens, snapshot.version, last, seen, caller, proof)

    def rest(self, following: Following) -> Iterator[dict[str, Any]]:
        """Yields the events that there are after a version, as the one who follows may see them."""
        version, last = following.version, following.last
        while version < last:
            size = min(PAGE, last - version)
            read = self._log.entries(following.game, version, size + LOOK_AHEAD)
            upto = read[:size]
            yield from self.told(following.snapshot, following.lens, upto, read[size:])
            version = upto[-1].version

    def entries(self, game: str, after: int, limit: int) -> list[Entry]:
        """Reads at most so many full events after a version; nobody may see them as they are."""
        return self._log.entries(game, after, limit)

    def told(
        self, snapshot: Snapshot, lens: Lens, entries: Sequence[Entry], following: Sequence[Entry] = ()
    ) -> list[dict[str, Any]]:
        """Returns events as a lens shows them; what comes next may be needed for words (`event_list`)."""
        if lens.language is None:
            return event_list(entries, lens.viewer, snapshot, self._players)
        if snapshot.started is None:
            # Somebody may have sat down since, and is told of by name.
            snapshot = self._log.read(snapshot.id).snapshot or snapshot
        past = past_of(entries, snapshot, self._log)
        return event_list(entries, lens.viewer, snapshot, self._players, catalogue(lens.language), following, past)

    def replaced(self, proofs: Sequence[str]) -> set[str]:
        """Reads which of some proofs are of tokens that have been replaced."""
        return self._players.replaced(proofs)

    def heads(self, games: Sequence[str]) -> list[Head | None]:
        """Reads how far games are; None for those that cannot be read."""
        commands = [("HMGET", keys.meta(game), "head", "deadline") for game in games]
        return [_head(reply) if reply is not None else None for reply in self._exchange.send_each(*commands)]

    def bring_up_to_time(self, game: str) -> None:
        """Lets a clock that has run out have its effect, if no worker was there to see to it."""
        with leaving_out(game, "what is late"):
            snapshot = self._log.read(game).snapshot
            if snapshot is not None:
                self._changes.up_to_time(snapshot)


def is_end(entry: Entry) -> bool:
    """Whether a game ends with an event, and nothing follows but what comes with it."""
    return isinstance(entry.event, GameFinished | GameAborted)


def turns_over(entry: Entry) -> bool:
    """Whether with an event somebody gets another place at the table, or loses one that was kept for them."""
    return isinstance(entry.event, SeatTaken | SeatVacated | SeatDeclined | OfferWithdrawn)


def becomes_another(entry: Entry, viewer: Viewer, caller: str | None) -> bool:
    """Whether with an event a caller is not the viewer any more who they were: the next on their seat is somebody else.

    Whoever sits down becomes another as well, and may see more; who is not invited any more may see less.
    """
    match entry.event:
        case SeatVacated(seat=seat):
            return seat == viewer
        case SeatTaken(player=player) | SeatDeclined(player=player) | OfferWithdrawn(player=player):
            return player == caller
        case _:
            return False


def _head(reply: Sequence[bytes | None]) -> Head | None:
    """Returns how far a game is; None if there is none, or if somebody has damaged it."""
    head, deadline = reply
    try:
        return Head(int(head.partition(b":")[0]), int(deadline) if deadline else None) if head is not None else None
    except ValueError:
        return None
