"""The stump that gains most, from sums of gradients and curvatures by bin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEAST_GAIN = 1e-6  # of a stump, as in XGBoost
_LEAST_CURVATURE = 1.0  # of either side of a stump: XGBoost's `min_child_weight`
_TIED = 1 - 1e-9  # of the highest gain: from there on gains are equal, so that rounding does not say which is first
_LEAST_DIVISOR = 1e-300
_GRAIN = 2.0**30  # of what is added to scores, so that sums of it are exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalties:
    """Of the boosting: learning rate, and penalties of squared (lambda) and of absolute values (alpha)."""

    rate: float
    ridge: float
    lasso: float

    def beyond(self, slopes: Floats) -> Floats:
        """What of slopes the penalty of absolute values leaves."""
        if not self.lasso:
            return slopes
        left: Floats = np.copysign(np.maximum(np.abs(slopes) - self.lasso, 0.0), slopes)
        return left


@dataclass(frozen=True, slots=True)
class Stump:
    """A cut, and what is added to the scores of rows on either side of it.

    Parameters
    ----------
    after : the bin before the cut, which is the last one of the block before where missing values alone are left of
        it; None where no cut gains anything, and then all rows move alike.
    missing_left : whether missing values go with the bins before the cut.
    moved : weighted mean of the squared moves.
    """

    block: int
    after: int | None
    missing_left: bool
    left: float
    right: float
    moved: float


class Cuts:
    """All cuts that p blocks of bins have; the last bin of each block holds missing values.

    Of each block come first the cuts with missing values on the right, then, where it has any, those with them on the
    left.

    Parameters
    ----------
    starts : (p + 1,) where the bins of each block begin, K at the end.
    signs : (p,) 1 or -1 where what is added may not fall or rise from bin to bin, 0 where it may.
    missing : (p,) whether a block has missing values.
    """

    def __init__(self, starts: Ints, signs: Ints, missing: NDArray[np.bool_], penalties: Penalties) -> None:
        self._firsts, self._lasts, self._penalties = starts[:-1], starts[1:] - 1, penalties
        runs = [(block, side) for block, also in enumerate(missing) for side in range(1 + also)]
        after = [np.arange(self._firsts[block], self._lasts[block]) - side for block, side in runs]
        block, side = (np.repeat(each, [len(own) for own in after]) for each in np.array(runs).T)
        self._after, self._block, self._missing_left = np.concatenate(after), block, side == 1
        self._first, self._next, self._signs = self._firsts[block], self._after + 1, signs[block]
        self._last_of_left = self._lasts[block][self._missing_left]
        self.curve(np.zeros(starts[-1]))

    def curve(self, curvature: Floats) -> None:
        """Note (K,) curvatures, which stay what they are for some stumps."""
        self._curves = left, right, every = self._sides(curvature)
        few, ridge = (left < _LEAST_CURVATURE) | (right < _LEAST_CURVATURE), self._penalties.ridge
        self._allowed = np.where(few, -np.inf, 0.0)
        # Of rows with a slope, the value is minus the slope by these, and the gain its square by these.
        sides = (1.0 / (np.where(few, np.inf, each) + ridge) for each in (left, right))
        self._by = *sides, 1.0 / np.maximum(every + ridge, _LEAST_DIVISOR)

    def best(self, gradient: Floats) -> Stump:
        """The stump that gains most by (K,) gradients; of equal ones the first, in the order of the cuts."""
        left, right, every = (self._penalties.beyond(each) for each in self._sides(gradient))
        by_left, by_right, by_all = self._by
        gains = left * left * by_left
        gains += right * right * by_right
        gains += self._allowed
        gains -= (every * every * by_all)[self._block]
        if self._signs.any():
            gains[self._signs * (left * by_left - right * by_right) < 0] = -np.inf
        most = gains.max(initial=-np.inf)
        if not most > _LEAST_GAIN:
            value = self._added(every[0] * by_all[0])
            return Stump(0, None, False, value, value, value**2)
        at = int((gains >= most * _TIED).argmax())
        one, other, block = self._added(left[at] * by_left[at]), self._added(right[at] * by_right[at]), self._block[at]
        light, heavy, whole = self._curves
        moved = float((light[at] * one**2 + heavy[at] * other**2) / whole[block])
        return Stump(int(block), int(self._after[at]), bool(self._missing_left[at]), one, other, moved)

    def _added(self, descent: np.float64) -> float:
        """What is added to scores whose best value is minus this."""
        return round(-self._penalties.rate * float(descent) * _GRAIN) / _GRAIN

    def _sides(self, amounts: Floats) -> tuple[Floats, Floats, Floats]:
        """Sums of (K,) amounts left and right of each cut, and (p,) of all bins of each block."""
        summed = np.concatenate([[0.0], np.cumsum(amounts)])
        every = summed[self._lasts + 1] - summed[self._firsts]
        left = summed[self._next] - summed[self._first]
        if len(self._last_of_left):
            left[self._missing_left] += amounts[self._last_of_left]
        return left, every[self._block] - left, every
