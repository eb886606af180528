"""What is compared: learners of this project, OptBinning's own card, and a shrunken logistic regression."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from clock import timed
from optbinning import BinningProcess, Scorecard
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from cards.data import Floats, Rows, Split
from scrutable import create

#: Rows of a category that has a column of its own.
_FREQUENT = 10
_COMMON: dict[str, Any] = {"favourable": 1, "explainer": None}


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """One fit.

    Parameters
    ----------
    probability : of the good class, for the rows held out.
    seconds : CPU time of the fit.
    card : what the learner `additive` tells of the card, else nothing.
    """

    probability: Floats
    seconds: float
    card: Mapping[str, Any] = field(default_factory=dict)


def additive(parts: Split, **options: Any) -> Fitted:
    """The learner `additive` with some options."""
    made = create("learner", "additive", special_codes=parts.learned.special or None, **_COMMON, **options)
    fitted = _learned(made, parts)
    return replace(fitted, card=made.evidence_.metrics["additive"])


def scorecard(parts: Split) -> Fitted:
    """The default learner."""
    binner = create("binner", "optimal", special_codes=parts.learned.special or None)
    return _learned(create("learner", "scorecard", binner=binner, **_COMMON), parts)


def optbinning(parts: Split) -> Fitted:
    """OptBinning's scorecard with its defaults: WoE of its bins, and a logistic regression with scikit-learn's."""
    rows = parts.learned
    names = [str(name) for name in rows.X]
    process = BinningProcess(names, categorical_variables=rows.texts, special_codes=list(rows.special) or None)
    made = Scorecard(process, LogisticRegression())
    seconds, _ = quietly(partial(made.fit, rows.X, rows.y))
    return Fitted(probability=quietly(partial(made.predict_proba, parts.held.X))[1][:, 1], seconds=seconds)


def logistic(parts: Split) -> Fitted:
    """A logistic regression that is shrunken as much as cross-validation says.

    Numbers are standardised, with a mark for each special value and for missing ones; categories of ten rows have
    columns of their own.
    """
    texts = parts.learned.texts
    encoder = OneHotEncoder(min_frequency=_FREQUENT, handle_unknown="infrequent_if_exist")
    made = make_pipeline(
        make_column_transformer((encoder, texts), remainder=StandardScaler()),
        LogisticRegressionCV(scoring="neg_log_loss", max_iter=1_000),
    )
    means = parts.learned.X.mask(_unknown(parts.learned)).mean(numeric_only=True)
    learned, held = (_marked(rows, means) for rows in (parts.learned, parts.held))
    seconds, _ = quietly(partial(made.fit, learned, parts.learned.y))
    return Fitted(probability=quietly(partial(made.predict_proba, held))[1][:, 1], seconds=seconds)


def _learned(made: Any, parts: Split) -> Fitted:
    seconds, _ = quietly(partial(made.fit, parts.learned.X, parts.learned.y))
    probability = quietly(partial(made.predict_proba, parts.held.X))[1][:, list(made.classes_).index(1)]
    return Fitted(probability=probability, seconds=seconds)


def _unknown(rows: Rows) -> pd.DataFrame:
    """Which numbers are missing or stand for a reason."""
    numeric = rows.X.drop(columns=rows.texts)
    return (numeric.isna() | numeric.isin(rows.special)).reindex(columns=rows.X.columns, fill_value=False)


def _marked(rows: Rows, means: pd.Series) -> pd.DataFrame:
    """Numbers with their mean where there is none, a mark for each reason, and texts."""
    columns = dict(rows.X[rows.texts].items())
    unknown = _unknown(rows)
    for name in means.index:
        numbers = rows.X[name]
        columns[name] = numbers.mask(unknown[name]).fillna(means[name]).astype(float)
        columns[f"{name} missing"] = numbers.isna().astype(float)
        columns |= {f"{name} is {code}": (numbers == code).astype(float) for code in rows.special}
    return pd.DataFrame(columns)


def quietly(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU time of a call and what it gives, without what it says of the data."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return timed(work)
