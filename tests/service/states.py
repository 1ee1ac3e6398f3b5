"""States as plain data that can be compared, and the full fold that everything else must agree with."""

from typing import Any

from engine import rules, views
from engine.state import STATE_FIELDS, GameState
from engine.views import WATCHER
from service.store.log.event_log import EventLog

SEAT_FIELDS = ("discards", "hand", "insane_tokens", "left", "player", "tokens")


def plain(state: GameState) -> dict[str, Any]:
    """Returns everything a state holds."""
    fields = {name: getattr(state, name) for name in STATE_FIELDS if name not in ("book", "seats")}
    return fields | {"seats": [{name: getattr(seat, name) for name in SEAT_FIELDS} for seat in state.seats]}


def folded(log: EventLog, game: str) -> dict[Any, dict[str, Any]]:
    """Returns the state of a game, under None, and that of each viewer, folded from the whole log."""
    events = [entry.event for entry in log.entries(game, 0)]
    state = rules.fold_log(events)
    seen = {viewer: plain(views.view(events, viewer)) for viewer in (WATCHER, *range(len(state.seats)))}
    return {None: plain(state), **seen}


def read(log: EventLog, game: str) -> dict[Any, dict[str, Any]]:
    """Returns the same as a log reads it: from the newest round on, or from what it has kept."""
    snapshot = log.read(game).snapshot
    seen = {viewer: plain(snapshot.view(viewer)) for viewer in (WATCHER, *range(len(snapshot.players)))}
    return {None: plain(snapshot.state), **seen}
