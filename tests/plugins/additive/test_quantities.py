"""A quantity: the dense fit beside a ridge regression, strengths beside their likelihood, and the card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import Ridge
from tests.plugins.additive.problems import drawn_quantity, every_row, indicators
from typer.testing import CliRunner

from scrutable import create
from scrutable.cli.app import app
from scrutable.data.datasets import load_german_credit
from scrutable.errors import InputError
from scrutable.model import PointIntervals, RegressionScorecard, dump_evidence
from scrutable.plugins import CardPath
from scrutable_additive.dense import TOLERANCE, dense_fit
from scrutable_additive.families import Gaussian
from scrutable_additive.fine import FineBinner
from scrutable_additive.problem import Problem
from scrutable_additive.regressor import AdditiveRegressor
from scrutable_additive.smoothing import RIDGE, added, determined

GERMAN = load_german_credit()
X, AMOUNT = GERMAN.X.drop(columns="credit_amount"), GERMAN.X["credit_amount"] / 1000


def story(learner: AdditiveRegressor) -> Any:
    """What the evidence tells."""
    return learner.evidence_.metrics["additive"]


@pytest.mark.parametrize("seed", range(10))
def test_the_dense_fit_is_that_of_scikit_learns_ridge_with_its_penalties(seed: int) -> None:
    problem = drawn_quantity(seed, 150)
    fit = dense_fit(problem.rows, problem.penalties)
    assert fit.kkt_residual <= TOLERANCE
    assert isinstance(fit.family, Gaussian)
    every = [each for block in fit.penalties for each in block]
    half = np.linalg.cholesky(fit.family.dispersion * added(every, np.zeros_like(fit.curvature.alone))).T
    theirs = Ridge(alpha=1.0, solver="cholesky")  # of half θ, whose squares are the penalties
    shown, rows = indicators(problem.rows) @ np.linalg.inv(half), every_row(problem.rows)
    theirs.fit(shown, rows.target, sample_weight=rows.weight)
    np.testing.assert_allclose(fit.values, np.linalg.solve(half, theirs.coef_), atol=1e-7)
    assert fit.intercept == pytest.approx(theirs.intercept_, abs=1e-7)


def test_the_curvature_is_that_of_the_last_dispersion() -> None:
    problem = drawn_quantity(3)
    fit = dense_fit(problem.rows, problem.penalties)
    assert isinstance(fit.family, Gaussian)
    shown, weight = indicators(problem.rows), every_row(problem.rows).weight / fit.family.dispersion
    by_bin = shown.T @ weight
    alone = (shown.T * weight) @ shown - np.outer(by_bin, by_bin) / weight.sum()
    np.testing.assert_allclose(fit.curvature.alone, alone, atol=1e-7)


def test_dispersion_is_what_is_left_over_the_rows_that_parameters_leave() -> None:
    problem = drawn_quantity(4, 400)
    fit = dense_fit(problem.rows, problem.penalties, estimating=200)
    assert isinstance(fit.family, Gaussian)
    rows = every_row(problem.rows)
    away = rows.target - problem.rows.scores(rows, fit.values, fit.intercept)
    blocks = zip(fit.penalties, problem.rows.slices, strict=True)
    parameters = 1 + sum(determined(own, bins, fit.curvature.alone) for own, bins in blocks)
    left = rows.weight.sum() - parameters
    assert fit.family.dispersion == pytest.approx((rows.weight @ away**2) / left, rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_strength_and_dispersion_maximise_the_restricted_likelihood(seed: int) -> None:
    """Of one feature, where block by block is all at once; with the gamma prior of the strength."""
    chance = np.random.default_rng(seed)
    value = chance.uniform(0, 1, 500)
    amount = np.sin(6 * value) + chance.normal(0, 0.5, 500)
    binner = FineBinner(max_bins=15)
    data = binner.read_quantity({"value": value}, amount)
    problem = Problem.of_quantity(data, binner, ())
    fit = dense_fit(problem.rows, problem.penalties, estimating=300)
    walk = fit.penalties[0][0]
    shown, target = indicators(problem.rows)[:, walk.bins], every_row(problem.rows).target
    design = np.concatenate([np.ones((500, 1)), shown], axis=1)
    size, (known, variance) = len(walk.matrix), walk.known

    def lost(at: np.ndarray) -> float:
        strength, dispersion = np.exp(at)
        prior = np.zeros((size + 1, size + 1))
        prior[1:, 1:] = strength * walk.matrix + RIDGE * np.eye(size)
        precision = design.T @ design / dispersion + prior
        values = np.linalg.solve(precision, design.T @ target / dispersion)
        away = target - design @ values
        terms = away @ away / dispersion + values @ prior @ values + np.linalg.slogdet(precision)[1]
        terms += 500 * np.log(dispersion) - walk.rank * np.log(strength)
        return float(terms - known * (np.log(strength) - strength * variance))

    best = minimize(lost, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000})
    assert isinstance(fit.family, Gaussian)
    np.testing.assert_allclose([walk.strength, fit.family.dispersion], np.exp(best.x), rtol=1e-4)


def test_the_card_tells_nearly_as_much_as_many_bins_and_its_points_add_up_to_the_prediction() -> None:
    learner = AdditiveRegressor(unit="thousands").fit(X, AMOUNT)
    told, model = story(learner), learner.model_
    assert isinstance(model, RegressionScorecard)
    assert model.outcome.unit == "thousands"
    assert told["chosen"]["kept"] >= 0.995
    assert told["chosen"]["r2"] == pytest.approx(learner.score(X, AMOUNT), abs=1e-6)
    assert told["chosen"]["rmse"] == pytest.approx(np.sqrt(np.mean((learner.predict(X) - AMOUNT) ** 2)), abs=1e-6)
    assert told["dense"]["r2"] == pytest.approx(told["chosen"]["r2"], abs=0.01)
    assert learner.predict(X).mean() == pytest.approx(AMOUNT.mean(), abs=1e-6)
    assert [card["r2"] for card in told["path"]] == sorted((card["r2"] for card in told["path"]), reverse=True)
    sentences = list(AdditiveRegressor.about_learning(learner.evidence_))
    assert any("fewer steps would cost" in each and "of the R²" in each for each in sentences)


def test_a_quantity_in_another_unit_is_learned_alike() -> None:
    usual = AdditiveRegressor().fit(X, AMOUNT)
    other = AdditiveRegressor().fit(X, 256 * AMOUNT + 1024)
    assert story(usual)["chosen"]["steps"] == story(other)["chosen"]["steps"]
    assert story(usual)["left_out"].keys() == story(other)["left_out"].keys()
    np.testing.assert_allclose((other.predict(X) - 1024) / 256, usual.predict(X), atol=1e-4)


def test_few_of_many_columns_of_noise_are_on_the_card() -> None:
    chance = np.random.default_rng(8)
    frame = pd.DataFrame(chance.normal(size=(800, 101)), columns=[f"x{place}" for place in range(101)])
    learner = AdditiveRegressor().fit(frame, frame["x0"] + chance.normal(size=800))
    names = [each.feature for each in learner.model_.characteristics]
    assert "x0" in names
    assert len(names) <= 20


def test_intervals_are_those_of_the_means_of_attributes_of_one_characteristic() -> None:
    chance = np.random.default_rng(1)
    value = chance.integers(0, 3, 900).astype(float)
    amount = 10 + 2 * value + chance.normal(0, 3, 900)
    binner = FineBinner(cuts={"value": [1.0, 2.0]})
    learner = AdditiveRegressor(binner=binner).fit({"value": value}, amount)
    sure = PointIntervals.of(learner.evidence_, learner.model_)
    away = amount - pd.Series(amount).groupby(value).transform("mean")
    spread = away.to_numpy() @ away.to_numpy() / (900 - 3)
    for place, sides in enumerate(sure.sides("value")[:3]):
        count = (value == place).sum()
        expected = 2 * 1.959964 * np.sqrt(spread * (1 / count - 1 / 900))
        assert sides[1] - sides[0] == pytest.approx(expected, rel=5e-3)


def test_decimals_trends_and_policies_are_kept() -> None:
    frame = X.assign(installment_rate=X["installment_rate"].where(np.arange(len(X)) % 7 != 0))
    edit = {"feature": "installment_rate", "action": "missing", "policy": "with", "bin": 0.0}
    learner = AdditiveRegressor(
        decimals=1, trends={"duration_months": "descending"}, must=["installment_rate"], binner=FineBinner(edits=[edit])
    ).fit(frame, AMOUNT)
    table = {each.feature: [a.points for a in each.attributes] for each in learner.model_.characteristics}
    assert all(abs(10 * point - round(10 * point)) < 1e-7 for points in table.values() for point in points)
    assert table.get("duration_months", [0.0])[:-1] == sorted(table.get("duration_months", [0.0])[:-1], reverse=True)
    assert table["installment_rate"][-1] == table["installment_rate"][0]
    assert story(learner)["rounding"]["point"] == pytest.approx(0.1)
    assert story(learner)["rounding"]["lost"] <= story(learner)["rounding"]["lost_at_most"]


@pytest.mark.parametrize("decimals", [0, 2])
def test_figures_of_rounded_points_are_those_of_the_model_with_its_rounded_base(decimals: int) -> None:
    learner = AdditiveRegressor(decimals=decimals).fit(X, AMOUNT)
    assert story(learner)["rounding"]["r2"] == pytest.approx(learner.score(X, AMOUNT), abs=1e-9)


def test_a_quantity_that_never_changes_or_is_told_exactly_is_predicted() -> None:
    ages = np.arange(400.0) % 20
    for value in (0.1, -3.0):
        constant = AdditiveRegressor().fit({"age": ages}, np.full(400, value))
        assert constant.predict({"age": [1.0, np.nan]}) == pytest.approx([value, value], abs=2**-29)
    steps = np.where(ages < 7, 1.0, 4.0)
    exact = AdditiveRegressor().fit({"age": ages}, steps)
    np.testing.assert_allclose(exact.predict({"age": ages}), steps, atol=0.02)


def test_a_copy_of_a_column_is_left_out_unless_it_is_asked_for() -> None:
    twice = X.assign(again=2 * X["duration_months"])
    learner = AdditiveRegressor().fit(twice, AMOUNT)
    copies = {name: each["of"] for name, each in story(learner)["left_out"].items() if each["why"] == "copy"}
    assert [{name, of} for name, of in copies.items()] == [{"again", "duration_months"}]
    np.testing.assert_array_equal(learner.predict(twice), AdditiveRegressor().fit(X, AMOUNT).predict(X))
    must = AdditiveRegressor(must=["again", "duration_months"]).fit(twice, AMOUNT)
    assert {"again", "duration_months"} <= {each.feature for each in must.model_.characteristics}


def test_the_path_of_a_quantity_is_shown_by_its_own_figures(tmp_path: Path) -> None:
    dump_evidence(AdditiveRegressor().fit(X, AMOUNT).evidence_, tmp_path / "evidence.json")
    arguments = ["path", str(tmp_path / "evidence.json")]
    shown = CliRunner().invoke(app, [*arguments, "-o", str(tmp_path / "path.svg")])
    assert shown.exit_code == 0, shown.output
    assert "R² and RMSE of the training rows" in shown.output
    cards = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)["cards"]
    assert cards[0]["r2"] > cards[-1]["r2"] == pytest.approx(0.0, abs=1e-9)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="y: the target is too large for points"):
        AdditiveRegressor().fit(X, AMOUNT * 1e7)
    with pytest.raises(InputError, match=r"it bins for two classes, not for a quantity.*use the binner fine, manual"):
        AdditiveRegressor(binner="xgb1").fit(X, AMOUNT)
    with pytest.raises(InputError, match=r"must: unknown column; got 'purposes'.*did you mean 'purpose'"):
        AdditiveRegressor(must=["purposes"]).fit(X, AMOUNT)


def test_another_card_is_chosen_by_the_path_in_the_evidence() -> None:
    path = CardPath.of(AdditiveRegressor().fit(X, AMOUNT).evidence_)
    assert path is not None
    fewer = next(card for card in path.measured if card.steps < path.model.steps)
    assert path.learner == "additive-regressor"
    assert path.to(fewer.steps).describe().startswith(f"{path.model.steps - fewer.steps} fewer step")
    told = story(create("learner", path.learner, **{path.option: fewer.steps}).fit(X, AMOUNT))
    assert (told["chosen"]["steps"], told["chosen"]["r2"]) == (fewer.steps, fewer.merit)
