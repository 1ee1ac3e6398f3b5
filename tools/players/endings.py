"""What must be true of a game that has ended, as everybody reads it over HTTP; playing it belongs to `players`."""

from collections.abc import Sequence
from typing import Any


def check_end(game: str, viewers: Sequence[Any]) -> list[dict[str, Any]]:
    """Checks what everybody reads of a finished game: the same end, and the same dense log. Returns the events."""
    views = [viewer.view(game) for viewer in viewers]
    assert {view["status"] for view in views} == {"finished"}
    first = views[0]
    assert first["winners"], "nobody has won"
    assert all(view["winners"] == first["winners"] for view in views)
    assert all(view["legal_actions"] == [] and view["to_act"] is None for view in views)
    for viewer in viewers:
        events = all_events(viewer, game)
        assert [event["version"] for event in events] == list(range(1, first["version"] + 1)), "versions are not dense"
        assert [event["type"] for event in events][-2:] == ["game_finished", "secret_revealed"]
        assert events[-2]["data"]["winners"] == first["winners"]
    check_winners(first, viewers[0].get(f"/editions/{first['edition']}").json(), events)
    return events


def all_events(viewer: Any, game: str) -> list[dict[str, Any]]:
    """Reads all events of a finished game, page by page."""
    page = viewer.events(game)
    events: list[dict[str, Any]] = page["events"]
    while not page["finished"]:
        page = viewer.events(game, events[-1]["version"])
        events += page["events"]
    return events


def check_winners(view: dict[str, Any], edition: dict[str, Any], events: Sequence[dict[str, Any]]) -> None:
    """Checks that the winners have the tokens, as the edition's description counts them, or are alone in the game."""
    table = next(table for table in edition["tables"] if table["seats"] == len(view["seats"]))
    rich = [seat["seat"] for seat in view["seats"] if has_enough(seat, table)]
    in_game = [seat["seat"] for seat in view["seats"] if not seat["left"]]
    if len(in_game) == 1:
        assert view["winners"] == in_game
    elif view["edition"] in ("standard", "classic"):
        assert view["winners"] == rich  # several may win together
    elif view["winners"] != rich:
        (winner,) = view["winners"]
        # Several had enough and a tie-break round decided, or a card has won the game.
        last = next(event["data"] for event in reversed(events) if event["type"] == "card_played")
        by_card = (last["seat"], last["card"], last["face"]) == (winner, "cthulhu", "insane")
        assert winner in rich or by_card, f"{winner} has won, {rich} have the tokens"


def has_enough(seat: dict[str, Any], table: dict[str, Any]) -> bool:
    """Whether a seat has as many tokens of one kind as win at a table."""
    if table["insane_tokens_to_win"] is None:
        return bool(seat["tokens"] >= table["tokens_to_win"])
    sane, insane = seat["sane_tokens"], seat["insane_tokens"]
    return bool(sane >= table["tokens_to_win"] or insane >= table["insane_tokens_to_win"])
