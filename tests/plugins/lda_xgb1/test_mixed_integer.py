"""The paper's mixed-integer program finds what the label-setting search finds."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace

import numpy as np
import pytest

from scrutable.errors import PluginError
from scrutable_lda_xgb1.fronts import front
from scrutable_lda_xgb1.joined_prebins import Segments
from scrutable_lda_xgb1.merging import merge
from scrutable_lda_xgb1.mixed_integer import merge_by_milp
from scrutable_lda_xgb1.options import MergeOptions

OPTIONS = [MergeOptions(), MergeOptions(max_bins=3), MergeOptions(min_share=0.1, min_events=30)]


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("trend", [None, "ascending", "descending"])
@pytest.mark.parametrize("bounds", [0, 1, 2])
def test_agrees_with_the_search(make_counts, bounds: int, trend: str | None, pure: bool) -> None:
    for seed, options in itertools.product(range(4), OPTIONS):
        pre = make_counts(seed, 8 + 2 * seed, bounds=bounds, fixed=seed % 2, wild=seed == 3)
        if pure:
            pre.good[[0, 3]], pre.bad[[5, pre.n - 1]] = 0.0, 0.0
        segments = Segments.of(pre, options, trend)
        found, expected = merge_by_milp(pre, options, trend=trend), merge(pre, options, trend)
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            iv, fiv = segments.totals(found)
            assert iv == pytest.approx(segments.totals(expected)[0], abs=1e-9)
            assert (fiv <= pre.room).all()


def test_limits_that_points_of_the_front_just_miss(make_counts) -> None:
    """The solver lets an FIV by that is over by less than its tolerance; the answer must not."""
    pre = make_counts(1, 9)
    found = front(pre, MergeOptions())
    assert len(found.iv) > 4
    for position in range(1, len(found.iv)):
        tight = replace(pre, limits=np.array([found.fiv[position] - 1e-13]))
        assert merge_by_milp(tight, MergeOptions()) == found.borders(position - 1)


def test_none_where_one_bin_breaks_a_bound(make_counts) -> None:
    pre = make_counts(0, 5, fixed=1)
    assert merge_by_milp(replace(pre, limits=np.array([1e-9])), MergeOptions()) is None


def test_without_pulp_the_extra_is_named(make_counts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pulp", None)
    with pytest.raises(PluginError, match=r"scrutable\[lda-xgb1\]"):
        merge_by_milp(make_counts(0, 5), MergeOptions())
