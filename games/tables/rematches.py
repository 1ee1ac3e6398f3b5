"""Decides who may ask for a rematch, and who sits at the table that it opens."""

from collections.abc import Mapping
from typing import Any

from engine.events import SeatLeft
from engine.shuffle import nonce_digest
from games.causes import Invite, Join
from games.errors import Refused
from games.ids import derived_id, own_bot
from games.messages import Message
from games.player import Player
from games.snapshot import Snapshot
from games.tables.opening import Occupant
from games.tables.seats import check_room


def rematch_id(old: Snapshot) -> str:
    """Returns the id of the only rematch at a game's table."""
    return derived_id("rematch", old.id)


def was_there_at_the_end(old: Snapshot, player: Player) -> bool:
    """Returns whether a player had not left before the game whose rematch they ask for ended.

    A resignation that ended it does not count as leaving.
    """
    seat = old.seat_of(player.id)
    if seat is None or not old.state.seats[seat].left:
        return True
    last = (entry.event for entry in old.entries if entry.at == old.finished_at)
    return any(isinstance(event, SeatLeft) and event.seat == seat for event in last)


def seated_again(old: Snapshot, player: str, body: Mapping[str, Any]) -> tuple[list[Occupant], list[Invite]]:
    """Returns who sits at the same table when a player opens it again, and who is invited to their old seats.

    Beside the player, whose contribution to the shuffle is in the request, that is the service's own bots alone:
    nobody is seated by anybody else.
    """
    sits = [other if other == player or own_bot(other) is not None else None for other in old.players]
    others = [
        Invite(seat, other)
        for seat, (other, there) in enumerate(zip(old.players, sits, strict=True))
        if other is not None and there is None and old.seat_of(other) == seat  # one seat, of several in a sandbox
    ]
    occupants = [Occupant(there) for there in sits]
    own = old.seat_of(player)
    if own is not None:
        occupants[own] = Occupant(player, body.get("nonce", ""), body.get("nonce_hash", ""))
    return occupants, others


def accepting(body: Mapping[str, Any], snapshot: Snapshot, player: Player) -> Join | None:
    """Returns a player's acceptance of an invitation; None if they sit there, or there is nothing to accept.

    Raises:
        Refused: `not_seated`, they are not or no longer invited, and the game is not open to others.
    """
    seat = snapshot.offer_to(player.id)
    if snapshot.seat_of(player.id) is None and seat is not None and not snapshot.ended:
        check_room(snapshot, player.id)
        return Join(seat, player.id, nonce_digest(body.get("nonce", "")), body.get("nonce_hash", ""))
    if not snapshot.may_see(player.id):
        raise Refused("not_seated", Message("detail.rematch_without_you"))
    return None
