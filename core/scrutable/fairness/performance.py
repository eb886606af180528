"""How well a score separates good payers from bad ones: AUC, Gini and KS, with bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.errors import InputError
from scrutable.fairness.inputs import Bools, Floats, favourable, scores, share, weights
from scrutable.fairness.plain import plain
from scrutable.fairness.resampling import check_bootstrap, drawn_weights, percentile_interval

#: Replicates tell so many levels of the score apart; AUC and KS move by far less than the width of their intervals.
MAX_LEVELS = 1000

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """AUC, Gini and KS with percentile intervals at the given confidence."""

    auc: float
    gini: float
    ks: float
    auc_interval: Interval
    gini_interval: Interval
    ks_interval: Interval
    confidence: float
    n_boot: int
    seed: int

    def without_intervals(self) -> Performance:
        """The same figures of too few rows for intervals, whose ends are NaN."""
        none = (nan, nan)
        return replace(self, auc_interval=none, gini_interval=none, ks_interval=none)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for JSON; None for what is undefined."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)}


def auc(y: Any, score: Any, *, sample_weight: Any = None) -> float:
    """Probability that a good payer scores above a bad one, ties counting one half.

    Parameters
    ----------
    y : (n,) booleans, True where the outcome is favourable.
    score : (n,) points, more being better for the applicant.
    sample_weight : (n,) weights; None means 1 each.

    Raises
    ------
    InputError : lengths that differ, missing scores, or outcomes of one class only.
    KindError : `y` that is not boolean.

    Examples
    --------
    >>> auc([True, False, True, False], [4, 3, 2, 1])
    0.75
    """
    return _auc(*_checked(y, score, sample_weight))


def gini(y: Any, score: Any, *, sample_weight: Any = None) -> float:
    """Gini coefficient, 2 AUC - 1; parameters and errors as for `auc`.

    >>> gini([True, False, True, False], [4, 3, 2, 1])
    0.5
    """
    return 2 * auc(y, score, sample_weight=sample_weight) - 1


def ks(y: Any, score: Any, *, sample_weight: Any = None) -> float:
    """Kolmogorov-Smirnov distance, the largest abs(TPR - FPR) over all thresholds; as for `auc`.

    >>> ks([True, False, True, False], [4, 3, 2, 1])
    0.5
    """
    return _ks(*_checked(y, score, sample_weight))


def performance(
    y: Any,
    score: Any,
    *,
    n_boot: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
    sample_weight: Any = None,
) -> Performance:
    """AUC, Gini and KS with percentile intervals from drawing rows with replacement.

    Replicates that hold one class only are left out. Scores with more than a thousand levels are replicated on about
    that many; the estimates themselves use every score. Parameters and errors as for `auc`.

    Examples
    --------
    >>> result = performance([True, False, True, False] * 25, [4, 3, 2, 1] * 25, n_boot=200)
    >>> result.auc, result.auc_interval[0] < 0.75 < result.auc_interval[1]
    (0.75, True)
    """
    outcome, points, weight = _checked(y, score, sample_weight)
    check_bootstrap(n_boot, seed)
    level = share(confidence, "confidence")
    drawn = replicates(outcome, points, weight, n_boot, seed)
    low, high = percentile_interval(drawn, level)
    area, distance = _auc(outcome, points, weight), _ks(outcome, points, weight)
    return Performance(
        auc=area,
        gini=2 * area - 1,
        ks=distance,
        auc_interval=(float(low[0]), float(high[0])),
        gini_interval=(float(2 * low[0] - 1), float(2 * high[0] - 1)),
        ks_interval=(float(low[1]), float(high[1])),
        confidence=level,
        n_boot=int(n_boot),
        seed=int(seed),
    )


def replicates(outcome: Bools, points: Floats, weight: Floats, n_boot: int, seed: int) -> Floats:
    """(n_boot, 2) AUC and KS, as if rows were drawn with replacement.

    The rows of each score level and outcome are drawn together, so that the cost does not grow with the rows.
    """
    levels = score_levels(points)
    cells = 2 * (int(levels.max()) + 1)
    blocks = []
    for drawn in drawn_weights(2 * levels + outcome, weight, n_boot, np.random.default_rng(seed)):
        totals = np.pad(drawn, ((0, 0), (0, cells - drawn.shape[1]))).reshape(len(drawn), -1, 2)
        bads, goods = np.cumsum(totals[..., 0], axis=1), np.cumsum(totals[..., 1], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            goods, bads = goods / goods[:, -1:], bads / bads[:, -1:]
        below = np.pad(bads, ((0, 0), (1, 0)))
        areas = (np.diff(goods, axis=1, prepend=0.0) * (below[:, :-1] + below[:, 1:])).sum(axis=1) / 2
        blocks.append(np.column_stack([areas, np.abs(goods - bads).max(axis=1)]))
    return np.concatenate(blocks)


def score_levels(points: Floats) -> npt.NDArray[np.intp]:
    """(n,) the level of each score: equal scores share one, and neighbours too where there are over `MAX_LEVELS`.

    >>> score_levels(np.array([610.0, 580.0, 610.0])).tolist()
    [1, 0, 1]
    """
    _, found, counts = np.unique(points, return_inverse=True, return_counts=True)
    if counts.size <= MAX_LEVELS:
        return found
    slots = (np.cumsum(counts) - 1) * MAX_LEVELS // points.size
    return slots[found]


def _checked(y: Any, score: Any, sample_weight: Any) -> tuple[Bools, Floats, Floats]:
    outcome = favourable(y, "y")
    points = scores(score, outcome.size)
    weight = weights(sample_weight, outcome.size)
    if not weight[outcome].sum() or not weight[~outcome].sum():
        raise InputError(
            "separation needs outcomes of both classes",
            where="y",
            got=f"{int(outcome.sum())} favourable of {outcome.size}",
            allowed="at least one favourable and one unfavourable outcome with a weight above 0",
            fix="use more rows, or check which class is the favourable one",
        )
    return outcome, points, weight


def _auc(outcome: Bools, points: Floats, weight: Floats) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(outcome, points, sample_weight=weight))


def _ks(outcome: Bools, points: Floats, weight: Floats) -> float:
    from sklearn.metrics import roc_curve

    false_positive, true_positive, _ = roc_curve(outcome, points, sample_weight=weight, drop_intermediate=False)
    return float(np.abs(true_positive - false_positive).max())
