"""Groups that are not known: probabilities of 0 and 1 are labels, others are weights, and what that estimates."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrutable import create
from scrutable.errors import InputError
from scrutable.fairness import Groups, RateBound, fairness_report, group_metrics, measure_bounds
from scrutable.fairness.report import operating_points
from scrutable.plugins.registry import registry
from scrutable_fairness.mistreatment import dmc_mean_score, dmc_sum_score, eop_score, error_rates, odm_score

#: Options that constraints cannot do without.
OPTIONS = {name: {"positive": "unfavourable"} for name in ("false-negative-rate", "false-positive-rate")}
CONSTRAINTS = registry().names("constraint")
COMPARED = ["reference", "everyone", "pairs"]


def as_probabilities(groups: Groups, **options: Any) -> Groups:
    """Known groups as probabilities of 0 and 1."""
    columns = {each.name: dict(zip(each.labels, each.membership.T, strict=True)) for each in groups.attributes}
    reference = {each.name: each.reference for each in groups.attributes}
    return Groups.from_probabilities(columns, reference=reference, min_group_size=0, **options)


def known(n: int = 1000) -> tuple[Groups, np.ndarray, np.ndarray, np.ndarray]:
    """Groups of three labels, some unknown, and of two; outcomes, scores and weights."""
    rng = np.random.default_rng(5)
    race = rng.choice(np.array(["a", "b", "c", None], dtype=object), n, p=[0.5, 0.25, 0.2, 0.05])
    frame = {"race": race, "sex": rng.choice(["f", "m"], n)}
    groups = Groups.from_frame(frame, reference={"race": "b"}, min_group_size=0)
    score = rng.normal(size=n).round(1) + (race == "a")
    return groups, rng.random(n) < 0.7, score, rng.integers(0, 4, n).astype(float)


# --- probabilities of 0 and 1 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_of_certain_probabilities_are_those_of_labels(weighted: bool) -> None:
    groups, y, score, weight = known()
    same = as_probabilities(groups)
    options: dict[str, Any] = {"sample_weight": weight if weighted else None}
    decision = score >= 0
    for measure in (eop_score, dmc_sum_score, dmc_mean_score, odm_score):
        assert measure(y, decision, same, **options) == measure(y, decision, groups, **options)
    assert error_rates(y, decision, same, "race", **options) == error_rates(y, decision, groups, "race", **options)
    drawn: dict[str, Any] = {**options, "n_boot": 50}
    metrics = [repr(group_metrics(y, decision, each, score=score, **options)) for each in (groups, same)]
    reports = [fairness_report(y, score, 0.2, each, **drawn).to_dict() for each in (groups, same)]
    points = [repr(operating_points(y, score, {"here": 0.5}, each, **drawn)) for each in (groups, same)]
    for hard, soft in (metrics, reports, points):
        assert soft == hard


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_bounds_on_certain_probabilities_are_those_on_labels(name: str) -> None:
    groups, y, score, weight = known()
    same = as_probabilities(groups)
    constraint = create("constraint", name, **OPTIONS.get(name, {}))
    bounds = constraint.bind(y, groups)
    assert bounds
    assert constraint.bind(y, same) == bounds
    for bound in bounds:
        if isinstance(bound, RateBound):
            hard, soft = (bound.contrast(y, each, sample_weight=weight) for each in (groups, same))
            np.testing.assert_array_equal(soft.weights, hard.weights)
            assert (soft.low, soft.high) == (hard.low, hard.high)
            rates = [measure_bounds([bound], y, score >= 0, each, sample_weight=weight) for each in (groups, same)]
            assert rates[0] == rates[1]


@pytest.mark.parametrize("name", [name for name in CONSTRAINTS if name != "fairness-information-value"])
@pytest.mark.parametrize("compare", COMPARED)
def test_so_are_those_of_every_comparison(name: str, compare: str) -> None:
    groups, y, _, _ = known()
    constraint = create("constraint", name, compare=compare, **OPTIONS.get(name, {}))
    assert constraint.bind(y, as_probabilities(groups)) == constraint.bind(y, groups) != ()


# --- probabilities as weights -----------------------------------------------------------------------------------


Applicant = tuple[bool, int, int, tuple[int, int, int]]
APPLICANTS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 3), st.tuples(*[st.integers(0, 4)] * 3)),
    min_size=4,
    max_size=20,
)


def expanded(rows: list[Applicant]) -> tuple[Groups, Groups, np.ndarray, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Probable groups; known ones of the rows given once for each group; which rows those are; the columns of both."""
    counts = np.array([row[3] for row in rows], dtype=float)
    weight = np.array([row[2] for row in rows], dtype=float)
    assume((counts.sum(axis=1) > 0).all())
    share = counts / counts.sum(axis=1, keepdims=True)
    assume((weight @ share > 0).all())
    soft = Groups.from_probabilities(
        {"race": dict(zip("abc", share.T, strict=True))}, reference={"race": "b"}, min_group_size=0
    )
    each = np.repeat(np.arange(len(rows)), 3)
    hard = Groups.from_frame({"race": np.tile(list("abc"), len(rows))}, reference={"race": "b"}, min_group_size=0)
    own = {"y": np.array([row[0] for row in rows]), "score": np.array([row[1] for row in rows], dtype=float)}
    both = {name: values[each] for name, values in own.items()}
    return soft, hard, each, own | {"weight": weight}, both | {"weight": (weight[:, None] * share).ravel()}


