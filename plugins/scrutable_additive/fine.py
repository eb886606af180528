"""Many small attributes, for learners that merge them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Sample
from scrutable.model import Value
from scrutable.plugins import Count
from scrutable.plugins.bases import Binner, Needs, estimator

Floats = NDArray[np.float64]

#: Attributes of a feature: most, fewest, and most of all features together.
_MOST, _FEWEST, _TOGETHER = 64, 8, 2_000


#: Weight that an attribute has at least beside a frequent value, or a quarter of an equal share where that is less.
_LEAST = 5.0


@estimator
class FineBinner(Binner):
    """Many small attributes of about equal weight, for learners that merge them.

    Every cut is a value of the data, and few distinct numbers are attributes of their own. The share that an attribute
    should have is computed again after each, so that a frequent number has an attribute of its own and takes nothing
    from the others. Frequent categories have attributes of their own, and the others share one. Other parameters as in
    `Binner`.

    Parameters
    ----------
    max_bins : most attributes of a feature, missing and special ones not counted. None: 64, or fewer where all features
        together would have more than 2,000, but 8 at least.

    Examples
    --------
    >>> binner = FineBinner(max_bins=4).fit({"age": [20, 20, 20, 20, *range(21, 33)]}, [0, 1] * 8)
    >>> binner.binning_["age"].words
    ['< 21', '[21, 25)', '[25, 29)', '>= 29', 'missing']
    """

    needs: ClassVar[Needs] = "values"

    max_bins: Count | None = None

    def find_cuts(self, sample: Sample) -> Sequence[float]:
        values, weight = sample.values, sample.weight
        cuts: list[float] = values[openings(weight, self._most(sample))].tolist()
        return cuts

    def find_groups(self, sample: Sample) -> Sequence[Sequence[Value]]:
        values, weight = sample.values, sample.weight
        most = self._most(sample)
        if len(values) <= most:
            return [(value,) for value in values.tolist()]
        frequent = np.sort(np.argsort(-weight, kind="stable")[: most - 1])
        return [*((value,) for value in values[frequent].tolist()), tuple(np.delete(values, frequent).tolist())]

    def _most(self, sample: Sample) -> int:
        return self.max_bins or max(_FEWEST, min(_MOST, _TOGETHER // len(sample.data.columns)))


def openings(weight: Floats, most: int) -> list[int]:
    """Positions of the values that open the second and the later attributes.

    Parameters
    ----------
    weight : (values,) weight of the rows of each distinct value, in the order of the values.
    most : most attributes.

    Examples
    --------
    >>> openings(np.array([1.0, 1, 1, 9, 1, 1, 1]), 3)
    [3, 4]
    """
    reached = np.concatenate([[0.0], np.cumsum(weight)])
    opened: list[int] = []
    first, last = 0, len(weight) - 1
    least = min(_LEAST, reached[-1] / (4 * most))
    while first < last and len(opened) < most - 1:
        share = max((reached[-1] - reached[first]) / (most - len(opened)), least)
        stop = min(last, int(np.searchsorted(reached, reached[first] + share)))
        held = reached[first + 1 : stop + 1] - reached[first]  # by the attribute if it ends at each of these values
        own, following = weight[first:stop], weight[first + 1 : stop + 1]
        ends = (held >= share) | (own >= share / 2) | ((following >= share / 2) & (held >= share / 4))
        if not ends.any():
            break
        first += int(np.argmax(ends)) + 1
        opened.append(first)
    return opened
