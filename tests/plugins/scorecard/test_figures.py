"""Figures of the regressions of scorecards on data that do not behave: what has no error, and what is said of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable import create
from scrutable.data.datasets import Dataset
from scrutable.measures import Coefficient, RegressionFigures, remarks, warnings_in_words
from scrutable.model import dumps_evidence

Encodings = pytest.mark.parametrize("encoding", ["woe", "one-hot"])


def figures(X: Any, y: Any, sample_weight: Any = None, **options: Any) -> RegressionFigures:
    learner = create("learner", "scorecard", **({"binner": "quantile", "select": None, "explainer": None} | options))
    return RegressionFigures.read(learner.fit(X, y, sample_weight=sample_weight).evidence_)


def by_name(told: RegressionFigures) -> dict[tuple[str, str], Coefficient]:
    return {(each.feature, each.attribute): each for each in told.coefficients}


def words(told: RegressionFigures) -> str:
    return "\n".join(warnings_in_words(told))


def credit(rows: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows with two numbers that tell, one that does not, and a grade."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(rows, 3)), columns=["income", "debt", "noise"])
    X["grade"] = rng.choice(["a", "b", "c"], rows)
    score = X["income"] - X["debt"] + 0.4 * (X["grade"] == "a")
    return X, np.asarray(rng.random(rows) < 1 / (1 + np.exp(-score)))


@Encodings
def test_pure_attributes_are_named(encoding: str) -> None:
    X, y = credit(800)
    X["grade"] = np.where(y & (X["income"] > 1), "gold", X["grade"])
    told = figures(X, y, encoding=encoding)
    assert [(each.feature, each.attribute, each.favourable) for each in told.pure] == [("grade", "'gold'", True)]
    assert "Separated attributes, whose rows have one outcome alone: 'grade' 'gold' (only favourable)" in words(told)
    if encoding == "one-hot":
        gold = by_name(told)["grade", "'gold'"]
        assert (gold.held, gold.model_error, gold.sandwich_error) == ("pure", None, None)
        assert gold.value > 1
        assert by_name(told)["grade", "'b'"].held in ("", "reference")
        assert "finite by the ridge alone" in words(told)
    else:
        assert by_name(told)["grade", ""].model_error is not None


@Encodings
def test_sixty_rows_give_figures_or_say_why_there_are_none(encoding: str) -> None:
    for seed in range(6):
        X, y = credit(60, seed)
        told = figures(X, y, encoding=encoding)
        for each in told.coefficients:
            assert (each.model_error is None) == bool(each.held)
            assert math.isfinite(each.value)
        assert told.rank <= 60
        told.frame()
        assert str(told.to_dict())
        assert 0 <= told.likelihood_ratio_p <= 1


@pytest.mark.filterwarnings("ignore::scrutable.data.separation.LeakWarning")
def test_rows_that_the_score_divides_are_told_of() -> None:
    X, _ = credit(60)
    told = figures(X[["income", "debt"]], X["income"] > 0, binner=create("binner", "quantile", cuts={"income": [0.0]}))
    assert told.separated
    assert "divides these rows wholly by their outcome" in words(told)


@Encodings
def test_two_identical_columns_have_no_errors_of_their_own(encoding: str) -> None:
    X, y = credit(900)
    alone = by_name(figures(X, y, encoding=encoding))
    for ridge in (0.0, 1e-4):
        told = figures(X.assign(again=X["income"]), y, encoding=encoding, ridge=ridge)
        own = [each for each in told.coefficients if each.feature in ("income", "again") and each.held != "reference"]
        assert {(each.held, each.vif) for each in own} == {("dependent", math.inf)}
        assert "'income', 'again'" in words(told)
        assert ("only the ridge divides among them" in words(told)) == (ridge > 0)
        assert told.condition_number == math.inf
        debt = [each for each in told.coefficients if each.feature == "debt" and each.model_error is not None]
        assert debt
        for each in debt:
            assert each.model_error == pytest.approx(alone["debt", each.attribute].model_error, rel=2e-2)


@Encodings
def test_weights_of_zero_are_no_rows(german: Dataset, encoding: str) -> None:
    weight = np.where(np.arange(len(german.y)) % 3 == 0, 0.0, 1.0)
    inside = weight > 0
    one = figures(german.X, german.y, weight, encoding=encoding)
    other = figures(german.X[inside], german.y[inside], encoding=encoding)
    assert (one.rows, one.weight) == (inside.sum(), inside.sum())
    assert one.errors == "model"
    left, right = one.frame(), other.frame()
    pd.testing.assert_frame_equal(left, right, rtol=1e-6)


def test_weights_make_the_sandwich_the_error_whatever_their_scale(german: Dataset) -> None:
    weight = np.random.default_rng(0).uniform(0.5, 4, len(german.y))
    one, other = (figures(german.X, german.y, factor * weight) for factor in (1, 1000))
    assert one.errors == "sandwich"
    np.testing.assert_allclose(one.frame()["error"].dropna(), other.frame()["error"].dropna(), rtol=1e-6)
    assert "take weights as those of a sample" in " ".join(remarks(one))


@Encodings
def test_two_hundred_columns(encoding: str) -> None:
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(1500, 200))).add_prefix("x")
    y = rng.random(1500) < 1 / (1 + np.exp(-X["x0"] - X["x1"]))
    told = figures(X, y, encoding=encoding, binner=create("binner", "quantile", max_bins=3))
    assert {each.feature for each in told.coefficients} == {"", *X}
    assert told.rank == 1 + sum(each.model_error is not None for each in told.coefficients[1:])
    first = [told.p(each) for each in told.coefficients if each.feature == "x0" and told.p(each) is not None]
    assert min(first) < 1e-4
    assert len(words(told)) < 2000


def test_rare_flags(german: Dataset) -> None:
    rng = np.random.default_rng(3)
    X = german.X.assign(flag=(rng.random(len(german.y)) < 0.012).astype(int))
    for encoding in ("woe", "one-hot"):
        own = [each for each in figures(X, german.y, encoding=encoding).coefficients if each.feature == "flag"]
        assert any(each.held or each.model_error > 0.1 for each in own)


def test_attributes_of_few_rows_are_not_told() -> None:
    X, y = credit(600)
    X.loc[:2, "grade"] = "z"
    told = figures(X, y, encoding="one-hot")
    assert not any("z" in each.attribute for each in told.coefficients)
    assert not any("z" in each.attribute for each in told.pure)


def test_a_coefficient_on_its_bound_is_named_and_has_no_error() -> None:
    X, y = credit(900)
    rng = np.random.default_rng(1)
    X["copy"] = X["income"] + rng.normal(size=900) * 0.3 - 0.0
    X["against"] = X["income"] + 0.8 * rng.normal(size=900)
    y = np.asarray(rng.random(900) < 1 / (1 + np.exp(-2 * X["income"] + 0.8 * X["against"])))
    told = figures(X[["income", "against"]], y)
    held = by_name(told)["against", ""]
    assert (held.value, held.held, held.vif, told.error(held)) == (0.0, "sign", None, None)
    assert "Held at 0 by their sign" in words(told)
    assert "'against'; they have no standard error, and those of the others take it as given" in words(told)
    alone = figures(X[["income"]], y)
    for name in ("model_error", "sandwich_error", "value"):
        own, other = (getattr(by_name(each)["income", ""], name) for each in (told, alone))
        assert own == pytest.approx(other, rel=1e-6)
    assert (told.rank, told.aic) == (2, pytest.approx(alone.aic))


def test_attributes_that_a_trend_ties_have_one_value_and_one_error() -> None:
    X, y = credit(900)
    cuts = {"noise": [-1.0, 0.0, 1.0]}
    binner = create("binner", "quantile", cuts=cuts, trends={"noise": "ascending", "income": "ascending"})
    told = figures(X, y, encoding="one-hot", binner=binner)
    assert told.tied
    own = by_name(told)
    for each in told.tied:
        alike = [own[each.feature, attribute] for attribute in each.attributes]
        assert len({one.value for one in alike}) == 1
        assert len({one.model_error for one in alike}) == 1
        assert " with ".join(each.attributes) in words(told)
    without = len({(each.feature, each.value) for each in told.coefficients})
    assert told.rank == without - len({each.feature for each in told.coefficients if each.feature})
    assert all(told.rank < figures(X, y, encoding="one-hot", binner=other).rank for other in ["quantile"])


def test_evidence_does_not_depend_on_the_order_of_rows(german: Dataset) -> None:
    for encoding in ("woe", "one-hot"):
        learners = [
            create("learner", "scorecard", encoding=encoding, binner="quantile").fit(
                german.X.iloc[::step], german.y.iloc[::step]
            )
            for step in (1, -1)
        ]
        one, other = (dumps_evidence(each.evidence_).replace(each.evidence_.model_sha256, "") for each in learners)
        assert one == other


def test_a_quantity_that_never_changes_has_no_figures() -> None:
    X, _ = credit(100)
    learner = create("learner", "scorecard-regressor", binner="quantile").fit(X, np.full(100, 2.0))
    assert RegressionFigures.of(learner.evidence_) is None


def test_a_quantity_on_the_bound_and_identical_columns() -> None:
    X, _ = credit(700)
    rng = np.random.default_rng(9)
    X["again"] = X["income"]
    learner = create("learner", "scorecard-regressor", binner="quantile")
    told = RegressionFigures.read(learner.fit(X, X["income"] + rng.normal(size=700)).evidence_)
    assert told.kind == "linear"
    assert by_name(told)["again", ""].held == by_name(told)["income", ""].held == "dependent"
    assert told.residual_degrees == 700 - told.rank
    assert by_name(told)["noise", ""].held in ("", "sign")
    perfect = learner.fit(X[["grade"]], (X["grade"] == "a") * 1.0)
    own = RegressionFigures.read(perfect.evidence_)
    assert own.likelihood_ratio is None or own.likelihood_ratio > 0


def test_a_quantity_that_is_fitted_without_rest_has_no_tests() -> None:
    X = pd.DataFrame({"grade": ["a", "b", "c"] * 40})
    y = X["grade"].map({"a": 1.0, "b": 2.0, "c": 5.0})
    learner = create("learner", "scorecard-regressor", binner="quantile", ridge=0).fit(X, y)
    told = RegressionFigures.read(learner.evidence_)
    assert (told.aic, told.bic, told.likelihood_ratio, told.likelihood_ratio_p) == (None,) * 4
    assert {each.held for each in told.coefficients} == {"perfect"}
    assert str(told) == "RegressionFigures(linear, 1 coefficients and the intercept, a perfect fit)"
    assert told.to_dict()["log_likelihood"] == "inf"


@pytest.mark.parametrize("policy", ["neutral", "worst"])
def test_the_encoding_is_that_of_the_policy(policy: str) -> None:
    X, y = credit(900)
    X.loc[::9, "income"] = np.nan
    edits = [{"feature": "income", "action": "missing", "policy": policy}]
    binner = create("binner", "quantile", edits=edits)
    told = figures(X[["income"]], y, binner=binner, ridge=0)
    woe = np.asarray(binner.fit_transform(X[["income"]], y))[:, 0]
    rows, slope = np.stack([np.ones(900), woe], axis=1), by_name(told)["income", ""]
    p = 1 / (1 + np.exp(-(told.coefficients[0].value + slope.value * woe)))
    expected = np.sqrt(np.linalg.inv(rows.T @ ((p * (1 - p))[:, None] * rows))[1, 1])
    assert slope.model_error == pytest.approx(expected, rel=1e-9)
