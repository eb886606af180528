"""The scores of papers, against counts row by row and against fairlearn."""

from __future__ import annotations

import itertools
import math
from typing import Any

import fairlearn.metrics
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.errors import InputError, KindError
from scrutable.fairness import Groups, SmallGroupWarning
from scrutable_fairness.mistreatment import dmc_mean_score, dmc_sum_score, eop_score, error_rates, odm_score

Row = tuple[Any, Any, str, float]


def tables(classes: list[Any]) -> st.SearchStrategy[list[Row]]:
    one = st.sampled_from(classes)
    row = st.tuples(one, one, st.sampled_from("abc"), st.sampled_from([0.5, 1.0, 3.0]))
    return st.lists(row, min_size=2, max_size=25).filter(lambda found: len({r[2] for r in found}) > 1)


def naive_error(rows: list[Row], group: str, given: Any) -> float:
    wrong = [(r[1] != r[0], r[3]) for r in rows if r[2] == group and given in (None, r[0])]
    total = sum(weight for _, weight in wrong)
    return sum(error * weight for error, weight in wrong) / total if total else math.nan


def naive_gap(rows: list[Row], given: Any) -> float:
    """The largest difference between two groups that have rows of the class."""
    labels = sorted({r[2] for r in rows if given in (None, r[0])})
    pairs = itertools.combinations(labels, 2)
    gaps = [abs(naive_error(rows, one, given) - naive_error(rows, two, given)) for one, two in pairs]
    return max(gaps, default=math.nan)


def parts(rows: list[Row]) -> dict[str, Any]:
    y, predicted, group, weight = (list(column) for column in zip(*rows, strict=True))
    groups = Groups.from_frame({"g": group}, min_group_size=0)
    return {"y": y, "predicted": predicted, "groups": groups, "sample_weight": weight}


def same(found: dict[str, float], expected: float) -> None:
    assert found == {"g": pytest.approx(expected, abs=1e-12, nan_ok=True)}


@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
@given(tables(["late", "paid", "default"]))
def test_many_classes_as_counted_row_by_row(rows: list[Row]) -> None:
    classes = sorted({r[0] for r in rows})
    gaps = [gap for gap in (naive_gap(rows, k) for k in classes) if not math.isnan(gap)]
    same(dmc_mean_score(**parts(rows)), 1 - sum(gaps) / len(gaps) if gaps else math.nan)
    same(odm_score(**parts(rows)), 1 - naive_gap(rows, None))
    rates = error_rates(**parts(rows), attribute="g")
    assert list(rates) == [*classes, None]
    for given_class, by_group in rates.items():
        for group, rate in by_group.items():
            assert rate == pytest.approx(naive_error(rows, group, given_class), abs=1e-12, nan_ok=True)


@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
@given(tables([True, False]))
def test_two_classes_as_counted_row_by_row(rows: list[Row]) -> None:
    good, bad = (any(r[0] is k for r in rows) for k in (True, False))
    same(eop_score(**parts(rows)), 1 - naive_gap(rows, True) if good else math.nan)
    if good and bad:
        both = 1 - naive_gap(rows, True) - naive_gap(rows, False)
        same(dmc_sum_score(**parts(rows)), both)
        if not math.isnan(both):
            same(dmc_mean_score(**parts(rows)), (1 + both) / 2)


@pytest.mark.parametrize("groups", [2, 4])
def test_scores_are_made_of_fairlearns_differences(groups: int) -> None:
    generator = np.random.default_rng(groups)
    y, predicted = generator.random((2, 400)) < 0.6
    group = generator.choice([*"abcd"][:groups], 400)
    own = Groups.from_frame({"g": group})
    difference = {
        name: getattr(fairlearn.metrics, f"{name}_difference")(y, predicted, sensitive_features=group)
        for name in ("false_positive_rate", "false_negative_rate", "equalized_odds", "zero_one_loss")
    }
    fpr, fnr = difference["false_positive_rate"], difference["false_negative_rate"]
    same(dmc_sum_score(y, predicted, own), 1 - fpr - fnr)
    same(dmc_mean_score(y, predicted, own), 1 - (fpr + fnr) / 2)
    same(eop_score(y, predicted, own), 1 - fnr)
    same(odm_score(y, predicted, own), 1 - difference["zero_one_loss"])
    assert difference["equalized_odds"] == pytest.approx(max(fpr, fnr))


