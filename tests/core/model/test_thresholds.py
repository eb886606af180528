"""Double thresholds route every double as the single-precision comparison does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrutable.model.thresholds import at_most, below

singles = st.floats(width=32, allow_nan=False)
doubles = st.floats(allow_nan=False)


def probes(threshold: float, double: float) -> list[float]:
    found = [double, -math.inf, math.inf, 0.0]
    for value in (threshold, below(threshold), at_most(threshold)):
        found += [value, math.nextafter(value, -math.inf), math.nextafter(value, math.inf)]
    return found


@given(singles, doubles)
def test_every_double_is_routed_as_in_single_precision(threshold: float, double: float) -> None:
    for x in probes(threshold, double):
        with np.errstate(over="ignore"):
            single = np.float32(x)
        assert (x < below(threshold)) == bool(single < np.float32(threshold)), x
        assert (x <= at_most(threshold)) == bool(single <= np.float32(threshold)), x


@pytest.mark.parametrize("threshold", [0.0, -0.0, 2.0**-149, -(2.0**-149), 2.0**-126, 3.4028234663852886e38])
def test_subnormal_and_largest_singles(threshold: float) -> None:
    test_every_double_is_routed_as_in_single_precision.hypothesis.inner_test(threshold, 1.0)
    test_every_double_is_routed_as_in_single_precision.hypothesis.inner_test(-threshold, -1e300)
