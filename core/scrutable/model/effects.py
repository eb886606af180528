"""What a leaf of a tree adds to the score, shared out among the features on the path to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scrutable.data.values import snap, unique
from scrutable.errors import ModelError


@dataclass(frozen=True, slots=True)
class LeafEffects:
    """What a leaf adds for each feature, by which of the features have what the path asks of them.

    Parameters
    ----------
    features : those on the path, each once, from the root on.
    values : (2 ** features, features) points. In row m the applicant has what the path asks of the features whose bits
        in m are set, the first feature being the lowest bit. Snapped.

    Examples
    --------
    >>> effects = LeafEffects(("age", "income"), ((0.0, 0.0), (1.0, -0.5), (-0.5, 1.0), (0.25, 0.25)))
    >>> effects.values[0b01]
    (1.0, -0.5)
    """

    #: Most different features on a path that effects are kept for; a leaf has a value for every set of them.
    MOST_FEATURES: ClassVar[int] = 6

    features: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        unique(self.features, "features of the effects of a leaf")
        count = len(self.features)
        if not 1 <= count <= self.MOST_FEATURES:
            raise ModelError(
                "unusable number of features",
                where="effects of a leaf",
                got=count,
                allowed=f"1 to {self.MOST_FEATURES}",
            )
        if len(self.values) != 2**count or any(len(row) != count for row in self.values):
            raise ModelError(
                "effects need a row for every set of features, a value for every feature",
                where="effects of a leaf",
                got=[len(row) for row in self.values],
                allowed=f"{2**count} rows of {count}",
            )
        object.__setattr__(self, "values", tuple(tuple(snap(value) for value in row) for row in self.values))

    def largest(self, feature: str) -> float:
        """The largest effect of a feature, whichever its sign."""
        position = self.features.index(feature)
        return max(abs(row[position]) for row in self.values)
