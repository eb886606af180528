"""Training rows in pre-bins, and characteristics made of neighbouring ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import BinTable, Trend, categories, count_attributes, intervals
from scrutable.data import TrainingData, is_nominal
from scrutable.model import AttributeCondition, Feature
from scrutable.model.evaluator import assign
from scrutable.plugins.bases import Proposal

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class PreBinned:
    """A feature in pre-bins.

    Parameters
    ----------
    feature : the feature.
    nominal : whether its values are categories, of which any may be put together.
    proposal : the cuts between the pre-bins, or the groups of categories.
    index : (n,) pre-bin of each row; after the first `n_ordinary` come special codes, what else there may be, and
        missing values. Attributes of fewer rows than may be told of count with others.
    trend : what its points have to follow.
    fixed : whether the user has said what its attributes are.
    """

    feature: Feature
    nominal: bool
    proposal: list[Any]
    index: Ints
    trend: Trend | None = None
    fixed: bool = False

    @classmethod
    def of(
        cls, feature: Feature, proposal: Proposal, data: TrainingData, categorical: Sequence[str], **known: Any
    ) -> Self:
        """The pre-bins that a binner proposes."""
        column = data.columns[feature.name]
        nominal = is_nominal(feature, column, categorical)
        conditions = _conditions(feature, nominal, list(proposal))
        index = assign(conditions, feature, column)
        table = count_attributes(feature, conditions, index, data.good, data.weight)
        host = np.array([table.pools.at(place) for place in range(len(conditions))])
        return cls(feature, nominal, list(proposal), host[index], **known)

    @property
    def n_ordinary(self) -> int:
        """Number of pre-bins of ordinary values."""
        return len(self.proposal) + (not self.nominal)

    @property
    def size(self) -> int:
        """Number of all pre-bins."""
        return self.n_ordinary + len(self.feature.special_codes) + 1 + self.nominal

    def merged(self, step: Ints, data: TrainingData) -> tuple[BinTable, Ints]:
        """The table of attributes made of pre-bins, and (size,) which attribute each pre-bin belongs to.

        Parameters
        ----------
        step : (n_ordinary,) number of the step of each; intervals of one step are neighbours.
        """
        if self.nominal:
            place, groups = _grouped(step, self.proposal)
            conditions = _conditions(self.feature, True, groups)
        else:
            opens = np.flatnonzero(np.diff(step))
            place = np.concatenate([[0], np.cumsum(np.diff(step) != 0)])
            conditions = _conditions(self.feature, False, [self.proposal[at] for at in opens])
        n_steps = int(place.max(initial=0)) + 1 if len(place) else 0
        attribute = np.concatenate([place, n_steps + np.arange(self.size - self.n_ordinary)]).astype(np.intp)
        table = count_attributes(self.feature, conditions, attribute[self.index], data.good, data.weight, self.trend)
        return table, attribute


def _conditions(feature: Feature, nominal: bool, proposal: list[Any]) -> tuple[AttributeCondition, ...]:
    return categories(proposal, feature) if nominal else intervals(proposal, feature)


def _grouped(step: Ints, proposal: list[Any]) -> tuple[Ints, list[tuple[Any, ...]]]:
    """The place of each group of categories among those put together by step, in the order in which they occur."""
    _, first, inverse = np.unique(step, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    place = rank[inverse]
    groups: list[list[Any]] = [[] for _ in first]
    for at, group in zip(place.tolist(), proposal, strict=True):
        groups[at].extend(group)
    return place, [tuple(group) for group in groups]
