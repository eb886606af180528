"""What a binner produces for a quantity: for each feature the attributes with their means, and every edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Action, AttributeTable, Tables, Trend
from scrutable.frames import Column
from scrutable.model import Feature, MeanStatistics
from scrutable.model.conditions import AttributeCondition
from scrutable.model.evaluator.assign import assign
from scrutable.numerics.counts import exact_bincount


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanTable(AttributeTable):
    """The attributes of one feature, with the mean of the quantity in each.

    Parameters
    ----------
    explained : share of the quantity's variance that lies between the attributes: the correlation ratio, squared.
    """

    statistics: tuple[MeanStatistics, ...]
    explained: float

    @property
    def means(self) -> NDArray[np.float64]:
        """(attributes,) mean of each attribute; that of all rows where nobody was seen."""
        return np.array([s.mean for s in self.statistics])

    def to_json(self) -> dict[str, Any]:
        return {
            "explained": self.explained,
            "trend": self.trend,
            "attributes": [
                {"condition": condition.describe(), "count": s.count, "share": s.share, "mean": s.mean}
                for condition, s in zip(self.conditions, self.statistics, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEdit:
    """A decision of the user's that was honoured, and what it did to the share of the variance that is explained."""

    feature: str
    action: Action
    detail: str
    explained_before: float
    explained_after: float

    @classmethod
    def of(cls, before: MeanTable, after: MeanTable, action: Action, detail: str) -> MeanEdit:
        """The edit that turned one table of a feature into another."""
        return cls(
            feature=after.feature.name,
            action=action,
            detail=detail,
            explained_before=before.explained,
            explained_after=after.explained,
        )


class MeanBinning(Tables[MeanTable, MeanEdit]):
    """Tables about a quantity."""

    __slots__ = ()


def tabulate_means(
    feature: Feature,
    conditions: tuple[AttributeCondition, ...],
    column: Column,
    values: NDArray[np.float64],
    weight: NDArray[np.float64],
    trend: Trend | None = None,
) -> MeanTable:
    """The weighted mean of a quantity in each attribute, the same to the last bit for every order of the rows.

    Attributes that were never seen have the mean of all rows, which is neutral.

    Parameters
    ----------
    values : (n,) the quantity.
    weight : (n,) weights, some of them above 0.

    Examples
    --------
    >>> from scrutable.binning import intervals
    >>> from scrutable.frames import as_table
    >>> ltv = Feature(name="ltv", kind="numeric")
    >>> column = as_table({"ltv": [0.5, 0.7, 0.9]}).column("ltv")
    >>> found = tabulate_means(ltv, intervals([0.8], ltv), column, np.array([0.25, 0.75, 1.25]), np.ones(3))
    >>> found.means.tolist(), found.explained
    ([0.5, 1.25, 0.75], 0.75)
    """
    index = assign(conditions, feature, column)
    count = exact_bincount(index, weight, len(conditions))
    total = float(count.sum())
    overall = float(exact_bincount(np.zeros_like(index), weight * values, 1)[0]) / total
    seen, counted = count > 0, weight > 0
    means = np.full(len(conditions), overall)
    means[seen] = exact_bincount(index, weight * values, len(conditions))[seen] / count[seen]
    return MeanTable(
        feature=feature,
        conditions=conditions,
        statistics=tuple(
            MeanStatistics(count=n, share=n / total, mean=mean)
            for n, mean in zip(count.tolist(), means.tolist(), strict=True)
        ),
        trend=trend,
        explained=_explained(index[counted], values[counted] - overall, means - overall, weight[counted]),
    )


def _explained(
    index: NDArray[np.intp], deviations: NDArray[np.float64], means: NDArray[np.float64], weight: NDArray[np.float64]
) -> float:
    """Share of the variance that lies between the attributes, in units in which no square underflows or overflows."""
    if not np.ptp(deviations):
        return 0.0
    unit = np.abs(deviations).max()
    spread = exact_bincount(np.zeros_like(index), weight * (deviations / unit) ** 2, 1)
    between = exact_bincount(np.zeros_like(index), weight * (means / unit)[index] ** 2, 1)
    return min(1.0, float(between[0] / spread[0]))
