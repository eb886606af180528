"""How well probabilities of default agree with the defaults that happened."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.data.array_checks import Bools, Floats, favourable, scores, share
from scrutable.data.cohort import Cohort
from scrutable.data.groups import Groups
from scrutable.data.masking import Masked
from scrutable.data.sample_weights import weights
from scrutable.data.sizes import is_small
from scrutable.errors import InputError
from scrutable.errors.checks import check_whole
from scrutable.measures.calibration_figures import expected_over_observed, recalibration, wilson_interval
from scrutable.measures.comparing import effective_size, effective_sizes, normal_quantile
from scrutable.measures.edges import MOST_BANDS, band_edges, band_of
from scrutable.measures.reliability_results import (
    BrierScore,
    GroupReliability,
    Reliability,
    ReliabilityBin,
    ReliabilityCurve,
)
from scrutable.measures.scored import Scored, score_cohort
from scrutable.model import DecisionModel

Edges = tuple[float, ...]


def reliability(
    pd: Any,
    good: Any,
    *,
    bins: int = 10,
    groups: Groups | None = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
    fitted: int = 0,
) -> Reliability:
    """Compare predicted with observed default rates, in bins of the PD with equal shares of the rows.

    Equal PDs share a bin, so that there may be fewer bins than asked for. Groups are compared in the same bins.
    Estimates count a row of weight 2 as two rows. Intervals and the Hosmer-Lemeshow test go by the effective number of
    rows, (sum of w)^2 / sum of w^2, since weights that differ, and membership probabilities, tell less than rows.

    Parameters
    ----------
    pd : (n,) probabilities of the unfavourable outcome, 0 to 1.
    good : (n,) booleans, True where the outcome is favourable.
    bins : number of bins.
    groups : protected groups of the same rows; membership probabilities count as weights.
    sample_weight : (n,) weights; None means 1 each.
    confidence : of the intervals.
    fitted : parameters of the PD that were fitted on these very rows: 0 on rows held out, 2 on those that intercept
        and slope were fitted on. So many degrees of freedom does the Hosmer-Lemeshow test lose.

    Raises
    ------
    InputError : lengths that differ, a PD outside [0, 1], negative weights, an option out of range.
    KindError : outcomes that are not booleans.

    Examples
    --------
    >>> found = reliability([0.1] * 10 + [0.4] * 10, [False] + [True] * 9 + [False] * 6 + [True] * 4, bins=2)
    >>> [(each.mean_pd, each.bad_rate) for each in found.overall.bins]
    [(0.1, 0.1), (0.4, 0.6)]
    >>> round(found.overall.hosmer_lemeshow, 4), round(found.overall.expected_over_observed, 4)
    (1.6667, 0.7143)
    """
    check_whole(bins, "bins", 2, MOST_BANDS)
    check_whole(fitted, "fitted", 0)
    outcome = favourable(good, "good")
    risk = _checked_pd(pd, outcome.size)
    weight = weights(sample_weight, outcome.size)
    level = share(confidence, "confidence")
    if groups is not None:
        Groups.check(groups)
        groups = Groups.from_frame(groups, expected_rows=outcome.size)
    inside = weight > 0
    edges = band_edges(risk[inside], weight[inside], bands=bins, edges=None, width=None)
    place = band_of(risk, edges)
    z = normal_quantile(level)
    return Reliability(
        overall=_curve(risk, ~outcome, weight, effective_size(weight), edges, place, z, fitted),
        groups=tuple(
            GroupReliability(
                attribute=attribute.name,
                group=label,
                curve=_curve(risk, ~outcome, weight * membership, size, edges, place, z, 0),
            )
            for attribute in (groups.attributes if groups is not None else ())
            for label, membership, size in zip(
                attribute.labels, attribute.membership.T, effective_sizes(attribute, weight).tolist(), strict=True
            )
        ),
        confidence=level,
    )


def model_reliability(
    model: DecisionModel,
    X: Any,
    y: Any,
    *,
    bins: int = 10,
    groups: Groups | None = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> Reliability:
    """Reliability of the probabilities that a model gives rows; rows without an outcome are left out.

    Parameters
    ----------
    X, y : n applicants, and their outcomes in the model's two classes; None or NaN where one is not known.

    Raises
    ------
    InputError : a model of more than two classes, an outcome that is none of them, and as in `reliability`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X[:1000], data.y[:1000])
    >>> found = model_reliability(learner.model_, data.X[1000:], data.y[1000:])
    >>> len(found.overall.bins), 0.8 < found.overall.expected_over_observed < 1.25
    (10, True)
    """
    if not model.outcome.binary:
        raise InputError("a PD needs two classes", where="model", got=list(model.outcome.classes))
    cohort = Cohort.read(X, y, outcome=model.outcome, groups=groups, sample_weight=sample_weight, where="y of the rows")
    if not cohort.known.any():
        raise InputError("no outcome is known", where="y", fix="give rows with outcomes")
    return reliability_of(score_cohort(model, cohort), bins=bins, confidence=confidence)


def reliability_of(sample: Scored, *, bins: int = 10, confidence: float = 0.95, fitted: int = 0) -> Reliability:
    """Reliability over applicants who are evaluated already and whose outcome is known; there must be some.

    Parameters
    ----------
    sample : applicants of a model of two classes; its groups are compared.
    bins, confidence, fitted : as in `reliability`.
    """
    known = sample.cohort.known
    told = sample.cohort.subset(known)
    return reliability(
        1.0 - sample.evaluation.probability[known],
        told.good,
        bins=bins,
        groups=told.groups,
        sample_weight=told.sample_weight,
        confidence=confidence,
        fitted=fitted,
    )


def _checked_pd(pd: Any, rows: int) -> Floats:
    risk = scores(pd, rows)
    outside = np.flatnonzero((risk < 0) | (risk > 1))
    if outside.size:
        raise InputError(
            "a probability of default is outside its range",
            where=f"pd, row {outside[0]}",
            got=Masked(float(risk[outside[0]])),
            allowed="0 to 1",
            fix="give probabilities of the unfavourable outcome, not scores",
        )
    return risk


def _curve(
    pd: Floats, bad: Bools, weight: Floats, rows: float, edges: Edges, place: NDArray[np.intp], z: float, fitted: int
) -> ReliabilityCurve:
    """The curve of rows that count by `weight`, membership included; `rows` of equal weight would tell as much."""
    size = float(weight.sum())
    mean_pd, bad_rate = (float(weight @ values) / size if size else math.nan for values in (pd, bad))
    bins = tuple(_bin(pd, bad, np.where(place == i, weight, 0.0), edges[i : i + 2], z) for i in range(len(edges) - 1))
    ratio, ratio_interval = expected_over_observed(pd, bad, weight, z)
    (slope, slope_interval), (intercept, intercept_interval) = recalibration(pd, bad, weight, z)
    if is_small(rows):
        ratio_interval = slope_interval = intercept_interval = (math.nan, math.nan)
    statistic, freedom, p_value = _hosmer_lemeshow(bins, effective_size(weight) / size if size else 0.0, fitted)
    return ReliabilityCurve(
        size=size,
        effective_size=rows,
        mean_pd=mean_pd,
        bad_rate=bad_rate,
        bad_rate_interval=wilson_interval(bad_rate, effective_size(weight), z),
        expected_over_observed=ratio,
        expected_over_observed_interval=ratio_interval,
        brier=_brier(pd, bad, weight, bins, bad_rate),
        hosmer_lemeshow=statistic,
        degrees_of_freedom=freedom,
        hosmer_lemeshow_p=p_value,
        slope=slope,
        slope_interval=slope_interval,
        intercept=intercept,
        intercept_interval=intercept_interval,
        bins=bins,
    )


def _bin(pd: Floats, bad: Bools, weight: Floats, ends: Edges, z: float) -> ReliabilityBin:
    size = float(weight.sum())
    mean_pd, bad_rate = (float(weight @ values) / size if size else math.nan for values in (pd, bad))
    interval = wilson_interval(bad_rate, effective_size(weight), z)
    return ReliabilityBin(
        lower=ends[0], upper=ends[1], size=size, mean_pd=mean_pd, bad_rate=bad_rate, interval=interval
    )


def _hosmer_lemeshow(bins: tuple[ReliabilityBin, ...], rows_per_weight: float, fitted: int) -> tuple[float, int, float]:
    """Statistic, degrees of freedom and p-value; undefined where no degree of freedom is left."""
    from scipy.stats import chi2

    filled = [each for each in bins if each.size]
    freedom = len(filled) - fitted
    if freedom < 1:
        return math.nan, freedom, math.nan
    statistic = 0.0
    for each in filled:
        variance = each.mean_pd * (1 - each.mean_pd)
        gap = (each.bad_rate - each.mean_pd) ** 2
        statistic += each.size * rows_per_weight * gap / variance if variance else (math.inf if gap else 0.0)
    return statistic, freedom, float(chi2.sf(statistic, freedom))


def _brier(pd: Floats, bad: Bools, weight: Floats, bins: tuple[ReliabilityBin, ...], bad_rate: float) -> BrierScore:
    size = float(weight.sum())
    if not size:
        return BrierScore(
            score=math.nan, reliability=math.nan, resolution=math.nan, uncertainty=math.nan, within=math.nan
        )
    score = float(weight @ (pd - bad) ** 2) / size
    filled = [each for each in bins if each.size]
    off = math.fsum(each.size * (each.mean_pd - each.bad_rate) ** 2 for each in filled) / size
    resolved = math.fsum(each.size * (each.bad_rate - bad_rate) ** 2 for each in filled) / size
    uncertain = bad_rate * (1 - bad_rate)
    return BrierScore(
        score=score,
        reliability=off,
        resolution=resolved,
        uncertainty=uncertain,
        within=score - (off - resolved + uncertain),
    )
