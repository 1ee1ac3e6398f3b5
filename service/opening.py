"""How a table comes to be: its first events, from what was asked for; who may ask is for `tables`."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from engine.editions import rulebook
from engine.events import GameCreated
from engine.shuffle import SECRET_BYTES, commitment, nonce_digest
from service.causes import Invite, Join, Open
from service.ids import join_code, own_bot
from service.log import Step, new_head
from service.players import bot_player
from service.snapshot import Entry, Snapshot, fresh
from service.steps import events_of
from service.times import now_ms, text_of

Occupant = tuple[str | None, str]
"""Who sits on a seat of a new table, None if it is open, and their contribution to the shuffle."""


def new_table(
    game: str,
    creator: str,
    body: Mapping[str, Any],
    occupants: Sequence[Occupant],
    inviting: Sequence[Invite] = (),
    previous: str | None = None,
    forked_from: dict[str, Any] | None = None,
) -> Step:
    """Returns the step that opens a table; occupants are player ids (None: open) and their contributions.

    `previous` is the game that it is a rematch of, `forked_from` the game and version that it goes on from.
    """
    secret = secrets.token_bytes(SECRET_BYTES)
    rounds = tuple(body["sandbox"].get("rounds", ())) if "sandbox" in body else ()
    created = GameCreated(
        game=game,
        edition=body["edition"],
        options=dict(rulebook(body["edition"], len(body["seats"]), body.get("options", {})).options),
        seats=len(body["seats"]),
        visibility=body.get("visibility", "public"),
        clock=_clock(body),
        starter=body.get("starter"),
        creator=creator,
        previous_game=previous,
        commitment=commitment(secret),
        sandbox="sandbox" in body,
        sandbox_rounds=rounds,
        forked_from=forked_from,
    )
    now = now_ms()
    at = text_of(now)
    opened = fresh(Entry(1, at, created), secret, join_code())
    seated = [
        Join(seat, player, nonce_digest(nonce)) for seat, (player, nonce) in enumerate(occupants) if player is not None
    ]
    cause = Open(tuple(seated), tuple(inviting))
    entries = [Entry(version, at, event) for version, event in enumerate(events_of(opened, cause, now), 2)]
    after = opened.after(entries, new_head(1 + len(entries)))
    return Step(None, [opened.created, *entries], after, cause)


def occupants_of(creator: str, body: Mapping[str, Any]) -> list[Occupant]:
    """Returns who sits where when a table is opened, with the creator's contribution to the shuffle."""
    by_kind = {"creator": (creator, body.get("nonce", "")), "open": (None, ""), "invited": (None, "")}
    return [by_kind.get(seat["kind"]) or (bot_player(seat["bot"]), "") for seat in body["seats"]]


def invitations_of(body: Mapping[str, Any]) -> list[Invite]:
    """Returns who is invited to which seat when a table is opened."""
    return [Invite(i, seat["player"]) for i, seat in enumerate(body["seats"]) if seat["kind"] == "invited"]


def _clock(body: Mapping[str, Any]) -> dict[str, Any] | None:
    clock = body.get("clock")
    return None if clock is None else {"kind": "decision", "increment": 0, "on_timeout": "bot_plays"} | clock


def same_table(old: Snapshot) -> dict[str, Any]:
    """Returns the request that opens the same table again."""
    table = old.table
    body: dict[str, Any] = {
        "edition": table.edition,
        "options": table.options,
        "seats": [None] * table.seats,
        "visibility": table.visibility,
    }
    if table.clock is not None:
        body["clock"] = table.clock
    if table.starter is not None:
        body["starter"] = table.starter
    if table.sandbox:
        body["sandbox"] = {"rounds": table.sandbox_rounds}
    return body


def seated_again(old: Snapshot, player: str) -> tuple[list[Occupant], list[Invite]]:
    """Returns who sits at the same table when a player opens it again, and who is invited to their old seats.

    Beside the player that is the service's own bots alone: nobody is seated by anybody else.
    """
    sits = [other if other == player or own_bot(other) is not None else None for other in old.players]
    others = [
        Invite(seat, other)
        for seat, (other, there) in enumerate(zip(old.players, sits, strict=True))
        if other is not None and there is None
    ]
    return [(there, "") for there in sits], others
