"""Begins streams of games, each for one follower.

`frame_reader` reads what follows, `game_feeds` and `hub` deliver it live; the API sends it out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.events import GAME_ENDS, OfferWithdrawn, SeatCleared, SeatDeclined, SeatTaken, SeatVacated
from engine.views import Viewer
from games.snapshot import Entry, Snapshot
from games.tables.reactions import is_quiet
from games.texts.catalogue import Catalogue
from games.times import ms_of
from games.views.view import game_view
from games.views.viewpoints import check_after, viewer_as
from service.admission import Admission
from service.changing.changes import Changes
from service.inputs.clock import now_ms
from service.live.frame_reader import FollowerView, Frames, follower_view_of
from service.live.tickets import Tickets
from service.players import Players
from service.store.damaged import leaving_out
from service.store.log.event_log import EventLog
from service.store.log.meta import read_metas
from service.store.redis.client import RedisClient


@dataclass(frozen=True, slots=True)
class GameStreamStart:
    """Where a stream of a game begins: at a version."""

    snapshot: Snapshot
    follower_view: FollowerView
    version: int
    """The last version that they know. They are sent what follows."""
    view: dict[str, Any] | None
    """The game as they see it at that version, or its frame, unless they already had it."""
    caller: str | None
    proof: str | None
    """Proof of the caller's token; None without a token."""
    ticket: str | None = None
    """Where the ticket is kept that opens the stream, for `Tickets.use_up`; None without one."""
    reactions: bool = False
    """Whether they want players' reactions, too. Then the stream goes on for a while after the end of the game."""

    @property
    def game(self) -> str:
        """The id of the game that a follower's stream is about."""
        return self.snapshot.id

    @property
    def complete(self) -> bool:
        """Returns whether nothing can follow: the game has ended and the follower has all of it."""
        return self.snapshot.ended and self.version >= self.snapshot.version and not self.stays

    @property
    def stays(self) -> bool:
        """Returns whether a follower waits for reactions, also if the game has ended."""
        ended = self.snapshot.finished_at
        return self.reactions and (ended is None or not is_quiet(ms_of(ended), now_ms()))


class Head(NamedTuple):
    """A game's newest version, and when its clock is overdue, in milliseconds since 1970."""

    version: int
    deadline: int | None


class GameStreams:
    """Begins callers' streams of games, and reads for all of them what their feeds need."""

    def __init__(
        self,
        redis: RedisClient,
        log: EventLog,
        players: Players,
        changes: Changes,
        admission: Admission,
        tickets: Tickets,
        frames: Frames,
    ) -> None:
        self._redis = redis
        self._log = log
        self._players = players
        self._changes = changes
        self._admission = admission
        self._tickets = tickets
        self._frames = frames

    def begin(
        self,
        token: str | None,
        game: str,
        *,
        after: int | None = None,
        named: str = "after",
        as_: str | int | None = None,
        join_code: str | None = None,
        ticket: str | None = None,
        words: Catalogue,
        texts: bool = False,
        frames: bool = False,
        reactions: bool = False,
    ) -> GameStreamStart:
        """Returns where a follower's stream of a game begins, by events or by `frames`.

        It begins after a version, or with the current view or frame. `named` is the parameter that held the version,
        for errors. `as_` reads an ended game as another seat or `all`. `reactions` are told, too.

        Raises:
            Refused: the token or the ticket is not valid, there is no such game or version, the join code is missing,
                or the game has not ended.
        """
        kept: str | None = None
        if ticket is not None:
            caller: str | None
            proof: str | None
            caller, proof, with_code, kept = self._tickets.redeem(game, ticket)
            snapshot = self._admission.by_ticket(game, caller, with_code=with_code)
        else:
            snapshot, caller = self._admission.open(token, game, join_code)
            proof = self._players.proof(token) if caller is not None else None
        viewer = viewer_as(snapshot, as_, caller)
        follower_view = follower_view_of(snapshot, viewer, caller, words, texts=texts, frames=frames)
        if after is not None:
            check_after(after, snapshot.version, named)
            if snapshot.ended and after < snapshot.version:
                self._log.entries(game, after, 1)  # refuse unreadable logs now: later there is no way to report them
            return GameStreamStart(snapshot, follower_view, after, None, caller, proof, kept, reactions)
        if frames:
            seen = self._frames.present(snapshot, follower_view)
        else:
            seen = game_view(snapshot, viewer, self._players, caller, words)
        return GameStreamStart(snapshot, follower_view, snapshot.version, seen, caller, proof, kept, reactions)

    def rest(self, start: GameStreamStart) -> Iterator[dict[str, Any]]:
        """Returns the available events or frames after a version, as the follower may see them."""
        return self._frames.after(start.snapshot, start.follower_view, start.version)

    def replaced(self, proofs: Sequence[str]) -> set[str]:
        """Returns the proofs, among those of open streams, whose tokens have been replaced."""
        return self._players.replaced(proofs)

    def blocking(self, callers: Iterable[str], player: str) -> set[str]:
        """Returns which callers, among those of open streams, have blocked a player."""
        return self._players.stored.blocking(callers, player)

    def heads(self, games: Sequence[str]) -> list[Head | None]:
        """Reads the newest versions of games that are followed live; None for those that cannot be read."""
        metas = read_metas(self._redis, games, "head", "deadline")
        return [_head(meta) if meta is not None else None for meta in metas]

    def apply_clock(self, game: str) -> None:
        """Applies the expired clock of a game that is followed live, if no worker has done so."""
        with leaving_out(game, "the expired clocks"):
            snapshot = self._log.read(game).snapshot
            if snapshot is not None:
                self._changes.apply_clock(snapshot)


def is_end(entry: Entry) -> bool:
    """Returns whether a stream of a game ends with an event; only events of the same step may follow it."""
    return isinstance(entry.event, GAME_ENDS)


def may_change_viewer(entry: Entry) -> bool:
    """Returns whether an event can make followers other viewers: it gives or takes a seat or an invitation."""
    return isinstance(entry.event, SeatTaken | SeatVacated | SeatCleared | SeatDeclined | OfferWithdrawn)


def changes_viewer(entry: Entry, viewer: Viewer, caller: str | None) -> bool:
    """Returns whether an event makes a follower another viewer, since their seat's next events are somebody else's.

    Players who sit down become another viewer too and may see more; those who lose an invitation may see less.
    """
    match entry.event:
        case SeatVacated(seat=seat) | SeatCleared(seat=seat):
            return seat == viewer
        case SeatTaken(player=player) | SeatDeclined(player=player) | OfferWithdrawn(player=player):
            return player == caller
        case _:
            return False


def _head(reply: Sequence[bytes | None]) -> Head | None:
    """Returns the newest version of a game that is followed live; None if there is none or it is damaged."""
    head, deadline = reply
    try:
        return Head(int(head.partition(b":")[0]), int(deadline) if deadline else None) if head is not None else None
    except ValueError:
        return None
