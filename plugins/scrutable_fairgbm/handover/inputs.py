"""Columns as the doubles that a booster is trained on, and what the doubles stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import is_nominal
from scrutable.data.frames import Column, Table, select
from scrutable.errors.checks import check_number
from scrutable.model import Feature, Node, Value, splits

Floats = NDArray[np.float64]

#: Columns of numbers that are all below the first, or all above the second, are handed over in another unit.
_TINY, _HUGE = 2.0**-60, 2.0**100


@dataclass(frozen=True, slots=True, kw_only=True)
class BoosterColumn:
    """What the doubles of one column of a booster's matrix stand for.

    Numbers stand for themselves, special codes among them. Categories are numbered: first those with a number of their
    own, then `other` for all further ones, then each special code. Missing is NaN.

    Parameters
    ----------
    feature : the feature.
    nominal : whether its values are categories.
    categories : the category that each number stands for; empty for numbers.
    exponent : numbers are handed over times two to this power, which loses no digit but among the smallest doubles.
    """

    feature: Feature
    nominal: bool
    categories: tuple[Value, ...] = ()
    exponent: int = 0

    @property
    def other(self) -> int:
        """The number of any category that has none of its own: rare, or never seen."""
        return len(self.categories)

    def encode(self, column: Column) -> Floats:
        """(n,) doubles of training rows and others."""
        if not self.nominal:
            with np.errstate(over="ignore", under="ignore"):  # of rows that are unlike those of training
                return np.ldexp(column.values, self.exponent) if self.exponent else column.values
        numbers = {value: float(number) for number, value in enumerate(self.categories)}
        numbers |= {code: float(self.other + 1 + at) for at, code in enumerate(self.feature.special_codes)}
        position, values = pd.factorize(column.values)  # -1, so the last one, where missing
        return np.array([*(numbers.get(value, float(self.other)) for value in values.tolist()), np.nan])[position]


@dataclass(frozen=True, slots=True)
class BoosterInputs:
    """Every column of a booster's matrix, in the order of the features."""

    columns: tuple[BoosterColumn, ...]

    @property
    def nominal(self) -> list[int]:
        """Positions of the columns that hold numbers of categories."""
        return [position for position, column in enumerate(self.columns) if column.nominal]

    def encode(self, table: Table) -> Floats:
        """(n, F) doubles, a column after the other in memory.

        Raises
        ------
        InputError : a column is not there.
        KindError : a column is of another kind than it was.
        """
        features = [column.feature for column in self.columns]
        columns = select(table, ((feature.name, feature.kind) for feature in features))
        matrix = np.empty((table.n_rows, len(features)), order="F")
        for position, column in enumerate(self.columns):
            matrix[:, position] = column.encode(columns[column.feature.name])
        return matrix

    def read_by(self, trees: Iterable[Node]) -> tuple[Feature, ...]:
        """The features that splits of these trees ask for."""
        used = {split.when.feature for tree in trees for split in splits(tree)}
        return tuple(column.feature for column in self.columns if column.feature.name in used)


def booster_inputs(
    features: Sequence[Feature],
    columns: Mapping[str, Column],
    *,
    categorical: Sequence[str] = (),
    min_share: float = 0.0,
) -> BoosterInputs:
    """What each column of the matrix stands for.

    Parameters
    ----------
    features, columns : as `TrainingData` holds them, n rows.
    categorical : numeric features whose numbers are categories.
    min_share : categories with a smaller share of the rows have no number of their own and are in no split by name.

    Raises
    ------
    InputError : an option out of range.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> table = as_table({"age": [41.0, -9.0, None], "job": ["cook", None, "clerk"]})
    >>> age = Feature(name="age", kind="numeric", special_codes=(-9,))
    >>> job = Feature(name="job", kind="categorical")
    >>> inputs = booster_inputs([age, job], {name: table.column(name) for name in table})
    >>> inputs.encode(table).tolist()
    [[41.0, 1.0], [-9.0, nan], [nan, 0.0]]
    >>> inputs.encode(as_table({"age": [30], "job": ["never seen"]})).tolist()
    [[30.0, 2.0]]
    """
    check_number(min_share, "min_share", "0 or more, below 1", high=1 - 2.0**-53)
    booster_columns = []
    for feature in features:
        column = columns[feature.name]
        nominal = is_nominal(feature, column, categorical)
        categories = _named(feature, column, min_share) if nominal else ()
        exponent = 0 if nominal else _exponent(column.values[~np.isin(column.values, feature.special_codes)])
        booster_columns.append(
            BoosterColumn(feature=feature, nominal=nominal, categories=categories, exponent=exponent)
        )
    return BoosterInputs(tuple(booster_columns))


def _exponent(numbers: Floats) -> int:
    """The power of two that brings numbers to 1 or less which are all tiny or huge; 0 for all others.

    LightGBM takes 1e-35 for 0, and XGBoost holds nothing below 1e-45 or above 3e38.

    >>> [_exponent(np.array(numbers)) for numbers in ([1e-46, -3e-47, np.nan], [2.0**130], [7.0, np.inf])]
    [152, -131, 0]
    """
    sizes = np.abs(numbers[np.isfinite(numbers) & (numbers != 0)])
    if not sizes.size or not (sizes.max() < _TINY or sizes.min() > _HUGE):
        return 0
    return -math.frexp(sizes.max())[1]


def _named(feature: Feature, column: Column, min_share: float) -> tuple[Value, ...]:
    """The categories with numbers of their own, sorted; an infinite number can be no category of a model."""
    position, values = pd.factorize(column.values, sort=True)
    counts = np.bincount(position[position >= 0], minlength=len(values))
    least = min_share * len(column.values)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    kept = [value for value, count in pairs if count >= least and value not in feature.special_codes]
    return tuple(value for value in kept if isinstance(value, str) or np.isfinite(value))
