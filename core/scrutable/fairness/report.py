"""Group metrics at a cutoff and at a fixed approval rate, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data.array_checks import Bools, Floats, favourable, finite_number, scores, share
from scrutable.data.attribute import ProtectedAttribute
from scrutable.data.groups import Groups
from scrutable.data.sample_weights import weights
from scrutable.data.sizes import MIN_GROUP_SIZE
from scrutable.errors import InputError
from scrutable.fairness.four_fifths_rule import four_fifths
from scrutable.fairness.rates import compared, fairlearn_rates, group_cells
from scrutable.fairness.replicates import Replicates
from scrutable.fairness.results import FairnessReport, FourFifths, GroupMetrics, OperatingPoint
from scrutable.measures.approving import approval_threshold
from scrutable.measures.comparing import effective_sizes
from scrutable.measures.resampling import Interval, check_bootstrap

#: One object, so that equal reports compare equal.
_UNDEFINED: Interval = (math.nan, math.nan)


def group_metrics(
    y: Any, decision: Any, groups: Groups, *, score: Any = None, sample_weight: Any = None
) -> tuple[GroupMetrics, ...]:
    """Point estimates for each protected attribute and group.

    Parameters
    ----------
    y : (n,) booleans, True where the outcome is favourable (a good payer).
    decision : (n,) booleans, True where the decision is favourable (approval).
    groups : protected groups of the same n rows.
    score : (n,) points, for the AUC within each group.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : lengths that differ, missing scores, or negative weights.
    KindError : `y` or `decision` that is not boolean.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "f", "m", "m"]}, reference={"sex": "m"}, min_group_size=0)
    >>> female, male = group_metrics([True, False, True, True], [True, False, True, True], groups)
    >>> female.approval_rate, female.adverse_impact_ratio, female.opportunity_gap
    (0.5, 0.5, 0.0)
    """
    outcome = favourable(y, "y", groups.rows)
    approved = favourable(decision, "decision", groups.rows)
    points = None if score is None else scores(score, groups.rows)
    weight = weights(sample_weight, groups.rows)
    return tuple(
        metrics
        for attribute in groups.attributes
        for metrics in _of_attribute(
            attribute,
            group_cells(outcome, approved, attribute, weight),
            effective_sizes(attribute, weight),
            _aucs(outcome, points, attribute, weight),
            [{}] * len(attribute.labels),
        )
    )


def fairness_report(
    y: Any,
    score: Any,
    cutoff: float,
    groups: Groups,
    *,
    approval_rate: float | None = None,
    n_boot: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    sample_weight: Any = None,
) -> FairnessReport:
    """Group metrics where `score >= cutoff`, and again at a fixed approval rate.

    The second reading is there because a ratio at the cutoff alone can be bought by moving the intercept. Its
    threshold is the highest score at which at least `approval_rate` of the rows are approved.

    Intervals are percentiles of draws in which each row counts by a random weight (`scrutable.fairness.replicates`):
    those of rates are Jeffreys', which hold for few rows too. Gaps and ratios have none where the group or its
    reference has fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` rows to tell. Both thresholds are **held fixed**,
    so the second interval leaves out the uncertainty of the threshold itself. With weights or probabilities, more
    than 10,000 rows are weighed in as many random packets of equal size.

    Parameters
    ----------
    y : (n,) booleans, True where the outcome is favourable (a good payer).
    score : (n,) points, more being better for the applicant.
    cutoff : the decision is favourable from this score on.
    groups : protected groups of the same n rows.
    approval_rate : share to approve in the second reading, above 0 and at most 1; None means the share of favourable
        outcomes, which is the same for every model on the same rows.
    n_boot : bootstrap replicates.
    seed : seed of the bootstrap.
    confidence : share of the replicates that an interval covers.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : lengths that differ, missing scores, negative weights, or an option out of range.
    KindError : `y` that is not boolean.

    Examples
    --------
    >>> y, score = [True, False] * 50, list(range(100))
    >>> groups = Groups.from_frame({"sex": ["f", "m"] * 50}, min_group_size=0)
    >>> report = fairness_report(y, score, 20, groups, approval_rate=0.3, n_boot=100)
    >>> report.at_cutoff.approval_rate, report.at_approval_rate.threshold
    (0.8, 70.0)
    """
    Groups.check(groups)
    outcome = favourable(y, "y", groups.rows)
    weight = weights(sample_weight, groups.rows)
    rate = _requested(outcome, weight, approval_rate)
    thresholds = {
        "cutoff": cutoff,
        "approval rate": approval_threshold(score, rate, sample_weight=weight),
    }
    at_cutoff, at_rate = operating_points(
        outcome, score, thresholds, groups, n_boot=n_boot, seed=seed, confidence=confidence, sample_weight=sample_weight
    )
    return FairnessReport(
        at_cutoff=at_cutoff,
        at_approval_rate=at_rate,
        requested_approval_rate=float(rate),
        confidence=float(confidence),
        n_boot=int(n_boot),
        seed=int(seed),
    )


def operating_points(
    y: Any,
    score: Any,
    thresholds: Mapping[str, float],
    groups: Groups,
    *,
    n_boot: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    sample_weight: Any = None,
) -> tuple[OperatingPoint, ...]:
    """Group metrics where `score >= threshold`, for each threshold, with intervals as in `fairness_report`.

    Parameters
    ----------
    thresholds : in points, by what they rest on, which becomes the `basis` of each operating point.
    y, score, groups, n_boot, seed, confidence, sample_weight : as in `fairness_report`, and errors too.

    Examples
    --------
    >>> y, score = [True, False] * 50, list(range(100))
    >>> groups = Groups.from_frame({"sex": ["f", "m"] * 50}, min_group_size=0)
    >>> points = operating_points(y, score, {"strict": 70, "lenient": 20}, groups, n_boot=100)
    >>> [(point.basis, point.approval_rate) for point in points]
    [('strict', 0.3), ('lenient', 0.8)]
    """
    Groups.check(groups)
    points = scores(score, groups.rows)
    checked = {basis: finite_number(given, basis) for basis, given in thresholds.items()}
    return decision_points(
        y,
        {basis: (threshold, points >= threshold) for basis, threshold in checked.items()},
        groups,
        score=points,
        n_boot=n_boot,
        seed=seed,
        confidence=confidence,
        sample_weight=sample_weight,
    )


def decision_points(
    y: Any,
    decisions: Mapping[str, tuple[float, Any]],
    groups: Groups,
    *,
    score: Any,
    n_boot: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    sample_weight: Any = None,
    min_group_size: float = MIN_GROUP_SIZE,
    among: Mapping[str, Collection[str]] | None = None,
) -> tuple[OperatingPoint, ...]:
    """Group metrics of decisions that are more than a score and a threshold: with knock-outs, or cutoffs by segment.

    Parameters
    ----------
    decisions : by what they rest on: a threshold to tell, NaN where there is none, and (n,) booleans, True where the
        decision is favourable.
    score : (n,) points, for the AUC within each group.
    min_group_size : groups of fewer effective rows are left out of the four-fifths ratio.
    among : the groups that it looks at, by attribute; all of an attribute that is not named.
    y, groups, n_boot, seed, confidence, sample_weight : as in `fairness_report`, and errors too.

    Examples
    --------
    >>> groups = Groups.from_frame({"sex": ["f", "m"] * 2}, min_group_size=0)
    >>> [point] = decision_points(
    ...     [True, False, True, True], {"by hand": (float("nan"), [True, False, True, True])}, groups,
    ...     score=[1, 2, 3, 4], n_boot=50)
    >>> point.approval_rate, [group.approval_rate for group in point.groups]
    (0.75, [1.0, 0.5])
    """
    Groups.check(groups)
    outcome = favourable(y, "y", groups.rows)
    points = scores(score, groups.rows)
    weight = None if sample_weight is None else weights(sample_weight, groups.rows)
    check_bootstrap(n_boot, seed)
    level = share(confidence, "confidence")
    unit = weights(weight, groups.rows)
    aucs = [_aucs(outcome, points, attribute, unit) for attribute in groups.attributes]
    results = []
    for i, (basis, (threshold, given)) in enumerate(decisions.items()):
        approved = favourable(given, basis, groups.rows)
        metrics: list[GroupMetrics] = []
        ratios: list[FourFifths] = []
        for j, attribute in enumerate(groups.attributes):
            cells = group_cells(outcome, approved, attribute, unit)
            generator = np.random.default_rng([seed, i, j])
            drawn = Replicates.draw(outcome, approved, attribute, weight, n_boot, generator)
            sizes = drawn.sizes["approval_rate"]
            own = _of_attribute(attribute, cells, sizes, aucs[j], _intervals(drawn, attribute, level))
            ratios.append(
                four_fifths(
                    attribute,
                    np.array([group.approval_rate for group in own]),
                    sizes,
                    drawn=drawn.rates["approval_rate"],
                    confidence=level,
                    min_group_size=min_group_size,
                    among=(among or {}).get(attribute.name),
                )
            )
            metrics += own
        point = _operating_point(basis, threshold, outcome, approved, unit, tuple(metrics))
        results.append(replace(point, four_fifths=tuple(ratios)))
    return tuple(results)


def _of_attribute(
    attribute: ProtectedAttribute,
    cells: Floats,
    sizes: Floats,
    aucs: list[float],
    intervals: list[dict[str, Interval]],
) -> list[GroupMetrics]:
    rates = compared(fairlearn_rates(cells), attribute.reference_index)
    return [
        GroupMetrics(
            attribute=attribute.name,
            group=label,
            reference=attribute.reference,
            size=float(cells[i].sum()),
            effective_size=float(sizes[i]),
            auc=aucs[i],
            intervals={name: _UNDEFINED if math.isnan(rates[name][i]) else ends for name, ends in intervals[i].items()},
            **{name: float(values[i]) for name, values in rates.items()},
        )
        for i, label in enumerate(attribute.labels)
    ]


def _intervals(drawn: Replicates, attribute: ProtectedAttribute, confidence: float) -> list[dict[str, Interval]]:
    bounds = drawn.intervals(attribute.reference_index, confidence)
    return [
        {
            name: _UNDEFINED if math.isnan(low[i]) else (float(low[i]), float(high[i]))
            for name, (low, high) in bounds.items()
        }
        for i in range(len(attribute.labels))
    ]


def _aucs(outcome: Bools, points: Floats | None, attribute: ProtectedAttribute, weight: Floats) -> list[float]:
    if points is None:
        return [math.nan] * len(attribute.labels)
    return [_auc_or_nan(outcome, points, weight * column) for column in attribute.membership.T]


def _auc_or_nan(outcome: Bools, points: Floats, weight: Floats) -> float:
    from scrutable.measures.separating_power import auc

    inside = weight > 0
    if not (outcome & inside).any() or not (~outcome & inside).any():
        return math.nan
    return auc(outcome[inside], points[inside], sample_weight=weight[inside])


def _operating_point(
    basis: str, threshold: float, outcome: Bools, approved: Bools, weight: Floats, metrics: tuple[GroupMetrics, ...]
) -> OperatingPoint:
    total = float(weight[approved].sum())
    return OperatingPoint(
        basis=basis,
        threshold=threshold,
        approval_rate=total / float(weight.sum()),
        bad_rate_among_approved=float(weight[approved & ~outcome].sum()) / total if total else math.nan,
        groups=metrics,
    )


def _requested(outcome: Bools, weight: Floats, approval_rate: float | None) -> float:
    if approval_rate is not None:
        return approval_rate
    rate = float(weight[outcome].sum() / weight.sum())
    if not rate:
        raise InputError(
            "no outcome is favourable, so there is no default approval rate",
            where="y",
            got=f"0 of {outcome.size}",
            fix="give approval_rate, or check which class is the favourable one",
        )
    return rate
