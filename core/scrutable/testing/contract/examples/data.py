"""Small data that estimators are checked on: applicants with missing values, a special code and two groups."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scrutable.data.datasets import make_credit
from scrutable.model import Feature
from scrutable.plugins.bases import Learner, RegressionLearner
from scrutable.plugins.registry import registry
from scrutable.testing.contract.subject import Subject

ROWS = 360
#: The special code of the column `bureau_score`.
CODE = -9.0
_COLUMNS = ("income", "bureau_score", "late_payments", "housing")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingSample:
    """What an estimator is fitted on.

    Parameters
    ----------
    X : applicants; `income` (numbers) and `housing` (texts) have missing values, `bureau_score` the special code -9.
    y : "good" or "bad", the default favourable class being "good"; or a quantity.
    sensitive_features : the attribute `sex`, two groups of about the same size.
    """

    X: pd.DataFrame
    y: pd.Series[Any]
    sensitive_features: pd.DataFrame

    @classmethod
    def of(cls, columns: Mapping[str, Any], y: NDArray[Any], **groups: Any) -> TrainingSample:
        """Rows of arrays: columns, a quantity or truth values that are good or bad, and protected attributes."""
        outcomes = np.where(y, "good", "bad") if y.dtype == bool else y
        return cls(
            X=pd.DataFrame(columns),
            y=pd.Series(outcomes, dtype=object if y.dtype == bool else float, name="outcome"),
            sensitive_features=pd.DataFrame(groups, dtype=object),
        )

    def copy(self) -> TrainingSample:
        """Copy the values into frames of their own."""
        return self._each(lambda part: part.copy())

    def repeated(self, times: Any) -> TrainingSample:
        """Each row so many times, one copy after another."""
        places = np.repeat(np.arange(len(self.X)), times)
        return self._each(lambda part: part.iloc[places].reset_index(drop=True))

    def labelled(self, index: Any) -> TrainingSample:
        """The rows by other index labels."""
        return self._each(lambda part: part.set_axis(index, axis=0))

    def _each(self, change: Callable[[Any], Any]) -> TrainingSample:
        return TrainingSample(X=change(self.X), y=change(self.y), sensitive_features=change(self.sensitive_features))


def sample_for(subject: Subject) -> TrainingSample:
    """The data that suits a component: a quantity for a learner of quantities, classes for all others."""
    return _sample(learns_quantities(subject)).copy()


def learns_quantities(subject: Subject) -> bool:
    """Whether it is a learner of a quantity."""
    return issubclass(subject.load(), RegressionLearner)


def learns_classes(subject: Subject) -> bool:
    """Whether it is a learner of classes."""
    return issubclass(subject.load(), Learner)


def weights() -> NDArray[np.float64]:
    """(n,) weights of 1 and 2."""
    return np.asarray(1 + np.arange(ROWS) % 2, dtype=np.float64)


def edge_applicants() -> pd.DataFrame:
    """Applicants with a missing number, a missing text, the special code, an unseen text, and both infinities."""
    usual = _sample(False).X.dropna().iloc[[0]]
    unusual: list[dict[str, Any]] = [
        {"income": np.nan},
        {"housing": None},
        {"bureau_score": CODE},
        {"housing": "a castle"},
        {"income": np.inf},
        {"income": -np.inf},
        {"late_payments": np.nan},
    ]
    return pd.concat([usual.assign(**values) for values in unusual], ignore_index=True)


def with_special_codes(subject: Subject) -> dict[str, Any]:
    """Options that declare the special code, of the component's own or of the binner that it takes; none otherwise."""
    codes = {"bureau_score": [CODE]}
    if "special_codes" in subject.parameters:
        return {"special_codes": codes}
    return {"binner": quantile(special_codes=codes)} if "binner" in subject.parameters else {}


def quantile(**options: Any) -> Any:
    """The binner that learners under check are given."""
    return registry().create("binner", "quantile", **options)


def fitted(subject: Subject) -> Any:
    """The component, made with its options and the special code and fitted; for reading only."""
    return subject.once("fitted", lambda: fit(subject.make(**with_special_codes(subject)), sample_for(subject)))


def features_of(estimator: Any) -> tuple[Feature, ...]:
    """The features that what a fitted estimator learned reads."""
    if hasattr(estimator, "binning_"):
        return tuple(table.feature for table in estimator.binning_.tables)
    features: tuple[Feature, ...] = estimator.model_.features
    return features


def fit(estimator: Any, sample: TrainingSample, **more: Any) -> Any:
    """Fit an estimator; it is returned, whatever `fit` returns."""
    estimator.fit(sample.X, sample.y, **more)
    return estimator


@functools.cache
def _sample(quantity: bool) -> TrainingSample:
    drawn = make_credit(ROWS, seed=2, missing=0.1)
    X = drawn.X[list(_COLUMNS)].astype({"income": float, "bureau_score": float, "late_payments": float})
    X["housing"] = X["housing"].astype(object).where(X["housing"].notna(), None)
    bad = (drawn.y == 1) | (X["late_payments"] > 1) | (X["income"] < 1200)
    y = pd.Series(np.where(bad, "bad", "good"), dtype=object, name="outcome")
    if quantity:
        noise = np.random.default_rng(0).uniform(0, 0.2, ROWS)
        y = pd.Series(0.1 * X["late_payments"].to_numpy() + 0.3 * (y == "bad").to_numpy() + noise, name="loss")
    return TrainingSample(X=X, y=y, sensitive_features=drawn.sensitive_features[["sex"]].astype(object))
