"""What happens to players with names, for tests of the sentences about it."""

from engine import events as e

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gia", "Hal"]
PEOPLE = {"p1": "Ivo", "a friend": "Jo", "another": "Kim"} | {f"player {i}": name for i, name in enumerate(NAMES)}


def played(card, *targets, seat=0, guess=None, value=None, face=None):
    return e.CardPlayed(seat, card, targets, guess, value, face)


def dealt(hands, scores=(0, 0, 0, 0, 0), seats=(0, 1, 2, 3, 4), aside=(), position=None):
    return e.RoundStarted(3, 1, seats, scores, (0,) * 5, (), hands, (), None, aside, None, (), (), position)
