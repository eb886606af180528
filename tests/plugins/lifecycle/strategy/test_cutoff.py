"""The chosen cutoff against going through all of them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrutable.errors import InputError
from scrutable.fairness import Groups, approval_threshold, group_metrics
from scrutable_lifecycle.strategy import Profit, choose_cutoff

from .rows import Drawn, drawn

SCORE = [1, 2, 3, 4]
GOOD = [False, True, False, True]


def test_profit_by_hand() -> None:
    # From 1: 2 good, 2 bad: 2 * 100 - 2 * 150 = -100. From 2: 50, from 3: -50, from 4: 100, nobody: 0.
    found = choose_cutoff(SCORE, GOOD, profit=Profit(approved_good=100, approved_bad=-150))
    assert found.curve.cutoff.tolist() == [1, 2, 3, 4, math.nextafter(4, math.inf)]
    assert found.curve.profit is not None
    assert found.curve.profit.tolist() == [-100, 50, -50, 100, 0]
    assert (found.cutoff, found.profit, found.profit_per_applicant) == (4, 100, 25)
    assert "largest profit with approved good 100, approved bad -150" in found.why


def test_declining_can_cost_and_pay_too() -> None:
    profit = Profit(approved_good=0, approved_bad=0, declined_good=-10, declined_bad=1)
    found = choose_cutoff(SCORE, GOOD, profit=profit)
    assert found.curve.profit is not None
    assert found.curve.profit.tolist() == [0, 1, -9, -8, -18]
    assert found.cutoff == 2


def test_profit_by_row() -> None:
    margin, loss = np.array([5.0, 10, 20, 40]), np.array([-100.0, -1, -30, -2])
    found = choose_cutoff(SCORE, GOOD, profit=Profit(approved_good=margin, approved_bad=loss))
    assert found.curve.profit is not None
    assert found.curve.profit.tolist() == [-80, 20, 10, 40, 0]


def test_the_profit_at_any_cutoff() -> None:
    curve = choose_cutoff(SCORE, GOOD, profit=Profit(approved_good=100, approved_bad=-150)).curve
    assert [curve.profit_at(cutoff) for cutoff in (-9, 1, 1.5, 2, 3.5, 4, 99)] == [-100, -100, 50, 50, 100, 100, 0]
    assert choose_cutoff(SCORE, GOOD, approval_rate=0.5).curve.profit_at(2) is None


def test_approving_nobody_can_be_best() -> None:
    found = choose_cutoff(SCORE, GOOD, profit=Profit(approved_good=-1, approved_bad=-1))
    assert (found.cutoff, found.decided.approval_rate, found.profit) == (math.nextafter(4, math.inf), 0, 0)


def test_of_equal_profits_the_cutoff_that_approves_the_fewest() -> None:
    found = choose_cutoff([1, 2, 3], [True, True, True], profit=Profit(approved_good=0, approved_bad=-1))
    assert found.cutoff == math.nextafter(3, math.inf)
    tenths = Profit(approved_good=0.1, approved_bad=-0.3)  # 0.1 + 0.1 + 0.1 - 0.3 is not 0 in doubles
    assert choose_cutoff([1, 2, 3, 4], [True, True, True, False], profit=tenths).cutoff > 4


@settings(deadline=None, derandomize=True, database=None)
@given(drawn(unknown=False), st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_the_largest_profit_of_all_cutoffs(rows: Drawn, amounts: list[int]) -> None:
    profit = Profit(
        **dict(zip(("approved_good", "approved_bad", "declined_good", "declined_bad"), amounts, strict=True))
    )
    found = choose_cutoff(rows.score, rows.good, profit=profit, sample_weight=rows.weight, knocked_out=rows.knocked_out)
    good = np.array(rows.good)

    def value(cutoff: float) -> float:
        approved = (rows.score >= cutoff) & ~rows.knocked_out
        of_good, of_bad = np.where(approved, amounts[0], amounts[2]), np.where(approved, amounts[1], amounts[3])
        return float((rows.weight * np.where(good, of_good, of_bad)).sum())

    every = [*range(6), 5.5]
    best = max(map(value, every))
    assert found.profit == value(found.cutoff) == best
    approved = (rows.score >= found.cutoff) & ~rows.knocked_out
    for cutoff in every:
        if value(cutoff) == best:
            fewer = rows.weight[(rows.score >= cutoff) & ~rows.knocked_out].sum()
            assert fewer >= rows.weight[approved].sum()


@settings(deadline=None, derandomize=True, database=None)
@given(drawn(), st.integers(1, 20))
def test_the_approval_rate_of_the_highest_cutoff_that_reaches_it(rows: Drawn, twentieths: int) -> None:
    rate, total = twentieths / 20, rows.weight.sum()

    def approved(cutoff: float) -> float:
        return float(rows.weight[(rows.score >= cutoff) & ~rows.knocked_out].sum() / total)

    enough = [cutoff for cutoff in range(6) if approved(cutoff) >= rate - 1e-12]
    options = {"sample_weight": rows.weight, "knocked_out": rows.knocked_out}
    if not enough:
        with pytest.raises(InputError, match="because knock-outs or overrides decline the others"):
            choose_cutoff(rows.score, rows.good, approval_rate=rate, **options)
        return
    found = choose_cutoff(rows.score, rows.good, approval_rate=rate, groups=rows.groups, **options)
    assert found.cutoff == max(enough)
    assert found.decided.approval_rate == pytest.approx(approved(found.cutoff))
    if not rows.knocked_out.any():
        assert found.cutoff == approval_threshold(rows.score, rate, sample_weight=rows.weight)


@settings(deadline=None, derandomize=True, database=None)
@given(drawn(), st.integers(0, 19))
def test_the_bad_rate_of_the_cutoff_that_approves_the_most(rows: Drawn, twentieths: int) -> None:
    most = twentieths / 20
    bad, known = (np.array([each in of for each in rows.good]) for of in ([False], [True, False]))

    def rate(cutoff: float) -> float:
        approved = (rows.score >= cutoff) & ~rows.knocked_out
        among = rows.weight[approved & known].sum()
        return float(rows.weight[approved & bad].sum() / among) if among else math.nan

    levels = sorted(set(rows.score[~rows.knocked_out & (rows.weight > 0)]))
    kept = [cutoff for cutoff in levels if rate(cutoff) <= most + 1e-12]
    options = {"sample_weight": rows.weight, "knocked_out": rows.knocked_out}
    if not kept:
        with pytest.raises(InputError, match=r"no cutoff keeps the bad rate|no outcome is known"):
            choose_cutoff(rows.score, rows.good, max_bad_rate=most, **options)
        return
    found = choose_cutoff(rows.score, rows.good, max_bad_rate=most, **options)
    assert found.cutoff == min(kept)
    assert found.decided.bad_rate == pytest.approx(rate(found.cutoff))


@settings(deadline=None, derandomize=True, database=None, max_examples=25)
@given(drawn(unknown=False))
def test_the_curve_has_what_group_metrics_has_at_every_cutoff(rows: Drawn) -> None:
    found = choose_cutoff(
        rows.score,
        rows.good,
        profit=Profit(approved_good=1, approved_bad=-1),
        groups=rows.groups,
        sample_weight=rows.weight,
        knocked_out=rows.knocked_out,
    )
    for place, cutoff in enumerate(found.curve.cutoff):
        decision = (rows.score >= cutoff) & ~rows.knocked_out
        metrics = group_metrics(rows.good, decision, rows.groups, sample_weight=rows.weight)
        for its, group in zip(found.curve.groups, metrics, strict=True):
            assert its.group == group.group
            assert its.approval_rate[place] == pytest.approx(group.approval_rate, nan_ok=True)
            assert its.bad_rate[place] == pytest.approx(group.bad_rate_among_approved, nan_ok=True)
        if cutoff == found.cutoff:
            ratios = [group.adverse_impact_ratio for group in found.decided.groups]
            assert ratios == pytest.approx([group.adverse_impact_ratio for group in metrics], nan_ok=True)


def test_a_group_that_reads_like_a_formula_has_readable_columns() -> None:
    groups = Groups.from_frame({"sex": ["=cmd()", "=cmd()", "m", "m"]}, min_group_size=0)
    curve = choose_cutoff(SCORE, GOOD, approval_rate=0.5, groups=groups).curve
    assert list(curve.rows[0])[3:5] == ["approval_rate (sex: =cmd())", "bad_rate (sex: =cmd())"]


def test_unknown_outcomes_without_weight_do_not_count_for_a_profit() -> None:
    profit = Profit(approved_good=1, approved_bad=-1)
    found = choose_cutoff(SCORE, [False, None, None, True], profit=profit, sample_weight=[1, 0, 0, 2])
    assert (found.cutoff, found.profit) == (4, 2)
    with pytest.raises(InputError, match=r"row 2: a profit needs.*got '1 of 4 outcomes are not known'"):
        choose_cutoff(SCORE, [False, None, None, True], profit=profit, sample_weight=[1, 0, 1, 2])


def test_json_with_and_without_the_curve() -> None:
    groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0)
    found = choose_cutoff(SCORE, GOOD, profit=Profit(approved_good=1, approved_bad=-1), groups=groups)
    said = found.to_dict()
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert len(said["curve"]) == said["alternatives"] == 5
    assert said["curve"][-1]["bad_rate"] is None
    assert set(said["curve"][0]) >= {"cutoff", "profit", "approval_rate (sex: f)", "bad_rate (sex: m)"}
    assert "curve" not in found.to_dict(curve=False)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "give one aim"),
        ({"approval_rate": 0.5, "max_bad_rate": 0.1}, "give one aim"),
        ({"approval_rate": 0}, "approval_rate: expected a share; got 0; allowed: a number above 0 and at most 1"),
        ({"approval_rate": 1.1}, "approval_rate: expected a share; .*allowed: a number above 0 and at most 1"),
        ({"max_bad_rate": 1}, "max_bad_rate: expected a share; got 1; allowed: a number from 0 to below 1"),
        ({"max_bad_rate": -0.1}, "max_bad_rate: expected a share; .*allowed: a number from 0 to below 1"),
        ({"profit": Profit(approved_good=[1, 2], approved_bad=0)}, "profit: approved_good: unusable amounts"),
        ({"profit": Profit(approved_good=1, approved_bad=math.nan)}, "profit: approved_bad: unusable amounts"),
        ({"profit": Profit(approved_good="a", approved_bad=1)}, "profit: approved_good: unusable amounts"),
        (
            {"profit": Profit(approved_good=1e308, approved_bad=-1)},
            "profit: the amounts .*add up to more than",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        choose_cutoff(SCORE, GOOD, **options)


def test_errors_say_what_is_possible() -> None:
    with pytest.raises(InputError, match=r"no cutoff keeps the bad rate.*allowed: at least 0\.5, at the cutoff 1\. "):
        choose_cutoff([1, 2], [True, False], max_bad_rate=0.1)
    third = [1, 2, 3.5, 4.25, 5], [False, True, False, True, False]
    with pytest.raises(InputError, match=r"allowed: at least 0\.6, at the cutoff 1\. Fix: allow more"):
        choose_cutoff([1, 2, 3, 4, 5], [True, True, False, False, False], max_bad_rate=0.1)
    with pytest.raises(InputError, match=r"allowed: at least 0\.5, at the cutoff 2\. "):
        choose_cutoff(*third, max_bad_rate=0.49)
    with pytest.raises(InputError, match=r"max_bad_rate: no outcome is known.*Fix: give the outcomes"):
        choose_cutoff([1, 2], max_bad_rate=0.1)
    with pytest.raises(InputError, match=r"allowed: at most 0\.75"):
        choose_cutoff(SCORE, approval_rate=0.8, knocked_out=[False, True, False, False])
    with pytest.raises(InputError, match=r"allowed: at most 0\.6666666666666666\. "):
        choose_cutoff([1, 2, 3], approval_rate=0.7, knocked_out=[True, False, False])
    with pytest.raises(InputError, match="row 1: a profit needs the outcome of every applicant"):
        choose_cutoff(SCORE, [True, None, True, None], profit=Profit(approved_good=1, approved_bad=1))
