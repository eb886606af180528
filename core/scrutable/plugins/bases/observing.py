"""What the data of a fit held, recorded in the model's features, so that unusual applicants can be told later."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.data.disclosure.smallest_count import min_cell
from scrutable.data.features import Feature, Value
from scrutable.data.training_rows import TrainingRows
from scrutable.data.value_counts import ValueCounts
from scrutable.model import DecisionModel, RegressionScorecard, SegmentedModel
from scrutable.model.program import named_values

M = TypeVar("M", DecisionModel, RegressionScorecard)

#: Digits that the ends of a range keep, which are rounded outward.
_DIGITS = 2


def with_observed(model: M, data: TrainingRows) -> M:
    """The model with what the rows of its data held, those without weight left out.

    Of numbers that is a range at whose ends, and beyond each of them, lie as many rows as anything is told of, rounded
    outward to two digits; of categories those of as many rows, where the conditions of the model do not name each of
    them.
    """
    named = named_values(model)
    observed = {
        name: _values(feature, data.counts(feature), named.get(name, ()))
        for name, feature in {feature.name: feature for feature in model.features}.items()
        if name in data.columns
    }
    whole: M = _recorded(model, observed)
    return whole


def _recorded(model: Any, observed: Mapping[str, tuple[Value, ...]]) -> Any:
    def of(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
        return tuple(replace(each, observed=observed.get(each.name, each.observed)) for each in features)

    if isinstance(model, SegmentedModel):
        segments = tuple(replace(each, model=_recorded(each.model, observed)) for each in model.segments)
        return replace(model, segments=segments, routing=of(model.routing))
    return replace(model, features=of(model.features))


def _values(feature: Feature, counts: ValueCounts, named: tuple[Value, ...]) -> tuple[Value, ...]:
    rows = counts.rows.sum(axis=1)
    if feature.kind == "categorical":
        there = set(counts.column.values[rows >= min_cell()].tolist()) - {None, *feature.special_codes}
        return tuple(sorted(there)) if there - set(named) else ()
    own = counts.ordinary[np.isfinite(counts.buckets.low[counts.ordinary])]
    return _range(counts.buckets.low[own], counts.buckets.high[own], rows[own])


def range_of_many(values: NDArray[np.float64]) -> tuple[float, ...]:
    """A range whose ends tell of no few rows; nothing where there are too few for two ends.

    At or below its lower end before rounding are as many rows as anything is told of, and as many at or above its
    upper end. Where fewer rows than that hold the least or the greatest number, these are outside of it.

    Parameters
    ----------
    values : (n,) finite numbers.

    Examples
    --------
    >>> ages = np.array([18.0] * 5 + [44.0] * 20 + [75.0] * 4 + [99.0])
    >>> range_of_many(ages), range_of_many(ages[:9])
    ((18.0, 75.0), ())
    """
    ordered, rows = np.unique(values, return_counts=True)
    return _range(ordered, ordered, rows)


def _range(low: NDArray[np.float64], high: NDArray[np.float64], rows: NDArray[np.intp]) -> tuple[float, ...]:
    """That of rising values or buckets with so many rows each; within a bucket its further end tells of more rows."""
    least, reached = min_cell(), np.cumsum(rows)
    if not len(rows) or reached[-1] < 2 * least:
        return ()
    first, last = np.searchsorted(reached, (least, reached[-1] - least + 1)).tolist()
    return outward(float(high[first]), float(max(low[last], high[first])))


def outward(least: float, greatest: float) -> tuple[float, float]:
    """A range with ends of two digits around another.

    Examples
    --------
    >>> outward(-0.1234, 18424.0)
    (-0.13, 19000.0)
    >>> outward(19.0, 75.0)
    (19.0, 75.0)
    """
    return -_up(-least), _up(greatest)


def _up(value: float) -> float:
    """The least number of two digits that is not below a value."""
    rounded = float(f"{value:.{_DIGITS - 1}e}")
    if rounded < value:
        step = 10.0 ** (math.floor(math.log10(abs(value))) - (_DIGITS - 1))
        rounded = float(f"{rounded + step:.{_DIGITS - 1}e}")
    return rounded if math.isfinite(rounded) and rounded >= value else value