@settings(max_examples=60, deadline=None)
@given(APPLICANTS)
@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
def test_metrics_are_those_of_rows_given_once_for_each_group_with_that_weight(rows: list[Applicant]) -> None:
    soft, hard, _, own, both = expanded(rows)
    found, expected = (
        group_metrics(its["y"], its["score"] >= 2, groups, score=its["score"], sample_weight=its["weight"])
        for groups, its in ((soft, own), (hard, both))
    )
    for one, other in zip(found, expected, strict=True):
        for name in ("size", "approval_rate", "adverse_impact_ratio", "opportunity_gap", "false_approval_rate", "auc"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12, nan_ok=True)
        assert one.bad_rate_among_approved == pytest.approx(other.bad_rate_among_approved, abs=1e-12, nan_ok=True)
    for measure in (eop_score, dmc_mean_score, odm_score):
        got, wanted = (
            measure(its["y"], its["score"] >= 2, groups, sample_weight=its["weight"])["race"]
            for groups, its in ((soft, own), (hard, both))
        )
        assert got == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(APPLICANTS, st.sampled_from([name for name in CONSTRAINTS if name != "fairness-information-value"]))
@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
def test_bounded_rates_are_those_of_rows_given_once_for_each_group(rows: list[Applicant], name: str) -> None:
    soft, hard, each, own, both = expanded(rows)
    assume(len(set(own["y"][own["weight"] > 0])) == 2)
    constraint = create("constraint", name, min_group_size=1, **OPTIONS.get(name, {}))
    assume(min(soft["race"].sizes.values()) >= 1)
    bounds = [bound for bound in constraint.bind(own["y"], soft) if isinstance(bound, RateBound)]
    for bound in bounds:
        sides = [bound.sides(its["y"], groups, its["weight"]) for groups, its in ((soft, own), (hard, both))]
        for side, spread in zip(*sides, strict=True):
            np.testing.assert_allclose(np.bincount(each, spread), side, atol=1e-12)
        found, expected = (
            measure_bounds([bound], its["y"], its["score"] >= 2, groups, sample_weight=its["weight"])[0]
            for groups, its in ((soft, own), (hard, both))
        )
        assert found.gap == pytest.approx(expected.gap, abs=1e-12, nan_ok=True)


# --- what probabilities estimate --------------------------------------------------------------------------------


