"""What the oracle of `tests/secrecy` says of the engine's events and states; it is written without the engine."""

from engine.events import Event
from engine.logs.codec import store_event
from engine.state import GameState
from engine.views import WATCHER, Viewer
from tests.secrecy.oracle import Table, event_for


def person(viewer: Viewer) -> int | None:
    """Returns a viewer as the oracle names them."""
    return None if viewer == WATCHER else viewer


def follow(table: Table, events: list[Event]) -> None:
    """Lets the oracle's table take note of full events."""
    for event in events:
        table.after(store_event(event, ""))


def allowed(event: Event, viewer: Viewer) -> dict[str, object]:
    """Returns the event's fields as the viewer may see them."""
    return event_for(person(viewer), store_event(event, ""))["data"]


def matches(table: Table, viewer: Viewer, seen: GameState) -> bool:
    """Whether a view shows the cards that the viewer may know, no more and no less."""

    def known(cards):
        return [card.key if person(viewer) in card.known_to else None for card in cards]

    return (
        [seat.hand for seat in seen.seats] == [known(hand) for hand in table.hands]
        and seen.deck == known(table.deck)
        and seen.set_aside == known([table.aside] if table.aside else [])
    )
