"""What a caller gets to read of a game, as plain data with the contract's names.

Everything here is made of a viewer's own state and redacted events; the full state of a snapshot is never touched.
"""

from typing import Any, Final

from engine import codec, options, views
from engine.events import DecisionOpened
from engine.state import GameState
from engine.views import ALL, WATCHER, Viewer
from service.players import Naming, Player
from service.snapshot import Snapshot
from service.texts.actions import action_texts
from service.texts.catalogue import Catalogue
from service.texts.events import event_texts
from service.times import text_of

NO_SANITY: Final = {"sane_tokens": None, "insane_tokens": None, "insane": None}
"""What a seat has in editions without insanity: every member of an answer is always there."""


def viewer_of(snapshot: Snapshot, player: str | None) -> Viewer:
    """Returns as whom a player sees a game."""
    seat = snapshot.seat_of(player)
    return WATCHER if seat is None else seat


def etag_of(snapshot: Snapshot, viewer: Viewer, caller: str | None, language: str) -> str:
    """Returns the entity tag of a view: it changes whenever the view does and says nothing that the view does not.

    A view holds texts, so it is another one in another language.
    """
    who = {WATCHER: "watcher", ALL: "all"}.get(viewer, f"seat{viewer}")
    code = "-code" if _shows_code(snapshot, viewer, caller) else ""
    linked = "-linked" if snapshot.next_game is not None else ""
    return f'"{snapshot.version}-{who}{code}{linked}-{language}"'


def game_view(
    snapshot: Snapshot, viewer: Viewer, players: Naming, caller: str | None, words: Catalogue
) -> dict[str, Any]:
    """Returns a game as a viewer may see it; `caller` is the player who asks."""
    table = snapshot.table
    state = snapshot.view(viewer)
    named = players.named([*snapshot.players, *state.offers.values()])
    seen = views.present(state)
    return {
        "id": snapshot.id,
        "edition": table.edition,
        "options": table.options,
        "status": seen["status"],
        "version": seen["version"],
        "viewer": {"seat": viewer} if viewer >= 0 else None,
        "visibility": table.visibility,
        "join_code": snapshot.join_code if _shows_code(snapshot, viewer, caller) else None,
        "clock": table.clock,
        "sandbox": table.sandbox,
        "seats": [
            NO_SANITY
            | seat
            | {"player": _player(named, snapshot.players[i]), "invited": _player(named, state.offers.get(i))}
            for i, seat in enumerate(seen["seats"])
        ],
        "round": seen["round"],
        "to_act": seen["to_act"],
        "decision": _decision(state, snapshot, players, words),
        "deadline": _time(snapshot.deadline),
        "legal_actions": legal_actions(state, viewer, snapshot, players, words),
        "winners": seen["winners"],
        "commitment": table.commitment,
        "created_at": snapshot.created.at,
        "started_at": snapshot.started.at if snapshot.started is not None else None,
        "finished_at": snapshot.finished_at,
        "previous_game": table.previous_game,
        "next_game": snapshot.next_game,
        "forked_from": table.forked_from,
    }


def summary(snapshot: Snapshot, players: Naming, caller: str | None) -> dict[str, Any]:
    """Returns what lists say of a game."""
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
        "seats": [
            {
                "seat": i,
                "player": _player(named, snapshot.players[i]),
                "invited": _player(named, state.offers.get(i)),
                "tokens": seat.tokens,
            }
            for i, seat in enumerate(state.seats)
        ],
        "to_act": state.to_act,
        "your_turn": state.to_act is not None and state.to_act == snapshot.seat_of(caller),
        "deadline": _time(snapshot.deadline),
        "created_at": snapshot.created.at,
        "started_at": snapshot.started.at if snapshot.started is not None else None,
        "finished_at": snapshot.finished_at,
    }


def legal_actions(
    state: GameState, viewer: Viewer, snapshot: Snapshot, players: Naming, words: Catalogue
) -> list[dict[str, Any]]:
    """Returns the legal actions of a viewer's own seat with words for them; none when it is not its turn to act."""
    if viewer < 0 or state.to_act != viewer:
        return []
    names = names_of(snapshot, players)
    actions = options.legal_actions(state)
    texts = action_texts(words, actions, viewer, names, state.book, state.bound)
    return [{"action": codec.action_data(action), "text": text} for action, text in zip(actions, texts, strict=True)]


def names_of(snapshot: Snapshot, players: Naming) -> list[str]:
    """Returns the names of the players by seat, empty where a seat is open."""
    named = players.named(snapshot.players)
    return [named[player].name if player is not None else "" for player in snapshot.players]


def _decision(state: GameState, snapshot: Snapshot, players: Naming, words: Catalogue) -> dict[str, Any] | None:
    """Returns the open question with words for it, which are those it was opened with."""
    open_ = state.decision
    if open_ is None:
        return None
    opened = DecisionOpened(open_.seat, open_.card, open_.kind, open_.seats)
    (text,) = event_texts(words, [opened], names_of(snapshot, players), state.book)
    return {"seat": open_.seat, "card": open_.card, "kind": open_.kind, "text": text}


def _shows_code(snapshot: Snapshot, viewer: Viewer, caller: str | None) -> bool:
    """Whether there is a join code and a view shows it: to the creator, and as whoever sits at the table sees it.

    That holds for an ended game which somebody else reads as a seat, too: they see it already, and the code gives no
    more than that.
    """
    if snapshot.table.visibility != "unlisted":
        return False
    if viewer >= 0 and snapshot.players[viewer] is not None:
        return True
    return caller is not None and (caller == snapshot.table.creator or (viewer == ALL and caller in snapshot.players))


def _player(named: dict[str, Player], player: str | None) -> dict[str, Any] | None:
    return named[player]._asdict() if player is not None else None


def _time(ms: int | None) -> str | None:
    return text_of(ms) if ms is not None else None
