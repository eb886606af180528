"""Constraints on rates of one outcome or class: what they bind to, and that it is what scores and aliases measure."""

from __future__ import annotations

import warnings
from typing import Any

import fairlearn.metrics
import numpy as np
import pytest

from scrutable import create
from scrutable.errors import InputError, KindError
from scrutable.fairness import Bound, Groups, RateBound, SmallGroupWarning, measure_bounds
from scrutable_fairness.aliases import EqualOpportunity, FalseNegativeRate, FalsePositiveRate, PositiveClassRate
from scrutable_fairness.constraints import AdverseImpactRatio, DemographicParity
from scrutable_fairness.error_rates import DisparateMistreatment, ErrorRateBalance, Opportunity, OverallMistreatment
from scrutable_fairness.mistreatment import dmc_mean_score as dmc
from scrutable_fairness.mistreatment import odm_score as odm

ONE = {"min_group_size": 1}
Y = [True, False, True, False]
CLASSES = ["late", "paid", "paid", "late"]
GROUPS = Groups.from_frame({"sex": [*"ffmm"], "race": [*"aabb"]}, reference={"sex": "m", "race": "b"}, min_group_size=0)
FOUR = Groups.from_frame({"g": [*"abcd"] * 3}, reference={"g": "b"}, min_group_size=0)


def rates(bounds: tuple[Bound, ...]) -> list[RateBound]:
    assert all(isinstance(bound, RateBound) for bound in bounds)
    return list(bounds)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("demographic-parity", {}, [("approval", None)]),
        ("opportunity", {}, [("approval", True)]),
        ("error-rate-balance", {}, [("approval", True), ("approval", False)]),
        ("error-rate-balance", {"outcome": "favourable"}, [("approval", True)]),
        ("error-rate-balance", {"outcome": "unfavourable"}, [("approval", False)]),
        ("disparate-mistreatment", {}, [("error", False), ("error", True)]),
        ("overall-mistreatment", {}, [("error", None)]),
        ("false-positive-rate", {"positive": "favourable"}, [("approval", False)]),
        ("false-positive-rate", {"positive": "unfavourable"}, [("approval", True)]),
        ("false-negative-rate", {"positive": "favourable"}, [("approval", True)]),
        ("false-negative-rate", {"positive": "unfavourable"}, [("approval", False)]),
        ("equal-opportunity", {}, [("approval", True)]),
        ("equal-opportunity", {"positive": "unfavourable"}, [("approval", False)]),
    ],
)
def test_every_name_binds_its_rates_in_every_attribute(name: str, options: dict[str, Any], expected: Any) -> None:
    constraint = create("constraint", name, slack=0.05, **options, **ONE)
    assert constraint.bind(Y, GROUPS) == tuple(
        RateBound(rate=rate, given=given, attribute=attribute, group=group, reference=reference, slack=0.05)
        for attribute, group, reference in [("sex", "f", "m"), ("race", "a", "b")]
        for rate, given in expected
    )


def test_mistreatment_is_bounded_in_classes_of_any_number() -> None:
    y = ["late"] * 4 + ["paid"] * 4 + ["default"] * 4
    bounds = rates(DisparateMistreatment(0.1, **ONE).bind(y, FOUR))
    assert [(b.group, b.given) for b in bounds] == [(g, k) for g in "acd" for k in ("default", "late", "paid")]
    assert [b.given for b in rates(OverallMistreatment(0.1, **ONE).bind(y, FOUR))] == [None] * 3


@pytest.mark.parametrize(
    ("compare", "pairs"),
    [
        ("reference", ["ab", "cb", "db"]),
        ("everyone", ["a ", "b ", "c ", "d "]),
        ("pairs", ["ab", "ac", "ad", "cb", "cd", "db"]),
    ],
)
def test_groups_are_compared_with_a_reference_with_everyone_or_in_pairs(compare: Any, pairs: list[str]) -> None:
    for constraint in (DemographicParity(compare=compare, **ONE), AdverseImpactRatio(compare=compare, **ONE)):
        bounds = rates(constraint.bind([True] * 12, FOUR))
        found = [bound.group + (bound.reference or " ") for bound in bounds]
        both_ways = compare == "pairs" and isinstance(constraint, AdverseImpactRatio)
        assert sorted(found) == sorted(pairs + [pair[::-1] for pair in pairs if both_ways])


