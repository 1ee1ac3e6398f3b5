"""How a table comes to be: its first events, and the start once no seat is open; who may do what is for `tables`."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from engine import rules
from engine.editions import rulebook
from engine.events import Event, GameCreated, SeatTaken
from engine.shuffle import SECRET_BYTES, commitment, nonce_digest
from service.ids import join_code
from service.log import Step, new_head
from service.players import bot_player
from service.snapshot import Entry, Snapshot, fresh
from service.times import now_ms, text_of

Occupant = tuple[str | None, str]
"""Who sits on a seat of a new table, None if it is open, and their contribution to the shuffle."""


def new_table(
    game: str,
    creator: str,
    body: Mapping[str, Any],
    occupants: Sequence[Occupant],
    previous: str | None = None,
) -> Step:
    """Returns the step that opens a table; occupants are player ids (None: open) and their contributions."""
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
    )
    at = text_of(now_ms())
    opened = fresh(Entry(1, at, created), secret, join_code())
    taken = [
        SeatTaken(seat, player, nonce_digest(nonce))
        for seat, (player, nonce) in enumerate(occupants)
        if player is not None
    ]
    events: list[Event] = [*taken, *start_if_full(opened, taken)]
    entries = [Entry(version, at, event) for version, event in enumerate(events, 2)]
    after = opened.after(entries, new_head(1 + len(entries)))
    return Step(None, [opened.created, *entries], after)


def start_if_full(snapshot: Snapshot, taken: Sequence[SeatTaken]) -> list[Event]:
    """Returns the events that start a game if it has no open seat once these are taken."""
    state = snapshot.state.copy()
    nonces = snapshot.nonces
    for event in taken:
        event.apply(state)
        nonces[event.seat] = event.nonce
    if any(seat.player is None for seat in state.seats):
        return []
    # The log does not hold all contributions to the shuffle yet, so they are handed over.
    return rules.start(state, nonces, snapshot.chance(nonces), snapshot.table.starter)


def occupants_of(creator: str, body: Mapping[str, Any]) -> list[Occupant]:
    """Returns who sits where when a table is opened, with the creator's contribution to the shuffle."""
    by_kind = {"creator": (creator, body.get("nonce", "")), "open": (None, "")}
    return [by_kind.get(seat["kind"]) or (bot_player(seat["bot"]), "") for seat in body["seats"]]


def _clock(body: Mapping[str, Any]) -> dict[str, Any] | None:
    clock = body.get("clock")
    return None if clock is None else {"seconds": clock["seconds"], "on_timeout": clock.get("on_timeout", "bot_plays")}


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
