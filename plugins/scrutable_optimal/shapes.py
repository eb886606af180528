"""The shape that a feature gets where none is asked for: the better monotone one, or none, by a stated criterion."""

from __future__ import annotations

from functools import partial

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
    monotone = max(map(partitions.best, _MONOTONE), key=lambda found: found.value)
    most = partitions.best("free").value
    enough = monotone.value + max(least, _LOST * most)
    if most < enough:
        return monotone
    tally = partitions.tally
    plain = min((found for shape in _MONOTONE for found in partitions.each(shape)), key=partial(_criterion, tally))
    free = min((found for found in partitions.each("free") if found.value >= enough), key=partial(_criterion, tally))
    told = _criterion(tally, free, least=len(plain.borders) + 1) < _criterion(tally, plain)
    return free if told else monotone


def _criterion(tally: Tally, found: Partition, least: int = 0) -> float:
    """Bayesian information criterion, up to a constant, as if the partition had at least this number of borders."""
    rows = float(tally.weight(tally.sums).sum()) / tally.unit
    borders = max(least, len(found.borders))
    return tally.deviance(tally.merged(found.borders).sums) + _PARAMETERS * borders * float(np.log(rows))
