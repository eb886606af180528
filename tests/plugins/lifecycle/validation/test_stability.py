"""The interval of the population stability index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scrutable.errors import InputError
from scrutable_lifecycle.validation import psi_interval
from scrutable_lifecycle.validation.stability import population_stability_index

SHARES = np.full(10, 0.1)


@pytest.mark.parametrize("moved", [0.0, 0.4, 1.0])
def test_it_covers_the_index_of_the_populations(moved: float) -> None:
    """At no drift, the true index 0 is the interval's own end."""
    other = SHARES * np.linspace(1 - moved / 2, 1 + moved / 2, 10)
    truth = population_stability_index(SHARES, other)
    generator, inside = np.random.default_rng(3), 0
    for seed in range(150):
        before, now = generator.multinomial(800, SHARES), generator.multinomial(500, other)
        low, high = psi_interval(before, now, n_boot=200, seed=seed, confidence=0.9)
        inside += low <= truth <= high
    assert inside / 150 > 0.83


def test_the_same_seed_gives_the_same_interval_and_more_rows_a_narrower_one() -> None:
    assert psi_interval([50, 50], [70, 50], seed=1) == psi_interval([50, 50], [70, 50], seed=1)
    narrow, wide = psi_interval([5000, 5000], [7000, 5000]), psi_interval([50, 50], [70, 50])
    assert narrow[1] - narrow[0] < wide[1] - wide[0]


@pytest.mark.parametrize(
    ("expected", "options", "message"),
    [
        ([0, 0], {}, "every bin is empty"),
        ([-1, 2], {}, "zero or more"),
        ([1, 2, 3], {}, "the length differs"),
        ([1, 2], {"n_boot": 0}, "n_boot: expected a number of bootstrap replicates; got 0"),
        ([1, 2], {"confidence": 95}, "confidence: expected a share; got 95"),
    ],
)
def test_what_is_refused(expected: list[float], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        psi_interval(expected, [10, 20], **options)


def test_an_empty_bin_is_no_infinity() -> None:
    low, high = psi_interval([100, 100, 0], [100, 90, 10])
    assert 0 <= low < high < np.inf
