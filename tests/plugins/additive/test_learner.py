"""The learner: what its options do to the card, and what it tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.errors import InputError
from scrutable.model import Scorecard, dumps
from scrutable_additive.fine import FineBinner
from scrutable_additive.learner import AdditiveClassifier
from scrutable_additive.problem import Problem

CREDIT = make_credit(3000, seed=2)
CODES = {"bureau_score": [-9]}
SMALL = {"max_points": 3, "max_steps": 8}
OUTCOMES = {"aim": "outcomes"}


def learned(**options: Any) -> AdditiveClassifier:
    """Fitted to rows of simulated applicants."""
    options = {"special_codes": CODES, "favourable": CREDIT.favourable, "explainer": None} | options
    return AdditiveClassifier(**options).fit(CREDIT.X, CREDIT.y)


def story(learner: AdditiveClassifier) -> Any:
    """What the evidence tells."""
    return learner.evidence_.metrics["additive"]


def points(model: Scorecard, name: str) -> list[float]:
    """The points of a characteristic."""
    [chosen] = [each for each in model.characteristics if each.feature == name]
    return [attribute.points for attribute in chosen.attributes]


def test_the_card_is_small_and_tells_as_much_as_many_bins() -> None:
    free = learned()
    chosen, dense = story(free)["chosen"], story(free)["dense"]
    assert chosen["kept"] >= 0.995
    assert chosen["steps"] < dense["bins"] / 3
    assert chosen["log_loss"] == pytest.approx(dense["log_loss"], abs=0.002)
    assert dense["kkt_residual"] <= 1e-8


def test_the_path_falls_from_many_steps_to_none_and_holds_the_card() -> None:
    told = story(learned())
    for earlier, later in zip(told["path"][:-1], told["path"][1:], strict=True):
        assert earlier["steps"] > later["steps"]
        assert earlier["kept"] >= later["kept"]
        assert earlier["log_loss"] <= later["log_loss"] + 1e-4
    assert told["chosen"] in told["path"]
    assert told["path"][-1]["steps"] == 0
    assert told["path"][-1]["auc"] == 0.5


def test_limits_are_kept_and_counted_on_the_model() -> None:
    small = learned(max_steps=12, max_characteristics=3)
    assert isinstance(small.model_, Scorecard)
    assert len(small.model_.characteristics) <= 3
    different = [{a.points for a in each.attributes if a.statistics.count} for each in small.model_.characteristics]
    assert sum(map(len, different)) == story(small)["chosen"]["steps"] <= 12
    assert story(learned(keep=0.9))["chosen"]["steps"] < story(learned())["chosen"]["steps"]


def test_what_must_stay_stays() -> None:
    chance = np.random.default_rng(1)
    noise = CREDIT.X.assign(**{f"noise_{place}": chance.normal(size=len(CREDIT.X)) for place in range(8)})
    options: dict[str, Any] = {"special_codes": CODES, "favourable": CREDIT.favourable, "explainer": None}
    without = AdditiveClassifier(**options).fit(noise, CREDIT.y)
    left = [name for name in story(without)["left_out"] if name.startswith("noise")]
    assert left
    assert not {each.feature for each in without.model_.characteristics} & {*left}
    held = AdditiveClassifier(must=left[:1], **options).fit(noise, CREDIT.y)
    assert left[0] in [each.feature for each in held.model_.characteristics]
    with pytest.raises(InputError, match=r"must: unknown column; got 'incomes'.*did you mean 'income'"):
        AdditiveClassifier(must=["incomes"], **options).fit(noise, CREDIT.y)
    with pytest.raises(InputError, match="max_steps, max_characteristics: no card is so small"):
        AdditiveClassifier(must=["income", left[0]], max_characteristics=1, **options).fit(noise, CREDIT.y)


def test_points_follow_trends_also_against_the_rows_and_by_themselves_where_that_costs_little() -> None:
    against = learned(trends={"income": "descending", "debt_ratio": "ascending"}, must=["income"])
    for each in against.model_.characteristics:
        if each.feature == "income":
            ordinary = [a.points for a in each.attributes][:-1]
            assert ordinary == sorted(ordinary, reverse=True)
    free, shaped = learned(shape="free"), learned()
    assert all(each["trend"] is None for each in story(free)["shapes"].values())
    assert any(each["trend"] for each in story(shaped)["shapes"].values())
    table = {each.feature: each for each in shaped.model_.characteristics}
    for name, shape in story(shaped)["shapes"].items():
        if shape["trend"] and name in table:
            seen = [a.points for a in table[name].attributes if type(a.condition).__name__ == "Interval"]
            assert seen == sorted(seen, reverse=shape["trend"] == "descending")


def test_cuts_and_groups_by_hand_are_the_attributes() -> None:
    binner = FineBinner(cuts={"income": [20000.0, 30000.0]})
    for keep in (0.995, 0.5):
        card = learned(binner=binner, keep=keep).model_
        [income] = [each for each in card.characteristics if each.feature == "income"]
        assert [attribute.condition.describe() for attribute in income.attributes][:3] == [
            "< 20000",
            "[20000, 30000)",
            ">= 30000",
        ]


def test_a_rare_flag_that_all_bad_rows_have_gets_points() -> None:
    chance = np.random.default_rng(4)
    frame = pd.DataFrame({"flag": (np.arange(4000) % 100 == 0).astype(float), "amount": chance.normal(size=4000)})
    good = np.where(frame["flag"] == 1, 0, (chance.random(4000) < 0.8).astype(int))
    card = AdditiveClassifier(explainer=None).fit(frame, good).model_
    low, high = points(card, "flag")[1], points(card, "flag")[0]
    assert low < high - 40  # forty rows, all bad


def test_a_row_of_weight_two_is_two_rows() -> None:
    frame = pd.DataFrame({name: np.round(column.rank(pct=True) * 9) for name, column in CREDIT.X[["income"]].items()})
    frame["housing"], y = CREDIT.X["housing"].to_numpy(), pd.Series(np.asarray(CREDIT.y))
    options: dict[str, Any] = {"favourable": CREDIT.favourable, "explainer": None}
    repeated = AdditiveClassifier(**options).fit(pd.concat([frame, frame]), pd.concat([y, y])).model_
    weighted = AdditiveClassifier(**options).fit(frame, y, sample_weight=np.full(len(y), 2.0)).model_
    assert [points(repeated, each.feature) for each in repeated.characteristics] == [
        points(weighted, each.feature) for each in weighted.characteristics
    ]


def test_rows_that_weigh_a_million_times_as_much_as_others_are_learned_from() -> None:
    frame, weight = CREDIT.X[["income", "housing"]], np.random.default_rng(1).choice([1.0, 1e6], len(CREDIT.y))
    options: dict[str, Any] = {"favourable": CREDIT.favourable, "explainer": None}
    every = AdditiveClassifier(**options).fit(frame, CREDIT.y, sample_weight=weight).model_
    heavy = AdditiveClassifier(**options).fit(frame[weight > 1], CREDIT.y[weight > 1]).model_
    assert [each.feature for each in every.characteristics] == [each.feature for each in heavy.characteristics]


@pytest.mark.parametrize("options", [{}, {"scaling": {"decimals": 0}}, {"max_points": 5}, SMALL, SMALL | OUTCOMES])
def test_the_order_of_rows_changes_no_byte(options: dict[str, Any]) -> None:
    frame, y = CREDIT.X.reset_index(drop=True), pd.Series(np.asarray(CREDIT.y))
    options = {"special_codes": CODES, "favourable": CREDIT.favourable, "explainer": None} | options
    order = np.random.default_rng(3).permutation(len(y))
    first = AdditiveClassifier(**options).fit(frame, y)
    again = AdditiveClassifier(**options).fit(frame.iloc[order], y.iloc[order])
    assert first.model_.provenance is not None
    nowhere = replace(first.model_.provenance, data_fingerprint="")
    assert dumps(replace(first.model_, provenance=nowhere)) == dumps(replace(again.model_, provenance=nowhere))
    assert first.evidence_.metrics == again.evidence_.metrics


def test_few_of_many_columns_of_noise_are_on_the_card() -> None:
    chance = np.random.default_rng(8)
    frame = pd.DataFrame(chance.normal(size=(2000, 101)), columns=[f"x{place}" for place in range(101)])
    good = (chance.random(2000) < 1 / (1 + np.exp(-frame["x0"]))).astype(int)
    card = AdditiveClassifier(explainer=None).fit(frame, good).model_
    names = [each.feature for each in card.characteristics]
    assert "x0" in names
    assert len(names) <= 20


def test_real_applicants_score_apart_and_as_often_good_as_expected() -> None:
    german = load_german_credit()
    learner = AdditiveClassifier(favourable="good").fit(german.X, german.y)
    good = np.asarray(german.y) == "good"
    probability = learner.predict_proba(german.X)[:, list(learner.classes_).index("good")]
    assert probability.mean() == pytest.approx(good.mean(), abs=0.002)
    assert learner.score(german.X, german.y) > 0.78


def test_policies_say_what_missing_and_special_values_are_worth() -> None:
    frame = CREDIT.X.copy()
    frame.loc[frame.index % 7 == 0, "income"] = np.nan
    for policy, expected in (("neutral", "mean"), ("worst", "least"), ("with", "first")):
        edit = {"feature": "income", "action": "missing", "policy": policy} | ({"bin": 0.0} if policy == "with" else {})
        options: dict[str, Any] = {"binner": FineBinner(edits=[edit]), "special_codes": CODES, "explainer": None}
        card = AdditiveClassifier(favourable=CREDIT.favourable, **options).fit(frame, CREDIT.y).model_
        [income] = [each for each in card.characteristics if each.feature == "income"]
        *ordinary, missing = [attribute.points for attribute in income.attributes]
        assert len(ordinary) > 5
        assert {"least": missing == min(ordinary), "first": missing == ordinary[0], "mean": True}[expected]
        assert min(ordinary) <= missing <= max(ordinary)


def test_intervals_of_few_rows_stay_with_those_they_count_with() -> None:
    values = np.concatenate([np.repeat(np.arange(0.0, 40), 25), np.arange(0.5, 40)])  # one row between the others
    binner = FineBinner(max_bins=200)
    [layout] = Problem.of(binner.read({"value": values}, np.arange(len(values)) % 2), binner, ()).layouts
    assert layout.count[: layout.n_ordinary].min() >= 5
    assert layout.count.sum() == len(values)


def test_too_many_columns_for_the_memory_are_refused_before_anything_is_added_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scrutable_additive.problem.MOST_BYTES", 2**20)
    with pytest.raises(InputError, match=r"columns in \d+ fine bins.*GB of memory.*--learner scorecard"):
        learned()


def test_what_fewer_steps_cost_is_said_with_the_option_that_asks_for_them() -> None:
    learner = learned()
    _, beside, *_ = AdditiveClassifier.about_learning(learner.evidence_)
    chosen, option = story(learner)["chosen"], int(beside.rpartition("max_steps=")[2])
    smaller = learned(max_steps=option)
    fewer = chosen["steps"] - story(smaller)["chosen"]["steps"]
    lost = chosen["auc"] - story(smaller)["chosen"]["auc"]
    cost = f"{lost:.4f} of the AUC" if lost > 0.00005 else "no AUC"
    assert beside == f"{fewer} fewer steps would cost {cost} on the training rows: --option max_steps={option}"
