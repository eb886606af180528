"""What a comparison of predicted and observed default rates returns: plain, frozen values."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from scrutable.data.sizes import is_small
from scrutable.measures.resampling import Interval
from scrutable.writing.plain_values import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """Applicants with a PD in [lower, upper); the first and the last bin are open.

    Parameters
    ----------
    size : their weight, or that of their memberships.
    mean_pd, bad_rate : what the model expects of them on average, and what happened; NaN in an empty bin.
    interval : Wilson score interval of the bad rate.
    """

    lower: float
    upper: float
    size: float
    mean_pd: float
    bad_rate: float
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined and for an open end."""
        ends = {name: getattr(self, name) for name in ("lower", "upper")}
        return {name: end if math.isfinite(end) else None for name, end in ends.items()} | {
            name: plain(getattr(self, name)) for name in ("size", "mean_pd", "bad_rate", "interval")
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BrierScore:
    """The mean squared difference of PD and outcome (1 for a default), and its parts over the bins.

    `score` = `reliability` - `resolution` + `uncertainty` + `within`, exactly (Murphy, 1973; `within` is what the bins
    do not tell apart: Stephenson, Coelho and Jolliffe, 2008). The first is 0 where every bin's PD is its bad rate.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityCurve:
    """Predicted beside observed default rates of some applicants.

    Parameters
    ----------
    size : their weight.
    effective_size : the rows that are as much without weights, (Σ w)² / Σ w²; of memberships m the members that are,
        (Σ w m)² / Σ w² m.
    mean_pd, bad_rate : expected and observed, over all of them; the interval of the bad rate is Wilson's.
    expected_over_observed : `mean_pd` over `bad_rate`; below 1 the model promises fewer defaults than there were.
    hosmer_lemeshow, degrees_of_freedom, hosmer_lemeshow_p : sum over the bins of (O - E)^2 / (E (1 - E / n)), and the
        share of chi-squared above it. A small p-value says that PDs are off, not by how much. Infinite, and None in
        JSON, where what a PD of 0 or 1 excludes did happen.
    slope, intercept : of the observed log-odds of default on the predicted ones. The slope is 1 if PDs spread as the
        outcomes do, and below 1 if they spread too far; the intercept, taken at slope 1, is 0 if they are right on
        average, and above 0 if they are too low. NaN where outcomes are of one class, or separated.

    These three have no interval, NaN, on fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` effective rows: theirs
    hold for many.
    """

    size: float
    effective_size: float
    mean_pd: float
    bad_rate: float
    bad_rate_interval: Interval
    expected_over_observed: float
    expected_over_observed_interval: Interval
    brier: BrierScore
    hosmer_lemeshow: float
    degrees_of_freedom: int
    hosmer_lemeshow_p: float
    slope: float
    slope_interval: Interval
    intercept: float
    intercept_interval: Interval
    bins: tuple[ReliabilityBin, ...]

    @property
    def small(self) -> bool:
        """Whether there are too few rows for those intervals."""
        return is_small(self.effective_size)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        own = {
            each.name: plain(getattr(self, each.name)) for each in fields(self) if each.name not in ("brier", "bins")
        }
        if math.isinf(self.hosmer_lemeshow):
            own["hosmer_lemeshow"] = None
        return own | {"brier": self.brier.to_dict(), "bins": [each.to_dict() for each in self.bins]}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupReliability:
    """The curve of one group of a protected attribute."""

    attribute: str
    group: str
    curve: ReliabilityCurve

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {"attribute": self.attribute, "group": self.group, **self.curve.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Predicted beside observed default rates, of everybody and by group; the bins are the same for all."""

    overall: ReliabilityCurve
    groups: tuple[GroupReliability, ...]
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {
            "confidence": self.confidence,
            "overall": self.overall.to_dict(),
            "groups": [each.to_dict() for each in self.groups],
        }
