"""Counts in how many ways cards can lie in places that each take some of them, without listing the ways.

Copies of a card are told apart. The cards are taken one kind after the other; all that matters of what came before is
how many places of each mask are still empty.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import comb, perm, prod
from typing import NamedTuple, TypeAlias

Pool: TypeAlias = tuple[int, ...]
"""How many copies there are of each card, in the order of the masks' bits."""
Counts: TypeAlias = tuple[int, ...]


class Ways(NamedTuple):
    """In how many ways some places can be filled, and how many cards of each kind lie where, summed over the ways."""

    total: int
    lying: dict[int, Counts]
    """By mask: for each card the sum over the ways of how many places with this mask hold it."""


@lru_cache(maxsize=8192)
def ways_to_fill(masks: tuple[int, ...], pool: Pool) -> Ways:
    """Returns the ways to fill places, given by their masks in ascending order, from a pool."""
    kinds = Counter(masks)
    groups = [*kinds]
    steps: list[dict[Counts, list[tuple[Counts, Counts, int]]]] = []
    """By card and how many places are empty before it: how many take it, how many are empty then, in how many ways."""
    before = {tuple(kinds.values()): 1}
    reached = [before]
    for card, copies in enumerate(pool):
        taking = [mask >> card & 1 for mask in groups]
        steps.append({empty: _takings(empty, taking, copies) for empty in before})
        after: dict[Counts, int] = {}
        for empty, ways in before.items():
            for _, left, factor in steps[card][empty]:
                after[left] = after.get(left, 0) + ways * factor
        before = after
        reached.append(before)
    done = (0,) * len(groups)
    ends = {done: 1}
    lying = [[0] * len(pool) for _ in groups]
    for card in reversed(range(len(pool))):
        ending: dict[Counts, int] = {}
        for empty, ways in reached[card].items():
            total = 0
            for taken, left, factor in steps[card][empty]:
                end = ends.get(left, 0) * factor
                if end:
                    total += end
                    for group, number in enumerate(taken):
                        if number:
                            lying[group][card] += ways * end * number
            ending[empty] = total
        ends = ending
    count = reached[-1].get(done, 0)
    return Ways(count, {mask: tuple(sums) for mask, sums in zip(groups, lying, strict=True)})


def _takings(empty: Counts, taking: Sequence[int], copies: int) -> list[tuple[Counts, Counts, int]]:
    """Returns how many places of each group may take a card: so many, how many stay empty, and in how many ways."""
    found = []
    for taken in product(*[range(min(size, copies) * takes + 1) for size, takes in zip(empty, taking, strict=True)]):
        number = sum(taken)
        if number <= copies:
            left = tuple([size - some for size, some in zip(empty, taken, strict=True)])
            chosen = prod([comb(size, some) for size, some in zip(empty, taken, strict=True)])
            found.append((taken, left, chosen * perm(copies, number)))
    return found
