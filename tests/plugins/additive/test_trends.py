"""Trends beside a general convex solver, beside trying everything, and on the model."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, get_args

import cvxpy
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from tests.plugins.additive.problems import drawn, every_row
from tests.plugins.additive.test_learner import CREDIT, learned, story
from tests.plugins.additive.test_path import made
from tests.plugins.additive.test_whole import at_best, follow, keeps, loss, tiny

from scrutable import create
from scrutable.binning import BentTrend
from scrutable.errors import InputError
from scrutable.model import Interval, Scorecard
from scrutable_additive.dense import dense_fit
from scrutable_additive.fine import FineBinner
from scrutable_additive.learner import AdditiveClassifier
from scrutable_additive.levels import Levels
from scrutable_additive.lines import Line, nearest
from scrutable_additive.metric import Metric
from scrutable_additive.path import path_from
from scrutable_additive.turning import in_one_direction
from scrutable_additive.whole import bound_of, finest, rounded_to, small

SIGNS = [each for each in itertools.product((-1, 0, 1), repeat=2) if any(each)]
TRENDS: tuple[str, ...] = get_args(BentTrend)


def signs(trend: str) -> tuple[int, int]:
    """Direction and bend of a trend by its words."""
    words = trend.split()
    return ("ascending" in words) - ("descending" in words), ("convex" in words) - ("concave" in words)


def model_keeps(model: Any, name: str, trend: str) -> bool:
    """Whether the points of a characteristic of the model keep a trend; those of one that is not there do."""
    assert isinstance(model, Scorecard)
    points = [
        attribute.points
        for each in model.characteristics
        if each.feature == name
        for attribute in each.attributes
        if isinstance(attribute.condition, Interval)
    ]
    return keeps(points, *signs(trend))


def solved(matrix: np.ndarray, wanted: np.ndarray, asked: list[tuple[np.ndarray, int, int]]) -> np.ndarray:
    """The same quadratic by a general solver: differences of neighbours, and differences of these."""
    values = cvxpy.Variable(len(wanted))
    kept = []
    for steps, rising, bend in asked:
        own = values[steps]
        kept += [rising * cvxpy.diff(own) >= 0] if rising and len(steps) > 1 else []
        kept += [bend * cvxpy.diff(own, 2) >= 0] if bend and len(steps) > 2 else []
    half = np.linalg.cholesky(matrix).T
    aim = np.linalg.solve(half.T, wanted)
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(half @ values - aim)), kept).solve(solver="CLARABEL")
    found: np.ndarray = values.value
    return found


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 12), asked=st.sampled_from(SIGNS))
def test_nearest_values_are_those_of_a_general_solver(seed: int, size: int, asked: tuple[int, int]) -> None:
    chance = np.random.default_rng(seed)
    root = chance.normal(size=(size + 2, size + 2))
    matrix = root @ root.T + 0.1 * np.eye(size + 2)
    level = chance.normal(size=size + 2)
    steps = np.sort(chance.permutation(size + 2)[:size])
    values = nearest(np.linalg.inv(matrix), level, [Line(steps, *asked)])
    expected = solved(matrix, matrix @ level, [(steps, *asked)])
    np.testing.assert_allclose(values, expected, atol=1e-4)
    assert (values - level) @ matrix @ (values - level) <= (expected - level) @ matrix @ (expected - level) + 1e-6
    gains = np.diff(values[steps])
    assert (asked[0] * gains >= 0).all()
    assert (asked[1] * np.diff(gains) >= 0).all()


@pytest.mark.parametrize(("rising", "bend"), SIGNS)
def test_every_card_keeps_its_trends_and_is_the_nearest_of_its_steps(rising: int, bend: int) -> None:
    for seed in range(3):
        path, layouts = made(seed, rising=rising, bend=bend)
        before = None
        for card in path.cards:
            values, steps = path.values(card), path.solved(card)
            for layout in layouts:
                assert layout.nominal or keeps(values[layout.ordinary], rising, bend)
            for one, other in itertools.combinations(range(len(values)), 2) if before is not None else ():
                assert before[one] != before[other] or values[one] == values[other]
            before = values
            assert path.metric.distance(values) == pytest.approx(card.distance, rel=1e-6, abs=1e-8)
            lines = [np.unique(steps.of_bin[each.ordinary], return_index=True) for each in layouts if not each.nominal]
            asked = [(own[np.argsort(first)], rising, bend) for own, first in lines]
            member = np.eye(len(steps.values))[np.maximum(steps.of_bin, 0)] * (steps.of_bin >= 0)[:, None]
            wanted = member.T @ path.metric.matrix @ path.metric.dense
            best = solved(member.T @ path.metric.matrix @ member, wanted, asked)
            assert path.metric.distance(member @ best) == pytest.approx(card.distance, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("bend", [1, -1])
def test_of_a_bent_characteristic_the_edge_goes_with_which_the_card_is_then_nearest(bend: int) -> None:
    for seed in range(5):
        whole = drawn(seed)
        place = next(place for place, each in enumerate(whole.layouts) if each.name == "amount")
        problem = whole.only([place])
        metric = Metric.at(dense_fit(problem.rows, problem.penalties), problem.rows)
        [layout] = problem.layouts
        path = path_from(metric.dense, metric, [replace(layout, rising=0, bend=bend, asked=True)], 0.0)
        first, host = path.segments, np.arange(path.segments.size)
        distances = []
        for left, right in zip(first.left.tolist(), first.right.tolist(), strict=True):
            of_bin = np.where(first.of_bin == left, right, first.of_bin)
            of_bin = np.where(of_bin >= 0, np.searchsorted(np.delete(host, left), of_bin), of_bin)
            member = np.eye(len(host) - 1)[np.maximum(of_bin, 0)] * (of_bin >= 0)[:, None]
            ordered = of_bin[layout.ordinary]
            steps = ordered[np.concatenate([[True], np.diff(ordered) != 0])]
            wanted = member.T @ metric.matrix @ metric.dense
            best = solved(member.T @ metric.matrix @ member, wanted, [(steps, 0, bend)])
            distances.append(metric.distance(member @ best))
        assert path.cards[1].distance == pytest.approx(min(distances), rel=1e-5, abs=1e-7)


@settings(max_examples=100, deadline=None)
@given(
    values=st.lists(st.floats(-30, 30), min_size=1, max_size=12),
    asked=st.sampled_from(SIGNS),
    unit=st.sampled_from([1.0, 0.1, 2.0**-30]),
)
def test_whole_numbers_keep_trends(values: list[float], asked: tuple[int, int], unit: float) -> None:
    line = Line(np.arange(len(values)), *asked)
    on_line = nearest(np.eye(len(values)), np.array(values), [line])
    numbers = line.whole(on_line / unit)
    assert (numbers == np.rint(numbers)).all()
    assert keeps(numbers, *asked)
    assert np.abs(numbers - on_line / unit).max() <= (len(values) / 2 if asked[1] else 0.5) + 1e-6


@pytest.mark.parametrize(("rising", "bend"), [each for each in SIGNS if each[1]])
def test_small_bent_points_lose_hardly_more_than_the_best_of_all(rising: int, bend: int) -> None:
    exact = 0
    for seed in range(15):
        levels = tiny(seed)
        lines = [Line(np.arange(own.start, own.stop), rising, bend) for own in levels.slices]
        values = nearest(np.linalg.inv(levels.matrix), levels.values, lines)
        levels = replace(levels, lines=tuple(lines), values=values - levels.averages(values))
        nothing = loss(levels, np.zeros(levels.size), 1.0)
        every = np.array(list(itertools.product(range(4), repeat=levels.size)))
        least = at_best(levels, every[follow(levels, every)]).min()
        whole = small(levels, 3)
        assert follow(levels, whole.points[None]).all()
        assert max(int(np.ptp(whole.points[own])) for own in levels.slices) <= 3
        assert least - 1e-9 <= whole.loss <= least + 0.02 * nothing + 1e-9
        exact += whole.loss <= least + 1e-9
        for worth in (0.05, 0.4, 3.0):
            rounded = rounded_to(levels, worth)
            assert follow(levels, rounded.points[None]).all()
            assert rounded.loss <= bound_of(levels, worth) + 1e-12
            different = [np.ptp(levels.values[own]) > 1e-6 for own in levels.slices]
            held = rounded_to(replace(levels, kept=np.array(different)[levels.block]), 20 * worth)
            assert follow(levels, held.points[None]).all()
            assert different == [np.ptp(held.points[own]) > 0 for own in levels.slices]
    assert exact >= 13


@pytest.mark.parametrize("bend", [1, -1])
def test_points_of_a_path_bend_as_its_cards_do(bend: int) -> None:
    path, layouts = made(1, bend=bend)
    for card in path.cards[::3]:
        levels = Levels.of(path, card)
        for whole in (rounded_to(levels, 0.4), small(levels, 5), finest(levels, 2.0**-30)):
            points = np.append(whole.points, 0)[levels.of_bin]
            assert all(layout.nominal or keeps(points[layout.ordinary], 0, bend) for layout in layouts)


@pytest.mark.parametrize("trend", TRENDS)
def test_points_of_the_model_keep_trends_with_the_rows_and_against_them(trend: str) -> None:
    trends = dict.fromkeys(("income", "debt_ratio", "employment_months"), trend)
    for options in ({}, {"max_points": 5}, {"scaling": {"decimals": 0}}, {"scaling": {"pdo": 7}, "shape": "free"}):
        learner = learned(trends=trends, must=["income"], **options)
        assert all(model_keeps(learner.model_, name, trend) for name in trends)
        told = story(learner)["shapes"]
        assert all(told[name]["asked"] and told[name]["trend"] == trend for name in trends)
        assert all(learner.evidence_.binning["tables"][name]["trend"] == trend for name in trends)


def test_a_bent_card_needs_about_as_many_steps_as_a_free_one() -> None:
    free = story(learned())["chosen"]
    for trend in ("convex", "concave"):
        bent = story(learned(trends={"income": trend}))["chosen"]
        assert bent["kept"] >= 0.995
        assert bent["steps"] <= free["steps"] + 6
        assert bent["auc"] >= free["auc"] - 0.001


def test_a_card_that_goes_against_the_rows_is_small_all_the_same() -> None:
    free, against = learned(), learned(trends={"income": "descending", "debt_ratio": "ascending"})
    assert story(against)["chosen"]["kept"] < 0.99
    assert story(against)["chosen"]["steps"] <= story(free)["chosen"]["steps"]


@pytest.mark.parametrize("trend", ["convex", "concave", "ascending concave"])
def test_trends_hold_on_cuts_by_hand(trend: str) -> None:
    cuts = {"income": [900.0, 1100.0, 1500.0, 2500.0, 4000.0, 1e9], "debt_ratio": [40.0]}
    learner = learned(binner=FineBinner(cuts=cuts), trends=dict.fromkeys(cuts, trend), must=["income"])
    assert all(model_keeps(learner.model_, name, trend) for name in cuts)
    [income] = [each for each in learner.model_.characteristics if each.feature == "income"]
    assert len(income.attributes) == len(cuts["income"]) + 2


def test_attributes_by_hand_of_few_rows_are_one_step_with_those_they_count_with() -> None:
    chance = np.random.default_rng(5)
    value = np.concatenate([chance.integers(0, 6, 3000), np.repeat([6.0, 8.0], 2)]).astype(float)
    good = chance.random(len(value)) < 1 / (
        1 + np.exp(-np.array([0, 1.5, 1.6, 2.5, 1.0, 0.5, -2, 0, -2])[value.astype(int)])
    )
    for trend in ("convex", "concave"):
        binner = FineBinner(cuts={"value": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]})
        learner = AdditiveClassifier(binner=binner, trends={"value": trend}, must=["value"], explainer=None)
        model = learner.fit(pd.DataFrame({"value": value}), good.astype(int)).model_
        assert model_keeps(model, "value", trend)
        assert len(model.characteristics[0].attributes) == 10


def test_few_different_values_special_codes_and_missing_values_are_no_hindrance() -> None:
    chance = np.random.default_rng(6)
    frame = pd.DataFrame(
        {
            "two": chance.integers(0, 2, 1500).astype(float),
            "three": chance.integers(0, 3, 1500).astype(float),
            "codes": np.where(chance.random(1500) < 0.3, -9.0, chance.normal(size=1500).round(1)),
        }
    )
    frame.loc[chance.random(1500) < 0.2, "three"] = np.nan
    odds = np.abs(frame["codes"]) * (frame["codes"] > -9) + 2 * (frame["three"] == 1) + frame["two"]
    good = (chance.random(1500) < 1 / (1 + np.exp(1 - odds))).astype(int)
    for trend in TRENDS:
        options: dict[str, Any] = {"special_codes": {"codes": [-9]}, "explainer": None, "must": list(frame)}
        learner = AdditiveClassifier(trends=dict.fromkeys(frame, trend), **options).fit(frame, good)
        assert all(model_keeps(learner.model_, name, trend) for name in frame)


def test_edits_come_after_trends_and_others_refuse_bends() -> None:
    edit = {"feature": "income", "action": "trend", "trend": "descending"}
    learner = learned(trends={"income": "concave"}, binner=FineBinner(edits=[edit]))
    assert story(learner)["shapes"]["income"]["trend"] == "descending"
    with pytest.raises(InputError, match=r"trends, column 'income'.*unknown trend; got 'bent'.*'ascending concave'"):
        learned(trends={"income": "bent"})
    with pytest.raises(InputError, match=r"trends: unknown column; got 'incomes'.*did you mean 'income'"):
        learned(trends={"incomes": "concave"})
    with pytest.raises(InputError, match="the column is categorical"):
        learned(trends={"housing": "concave"})
    for refused in (
        create("learner", "scorecard", binner=create("binner", "optimal", trends={"income": "concave"})),
        create("learner", "additive", binner=FineBinner(trends={"income": "concave"})),
        create("learner", "additive", binner=FineBinner(edits=[edit | {"trend": "concave"}])),
    ):
        with pytest.raises(InputError, match=r"got 'concave'; allowed: .*ascending.*descending"):
            refused.set_params(favourable=CREDIT.favourable).fit(CREDIT.X, CREDIT.y)


def test_what_one_direction_costs_is_the_auc_of_the_card_on_which_one_characteristic_is_made_monotone() -> None:
    learner = learned()
    told = story(learner)["shapes"]
    turning = {name: each for name, each in told.items() if each["monotone_costs_auc"] is not None}
    assert turning
    good = np.asarray(CREDIT.y) == CREDIT.favourable
    card = story(learner)["chosen"]
    assert roc_auc_score(good, learner.evaluate(CREDIT.X).score) == pytest.approx(card["auc"], abs=1e-9)
    for name, shape in turning.items():
        assert len(shape["turns"]) > 1
        assert shape["trend"] is None
        [points] = [each for each in learner.model_.characteristics if each.feature == name]
        ordered = [a for a in points.attributes if isinstance(a.condition, Interval)]
        for turn in shape["turns"][1:]:
            [after] = [place for place, a in enumerate(ordered) if a.condition.lower == turn["at"]]
            gain = ordered[after].points - ordered[after - 1].points
            assert gain > 0 if turn["then"] == "gains" else gain < 0
    assert all(len(each["turns"]) <= 1 for name, each in told.items() if name not in turning)


def test_the_auc_of_a_card_made_monotone_is_that_of_another_library_and_another_solver() -> None:
    compared = 0
    for seed in range(6):
        problem = drawn(seed)
        rows, metric = problem.rows, Metric.at(dense_fit(problem.rows, problem.penalties), problem.rows)
        path = path_from(metric.dense, metric, problem.layouts, 0.0)
        card = path.cards[0]
        steps = path.solved(card)
        member = np.eye(len(steps.values))[np.maximum(steps.of_bin, 0)] * (steps.of_bin >= 0)[:, None]
        wanted = member.T @ metric.matrix @ metric.dense
        for place, layout in enumerate(problem.layouts):
            gains = np.diff(path.values(card)[layout.ordinary])
            if layout.nominal or (gains >= 0).all() or (gains <= 0).all():
                continue
            monotone = in_one_direction(path, path.steps(card), place)
            own, first = np.unique(steps.of_bin[layout.ordinary], return_index=True)
            asked = [(own[np.argsort(first)], rising, 0) for rising in (1, -1)]
            tried = [member @ solved(member.T @ metric.matrix @ member, wanted, [each]) for each in asked]
            best = min(tried, key=metric.distance)
            np.testing.assert_allclose(monotone, best, atol=1e-5)
            every, [measure] = every_row(rows), rows.measures([(monotone, 0.0)])
            auc = roc_auc_score(every.target, rows.scores(every, best, 0.0).round(5), sample_weight=every.weight)
            assert measure.merit() == pytest.approx(auc, abs=1e-4)
            compared += 1
    assert compared >= 4