def test_ratios_in_pairs_are_kept_by_none_but_four_fifths_of_the_highest_rate() -> None:
    predicted = np.array([1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0], dtype=bool)
    y = np.ones(12, dtype=bool)
    for ratio, kept in ((1 / 3, True), (0.34, False)):
        bounds = AdverseImpactRatio(ratio, compare="pairs", **ONE).bind(y, FOUR)
        assert all(found.kept for found in measure_bounds(bounds, y, predicted, FOUR)) is kept
    smallest = fairlearn.metrics.demographic_parity_ratio(y, predicted, sensitive_features=FOUR.labels_of("g"))
    assert smallest == pytest.approx(1 / 3)


@pytest.mark.usefixtures("everybody_told")
def test_small_groups_are_in_no_pair_and_named_once() -> None:
    groups = Groups.from_frame({"g": [*"aaabbbccdd"]}, min_group_size=0)
    for constraint in (OverallMistreatment(compare="pairs", min_group_size=3), AdverseImpactRatio(min_group_size=3)):
        with pytest.warns(SmallGroupWarning, match="smaller than 3: 'c' of 'g' has 2 rows; 'd' of 'g' has 2") as caught:
            bounds = rates(constraint.bind([True] * 10, groups))
        assert len(caught) == 1
        assert [(bound.group, bound.reference) for bound in bounds] == [("b", "a")]


def test_attributes_have_slacks_of_their_own() -> None:
    bounds = [
        bound
        for attribute, slack in {"sex": 0.05, "race": 0.1}.items()
        for bound in rates(Opportunity(slack, attributes=attribute, **ONE).bind(Y, GROUPS))
    ]
    assert [(bound.attribute, bound.slack) for bound in bounds] == [("sex", 0.05), ("race", 0.1)]


def test_rates_of_few_rows_of_a_class_are_passed_over_and_named() -> None:
    groups = Groups.from_frame({"sex": [*"m" * 100, *"f" * 60]}, min_group_size=0)
    good = np.arange(160) % 10 > 2  # 30 bad payers of group m, 18 of group f
    named = (
        r"^ErrorRateBalance does not bound rates of fewer than 30 rows: 'f' of 'sex' has 18 rows of class False\. "
        r"Fix: merge groups or classes, or lower min_group_size\.$"
    )
    with pytest.warns(SmallGroupWarning, match=named) as caught:
        [bound] = rates(ErrorRateBalance().bind(good, groups))
    assert [warning.filename for warning in caught] == [__file__]
    assert bound.given is True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ErrorRateBalance(min_group_size=18).bind(good, groups)) == 2
        assert len(ErrorRateBalance(outcome="favourable").bind(good, groups)) == 1


def test_a_class_that_a_group_does_not_have_is_never_bounded() -> None:
    y = ["late", "paid", "paid", "paid"]
    with pytest.warns(SmallGroupWarning, match="'m' of 'sex' has 0 rows of class 'late'"):
        bounds = rates(DisparateMistreatment(attributes="sex", **ONE).bind(y, GROUPS))
    assert [bound.given for bound in bounds] == ["paid"]
    for bound in bounds:
        bound.contrast(y, GROUPS)


def test_a_cell_is_named_once_beside_each_group_that_it_leaves_unbounded() -> None:
    y = ["late", "paid", "paid", "paid"] * 3
    with pytest.warns(SmallGroupWarning) as caught:
        bounds = rates(DisparateMistreatment(compare="pairs", min_group_size=3).bind(y, FOUR))
    named = [str(warning.message).split(": ")[1].split(". ")[0] for warning in caught]
    late = {group: f"'{group}' of 'g' has 0 rows of class 'late'" for group in "bcd"}
    assert named == [
        "; ".join([*late.values(), "'a' of 'g' has 0 rows of class 'paid'"]),
        "; ".join([late["c"], late["b"], late["d"]]),
        "; ".join([late["d"], late["b"]]),
    ]
    assert [(bound.group, bound.reference, bound.given) for bound in bounds] == [
        (*pair, "paid") for pair in ("cb", "cd", "db")
    ]


