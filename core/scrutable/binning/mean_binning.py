"""What a binner produces for a quantity: for each feature the attributes with their means, and every edit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.binning.audit import MeanEdit
from scrutable.binning.disclosed import Pools
from scrutable.binning.missing_treatments import AttributePolicy, counted_beside, hosted, pooled
from scrutable.binning.tables import AttributeTable, Tables, Trend
from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.exact import exact_bincount
from scrutable.data.frames import Column
from scrutable.model import Feature, MeanStatistics
from scrutable.model.conditions import AttributeCondition
from scrutable.model.evaluator.assign import assign
from scrutable.writing.decimals import in_digits
from scrutable.writing.notebooks import NotebookTable


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanTable(AttributeTable):
    """The attributes of one feature, with the mean of the quantity in each.

    Parameters
    ----------
    explained : share of the quantity's variance that the means explain which learners use: without policies what lies
        between the attributes, the correlation ratio squared.
    """

    statistics: tuple[MeanStatistics, ...]
    explained: float

    @property
    def worth(self) -> str:
        """The share of the variance that the attributes explain."""
        return f"explains {self.explained:.2%} of the variance"

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The attributes with their rows and means."""
        rows = [
            [words, in_digits(s.count), f"{s.share:.1%}", in_digits(s.mean) if s.count else ""]
            for words, s in zip(self.words, self.statistics, strict=True)
        ]
        headers = ("attribute", "rows", "share", "mean")
        yield NotebookTable(headers=headers, rows=rows, numbers=frozenset({1, 2, 3}))

    @property
    def means(self) -> NDArray[np.float64]:
        """(attributes,) mean of each attribute; that of all rows where nobody was seen."""
        return np.array([s.mean for s in self.statistics])

    @property
    def means_used(self) -> NDArray[np.float64]:
        """(attributes,) means that learners use: those of the statistics, or what a policy says instead."""
        if not self.policies:
            return self.means
        count = self.counts_seen
        overall = float(count @ self.means / count.sum())
        together = pooled(np.stack([count, count * self.means], axis=1), self.policies)
        means, counted = self.means, together[:, 0] > 0
        means[counted] = together[counted, 1] / together[counted, 0]
        return self.valued(self.pools.alike(means) - overall) + overall

    def to_json(self) -> dict[str, Any]:
        attributes: list[dict[str, Any]] = [
            {"condition": words, "count": s.count, "share": s.share, "mean": s.mean}
            for words, s in zip(self.words, self.statistics, strict=True)
        ]
        if self.policies:
            for attribute, mean in zip(attributes, self.means_used.tolist(), strict=True):
                attribute["mean_used"] = mean
            for policy in self.policies:
                attributes[policy.position]["policy"] = policy.treated
        return {"explained": self.explained, "trend": self.trend, "attributes": attributes}


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
    policies: tuple[AttributePolicy, ...] = (),
) -> MeanTable:
    """The weighted mean of a quantity in each attribute, the same to the last bit for every order of the rows.

    Attributes that were never seen have the mean of all rows, which is neutral. Those of few rows count with others, as
    in `scrutable.binning.tables.table_of`.

    Parameters
    ----------
    values : (n,) the quantity.
    weight : (n,) weights, some of them above 0.

    Examples
    --------
    >>> from scrutable.binning.tables import intervals
    >>> from scrutable.data.frames import as_table
    >>> ltv = Feature(name="ltv", kind="numeric")
    >>> column = as_table({"ltv": [0.5, 0.7, 0.9] * 5}).column("ltv")
    >>> found = tabulate_means(ltv, intervals([0.8], ltv), column, np.array([0.25, 0.75, 1.25] * 5), np.ones(15))
    >>> found.means.tolist(), found.explained
    ([0.5, 1.25, 0.75], 0.75)
    """
    index = assign(conditions, feature, column)
    counted = weight > 0
    sums = np.stack([exact_bincount(index, each, len(conditions)) for each in (weight, weight * values)], axis=1)
    rows = np.bincount(index[counted], minlength=len(conditions))
    pools = Pools.of(conditions, rows, min_cell(), counted_beside(policies))
    together = pools.together(sums)
    count, total = together[:, 0], float(together[:, 0].sum())
    overall = float(exact_bincount(np.zeros_like(index), weight * values, 1)[0]) / total
    seen = count > 0
    means = np.full(len(conditions), overall)
    means[seen] = together[seen, 1] / count[seen]
    means = pools.alike(means)
    table = MeanTable(
        feature=feature,
        conditions=conditions,
        statistics=tuple(
            MeanStatistics(count=n, share=n / total, mean=mean)
            for n, mean in zip(count.tolist(), means.tolist(), strict=True)
        ),
        trend=trend,
        policies=hosted(policies, pools.at),
        pools=pools,
        explained=0.0,
    )
    explained = _explained(index[counted], values[counted] - overall, table.means_used - overall, weight[counted])
    return replace(table, explained=explained)


def _explained(
    index: NDArray[np.intp], deviations: NDArray[np.float64], means: NDArray[np.float64], weight: NDArray[np.float64]
) -> float:
    """Share of the variance that the means explain, in units in which no square underflows or overflows."""
    if not np.ptp(deviations):
        return 0.0
    unit = np.abs(deviations).max()
    spread = exact_bincount(np.zeros_like(index), weight * (deviations / unit) ** 2, 1)
    between = exact_bincount(np.zeros_like(index), weight * (means / unit)[index] ** 2, 1)
    return min(1.0, float(between[0] / spread[0]))
