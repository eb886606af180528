"""Candidates for a search: bounds by feature, a budget over the features, and a price on the gap between groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.data import CodedRows
from scrutable.errors import InputError
from scrutable.measures.numerics import BinnedLogisticFit, ScoreGap, fit_binned_logistic
from scrutable_lda_xgb1.budget import spread
from scrutable_lda_xgb1.contrast import Contrast
from scrutable_lda_xgb1.grouping import group_values
from scrutable_lda_xgb1.merges_for_budget import points_of
from scrutable_lda_xgb1.prebins import Binned
from scrutable_lda_xgb1.study import Merged, Study

Floats = NDArray[np.float64]

_STEPS = 11  # of a sweep where the user names none; the paper's table has as many
_GAP_STRENGTH = 1e4  # of the pull towards a target, which is then met to about 1e-4 in log-odds
_PRICE = 2.0  # of a bin, in deviance (Akaike's criterion)
_SMALLEST = 0.005  # of the unbounded value, where such a sweep ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What `alternatives` tries beside the unconstrained model. An empty list leaves a method out.

    Parameters
    ----------
    bounds : bounds on the fairness information value of every feature (the paper's sweep); None means eleven, evenly
        spread on a log scale from the largest value of any feature down to half a percent of it.
    budgets : bounds on the sum over all features, spent where it buys the most information value; None means eleven,
        spread like `bounds` from the sum of the unbounded merges.
    gap_shares : how much of the gap between the groups' mean scores is left, the fit paying for any other gap; 1 pays
        nothing, 0 leaves none. Bins are merged after they have values, not before.
    rows : whom fairness information values and gaps compare: "all" rows, or "events", those with the favourable
        outcome (equation 6).

    Raises
    ------
    InputError : a value out of range.

    Examples
    --------
    >>> Sweep(bounds=(1, 0.5), budgets=()).bounds
    (1.0, 0.5)
    """

    bounds: Sequence[float] | None = None
    budgets: Sequence[float] | None = None
    gap_shares: Sequence[float] = field(default=tuple(round(1 - 0.05 * step, 2) for step in range(21)))
    rows: Literal["all", "events"] = "all"

    def __post_init__(self) -> None:
        for name, values in (("bounds", self.bounds), ("budgets", self.budgets), ("gap_shares", self.gap_shares)):
            shares = name == "gap_shares"
            if values is None and not shares:
                continue
            numbers = _numbers(values)
            if numbers is None or not all(0 <= each <= 1 if shares else 0 < each < np.inf for each in numbers):
                raise InputError(
                    "unusable steps",
                    where=f"sweep: {name}",
                    got=values,
                    allowed=f"a list of numbers {'from 0 to 1' if shares else 'above 0'}",
                )
            object.__setattr__(self, name, numbers)
        if self.rows not in ("all", "events"):
            raise InputError("unknown rows", where="sweep: rows", got=self.rows, allowed="'all' or 'events'")


def _numbers(values: Any) -> tuple[float, ...] | None:
    try:
        return tuple(float(value) for value in values)
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """Features in attributes, and the regression on them."""

    method: str
    parameters: dict[str, float]
    merged: Merged
    fit: BinnedLogisticFit


def candidates(study: Study, sweep: Sweep, ridge: float) -> Iterator[Candidate]:
    """Every candidate of a sweep, the unconstrained one first; bounds that leave no feature give none."""
    yield fitted("baseline", {}, replace(study, contrasts=()).merged(), study, ridge)
    known: dict[Any, BinnedLogisticFit] = {}
    for method, parameters, merged in _bounded(study, sweep):
        if merged.binned:
            candidate = fitted(method, parameters, merged, study, ridge, known.get(merged.borders))
            known[merged.borders] = candidate.fit
            yield candidate
    yield from _by_gap(study, sweep.gap_shares, ridge)


def _bounded(study: Study, sweep: Sweep) -> Iterator[tuple[str, dict[str, float], Merged]]:
    """The merges within bounds and budgets."""
    widest = study.bounded(np.full(len(study.contrasts), np.inf))
    for bound in _steps(widest, sweep.bounds, np.max):
        yield "fiv-bound", {"bound": bound}, _within(widest, bound)
    for budget, merged in _by_budget(widest, _steps(widest, sweep.budgets, np.sum)):
        yield "fiv-budget", {"budget": budget}, merged


def _steps(widest: Study, given: Sequence[float] | None, over_features: Callable[..., Any]) -> Sequence[float]:
    """The steps given, or down from where they begin to bind."""
    if given is not None:
        return given
    largest = float(over_features(_fiv(widest), axis=0, initial=0.0).max())
    if not 0 < largest < np.inf:
        return ()
    return [float(f"{step:.3g}") for step in largest * np.geomspace(1, _SMALLEST, _STEPS + 1)[1:]]


