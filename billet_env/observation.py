"""Encodes a seat's view as a row of small whole numbers, feature after feature.

The view is the folded redacted log, so a row cannot hold what the seat may not know. `features` lists the meaning of
each number.
"""

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from billet_env.features import FEATURES, Axes, Feature, Sight, axes_of
from engine.rulebook import Rulebook
from engine.state import GameState

FeatureRow = NDArray[np.int8]


class ObservationLayout:
    """How the observations of an edition at a table of one size are laid out."""

    def __init__(self, book: Rulebook) -> None:
        self.axes: Axes = axes_of(book)
        """What the figures of a feature are about, in order: by axis its seats, cards, places or questions."""
        self.features: tuple[Feature, ...] = tuple(
            feature for feature in FEATURES if feature.known(book) and all(self._shape(feature))
        )
        """Those that the edition uses, in the order of the row."""
        self.slices: dict[str, slice] = {}
        """Where in a row each feature stands."""
        for feature in self.features:
            start = self.size
            self.slices[feature.name] = slice(start, start + int(np.prod(self._shape(feature))))
        self.most: FeatureRow = np.zeros(self.size, np.int8)
        """How large each figure may be; the least is 0."""
        for feature in self.features:
            self.most[self.slices[feature.name]] = feature.most(book)

    @property
    def size(self) -> int:
        """Returns the number of figures in an environment's observation."""
        return max((part.stop for part in self.slices.values()), default=0)

    def observe(self, view: GameState, seat: int) -> FeatureRow:
        """Returns an agent's observation as a row, given its seat's view."""
        sight = Sight(view, [(seat + away) % view.book.seats for away in range(view.book.seats)], self.axes)
        return np.fromiter(chain(*(feature.read(sight) for feature in self.features)), np.int8, len(self.most))

    def named(self, row: FeatureRow) -> dict[str, FeatureRow]:
        """Returns the figures of an agent's observation by feature, each in its shape."""
        return {feature.name: row[self.slices[feature.name]].reshape(self._shape(feature)) for feature in self.features}

    def _shape(self, feature: Feature) -> tuple[int, ...]:
        return tuple(len(self.axes[axis]) for axis in feature.axes)
