"""The explainer against what the evaluator says of every value that an applicant could have instead."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scrutable
from scrutable.data.datasets import Dataset
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import (
    Calibration,
    Categories,
    Clause,
    Interval,
    KnockOut,
    Leaf,
    Missing,
    Otherwise,
    Outcome,
    Policy,
    Quantity,
    RegressionScorecard,
    Scorecard,
    Special,
    Split,
    TreeEnsemble,
)
from scrutable.model.domain import Observed, witnesses
from scrutable.proof.edges import edge_rows
from scrutable.testing.plain import without_extras
from scrutable.testing.strategies import scorecards
from scrutable_counterfactual.explainer import CounterfactualExplainer
from scrutable_counterfactual.explanation import Counterfactuals

from .cards import APPLICANT, INCOME, answer, card, changes, of_income


@pytest.fixture(scope="module")
def german_card(german: Dataset) -> Scorecard:
    """A scorecard of 1,000 real applicants."""
    model = scrutable.create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_
    assert isinstance(model, Scorecard)
    return model


def ordinary(card: Scorecard) -> dict[str, list[Observed]]:
    """Values of each feature that can be proposed: measured, known to the scorecard, no special code."""
    found = {}
    for feature in card.features:
        conditions: list[Any] = [clause for rule in card.policy.knock_outs for clause in rule.when]
        conditions = [c for clause in conditions if clause.feature == feature.name for c in clause.any_of]
        own = [item for item in card.characteristics if item.feature == feature.name]
        conditions += [attribute.condition for item in own for attribute in item.attributes]
        values = [v for v in witnesses(feature, conditions) if v is not None and v not in feature.special_codes]
        if feature.kind == "categorical":
            named = {v for c in conditions if isinstance(c, Categories) for v in c.values}
            values = [v for v in values if v in named]
        if own and values:
            at = scrutable.evaluate(card, _frame(card, feature.name, values)).attribute[feature.name]
            known = [not isinstance(own[0].attributes[i].condition, Otherwise | Missing | Special) for i in at]
            values = [v for v, its in zip(values, known, strict=True) if its]
        found[feature.name] = values
    return found


def _frame(card: Scorecard, name: str, values: list[Observed]) -> pd.DataFrame:
    kinds = {feature.name: float if feature.kind == "numeric" else object for feature in card.features}
    columns = {key: [None] * len(values) if key != name else values for key in kinds}
    return pd.DataFrame({key: pd.Series(its, dtype=kinds[key]) for key, its in columns.items()})


def possible(card: Scorecard, row: pd.DataFrame, changes: int) -> pd.DataFrame:
    """The applicant, with up to so many features at any of their ordinary values."""
    values = ordinary(card)
    rows = [row]
    for count in range(1, changes + 1):
        for names in itertools.combinations(values, count):
            grid = list(itertools.product(*(values[name] for name in names)))
            if grid:
                part = row.loc[row.index.repeat(len(grid))].reset_index(drop=True)
                for place, name in enumerate(names):
                    part[name] = pd.Series([each[place] for each in grid], dtype=part[name].dtype)
                rows.append(part)
    return pd.concat(rows, ignore_index=True)


def check_answers(card: Scorecard, row: pd.DataFrame, found: Counterfactuals, changes: int) -> None:
    answer = found.answers[0]
    after = pd.DataFrame({name: pd.Series([value], dtype=row[name].dtype) for name, value in answer.values.items()})
    said = scrutable.evaluate(card, after)
    assert said.approved[0]
    assert said.score is not None
    assert said.score[0] == answer.score
    changed = {change.feature for change in answer.changes}
    assert len(changed) <= changes
    for name, value in answer.values.items():
        if name not in changed:
            before = row[name].iloc[0]
            assert value == before or (value is None and before != before) or (value is None and before is None)


@settings(max_examples=30, deadline=None)
@given(card=scorecards().map(without_extras), seed=st.integers(0, 1000))
def test_answers_and_proofs_hold_for_every_value(card: Scorecard, seed: int) -> None:
    rows = edge_rows(card, n_random=2, seed=seed).sample(3, random_state=seed).reset_index(drop=True)
    changes = 2 if len(card.features) < 5 else 1
    explainer = CounterfactualExplainer(max_changes=changes, weights={"sparsity": 1.0})
    for position, found in enumerate(explainer.explain(card, rows)):
        row = rows.iloc[[position]].reset_index(drop=True)
        every = possible(card, row, changes)
        approved = scrutable.evaluate(card, every).approved
        if found.status == "met":
            assert approved[0]
        elif found.status == "infeasible":
            assert not approved.any()
        else:
            assert found.status == "optimal"
            check_answers(card, row, found, changes)
            fewest = next(
                n for n in range(1, changes + 1) if scrutable.evaluate(card, possible(card, row, n)).approved.any()
            )
            assert len(found.answers[0].changes) == fewest


def test_what_stands_in_the_way_is_named() -> None:
    found = answer(max_changes=1)
    assert found.obstacle is not None
    assert found.obstacle.limits == ("max_changes",)
    assert (found.obstacle.best_score, found.obstacle.changes_needed) == (535.0, 2)
    beyond = answer(card(cutoff=900.0), max_changes=1)
    assert beyond.obstacle is not None
    assert beyond.obstacle.limits == ()


@pytest.mark.parametrize("p", [0.3, 0.5, 0.7310585786300049, 0.8, 0.9])
def test_a_probability_is_met_exactly(p: float) -> None:
    row = {"age": [30.0], "job": ["part"], "income": [1500.0]}
    up = answer(row=row, wanted={"kind": "probability", "at_least": p})
    if up.status == "optimal":
        assert up.answers[0].probability is not None
        assert up.answers[0].probability >= p
    down = answer(row=row, wanted={"kind": "probability", "at_most": p})
    if down.status == "optimal":
        assert down.answers[0].probability is not None
        assert down.answers[0].probability <= p
    scores = {0.0, 20.0, 30.0}, {0.0, 10.0, 25.0}, {0.0, 15.0, 35.0}
    reached = {500 + sum(points) for points in itertools.product(*scores)}
    assert (up.status != "infeasible") == any(1 / (1 + math.exp(26 - 0.05 * s)) >= p for s in reached)


def test_the_nearest_probability_and_points() -> None:
    for near in (551.0, 551):
        found = answer(wanted={"kind": "points", "near": near}, weights={"outcome": 1})
        assert found.answers[0].score == 555.0
    wanted = {"kind": "probability", "near": 0.9}
    found = answer(wanted=wanted, weights={"outcome": 1}, max_changes=3)
    reached = [500 + a + b + c for a in (0, 20, 30) for b in (0, 10, 25) for c in (0, 15, 35)]
    best = min(abs(1 / (1 + math.exp(26 - 0.05 * s)) - 0.9) for s in reached)
    assert found.answers[0].costs["outcome"] == pytest.approx(best, abs=1e-12)


def test_a_decline_is_just_below_the_cutoff() -> None:
    row = {"age": [50.0], "job": ["full"], "income": [900.0]}
    found = answer(row=row, wanted="decline", weights={"proximity": 1})
    assert found.answers[0].approved is False
    assert answer(row=APPLICANT, wanted="decline").status == "met"


def test_several_answers_differ() -> None:
    reference = pd.DataFrame(
        {"age": [20, 30, 50] * 9, "job": ["none", "part", "full"] * 9, "income": [500, 1500, 2500] * 9}
    )
    found = answer(number=3, diverse="features", reference=reference, weights={"proximity": 1})
    sets = {frozenset(change.feature for change in each.changes) for each in found.answers}
    assert len(sets) == 3
    apart = answer(number=2, diverse="values", weights={"proximity": 1})
    values = [{(c.feature, c.points_after) for c in each.changes} for each in apart.answers]
    assert not values[0] & values[1]
    none = answer(number=4, diverse="values", max_changes=2)
    assert none.status == "infeasible"
    assert none.obstacle is not None
    assert none.obstacle.limits == ("diversity",)


def test_every_change_of_several_answers_is_needed(german: Dataset, german_card: Scorecard) -> None:
    rows = german.X[~scrutable.evaluate(german_card, german.X).approved].iloc[:10]
    explained = CounterfactualExplainer(number=2, diverse="features").explain(german_card, rows, reference=german.X)
    answers = [each for several in explained for each in several.answers]
    less = pd.DataFrame([{**each.values, c.feature: c.value} for each in answers for c in each.changes])
    assert len(less) > len(answers) > 10
    approved = scrutable.evaluate(german_card, less).approved
    assert not approved.any()


def test_stumps_and_quantities_are_scorecards_too() -> None:
    stump = Split(Clause("income", (Interval(upper=1000, closed="right"), Missing())), Leaf(-1.0), Leaf(1.0))
    trees = TreeEnsemble(
        outcome=Outcome(classes=("bad", "good"), favourable="good"),
        features=(INCOME,),
        trees=(stump,),
        base_score=0.0,
        cutoff=0.0,
        calibration=Calibration(slope=1),
    )
    assert changes(answer(trees, {"income": [10.0]})) == {"income": 1001.0}
    loss = RegressionScorecard(
        outcome=Quantity(target="loss"), features=(INCOME,), characteristics=card().characteristics[2:], base_points=0.0
    )
    found = answer(loss, {"income": [10.0]}, wanted={"kind": "points", "at_least": 10})
    assert changes(found) == {"income": 1000.0}
    with pytest.raises(UnsupportedModel, match="decides nothing"):
        answer(loss, {"income": [10.0]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wanted": "refusal"}, "unknown kind"),
        ({"wanted": {"kind": "probability", "at_least": 1.5}}, "expected a probability"),
        ({"max_changes": 0}, "a whole number from 1"),
        ({"weights": {"nearness": 1}}, "unknown objective.*did you mean|unknown objective"),
        ({"weights": {"proximity": -1}}, "above 0"),
        ({"immutable": "age"}, "expected a list"),
        ({"immutable": ["agee"]}, "did you mean 'age'"),
        ({"actions": {"job": "up"}}, "give their order"),
        ({"actions": {"job": {"change": "up", "order": ["none", "fulll"]}}}, "did you mean 'full'"),
        ({"actions": {"age": {"change": "up", "least": 3}}}, "least"),
        ({"diverse": "all"}, "unknown kind of difference"),
        ({"weights": {"closeness": 1}}, "give a reference"),
        ({"weights": {"outcome": 1}}, "give wanted a value near"),
        ({"together": ["age"]}, "expected a list"),
        ({"together": [["age"]]}, "expected pairs"),
        ({"seconds": 0}, "above 0"),
        ({"seconds": "long"}, "expected a number"),
        ({"wanted": 5}, "wanted"),
        ({"wanted": {"kind": "points", "at_least": 10**400}}, "what a double can hold"),
        ({"actions": ["age"]}, "expected a mapping"),
        ({"actions": {"age": {"missing": "no"}}}, "true or false"),
        ({"actions": {"job": {"order": [1, 2]}}}, "expected texts"),
        ({"weights": ["proximity"]}, "expected a mapping"),
        ({"immutable": [["age"]]}, "expected texts"),
        ({"one_of": ["ab"]}, "expected a list"),
        ({"one_of": [{"feature": ["a"]}]}, "feature"),
        ({"one_of": [["age", "age"]]}, "each once"),
        ({"needed": "yes"}, "true or false"),
    ],
)
def test_bad_options_are_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        answer(**options)


def test_hierarchy_keeps_the_first_objective_near_its_best(german: Dataset, german_card: Scorecard) -> None:
    rows = german.X[~scrutable.evaluate(german_card, german.X).approved].iloc[:15]
    for order in (["proximity", "closeness"], ["closeness", "proximity"]):
        first, both = (
            CounterfactualExplainer(priorities=names, tolerance=0.1, max_changes=3).explain(
                german_card, rows, reference=german.X
            )
            for names in (order[:1], order)
        )
        for one, other in zip(first, both, strict=True):
            best, then = one.answers[0].costs, other.answers[0].costs
            assert then[order[0]] <= best[order[0]] * 1.1 + 1e-6
            assert then[order[1]] <= best[order[1]] + 1e-9


def test_german_credit_answers_flip_in_duckdb_too(german: Dataset, german_card: Scorecard) -> None:
    found = CounterfactualExplainer(max_changes=3).explain(german_card, german.X, reference=german.X)
    answers = [each.answers[0] for each in found if each.status == "optimal"]
    assert len(answers) > 100
    after = pd.DataFrame([each.values for each in answers])
    exporter = scrutable.create("exporter", "sql", dialect="duckdb")
    frame = exporter.run(exporter.export(german_card), after)
    assert np.all(frame["approved"] == 1)
    assert frame["score"].tolist() == [each.score for each in answers]


def test_a_stopped_search_says_so(german: Dataset, german_card: Scorecard) -> None:
    explainer = CounterfactualExplainer(max_changes=6, nodes=50)
    found = explainer.explain(german_card, german.X.iloc[:60], reference=german.X)
    stopped = [each for each in found if each.status == "stopped"]
    assert stopped
    assert all(each.gap > 0 and each.answers[0].approved for each in stopped)


def test_a_decline_by_a_knock_out_is_not_searched_for() -> None:
    minors = KnockOut(code="K1", reason="Under 30", when=(Clause("age", (Interval(upper=30),)),))
    with pytest.raises(UnsupportedModel, match="knock-out declines too"):
        answer(card(policy=Policy(knock_outs=(minors,))), wanted="decline")


def test_attributes_of_equal_points_are_two_values() -> None:
    steps = (Interval(upper=10), 0), (Interval(10, 20), 10), (Interval(lower=20), 10)
    model = of_income(*steps)
    found = answer(model, {"income": [5.0]}, number=2, diverse="values")
    assert sorted(each.changes[0].nearest or 0 for each in found.answers) == [10.0, 20.0]


def test_the_nearest_score_may_lie_beyond() -> None:
    steps = (Interval(upper=10), 0), (Interval(10, 20), 9), (Interval(lower=20), 16)
    model = of_income(*steps, base_points=0.0, cutoff=540.0)
    found = answer(model, {"income": [5.0]}, wanted={"kind": "points", "at_least": 15, "at_most": 15.5})
    assert found.obstacle is not None
    assert found.obstacle.best_score == 16.0
