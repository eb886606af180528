"""What the constraints bind to, and the errors for what they cannot mean."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from scrutable.bases.constraint import FairnessConstraint
from scrutable.errors import InputError, KindError
from scrutable.fairness import DivergenceBound, Groups, RateBound
from scrutable_fairness.constraints import AdverseImpactRatio, DemographicParity, FairnessInformationValue

Y = np.array([True, False, True, True])
GROUPS = Groups.from_frame(
    {"sex": ["f", "m", "m", "m"], "race": ["a", "b", "c", "b"]}, reference={"race": "b"}, min_group_size=0
)
PAIRS = [("sex", "f", "m"), ("race", "a", "b"), ("race", "c", "b")]
ALL = [DemographicParity(0.05), AdverseImpactRatio(0.9), FairnessInformationValue(0.02, "events")]


def test_demographic_parity_bounds_the_difference_of_approval_rates() -> None:
    assert DemographicParity(0.05).bind(Y, GROUPS) == tuple(
        RateBound(rate="approval", given=None, attribute=a, group=g, reference=r, slack=0.05) for a, g, r in PAIRS
    )


def test_adverse_impact_ratio_bounds_the_quotient_of_approval_rates() -> None:
    assert AdverseImpactRatio().bind(Y, GROUPS) == tuple(
        RateBound(rate="approval", given=None, attribute=a, group=g, reference=r, ratio=0.8) for a, g, r in PAIRS
    )


@pytest.mark.parametrize("rows", ["all", "events"])
def test_fairness_information_value_bounds_every_characteristic(rows: str) -> None:
    assert FairnessInformationValue(0.02, rows).bind(Y, GROUPS) == tuple(  # type: ignore[arg-type]
        DivergenceBound(attribute=a, group=g, reference=r, rows=rows, bound=0.02)  # type: ignore[arg-type]
        for a, g, r in PAIRS
    )


@pytest.mark.parametrize("constraint", ALL, ids=lambda each: type(each).__name__)
def test_constraints_are_values_that_survive_copies(constraint: FairnessConstraint) -> None:
    assert copy.deepcopy(constraint) == constraint == pickle.loads(pickle.dumps(constraint))
    assert hash(copy.deepcopy(constraint)) == hash(constraint)
    with pytest.raises(AttributeError):
        constraint.attributes = ("sex",)  # type: ignore[misc]


@pytest.mark.parametrize("attributes", ["sex", ["sex"], ("sex",)])
def test_a_constraint_can_be_restricted_to_some_attributes(attributes: object) -> None:
    [bound] = AdverseImpactRatio(attributes=attributes).bind(Y, GROUPS)  # type: ignore[arg-type]
    assert (bound.attribute, bound.group) == ("sex", "f")


def test_an_attribute_that_is_not_there_is_answered_with_the_closest_one() -> None:
    with pytest.raises(InputError, match=r"AdverseImpactRatio: .*got 'rcae'; allowed: did you mean 'race'\?.*Fix: add"):
        AdverseImpactRatio(attributes=["rcae"]).bind(Y, GROUPS)


def test_empty_groups_are_passed_over_but_an_empty_reference_is_an_error() -> None:
    part = GROUPS.subset([1, 2, 3])
    assert [bound.group for bound in DemographicParity().bind(Y[1:], part)] == ["c"]
    with pytest.raises(InputError, match=r"'sex': the reference group has no rows .*got 'm'; allowed: 'f'"):
        DemographicParity().bind(Y[:1], GROUPS.subset([0]))


def test_outcomes_must_be_booleans_of_the_same_rows() -> None:
    with pytest.raises(
        KindError, match=r"y: expected booleans, .*got 'int64 such as .*Fix: compare with the favourable"
    ):
        DemographicParity().bind([1, 0, 1, 1], GROUPS)
    with pytest.raises(InputError, match=r"y: the number of rows differs; got 2; allowed: 4 rows"):
        DemographicParity().bind(Y[:2], GROUPS)


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
        (lambda: DemographicParity(attributes=[]), r"DemographicParity: attributes lists .*got \[\]; .*Fix: name at"),
        (lambda: DemographicParity(attributes=["a", "a"]), r"each once; got \['a', 'a'\]"),
        (lambda: DemographicParity(attributes=[1]), r"got \[1\]; allowed: a list of names"),
    ],
)
def test_parameters_are_checked_when_the_constraint_is_made(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
