"""Matches for tests."""

from games.matches.setup import MatchSetup
from games.matches.standings import Outcome

BOTS = [{"bot": "cautious"}, {"bot": "random"}]


def setup(*players, bots=0, name="m1", **body):
    """Returns a match of some programs and own bots, by default a duel in four games."""
    entrants = [{"player": player} for player in players] + BOTS[:bots]
    clock = {"clock": {"seconds": 60}} if players else {}
    whole = {"edition": "standard", "entrants": entrants, "seats": 2, "games": 4, "deals": "fresh", **clock, **body}
    return MatchSetup.of(name, "pcreator", whole, 1000)


def won_by(made, winner, numbers=None):
    """Returns outcomes of games of a match in which one of its players has won, and all others were equal."""
    return {
        number: Outcome(tuple(1 if player == winner else 2 for player in made.slot(number).players), (0,) * made.seats)
        for number in (range(made.games) if numbers is None else numbers)
    }