def test_each_attribute_has_its_score_and_unknown_membership_is_no_group() -> None:
    data = {"sex": ["f", "f", "m", "m"], "age": np.array(["x", "y", "x", None], dtype=object)}
    groups = Groups.from_frame(data, min_group_size=0)
    assert odm_score(["p", "l", "p", "l"], ["p", "l", "p", "p"], groups) == {"sex": 0.5, "age": 1.0}
    assert error_rates([True] * 4, [False] * 4, groups, "age") == {
        True: {"x": 1.0, "y": 1.0},
        None: {"x": 1.0, "y": 1.0},
    }


def test_one_known_group_has_no_score() -> None:
    groups = Groups.from_frame({"g": np.array(["a", "a", None], dtype=object)}, min_group_size=0)
    assert math.isnan(odm_score([True] * 3, [True] * 3, groups)["g"])


def test_a_group_without_a_class_is_named_and_the_others_are_compared() -> None:
    groups = Groups.from_frame({"g": [*"aaabbbc"]}, min_group_size=0)
    y = ["late", "late", "paid", "late", "paid", "paid", "paid"]
    predicted = ["late", "paid", "paid", "late", "paid", "late", "late"]
    named = r"^groups that are not compared: 'c' of 'g' has no row of class 'late'\. Fix: measure more rows, or merge"
    with pytest.warns(SmallGroupWarning, match=named) as caught:
        found = dmc_mean_score(y, predicted, groups)
    assert [warning.filename for warning in caught] == [__file__]
    assert found["g"] == pytest.approx(1 - (0.5 + 1) / 2)
    assert math.isnan(error_rates(y, predicted, groups, "g")["late"]["c"])


def test_a_class_of_one_group_is_left_out_of_the_mean_and_undoes_the_sum() -> None:
    groups = Groups.from_frame({"g": [*"aabb"]}, min_group_size=0)
    y, predicted = ["late", "paid", "paid", "paid"], ["paid", "paid", "paid", "late"]
    for score, expected in ((dmc_mean_score, 0.5), (dmc_sum_score, math.nan)):
        with pytest.warns(SmallGroupWarning, match=r"compared: 'b' of 'g' has no row of class 'late'\. Fix"):
            same(score(y, predicted, groups), expected)


def test_a_group_that_left_has_no_row_at_all() -> None:
    groups = Groups.from_frame({"g": [*"aabbc"]}, min_group_size=0).subset(range(4))
    with pytest.warns(SmallGroupWarning, match=r"compared: 'c' of 'g' has no row\. Fix"):
        same(odm_score([True] * 4, [True, False, True, True], groups), 0.5)


def test_what_the_scores_cannot_mean() -> None:
    groups = Groups.from_frame({"g": ["a", "b", "b"]}, min_group_size=0)
    with pytest.raises(InputError, match=r"y: this score is one of two classes; got '3 classes'.*Fix: use dmc_mean"):
        dmc_sum_score(["x", "y", "z"], ["x", "y", "z"], groups)
    with pytest.raises(InputError, match=r"y: this score is one of two classes; got '1 class'"):
        dmc_sum_score(["x"] * 3, ["x", "y", "z"], groups)
    with pytest.raises(KindError, match=r"y: expected booleans"):
        eop_score(["x", "y", "y"], ["x", "y", "x"], groups)
    with pytest.raises(KindError, match=r"predicted: outcomes and predictions are of different kinds"):
        odm_score([True, False, True], [1, 0, 1], groups)
    with pytest.raises(InputError, match=r"predicted: the number of rows differs"):
        odm_score([True, False, True], [True], groups)
