"""Gradients and hessians of a reweighted logistic loss, and the errors of each cell, in one pass over the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.measures.numerics import compiled, compiled_part

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Bools = NDArray[np.bool_]
Cells = NDArray[np.int32]


#: Odds of the unfavourable class are no larger than exp(80), which a single can hold with room for its products.
_FARTHEST = 80.0


def weigh_rows(
    score: Floats,
    cell: Cells,
    good: Bools,
    factor: Floats,
    weight: Floats,
    threshold: float,
    least: float,
    gradient: Singles,
    hessian: Singles,
    errors: Floats,
) -> None:
    """Fill in the gradient and hessian of each row, and the weight of the errors in each cell.

    Exponentials are numpy's for singles, which take several numbers at once and are most of the work.

    Parameters
    ----------
    score : (n,) log-odds of the favourable class.
    cell : (n,) cell of each row.
    good : (cells,) whether the rows of a cell have the favourable outcome.
    factor : (cells,) by which the loss of its rows is multiplied; where it is below 0, they count as rows of the other
        class, whose loss is multiplied by its size.
    weight : (n,) sample weights, or a single one for all.
    threshold : a score from which on the decision is favourable.
    least : hessians are no smaller than this by the size of the gradient. 0 is the loss as it is. Where the weights of
        rows change from round to round, trees have taught rows something else than is now asked of them; their losses
        are as good as straight there, and a step to the lowest point of a leaf would be endless.
    gradient, hessian, errors : (n,), (n,) and (cells,), written to.
    """
    _negate(score, hessian)
    np.exp(hessian, out=hessian)
    target, size = good == (factor >= 0.0), np.abs(factor).astype(np.float32)
    _weigh(score, cell, good, target, size, weight, threshold, np.float32(least), gradient, hessian, errors)


def _errors_by_arrays(score: Any, cell: Any, good: Any, weight: Any, threshold: float, errors: Any) -> None:
    """The same sums in NumPy."""
    wrong = (score >= threshold) != good[cell]
    errors[:] = np.bincount(cell, weight * wrong, errors.size)


@compiled(steps=lambda score, *_: score.size // 8, small=_errors_by_arrays)
def count_errors(score: Any, cell: Any, good: Any, weight: Any, threshold: float, errors: Any) -> None:
    """The weight of the errors in each cell; arguments as for `weigh_rows`."""
    step = 1 if weight.size > 1 else 0
    errors[:] = 0.0
    for row in range(score.size):
        at = cell[row]
        if (score[row] >= threshold) != good[at]:
            errors[at] += weight[row * step]


@compiled
def proxy_losses(score: Any, cell: Any, good: Any, weight: Any, proxy: int, of_errors: Any, of_positives: Any) -> None:
    """Sums in each cell of the proxies of errors and of favourable decisions.

    Parameters
    ----------
    proxy : 0 for cross-entropy, 1 for hinge, 2 for quadratic.
    of_errors, of_positives : (cells,), written to.
    """
    step = 1 if weight.size > 1 else 0
    of_errors[:] = 0.0
    of_positives[:] = 0.0
    for row in range(score.size):
        at = cell[row]
        own = weight[row * step]
        positive = _proxy(score[row], proxy)
        of_positives[at] += own * positive
        of_errors[at] += own * (_proxy(-score[row], proxy) if good[at] else positive)


@compiled
def add_proxies(
    score: Any, cell: Any, good: Any, weight: Any, proxy: int, on_errors: Any, on_positives: Any, gradient: Any
) -> None:
    """Add to (n,) gradients those of proxies of errors and of favourable decisions, weighed by (cells,) numbers."""
    step = 1 if weight.size > 1 else 0
    for row in range(score.size):
        at = cell[row]
        positive = _slope(score[row], proxy)
        error = -_slope(-score[row], proxy) if good[at] else positive
        gradient[row] += weight[row * step] * (on_errors[at] * error + on_positives[at] * positive)


def _negated_by_arrays(score: Any, negated: Any) -> None:
    """The same in NumPy."""
    np.minimum(-score, _FARTHEST, out=negated, casting="same_kind")


def _weighed_by_arrays(
    score: Any,
    cell: Any,
    good: Any,
    target: Any,
    size: Any,
    weight: Any,
    threshold: float,
    least: Any,
    gradient: Any,
    hessian: Any,
    errors: Any,
) -> None:
    """The same gradients, hessians and sums in NumPy."""
    favourable = np.float32(1.0) / (np.float32(1.0) + hessian)
    unfavourable = hessian * favourable
    weighed = weight.astype(np.float32) * size[cell]
    gradient[:] = np.where(target[cell], -weighed * unfavourable, weighed * favourable)
    np.maximum(weighed * favourable * unfavourable, least * np.abs(gradient), out=hessian)
    _errors_by_arrays(score, cell, good, weight, threshold, errors)


@compiled(steps=lambda score, negated: score.size // 8, small=_negated_by_arrays)
def _negate(score: Any, negated: Any) -> None:
    for row in range(score.size):
        negated[row] = min(-score[row], _FARTHEST)


@compiled(steps=lambda score, *_: score.size // 4, small=_weighed_by_arrays)
def _weigh(
    score: Any,
    cell: Any,
    good: Any,
    target: Any,
    size: Any,
    weight: Any,
    threshold: float,
    least: Any,
    gradient: Any,
    hessian: Any,
    errors: Any,
) -> None:
    """`hessian` holds the odds of the unfavourable class before, and hessians after."""
    step = 1 if weight.size > 1 else 0
    errors[:] = 0.0
    for row in range(score.size):
        at = cell[row]
        own = weight[row * step]
        favourable = np.float32(1.0) / (np.float32(1.0) + hessian[row])
        unfavourable = hessian[row] * favourable
        weighed = np.float32(own) * size[at]
        slope = -weighed * unfavourable if target[at] else weighed * favourable
        gradient[row] = slope
        hessian[row] = max(weighed * favourable * unfavourable, least * abs(slope))
        if (score[row] >= threshold) != good[at]:
            errors[at] += own


@compiled_part
def _proxy(z: float, proxy: int) -> float:
    if proxy == 0:
        return max(z, 0.0) + float(np.log1p(np.exp(-abs(z))))
    above = max(0.0, 1.0 + z)
    return above if proxy == 1 else above * above / 2.0


@compiled_part
def _slope(z: float, proxy: int) -> float:
    if proxy == 0:
        return 1.0 / (1.0 + float(np.exp(-z)))
    if proxy == 1:
        return 1.0 if z > -1.0 else 0.0
    return max(0.0, 1.0 + z)
