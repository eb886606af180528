"""What a target model reads of an applicant: columns in [0, 1], and the way back to conditions on features."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data import TrainingData, is_nominal
from scrutable.data.frames import Column
from scrutable.errors import InputError
from scrutable.model import Categories, Clause, ClauseCondition, Feature, Interval, Missing, Special
from scrutable_fcca.cuts import short_cut
from scrutable_fcca.target import Doubles, Flags, Indices

#: The part of the scale that an infinity has to itself, where training rows have one.
_INFINITE = 0.1
_LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberColumn:
    """The value of a numeric feature between the least and the largest of the training rows, scaled to [0, 1].

    Missing and special values are the median, values beyond the training rows' are 0 or 1. Infinities are the largest
    doubles; where training rows have them, they stand apart from the other values.

    Parameters
    ----------
    feature : the feature.
    values : (k,) rising distinct ordinary values of the training rows, at least two; infinities as the largest doubles.
    scaled : (k,) where they stand.
    median : the value in the middle of the training rows, by weight.
    """

    feature: Feature
    values: Doubles
    scaled: Doubles
    median: float

    @property
    def is_category(self) -> bool:
        """Whether the column stands for a category."""
        return False

    def scale(self, values: Doubles) -> Doubles:
        """Values in [0, 1]; a larger value is never lower."""
        return _scale(values, self.values)

    def encode(self, column: Column) -> Doubles:
        """(n,) what a target model reads of rows."""
        return self.scale(np.where(self.fixed(column), self.median, column.values))

    def fixed(self, column: Column) -> Flags:
        """Rows in which the column cannot change, because the feature has no ordinary value."""
        return ~_ordinary(self.feature, column)

    def snap(self, thresholds: Doubles) -> Doubles:
        """(k,) the scaled training value at or below each threshold, which parts the training rows as it does.

        NaN where all training rows are on one side.
        """
        at = np.searchsorted(self.scaled, thresholds, side="right")
        return np.where((at > 0) & (at < len(self.scaled)), self.scaled[at - 1], np.nan)

    def cut(self, threshold: float) -> float:
        """The short decimal from which on values are above a threshold: training rows fall as in the scaled column."""
        at = int(np.searchsorted(self.scaled, threshold, side="right"))
        return short_cut(float(self.values[at - 1]), float(self.values[at]))

    def above(self, threshold: float) -> Clause:
        """What holds for the rows above a threshold that parts the training rows."""
        conditions: list[ClauseCondition] = [Interval(self.cut(threshold), np.inf)]
        if self.scale(np.array([self.median]))[0] > threshold:
            conditions += [*(Special((code,)) for code in self.feature.special_codes), Missing()]
        return Clause(self.feature.name, tuple(conditions))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndicatorColumn:
    """Whether a feature has some category or special code, or is missing: 1 or 0.

    Parameters
    ----------
    feature : the feature.
    condition : what makes the column 1; it names one value, or none.
    """

    feature: Feature
    condition: Categories | Special | Missing

    @property
    def is_category(self) -> bool:
        """Whether the column stands for a category."""
        return isinstance(self.condition, Categories)

    def encode(self, column: Column) -> Doubles:
        """(n,) what a target model reads of rows."""
        if isinstance(self.condition, Missing):
            return column.missing.astype(np.float64)
        [value] = self.condition.values if isinstance(self.condition, Categories) else self.condition.codes
        return np.asarray(column.values == value).astype(np.float64)

    def fixed(self, column: Column) -> Flags:
        """Rows in which the column cannot change; whether there is a value at all never can."""
        if self.is_category:
            return ~_ordinary(self.feature, column)
        return np.ones(len(column.values), np.bool_)

    def snap(self, thresholds: Doubles) -> Doubles:
        """(k,) 0 for each threshold between 0 and 1; NaN for others, which part nothing."""
        return np.where((thresholds >= 0) & (thresholds < 1), 0.0, np.nan)

    def above(self, threshold: float) -> Clause:
        """What holds for the rows above a threshold that parts the training rows."""
        return Clause(self.feature.name, (self.condition,))


InputColumn = NumberColumn | IndicatorColumn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """The m columns that a target model reads.

    A numeric feature is its scaled value, a categorical one a column for each category that is not rare; of two
    categories that are all there is, one column says which. Special codes and missing values that training rows have
    are columns of their own. A feature with one value has no column.

    Parameters
    ----------
    columns : what each column is.

    Examples
    --------
    >>> from scrutable.data import read_training
    >>> X = {"age": [20.0, 60.0, None, 30.0], "home": ["own", "rent", "own", "free"]}
    >>> data = read_training(X, [0, 1, 1, 0])
    >>> inputs = Inputs.of(data)
    >>> inputs.encode(data.columns)[:, :2].tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.25, 1.0], [0.25, 0.0]]
    >>> [column.above(0.1).describe() for column in inputs.columns]
    ['age >= 30 or missing', 'age is missing', "home is 'free'", "home is 'own'", "home is 'rent'"]
    """

    columns: tuple[InputColumn, ...]

    @classmethod
    def of(cls, data: TrainingData, *, categorical: Collection[str] = (), rare_share: float = 0.01) -> Inputs:
        """The columns for training data; rows without weight do not count.

        Parameters
        ----------
        categorical : numeric features whose numbers are categories.
        rare_share : categories with a smaller share of the weight have no column.

        Raises
        ------
        InputError : no column would tell two rows apart.
        """
        rows = np.flatnonzero(data.weight > 0)
        weight = data.weight[rows]
        made: list[InputColumn] = []
        for feature in data.features:
            column = data.columns[feature.name].take(rows)
            made += _made(feature, column, weight, is_nominal(feature, column, categorical), rare_share)
        if not made:
            raise InputError(
                "no column tells applicants apart",
                where="X",
                allowed="numbers with two values, or a category that neither all applicants have nor few",
                fix="give columns that differ from row to row, or lower rare_share",
            )
        return cls(columns=tuple(made))

    def encode(self, columns: Mapping[str, Column]) -> Doubles:
        """(n, m) what a target model reads of rows."""
        return np.stack([each.encode(columns[each.feature.name]) for each in self.columns], axis=1)

    def fixed(self, columns: Mapping[str, Column]) -> Flags:
        """(n, m) what cannot change in each row, because the value is missing or special."""
        return np.stack([each.fixed(columns[each.feature.name]) for each in self.columns], axis=1)

    def snap(self, column: Indices, thresholds: Doubles) -> Doubles:
        """(k,) for thresholds of columns the values that part the training rows as they do; NaN where nothing does."""
        snapped = np.full(len(column), np.nan)
        for j in np.unique(column).tolist():
            rows = column == j
            snapped[rows] = self.columns[j].snap(thresholds[rows])
        return snapped

    def lacking(self) -> tuple[Clause, ...]:
        """What holds for the rows that lack a feature's value, or have a special code instead.

        No counterfactual crosses these, because it cannot change them; a tree splits on them all the same.

        >>> from scrutable.data import read_training
        >>> data = read_training({"age": [20.0, 60.0, None, 30.0]}, [0, 1, 1, 0])
        >>> [clause.describe() for clause in Inputs.of(data).lacking()]
        ['age is missing']
        """
        indicators = (each for each in self.columns if isinstance(each, IndicatorColumn) and not each.is_category)
        return tuple(each.above(0.0) for each in indicators)


def _made(feature: Feature, column: Column, weight: Doubles, nominal: bool, rare_share: float) -> list[InputColumn]:
    """The columns of a feature, from training rows that weigh something."""
    ordinary = _ordinary(feature, column)
    values, own = column.values[ordinary], weight[ordinary]
    made: list[InputColumn] = []
    if nominal:
        named = _frequent(values, own, rare_share * weight.sum())
        made += [IndicatorColumn(feature=feature, condition=Categories((value,))) for value in named]
    elif len(distinct := np.unique(np.clip(values, -_LARGEST, _LARGEST))) > 1:
        scaled = _scale(distinct, distinct)
        made.append(NumberColumn(feature=feature, values=distinct, scaled=scaled, median=_median(values, own)))
    seen = [code for code in feature.special_codes if (column.values == code).any()]
    made += [IndicatorColumn(feature=feature, condition=Special((code,))) for code in seen]
    if column.missing.any():
        made.append(IndicatorColumn(feature=feature, condition=Missing()))
    return made


def _scale(values: Doubles, training: Doubles) -> Doubles:
    """Values in [0, 1] by rising distinct training values: the finite ones linearly, infinities at the ends."""
    first, last = int(training[0] == -_LARGEST), len(training) - int(training[-1] == _LARGEST)
    start, end = _INFINITE * first, 1 - _INFINITE * (last < len(training))
    low, high = training[[first, last - 1]] if first < last else np.zeros(2)
    with np.errstate(over="ignore"):
        half = 1.0 if np.isfinite(high - low) else 0.5  # so that no difference is infinite
        share = np.clip((values * half - low * half) / ((high * half - low * half) or 1.0), 0, 1)
    inner = start + share * (end - start)
    return np.where(values >= _LARGEST, 1.0, np.where(values <= -_LARGEST, 0.0, inner))


def _frequent(values: NDArray[Any], weight: Doubles, least: float) -> list[Any]:
    """The categories that weigh at least so much; of two that are all there is, the lighter one; of one, none."""
    categories, position = np.unique(values, return_inverse=True)
    weighs = np.bincount(position, weight, len(categories))
    nameable = np.ones(len(categories), np.bool_) if categories.dtype == object else np.isfinite(categories)
    frequent = nameable & (weighs >= least)
    if len(categories) <= 2 and frequent.any():
        frequent[np.argmax(weighs)] = False
    named: list[Any] = categories[frequent].tolist()
    return named


def _median(values: Doubles, weight: Doubles) -> float:
    """The least value with at least half of the weight at or below it."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


def _ordinary(feature: Feature, column: Column) -> Flags:
    """Rows whose value is neither missing nor special."""
    return ~column.missing & ~np.isin(column.values, np.array(feature.special_codes, column.values.dtype))
