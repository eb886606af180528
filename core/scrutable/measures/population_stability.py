"""How far a sample's shares moved from a baseline's: the population stability index, and what each band adds to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from scrutable.data.array_checks import Floats
from scrutable.measures.numerics.counts import information_value_by_bin


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A band of the score, an attribute of a characteristic, a reason: its share before and now.

    Parameters
    ----------
    name : what is in it.
    baseline, new : shares, from 0 to 1.
    contribution : what it adds to the index.
    points, shift : points of the attribute, and what its change of share adds to the mean score; None without points.
    """

    name: str
    baseline: float
    new: float
    contribution: float
    points: float | None = None
    shift: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """A distribution over bands in two samples.

    Parameters
    ----------
    name : what is distributed.
    index : the population stability index, sum of the contributions.
    expected_index : its mean where nothing has drifted, (k - 1) (1 / n + 1 / m) for k bands that either sample has, and
        n and m (effective) rows.
    p_value : probability of such an index or a larger one where nothing has drifted.
    shift : change of the mean score that the characteristic brings about; None without points.
    """

    name: str
    index: float
    expected_index: float
    p_value: float
    bands: tuple[Band, ...]
    shift: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def summary(self) -> dict[str, Any]:
        """Plain values for JSON without the bands."""
        return {each: value for each, value in self.to_dict().items() if each != "bands"}


def stability(
    name: str,
    bands: Sequence[str],
    baseline: Floats,
    new: Floats,
    *,
    sizes: tuple[float, float] | None = None,
    points: Sequence[float] | None = None,
) -> Stability:
    """Compare two samples' weighted counts over the same bands.

    The index is the sum of (a - e) ln(a / e) over the bands, a and e being the new and the baseline share. Where only
    one of the samples has a band, the other's share there is taken to be that of half a row, so that one applicant in
    a new category moves the index by little. Without drift the index divided by 1 / n + 1 / m is distributed as
    chi-squared with k - 1 degrees of freedom for large samples (Yurdakul, "Statistical properties of population
    stability index", 2018), which gives its mean and the p-value. With sample weights n and m, and the half row, are
    those of the effective numbers of rows, so that the scale of the weights does not matter.

    Parameters
    ----------
    bands : names of k bands.
    baseline, new : (k,) weighted counts, not all zero.
    sizes : effective numbers of rows of the two, `effective_size` of their weights; the sums of the counts if None.
    points : of each band, to give the shift of the mean score as well.

    Raises
    ------
    InputError : a sample without any weight.

    Examples
    --------
    >>> import numpy as np
    >>> found = stability("score", ["low", "high"], np.array([50.0, 50.0]), np.array([60.0, 40.0]))
    >>> round(found.index, 4), found.expected_index, round(found.p_value, 2)
    (0.0405, 0.02, 0.15)
    """
    from scipy.stats import chi2

    before, now = float(baseline.sum()), float(new.sum())
    n, m = sizes or (before, now)
    parts = information_value_by_bin(_as_rows(new, m), _as_rows(baseline, n), zero="half")
    freedom = int(((baseline > 0) | (new > 0)).sum()) - 1
    index = math.fsum(parts)
    unit = 1 / n + 1 / m
    shifts = None if points is None else shifts_of(points, baseline, new)
    measured = tuple(
        Band(
            name=band,
            baseline=float(baseline[i]) / before,
            new=float(new[i]) / now,
            contribution=float(parts[i]),
            points=None if points is None else float(points[i]),
            shift=None if shifts is None else float(shifts[i]),
        )
        for i, band in enumerate(bands)
    )
    return Stability(
        name=name,
        index=index,
        expected_index=freedom * unit,
        p_value=float(chi2.sf(index / unit, freedom)) if freedom else 1.0,
        bands=measured,
        shift=None if shifts is None else float(sum(shifts)),
    )


def shifts_of(points: Sequence[float], baseline: Floats, new: Floats) -> list[Fraction]:
    """What each attribute's change of share adds to the mean score: (a - e) points.

    Fractions, and not doubles, so that the shifts of all characteristics add up to that of the mean score exactly:
    points are multiples of 2^-30.

    >>> import numpy as np
    >>> [float(each) for each in shifts_of([10.0, 40.0], np.array([1.0, 1.0]), np.array([1.0, 3.0]))]
    [-2.5, 10.0]
    """
    before, now = ([Fraction(count) for count in counts.tolist()] for counts in (baseline, new))
    n, m = sum(before), sum(now)
    return [Fraction(value) * (a / m - e / n) for value, a, e in zip(points, now, before, strict=True)]


def _as_rows(counts: Floats, size: float) -> Floats:
    """The counts, scaled to so many rows."""
    total = float(counts.sum())
    return counts if total in (0.0, size) else counts * (size / total)
