"""How well the mean of a sample is known: one formula for the bots, the tournament and matches."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 1.96
"""Of a 95 % interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Some numbers, as far as their mean and its interval follow from them."""

    count: int
    total: float
    squares: float
    """The sum of their squares."""

    @classmethod
    def of(cls, values: Iterable[float]) -> "Sample":
        """Returns the sample of some numbers."""
        found = [*values]
        return cls(len(found), math.fsum(found), math.fsum(value * value for value in found))

    def __add__(self, other: "Sample") -> "Sample":
        """Returns the sample of the numbers of both."""
        return Sample(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """Returns the mean of a sample that is not empty."""
        return self.total / self.count

    @property
    def deviation(self) -> float:
        """Returns the standard deviation in a sample that is not empty."""
        return math.sqrt(max(self.squares / self.count - self.mean**2, 0.0))

    @property
    def half(self) -> float:
        """Returns half the width of the 95 % interval of the mean of a sample that is not empty."""
        return WIDTH * self.deviation / math.sqrt(self.count)

    @property
    def more_needed(self) -> int | None:
        """Returns how many more numbers would tell the mean from 0, if they are like those of the sample.

        0 if they tell it already; None if there are fewer than two, or nothing tells them from 0.
        """
        if self.count < 2 or self.total == 0:
            return None
        return max(0, math.ceil((WIDTH * self.deviation / self.mean) ** 2) - self.count)