def simulated(within: float, n: int = 200_000) -> tuple[float, float, float]:
    """The true gap of approval rates, what weights say, and the bias that theory gives.

    `within` is by how much group a's approval lies lower than b's among rows of the same probability.
    """
    rng = np.random.default_rng(11)
    share = rng.beta(0.6, 0.9, n)
    member = rng.random(n) < share  # calibrated: groups are drawn from the probabilities
    approved = rng.random(n) < 0.7 - 0.2 * share - within * member
    hard = Groups.from_frame({"race": np.where(member, "a", "b")}, reference={"race": "b"}, min_group_size=0)
    soft = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}}, reference={"race": "b"})
    true, weighted = (group_metrics(np.ones(n, bool), approved, each)[0].approval_gap for each in (hard, soft))
    mixed = (share * (1 - share)).mean()  # E[Cov(approved, member | share)] = -within * this
    return true, weighted, within * mixed * (1 / share.mean() + 1 / (1 - share).mean())


def test_weights_estimate_the_true_gap_where_decisions_depend_on_the_group_by_its_probability_only() -> None:
    true, weighted, _ = simulated(within=0.0)
    assert true < -0.05
    assert weighted == pytest.approx(true, abs=0.006)  # 2.5 standard errors of the true gap


def test_weights_are_biased_by_what_decisions_owe_to_the_group_itself() -> None:
    true, weighted, bias = simulated(within=0.2)
    assert bias > 0.08
    assert weighted - true == pytest.approx(bias, abs=0.006)


# --- reading probabilities --------------------------------------------------------------------------------------


def test_rows_without_any_probability_are_of_unknown_membership() -> None:
    frame = pd.DataFrame({"b": [0.25, np.nan, 0.5], "a": [0.75, np.nan, 0.5]})
    race = Groups.from_probabilities({"race": frame}, min_group_size=0)["race"]
    assert (race.labels, race.known, race.reference) == (("a", "b", "(missing)"), ("a", "b"), "a")
    assert race.membership.tolist() == [[0.75, 0.25, 0], [0, 0, 1], [0.5, 0.5, 0]]


def test_a_column_of_the_unknown_takes_them_too_and_stands_last() -> None:
    frame = {"(missing)": [0.5, np.nan], "z": [0.25, np.nan], "a": [0.25, np.nan]}
    race = Groups.from_probabilities({"race": frame}, min_group_size=0)["race"]
    assert race.labels == ("a", "z", "(missing)")
    assert race.membership.tolist() == [[0.25, 0.25, 0.5], [0, 0, 1]]


def test_rounded_probabilities_sum_to_one_again_and_others_stay_as_they_are() -> None:
    third = 1 / 3
    frame = {"a": [0.33, third, 0.335], "b": [0.33, third, 0.335], "c": [0.33, 1 - 2 * third, 0.34]}
    membership = Groups.from_probabilities({"race": frame}, min_group_size=0)["race"].membership
    assert membership[0].tolist() == pytest.approx([1 / 3] * 3, abs=1e-15)
    assert membership[1].tolist() == [third, third, 1 - 2 * third]
    assert membership[2].tolist() == pytest.approx([335 / 1010, 335 / 1010, 340 / 1010])
    wrong = re.escape("row 0: membership probabilities do not sum to 1; got 0.98; allowed: 1 within 0.01.")
    with pytest.raises(InputError, match=wrong):
        Groups.from_probabilities({"race": {"a": [0.49, 1], "b": [0.49, 0]}}, min_group_size=0)


def test_a_single_column_asks_for_the_others() -> None:
    with pytest.raises(InputError, match=r"only one group.*Fix: add a column for the others, which holds 1 minus 'a'"):
        Groups.from_probabilities({"race": {"a": [0.3, 0.6]}}, min_group_size=0)


def test_strata_are_groups_or_probabilities_to_a_quarter() -> None:
    groups, *_ = known()
    np.testing.assert_array_equal(groups["race"].strata, groups["race"].codes)
    np.testing.assert_array_equal(as_probabilities(groups)["race"].strata, groups["race"].codes)
    share = np.array([0.0, 0.12, 0.13, 0.37, 0.38, 0.62, 0.63, 0.87, 0.88, 1.0, 0.5])
    soft = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}}, min_group_size=0)["race"]
    assert soft.strata.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 2]
