"""What the games of a match say of its entrants: each one's share of the wins, and how sure that is."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations
from typing import Any, Final, NamedTuple

from engine.state import FINISHED
from games.matches.setup import ROTATED, MatchSetup
from games.measuring import Sample
from games.ratings.places import places_of
from games.snapshot import Snapshot

DIGITS: Final = 4
MOST_POINTS: Final = 40
"""How many points the course of a share has: as many as a plot of it shows."""


class Outcome(NamedTuple):
    """What came of a game of a match; both lists are empty if it was called off."""

    places: tuple[int, ...]
    """By seat, from 1."""
    tokens: tuple[int, ...]


CALLED_OFF: Final = Outcome((), ())


def outcome_of(snapshot: Snapshot) -> Outcome:
    """Returns what came of a game of a match that has ended."""
    if snapshot.state.status != FINISHED:
        return CALLED_OFF
    return Outcome(tuple(places_of(snapshot.state)), tuple([seat.tokens for seat in snapshot.state.seats]))


def shares(outcome: Outcome) -> list[float]:
    """Returns each seat's share of the win of a game; those in the first place share it."""
    won = outcome.places.count(1)
    return [1 / won if place == 1 else 0.0 for place in outcome.places]


def standings(setup: MatchSetup, outcomes: Mapping[int, Outcome]) -> list[dict[str, Any]]:
    """Returns how the entrants of a match stand, in their order, as plain data.

    A share is the mean over deals, and its interval follows from how much deals differ.
    """
    by_entrant = _shares_by_entrant(setup, outcomes)
    found = [Sample.of(some) for some in by_entrant]
    means = [sample.mean if sample.count else None for sample in found]
    return [
        {
            "entrant": one,
            "games": _games_of(setup, outcomes, one),
            "share": _rounded(mean),
            "interval": _interval(sample, 0.0),
            "place": 1 + sum(other > mean for other in means if other is not None) if mean is not None else None,
            "course": _course(some),
        }
        for one, some, sample, mean in zip(setup.entrants, by_entrant, found, means, strict=True)
    ]


def samples(setup: MatchSetup, outcomes: Mapping[int, Outcome]) -> list[Sample]:
    """Returns each entrant's shares of the deals, in the order of the entrants."""
    return [Sample.of(some) for some in _shares_by_entrant(setup, outcomes)]


def pairs(setup: MatchSetup, outcomes: Mapping[int, Outcome]) -> list[dict[str, Any]]:
    """Returns how each two entrants of a match compare, deal by deal, as plain data."""
    by_deal = _shares_by_deal(setup, outcomes)
    found = []
    for one, other in combinations(setup.entrants, 2):
        both = [deal[one] - deal[other] for deal in by_deal.values() if one in deal and other in deal]
        sample = Sample.of(both)
        found.append(
            {
                "a": one,
                "b": other,
                "deals": sample.count,
                "difference": _rounded(sample.mean) if sample.count else None,
                "interval": _interval(sample, -1.0),
                "more_needed": _doubted(sample, -1.0).more_needed if sample.count > 1 else None,
            }
        )
    return found


def _course(some: Sequence[float]) -> list[dict[str, Any]]:
    """Returns what an entrant's share and its interval were after some of its deals, from the second to the last."""
    totals, squares = [*accumulate(some)], [*accumulate(share * share for share in some)]
    marks = sorted({-(-len(some) * step // MOST_POINTS) for step in range(1, MOST_POINTS + 1)} - {0, 1})
    samples = [Sample(deals, totals[deals - 1], squares[deals - 1]) for deals in marks]
    return [{"deals": one.count, "share": _rounded(one.mean), "interval": _interval(one, 0.0)} for one in samples]


def _shares_by_entrant(setup: MatchSetup, outcomes: Mapping[int, Outcome]) -> list[list[float]]:
    by_deal = _shares_by_deal(setup, outcomes)
    return [[deal[one] for deal in by_deal.values() if one in deal] for one in setup.entrants]


def _shares_by_deal(setup: MatchSetup, outcomes: Mapping[int, Outcome]) -> dict[int, dict[str, float]]:
    """Returns each entrant's mean share in each deal, in order.

    Deals in which seats are rotated count once all their games were played to the end: part of one favours some.
    """
    found: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, outcome in sorted(outcomes.items()):
        slot = setup.slot(number)
        rotation = setup.slots_of(slot.deal) if setup.deals == ROTATED else (number,)
        if all(outcomes.get(one, CALLED_OFF).places for one in rotation):
            for entrant, share in zip(slot.entrants, shares(outcome), strict=True):
                if entrant is not None:
                    found[slot.deal][entrant].append(share)
    return {deal: {one: sum(some) / len(some) for one, some in by.items()} for deal, by in found.items()}


def _games_of(setup: MatchSetup, outcomes: Mapping[int, Outcome], entrant: str) -> int:
    return sum(entrant in setup.slot(number).entrants for number, outcome in outcomes.items() if outcome.places)


def _interval(sample: Sample, least: float) -> list[float] | None:
    """Returns the 95 % interval of a mean, which is from `least` to 1; None if there are too few numbers to say."""
    if sample.count < 2:
        return None
    doubted = _doubted(sample, least)
    ends = doubted.mean - doubted.half, doubted.mean + doubted.half
    return [round(min(max(end, least), 1.0), DIGITS) for end in ends]


def _doubted(sample: Sample, least: float) -> Sample:
    """Returns a sample with two numbers more at either end of what its numbers can be (Agresti and Coull).

    Otherwise a few deals that went the same way would leave no doubt.
    """
    return sample + Sample.of([least, least, 1.0, 1.0])


def _rounded(share: float | None) -> float | None:
    return round(share, DIGITS) if share is not None else None
