"""Bounds check themselves, and importing them costs nothing."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import scrutable.fairness
from scrutable.data.training import read_training
from scrutable.errors import InputError
from scrutable.fairness import DivergenceBound, Groups, RateBound, measure_bounds
from scrutable.fairness.bounds import kinds_of
from scrutable.plugins.bases import FairnessConstraint
from scrutable.plugins.bases.binding import bound_by

PAIR = {"attribute": "sex", "group": "f", "reference": "m"}


def test_bounds_are_immutable_values() -> None:
    bound = RateBound(rate="approval", slack=0.1, given=True, **PAIR)
    assert bound == RateBound(rate="approval", slack=0.1, given=True, **PAIR)
    assert len({bound, bound}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        bound.slack = 0.2  # type: ignore[misc]  # what is tested


@pytest.mark.parametrize("options", [{"slack": 0}, {"slack": 1.0}, {"ratio": 1}, {"ratio": 1e-9}])
def test_edges_of_the_ranges_are_allowed(options: dict[str, float]) -> None:
    RateBound(rate="error", attribute="sex", group="f", reference=None, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"rate bound on 'sex', group 'f': .*exactly one of slack and ratio; got \{'slack': None, 'ratio': None\}"),
        ({"slack": 0.1, "ratio": 0.8}, r"exactly one of slack and ratio; got \{'slack': 0\.1, 'ratio': 0\.8\}"),
        (
            {"slack": 1.5},
            r"slack is an absolute difference .* got 1\.5; allowed: a number from 0 to 1\. Fix: give 0\.05",
        ),
        ({"slack": -0.1}, r"got -0\.1; allowed: a number from 0 to 1"),
        ({"slack": float("nan")}, "got nan; allowed: a number from 0 to 1"),
        ({"slack": True}, "got True; allowed: a number from 0 to 1"),
        ({"ratio": 0}, r"quotient of .* got 0; allowed: a number above 0 and at most 1\. Fix: give 0\.8"),
        ({"ratio": "0.8"}, r"got '0\.8'; allowed: a number above 0"),
        ({"slack": 0.1, "rate": "approve"}, r"rate of the .*got 'approve'; allowed: 'approval' or 'error'"),
        ({"slack": 0.1, "reference": "f"}, "a group cannot be compared with itself; got 'f'"),
    ],
)
def test_rate_bounds_refuse_what_they_cannot_mean(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"rate": "approval", **PAIR, **options}
    with pytest.raises(InputError, match=message):
        RateBound(**arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"bound": -0.1},
            r"divergence bound on 'sex', group 'f': .*got -0\.1; allowed: a finite number that is at least 0",
        ),
        ({"bound": float("inf")}, "got inf; allowed: a finite number"),
        ({"rows": "event"}, "got 'event'; allowed: 'events' or 'all'"),
        ({"reference": "f"}, "a group cannot be compared with itself"),
    ],
)
def test_divergence_bounds_refuse_what_they_cannot_mean(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"rows": "all", "bound": 0.1, **PAIR, **options}
    with pytest.raises(InputError, match=message):
        DivergenceBound(**arguments)


def test_the_package_names_nothing_that_it_does_not_promise() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        scrutable.fairness.nothing  # noqa: B018


@dataclasses.dataclass(frozen=True, kw_only=True)
class Doubled(RateBound):
    """A bound of another definition: rows of good payers count twice."""

    kind = "doubled-rate"

    def sides(self, y: Any, groups: Groups, sample_weight: Any = None) -> Any:
        weight = 1.0 if sample_weight is None else sample_weight
        return super().sides(y, groups, np.where(y, 2.0 * weight, weight))


@pytest.mark.filterwarnings("ignore::scrutable.fairness.SmallGroupWarning")
def test_a_bound_of_another_definition_is_kept_by_whoever_keeps_rates() -> None:
    assert kinds_of(Doubled(rate="approval", slack=0.1, **PAIR)) == ("doubled-rate", "rate")
    groups, y = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, min_group_size=0), np.array([True, False] * 2)
    bound = Doubled(rate="approval", slack=0.1, **PAIR)
    contrast = bound.contrast(y, groups)
    assert contrast.weights.tolist() == pytest.approx([2 / 3, 1 / 3, -2 / 3, -1 / 3])
    [measured] = measure_bounds([bound], y, [True, False, False, True], groups)
    assert measured.gap == pytest.approx(contrast.value([True, False, False, True]))
    constraint = Wish(min_group_size=1)
    data = read_training({"x": [1.0, 2.0, 3.0, 4.0]}, y, sensitive_features={"sex": ["f", "f", "m", "m"]})
    assert bound_by(constraint, data, ("rate",), "mine") == bound_by(constraint, data, ("doubled-rate",), "mine")
    with pytest.raises(InputError, match="mine cannot keep a bound on a doubled-rate"):
        bound_by(constraint, data, ("divergence",), "mine")


@dataclasses.dataclass(frozen=True)
class Wish(FairnessConstraint):
    """A constraint that makes such bounds."""

    def bounds_for(self, attribute: Any, group: str, y: Any) -> Any:
        yield Doubled(
            rate="approval", attribute=attribute.name, group=group, reference=self.reference_of(attribute), slack=0.1
        )


def test_bounds_and_constraints_load_no_numerical_library() -> None:
    program = (
        "import sys, scrutable.fairness.bounds, scrutable.plugins.bases.constraint, scrutable_fairness.constraints;"
        "import scrutable_fairness.aliases;"
        "print(sorted({'numpy', 'pandas', 'sklearn', 'pyarrow', 'narwhals', 'fairlearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
