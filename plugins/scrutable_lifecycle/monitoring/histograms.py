"""Histograms of scores: the shares of two samples in bins of one width."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scrutable_lifecycle.monitoring.profiles import Profiles

#: Bars of a histogram at most.
_BARS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Shares of two samples in intervals of the score of equal width, those declined anyway left out.

    Parameters
    ----------
    edges : (b + 1,) ends of the intervals.
    baseline, new : (b,) shares.
    """

    edges: tuple[float, ...]
    baseline: tuple[float, ...]
    new: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def histogram(baseline: Profiles, new: Profiles) -> Histogram | None:
    """Both distributions over the scores that occur; None where either sample has no row that is scored."""
    inside = [sample.subset(~sample.knocked_out & (sample.weight > 0)) for sample in (baseline, new)]
    scores = [sample.score for sample in inside]
    if not all(map(len, scores)):
        return None
    levels = np.unique(np.concatenate(scores))
    bars = min(_BARS, len(levels))
    edges = np.linspace(levels[0], levels[-1], bars + 1) if len(levels) > 1 else levels[0] + np.array([-0.5, 0.5])
    bar = (np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bars - 1) for values in scores)
    before, now = (sample.sizes(index, bars) for sample, index in zip(inside, bar, strict=True))
    return Histogram(
        edges=tuple(edges.tolist()),
        baseline=tuple((before / before.sum()).tolist()),
        new=tuple((now / now.sum()).tolist()),
    )
