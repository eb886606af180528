"""Bounds check themselves, and importing them costs nothing."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest

import scrutable.fairness
from scrutable.errors import InputError
from scrutable.fairness import DivergenceBound, RateBound

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


def test_the_package_names_everything_it_promises_and_nothing_else() -> None:
    for name in scrutable.fairness.__all__:
        found = getattr(scrutable.fairness, name)
        assert found == RateBound | DivergenceBound if name == "Bound" else found.__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        scrutable.fairness.nothing  # noqa: B018


def test_bounds_and_constraints_load_no_numerical_library() -> None:
    program = (
        "import sys, scrutable.fairness.bounds, scrutable.plugins.bases.constraint, scrutable_fairness.constraints;"
        "import scrutable_fairness.aliases;"
        "print(sorted({'numpy', 'pandas', 'sklearn', 'pyarrow', 'narwhals', 'fairlearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
