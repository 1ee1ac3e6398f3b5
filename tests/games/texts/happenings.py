"""What happens to players with names, for tests of the sentences about it."""

from engine import events as e

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gia", "Hal"]
OUT = e.TurnStarted(1)
"""What follows an action that has done nothing more."""
PEOPLE = {"p1": "Ivo", "a friend": "Jo", "another": "Kim"} | {f"player {i}": name for i, name in enumerate(NAMES)}
UNKNOWN = (None,)


def played(card, *targets, seat=0, guess=None, value=None, face=None):
    return e.CardPlayed(seat, card, targets, guess, value, face)


def dealt(hands, scores=(0, 0, 0, 0, 0), seats=(0, 1, 2, 3, 4), aside=(), position=None):
    return e.RoundStarted(3, 1, seats, scores, (0,) * 5, (), hands, (), None, aside, None, (), position)


def ended(winners, decided_by, *standings, card=None):
    reason = decided_by if decided_by in ("last_seat", "card") else "showdown"
    return e.RoundEnded(3, winners, reason, decided_by, card, standings)


def stands(seat, card, number, counted=-1, changed_by=None, discard_sum=None):
    """How a seat stands; what is not said counts as it is printed."""
    return {
        "seat": seat,
        "card": card,
        "number": number,
        "counted": number if counted == -1 else counted,
        "changed_by": changed_by,
        "discard_sum": discard_sum,
    }
