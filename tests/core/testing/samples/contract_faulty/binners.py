"""Binners with a fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from contract_samples.healthy import TinyBinner

from scrutable.errors import InputError


class Mutating(TinyBinner):
    """Fills in missing values in the caller's own frame."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        if hasattr(X, "columns") and "income" in X:
            X["income"] = X["income"].fillna(0.0)
        return super().fit(X, y, **more)


class RowDropping(TinyBinner):
    """Leaves out rows with missing values."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        kept = X.notna().all(axis=1) if hasattr(X, "notna") else slice(None)
        return super().fit(X[kept], y[kept])


class NoBinning(TinyBinner):
    """Gives a dict where a Binning is due."""

    def bin(self, data: Any) -> Any:
        return {"tables": super().bin(data).tables}


class Trendless(TinyBinner):
    """Forgets the trends that it is asked for."""

    def bin(self, data: Any) -> Any:
        kept, self.trends = self.trends, None
        binning = super().bin(data)
        self.trends = kept
        return binning

    def find_cuts(self, sample: Any) -> Any:
        return [1500.0, 2500.0]


class CutIgnoring(TinyBinner):
    """Finds its own cuts where the user has fixed some."""

    def bin(self, data: Any) -> Any:
        kept, self.cuts, self.merges = (self.cuts, self.merges), None, None
        binning = super().bin(data)
        self.cuts, self.merges = kept
        return binning


class Miscounting(TinyBinner):
    """Counts good rows as bad, and the other way round."""

    def bin(self, data: Any) -> Any:
        binning = super().bin(data)
        tables = tuple(
            replace(table, statistics=tuple(replace(s, good=s.bad, bad=s.good) for s in table.statistics))
            for table in binning.tables
        )
        return replace(binning, tables=tables)


class Random(TinyBinner):
    """Draws its cuts."""

    def find_cuts(self, sample: Any) -> Any:
        return [float(np.random.default_rng().uniform(1000, 2000))]


class Undocumented(TinyBinner):
    """Has an option that nobody knows the meaning of."""

    def __init__(self, *, knob: int = 3, **more: Any) -> None:
        super().__init__(**more)
        self.knob = knob


class HalfFitted(TinyBinner):
    """Notes the rows before it knows that they are any good."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        self.rows_ = len(X)
        return super().fit(X, y, **more)


class Vague(TinyBinner):
    """Says of wrong data that it is wrong."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        try:
            return super().fit(X, y, **more)
        except InputError as error:
            raise InputError("something is wrong", fix="do it right") from error


class Wordy(TinyBinner):
    """Is described in two lines."""


class Capital_Name(TinyBinner):  # noqa: N801 -- as its component is called
    """Is called by a name that nobody can type."""


class Unsourced(TinyBinner):
    """Comes from nowhere."""


class Misdeclared(TinyBinner):
    """Declares failures that are none."""


class AllTaking(TinyBinner):
    """Passes over whatever goes wrong."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        try:
            return super().fit(X, y, **more)
        except Exception:
            return self


class Crashing(TinyBinner):
    """Fails on wrong data in a way of its own."""

    def fit(self, X: Any, y: Any = None, **more: Any) -> Any:
        try:
            return super().fit(X, y, **more)
        except InputError as error:
            raise RuntimeError("oops") from error


class Unasking(TinyBinner):
    """Bins whatever it gets, whether it is fitted or not."""

    def transform(self, X: Any) -> Any:
        return np.zeros(np.shape(X))


class GroupBlind(TinyBinner):
    """Does not look at protected attributes."""

    def fit(self, X: Any, y: Any = None, *, sensitive_features: Any = None, sample_weight: Any = None) -> Any:
        return super().fit(X, y, sample_weight=sample_weight)


class WeightBlind(TinyBinner):
    """Has no sample weights, and no protected attributes either."""

    def fit(self, X: Any, y: Any = None) -> Any:
        return super().fit(X, y)


class CodeBlind(TinyBinner):
    """Takes special codes for numbers."""

    def read(self, X: Any, y: Any, **options: Any) -> Any:
        return super().read(X, y, **options, special_codes=None)


class Bulky(TinyBinner):
    """Has more bins than it may have.

    Parameters
    ----------
    max_bins : what it does not keep to.
    """

    def __init__(self, *, max_bins: int = 9, **more: Any) -> None:
        super().__init__(**more)
        self.max_bins = max_bins

    def find_cuts(self, sample: Any) -> Any:
        return [0.0, 1.0, 1500.0, 2500.0]


class Bare(TinyBinner):
    """Has no options at all."""

    def __init__(self) -> None:
        super().__init__()


class WeightIgnoring(TinyBinner):
    """Reads weights, and lets every row count for one."""

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any, **options: Any) -> Any:
        data = super().read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight, **options)
        return replace(data, weight=np.ones_like(data.weight))


class Declared(WeightIgnoring):
    """Does so, and says so."""


class Excused(WeightIgnoring):
    """Does so, and asks to be excused."""


class Overstating(TinyBinner):
    """Enforces a limit that nobody knows."""


class Inapplicable(TinyBinner):
    """Declares failures of checks that are not made of it."""


class Basic(TinyBinner):
    """Declares that it cannot be made."""


class Careful(TinyBinner):
    """Declares the failure of one of scikit-learn's checks that it passes."""


class Sparse(TinyBinner):
    """Declares the failure of a check that scikit-learn does not make of it."""
