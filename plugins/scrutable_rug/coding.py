"""Training columns as small whole numbers, so that trees can count instead of sort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data import is_nominal
from scrutable.data.frames import Column
from scrutable.errors import InputError
from scrutable.errors.checks import check_number
from scrutable.model import Feature, Value
from scrutable_rug.cuts import choose_cuts, number_codes

Codes = NDArray[np.uint8]
MAX_CODES = 256
_MAX_SPECIAL = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedFeature:
    """What each code of a feature stands for; together the codes take in every value that a row can have.

    The first codes are the ordinary ones, then comes each special code, then missing. The ordinary codes of numbers
    are the intervals between the cuts, those of categories the named categories and, last, any other category.

    Parameters
    ----------
    feature : the feature.
    nominal : whether its values are categories.
    cuts : rising; an ordinary number has as its code how many of them are <= it. Empty for categories.
    categories : the category of each code; empty for numbers.
    seen : (n_codes,) whether a training row has the code.
    """

    feature: Feature
    nominal: bool
    cuts: NDArray[np.float64]
    categories: tuple[Value, ...]
    seen: NDArray[np.bool_]

    @property
    def n_ordinary(self) -> int:
        """Number of ordinary codes, which come first."""
        return (len(self.categories) if self.nominal else len(self.cuts)) + 1

    @property
    def n_codes(self) -> int:
        """Number of codes."""
        return self.n_ordinary + len(self.feature.special_codes) + 1

    def encode(self, column: Column) -> Codes:
        """(n,) code of each row, for training rows and others."""
        codes = self._categories(column) if self.nominal else number_codes(column.values, self.cuts)
        for at, code in enumerate(self.feature.special_codes):
            codes[column.values == code] = self.n_ordinary + at
        codes[column.missing] = self.n_codes - 1
        return codes

    def _categories(self, column: Column) -> Codes:
        position, values = pd.factorize(column.values)
        known = {value: code for code, value in enumerate(self.categories)}
        codes = np.array([known.get(value, len(known)) for value in values.tolist()] or [0], np.uint8)
        return codes[position]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedTable:
    """n rows of F coded features.

    Parameters
    ----------
    features : what the codes of each feature stand for.
    codes : (F, n) codes, a feature after the other in memory.
    """

    features: tuple[CodedFeature, ...]
    codes: Codes

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def offsets(self) -> NDArray[np.int64]:
        """(F + 1,) where the codes of each feature begin when all of them are numbered through."""
        return np.concatenate([[0], np.cumsum([coded.n_codes for coded in self.features])]).astype(np.int64)


def code_table(
    features: Sequence[Feature],
    columns: Mapping[str, Column],
    *,
    categorical: Sequence[str] = (),
    min_share: float = 0.0,
    max_codes: int = MAX_CODES,
) -> CodedTable:
    """Code training columns.

    Parameters
    ----------
    features, columns : as `TrainingData` holds them, n rows.
    categorical : numeric features whose numbers are categories.
    min_share : categories with a smaller share of the rows have no code of their own and are in no condition by name.
    max_codes : most codes of a feature, special codes and missing included. Numbers with more distinct values are cut
        at quantiles; of more categories the most frequent have codes of their own.

    Raises
    ------
    InputError : an option out of range, or more special codes than can be told apart.

    Examples
    --------
    >>> from scrutable.data.frames import as_table
    >>> table = as_table({"age": [41.0, 17.0, None, 30.0]})
    >>> coded = code_table([Feature(name="age", kind="numeric")], {"age": table.column("age")})
    >>> coded.features[0].cuts.tolist(), coded.codes.tolist()
    ([24.0, 36.0], [[2, 0, 3, 1]])
    """
    check_number(min_share, "min_share", "0 or more, below 1", high=1 - 2.0**-53)
    if not 2 + _MAX_SPECIAL < max_codes <= MAX_CODES:
        raise InputError(
            "unusable number of codes", where="max_codes", got=max_codes, allowed=f"{3 + _MAX_SPECIAL} to {MAX_CODES}"
        )
    codes = np.empty((len(features), len(next(iter(columns.values())).values)), np.uint8)
    made = []
    for at, feature in enumerate(features):
        nominal = is_nominal(feature, columns[feature.name], categorical)
        coded, codes[at] = _code(feature, columns[feature.name], nominal, min_share, max_codes)
        made.append(coded)
    return CodedTable(features=tuple(made), codes=codes)


def _code(
    feature: Feature, column: Column, nominal: bool, min_share: float, max_codes: int
) -> tuple[CodedFeature, Codes]:
    if len(feature.special_codes) > _MAX_SPECIAL:
        raise InputError(
            "too many special codes",
            where=f"feature {feature.name!r}",
            got=len(feature.special_codes),
            allowed=f"at most {_MAX_SPECIAL}",
            fix="name only the codes that the data has",
        )
    room = max_codes - len(feature.special_codes) - 2  # one for missing, one for the last interval or other categories
    ordinary = column.values[~column.missing & ~np.isin(column.values, _special(feature, column))]
    values, counts = _distinct(ordinary)
    cuts = np.empty(0) if nominal else choose_cuts(values, counts, room)
    categories = _named(values, counts, min_share * len(column.values), room) if nominal else ()
    coded = CodedFeature(
        feature=feature,
        nominal=nominal,
        cuts=cuts,
        categories=categories,
        seen=np.zeros(len(cuts) + len(categories) + len(feature.special_codes) + 2, np.bool_),
    )
    codes = coded.encode(column)
    coded.seen[np.flatnonzero(np.bincount(codes))] = True
    coded.seen.setflags(write=False)
    return coded, codes


def _named(values: NDArray[Any], counts: NDArray[np.int64], least: float, room: int) -> tuple[Value, ...]:
    """The categories that get codes of their own, sorted."""
    nameable = np.ones(len(values), bool) if values.dtype == object else np.isfinite(values)
    frequent = np.flatnonzero(nameable & (counts >= least))
    if not len(frequent) and nameable.any():  # a condition on any text at all needs one
        frequent = np.flatnonzero(nameable & (counts == counts[nameable].max()))[:1]
    kept = np.sort(frequent[np.argsort(-counts[frequent], kind="stable")[:room]])
    return tuple(values[kept].tolist())


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Rising distinct values, and how many rows have each."""
    if values.dtype == object:
        position, levels = pd.factorize(values, sort=True)
        return np.asarray(levels), np.bincount(position, minlength=len(levels))
    levels, counts = np.unique(values, return_counts=True)
    return levels, counts


def _special(feature: Feature, column: Column) -> NDArray[Any]:
    return np.array(feature.special_codes, dtype=column.values.dtype)
