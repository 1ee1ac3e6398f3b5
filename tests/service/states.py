"""The states of a game and its viewers, and the full fold that everything else must agree with."""

from engine import rules, views
from engine.state import GameState
from engine.views import WATCHER, Viewer
from service.store.log.event_log import EventLog


def folded(log: EventLog, game: str) -> dict[Viewer | None, GameState]:
    """Returns the state of a game, under None, and that of each viewer, folded from the whole log."""
    events = [entry.event for entry in log.entries(game, 0)]
    state = rules.fold_log(events)
    seen = {viewer: views.view(events, viewer) for viewer in (WATCHER, *range(len(state.seats)))}
    return {None: state, **seen}


def read(log: EventLog, game: str) -> dict[Viewer | None, GameState]:
    """Returns the same as a log reads it: from the newest round on, or from what it has kept."""
    snapshot = log.read(game).snapshot
    seen = {viewer: snapshot.view(viewer) for viewer in (WATCHER, *range(len(snapshot.players)))}
    return {None: snapshot.state, **seen}
