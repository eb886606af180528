"""Models that cannot be meant say so; models that can are quiet."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from scrutable import create
from scrutable.errors import InputError
from scrutable.plugins import Selection
from scrutable.plugins.useless_models import DOUBT, DoubtfulModelWarning

_RNG = np.random.default_rng(0)
X = pd.DataFrame(_RNG.normal(size=(1500, 2)), columns=["income", "age"])
Y = (_RNG.random(1500) < 1 / (1 + np.exp(-X["income"] - 0.5 * X["age"]))).astype(int).to_numpy()


def learner(name: str = "scorecard", **options: Any) -> Any:
    return create("learner", name, **options)


def test_one_score_for_everybody_is_told_with_what_it_throws_away() -> None:
    rounded = learner(scaling={"pdo": 0.001, "decimals": 0})
    alone = roc_auc_score(Y, X["income"])
    expected = rf"it gives everybody the same score, and 'income' alone .* an AUC of {alone:.3f}"
    with pytest.warns(DoubtfulModelWarning, match=expected):
        rounded.fit(X, Y)
    assert "the same score" in rounded.evidence_.metrics[DOUBT]


def test_a_score_that_ranks_worse_than_an_input_is_told() -> None:
    against = {"income": "descending"}  # so that income tells nothing, and age is left
    with pytest.warns(DoubtfulModelWarning, match=r"'income' alone ranks .*, and its score with 0\.6"):
        learner(binner=create("binner", "optimal", trends=against)).fit(X, Y)


def test_a_selection_that_leaves_nothing_is_told_with_how_all_are_kept() -> None:
    none = learner(select="iv:floor=100")
    how = r"select=None \(--option select=null\) keeps all"
    with pytest.warns(DoubtfulModelWarning, match=f"{how} characteristics, and selection kept 0 of 2"):
        none.fit(X, Y)
    [header, *_] = Selection.of(none.evidence_).lines()
    assert re.search(f"0 of 2 characteristics kept, so all have one score; {how}$", header)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_no_reason_to_doubt(seed: int) -> None:
    y = np.random.default_rng(seed).permutation(Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DoubtfulModelWarning)
        assert DOUBT not in learner(binner="quantile").fit(X, y).evidence_.metrics


@pytest.mark.parametrize("name", ["scorecard", "lda-xgb1", "rug", "fairgbm", "fcca-tree"])
@pytest.mark.parametrize("unit", [2.0**-150, 2.0**150])
def test_the_unit_of_a_column_changes_no_decision(name: str, unit: float) -> None:
    """Units are powers of two, so that the numbers are the same but for their exponents."""
    usual = learner(name).fit(X, Y).predict(X)
    assert 0.1 < usual.mean() < 0.9
    assert (learner(name).fit(X * unit, Y).predict(X * unit) == usual).all()


def test_weights_too_large_to_add_up_are_refused() -> None:
    with pytest.raises(InputError, match="sample_weight: weights are too large to add up"):
        learner("rug").fit(X, Y, sample_weight=np.full(len(Y), 1e307))
