"""Opens a table: derives its first events from the request."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.editions import rulebook
from engine.events import GameCreated
from engine.positions import canonical
from engine.shuffle import commitment, nonce_digest
from games.causes import Invite, Join, Open
from games.clocks.breaks import DAYS_A_YEAR, is_by_the_day
from games.player import bot_player
from games.snapshot import Entry, Snapshot, first_snapshot
from games.steps import Step, events_of, head_of
from games.times import text_of


class Occupant(NamedTuple):
    """The occupant of a seat at a new table, with their contribution to the shuffle."""

    player: str | None
    """None for an open seat."""
    nonce: str = ""
    nonce_hash: str = ""
    """The hash of a nonce to be revealed later, in place of a nonce."""


class Fresh(NamedTuple):
    """What a new table takes from chance."""

    secret: bytes
    """What its deals are derived from."""
    join_code: str
    tag: str
    """The random tag of the append that opens it."""


def new_table(
    game: str,
    creator: str,
    body: Mapping[str, Any],
    occupants: Sequence[Occupant],
    now: int,
    fresh: Fresh,
    inviting: Sequence[Invite] = (),
    previous: str | None = None,
    forked_from: dict[str, Any] | None = None,
    match: dict[str, Any] | None = None,
    deal: str | None = None,
) -> Step:
    """Returns the step that opens a table; occupants are player ids (None: open) and their contributions.

    `previous` is the game that it is a rematch of, `forked_from` the game and version that it goes on from,
    `match` the match that it is part of, `deal` the name of the deal that it shares with others.
    """
    sandbox = body.get("sandbox", {})
    book = rulebook(body["edition"], len(body["seats"]), body.get("options", {}))
    created = GameCreated(
        game=game,
        edition=body["edition"],
        options=dict(book.options),
        seats=len(body["seats"]),
        visibility=body.get("visibility", "public"),
        clock=whole_clock(body.get("clock")),
        starter=body.get("starter"),
        creator=creator,
        previous_game=previous,
        commitment=commitment(fresh.secret),
        sandbox="sandbox" in body,
        rated=body.get("rated", False),
        aids=body.get("aids", True) and not body.get("rated", False) and deal is None and match is None,
        sandbox_rounds=tuple(sandbox.get("rounds", ())),
        forked_from=forked_from,
        sandbox_positions=tuple([canonical(book, one) for one in sandbox.get("positions", ())]),
        match=match,
        deal=deal,
    )
    at = text_of(now)
    opened = first_snapshot(Entry(1, at, created, first=True), fresh.secret, fresh.join_code)
    seated = [
        Join(seat, one.player, nonce_digest(one.nonce), one.nonce_hash)
        for seat, one in enumerate(occupants)
        if one.player is not None
    ]
    cause = Open(tuple(seated), tuple(inviting))
    entries = [Entry(version, at, event) for version, event in enumerate(events_of(opened, cause, now), 2)]
    after = opened.after(entries, head_of(1 + len(entries), fresh.tag))
    return Step(None, [opened.created, *entries], after, cause)


def whole_clock(clock: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Returns the clock that a request for a table asks for, with all its members; None for no clock."""
    if clock is None:
        return None
    days = clock.get("break_days", DAYS_A_YEAR) if is_by_the_day(clock) else 0
    return {"kind": "decision", "increment": 0, "on_timeout": "bot_plays", **clock, "break_days": days}


def occupants_of(creator: str, body: Mapping[str, Any]) -> list[Occupant]:
    """Returns who sits where when a table is opened, with the creator's contribution to the shuffle.

    The first of several seats brings it: a nonce is revealed for one seat.
    """
    nobody = Occupant(None)
    by_kind = {"creator": Occupant(creator), "open": nobody, "invited": nobody}
    occupants = [by_kind.get(seat["kind"]) or Occupant(bot_player(seat["bot"])) for seat in body["seats"]]
    own = next((i for i, seat in enumerate(body["seats"]) if seat["kind"] == "creator"), None)
    if own is not None:
        occupants[own] = Occupant(creator, body.get("nonce", ""), body.get("nonce_hash", ""))
    return occupants


def invitations_of(body: Mapping[str, Any]) -> list[Invite]:
    """Returns the invitations that the request to open a table asks for."""
    return [Invite(i, seat["player"]) for i, seat in enumerate(body["seats"]) if seat["kind"] == "invited"]


def same_table(old: Snapshot) -> dict[str, Any]:
    """Returns the request that opens the same table again, as for a rematch."""
    table = old.table
    body: dict[str, Any] = {
        "edition": table.edition,
        "options": table.options,
        "seats": [None] * table.seats,
        "visibility": table.visibility,
        "rated": table.rated,
        "aids": table.aids,
    }
    if table.clock is not None:
        body["clock"] = table.clock
    if table.starter is not None:
        body["starter"] = table.starter
    if table.sandbox:
        body["sandbox"] = {"rounds": table.sandbox_rounds, "positions": table.sandbox_positions}
    return body
