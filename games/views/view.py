"""Renders a game for a caller as plain data with the contract's names.

It uses only the viewer's own state and redacted events, never the full state of a snapshot.
"""

from typing import Any, Final

from engine import options, views
from engine.bots.counting import count_unseen
from engine.logs import codec
from engine.state import ACTIVE, GameState
from engine.views import ALL, WATCHER, Viewer
from games.clocks.breaks import days_left
from games.player import Naming, Player
from games.snapshot import Snapshot
from games.texts.actions import action_texts
from games.texts.catalogue import Catalogue
from games.texts.plays import missing_for
from games.texts.sentences.events import event_texts
from games.times import text_of
from games.views.seated import name_of, names_of, reader_of, seated_players

NO_BREAK: Final = {"break_until": None, "break_days_left": 0}
"""What a view shows of days off where a game gives none."""


def viewer_of(snapshot: Snapshot, player: str | None) -> Viewer:
    """Returns the viewer as whom a player sees a game."""
    seat = snapshot.seat_of(player)
    return WATCHER if seat is None else seat


def tag_of(snapshot: Snapshot, viewer: Viewer, caller: str | None, language: str) -> str:
    """Returns the tag of a view: it changes whenever the view does and says nothing that the view does not.

    A view holds texts, so it is another one in another language.
    """
    who = f"seat{viewer}" if viewer >= 0 else "all" if viewer == ALL else "watcher"
    code = "-code" if _shows_code(snapshot, viewer, caller) else ""
    linked = "-linked" if snapshot.next_game is not None else ""
    hinted = f"-h{len(snapshot.hints)}" if snapshot.hints else ""
    return f"{snapshot.version}-{who}{code}{linked}{hinted}-{language}"


def game_view(
    snapshot: Snapshot, viewer: Viewer, players: Naming, caller: str | None, words: Catalogue
) -> dict[str, Any]:
    """Returns the view of a game as a viewer may see it; `caller` is the player who asks."""
    table = snapshot.table
    state = snapshot.view(viewer)
    named = players.named(state.offers.values()) if state.offers else {}
    seen = views.present(state)
    gives_breaks = table.clock is not None and table.clock["break_days"]
    for seat, sits in zip(seen["seats"], seated_players(snapshot, players, words), strict=True):
        seat["player"] = _player_view(sits)
        seat["hints"] = snapshot.hints_of(seat["seat"])
        seat |= _break_view(snapshot, state, seat["seat"]) if gives_breaks else NO_BREAK
        seat["invited"] = _player_view(_called(named, state.offers.get(seat["seat"]), words)) if named else None
    return {
        "id": snapshot.id,
        "edition": table.edition,
        "options": table.options,
        "status": seen["status"],
        "version": seen["version"],
        "viewer": {"seat": viewer} if viewer >= 0 else None,
        "creator": table.creator,
        "visibility": table.visibility,
        "join_code": snapshot.join_code if _shows_code(snapshot, viewer, caller) else None,
        "clock": table.clock,
        "sandbox": table.sandbox,
        "rated": table.rated,
        "aids": table.aids,
        "seats": seen["seats"],
        "tokens_to_win": state.book.tokens_to_win,
        "round": seen["round"],
        "unseen": _unseen_cards_view(state) if table.aids or table.sandbox or snapshot.ended else None,
        "to_act": seen["to_act"],
        "decision": _decision_view(state, snapshot, players, words, reader_of(viewer)),
        "deadline": _time_view(snapshot.deadline),
        "legal_actions": legal_actions(state, viewer, snapshot, players, words),
        "winners": seen["winners"],
        "commitment": table.commitment,
        "reveal": _reveal_view(snapshot),
        "created_at": snapshot.created.at,
        "started_at": snapshot.started.at if snapshot.started is not None else None,
        "finished_at": snapshot.finished_at,
        "abort_reason": snapshot.abort_reason,
        "previous_game": table.previous_game,
        "next_game": snapshot.next_game,
        "forked_from": table.forked_from,
        "match": table.match,
        "deal": table.deal,
    }


