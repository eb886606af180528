"""The cuts that boosted stumps put into each feature (section 3.1 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.binning import Trends
from scrutable.data import LabelledRows
from scrutable_lda_xgb1.boosting import Boosting, boosted
from scrutable_lda_xgb1.ranks import Ranked


def stump_cuts(ranked: Sequence[Ranked], data: LabelledRows, trends: Trends, boosting: Boosting) -> list[list[int]]:
    """For each feature the rising positions, among those that open a bin, of every split that a stump made.

    Nothing is drawn by chance: every stump sees all rows and features. Categories are ranked by their favourable
    rate, so their trend is ascending by construction. Weights are read as numbers of rows, against which penalties and
    the smallest side of a stump are measured, so weights that average below 1 (shares, for example) are scaled up.
    """
    if not any(feature.opens for feature in ranked):
        return [[] for _ in ranked]
    signs, every = {"ascending": 1, "descending": -1}, data.every
    rows = data.coded([feature.coding for feature in ranked])
    stumps = boosted(
        rows,
        [signs.get(trends.get(feature.feature.name, ""), 0) for feature in ranked],
        boosting,
        rate=every.target / every.weight,
        scale=max(1.0, 1.0 / every.row),
    )
    after = sorted({stump.after for stump in stumps if stump.after is not None})
    blocks = zip(ranked, rows.slices, strict=True)
    # Beyond the last ordinary bin there are missing values only, and no cut.
    return [[at - own.start for at in after if own.start <= at < own.start + len(r.opens)] for r, own in blocks]