@pytest.mark.parametrize("seed", range(3))
def test_bounds_in_pairs_are_kept_exactly_by_the_scores_of_the_papers(seed: int) -> None:
    generator = np.random.default_rng(seed)
    y, predicted = generator.choice(["default", "late", "paid"], (2, 300))
    groups = Groups.from_frame({"g": generator.choice([*"abcd"], 300)})
    largest: dict[Any, float] = {}
    for constraint in (DisparateMistreatment, OverallMistreatment):
        for found in measure_bounds(constraint(compare="pairs", **ONE).bind(y, groups), y, predicted, groups):
            largest[found.bound.given] = max(largest.get(found.bound.given, 0.0), abs(found.gap))
    assert odm(y, predicted, groups)["g"] == pytest.approx(1 - largest.pop(None))
    assert dmc(y, predicted, groups)["g"] == pytest.approx(1 - sum(largest.values()) / 3)


@pytest.mark.parametrize("cls", [FalsePositiveRate, FalseNegativeRate, EqualOpportunity])
@pytest.mark.parametrize("positive", ["favourable", "unfavourable"])
def test_an_alias_bounds_the_gap_of_the_rate_that_it_is_named_by(cls: type[PositiveClassRate], positive: Any) -> None:
    generator = np.random.default_rng(0)
    good, approved = generator.random((2, 200)) < 0.6
    group = generator.choice(["a", "b"], 200)
    groups = Groups.from_frame({"g": group})
    constraint = cls(0.1, positive=positive, compare="everyone", attributes="g", min_group_size=5)
    [found, _] = measure_bounds(constraint.bind(good, groups), good, approved, groups)
    metric = {
        FalsePositiveRate: fairlearn.metrics.false_positive_rate,
        FalseNegativeRate: fairlearn.metrics.false_negative_rate,
        EqualOpportunity: fairlearn.metrics.true_positive_rate,
    }[cls]
    actual, predicted = (good, approved) if positive == "favourable" else (~good, ~approved)
    own, everyone = (metric(actual[rows], predicted[rows]) for rows in (group == "a", slice(None)))
    assert abs(found.gap) == pytest.approx(abs(own - everyone), abs=1e-12)
    assert abs(found.gap) > 0.001
    same = ErrorRateBalance(0.1, constraint.outcome, compare="everyone", attributes="g", min_group_size=5)
    assert constraint.translation == same
    assert constraint.bind(good, groups) == same.bind(good, groups)
    if constraint.outcome == "favourable":
        opportunity = Opportunity(0.1, compare="everyone", attributes="g", min_group_size=5)
        assert constraint.bind(good, groups) == opportunity.bind(good, groups)


@pytest.mark.parametrize("name", ["false-positive-rate", "false-negative-rate"])
def test_an_alias_asks_which_class_is_positive(name: str) -> None:
    with pytest.raises(InputError, match=r"positive of .*got None.*'favourable'"):
        create("constraint", name, slack=0.05)


@pytest.mark.parametrize(
    "constraint", [Opportunity(**ONE), ErrorRateBalance(**ONE), EqualOpportunity(**ONE)], ids=lambda c: type(c).__name__
)
def test_approvals_of_an_outcome_need_to_know_which_is_favourable(constraint: Opportunity) -> None:
    with pytest.raises(KindError, match=r"y: expected booleans, .*Fix: compare with the favourable class"):
        constraint.bind(CLASSES, GROUPS)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Opportunity(1.2), r"Opportunity: slack is .*got 1\.2; allowed: a number from 0 to 1"),
        (lambda: OverallMistreatment("x"), r"OverallMistreatment: slack is .*got 'x'"),
        (lambda: AdverseImpactRatio(compare="all"), r"compare of AdverseImpactRatio: .*got 'all'; .*or 'pairs'"),
        (lambda: DisparateMistreatment(compare="b"), r"compare of DisparateMistreatment: .*allowed: 'reference' or"),
        (lambda: ErrorRateBalance(outcome="good"), r"outcome of ErrorRateBalance: .*got 'good'; allowed: 'favourable'"),
        (lambda: FalsePositiveRate(positive=1), r"positive of FalsePositiveRate: .*got 1; allowed: 'favourable' or"),
        (lambda: EqualOpportunity(positive="bad"), r"positive of EqualOpportunity: .*got 'bad'"),
    ],
)
def test_parameters_are_checked_when_the_constraint_is_made(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
