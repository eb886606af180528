"""How well a score separates good payers from bad ones: AUC, Gini and KS, with bootstrap intervals.

Where each good payer of a sample scores above each bad one, rows drawn from it always do so, too, and the interval of
the AUC would be a point. As in `scrutable.fairness.replicates` each row therefore counts by a random weight, and either
outcome gets half a row: it lies below all scores or above them, which is where rows that were not seen might lie.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isnan, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from scrutable.data.array_checks import Bools, Floats, favourable, scores, share
from scrutable.data.sample_weights import weights
from scrutable.data.sizes import MIN_OUTCOMES, is_small
from scrutable.errors import InputError
from scrutable.measures.comparing import effective_size
from scrutable.measures.resampling import Interval, cell_weights, check_bootstrap, percentile_interval
from scrutable.writing.plain_values import plain

#: Replicates tell so many levels of the score apart; AUC and KS move by far less than the width of their intervals.
MAX_LEVELS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """AUC, Gini and KS with percentile intervals at the given confidence; their ends are NaN where rows are too few."""

    auc: float
    gini: float
    ks: float
    auc_interval: Interval
    gini_interval: Interval
    ks_interval: Interval
    confidence: float
    n_boot: int
    seed: int

    @property
    def small(self) -> bool:
        """Whether there are too few rows, or too few of either outcome, for intervals."""
        return isnan(self.auc_interval[0])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for what is undefined."""
        return {each.name: plain(getattr(self, each.name)) for each in fields(self)} | {"small": self.small}


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
    membership: Any = None,
    count: Any = None,
) -> Performance:
    """AUC, Gini and KS with percentile intervals from random weights of rows.

    There is no interval on fewer than `scrutable.data.sizes.MIN_GROUP_SIZE` effective rows, nor where fewer than
    `MIN_OUTCOMES` of them have the scarcer outcome: below, intervals miss the truth too often. None leaves out the
    figure itself. Scores with more than a thousand levels are replicated on about that many; the estimates themselves
    use every score.

    Parameters
    ----------
    membership : (n,) probabilities of belonging to the group that is measured; None means 1 each.
    count : (n,) how many rows each of these stands for; None means 1 each.

    Others and errors as for `auc`.

    Examples
    --------
    >>> result = performance([True, False, True, False] * 25, [4, 3, 2, 1] * 25, n_boot=200)
    >>> result.auc, result.auc_interval[0] < 0.75 < result.auc_interval[1]
    (0.75, True)
    >>> performance([True, False], [2, 1]).auc_interval
    (nan, nan)
    """
    own = weights(sample_weight, np.size(y))
    members = weights(membership, own.size)
    often = np.ones(own.size, dtype=np.int64) if count is None else np.asarray(count)
    weight = own * members
    outcome, points, total = _checked(y, score, weight * often)
    check_bootstrap(n_boot, seed)
    level = share(confidence, "confidence")
    area, distance = _auc(outcome, points, total), _ks(outcome, points, total)
    areas = ginis = distances = (nan, nan)
    if not _few(outcome, own, members, often):
        drawn = replicates(outcome, points, weight, n_boot, seed, count=often)
        drawn[:, 1] -= _overstated(drawn[:, 1], distance)
        low, high = percentile_interval(drawn, level)
        areas, distances = _around(area, low[0], high[0]), _around(distance, low[1], high[1])
        ginis = 2 * areas[0] - 1, 2 * areas[1] - 1
    return Performance(
        auc=area,
        gini=2 * area - 1,
        ks=distance,
        auc_interval=areas,
        gini_interval=ginis,
        ks_interval=distances,
        confidence=level,
        n_boot=int(n_boot),
        seed=int(seed),
    )


def replicates(
    outcome: Bools, points: Floats, weight: Floats, n_boot: int, seed: int, *, count: npt.NDArray[Any] | None = None
) -> Floats:
    """(n_boot, 2) AUC and KS of rows that count by random weights, and half a row of either outcome.

    The rows of each score level and outcome are weighed together, so that the cost does not grow with the rows.
    """
    often = np.ones(points.size, dtype=np.int64) if count is None else count
    levels = score_levels(points, often)
    cells = 2 * (int(levels.max()) + 1)
    generator = np.random.default_rng(seed)
    total, squares = weight * often, weight**2 * often
    row = np.array([float(squares[side].sum() / total[side].sum()) for side in (~outcome, outcome)])
    blocks = []
    for drawn in cell_weights(2 * levels + outcome, weight, n_boot, generator, count=often):
        inner = np.pad(drawn, ((0, 0), (0, cells - drawn.shape[1]))).reshape(len(drawn), -1, 2)
        below, above = generator.gamma(0.25, size=(2, len(drawn), 1, 2)) * row
        totals = np.cumsum(np.concatenate([below, inner, above], axis=1), axis=1)
        bads, goods = np.moveaxis(totals / totals[:, -1:], 2, 0)
        before = np.pad(bads, ((0, 0), (1, 0)))
        areas = (np.diff(goods, axis=1, prepend=0.0) * (before[:, :-1] + before[:, 1:])).sum(axis=1) / 2
        blocks.append(np.column_stack([areas, np.abs(goods - bads).max(axis=1)]))
    return np.concatenate(blocks)


def score_levels(points: Floats, count: npt.NDArray[Any] | None = None) -> npt.NDArray[np.intp]:
    """(n,) the level of each score: equal scores share one, and neighbours too where there are over `MAX_LEVELS`.

    Parameters
    ----------
    count : (n,) how many rows have each score; 1 each if None.

    >>> score_levels(np.array([610.0, 580.0, 610.0])).tolist()
    [1, 0, 1]
    """
    often = np.ones(points.size, dtype=np.int64) if count is None else count
    _, levels = np.unique(points, return_inverse=True)
    counts = np.bincount(levels, often).astype(np.int64)
    if counts.size <= MAX_LEVELS:
        return levels
    slots = (np.cumsum(counts) - 1) * MAX_LEVELS // counts.sum()
    level_slots: npt.NDArray[np.intp] = slots[levels]
    return level_slots


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


def _few(outcome: Bools, weight: Floats, membership: Floats, count: npt.NDArray[Any]) -> bool:
    """Whether there are too few rows, or too few of the scarcer outcome, for an interval."""
    scarcer = min(effective_size(weight[side], membership[side], count[side]) for side in (outcome, ~outcome))
    return is_small(effective_size(weight, membership, count)) or is_small(scarcer, MIN_OUTCOMES)


def _overstated(drawn: Floats, distance: float) -> float:
    """By how much draws of KS lie too high: as a maximum it rises with noise, once in the sample and once in a draw."""
    return 2 * max(float(drawn.mean()) - distance, 0.0)


def _around(value: float, low: float, high: float) -> Interval:
    """The ends of an interval of a share, which does not leave out the figure itself."""
    return min(max(float(low), 0.0), value), max(float(high), value)


def _auc(outcome: Bools, points: Floats, weight: Floats) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(outcome, points, sample_weight=weight))


def _ks(outcome: Bools, points: Floats, weight: Floats) -> float:
    from sklearn.metrics import roc_curve

    false_positive, true_positive, _ = roc_curve(outcome, points, sample_weight=weight, drop_intermediate=False)
    return float(np.abs(true_positive - false_positive).max())
