"""What the constraints bind to, and the errors for what they cannot mean."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from scrutable.data.array_checks import Outcomes, classes_of, favourable
from scrutable.data.outcome import ClassLabel
from scrutable.errors import InputError, KindError
from scrutable.fairness import DivergenceBound, Groups, ProtectedAttribute, RateBound, SmallGroupWarning
from scrutable.plugins.bases.constraint import FairnessConstraint
from scrutable_fairness.aliases import FalsePositiveRate
from scrutable_fairness.constraints import AdverseImpactRatio, DemographicParity, FairnessInformationValue
from scrutable_fairness.error_rates import DisparateMistreatment, Opportunity, OverallMistreatment

ONE = {"min_group_size": 1}
Y = np.array([True, False, True, True])
GROUPS = Groups.from_frame(
    {"sex": ["f", "m", "m", "m"], "race": ["a", "b", "c", "b"]}, reference={"race": "b"}, min_group_size=0
)
PAIRS = [("sex", "f", "m"), ("race", "a", "b"), ("race", "c", "b")]
ALL = [
    DemographicParity(0.05, **ONE),
    AdverseImpactRatio(0.9),
    FairnessInformationValue(0.02, "events"),
    Opportunity(0.05, compare="pairs"),
    DisparateMistreatment(0.1, compare="pairs"),
    OverallMistreatment(0.1),
    FalsePositiveRate(0.1, positive="unfavourable"),
]


def test_demographic_parity_bounds_the_difference_of_approval_rates() -> None:
    assert DemographicParity(0.05, **ONE).bind(Y, GROUPS) == tuple(
        RateBound(rate="approval", given=None, attribute=a, group=g, reference=r, slack=0.05) for a, g, r in PAIRS
    )


def test_adverse_impact_ratio_bounds_the_quotient_of_approval_rates() -> None:
    assert AdverseImpactRatio(**ONE).bind(Y, GROUPS) == tuple(
        RateBound(rate="approval", given=None, attribute=a, group=g, reference=r, ratio=0.8) for a, g, r in PAIRS
    )


@pytest.mark.parametrize("rows", ["all", "events"])
def test_fairness_information_value_bounds_every_characteristic(rows: str) -> None:
    assert FairnessInformationValue(0.02, rows, **ONE).bind(Y, GROUPS) == tuple(
        DivergenceBound(attribute=a, group=g, reference=r, rows=rows, bound=0.02) for a, g, r in PAIRS
    )


@pytest.mark.parametrize("constraint", ALL, ids=lambda each: type(each).__name__)
def test_constraints_are_values_that_survive_copies(constraint: FairnessConstraint) -> None:
    assert copy.deepcopy(constraint) == constraint == pickle.loads(pickle.dumps(constraint))
    assert hash(copy.deepcopy(constraint)) == hash(constraint)
    with pytest.raises(AttributeError):
        constraint.attributes = ("sex",)


@pytest.mark.parametrize("attributes", ["sex", ["sex"], ("sex",)])
def test_a_constraint_can_be_restricted_to_some_attributes(attributes: object) -> None:
    [bound] = AdverseImpactRatio(attributes=attributes, **ONE).bind(Y, GROUPS)
    assert (bound.attribute, bound.group) == ("sex", "f")


def test_an_attribute_that_is_not_there_is_answered_with_the_closest_one() -> None:
    with pytest.raises(InputError, match=r"AdverseImpactRatio: .*got 'rcae'; allowed: did you mean 'race'\?.*Fix: add"):
        AdverseImpactRatio(attributes=["rcae"]).bind(Y, GROUPS)


def groups_of(**sizes: int) -> Groups:
    labels = [None if label == "missing" else label for label, size in sizes.items() for _ in range(size)]
    return Groups.from_frame({"sex": np.array(labels, dtype=object)}, min_group_size=0)


@pytest.mark.parametrize("missing", [1, 29, 30, 200])
@pytest.mark.parametrize("constraint", ALL, ids=lambda each: type(each).__name__)
def test_unknown_membership_is_no_group_to_bound(constraint: FairnessConstraint, missing: int) -> None:
    groups = groups_of(m=100, f=50, missing=missing)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [bound] = constraint.bind(np.ones(groups.rows, dtype=bool), groups)
    assert (bound.group, bound.reference) == ("f", "m")


def test_unknown_membership_in_part_of_an_intersection_is_no_group_either() -> None:
    data = {"sex": ["m", "f", None] * 40, "age": [20, 50, 20, 50, None, 20] * 20}
    groups = Groups.from_frame(data, intersections=[("sex", "age")], min_group_size=0)
    bounds = AdverseImpactRatio(attributes="sex & age", **ONE).bind(np.ones(120, dtype=bool), groups)
    assert {groups["sex & age"].reference, *(bound.group for bound in bounds)} == {"m & 20", "m & 50", "f & 50"}


@pytest.mark.usefixtures("everybody_told")
def test_small_groups_are_passed_over_and_named() -> None:
    groups = groups_of(m=100, f=30, x=29, y=3)
    with pytest.warns(
        SmallGroupWarning,
        match=r"DemographicParity does not bound groups smaller than 30: 'x' of 'sex' has 29 rows; 'y' of 'sex' has 3",
    ) as caught:
        [bound] = DemographicParity().bind(np.ones(162, dtype=bool), groups)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert bound.group == "f"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [b.group for b in DemographicParity(min_group_size=3).bind(np.ones(162, dtype=bool), groups)] == [*"fxy"]


def test_the_size_of_a_probable_group_is_the_sum_of_its_memberships() -> None:
    share = np.full(100, 0.29)
    groups = Groups.from_probabilities({"race": {"a": share, "b": 1 - share}}, min_group_size=0)
    with pytest.warns(SmallGroupWarning, match="'a' of 'race' has 29"):
        assert DemographicParity().bind(np.ones(100, dtype=bool), groups) == ()
    assert len(DemographicParity(min_group_size=28).bind(np.ones(100, dtype=bool), groups)) == 1


@pytest.mark.parametrize("constraint", [DemographicParity, AdverseImpactRatio, Opportunity])
@pytest.mark.parametrize("reference", ["a", "c"])
def test_a_sum_of_memberships_that_rounding_leaves_below_the_minimum_is_not_small(
    constraint: type[DemographicParity], reference: str
) -> None:
    share = np.full(103, 30 / 103)  # whose exact sum is below 30
    shares = {"race": {"a": share, "b": share, "c": 1 - 2 * share}}
    groups = Groups.from_probabilities(shares, reference={"race": reference}, min_group_size=0)
    assert groups["race"].sizes["a"] < 30
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bounds = constraint(compare="pairs").bind(np.ones(103, dtype=bool), groups)
    pairs = {frozenset((bound.group, bound.reference)) for bound in bounds if isinstance(bound, RateBound)}
    assert pairs == {frozenset("ab"), frozenset("ac"), frozenset("bc")}


def test_a_small_or_empty_reference_is_an_error() -> None:
    with pytest.raises(
        InputError, match=r"'sex': the reference group is too small .*got \"'m' with 20 rows\"; .*30 rows"
    ):
        DemographicParity().bind(np.ones(30, dtype=bool), groups_of(m=20, f=10))
    with pytest.raises(InputError, match=r"got \"'m' with 0 rows\"; allowed: at least 1 rows.*Fix: choose another"):
        DemographicParity(**ONE).bind(Y[:1], GROUPS.subset([0]))


def test_an_attribute_with_one_known_group_cannot_be_bound() -> None:
    with pytest.raises(InputError, match=r"'sex': there is only one known group, .*got 'm'"):
        DemographicParity().bind(np.ones(140, dtype=bool), groups_of(m=100, missing=40))


@pytest.mark.parametrize("y", [[1, 0, 1, 1], ["good", "bad", "late", "good"], [1.0, 2.0, 3.0, 1.0], Y])
def test_outcomes_are_booleans_or_classes_of_the_same_rows(y: object) -> None:
    assert len(DemographicParity(**ONE).bind(y, GROUPS)) == 3
    with pytest.raises(InputError, match=r"y: the number of rows differs; got 3; allowed: 4 rows"):
        DemographicParity(**ONE).bind(y[:3], GROUPS)


@pytest.mark.parametrize("y", [[True, None, False, True], [1.0, np.nan, 0.0, 1.0], ["good", None, "bad", "bad"]])
def test_missing_outcomes_are_refused(y: object) -> None:
    with pytest.raises(InputError, match=r"y, row 1: an outcome is missing; .*Fix: drop the rows"):
        DemographicParity(**ONE).bind(y, GROUPS)


@dataclass(frozen=True)
class ErrorRates(FairnessConstraint):
    """Error rates within each class that differ by at most a slack."""

    slack: float = 0.1

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[RateBound]:
        for given in classes_of(y):
            yield RateBound(
                rate="error",
                attribute=attribute.name,
                group=group,
                reference=self.reference_of(attribute),
                given=given,
                slack=self.slack,
            )


@dataclass(frozen=True)
class Overall(ErrorRates):
    """The same, with everyone as the reference."""

    def reference_of(self, attribute: ProtectedAttribute) -> None:
        return None


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["late", "good", "bad", "good"], ["bad", "good", "late"]),
        (np.array([2, 0, 1, 0]), [0, 1, 2]),
        (Y, [False, True]),
        (pd.Series(["b", "a", "b", "a"], dtype="category"), ["a", "b"]),
        (pd.Series([True, False, True, True], dtype="boolean"), [False, True]),
    ],
)
def test_a_constraint_can_bound_each_class(y: object, classes: list[ClassLabel]) -> None:
    bounds = ErrorRates(attributes="race", **ONE).bind(y, GROUPS)
    assert [(bound.group, bound.given) for bound in bounds] == [(g, c) for g in "ac" for c in classes]
    assert {type(bound.given) for bound in bounds} == {type(classes[0])}


@pytest.mark.usefixtures("everybody_told")
def test_a_constraint_can_compare_every_group_with_everyone() -> None:
    groups = groups_of(m=100, f=50, x=3, missing=40)
    with pytest.warns(SmallGroupWarning, match="'x' of 'sex' has 3 rows"):
        bounds = Overall().bind(np.arange(193) % 2 == 0, groups)
    assert [(bound.group, bound.reference, bound.given) for bound in bounds] == [
        (group, None, given) for group in "fm" for given in (False, True)
    ]


def test_a_constraint_on_the_favourable_outcome_refuses_classes() -> None:
    @dataclass(frozen=True)
    class Opportunity(FairnessConstraint):
        def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[RateBound]:
            favourable(y, "y")
            yield RateBound(
                rate="approval", attribute=attribute.name, group=group, reference="m", given=True, slack=0.1
            )

    assert Opportunity(attributes="sex", **ONE).bind(Y, GROUPS)[0].given is True
    with pytest.raises(KindError, match=r"y: expected booleans, .*Fix: compare with the favourable class"):
        Opportunity(attributes="sex", **ONE).bind([1, 0, 1, 1], GROUPS)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DemographicParity(1.2), r"DemographicParity: slack is .*got 1\.2; allowed: a number from 0 to 1"),
        (lambda: DemographicParity("x"), r"DemographicParity: slack is .*got 'x'"),
        (lambda: AdverseImpactRatio(0), r"AdverseImpactRatio: ratio is .*got 0; allowed: a number above 0"),
        (lambda: AdverseImpactRatio(1.25), r"AdverseImpactRatio: ratio is .*got 1\.25"),
        (lambda: FairnessInformationValue(-1), r"FairnessInformationValue: bound is .*got -1; .*at least 0"),
        (
            lambda: FairnessInformationValue(rows="good"),
            r"FairnessInformationValue: .*got 'good'; allowed: 'events' or",
        ),
        (lambda: DemographicParity(min_group_size=0), r"DemographicParity: min_group_size .*got 0; allowed: a whole"),
        (lambda: AdverseImpactRatio(min_group_size=2.5), r"AdverseImpactRatio: min_group_size .*got 2\.5"),
        (lambda: AdverseImpactRatio(min_group_size=True), r"AdverseImpactRatio: min_group_size .*got True"),
        (lambda: DemographicParity(attributes=[]), r"DemographicParity: attributes lists .*got \[\]; .*Fix: name at"),
        (lambda: DemographicParity(attributes=["a", "a"]), r"each once; got \['a', 'a'\]"),
        (lambda: DemographicParity(attributes=[1]), r"got \[1\]; allowed: a list of names"),
    ],
)
def test_parameters_are_checked_when_the_constraint_is_made(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
