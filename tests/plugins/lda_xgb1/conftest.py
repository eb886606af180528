"""Counts of a feature in pre-bins, drawn at random."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scrutable_lda_xgb1.joined_prebins import PreBinned

MakeCounts = Callable[..., PreBinned]


@pytest.fixture
def make_counts() -> MakeCounts:
    """Make pre-bins: `n` to merge and `fixed` after them; rates that rise on the whole, or wander where `wild`."""

    def make(
        seed: int, n: int, *, bounds: int = 1, fixed: int = 0, rows: tuple[int, int] = (20, 80), wild: bool = False
    ) -> PreBinned:
        rng = np.random.default_rng(seed)
        size = n + fixed
        drawn = rng.integers(*rows, size)
        rise = np.linspace(-1.0, 1.0, size)
        good_odds = np.cumsum(rng.normal(0, 0.4, size)) if wild else rise + rng.normal(0, 0.2, size)
        group_odds = rng.normal(0, 0.4, (size, bounds)).cumsum(axis=0) if wild else rng.normal(rise[:, None], 0.4)
        good = rng.binomial(drawn, 1 / (1 + np.exp(-good_odds)))
        protected = rng.binomial(drawn[:, None], 1 / (1 + np.exp(-np.broadcast_to(group_odds, (size, bounds)))))
        return PreBinned(
            n=n,
            good=good.astype(float),
            bad=(drawn - good).astype(float),
            protected=protected.astype(float),
            reference=(drawn[:, None] - protected).astype(float),
            limits=rng.uniform(0.02, 0.4, bounds),
        )

    return make
