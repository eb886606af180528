"""The shape that a feature gets where none is asked for: the better monotone one, or none, by a stated criterion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrutable_optimal.partition import Partition, Partitions, Shape
from scrutable_optimal.tallies import Tally

_MONOTONE: tuple[Shape, ...] = ("ascending", "descending")
#: What a free shape must win for a monotone one to be given up, as a share of its own value.
_LOST = 0.1
#: Parameters of an attribute: its rate, and where it begins.
_PARAMETERS = 2


def monotone_or_free(partitions: Partitions, least: float) -> Partition:
    """The better monotone partition; a free one only where monotone ones keep too little, by both of two criteria.

    Size: the best monotone partition lacks at least a tenth of the largest value of the objective, and at least
    `least`. Evidence: among the free partitions with 1, 2, ... attributes that have so much more, the least Bayesian
    information criterion −2 ln L + p · ln n, with two parameters an attribute (its rate and its border), is below the
    least one of monotone partitions, even if counted with one attribute more than that one has. It is then taken.

    Parameters
    ----------
    least : what may be lost in any case.

    References
    ----------
    Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics 6(2).
    Yao, Y.-C. (1988). Estimating the number of change-points via Schwarz' criterion. Stat. Probab. Lett. 6(3).
    """
    monotone = max(map(partitions.best, _MONOTONE), key=lambda partition: partition.value)
    most = partitions.best("free").value
    enough = monotone.value + max(least, _LOST * most)
    if most < enough:
        return monotone
    criterion = _Criterion(partitions.tally)
    plain = criterion.least(partitions, _MONOTONE)
    free = criterion.least(partitions, ("free",), enough)
    told = criterion.of(free, least=len(plain.borders) + 1) < criterion.of(plain)
    return free if told else monotone


class _Criterion:
    """The Bayesian information criterion of partitions, up to a constant."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.log_rows = float(np.log(float(tally.weight(tally.sums).sum()) / tally.unit))
        self.lowest = tally.deviance(tally.sums)  # what is put together fits no better

    def of(self, partition: Partition, least: int = 0) -> float:
        """The criterion, as if the partition had at least this number of borders."""
        deviance = self.tally.deviance(self.tally.merged_sums(partition.borders))
        return deviance + _PARAMETERS * max(least, len(partition.borders)) * self.log_rows

    def least(self, partitions: Partitions, shapes: Sequence[Shape], enough: float = -np.inf) -> Partition:
        """The first partition of these shapes, of those worth enough, with the least criterion."""
        best, least = None, np.inf
        for shape in shapes:
            for borders, value in partitions.values(shape).items():
                if value >= enough and self.lowest + _PARAMETERS * borders * self.log_rows <= least:
                    partition = partitions.of(shape, borders)
                    if (criterion := self.of(partition)) < least:
                        best, least = partition, criterion
        assert best is not None  # one attribute is always possible, and the best free partition is worth enough
        return best