def _fiv(widest: Study) -> Floats:
    """(features, contrasts) fairness information values of the unbounded merges."""
    rows = [[contrast.fiv(binned.counted) for contrast in widest.contrasts] for binned in widest.merged().binned]
    return np.array(rows).reshape(len(rows), len(widest.contrasts))


def _within(widest: Study, bound: float) -> Merged:
    """The merge that keeps one bound on every feature and contrast."""
    study = widest.bounded(np.full(len(widest.contrasts), bound))
    if len(widest.contrasts) == 1 and widest.solver == "labels":
        return widest.chosen([study.within(position, front) for position, front in enumerate(widest.fronts)])
    return study.merged()


def _by_budget(widest: Study, budgets: Sequence[float]) -> Iterator[tuple[float, Merged]]:
    """Merges of highest total information value whose total fairness information values keep a budget each."""
    if not budgets:
        return
    points = points_of(widest)
    # The last choice is to leave the feature out.
    fronts = [
        (np.append(each.iv, 0.0), np.append(each.fiv, np.zeros((1, *each.fiv.shape[1:])), axis=0)) for each in points
    ]
    for budget in budgets:
        chosen = spread(fronts, budget)
        pairs = zip(points, [] if chosen is None else chosen, strict=chosen is not None)
        yield budget, widest.chosen([each.borders(at) if at < len(each.iv) else None for each, at in pairs])


def _by_gap(study: Study, shares: Sequence[float], ridge: float) -> Iterator[Candidate]:
    """Regressions that pay for the gap, first on unmerged pre-bins, then on what those of like value are merged to."""
    if not shares:
        return
    prebins = [prebins.binned for prebins in study.prebins]

    def fit(
        binned: Sequence[Binned], targets: Sequence[float] | None, start: BinnedLogisticFit | None = None
    ) -> BinnedLogisticFit:
        strength, given = (0.0, [0.0] * len(study.contrasts)) if targets is None else (_GAP_STRENGTH, targets)
        pairs = zip(study.contrasts, given, strict=True)
        gaps = [gap_of(c, binned, strength, target) for c, target in pairs]
        blocks = [each.block() for each in binned]
        return fit_binned_logistic(blocks, rows_of(study, binned), ridge=ridge, init=start, gaps=gaps)

    def candidate(share: float, on_prebins: BinnedLogisticFit, targets: Sequence[float] | None) -> Candidate:
        merged = study.chosen(_grouped(study, on_prebins))
        return Candidate(
            method="score-gap", parameters={"share": share}, merged=merged, fit=fit(merged.binned, targets)
        )

    regression = fit(prebins, None)
    whole = candidate(1.0, regression, None)
    for share in sorted(set(shares), reverse=True):
        if share == 1:
            yield whole
        else:
            targets = [share * gap for gap in whole.fit.gaps]
            regression = fit(prebins, targets, regression)
            yield candidate(share, regression, targets)


def _grouped(study: Study, fit: BinnedLogisticFit) -> list[list[int]]:
    """Per feature the borders between pre-bins of unlike value."""
    price = _PRICE * study.data.every.row
    pairs = zip(study.prebins, fit.values, strict=True)
    return [group_values(values[: p.n], p.counted(()), study.options, price) for p, values in pairs]


def fitted(
    method: str,
    parameters: dict[str, float],
    merged: Merged,
    study: Study,
    ridge: float,
    known: BinnedLogisticFit | None = None,
) -> Candidate:
    """The regression on merged features, where it is not known; gaps are measured and cost nothing."""
    if known is None:
        blocks = [binned.block() for binned in merged.binned]
        gaps = [gap_of(c, merged.binned, 0.0) for c in study.contrasts]
        known = fit_binned_logistic(blocks, rows_of(study, merged.binned), ridge=ridge, gaps=gaps)
    return Candidate(method=method, parameters=parameters, merged=merged, fit=known)


def rows_of(study: Study, binned: Sequence[Binned]) -> CodedRows:
    """The rows by the attributes of some features."""
    return study.data.coded([each.table.coding for each in binned])


def gap_of(contrast: Contrast, binned: Sequence[Binned], strength: float, target: float = 0.0) -> ScoreGap:
    """The gap between the mean scores of the groups of a contrast."""
    sides = [contrast.sides(each.counted) for each in binned]
    return ScoreGap.of_means([one for one, _ in sides], [other for _, other in sides], strength, target)
