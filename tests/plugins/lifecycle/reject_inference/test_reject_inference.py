"""Fuzzy augmentation and parcelling: by hand, and on simulated applicants whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from scrutable import create, evaluate
from scrutable.data.datasets import make_credit
from scrutable.errors import InputError
from scrutable.fairness import auc
from scrutable.model import (
    Attribute,
    Calibration,
    Categories,
    Characteristic,
    Clause,
    Feature,
    Interval,
    Missing,
    Outcome,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
)
from scrutable_lifecycle.reject_inference import fuzzy_augmentation, parcelling


@pytest.fixture(scope="module")
def card() -> Scorecard:
    """Scores 0 and 10; even odds at 0, and 3 good to 1 bad at 10."""
    age = Characteristic(
        feature="age",
        attributes=(
            Attribute(condition=Interval(upper=25), points=0),
            Attribute(condition=Interval(lower=25), points=10),
            Attribute(condition=Missing(), points=0),
        ),
    )
    return Scorecard(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(Feature(name="age", kind="numeric"),),
        characteristics=(age,),
        base_points=0,
        cutoff=5,
        calibration=Calibration(slope=float(np.log(3) / 10)),
    )


def test_fuzzy_by_hand(card: Scorecard) -> None:
    rejected = {"age": [20.0, 30.0]}
    found = fuzzy_augmentation(card, ["good", "bad"], rejected, rejected_weight=[1.0, 4.0])
    assert found.y.tolist() == ["good", "bad", "good", "good", "bad", "bad"]
    assert found.rejected.tolist() == [0, 1, 0, 1]
    assert found.sample_weight.tolist() == pytest.approx([1, 1, 0.5, 3, 0.5, 1])
    worse = fuzzy_augmentation(card, ["good", "bad"], rejected, factor=3.0)
    assert worse.sample_weight.tolist() == pytest.approx([1, 1, 1 / 4, 1 / 2, 3 / 4, 1 / 2])


def test_parcelling_by_hand(card: Scorecard) -> None:
    # Accepted: 1 bad of 2 in the lower band, 1 of 4 in the upper. Rejected: 4 and 8.
    accepted = {"age": [20.0] * 2 + [30.0] * 4}
    y = ["bad", "good", "bad", "good", "good", "good"]
    rejected = {"age": [20.0] * 4 + [30.0] * 8}
    found = parcelling(card, accepted, y, rejected, bands=3)
    guessed = found.y[6:]
    assert ((guessed[:4] == "bad").sum(), (guessed[4:] == "bad").sum()) == (2, 2)
    assert found.rejected.tolist() == list(range(12))
    assert found.sample_weight.tolist() == [1.0] * 18
    worse = parcelling(card, accepted, y, rejected, bands=3, factor=3.0).y[6:]
    assert ((worse[:4] == "bad").sum(), (worse[4:] == "bad").sum()) == (4, 6)
    weighted = parcelling(card, accepted, y, rejected, bands=3, sample_weight=[3.0, 1, 1, 1, 1, 1]).y[6:]
    assert (weighted[:4] == "bad").sum() == 3


@pytest.mark.parametrize("seed", range(5))
def test_parcelling_meets_the_weighted_rate_of_the_declined(card: Scorecard, seed: int) -> None:
    """One declined row of weight 100 beside 100 of weight 1: half of their weight is bad, not half of the rows."""
    accepted, y = {"age": [20.0, 20.0, 30.0, 30.0]}, ["bad", "good", "bad", "good"]
    rejected, weight = {"age": [20.0] * 101}, np.array([100.0, *[1.0] * 100])
    found = parcelling(card, accepted, y, rejected, bands=2, seed=seed, rejected_weight=weight)
    assert weight[found.y[4:] == "bad"].sum() == 100
    uneven = np.random.default_rng(seed).uniform(0.2, 3, 101)
    found = parcelling(card, accepted, y, rejected, bands=2, seed=seed, rejected_weight=uneven)
    assert uneven[found.y[4:] == "bad"].sum() == pytest.approx(uneven.sum() / 2, abs=uneven.max() / 2)


def test_bands_of_segments_are_of_the_probability(card: Scorecard) -> None:
    """Segments on scales 1000 points apart: the best score of one is below the worst of the other, not the best PD."""
    lifted = replace(
        card,
        base_points=1000,
        cutoff=1005,
        calibration=replace(card.calibration, intercept=-1000 * card.calibration.slope),
    )
    region = Feature(name="region", kind="categorical")
    first = Segment(name="a", when=(Clause("region", (Categories(values=("a",)),)),), model=card)
    model = SegmentedModel(segments=(first, Segment(name="b", model=lifted)), routing=(region,))
    accepted = {"age": [20.0, 20.0, 30.0, 30.0] * 2, "region": ["a"] * 4 + ["b"] * 4}
    y = ["bad", "bad", "good", "good"] * 2
    rejected = {"age": [20.0, 30.0] * 2, "region": ["a", "a", "b", "b"]}
    found = parcelling(model, accepted, y, rejected, bands=2)
    assert found.y[8:].tolist() == ["bad", "good", "bad", "good"]


def test_the_seed_picks_and_nothing_else_does(card: Scorecard) -> None:
    accepted, y = {"age": [20.0, 20.0, 30.0, 30.0]}, ["bad", "good", "bad", "good"]
    rejected = {"age": [20.0] * 50 + [30.0] * 50}
    first, same, other = (parcelling(card, accepted, y, rejected, bands=2, seed=seed).y for seed in (1, 1, 2))
    assert (first == same).all()
    assert (first != other).any()
    assert (first == "bad").sum() == (other == "bad").sum()


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_rows_are_joined_in_the_frames_own_library(card: Scorecard, library: Any) -> None:
    accepted, rejected = library({"age": [20.0, 30.0]}), library({"age": [40.0, 50.0]})
    found = fuzzy_augmentation(card, ["good", "bad"], rejected)
    joined = found.join(accepted, rejected)
    assert isinstance(joined, library)
    assert list(joined["age"]) == [20.0, 30.0, 40.0, 50.0, 40.0, 50.0]
    with pytest.raises(InputError, match=r"accepted and declined rows differ in their columns; got \['income'\]"):
        found.join(accepted, library({"age": [40.0], "income": [1.0]}))
    with pytest.raises(InputError, match="accepted: the number of rows differs; got 1; allowed: 2 rows"):
        found.join(library({"age": [20.0]}), rejected)
    for ages in ([40.0], [40.0, 50.0, 60.0]):
        with pytest.raises(
            InputError, match=rf"rejected: the number of rows differs; got {len(ages)}; allowed: 2 rows"
        ):
            found.join(accepted, library({"age": ages}))


def test_what_is_refused(card: Scorecard, rule_set: RuleSet) -> None:
    rejected = {"age": [20.0]}
    with pytest.raises(InputError, match=r"y, row 1: the outcome of an accepted applicant is missing"):
        fuzzy_augmentation(card, ["good", None], rejected)
    with pytest.raises(InputError, match="factor: unusable number; got 0"):
        fuzzy_augmentation(card, ["good", "bad"], rejected, factor=0)
    with pytest.raises(InputError, match="bands: unusable number; got 1"):
        parcelling(card, {"age": [20.0, 30.0]}, ["good", "bad"], rejected, bands=1)
    with pytest.raises(InputError, match="y: the number of rows differs; got 2; allowed: 1 rows"):
        parcelling(card, rejected, ["good", "bad"], rejected)
    with pytest.raises(InputError, match="reject inference needs two classes"):
        fuzzy_augmentation(rule_set, [1, 2], {"age": [20.0], "housing": ["own"]})


# --- where the truth is known -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def applied() -> dict[str, Any]:
    """Applicants of whom a policy that saw the bureau score accepted some, and what became of all of them."""
    data = make_credit(12_000, seed=6)
    score = data.X["bureau_score"].to_numpy()
    chance = np.random.default_rng(0).random(len(score))
    accepted = np.where(score > 600, chance < 0.95, chance < 0.15)
    rest = np.arange(len(score)) >= 8000
    learn, declined = accepted & ~rest, ~accepted & ~rest
    model = create("learner", "lda-xgb1", favourable=0).fit(data.X[learn], data.y[learn]).model_
    return {"data": data, "learn": learn, "declined": declined, "rest": rest, "model": model}


def refitted(applied: dict[str, Any], method: str, factor: float) -> Any:
    data, learn, declined = applied["data"], applied["learn"], applied["declined"]
    accepted, rejected = data.X[learn], data.X[declined]
    if method == "fuzzy":
        found = fuzzy_augmentation(applied["model"], data.y[learn], rejected, factor=factor)
    else:
        found = parcelling(applied["model"], accepted, data.y[learn], rejected, factor=factor)
    learner = create("learner", "lda-xgb1", favourable=0)
    return learner.fit(found.join(accepted, rejected), found.y, sample_weight=found.sample_weight).model_


@pytest.mark.parametrize("method", ["fuzzy", "parcelling"])
def test_neither_method_adds_information_about_the_rejected(applied: dict[str, Any], method: str) -> None:
    """With factor 1 the model ranks everybody who applies no better than before, within noise; its PDs hardly move."""
    rest, data = applied["rest"], applied["data"]
    good = (data.y[rest] == 0).to_numpy()
    before, after = (evaluate(model, data.X[rest]) for model in (applied["model"], refitted(applied, method, 1.0)))
    assert abs(auc(good, after.score) - auc(good, before.score)) < 0.012
    assert abs((1 - after.probability).mean() - (1 - before.probability).mean()) < 0.02


@pytest.mark.parametrize("method", ["fuzzy", "parcelling"])
def test_the_factor_is_believed(applied: dict[str, Any], method: str) -> None:
    """A larger factor makes the declined look worse, whatever the truth is."""
    rows = applied["data"].X[applied["declined"]]
    plain, worse = (1 - evaluate(refitted(applied, method, factor), rows).probability for factor in (1.0, 2.0))
    assert worse.mean() > plain.mean() + 0.05


def test_measures_on_the_accepted_flatter_the_model(applied: dict[str, Any]) -> None:
    """Bad rates of those declined lie far above those of the accepted, whom measures speak of."""
    data = applied["data"]
    assert data.y[applied["declined"]].mean() > 1.5 * data.y[applied["learn"]].mean()
