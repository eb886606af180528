"""How far the applicants have moved from those of the development: PSI of the score, CSI of each characteristic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scrutable.data import share
from scrutable.fairness import Thresholds
from scrutable.measures import Interval, Stability, check_bootstrap, percentile_interval
from scrutable.measures.numerics import information_value
from scrutable.writing import plain_fields
from scrutable_lifecycle.monitoring.model_drift import compared_parts
from scrutable_lifecycle.monitoring.sample import Sample

#: The usual reading of the index; from .10 and from .25 on.
Reading = Literal["little change", "some change", "much change"]

#: Bins of the score, fixed on the development sample.
_BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """The population stability index of the score or of a characteristic.

    Parameters
    ----------
    name : what is distributed: "score", or the characteristic.
    segment : of a segmented model; else None.
    index : its PSI; `expected_index` is what samples so small give on average without any drift.
    interval : see `psi_interval`.
    reading : "little change" below 0.10, "much change" from 0.25 on (Siddiqi, "Credit Risk Scorecards", 2006).
    """

    name: str
    segment: str | None
    index: float
    expected_index: float
    interval: Interval
    reading: Reading

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return plain_fields(self)


def psi_interval(
    expected: npt.ArrayLike,
    actual: npt.ArrayLike,
    *,
    n_boot: int = 500,
    seed: int = 0,
    confidence: float = 0.95,
) -> Interval:
    """Bootstrap interval of the population stability index of a sample against the one expected.

    Both samples are drawn anew from their own shares. The index is a sum of positive parts, so that noise can only
    raise it, and a replicate has the noise twice: therefore the interval is the reflected one, from 2 PSI minus the
    upper percentile to 2 PSI minus the lower one (Davison and Hinkley, "Bootstrap Methods and their Application", 1997,
    section 2.4), held at 0 or more. So it is an interval of the index without that noise, and where rows are few and
    have hardly moved, the index that was measured may lie above it.

    Parameters
    ----------
    expected, actual : (k,) counts by bin; of weighted rows, shares times the effective number of rows.

    Raises
    ------
    InputError : counts that are negative, not finite, of different lengths or all zero; an option out of range.

    Examples
    --------
    >>> low, high = psi_interval([500, 500], [600, 400])
    >>> low < 0.0405 < high
    True
    """
    check_bootstrap(n_boot, seed)
    share(confidence, "confidence")
    before, now = (np.asarray(counts, dtype=np.float64) for counts in (expected, actual))
    index = population_stability_index(before, now, zero="half")
    generator = np.random.default_rng(seed)
    draws = [
        generator.multinomial(round(float(sample.sum())), sample / sample.sum(), size=n_boot)
        for sample in (before, now)
    ]
    replicates = [population_stability_index(e, a, zero="half") for e, a in zip(*draws, strict=True)]
    low, high = percentile_interval(np.array(replicates), confidence)
    return max(0.0, 2 * index - float(high)), max(0.0, 2 * index - float(low))


def drift_of(development: Sample, applicants: Sample, seed: int) -> tuple[Drift, ...]:
    """The score's index, and that of each characteristic, of the model or of each of its segments.

    Bins of the score are tenths of the development sample. A scorecard's characteristics are compared by attribute,
    those of other models by the ranges and categories that they tell apart. Segments without applicants in one of the
    samples are left out.
    """
    drifts = []
    for place, part in enumerate(compared_parts(development, applicants, _BINS)):
        shares = [each for each in (part.score, *part.characteristics) if each is not None]
        profiles = [sample.parts[place].profiles for sample in (development, applicants)]
        sizes = [each.effective_size(each.everybody) for each in profiles if each is not None]
        drifts += list(_drifts(shares, part.segment, sizes, seed))
    return tuple(drifts)


def _drifts(shares: list[Stability], segment: str | None, sizes: list[float], seed: int) -> Iterator[Drift]:
    for place, moved in enumerate(shares):
        expected = np.array([band.baseline for band in moved.bands]) * sizes[0]
        actual = np.array([band.new for band in moved.bands]) * sizes[1]
        yield Drift(
            name=moved.name,
            segment=segment,
            index=moved.index,
            expected_index=moved.expected_index,
            interval=psi_interval(expected, actual, seed=seed + place),
            reading=_reading(moved.index),
        )


def _reading(index: float) -> Reading:
    usual = Thresholds()
    if index < usual.psi_warn:
        return "little change"
    return "some change" if index < usual.psi_alert else "much change"


def population_stability_index(
    expected_counts: npt.ArrayLike, actual_counts: npt.ArrayLike, *, zero: Literal["ignore", "inf", "half"] = "inf"
) -> float:
    """Population stability index of a sample against the one expected: Σ (a − e)·ln(a / e), in nats.

    It is the `information_value` of the two samples. Here a bin that only one of them fills is infinite by default,
    because a bin that appears or empties is the very drift the index is to show.

    >>> round(population_stability_index([50, 50], [60, 40]), 4)
    0.0405
    """
    return information_value(actual_counts, expected_counts, zero=zero)