def summary(
    snapshot: Snapshot, players: Naming, caller: str | None, words: Catalogue, host_present: bool | None = None
) -> dict[str, Any]:
    """Returns the short view of a game, for lists; of an open table it says whether the host is there."""
    table = snapshot.table
    state = snapshot.view(WATCHER)
    named = players.named([*snapshot.players, *state.offers.values()])
    return {
        "id": snapshot.id,
        "edition": table.edition,
        "status": state.status,
        "version": snapshot.version,
        "visibility": table.visibility,
        "clock": table.clock,
        "sandbox": table.sandbox,
        "rated": table.rated,
        "host_present": host_present,
        "seats": [
            {
                "seat": i,
                "player": _player_view(_called(named, snapshot.players[i], words)),
                "invited": _player_view(_called(named, state.offers.get(i), words)),
                "tokens": seat.tokens,
                "left": seat.left,
            }
            for i, seat in enumerate(state.seats)
        ],
        "to_act": state.to_act,
        "your_turn": state.to_act is not None and state.to_act in snapshot.seats_of(caller),
        "deadline": _time_view(snapshot.deadline),
        "winners": list(state.winners) if snapshot.ended else None,
        "created_at": snapshot.created.at,
        "started_at": snapshot.started.at if snapshot.started is not None else None,
        "finished_at": snapshot.finished_at,
    }


def legal_actions(
    state: GameState, viewer: Viewer, snapshot: Snapshot, players: Naming, words: Catalogue
) -> list[dict[str, Any]]:
    """Returns a view's legal actions of the viewer's own seat, in words too; none when it is not its turn to act."""
    if viewer < 0 or state.to_act != viewer:
        return []
    names = names_of(snapshot, players, words)
    actions = options.legal_actions(state)
    texts = action_texts(words, actions, viewer, names, state.book, state.bound, missing_for(state, viewer))
    return [{"action": codec.action_data(action), "text": text} for action, text in zip(actions, texts, strict=True)]


def _unseen_cards_view(state: GameState) -> list[dict[str, Any]] | None:
    """Returns how many of each card lie where a view does not tell; None outside a round."""
    if state.status != ACTIVE or not state.round_number:
        return None
    left = count_unseen(state)
    return [{"card": key, "count": left[key]} for key, copies in state.book.copies.items() if copies]


def _decision_view(
    state: GameState, snapshot: Snapshot, players: Naming, words: Catalogue, reader: int | None
) -> dict[str, Any] | None:
    """Returns the open question as a view shows it, with the words it was opened with."""
    open_ = state.decision
    if open_ is None:
        return None
    (text,) = event_texts(words, [open_], names_of(snapshot, players, words), state.book, reader=reader)
    return {"seat": open_.seat, "card": open_.card, "kind": open_.kind, "text": text}


def _reveal_view(snapshot: Snapshot) -> dict[str, Any] | None:
    """Returns which seats a view shows to have still to reveal their nonces, and until when; None if nobody waits."""
    reveals = snapshot.reveals
    return {"until": text_of(reveals.until), "seats": list(reveals.waiting)} if reveals is not None else None


def _break_view(snapshot: Snapshot, state: GameState, seat: int) -> dict[str, Any]:
    """Returns what a view shows of a seat's days off, at the time of the newest event."""
    last = state.breaks.get(seat)
    left = days_left(snapshot.table.clock, state, seat, snapshot.entries[-1].at)
    return {"break_until": last.until if last is not None and last.still_ms else None, "break_days_left": left}


def _shows_code(snapshot: Snapshot, viewer: Viewer, caller: str | None) -> bool:
    """Returns whether a view shows a join code: to the creator, and as the players at the table see it.

    An ended game that another player reads as one of its seats shows it, too. They see the game already, and the code
    gives no more than that.
    """
    if snapshot.table.visibility != "unlisted":
        return False
    if viewer >= 0 and snapshot.players[viewer] is not None:
        return True
    return caller is not None and (caller == snapshot.table.creator or (viewer == ALL and caller in snapshot.players))


def _called(named: dict[str, Player], player: str | None, words: Catalogue) -> Player | None:
    return named[player]._replace(name=name_of(named[player], words)) if player is not None else None


def _player_view(player: Player | None) -> dict[str, Any] | None:
    return {"id": player.id, "name": player.name, "kind": player.kind} if player is not None else None


def _time_view(ms: int | None) -> str | None:
    return text_of(ms) if ms is not None else None
